from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clwork.data import Sentences, sentences

from ..strategies import HOLD

FIVE = Sentences(
    ["a", "b", "c", "d", "e"], labels=list("xxyyz"), groups=list("pqpqp"), licence="CC0"
)


@HOLD
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), max_size=20
    ),
    st.slices(20),
)
def test_any_slice_equals_the_slice_of_a_list(texts: list[str], cut: slice) -> None:
    given_rows = Sentences(
        texts, labels=[t[:1] for t in texts], groups=[t[-1:] for t in texts], licence="CC0"
    )
    part = given_rows[cut]
    assert isinstance(part, Sentences) and part.licence == "CC0"
    assert (list(part), part.labels, part.groups) == (
        texts[cut],
        [t[:1] for t in texts[cut]],
        [t[-1:] for t in texts[cut]],
    )


def test_a_sample_is_seeded_ordered_and_without_repeats() -> None:
    many = Sentences([f"sentence {i:03}" for i in range(200)], labels=[str(i) for i in range(200)])
    drawn = many.sample(50, seed=1)
    assert list(drawn) == list(many.sample(50, seed=1)) != list(many.sample(50, seed=2))
    assert list(drawn) == sorted(set(drawn)) and len(drawn) == 50
    assert drawn.labels == [str(int(text[-3:])) for text in drawn]
    assert len(many.sample(0, seed=0)) == 0 and list(many.sample(200, seed=0)) == list(many)
    for n in (-1, 6):
        with pytest.raises(ValueError, match=f"cannot draw {n} of 5"):
            FIVE.sample(n, seed=0)


def test_a_source_reads_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        "id,words,topic\n" + "".join(f"{i},sentence {i},t{i % 3}\n" for i in range(40)),
        encoding="utf-8",
    )
    cut = sentences(path, column="words")[np.int64(5) :].sample(20, seed=np.int64(3))[::-2]  # type: ignore[arg-type]
    again = sentences(json.loads(json.dumps(cut.source)))
    assert (
        again.fingerprint() == cut.fingerprint()
        and list(again) == list(cut)
        and again.source == cut.source
    )
    with pytest.raises(ValueError, match="given as a list"):
        sentences(FIVE[:2].source)
    with pytest.raises(ValueError, match="'eval'"):
        sentences({"source": str(path), "column": "words", "steps": [["eval", "1"]]})


def test_parts_by_length_and_by_group_are_read_again_and_never_empty() -> None:
    corpus = sentences("wikipedia-mini")
    assert corpus.labels is not None and corpus.groups is not None
    part = corpus.every_group(32).at_most(12)
    names = sorted({group for group in corpus.groups if group})[::32]
    rows = [
        k for k, text in enumerate(corpus) if corpus.groups[k] in names and len(text.split()) <= 12
    ]
    assert list(part) == [corpus[k] for k in rows] and part.labels == [
        corpus.labels[k] for k in rows
    ]
    again = sentences(json.loads(json.dumps(part.source)))
    assert again.fingerprint() == part.fingerprint() and again.source == part.source
    assert list(Sentences(["a", "b", "c"], groups=["g", None, "f"]).every_group(2)) == ["c"]
    with pytest.raises(
        ValueError, match=r"words=1: all of 2 sentences are longer; give a larger number"
    ):
        Sentences(["one two", "three four five"]).at_most(1)
    with pytest.raises(ValueError, match="has no groups; take a part by a slice"):
        Sentences(["one two"]).every_group(2)
