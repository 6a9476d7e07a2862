"""Evaluation by one call: the scores of every task of a folder, runs and encoders, interrupts and errors."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import data, metrics

from .. import sts

LABELS = ("film", "law")
WEIGHTS = np.random.default_rng(0).standard_normal((9, 6))  # all distances differ


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """STS-B, SICK-R and one yearly task of a few pairs, MR and WOS of a few texts: no task is complete."""
    root = sts.write(tmp_path_factory.mktemp("data"), ("stsb", "sickr", "sts13"), pairs=8)
    texts = clwork.data.sentences("wikipedia-mini")[:280]
    for task, labels in (("mr", LABELS), ("wos", tuple("abcdefg"))):
        place = root / "transfer" / task
        place.mkdir(parents=True)
        rows = [{"text": text, "label": labels[row % len(labels)]} for row, text in enumerate(texts)]
        (place / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return root


@pytest.fixture(autouse=True)
def _parts_are_expected() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Do not compare the result with published ones")
        yield


class Letters:
    """An encoder that counts letters."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.calls, self.stop_at = 0, stop_at

    def encode(self, texts: list[str]) -> Any:
        self.calls += 1
        if self.calls == self.stop_at:
            raise KeyboardInterrupt
        counts = np.array([[text.count(letter) for letter in "abcdefghi"] for text in texts]) + 0.1
        return (counts @ WEIGHTS).astype(np.float32)


def test_every_task_of_the_folder_is_scored(folder: Path) -> None:
    found = clwork.evaluate(Letters(), folder, folds=2, progress=False)
    splits = [(task, split) for task in ("stsb", "sickr") for split in ("validation", "test")]
    assert list(found.index) == [*splits, ("sts13", "test"), ("mr", "test"), ("wos", "test")]
    expected = metrics.sts(Letters(), {"stsb": data.sts_pairs("stsb", "test", folder)})
    assert found.loc[("stsb", "test"), "score"] == pytest.approx(expected["stsb"])
    mr = metrics.transfer(Letters(), {"mr": data.transfer_task("mr", folder / "transfer")}, folds=2, details=True)
    assert found.loc[("mr", "test"), ["score", "f1"]].tolist() == pytest.approx([mr["mr"], mr["mr/f1"]])
    assert found["measure"].value_counts().to_dict() == {"Spearman": 5, "accuracy": 2}


def test_an_interrupt_returns_the_scores_so_far(folder: Path) -> None:
    found = clwork.evaluate(Letters(stop_at=3), folder, tasks=["stsb", "sickr", "sts13"])
    assert list(found.index) == [("stsb", "validation"), ("stsb", "test")]
    with pytest.raises(KeyboardInterrupt):
        clwork.evaluate(Letters(stop_at=1), folder, tasks=["stsb"])


def test_a_task_without_a_score_loses_no_other(tmp_path: Path) -> None:
    root = sts.write(tmp_path, ("stsb", "sts13"), pairs=8)
    for path in (root / "sts13").iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace('"score": ', '"score": 3, "was": '), encoding="utf-8")
    with pytest.warns(UserWarning, match=r"a task has no score: sts13: all \d+ gold scores are 3"):
        found = clwork.evaluate(Letters(), root, progress=False)["score"]
    assert np.isnan(found["sts13", "test"]) and np.isfinite(found["stsb"]).all()


def test_bad_folders_and_tasks_are_refused(folder: Path, tmp_path: Path) -> None:
    for place, tasks, error, match in (
        (folder, ["sts12"], ValueError, "tasks='sts12'"),
        (tmp_path, None, ValueError, r"holds no task \(found: nothing\)"),
        (tmp_path / "nowhere", None, FileNotFoundError, "is not a folder"),
        (None, None, FileNotFoundError, "no folder of tasks is remembered"),
    ):
        with pytest.raises(error, match=match):
            clwork.evaluate(Letters(), place, tasks=tasks)
    with pytest.raises(TypeError, match="run_or_encoder=3 is int; give a run"):
        clwork.evaluate(3, folder)  # type: ignore[arg-type]
