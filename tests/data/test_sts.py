from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pytest

from clwork.data import StsPairs, sts, sts_pairs, tables
from clwork.training.scores import read_sts

Writer = Callable[[str, list[dict[str, Any]]], Path]


def pairs(n: int, score: float = 2.5) -> list[dict[str, Any]]:
    return [{"sentence1": f"left {i}", "sentence2": f"right {i}", "score": score} for i in range(n)]


def test_complete_splits_give_no_warning_and_parts_one(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("stsb/validation.jsonl", pairs(1500))
    jsonl("sickr/train.jsonl", pairs(3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sts_pairs("STSBenchmark", source=tmp_path)
    assert (found.name, len(found), found.subsets, found.split) == (
        "stsb",
        1500,
        None,
        "validation",
    )
    assert (found.sentences1[7], found.sentences2[7], found.scores[7]) == ("left 7", "right 7", 2.5)
    with pytest.warns(UserWarning, match=r"3 scored pairs, but sickr \(train\) has 4,500"):
        assert len(sts_pairs("SICK-R", split="train", source=str(tmp_path))) == 3
    with pytest.raises(FileNotFoundError, match="no sts14"):
        sts_pairs("STS14", source=tmp_path)


def test_subsets_are_joined_and_counted(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("sts12/MSRpar.jsonl", pairs(3000))
    jsonl("sts12/OnWN.jsonl", pairs(108))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sts_pairs("sts12", source=tmp_path)
    assert (found.name, found.split, len(found)) == ("sts12", "test", 3108)
    assert found.subsets == ["MSRpar"] * 3000 + ["OnWN"] * 108


def test_rows_without_a_score_are_skipped(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("sts13/FNWN.jsonl", [*pairs(1), {"sentence1": "a", "sentence2": "b", "score": None}])
    jsonl("sts13/OnWN.jsonl", pairs(2))
    with pytest.warns(UserWarning, match=r"3 scored pairs, but sts13 .test. has 1,500"):
        assert sts_pairs("sts13", source=tmp_path).subsets == ["FNWN", "OnWN", "OnWN"]


def test_positives_are_strictly_above_four() -> None:
    scores: list[Any] = [5.0, 4.0, 3.9, None, float("nan"), 4.2]
    found = StsPairs("six", list("abcdef"), list("ABCDEF"), scores)
    assert found.positives() == [("a", "A"), ("f", "F")]


def test_the_remedy_without_a_hub_is_a_folder() -> None:
    with pytest.raises(ConnectionError, match="use source=, a folder with <task>"):
        sts_pairs("stsb")


def test_from_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"mteb/stsbenchmark-sts": 1379, "mteb/sts14-sts": 3750, "mteb/sickr-sts": 9927}

    def load(name: str, split: str, **_: Any) -> datasets.Dataset:
        return datasets.Dataset.from_list(pairs(counts[name]))

    monkeypatch.setattr(tables, "load_from_hub", load)
    assert sts_pairs("stsb", split="test").name == "stsb"
    assert len(sts_pairs("sts14")) == 3750
    with pytest.warns(UserWarning, match=r"9,927 scored pairs, but sickr \(test\) has 4,927"):
        sts_pairs("sickr", split="test")


ROWS = (
    '{"sentence1": "a", "sentence2": "b", "score": "4.5"}\n'
    '{"sentence1": "c", "sentence2": "d", "score": null}\n'
)
STSB = (
    'main-news\tMSRvid\t2012\t0000\t4.50\ta\tb "x\n'
    "main-news\tx\t2015\t0001\t\tc\td\tmore\tcolumns\n"
)
SICK = (
    "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    "1\ta\tb\t4.5\tNEUTRAL\n"
)
INPUT, GOLD = "STS12-en-test/STS.input.surprise.OnWN.txt", "STS12-en-test/STS.gs.surprise.OnWN.txt"
LAYOUTS: list[tuple[str, str, dict[str, str]]] = [  # each with one scored pair: a, b, 4.5
    ("stsb", "validation", {"STSBenchmark/validation.jsonl.gz": ROWS}),
    ("SICK-R", "test", {"SICK-R/test.jsonl": ROWS, "SICK-R/README.txt": "about"}),
    ("STS12", "test", {"STS12/train.jsonl.gz": ROWS * 2, "STS12/test.jsonl.gz": ROWS}),
    ("sts12-sts", "test", {"sts12-sts/data/test-00000-of-00001.jsonl": ROWS}),
    ("stsb", "validation", {"STS-B/dev.csv": "sentence1,sentence2,Label\na,b,4.5\nc,d, \n"}),
    ("sickr", "test", {"sickr/test.csv": "sentence_A,sentence_B,relatedness_score\na,b,4.5\n"}),
    (
        "stsb",
        "validation",
        {"STS/STSBenchmark/sts-dev.csv": STSB, "STS/STSBenchmark/sts-test.csv": ""},
    ),
    ("stsb", "train", {"stsb/sts-train.csv": STSB.replace("\t0000", "").replace("\t0001", "")}),
    ("sickr", "validation", {"SICK/SICK_trial.txt": SICK, "SICK/SICK_train.txt": SICK}),
    (
        "STS12",
        "test",
        {
            f"STS/{INPUT}": "a\tb\nc\td\n",
            f"STS/{GOLD}": "4.5\n\n",
            f"STS/{INPUT[:23]}.ALL.txt": "a",
        },
    ),
]
NOT_READ: list[tuple[dict[str, str], str]] = [
    (
        {"stsb/validation.jsonl": ROWS, "stsb/dev.csv": ROWS},
        "dev.csv and .*, both for validation; remove one",
    ),
    (
        {"stsb/validation.jsonl": ROWS.replace("4.5", "4,5")},
        "row 1: the score is '4,5'; give a number",
    ),
    (
        {INPUT: "a\tb\nc\td\n", GOLD: "4.5\n"},
        r"has 2 lines, but its scores \(STS\.gs\.…\) 1; copy both again",
    ),
    ({INPUT: "a b\n", GOLD: "4.5\n"}, "lacks sentence2"),
    (
        {"other/validation.jsonl": ROWS},
        "no STS task .*; give the folder of <task>/<split or subset>.jsonl",
    ),
]


@pytest.mark.filterwarnings("ignore:.*Do not compare the result")
def test_published_layouts_are_read(tmp_path: Path, subtests: pytest.Subtests) -> None:
    def written(files: dict[str, str]) -> Path:
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(
                gzip.compress(content.encode()) if name[-3:] == ".gz" else content.encode()
            )
        return root

    for task, split, files in LAYOUTS:
        with subtests.test(files=list(files)):
            found = sts_pairs(task, split, root := written(files))
            assert (found.split, found.sentences1, found.sentences2[0][0], found.scores) == (
                split,
                ["a"],
                "b",
                [4.5],
            )
            assert found.name == sts.task_of(task)
            assert split != "validation" or list(read_sts(root)) == [task]
    for files, match in NOT_READ:
        with subtests.test(match=match), pytest.raises(ValueError, match=match):
            sts_pairs("sts12" if INPUT in files else "stsb", source=written(files))
