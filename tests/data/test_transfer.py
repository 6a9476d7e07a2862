"""Transfer tasks: SentEval's splits, labels looked at before anything is scored, and errors that say what to do."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clwork.data import hub_datasets, transfer_task

Writer = Callable[[str, list[dict[str, Any]]], Path]


def rows(counts: dict[Any, int], **more: str) -> list[dict[str, Any]]:
    return [{"text": f"{label} {i}", **more, "label": label} for label, count in counts.items() for i in range(count)]


def test_a_whole_task_says_nothing(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("subj/all.jsonl", rows({"subjective": 5000, "objective": 5000}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        task = transfer_task("subj", tmp_path)
    assert task.name == "subj" and list(task.splits) == ["all"] and len(task.splits["all"]) == 10000
    assert task.splits["all"].texts[0] == "subjective 0" and task.splits["all"].others is None


def test_the_corrupt_subj_is_refused_not_scored(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("subj/all.jsonl", rows({"objective": 5000, "subjective": 20}))
    with pytest.raises(ValueError, match=r"rarest with 50% of the rows; found are 'objective' 5000, 'subjective' 20"):
        transfer_task("subj", tmp_path)


def test_where_balance_begins_to_be_wrong(jsonl: Writer, tmp_path: Path, subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[Any, int], str | None]] = [
        ({0: 30, 1: 10}, None),  # a quarter instead of a half: within what a part may have
        ({0: 30, 1: 9}, "corrupt"),
        ({0: 19}, None),  # of 19 rows, 9.5 should be of the other class: too few to judge
        ({0: 40}, "corrupt"),
        ({0: 20, 1: 20, 2: 1}, "2 classes"),
    ]
    for counts, match in cases:
        with subtests.test(counts=counts, match=match):
            jsonl("mr/all.jsonl", rows(counts))
            if match is None:
                with pytest.warns(
                    UserWarning, match=rf"{sum(counts.values())} rows where mr \(all\) has 10662"
                ) as told:
                    transfer_task("mr", tmp_path)
                assert told[0].filename == __file__
            else:
                with pytest.raises(ValueError, match=match):
                    transfer_task("mr", tmp_path)


def test_trec_has_six_coarse_classes_and_two_splits(jsonl: Writer, tmp_path: Path) -> None:
    coarse = {"ENTY": 1250, "HUM": 1223, "DESC": 1162, "NUM": 896, "LOC": 835, "ABBR": 86}
    train = rows(coarse)
    jsonl("trec/train.jsonl", [{**row, "label": "fine", "label_coarse": row["label"]} for row in train])
    jsonl("trec/test.jsonl", rows({"ENTY": 94, "HUM": 65, "DESC": 138, "NUM": 113, "LOC": 81, "ABBR": 9}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        task = transfer_task("trec", str(tmp_path))
    assert Counter(task.splits["train"].labels) == coarse and len(task.splits["test"]) == 500


def test_mrpc_has_pairs(jsonl: Writer, tmp_path: Path) -> None:
    pairs = [{"sentence1": f"a{i}", "sentence2": f"b{i}", "label": min(i % 3, 1)} for i in range(30)]
    jsonl("mrpc/train.jsonl", pairs)
    jsonl("mrpc/test.jsonl", pairs)
    with pytest.warns(UserWarning, match="rows where mrpc"):
        part = transfer_task("mrpc", tmp_path).splits["train"]
    assert part.others is not None and (part.texts[4], part.others[4], part.labels[4]) == ("a4", "b4", "1")


def test_wos_is_cut_shuffled_and_in_proportion(jsonl: Writer, tmp_path: Path) -> None:
    counts = {"CS": 140, "Medical": 310, "Civil": 90, "ECE": 120, "biochemistry": 120, "MAE": 70, "Psychology": 150}
    jsonl("wos/all.jsonl", rows(counts))
    with pytest.warns(UserWarning, match="46985"):
        splits = transfer_task("wos", tmp_path).splits
    assert list(splits) == ["train", "validation", "test"]
    for split, share in (("train", 0.8), ("validation", 0.1), ("test", 0.1)):
        assert Counter(splits[split].labels) == {label: round(share * count) for label, count in counts.items()}
    texts = [text for part in splits.values() for text in part.texts]
    assert len(set(texts)) == len(texts) == 1000, "no row is in two parts, and none is lost (M16)"
    assert "CS 0" in splits["train"].texts and set(splits["test"].texts) != {f"CS {i}" for i in range(14)}
    with pytest.warns(UserWarning):
        other = transfer_task("wos", tmp_path, seed=1).splits
    with pytest.warns(UserWarning):
        again = transfer_task("wos", tmp_path).splits
    assert other["test"].texts != splits["test"].texts and again == splits


def test_from_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def load(name: str, split: str) -> list[dict[str, Any]]:
        asked.append((name, split))
        return [{"sentence" if "stanford" in name else "text": f"{split} {i}", "label": i % 2} for i in range(40)]

    monkeypatch.setattr(hub_datasets, "load", load)
    with pytest.warns(UserWarning, match="rows where sst2"):
        task = transfer_task("sst2")
    assert list(task.splits) == ["train", "validation", "test"]
    assert asked == [("stanfordnlp/sst2", "train"), ("stanfordnlp/sst2", "validation"), ("SetFit/sst2", "test")]
    with pytest.warns(UserWarning, match=r"SetFit/subj \(train\) \+ SetFit/subj \(test\): 80 rows"):
        assert transfer_task("subj").splits["all"].texts[40] == "test 0"
    with pytest.raises(ValueError, match=r"no copy of mpqa on the hub; give a folder with mpqa/all\.jsonl"):
        transfer_task("mpqa")
