"""Parts of a corpus, and reading them again from ``.source``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clwork.data import Sentences, sentences

from ..strategies import HOLD, words


@HOLD
@given(st.lists(st.one_of(st.just(""), words), max_size=20), st.slices(20))
def test_any_slice_equals_the_slice_of_a_list(texts: list[str], cut: slice) -> None:
    labels = [text[:1] for text in texts]
    groups = [text[-1:] for text in texts]
    part = Sentences(texts, labels, groups)[cut]
    assert isinstance(part, Sentences)
    assert (list(part), part.labels, part.groups) == (texts[cut], labels[cut], groups[cut])


def test_a_sample_is_seeded_ordered_and_without_repeats() -> None:
    many = Sentences([f"sentence {i:03}" for i in range(200)], labels=[str(i) for i in range(200)])
    drawn = many.sample(50, seed=1)
    assert list(drawn) == list(many.sample(50, seed=1)) != list(many.sample(50, seed=2))
    assert list(drawn) == sorted(set(drawn))
    assert drawn.labels == [str(int(text[-3:])) for text in drawn]
    assert len(many.sample(0, seed=0)) == 0
    assert list(many.sample(200, seed=0)) == list(many)
    with pytest.raises(ValueError, match="larger sample"):
        many.sample(201, seed=0)


def test_a_source_reads_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    rows = "".join(f"{i},sentence {i},t{i % 3}\n" for i in range(40))
    path.write_text("id,words,topic\n" + rows, encoding="utf-8")
    cut = sentences(path, column="words")[np.int64(5) :].sample(20, seed=np.int64(3))[::-2]  # type: ignore[arg-type]
    again = sentences(json.loads(json.dumps(cut.source)))
    assert again.fingerprint() == cut.fingerprint()
    assert list(again) == list(cut)
    assert again.source == cut.source
    with pytest.raises(ValueError, match="give the list of sentences itself"):
        sentences(Sentences(["a", "b"])[:1].source)


def test_parts_by_length_and_by_group_are_read_again() -> None:
    corpus = sentences("wikipedia-mini")
    assert corpus.labels is not None
    assert corpus.groups is not None
    part = corpus.every_group(32).at_most(12)
    names = set(sorted({group for group in corpus.groups if group})[::32])
    in_names = [k for k, group in enumerate(corpus.groups) if group in names]
    rows = [k for k in in_names if len(corpus[k].split()) <= 12]
    assert list(part) == [corpus[k] for k in rows]
    assert part.labels == [corpus.labels[k] for k in rows]
    again = sentences(json.loads(json.dumps(part.source)))
    assert again.fingerprint() == part.fingerprint()
    assert again.source == part.source
    assert list(Sentences(["a", "b", "c"], groups=["g", None, "f"]).every_group(2)) == ["c"]
    assert not Sentences(["one two", "three four five"]).at_most(1)
    with pytest.raises(ValueError, match="has no groups; take a part by a slice"):
        Sentences(["one two"]).every_group(2)
