"""Scores of a run on STS or on silver pairs; only STS scores select the best encoder."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

from .. import data, metrics
from ..data.sts import SPLIT_TASKS, task_files, task_folders
from ..encoders import Encoder
from ..metrics.inputs import CollapsedEncoderError
from ..run_folder.config import fingerprint

# Scored of all 2,000 pairs; the scores of 24 encoders differed from those on all by at most 0.6.
SILVER_PAIRS = 500
LAST_STEP = "last step: there is no STS data to choose by"
# Scores of this process's encoders before training, by fingerprint of the encoder, device, and
# fingerprint of the pairs.
UNTRAINED: dict[tuple[str, str, str], dict[str, float]] = {}
COMPUTES = Lock()


@dataclass(frozen=True)
class Validation:
    """The tasks to score, and the rule that selects the best encoder.

    Attributes:
        tasks: pairs of sentences with scores, by name.
        score_name: the task whose highest score selects, or ``"step"`` for the last step.
        rule: the selection rule as text.
    """

    tasks: dict[str, data.StsPairs]
    score_name: str
    rule: str

    def measure(self, encoder: Encoder) -> dict[str, float]:
        """Return Spearman × 100 of each task; a task without a rank correlation is left out.

        The result is empty if the encoder has collapsed, or if all cosines or ratings are equal.
        """
        try:
            scores = metrics.sts(encoder, self.tasks)
        except CollapsedEncoderError:
            return {}
        except ValueError as error:
            # Equal scores have no rank correlation.
            warnings.warn(str(error), stacklevel=2)
            return {}
        # Without the average, which is no column.
        return {name: scores[name] for name in self.tasks if not math.isnan(scores[name])}

    def measure_untrained(self, encoder: Encoder) -> dict[str, float]:
        """Return :meth:`measure` of an encoder before training.

        It is computed once for runs that share encoder and pairs.
        """
        pairs = [
            (name, task.sentences1, task.sentences2, task.scores)
            for name, task in self.tasks.items()
        ]
        if not encoder.uses_head:
            # An unused head would only hide that the scores are known already.
            encoder = encoder.without_head(encoder.pooling)
        # Equal keys give equal scores.
        key = encoder.fingerprint(), str(encoder.device), fingerprint(pairs)
        # A panel computes them before *Start*; a run that begins meanwhile waits for them.
        with COMPUTES:
            if key not in UNTRAINED:
                UNTRAINED[key] = self.measure(encoder)
        return dict(UNTRAINED[key])


def make_validation(sts: dict[str, data.StsPairs]) -> Validation:
    """Score the tasks of ``sts``, the first of which selects; without any, the silver pairs."""
    if sts:
        first = next(iter(sts))
        rule = f"highest {first} validation Spearman ('all'); it uses human labels"
        return Validation(sts, first, rule)
    return Validation({"silver": _silver_pairs(SILVER_PAIRS)}, "step", LAST_STEP)


@cache
def _silver_pairs(count: int) -> data.StsPairs:
    """Return the first silver pairs; the pairs are shuffled, so each part covers all cosines."""
    pairs = data.silver_pairs()
    return data.StsPairs(
        pairs.name,
        pairs.sentences1[:count],
        pairs.sentences2[:count],
        pairs.scores[:count],
        split="",
    )


def read_sts(source: str | Path | None) -> dict[str, data.StsPairs]:
    """Read the validation pairs of each task; empty if there is no STS data.

    ``source`` is ``"hub"``, a folder, or None for the folder given to ``data.remember_sts``. A task
    without validation pairs is left out; if none is left of a folder that the caller has named,
    FileNotFoundError is raised.
    """
    folder = data.sts_folder() if source is None else source
    if folder is None:
        return {}
    if str(folder) == "hub":
        # The hub's SICK has no validation split.
        return {"stsb": data.sts_pairs("stsb", split="validation", source="hub")}
    tasks = {}
    by_task = task_folders(Path(folder))
    for task in SPLIT_TASKS:
        if task in by_task and "validation" in task_files(by_task[task]):
            parent = by_task[task].parent
            tasks[task] = data.sts_pairs(task, split="validation", source=parent)
    if not tasks and source is not None:
        names = " or ".join(SPLIT_TASKS)
        raise FileNotFoundError(
            f"{folder} has no {names}/validation.jsonl; see clwork.data.sts_pairs"
        )
    return tasks
