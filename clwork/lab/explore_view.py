"""The explorer: stored runs of a claim, chosen by their settings, without training or kernel.

The page, js/src/explore, has a menu for each hyperparameter in which the variants of the claim
differ. The values of all menus together choose a variant, whose scores and curves are drawn.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._validation import is_number
from ..claims.reference import Reference, reference
from ..columns import of
from ..reference_runs import ReferenceCloud
from ..run_folder.positions import packed
from ..views.history import CONFIDENCE, band_of, downsample
from ..wording import plural
from .page.standalone import iframe, page

# Data that the JavaScript of the page receives, as JSON.
State = dict[str, Any]
COLUMNS = ("loss", "uniformity", "alignment")
"""Columns of a run's history that are drawn as curves."""
# Heights of the page's parts in pixels: the head, a row of the list of settings, a row of menus,
# the curves, and the sentences.
HEAD = 130
ROW = 30
SELECTORS = 44
CHARTS = 222
SENTENCES = 380
MOST_SELECTORS = 4
"""Menus for hyperparameters; the list of settings has all."""
ABSENT = "—"
"""Shown if a variant lacks a hyperparameter."""


def explore(name: str | Reference) -> Explorer:
    """Show the stored runs of a claim with all settings of its grid; nothing is trained.

    Args:
        name: the name of a claim, such as ``"simcse/temperature"``, or the result of
            :func:`clwork.reference`, also for a folder of your own runs.

    Raises:
        FileNotFoundError: no run is stored; :func:`clwork.claims.test` makes them.

    >>> explore("simcse/temperature")
    Explorer('simcse/temperature', 5 settings)
    """
    return Explorer(name if isinstance(name, Reference) else reference(name))


class Explorer:
    """Returned by :func:`explore`.

    Attributes:
        reference: the stored runs.
    """

    def __init__(self, stored: Reference) -> None:
        self.reference = stored
        self._state = state_of(stored)

    def page(self) -> str:
        """Return the explorer as a separate HTML document, which makes no requests."""
        return page("explore", self._state, self._state["name"])

    def _repr_html_(self) -> str:
        state = self._state
        variants = state["variants"]
        # There are two menus in each row.
        rows_of_menus = math.ceil(len(state["knobs"]) / 2)
        height = HEAD + ROW * len(variants) + SELECTORS * rows_of_menus
        if any(variant["trained"] for variant in variants):
            height += CHARTS
        if any(variant["cloud"] for variant in variants):
            height += SENTENCES
        shown = variants[state["start"]]["summary"]
        return iframe(self.page(), height, f"stored runs of {state['name']}: {shown}")

    def __repr__(self) -> str:
        state = self._state
        return f"Explorer({state['name']!r}, {len(state['variants'])} settings)"


def state_of(stored: Reference) -> State:
    """Return the data that js/src/explore draws, as JSON.

    ``variants`` have their scores and curves, ``start`` is the index of the one that is shown
    first, ``knobs`` are the menus with their values, ``ordered`` the menus whose values are
    numbers, and ``texts`` the lists of sentences of the variants.
    """
    answer = stored.answer()
    claim = stored.claim
    metric = claim.metric

    seeds = plural(max(map(len, stored.names.values())), "seed")
    verdict = f"{answer.finding}; up to {seeds} for each setting."
    if stored.absent:
        verdict += f" Not run yet: {'; '.join(stored.absent)}."
    better = f", {metric.better} is better" if metric.better else ""
    score = f"{metric.name} at the end{better}"

    menus = menus_of(stored.settings)
    # _variant appends the sentences of its variant, unless an earlier variant has the same ones.
    groups: list[State] = []
    variants = [_variant(stored, variant, menus, groups) for variant in stored.variants]
    # A variant without training has no curves, so the explorer starts with a trained one.
    trained = (index for index, variant in enumerate(variants) if variant["trained"])
    return {
        "name": claim.name,
        "claim": claim.claim,
        "verdict": verdict,
        "columns": [{"name": name, "title": _title(name)} for name in COLUMNS],
        "score": f"{score}; a dot for each seed, a bar for the 95% interval of their mean",
        "band": f"band: contains {CONFIDENCE:.0%} of new seeds",
        "variants": variants,
        "start": next(trained, 0),
        "knobs": [
            {"name": name, "values": [_text(value) for value in values]}
            for name, values in menus.items()
        ],
        "ordered": [name for name, values in menus.items() if all(map(is_number, values))],
        "texts": groups,
    }


def _title(name: str) -> str:
    """Return the title of a column of the history, with its better direction if it has one."""
    column = of(name)
    return f"{column.label} ({column.better} is better)" if column.better else column.label


def _text(value: Any) -> str:
    """Return a value of a menu as text."""
    return f"{value:g}" if is_number(value) else str(value)


def summary(stored: Reference, variant: str) -> str:
    """Return a variant's scores as text, with the number of its seeds and steps.

    Such as "SimCSE: stsb 67.59, from 67 to 67.93, 95% interval 67.12 to 68.06; 5 seeds, 150 steps."
    Without scores it is "SimCSE: 5 seeds, 150 steps."; with one score it has no interval.
    """
    runs = stored.runs(variant)
    scores = stored.scores(variant)
    steps = plural(runs[0].steps, "step") if runs[0].steps else "untrained"
    seeds_and_steps = f"{plural(len(runs), 'seed')}, {steps}"
    if not scores:
        return f"{variant}: {seeds_and_steps}."
    text = f"{variant}: {stored.claim.metric.name} {statistics.fmean(scores):.4g}"
    text += f", from {min(scores):.4g} to {max(scores):.4g}"
    ends = interval(scores)
    if ends is not None:
        text += f", 95% interval {ends[0]:.4g} to {ends[1]:.4g}"
    return f"{text}; {seeds_and_steps}."


