from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clwork.data import Sentences, StreamedSentences, sentences

from ..strategies import HOLD

FIVE = Sentences(["a", "b", "c", "d", "e"], labels=list("xxyyz"), groups=list("pqpqp"), licence="CC0")


def test_slices_keep_labels_and_groups() -> None:
    part = FIVE[1:5:2]
    assert isinstance(part, Sentences)
    assert (list(part), part.labels, part.groups, part.licence) == (["b", "d"], ["x", "y"], ["q", "q"], "CC0")
    assert Sentences(["a", "b"])[:1].labels is None
    assert len(FIVE[9:]) == 0


@HOLD
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), max_size=20), st.slices(20))
def test_any_slice_is_the_slice_of_a_list(texts: list[str], cut: slice) -> None:
    whole = Sentences(texts, labels=[t[:1] for t in texts])
    assert list(whole[cut]) == texts[cut]
    assert whole[cut].labels == [t[:1] for t in texts[cut]]


def test_sample_is_seeded_ordered_and_without_repeats() -> None:
    many = Sentences([f"sentence {i:03}" for i in range(200)], labels=[str(i) for i in range(200)])
    drawn = many.sample(50, seed=1)
    assert list(drawn) == list(many.sample(50, seed=1)) != list(many.sample(50, seed=2))
    assert list(drawn) == sorted(set(drawn)) and len(drawn) == 50
    assert drawn.labels == [str(int(text[-3:])) for text in drawn]
    assert len(many.sample(0, seed=0)) == 0 and list(many.sample(200, seed=0)) == list(many)


def test_sample_refuses_what_is_not_there(subtests: pytest.Subtests) -> None:
    for n in [-1, 6]:
        with subtests.test(n=n):
            with pytest.raises(ValueError, match=f"cannot draw {n} of 5"):
                FIVE.sample(n, seed=0)


def test_fingerprint_sees_every_change() -> None:
    versions = [
        FIVE,
        FIVE[:4],
        FIVE[::-1],
        Sentences(FIVE),
        Sentences(FIVE, labels=FIVE.labels),
        Sentences(FIVE, groups=FIVE.labels),
        Sentences(["ab", "c", "d", "e"]),
        Sentences(["a", "bc", "d", "e"]),
    ]
    assert len({version.fingerprint() for version in versions}) == len(versions)
    assert FIVE.fingerprint() == FIVE[:].fingerprint() and len(FIVE.fingerprint()) == 32


def test_a_source_reads_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("id,words,topic\n" + "".join(f"{i},sentence {i},t{i % 3}\n" for i in range(40)), encoding="utf-8")
    cut = sentences(path, column="words")[np.int64(5) :].sample(20, seed=np.int64(3))[::-2]  # type: ignore[arg-type]
    again = sentences(json.loads(json.dumps(cut.source)))
    assert again.fingerprint() == cut.fingerprint() and list(again) == list(cut) and again.source == cut.source


def test_parts_by_length_and_by_group_keep_their_columns_and_are_read_again() -> None:
    whole = sentences("wikipedia-mini")
    part = whole.every_group(32).at_most(12)
    names = sorted(set(whole.groups or ()))[::32]  # type: ignore[type-var]
    rows = [k for k, text in enumerate(whole) if whole.groups[k] in names and len(text.split()) <= 12]  # type: ignore[index]
    assert list(part) == [whole[k] for k in rows] and part.labels == [whole.labels[k] for k in rows]  # type: ignore[index]
    again = sentences(json.loads(json.dumps(part.source)))
    assert again.fingerprint() == part.fingerprint() and again.source == part.source


def test_parts_that_would_be_empty_or_have_no_groups_are_refused() -> None:
    plain = Sentences(["one two", "three four five"])
    with pytest.raises(ValueError, match=r"words=1: all of 2 sentences are longer; give a larger number"):
        plain.at_most(1)
    with pytest.raises(ValueError, match="has no groups; take a part by a slice"):
        plain.every_group(2)
    for bad in (0, -1, True, 1.5, "3", None):
        with pytest.raises((TypeError, ValueError), match=r"words|nth"):
            plain.at_most(bad)  # type: ignore[arg-type]
        with pytest.raises((TypeError, ValueError), match="nth"):
            Sentences(["a"], groups=["g"]).every_group(bad)  # type: ignore[arg-type]
    with_gap = Sentences(["a", "b", "c"], groups=["g", None, "f"])
    assert list(with_gap.every_group(1)) == ["a", "c"] and list(with_gap.every_group(2)) == ["c"]


def test_a_list_cannot_be_read_again() -> None:
    with pytest.raises(ValueError, match="given as a list"):
        sentences(FIVE[:2].source)


def test_an_unknown_step_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("one\n", encoding="utf-8")
    with pytest.raises(ValueError, match="'eval'"):
        sentences({"source": str(tmp_path / "x.txt"), "steps": [["eval", "1"]]})


def test_a_stream_starts_again_with_every_loop(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("one\n\ntwo\n", encoding="utf-8")
    stream = sentences(path, streaming=True)
    assert isinstance(stream, StreamedSentences) and stream.labels is None
    assert list(stream) == list(stream) == ["one", "two"]
    assert list(sentences(stream.source)) == ["one", "two"]
    assert not hasattr(stream, "__len__")
