"""Evaluate a run or an encoder on the labelled tasks of a folder: STS, transfer and Web of Science."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _validation, metrics
from .._validation import AtLeastTwo, checked
from ..data import sts_folder, sts_pairs, transfer_task
from ..data.sts import ROWS, SPLIT_TASKS, StsPairs, task_files, task_folders, task_of
from ..data.transfer import TASKS, TransferTask
from ..encoders import load_encoder
from ..metrics.inputs import Encodes
from ..run_folder.files import RUN
from .run import Run
from .stored import RunSource, as_run

if TYPE_CHECKING:
    import pandas as pd

TRANSFER = "transfer"  # subfolder that may hold the transfer tasks


@checked()
def evaluate(
    run_or_encoder: RunSource | Encodes,
    folder: str | Path | None = None,
    *,
    tasks: Sequence[str] | None = None,
    folds: AtLeastTwo = 10,
    progress: bool = True,
) -> pd.DataFrame:
    """Score a run's encoder, or any encoder, on the labelled tasks of a folder: STS, transfer and Web of Science.

    :func:`clwork.metrics.sts` scores STS-B, SICK-R (validation and test) and STS12 to STS16 (all subsets together),
    :func:`clwork.metrics.transfer` the seven transfer tasks and WOS. An interrupt returns the scores so far.

    Args:
        run_or_encoder: a run or its folder; an encoder, or an argument of :func:`clwork.load_encoder`; or any object
            whose ``encode`` returns vectors ``(N, D)`` of texts.
        folder: folder with ``<task>/<split or subset>.jsonl``, see :func:`clwork.data.sts_pairs` and
            :func:`clwork.data.transfer_task`; transfer tasks may also be in its subfolder ``transfer``. None for the
            folder given to :func:`clwork.data.remember_sts`.
        tasks: names of tasks in the folder, such as ``["stsb", "mr"]``; default: all.
        folds: number of cross-validation folds of the classifiers; with SentEval's 10, MR takes minutes.
        progress: whether to show a progress bar.

    Returns:
        One row per task and split: ``measure`` (Spearman or accuracy), ``score`` × 100, and for classifiers ``f1``,
        ``precision``, ``recall`` and ``majority`` × 100. If all seven STS test sets are scored, the last row,
        ``("STS average", "test")``, is their mean, as papers report it.

    Warns:
        UserWarning: a task's data are incomplete, or a task has no score (NaN) since its data or vectors allow none.

    Raises:
        TypeError: ``run_or_encoder`` is neither a run nor an encoder, or another argument has a wrong type.
        ValueError: an unknown task, no task in the folder, a damaged file, or a collapsed encoder.
        FileNotFoundError: the folder does not exist, or no folder is remembered.

    >>> clwork.evaluate("mini", "data", tasks=["stsb"]).loc[("stsb", "validation"), "score"]  # doctest: +SKIP
    65.97
    """
    import pandas as pd
    from tqdm.auto import tqdm

    encoder = _encoder_of(run_or_encoder)
    root = sts_folder() if folder is None else Path(folder)
    if root is None:
        raise FileNotFoundError(
            "folder=None, but no folder of tasks is remembered; give a folder, or call clwork.data.remember_sts(FOLDER)"
        )
    parts = _read(root, tasks)  # read all files before scoring, so that a damaged file is found at once
    rows: list[dict[str, Any]] = []
    try:
        for task, split, part in tqdm(parts, desc="evaluate", unit="task", disable=not progress):
            try:
                if sts := isinstance(part, StsPairs):
                    found = metrics.sts(encoder, {task: part})
                else:
                    found = metrics.transfer(encoder, {task: part}, folds=folds, details=True)
            except ValueError as error:
                if len(parts) == 1 or isinstance(error, metrics.CollapsedEncoderError):
                    raise
                warnings.warn(f"a task has no score: {error}", stacklevel=3)
                found = {task: math.nan}
            names = [name for name in ("f1", "precision", "recall", "majority") if f"{task}/{name}" in found]
            row = {"measure": "Spearman" if sts else "accuracy", "score": found[task]}
            rows.append({"task": task, "split": split, **row, **{name: found[f"{task}/{name}"] for name in names}})
    except KeyboardInterrupt:
        if not rows:
            raise
    tests = [row["score"] for row in rows if row["task"] in ROWS and row["split"] == "test"]
    if len(tests) == len(ROWS):
        average = sum(tests) / len(tests)
        rows.append({"task": "STS average", "split": "test", "measure": "Spearman", "score": average})
    return pd.DataFrame(rows).set_index(["task", "split"])


def _encoder_of(source: Any) -> Any:
    if isinstance(source, str | Path) and not (_validation.path("run_or_encoder", source) / RUN).exists():
        return load_encoder(source)
    if not isinstance(source, str | Path | Run) and callable(getattr(source, "encode", None)):
        return source
    return as_run("run_or_encoder", source).encoder


def _read(root: Path, wanted: Sequence[str] | None) -> list[tuple[str, str, StsPairs | TransferTask]]:
    if not root.is_dir():
        raise FileNotFoundError(f"folder={str(root)!r} is not a folder; give one that holds <task>/<split>.jsonl")
    places = task_folders(root)
    for folder in (root, root / TRANSFER):
        places |= {task: folder / task for task in TASKS if any((folder / task).glob("*.jsonl"))}
    if not places:
        inside = ", ".join(sorted(path.name for path in root.iterdir())[:8]) or "nothing"
        raise ValueError(f"folder={str(root)!r} holds no task (found: {inside}); give one with <task>/<split>.jsonl")
    names = list(places) if wanted is None else list(map(task_of, wanted))
    parts: list[tuple[str, str, StsPairs | TransferTask]] = []
    for task in dict.fromkeys(names):
        place = places[_validation.choice("tasks", task, tuple(places))]
        if task in TASKS:
            parts.append((task, "test", transfer_task(task, place.parent)))
        else:
            splits = task_files(place).keys() & {"validation", "test"} if task in SPLIT_TASKS else {"test"}
            parts += [(task, split, sts_pairs(task, split, place.parent)) for split in sorted(splits, reverse=True)]
    return parts
