"""Semantic textual similarity: rank correlation of cosines with human ratings (SimCSE, appendix B)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .._validation import checked, is_finite, is_number, shown, strings
from ..arithmetic import normalize
from ..wording import plural
from .inputs import (
    CollapsedEncoderError,
    Encodes,
    cause_of_equal_vectors,
    check_encoder,
    check_tasks,
    encoded,
    precise,
)

Floats = npt.NDArray[np.float64]
Aggregation = Literal["all", "mean", "wmean"]
YEARLY = "sts1"  # SemEval's tasks of 2012 to 2016 have subsets; the hub's copies lack them
SMALLEST_SPREAD = (
    1e-9  # smaller differences are rounding, such as 1e-14 for two float32 copies of a vector
)


@checked()
def sts(
    enc: Encodes, tasks: Mapping[str, Any], aggregation: Aggregation = "all"
) -> dict[str, float]:
    """Return the Spearman correlation × 100 of cosines and gold scores by task, and the mean as ``"avg"``.

    ``"all"`` (SimCSE and most later papers) ranks all pairs of a task together; ``"mean"`` and ``"wmean"`` average the
    correlations of the task's subsets, unweighted or by size. Report which one you use. Rows without a gold score
    (None or NaN) are dropped. Range [-100, 100].

    Warns:
        UserWarning: ``"mean"`` or ``"wmean"`` for a yearly task without subsets; or a task that cannot be scored, next
            to others that can: its score and ``"avg"`` are NaN.

    Raises:
        CollapsedEncoderError: all sentences have the same vector. It is a ValueError.
        ValueError: columns of different length; or in every task fewer than two different gold scores or cosines.
    """
    check_encoder(enc)
    check_tasks(tasks, "{'stsb': pairs}")
    rows = {name: _scored(name, pairs) for name, pairs in tasks.items()}
    unnamed = [name for name in rows if name.startswith(YEARLY) and tasks[name].subsets is None]
    if aggregation != "all" and unnamed:
        warnings.warn(
            f"{', '.join(unnamed)} came without subsets, so {aggregation!r} equals 'all'; read the task from a "
            "folder of <subset>.jsonl files",
            stacklevel=2,
        )
    cosines, collapsed = _cosines(enc, rows)
    correlations: dict[str, float] = {}
    failed: list[ValueError] = []

    def ranked(name: str, cosines: Floats, gold: Floats) -> float:
        try:
            return _spearman(name, cosines, gold, collapsed)
        except ValueError as error:
            failed.append(error)
            return math.nan

    for name, (_, _, gold, subsets) in rows.items():
        if aggregation == "all":
            correlations[name] = ranked(name, cosines[name], gold)
        else:
            places = {
                part: np.flatnonzero(subsets == part) for part in dict.fromkeys(subsets.tolist())
            }
            each = [
                ranked(f"{name}/{part}", cosines[name][at], gold[at]) for part, at in places.items()
            ]
            weights = [len(at) if aggregation == "wmean" else 1 for at in places.values()]
            correlations[name] = float(np.average(each, weights=weights))
    if all(map(math.isnan, correlations.values())):
        raise failed[0]
    for fault in failed:
        warnings.warn(f"a task has no score: {fault}", stacklevel=2)
    correlations["avg"] = float(np.mean(list(correlations.values())))
    return correlations


Scored = tuple[list[str], list[str], Floats, npt.NDArray[Any]]


def _scored(name: str, pairs: Any) -> Scored:
    """Return the rows with a gold score: both sentences, scores, and subsets ('' for none)."""
    absent = [
        column
        for column in ("sentences1", "sentences2", "scores", "subsets")
        if not hasattr(pairs, column)
    ]
    if absent:
        raise TypeError(
            f"{name} is {shown(pairs, 40)}, without {', '.join(absent)}; use clwork.data.sts_pairs"
        )
    subsets = [""] * len(pairs.scores) if pairs.subsets is None else list(pairs.subsets)
    lengths = len(pairs.sentences1), len(pairs.sentences2), len(pairs.scores), len(subsets)
    if len(set(lengths)) > 1:
        raise ValueError(
            f"{name}: sentences1, sentences2, scores and subsets have {lengths} rows; the numbers must be equal"
        )
    first, second = (
        strings(f"{name}: {side}", getattr(pairs, side)) for side in ("sentences1", "sentences2")
    )
    scores = [_score(score, f"{name}, row {row}") for row, score in enumerate(pairs.scores)]
    rows = [i for i, score in enumerate(scores) if score is not None]
    gold = np.array([scores[i] for i in rows], dtype=np.float64)
    return (
        [first[i] for i in rows],
        [second[i] for i in rows],
        gold,
        np.array([subsets[i] for i in rows], dtype=object),
    )


def _score(score: object, where: str) -> float | None:
    if score is None or (is_number(score) and score != score):
        return None
    if not is_number(score) or not is_finite(score):
        raise ValueError(
            f"{where}: the gold score {shown(score)} is not a finite number; leave the pair out"
        )
    return float(score)  # type: ignore[arg-type]


def _cosines(enc: Encodes, rows: Mapping[str, Scored]) -> tuple[dict[str, Floats], str]:
    """Return the cosine of each pair by task (0 for a zero vector), and why all vectors are equal, if they are."""
    texts = list(
        dict.fromkeys(text for first, second, *_ in rows.values() for text in (*first, *second))
    )
    if not texts:
        return {name: np.zeros(0) for name in rows}, ""
    points = normalize(precise(encoded(enc, texts)))  # (N, D)
    collapsed = len(texts) > 1 and np.ptp((points @ points[0]).cpu().numpy()) < SMALLEST_SPREAD
    place = {text: i for i, text in enumerate(texts)}
    cosines = {
        name: (points[[place[t] for t in first]] * points[[place[t] for t in second]])
        .sum(dim=1)
        .cpu()
        .numpy()  # (P,)
        for name, (first, second, *_) in rows.items()
    }
    return cosines, cause_of_equal_vectors(enc, texts) if collapsed else ""


def _spearman(name: str, cosines: Floats, gold: Floats, collapsed: str) -> float:
    """Return Spearman's correlation × 100, with average ranks for ties; raise an error if it is undefined."""
    from scipy.stats import spearmanr

    if len(gold) < 2:
        raise ValueError(
            f"{name}: {plural(len(gold), 'pair has', 'pairs have')} a gold score; at least 2 must"
        )
    if np.ptp(gold) == 0:
        raise ValueError(
            f"{name}: all {len(gold)} gold scores are {gold[0]:g}; equal scores cannot be ranked"
        )
    if np.ptp(cosines) < SMALLEST_SPREAD:
        cause = f"{name}: all {len(cosines)} pairs have the cosine {cosines[0]:.6f}"
        if not collapsed:
            raise ValueError(
                f"{cause}, but the sentences' vectors differ; give pairs that are not equal or repeated"
            )
        raise CollapsedEncoderError(f"{cause}: {collapsed}")
    return 100 * float(spearmanr(cosines, gold).statistic)
