from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clwork.data import StsPairs, hub_datasets, sts, sts_pairs

Writer = Callable[[str, list[dict[str, Any]]], Path]


def pairs(n: int, score: float = 2.5) -> list[dict[str, Any]]:
    return [{"sentence1": f"left {i}", "sentence2": f"right {i}", "score": score} for i in range(n)]


def test_a_whole_split(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("stsb/validation.jsonl", pairs(1500))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is missing, so nothing is said
        found = sts_pairs("stsb", source=tmp_path)
    assert (found.name, len(found), found.subsets, found.split) == ("stsb", 1500, None, "validation")
    assert (found.sentences1[7], found.sentences2[7], found.scores[7]) == ("left 7", "right 7", 2.5)


def test_a_part_is_read_with_a_warning(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("sickr/train.jsonl", pairs(3))
    with pytest.warns(UserWarning, match=r"3 scored pairs where sickr \(train\) has 4500") as told:
        assert len(sts_pairs("sickr", split="train", source=str(tmp_path))) == 3
    assert told[0].filename == __file__  # the warning points at the reader's own line


def test_subsets_are_joined_row_by_row(jsonl: Writer, tmp_path: Path) -> None:
    for name, rows in sts.ROWS["sts12"].items():
        jsonl(f"sts12/{name}.jsonl", pairs(rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sts_pairs("sts12", source=tmp_path)
    assert len(found) == 3108 and found.name == "sts12" and found.split == "test"
    assert found.subsets is not None
    assert {name: found.subsets.count(name) for name in sts.ROWS["sts12"]} == sts.ROWS["sts12"]


def test_a_missing_subset_stands_in_the_name(jsonl: Writer, tmp_path: Path) -> None:
    for name, rows in sts.ROWS["sts12"].items():
        if name != "MSRvid":
            jsonl(f"sts12/{name}.jsonl", pairs(rows))
    with pytest.warns(UserWarning, match="2358 scored pairs .* 3108: without MSRvid"):
        assert sts_pairs("sts12", source=tmp_path).name == "sts12 −MSRvid"


def test_smt_which_others_lack_stands_in_the_name(jsonl: Writer, tmp_path: Path) -> None:
    for name, rows in (*sts.ROWS["sts13"].items(), ("SMT", 750)):
        jsonl(f"sts13/{name}.jsonl", pairs(rows))
    with pytest.warns(UserWarning, match=r"2250 scored pairs where sts13 \(test\) has 1500: with SMT"):
        assert sts_pairs("sts13", source=tmp_path).name == "sts13 +SMT"


def test_a_right_total_does_not_hide_wrong_subsets(jsonl: Writer, tmp_path: Path) -> None:
    wrong = {"FNWN": 189 + 50, "headlines": 750 - 50, "OnWN": 561}
    for name, rows in wrong.items():
        jsonl(f"sts13/{name}.jsonl", pairs(rows))
    assert sum(wrong.values()) == sum(sts.ROWS["sts13"].values())  # guard
    with pytest.warns(UserWarning, match=r"FNWN with 239 pairs instead of 189; headlines with 700 pairs instead of"):
        sts_pairs("sts13", source=tmp_path)


@pytest.mark.parametrize(
    "names",
    [
        {"SMTeuroparl": "europarl", "OnWN": "surprise.OnWN", "SMTnews": "surprise.SMTnews"},
        {"MSRpar": "1", "MSRvid": "2", "SMTeuroparl": "3", "OnWN": "4", "SMTnews": "5"},
    ],
)
def test_other_names_of_a_complete_task_s_subsets_give_no_warning(
    names: dict[str, str], jsonl: Writer, tmp_path: Path
) -> None:
    for name, rows in sts.ROWS["sts12"].items():
        jsonl(f"sts12/{names.get(name, name)}.jsonl", pairs(rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sts_pairs("sts12", source=tmp_path)
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


def test_other_spellings_of_a_subset_are_known(jsonl: Writer, tmp_path: Path) -> None:
    for name, rows in (("forums", 375), ("students", 750), ("belief", 375), ("headlines", 750)):
        jsonl(f"sts15/{name}.jsonl", pairs(rows))
    with pytest.warns(UserWarning, match="without images"):
        assert sts_pairs("sts15", source=tmp_path).name == "sts15 −images"


def test_subsets_stay_with_their_rows_where_scores_are_missing(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("sts13/FNWN.jsonl", [*pairs(1), {"sentence1": "a", "sentence2": "b", "score": None}])
    jsonl("sts13/OnWN.jsonl", pairs(2))
    with pytest.warns(UserWarning, match="without headlines"):
        assert sts_pairs("sts13", source=tmp_path).subsets == ["FNWN", "OnWN", "OnWN"]


def test_expected_totals() -> None:
    totals = {task: sum(sts.ROWS[task].values()) for task in sts.ROWS}
    assert totals == {
        "stsb": 8628,
        "sickr": 9927,
        "sts12": 3108,
        "sts13": 1500,
        "sts14": 3750,
        "sts15": 3000,
        "sts16": 1186,
    }


def row(**changes: Any) -> list[dict[str, Any]]:
    return [{"sentence1": "a", "sentence2": "b", "score": 1.0, **changes}]


@pytest.mark.parametrize(
    ("rows", "match"),
    [
        (row(score=5.5), "row 1: the score 5.5 is outside"),
        (row(score=-1), "outside"),
        (row(score="3"), "'3'; it must be a number from 0 to 5"),
        (row(score=True), "True"),
        (row(score=float("nan")), "nan"),
        (row(sentence2=4), "column 'sentence2' holds int"),
        ([{"sentence1": "a", "text": "b", "score": 1}], "no sentence2; the columns are sentence1, text, score"),
        (row(score=None), "no scored pair"),
    ],
)
def test_bad_rows(jsonl: Writer, tmp_path: Path, rows: list[dict[str, Any]], match: str) -> None:
    jsonl("stsb/validation.jsonl", rows)
    with pytest.raises(ValueError, match=match):
        sts_pairs("stsb", source=tmp_path)


def test_a_scale_from_0_to_1_is_noticed(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("stsb/validation.jsonl", pairs(1500, score=0.8))
    with pytest.warns(UserWarning, match="multiply by 5"):
        sts_pairs("stsb", source=tmp_path)


def test_wrong_requests(jsonl: Writer, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no STS task 'sts17'; there are stsb, sickr, sts12"):
        sts_pairs("sts17")
    with pytest.raises(ValueError, match="no split 'dev'; there are train, validation and test"):
        sts_pairs("stsb", split="dev")
    with pytest.raises(ValueError, match="without a train split"):
        sts_pairs("sts14", split="train")
    with pytest.raises(TypeError, match="int"):
        sts_pairs("stsb", source=3)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        sts_pairs("stsb", source=tmp_path / "nowhere")
    with pytest.raises(ValueError, match="holds no STS task but nothing"):
        sts_pairs("stsb", source=tmp_path)
    jsonl("stsb/train.jsonl", pairs(2))
    with pytest.raises(FileNotFoundError, match=r"holds train, but no validation\.jsonl"):
        sts_pairs("stsb", source=tmp_path)
    with pytest.raises(FileNotFoundError, match="holds stsb, but no sts13"):
        sts_pairs("sts13", source=tmp_path)
    with pytest.raises(ValueError, match="name the folder around it"):
        sts_pairs("stsb", source=tmp_path / "stsb")


def test_positives_are_strictly_above_four_unless_asked_otherwise() -> None:
    scores: list[Any] = [5.0, 4.0, 3.9, None, float("nan"), 4.2]
    pairs = StsPairs("six", list("abcdef"), list("ABCDEF"), scores)
    assert pairs.positives() == [("a", "A"), ("f", "F")]
    assert pairs.positives(strict=False) == [("a", "A"), ("b", "B"), ("f", "F")]
    assert pairs.positives(3.5) == [("a", "A"), ("b", "B"), ("c", "C"), ("f", "F")]
    for bad in (float("nan"), "four", None):
        with pytest.raises((TypeError, ValueError), match="threshold="):
            pairs.positives(bad)  # type: ignore[arg-type]


def test_columns_of_equal_length() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        StsPairs("stsb", ["a"], ["b"], [1.0, 2.0])


def test_from_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def load(name: str, split: str) -> list[dict[str, Any]]:
        asked.append((name, split))
        return pairs(sts.ROWS["stsb"]["test"] if "bench" in name else 3750)

    monkeypatch.setattr(hub_datasets, "load", load)
    assert sts_pairs("stsb", split="test").name == "stsb"
    assert len(sts_pairs("sts14")) == 3750
    assert asked == [("mteb/stsbenchmark-sts", "test"), ("mteb/sts14-sts", "test")]


def test_the_hubs_sick_is_not_the_test_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_datasets, "load", lambda name, split: pairs(9927))
    with pytest.warns(UserWarning, match=r"9927 scored pairs where sickr \(test\) has 4927: more than the usual"):
        sts_pairs("sickr", split="test")
    with pytest.raises(ValueError, match="all of SICK"):
        sts_pairs("sickr")


def test_no_network() -> None:
    with pytest.raises(ConnectionError, match="mteb/stsbenchmark-sts"):
        sts_pairs("stsb")
