"""Transfer tasks: texts with labels, on which a linear classifier is fitted over frozen vectors (SentEval, and WOS)."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import _validation
from .._validation import is_whole, kind, shown
from . import hub_datasets, tables
from .files import task_folders


@dataclass(frozen=True)
class Known:
    """Published facts of a task: rows of each split, number of classes, share of the rarest class, pairs or texts."""

    rows: Mapping[str, int]
    classes: int
    rarest: float
    pairs: bool = False


TASKS: dict[str, Known] = {
    "mr": Known({"all": 10662}, 2, 0.5),
    "cr": Known({"all": 3775}, 2, 0.36),
    "subj": Known({"all": 10000}, 2, 0.5),
    "mpqa": Known({"all": 10606}, 2, 0.31),
    "sst2": Known({"train": 67349, "validation": 872, "test": 1821}, 2, 0.44),
    "trec": Known({"train": 5452, "test": 500}, 6, 0.0158),
    "mrpc": Known({"train": 4076, "test": 1725}, 2, 0.32, pairs=True),
    "wos": Known({"all": 46985}, 7, 0.07),
}
SENTEVAL = tuple(task for task in TASKS if task != "wos")
# By task and split: splits of data sets of the hub, to be concatenated. GLUE's SST-2 has no labels for its test set.
# MPQA, CR as SentEval cut it, and WOS have no verified copy there.
HUB: dict[str, dict[str, list[tuple[str, str]]]] = {
    "mr": {"all": [("cornell-movie-review-data/rotten_tomatoes", s) for s in ("train", "validation", "test")]},
    "subj": {"all": [("SetFit/subj", "train"), ("SetFit/subj", "test")]},
    "sst2": {
        "train": [("stanfordnlp/sst2", "train")],
        "validation": [("stanfordnlp/sst2", "validation")],
        "test": [("SetFit/sst2", "test")],
    },
    "trec": {"train": [("SetFit/TREC-QC", "train")], "test": [("SetFit/TREC-QC", "test")]},
    "mrpc": {
        "train": [("nyu-mll/glue:mrpc", "train"), ("nyu-mll/glue:mrpc", "validation")],
        "test": [("nyu-mll/glue:mrpc", "test")],
    },
}
LABELS = ("label_coarse", "coarse_label", "label")  # TREC's six classes are the coarse ones
TEXTS = ("text", "sentence")
PAIR = ("sentence1", "sentence2")
ENOUGH = 10  # expected rows of the rarest class, below which its absence is not conclusive
WOS_SHARE = 0.1  # of each class, for validation and for test each


@dataclass(frozen=True)
class Labelled:
    """Texts with their classes; ``others`` holds the second sentence of each pair, where the task has pairs."""

    texts: list[str]
    labels: list[str]
    others: list[str] | None = None

    def __post_init__(self) -> None:
        """Refuse columns of different length."""
        lengths = {len(self.texts), len(self.labels), len(self.labels if self.others is None else self.others)}
        if len(lengths) != 1:
            raise ValueError(f"texts, labels and others have different lengths ({sorted(lengths)})")

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, rows: list[int]) -> Labelled:
        """Select rows by number."""
        others = None if self.others is None else [self.others[i] for i in rows]
        return Labelled([self.texts[i] for i in rows], [self.labels[i] for i in rows], others)


@dataclass(frozen=True)
class TransferTask:
    """A task and its splits: ``all``; ``train`` and ``test``; or ``train``, ``validation`` and ``test``."""

    name: str
    splits: dict[str, Labelled]


def transfer_task(task: str, source: str | os.PathLike[str] = "hub", seed: int = 0) -> TransferTask:
    """Read a transfer task, with SentEval's splits, from the hub or from a folder.

    WOS comes as one set; it is cut here into 80 % ``train``, 10 % ``validation`` and 10 % ``test``, shuffled, with
    each class in proportion. (The released script of MoCoUTRL cuts the unshuffled rows, and its parts share their
    boundary rows: M16.)

    Args:
        task: ``mr``, ``cr``, ``subj``, ``mpqa``, ``sst2``, ``trec``, ``mrpc`` or ``wos``.
        source: ``"hub"``, or a folder of ``<task>/<split>.jsonl`` with the columns ``text`` and ``label`` (``mrpc``:
            ``sentence1``, ``sentence2`` and ``label``). The split is ``all`` for ``mr``, ``cr``, ``subj``, ``mpqa``
            and ``wos``.
        seed: of WOS's shuffle.

    Raises:
        FileNotFoundError: no such folder or file.
        ConnectionError: the hub cannot be reached and has left no copy here.
        TypeError: a task, source or seed of another kind.
        ValueError: unknown task, a task the hub does not have, a blank text, or labels that cannot be right: a file of
            SUBJ with 20 subjective sentences went round for years and gave every encoder 99.6 %.
    """
    if not isinstance(task, str):
        raise TypeError(f"task is {kind(task)} ({shown(task)}); give its name, one of {', '.join(TASKS)}")
    seed = _validation.seed(seed)
    if task not in TASKS:
        raise ValueError(f"no transfer task {task!r}; there are {', '.join(TASKS)}")
    known, splits = TASKS[task], {}
    for split in known.rows:
        if source == "hub":
            where, rows = _from_hub(task, split)
        elif isinstance(source, str | os.PathLike):
            where, rows = _from_folder(task, split, _validation.path("source", source))
        else:
            raise TypeError(f"source is {kind(source)} ({shown(source, 40)}); give 'hub' or a folder")
        splits[split] = _read(known, rows, where)
        check_labels(task, split, splits[split], where)
    return TransferTask(task, _cut(splits["all"], seed) if task == "wos" else splits)


def transfer_tasks_in(root: str | os.PathLike[str]) -> list[str]:
    """List the transfer tasks that a folder holds.

    Raises:
        FileNotFoundError: there is no such folder.
        ValueError: it holds none.
    """
    if not isinstance(root, str | os.PathLike):
        raise TypeError(f"root is {kind(root)} ({shown(root, 40)}); give a folder")
    return task_folders(_validation.path("root", root), TASKS, "transfer", "<task>/<split>.jsonl")


Rows = Iterable[tuple[int, Mapping[str, Any]]]


def _from_folder(task: str, split: str, root: Path) -> tuple[str, Rows]:
    present = transfer_tasks_in(root)
    if task not in present:
        raise FileNotFoundError(f"{root} holds {', '.join(present)}, but no {task}/*.jsonl")
    path = root / task / f"{split}.jsonl"
    if not path.exists() and not path.is_symlink():
        inside = ", ".join(sorted(p.stem for p in path.parent.glob("*.jsonl")))
        needed = ", ".join(f"{name}.jsonl" for name in TASKS[task].rows)
        raise FileNotFoundError(f"{path.parent} holds {inside}, but no {split}.jsonl; {task} needs {needed}")
    return str(path), tables.rows(path)


def _from_hub(task: str, split: str) -> tuple[str, Rows]:
    if task not in HUB:
        raise ValueError(
            f"clwork knows no copy of {task} on the hub; give a folder with "
            f"{', '.join(f'{task}/{name}.jsonl' for name in TASKS[task].rows)} as source="
        )
    parts = [(name, part) for name, part in HUB[task][split]]
    rows = ((number, row) for name, part in parts for number, row in enumerate(hub_datasets.load(name, part)))
    return " + ".join(f"{name} ({part})" for name, part in parts), rows


def _read(known: Known, rows: Rows, where: str) -> Labelled:
    """Read texts and labels of all rows; labels become strings."""
    texts, labels, others = [], [], []
    for number, row in rows:
        at, label = f"{where}, row {number}", next((name for name in LABELS if name in row), "label")
        text = PAIR[0] if known.pairs else next((name for name in TEXTS if name in row), TEXTS[0])
        missing = [name for name in (text, *PAIR[1:] * known.pairs, label) if name not in row]
        if missing:
            raise ValueError(f"{at}: no {', '.join(missing)}; the columns are {', '.join(row)}")
        value = row[label]
        if not (isinstance(value, str) or is_whole(value)) or value in (-1, ""):
            raise ValueError(
                f"{at}: the label is {shown(value)}; it must name a class, by a word or a number from 0 on"
            )
        texts.append(tables.filled(row[text], text, at))
        labels.append(tables.label_of(value, at))
        if known.pairs:
            others.append(tables.filled(row[PAIR[1]], PAIR[1], at))
    return Labelled(texts, labels, others if known.pairs else None)


def check_labels(task: str, split: str, rows: Labelled, where: str) -> None:
    """Compare a split's row count and balance with the published ones, before anything is scored on it.

    Raises:
        ValueError: too many classes, or the rarest has less than half of what it should have: the file is corrupt.

    Warns:
        UserWarning: rows are missing or too many; the result is then not to be compared with published ones.
    """
    known, counts = TASKS[task], Counter(rows.labels)
    classes = ", ".join(f"{label!r} {count}" for label, count in counts.most_common(10))
    due = known.rarest * len(rows)
    fewest = min(counts.values()) if len(counts) == known.classes else 0
    if len(counts) > known.classes or (due >= ENOUGH and fewest < due / 2):
        raise ValueError(
            f"{where}: {task} has {known.classes} classes, the rarest with {known.rarest:.0%} of the rows; found are "
            f"{classes or 'no rows'}. This copy is corrupt: get another before scoring anything on it"
        )
    if len(rows) != known.rows[split]:
        warnings.warn(
            f"{where}: {len(rows)} rows where {task} ({split}) has {known.rows[split]}. "
            "Do not compare the result with published ones",
            stacklevel=3,
        )


def _cut(whole: Labelled, seed: int) -> dict[str, Labelled]:
    """Split 8:1:1 into train, validation and test within every class; rows keep their order."""
    random, labels = np.random.default_rng(seed), np.array(whole.labels)
    held_out: dict[str, list[int]] = {"validation": [], "test": []}
    for label in sorted(set(whole.labels)):
        rows = random.permutation(np.flatnonzero(labels == label))
        count = round(WOS_SHARE * len(rows))
        held_out["validation"] += rows[:count].tolist()
        held_out["test"] += rows[count : 2 * count].tolist()
    taken = {row for rows in held_out.values() for row in rows}
    train = [row for row in range(len(whole)) if row not in taken]
    return {"train": whole[train], **{split: whole[sorted(rows)] for split, rows in held_out.items()}}