def interval(scores: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean by Student's t; None for fewer than two scores."""
    from scipy.stats import t

    if len(scores) < 2:
        return None
    mean = statistics.fmean(scores)
    error = statistics.stdev(scores) / math.sqrt(len(scores))
    # Half the interval's width. For equal scores it is 0, where scipy's t.interval gives NaN.
    margin = error * float(t.ppf((1 + CONFIDENCE) / 2, len(scores) - 1))
    return mean - margin, mean + margin


def menus_of(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Sequence[Any]]:
    """Return the hyperparameters to show as menus, each with its values.

    ``settings`` has the hyperparameters of each variant. One that divides the variants as an
    earlier one does is left out, because the earlier one determines it. In this example, "pooling"
    would have the values cls, cls, mean, and divides the variants as "encoder" does:

    >>> small = {"encoder": "mini", "temperature": 0.1, "pooling": "cls"}
    >>> menus_of({
    ...     "a": small,
    ...     "b": {**small, "temperature": 0.05},
    ...     "c": {**small, "encoder": "textcnn", "pooling": "mean"},
    ... })
    {'encoder': ['mini', 'textcnn'], 'temperature': [0.05, 0.1]}
    """
    menus: dict[str, Sequence[Any]] = {}
    divisions: list[list[int]] = []
    hyperparameters = dict.fromkeys(name for variant in settings.values() for name in variant)
    for name in hyperparameters:
        # The value of each variant, and the different values in order of their appearance.
        column = [variant.get(name, ABSENT) for variant in settings.values()]
        values = list(dict.fromkeys(column))
        # Variants with the same number have the same value.
        division = [values.index(value) for value in column]
        has_choice = len(set(values) - {ABSENT}) > 1
        if division in divisions or not has_choice or len(menus) == MOST_SELECTORS:
            continue
        divisions.append(division)
        menus[name] = sorted(values) if all(map(is_number, values)) else values
    return menus


def _variant(
    stored: Reference, variant: str, menus: Mapping[str, Sequence[Any]], groups: list[State]
) -> State:
    """Return the data of a variant that the page draws.

    Args:
        stored: the stored runs.
        variant: name of the variant.
        menus: the values of each menu, by its hyperparameter.
        groups: lists of sentences of the variants before; those of this variant are appended if
            they are new.
    """
    runs = stored.runs(variant)
    scores = stored.scores(variant)
    settings = stored.settings[variant]
    ends = interval(scores)
    curves = {name: _curve(runs, name) for name in COLUMNS}
    return {
        "name": variant,
        "summary": summary(stored, variant),
        "seeds": len(runs),
        "trained": bool(runs[0].losses),
        "scores": [_rounded(score) for score in scores],
        "mean": _rounded(statistics.fmean(scores)) if scores else None,
        "interval": None if ends is None else [_rounded(end) for end in ends],
        "curves": {name: curve for name, curve in curves.items() if curve is not None},
        # The index of the variant's value in each menu.
        "at": [values.index(settings.get(name, ABSENT)) for name, values in menus.items()],
        # The positions of the sentences.
        "cloud": _cloud(stored.cloud(variant), groups),
    }


def _curve(runs: Sequence[Any], column: str) -> State | None:
    """Return mean, band and each seed's values at the steps that all runs have; None without steps.

    ``seeds`` has a list for each run, with a value for each of ``steps``.
    """
    band = band_of(runs, column)
    if not len(band.steps):
        return None
    # The indices of the steps that are drawn.
    rows = downsample(band.mean)
    steps = [int(step) for step in band.steps[rows]]
    seeds = []
    for run in runs:
        by_step = {int(row["step"]): row[column] for row in run.records() if column in row}
        if by_step:
            seeds.append([_rounded(by_step[step]) for step in steps])
    return {
        "steps": steps,
        "seeds": seeds,
        "mean": [_rounded(value) for value in band.mean[rows]],
        "low": [_rounded(value) for value in band.low[rows]],
        "high": [_rounded(value) for value in band.high[rows]],
    }


def _rounded(value: float) -> float:
    """Keep 5 digits, which is more than a screen shows and makes the page small."""
    return float(f"{value:.5g}")


def _cloud(cloud: ReferenceCloud | None, groups: list[State]) -> State | None:
    """Return the sentences' positions on two axes; None if they are not stored.

    ``at`` has them as integers, ``(steps, sentences, 2)``. The sentences and their labels are
    added to ``groups`` if they are new; ``texts`` is their index.
    """
    if cloud is None:
        return None
    labels = None if cloud.labels is None else list(cloud.labels)
    group = {"texts": list(cloud.texts), "labels": labels}
    if group not in groups:
        groups.append(group)
    positions = cloud.at[:, :, :2]
    # The largest coordinate becomes the largest integer of 16 bits: the page scales the positions
    # to its picture in any case. If all coordinates are 0, they are divided by 1e-9.
    largest = max(1e-9, float(np.abs(positions).max()))
    return {
        "seed": cloud.seed,
        "steps": [int(step) for step in cloud.steps],
        "share": [round(float(share), 3) for share in cloud.share],
        "at": packed(positions, largest),
        "texts": groups.index(group),
    }
