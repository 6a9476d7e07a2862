"""Semantic textual similarity: rank correlation of cosines with human ratings."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .. import _validation
from .._validation import is_number, shown
from ..arithmetic import normalize
from ..wording import plural
from .inputs import (
    CollapsedEncoderError,
    Encodes,
    cause_of_equal_vectors,
    check_encoder,
    check_tasks,
    encode_checked,
    precise,
)

Floats = npt.NDArray[np.float64]
Aggregation = Literal["all", "mean", "wmean"]
# SemEval's tasks of 2012 to 2016 have subsets, which the hub's copies lack.
YEARLY = "sts1"
# Smaller differences are rounding, such as 1e-14 for two float32 copies of a vector.
SMALLEST_SPREAD = 1e-9


def sts(
    enc: Encodes, tasks: Mapping[str, Any], aggregation: Aggregation = "all"
) -> dict[str, float]:
    """Return Spearman's correlation × 100 of cosines and gold scores by task, and their mean.

    The mean over the tasks is ``"avg"``.

    Args:
        enc: an encoder, or any object with a method ``encode(list of str) -> (N, D)``.
        tasks: pairs of sentences by name, from :func:`clwork.data.sts_pairs`. Pairs without a gold
            score (None or NaN) are left out.
        aggregation: ``"all"`` (SimCSE, appendix B, and most later papers) ranks all pairs of a task
            together; ``"mean"`` and ``"wmean"`` average the correlations of the task's subsets,
            unweighted or by size. Report which one you use.

    Range [-100, 100].

    Warns:
        UserWarning: ``"mean"`` or ``"wmean"`` for a yearly task without subsets; or a task that
            cannot be scored, next to others that can: its score and ``"avg"`` are NaN.

    Raises:
        CollapsedEncoderError: all sentences have the same vector. It is a ValueError.
        ValueError: columns of different length; or in every task fewer than two different gold
            scores or cosines.

    >>> import clwork
    >>> pairs = clwork.data.StsPairs("two", ["a cat", "a cat"], ["a cat", "rain"], [5.0, 0.0])
    >>> sts(clwork.load_encoder("mini"), {"two": pairs})
    {'two': ..., 'avg': ...}
    """
    check_encoder(enc)
    check_tasks(tasks)
    _validation.choice("aggregation", aggregation, ("all", "mean", "wmean"))
    rated = {name: _rated(name, pairs) for name, pairs in tasks.items()}
    without_subsets = [
        name for name in rated if name.startswith(YEARLY) and tasks[name].subsets is None
    ]
    if aggregation != "all" and without_subsets:
        warnings.warn(
            f"{', '.join(without_subsets)} came without subsets, so {aggregation!r} equals 'all'; "
            "read the task from a folder of <subset>.jsonl files",
            stacklevel=2,
        )

    cosines, cause = _cosines(enc, rated)
    scores: dict[str, float] = {}
    failures: list[ValueError] = []
    for name, pairs in rated.items():
        try:
            scores[name] = _score(name, pairs, cosines[name], aggregation, cause)
        except ValueError as error:
            scores[name] = math.nan
            failures.append(error)

    # Without any score the reader needs the reason, and with some a warning is enough.
    if len(failures) == len(scores):
        raise failures[0]
    for failure in failures:
        warnings.warn(f"a task has no score: {failure}", stacklevel=2)
    return {**scores, "avg": float(np.mean(list(scores.values())))}


@dataclass(frozen=True)
class RatedPairs:
    """The P pairs of a task that have a gold score; all fields have length P."""

    first: list[str]
    second: list[str]
    gold: Floats
    # The names of the pairs' subsets; "" for a task without subsets.
    subsets: npt.NDArray[Any]


def _rated(name: str, pairs: Any) -> RatedPairs:
    """Check the pairs of the task ``name``, and leave out those without a gold score."""
    columns = ("sentences1", "sentences2", "scores", "subsets")
    absent = [column for column in columns if not hasattr(pairs, column)]
    if absent:
        raise TypeError(
            f"{name} is {shown(pairs, 40)}, without {', '.join(absent)}; use clwork.data.sts_pairs"
        )
    first = _validation.strings(f"{name}: sentences1", pairs.sentences1)
    second = _validation.strings(f"{name}: sentences2", pairs.sentences2)
    subsets = [""] * len(pairs.scores) if pairs.subsets is None else list(pairs.subsets)
    lengths = (len(first), len(second), len(pairs.scores), len(subsets))
    if len(set(lengths)) > 1:
        raise ValueError(
            f"{name}: sentences1, sentences2, scores and subsets have {lengths} rows; "
            "the numbers must be equal"
        )
    rows = _scored_rows(name, pairs.scores)
    return RatedPairs(
        first=[first[row] for row in rows],
        second=[second[row] for row in rows],
        gold=np.array([pairs.scores[row] for row in rows], dtype=np.float64),
        subsets=np.array([subsets[row] for row in rows], dtype=object),
    )


def _scored_rows(name: str, scores: Sequence[Any]) -> list[int]:
    """Return the rows that have a gold score, not None or NaN; raise for other values."""
    rows = []
    for row, score in enumerate(scores):
        # Only NaN does not equal itself.
        if score is None or score != score:
            continue
        if not is_number(score) or not math.isfinite(score):
            raise ValueError(
                f"{name}, row {row}: the gold score {shown(score)} is not a finite number; "
                "leave the pair out"
            )
        rows.append(row)
    return rows


def _cosines(enc: Encodes, tasks: Mapping[str, RatedPairs]) -> tuple[dict[str, Floats], str]:
    """Return the cosines of each task's pairs; and a sentence on the cause if all are equal, or "".

    Each different sentence is encoded once. The cosine with a zero vector is 0.
    """
    # The keys of a dict are all different sentences, in order.
    texts = list(
        dict.fromkeys(text for task in tasks.values() for text in task.first + task.second)
    )
    if not texts:
        return {name: np.zeros(0) for name in tasks}, ""
    points = normalize(precise(encode_checked(enc, texts)))  # (N, D)
    row_of = {text: row for row, text in enumerate(texts)}
    cosines = {}
    for name, task in tasks.items():
        # The vectors of the task's P pairs.
        first = points[[row_of[text] for text in task.first]]  # (P, D)
        second = points[[row_of[text] for text in task.second]]  # (P, D)
        cosines[name] = (first * second).sum(dim=1).cpu().numpy()  # (P,)
    # All vectors are equal if all have the same cosine with the first one.
    spread = np.ptp((points @ points[0]).cpu().numpy())
    has_collapsed = len(texts) > 1 and spread < SMALLEST_SPREAD
    return cosines, cause_of_equal_vectors(enc, texts) if has_collapsed else ""


def _score(
    name: str, pairs: RatedPairs, cosines: Floats, aggregation: Aggregation, cause: str
) -> float:
    """Return the correlation of a task, or the average of the correlations of its subsets.

    ``cause`` is why all vectors are equal, or "".
    """
    if aggregation == "all":
        return _spearman(name, cosines, pairs.gold, cause)
    correlations = []
    sizes = []
    for subset in dict.fromkeys(pairs.subsets.tolist()):
        rows = np.flatnonzero(pairs.subsets == subset)
        correlations.append(_spearman(f"{name}/{subset}", cosines[rows], pairs.gold[rows], cause))
        sizes.append(len(rows))
    return float(np.average(correlations, weights=sizes if aggregation == "wmean" else None))


def _spearman(name: str, cosines: Floats, gold: Floats, cause: str) -> float:
    """Return Spearman's correlation × 100, with average ranks for ties; raise if undefined.

    ``cause`` is why all vectors are equal, or "".
    """
    from scipy.stats import spearmanr

    # A rank correlation needs two ranks on both sides; say which side lacks them, and why.
    if len(gold) < 2:
        raise ValueError(
            f"{name}: {plural(len(gold), 'pair has', 'pairs have')} a gold score; at least 2 must"
        )
    if np.ptp(gold) == 0:
        raise ValueError(
            f"{name}: all {len(gold)} gold scores are {gold[0]:g}; equal scores cannot be ranked"
        )
    if np.ptp(cosines) < SMALLEST_SPREAD:
        problem = f"{name}: all {len(cosines)} pairs have the cosine {cosines[0]:.6f}"
        if cause:
            raise CollapsedEncoderError(f"{problem}: {cause}")
        raise ValueError(
            f"{problem}, but the sentences' vectors differ; "
            "give pairs that are not equal or repeated"
        )
    return 100 * float(spearmanr(cosines, gold).statistic)
