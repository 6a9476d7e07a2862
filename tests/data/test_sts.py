from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clwork.data import StsPairs, sts, sts_pairs, tables

Writer = Callable[[str, list[dict[str, Any]]], Path]


def pairs(n: int, score: float = 2.5) -> list[dict[str, Any]]:
    return [{"sentence1": f"left {i}", "sentence2": f"right {i}", "score": score} for i in range(n)]


def test_a_complete_split(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("stsb/validation.jsonl", pairs(1500))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is missing
        found = sts_pairs("stsb", source=tmp_path)
    assert (found.name, len(found), found.subsets, found.split) == ("stsb", 1500, None, "validation")
    assert (found.sentences1[7], found.sentences2[7], found.scores[7]) == ("left 7", "right 7", 2.5)


def test_a_part_is_read_with_a_warning(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("sickr/train.jsonl", pairs(3))
    with pytest.warns(UserWarning, match=r"3 scored pairs where sickr \(train\) has 4500") as caught:
        assert len(sts_pairs("sickr", split="train", source=str(tmp_path))) == 3
    assert caught[0].filename == __file__  # the warning points at the reader's own line


def test_subsets_are_joined_row_by_row(jsonl: Writer, tmp_path: Path) -> None:
    for name, rows in sts.ROWS["sts12"].items():
        jsonl(f"sts12/{name}.jsonl", pairs(rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sts_pairs("sts12", source=tmp_path)
    assert len(found) == 3108 and found.name == "sts12" and found.split == "test"
    assert found.subsets is not None
    assert {name: found.subsets.count(name) for name in sts.ROWS["sts12"]} == sts.ROWS["sts12"]


def test_the_name_lists_a_missing_subset(jsonl: Writer, tmp_path: Path) -> None:
    for name, rows in sts.ROWS["sts12"].items():
        if name != "MSRvid":
            jsonl(f"sts12/{name}.jsonl", pairs(rows))
    with pytest.warns(UserWarning, match="2358 scored pairs .* 3108: without MSRvid"):
        assert sts_pairs("sts12", source=tmp_path).name == "sts12 −MSRvid"


def test_other_names_of_a_complete_task_s_subsets_give_no_warning(
    jsonl: Writer, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    kinds = [
        {"SMTeuroparl": "europarl", "OnWN": "surprise.OnWN", "SMTnews": "surprise.SMTnews"},
        {"MSRpar": "1", "MSRvid": "2", "SMTeuroparl": "3", "OnWN": "4", "SMTnews": "5"},
    ]
    for number, names in enumerate(kinds):
        with subtests.test(names=names):
            for name, rows in sts.ROWS["sts12"].items():
                jsonl(f"{number}/sts12/{names.get(name, name)}.jsonl", pairs(rows))
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                found = sts_pairs("sts12", source=tmp_path / str(number))
            assert (len(found), found.name) == (3108, "sts12")
            assert set(found.subsets or ()) == {names.get(name, name) for name in sts.ROWS["sts12"]}


def test_another_name_hides_no_missing_pair(jsonl: Writer, tmp_path: Path) -> None:
    for name, rows in sts.ROWS["sts12"].items():
        jsonl(f"sts12/{name.replace('SMTnews', 'news')}.jsonl", pairs(rows - (name == "SMTnews")))
    with pytest.warns(UserWarning, match="3107 scored pairs .* 3108: without SMTnews; with news"):
        assert sts_pairs("sts12", source=tmp_path).name == "sts12 −SMTnews +news"


def test_names_of_mteb_are_understood(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("stsb/validation.jsonl", pairs(1500))
    jsonl("sickr/validation.jsonl", pairs(500))
    assert sts_pairs("STSBenchmark", source=tmp_path).name == "stsb"
    assert sts_pairs("SICK-R", source=tmp_path).name == "sickr"
    with pytest.raises(FileNotFoundError, match="no sts14"):
        sts_pairs("STS14", source=tmp_path)


def test_subsets_stay_with_their_rows_where_scores_are_missing(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("sts13/FNWN.jsonl", [*pairs(1), {"sentence1": "a", "sentence2": "b", "score": None}])
    jsonl("sts13/OnWN.jsonl", pairs(2))
    with pytest.warns(UserWarning, match="without headlines"):
        assert sts_pairs("sts13", source=tmp_path).subsets == ["FNWN", "OnWN", "OnWN"]


def test_a_scale_from_0_to_1_is_noticed(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("stsb/validation.jsonl", pairs(1500, score=0.8))
    with pytest.warns(UserWarning, match="multiply by 5"):
        sts_pairs("stsb", source=tmp_path)


def test_positives_are_strictly_above_four_by_default() -> None:
    scores: list[Any] = [5.0, 4.0, 3.9, None, float("nan"), 4.2]
    pairs = StsPairs("six", list("abcdef"), list("ABCDEF"), scores)
    assert pairs.positives() == [("a", "A"), ("f", "F")]
    assert pairs.positives(strict=False) == [("a", "A"), ("b", "B"), ("f", "F")]
    assert pairs.positives(3.5) == [("a", "A"), ("b", "B"), ("c", "C"), ("f", "F")]
    for bad in (float("nan"), "four", None):
        with pytest.raises((TypeError, ValueError), match="threshold="):
            pairs.positives(bad)  # type: ignore[arg-type]


def test_from_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def load(name: str, split: str) -> list[dict[str, Any]]:
        asked.append((name, split))
        return pairs(sts.ROWS["stsb"]["test"] if "bench" in name else 3750)

    monkeypatch.setattr(tables, "load_from_hub", load)
    assert sts_pairs("stsb", split="test").name == "stsb"
    assert len(sts_pairs("sts14")) == 3750
    assert asked == [("mteb/stsbenchmark-sts", "test"), ("mteb/sts14-sts", "test")]


def test_the_hubs_sick_is_not_the_test_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "load_from_hub", lambda name, split: pairs(9927))
    with pytest.warns(UserWarning, match=r"9927 scored pairs where sickr \(test\) has 4927: more than the usual"):
        sts_pairs("sickr", split="test")
    with pytest.raises(ValueError, match="all of SICK"):
        sts_pairs("sickr")
