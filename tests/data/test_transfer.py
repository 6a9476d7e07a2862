"""Transfer tasks: splits, labels and columns, and errors that name the remedy."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clwork.data import transfer_task

Writer = Callable[[str, list[dict[str, Any]]], Path]


def rows(counts: dict[Any, int], **more: str) -> list[dict[str, Any]]:
    return [{"text": f"{label} {i}", **more, "label": label} for label, count in counts.items() for i in range(count)]


def test_a_complete_task_gives_no_warning_and_a_part_one(jsonl: Writer, tmp_path: Path) -> None:
    jsonl("subj/all.jsonl", rows({"subjective": 5000, "objective": 5000}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        task = transfer_task("subj", tmp_path)
    assert task.name == "subj" and list(task.splits) == ["all"] and len(task.splits["all"].texts) == 10000
    assert task.splits["all"].texts[0] == "subjective 0" and task.splits["all"].others is None
    jsonl("mr/all.jsonl", rows({0: 30, 1: 10}))
    with pytest.warns(UserWarning, match=r"40 rows, but mr \(all\) has 10662") as caught:
        transfer_task("mr", tmp_path)
    assert caught[0].filename == __file__
    with pytest.raises(FileNotFoundError, match=r"no file .*trec/train\.jsonl; trec has the splits train, test"):
        transfer_task("trec", tmp_path)


def test_trec_has_six_coarse_classes_and_mrpc_has_pairs(jsonl: Writer, tmp_path: Path) -> None:
    coarse = {"ENTY": 1250, "HUM": 1223, "DESC": 1162, "NUM": 896, "LOC": 835, "ABBR": 86}
    jsonl("trec/train.jsonl", [{**row, "label": "fine", "label_coarse": row["label"]} for row in rows(coarse)])
    jsonl("trec/test.jsonl", rows({"ENTY": 94, "HUM": 65, "DESC": 138, "NUM": 113, "LOC": 81, "ABBR": 9}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        task = transfer_task("trec", str(tmp_path))
    assert Counter(task.splits["train"].labels) == coarse and len(task.splits["test"].labels) == 500
    pairs = [{"sentence1": f"a{i}", "sentence2": f"b{i}", "label": min(i % 3, 1)} for i in range(30)]
    jsonl("mrpc/train.jsonl", pairs)
    jsonl("mrpc/test.jsonl", pairs)
    with pytest.warns(UserWarning, match="rows, but mrpc"):
        part = transfer_task("mrpc", tmp_path).splits["train"]
    assert part.others is not None and (part.texts[4], part.others[4], part.labels[4]) == ("a4", "b4", "1")


def test_wos_is_split_shuffled_and_in_proportion(jsonl: Writer, tmp_path: Path) -> None:
    counts = {"CS": 140, "Medical": 310, "Civil": 90, "ECE": 120, "biochemistry": 120, "MAE": 70, "Psychology": 150}
    jsonl("wos/all.jsonl", rows(counts))
    with pytest.warns(UserWarning, match="46985"):
        splits, again = (transfer_task("wos", tmp_path).splits for _ in range(2))
    assert list(splits) == ["train", "validation", "test"]
    for split, share in (("train", 0.8), ("validation", 0.1), ("test", 0.1)):
        assert Counter(splits[split].labels) == {label: round(share * count) for label, count in counts.items()}
    texts = [text for part in splits.values() for text in part.texts]
    assert len(set(texts)) == len(texts) == 1000, "no row is in two parts, and none is lost (M16)"
    assert "CS 0" in splits["train"].texts and set(splits["test"].texts) != {f"CS {i}" for i in range(14)}
    assert again == splits
