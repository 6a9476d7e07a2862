"""Transfer tasks (SentEval and WOS): labelled texts, on whose frozen vectors a linear classifier is trained."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path

from .. import _validation
from .._validation import checked, is_integer, shown
from . import tables

# Published number of rows by task and split. MR, CR, SUBJ, MPQA and WOS have no splits.
TASKS: dict[str, dict[str, int]] = {
    "mr": {"all": 10662},
    "cr": {"all": 3775},
    "subj": {"all": 10000},
    "mpqa": {"all": 10606},
    "sst2": {"train": 67349, "validation": 872, "test": 1821},
    "trec": {"train": 5452, "test": 500},
    "mrpc": {"train": 4076, "test": 1725},
    "wos": {"all": 46985},
}
LABELS = ("label_coarse", "coarse_label", "label")  # TREC's six classes are its coarse labels
TEXTS = ("text", "sentence", "sentence1")


@dataclass(frozen=True)
class Labelled:
    """Texts with their classes; ``others`` holds the second sentences if the task has pairs."""

    texts: list[str]
    labels: list[str]
    others: list[str] | None = None


@dataclass(frozen=True)
class TransferTask:
    """A task and its splits: ``all``; ``train`` and ``test``; or ``train``, ``validation`` and ``test``."""

    name: str
    splits: dict[str, Labelled]


@checked()
def transfer_task(task: str, source: str | os.PathLike[str]) -> TransferTask:
    """Read a transfer task, with SentEval's splits, from a folder.

    WOS is split 8:1:1 within each class, always in the same way. (MoCoUTRL's script does not shuffle, and its parts
    share boundary rows: M16.) A UserWarning reports missing or additional rows.

    Args:
        task: ``mr``, ``cr``, ``subj``, ``mpqa``, ``sst2``, ``trec``, ``mrpc`` or ``wos``.
        source: folder of ``<task>/<split>.jsonl`` with the columns ``text`` and ``label`` (``mrpc``: ``sentence1``,
            ``sentence2`` and ``label``). The split is ``all`` for ``mr``, ``cr``, ``subj``, ``mpqa`` and ``wos``.
    """
    _validation.choice("task", task, tuple(TASKS))
    folder = _validation.path("source", source) / task
    splits = {}
    for split, count in TASKS[task].items():
        path = folder / f"{split}.jsonl"
        if not path.exists() and not path.is_symlink():
            raise FileNotFoundError(f"there is no file {path}; {task} has the splits {', '.join(TASKS[task])}")
        splits[split] = _read(path)
        if len(splits[split].labels) != count:
            warnings.warn(
                f"{path}: {len(splits[split].labels)} rows, but {task} ({split}) has {count}. "
                "Do not compare the result with published ones",
                stacklevel=3,
            )
    return TransferTask(task, _cut(splits["all"]) if task == "wos" else splits)


def _read(path: Path) -> Labelled:
    found: list[tuple[str, str, str]] = []
    pairs = False
    for number, row in tables.rows(path):
        where = f"{path}, row {number}"
        label = next((name for name in LABELS if name in row), "label")
        text = next((name for name in TEXTS if name in row), TEXTS[0])
        pairs = text == "sentence1"
        missing = {text, label, *["sentence2"] * pairs} - row.keys()
        if missing:
            raise ValueError(f"{where} lacks {', '.join(sorted(missing))}; its columns are {', '.join(row)}")
        value = row[label]
        if not (isinstance(value, str) or is_integer(value)) or value in (-1, ""):
            raise ValueError(f"{where}: the label is {shown(value)}; give a class, as a string or an integer from 0")
        other = tables.filled(row["sentence2"], "sentence2", where) if pairs else ""
        found.append((tables.filled(row[text], text, where), tables.label_of(value, where), other))
    texts, labels, others = (list(column) for column in zip(*found, strict=True)) if found else ([], [], [])
    return Labelled(texts, labels, others if pairs else None)


def _cut(rows: Labelled) -> dict[str, Labelled]:
    """Split 8:1:1 into train, validation and test within every class; rows keep their order."""
    import numpy as np

    random, labels = np.random.default_rng(0), np.array(rows.labels)
    chosen: dict[str, list[int]] = {"train": [], "validation": [], "test": []}
    for label in sorted(set(rows.labels)):
        shuffled = random.permutation(np.flatnonzero(labels == label)).tolist()
        count = round(0.1 * len(shuffled))
        chosen["validation"] += shuffled[:count]
        chosen["test"] += shuffled[count : 2 * count]
        chosen["train"] += shuffled[2 * count :]
    return {
        split: Labelled([rows.texts[i] for i in sorted(places)], [rows.labels[i] for i in sorted(places)])
        for split, places in chosen.items()
    }
