"""What the course of a run says: its losses, the looks of its history, and its recording's neighbours; no torch."""

from __future__ import annotations

import base64
import statistics
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

LAST = 10  # steps over which a loss is averaged
FEWEST_SCORES = 5  # of a run, for the share of it at which the score was best
SCORES = ("stsb", "silver", "same_article_auc")  # columns of a history, the most trusted first
AVERAGED = {"false_negatives": "mask_f1", "mask_f1_by_chance": "mask_f1_by_chance"}
"""Measures of single batches, and their column: the mean of all looks says more than the last batch."""

Record = Mapping[str, Any]


def at(record: Record, metric: str, steps: Sequence[int]) -> float | None:
    """A column of the history at a step, or its change from one step to another; None where there was no look."""
    known, first = column_of(record, metric), record.get("first", {})
    if metric in first:
        known.setdefault(1, float(first[metric]))
    values = [known[step] for step in steps if step in known]
    if len(values) < len(steps):
        return None
    return values[-1] - values[0] if len(values) > 1 else values[0]


def along(record: Record, metric: str) -> float | None:
    """A measure of the whole course; else the last value of a column of the history."""
    losses = record.get("losses") or []
    if metric == "loss" and losses:
        return statistics.fmean(losses[-LAST:])
    if metric == "unsteadiness" and len(losses) > 2 * LAST:
        half = range(len(losses) // 2, len(losses))
        return float(statistics.pstdev(losses[i] - statistics.fmean(losses[i - LAST + 1 : i + 1]) for i in half))
    if metric == "neighbours_kept":
        share: float | None = record.get(metric)
        return share
    if metric == "best_step":
        return _best_step(record)
    column = column_of(record, AVERAGED.get(metric, metric))
    if not column:
        return None
    return statistics.fmean(column.values()) if metric in AVERAGED else float(list(column.values())[-1])


def column_of(record: Record, name: str) -> dict[int, float]:
    """The values of a column of the history, by step; empty where it has none."""
    history = record.get("history", {})
    pairs = zip(history.get("step", ()), history.get(name, ()), strict=False)
    return {int(step): float(value) for step, value in pairs if value is not None}


def _best_step(record: Record) -> float | None:
    """Share of the run at which its score was best, the first of equal ones; None with too few scores along it."""
    for name in SCORES:
        scores = column_of(record, name)
        if len(scores) >= FEWEST_SCORES:
            return max(scores, key=lambda step: (scores[step], -step)) / max(scores)
    return None


def at_equal_uniformity(one: Record, other: Record, score: str) -> tuple[float, float] | None:
    """A score of two runs, each at the moment when it was as uniform as the one that ends less uniform is at its end.

    Between looks with a score both are taken to change along a line. None with too few scores along a run, or where the
    more uniform one never was at that level.
    """
    paths = [_path(record, score) for record in (one, other)]
    if min(map(len, paths)) < FEWEST_SCORES:
        return None
    level = max(path[-1][0] for path in paths)
    first, second = (_score_at(path, level) for path in paths)
    return None if first is None or second is None else (first, second)


def _path(record: Record, score: str) -> list[tuple[float, float]]:
    """Uniformity and score at each look that has both."""
    uniformity, scores = column_of(record, "uniformity"), column_of(record, score)
    return [(uniformity[step], scores[step]) for step in sorted(scores) if step in uniformity]


def _score_at(path: Sequence[tuple[float, float]], level: float) -> float | None:
    """The score where the path first comes to ``level``; at its end if it ends there."""
    if path[-1][0] == level:
        return path[-1][1]
    for (before, low), (after, high) in pairwise(path):
        if min(before, after) <= level <= max(before, after) and before != after:
            return low + (high - low) * (level - before) / (after - before)
    return None


def smoothed(losses: Sequence[float]) -> list[float]:
    """Means of LAST losses in a row; the first one belongs to step LAST."""
    return [statistics.fmean(losses[i : i + LAST]) for i in range(len(losses) - LAST + 1)]


def steps_to_loss(one: Record, other: Record) -> tuple[float, float] | None:
    """Steps of each of two runs until its smoothed loss is as low as the one that ends higher has it at its end.

    No level has to be chosen, and both runs reach it.
    """
    both = [smoothed(record.get("losses") or []) for record in (one, other)]
    if not all(both):
        return None
    level = max(losses[-1] for losses in both)
    first, second = (LAST + next(i for i, loss in enumerate(losses) if loss <= level) for losses in both)
    return float(first), float(second)


def seen(recording: Record) -> dict[str, Any]:
    """What the recording of a run adds to its record: the row of the first step, and neighbours kept to the end."""
    first: Record = next((row for row in recording.get("rows", ()) if row["step"] == 1), {})
    found: dict[str, Any] = {"first": {name: value for name, value in first.items() if isinstance(value, float)}}
    looks, count = recording.get("looks", ()), len(recording.get("texts", ()))
    if len(looks) > 1 and count:
        near = [np.frombuffer(base64.b64decode(looks[i]["near"]), dtype="<u2").reshape(count, -1) for i in (0, -1)]
        shared = [np.isin(after, before).sum() for before, after in zip(*near, strict=True)]
        found["neighbours_kept"] = float(f"{np.mean(shared):.5g}")
    return found
