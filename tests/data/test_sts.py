from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clwork.data import StsPairs, sts, sts_pairs, tables

Writer = Callable[[str, list[dict[str, Any]]], Path]
COUNTS = sts.ROWS["sts12"]


def pairs(n: int, score: float = 2.5) -> list[dict[str, Any]]:
    return [{"sentence1": f"left {i}", "sentence2": f"right {i}", "score": score} for i in range(n)]


def test_complete_splits_give_no_warning_and_parts_one(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("stsb/validation.jsonl", pairs(1500))
    jsonl("sickr/train.jsonl", pairs(3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sts_pairs("STSBenchmark", source=tmp_path)
    assert (found.name, len(found), found.subsets, found.split) == ("stsb", 1500, None, "validation")
    assert (found.sentences1[7], found.sentences2[7], found.scores[7]) == ("left 7", "right 7", 2.5)
    with pytest.warns(UserWarning, match=r"3 scored pairs, but sickr \(train\) has 4500"):
        assert len(sts_pairs("SICK-R", split="train", source=str(tmp_path))) == 3
    with pytest.raises(FileNotFoundError, match="no sts14"):
        sts_pairs("STS14", source=tmp_path)


SUBSETS: list[tuple[dict[str, str], dict[str, int], str, str | None]] = [
    ({}, {}, "sts12", None),
    ({"SMTeuroparl": "europarl", "OnWN": "surprise.OnWN", "SMTnews": "surprise.SMTnews"}, {}, "sts12", None),
    ({"MSRpar": "1", "MSRvid": "2", "SMTeuroparl": "3", "OnWN": "4", "SMTnews": "5"}, {}, "sts12", None),
    ({}, {"MSRvid": 0}, "sts12 −MSRvid", "2358 scored pairs, .* 3108 .without MSRvid"),
    ({"SMTnews": "news"}, {"SMTnews": 398}, "sts12 −SMTnews", "3107 .* 3108 .without SMTnews"),
]


def test_subsets_are_joined_and_the_name_lists_missing_ones(
    jsonl: Writer, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for number, (names, counts, name, warning) in enumerate(SUBSETS):
        with subtests.test(name=name, names=names), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            expected = {names.get(subset, subset): counts.get(subset, rows) for subset, rows in COUNTS.items()}
            for subset, rows in expected.items():
                if rows:
                    jsonl(f"{number}/sts12/{subset}.jsonl", pairs(rows))
            found = sts_pairs("sts12", source=tmp_path / str(number))
            assert (found.name, found.split, found.subsets is not None) == (name, "test", True)
            assert all((found.subsets or []).count(subset) == rows for subset, rows in expected.items())
            messages = [str(one.message) for one in caught]
            assert len(messages) == (warning is not None) and all(re.search(warning or "", text) for text in messages)


def test_rows_without_a_score_are_skipped_and_a_scale_to_1_is_reported(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("sts13/FNWN.jsonl", [*pairs(1), {"sentence1": "a", "sentence2": "b", "score": None}])
    jsonl("sts13/OnWN.jsonl", pairs(2))
    with pytest.warns(UserWarning, match="without headlines"):
        assert sts_pairs("sts13", source=tmp_path).subsets == ["FNWN", "OnWN", "OnWN"]
    jsonl("stsb/validation.jsonl", pairs(1500, score=0.8))
    with pytest.warns(UserWarning, match="multiply by 5"):
        sts_pairs("stsb", source=tmp_path)


def test_positives_are_strictly_above_four_by_default() -> None:
    scores: list[Any] = [5.0, 4.0, 3.9, None, float("nan"), 4.2]
    found = StsPairs("six", list("abcdef"), list("ABCDEF"), scores)
    assert found.positives() == [("a", "A"), ("f", "F")]
    assert found.positives(strict=False) == [("a", "A"), ("b", "B"), ("f", "F")]
    assert found.positives(3.5) == [("a", "A"), ("b", "B"), ("c", "C"), ("f", "F")]


def test_from_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"mteb/stsbenchmark-sts": 1379, "mteb/sts14-sts": 3750, "mteb/sickr-sts": 9927}
    monkeypatch.setattr(tables, "load_from_hub", lambda name, split: pairs(counts[name]))
    assert sts_pairs("stsb", split="test").name == "stsb" and len(sts_pairs("sts14")) == 3750
    with pytest.warns(UserWarning, match=r"9927 scored pairs, but sickr \(test\) has 4927 \(too many"):
        sts_pairs("sickr", split="test")
    with pytest.raises(ValueError, match="all of SICK"):
        sts_pairs("sickr")
