"""The explorer: stored runs of a claim, chosen by their settings, without training or kernel."""

from __future__ import annotations

import base64
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._validation import is_number
from ..claims.ledger import METRICS
from ..claims.reference import Reference, reference
from ..columns import of
from ..reference_runs import ReferenceCloud
from ..views.history import downsample
from ..views.reference import CONFIDENCE, band_of
from ..wording import plural
from .page.standalone import iframe, page

State = dict[str, Any]
COLUMNS = ("loss", "uniformity", "alignment")
# pixels
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

    >>> explore("simcse/temperature").variant
    'SimCSE'
    """
    return Explorer(name if isinstance(name, Reference) else reference(name))


class Explorer:
    """Returned by :func:`explore`; ``variant`` is the setting that is shown first."""

    def __init__(self, stored: Reference) -> None:
        self.reference = stored
        self._state = state_of(stored)
        trained = [variant["name"] for variant in self._state["variants"] if variant["trained"]]
        self.variant: str = trained[0] if trained else stored.variants[0]

    def page(self) -> str:
        """Return the explorer as a separate HTML document, which makes no requests."""
        start = self.reference.variants.index(self.variant)
        return page("explore", self._state | {"start": start}, self._state["name"])

    def _repr_html_(self) -> str:
        state, variants = self._state, self._state["variants"]
        # two selectors stand in a row
        height = HEAD + ROW * len(variants) + SELECTORS * math.ceil(len(state["knobs"]) / 2)
        if any(variant["trained"] for variant in variants):
            height += CHARTS
        if any(variant["cloud"] for variant in variants):
            height += SENTENCES
        shown = variants[self.reference.variants.index(self.variant)]["summary"]
        return iframe(self.page(), height, f"stored runs of {state['name']}: {shown}")

    def __repr__(self) -> str:
        name, settings = self._state["name"], len(self._state["variants"])
        return f"Explorer({name!r}, {settings} settings, {self.variant!r} first)"


def state_of(stored: Reference) -> State:
    """Return the data that js/src/explore draws, as JSON."""
    answer = stored.answer()
    if not any(score for variant in stored.variants for score in stored.scores(variant)):
        # all 0, such as a number of warnings: another score says more
        stored = replace(stored, claim=replace(stored.claim, metric=METRICS["stsb"]))
    claim, metric = stored.claim, stored.claim.metric
    seeds = plural(max(map(len, stored.names.values())), "seed")
    verdict = f"{answer.verdict}; up to {seeds} for each setting."
    if stored.absent:
        verdict += f" Not run yet: {'; '.join(stored.absent)}."
    better = f", {metric.better} is better" if metric.better else ""
    score = f"{metric.name} at the end{better}"
    knobs = knobs_of(stored.settings)
    groups: list[State] = []
    return {
        "name": claim.name,
        "claim": claim.claim,
        "verdict": verdict,
        "columns": [{"name": name, "title": _title(name)} for name in COLUMNS],
        "score": f"{score}; a dot for each seed, a bar for the 95% interval of their mean",
        "band": f"band: contains {CONFIDENCE:.0%} of new seeds",
        "variants": [_variant(stored, variant, knobs, groups) for variant in stored.variants],
        "knobs": [
            {"name": name, "values": [_text(value) for value in values]}
            for name, values in knobs.items()
        ],
        "ordered": [name for name, values in knobs.items() if all(map(is_number, values))],
        "texts": groups,
    }


def _title(name: str) -> str:
    column = of(name)
    return f"{column.label} ({column.better} is better)" if column.better else column.label


def _text(value: Any) -> str:
    return f"{value:g}" if is_number(value) else str(value)


def summary(stored: Reference, variant: str) -> str:
    """Return a setting's score with the number of its seeds and steps, as text."""
    runs, scores = stored.runs(variant), stored.scores(variant)
    steps = plural(runs[0].steps, "step") if runs[0].steps else "untrained"
    size = f"{plural(len(runs), 'seed')}, {steps}"
    if not scores:
        return f"{variant}: {size}."
    text = f"{variant}: {stored.claim.metric.name} {statistics.fmean(scores):.4g}"
    text += f", from {min(scores):.4g} to {max(scores):.4g}"
    if ends := interval(scores):
        text += f", 95% interval {ends[0]:.4g} to {ends[1]:.4g}"
    return f"{text}; {size}."


def interval(scores: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean by Student's t; None for fewer than two scores."""
    from scipy.stats import t

    if len(scores) < 2:
        return None
    mean = statistics.fmean(scores)
    error = statistics.stdev(scores) / math.sqrt(len(scores))
    # equal scores have a margin of 0, where t.interval gives NaN
    margin = error * float(t.ppf((1 + CONFIDENCE) / 2, len(scores) - 1))
    return mean - margin, mean + margin


def knobs_of(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Sequence[Any]]:
    """Return the hyperparameters to show as menus; omit one that another determines."""
    knobs: dict[str, Sequence[Any]] = {}
    divisions: list[list[int]] = []
    for key in dict.fromkeys(key for own in settings.values() for key in own):
        column = [own.get(key, ABSENT) for own in settings.values()]
        values = list(dict.fromkeys(column))
        division = [values.index(value) for value in column]
        has_choice = len(set(values) - {ABSENT}) > 1
        if division in divisions or not has_choice or len(knobs) == MOST_SELECTORS:
            continue
        divisions.append(division)
        knobs[key] = sorted(values) if all(map(is_number, values)) else values
    return knobs


def _variant(
    stored: Reference, variant: str, knobs: Mapping[str, Sequence[Any]], groups: list[State]
) -> State:
    """Return the data of a setting: scores, curves, places of its menus, and sentences."""
    runs, scores, settings = stored.runs(variant), stored.scores(variant), stored.settings[variant]
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
        "at": [values.index(settings.get(name, ABSENT)) for name, values in knobs.items()],
        "cloud": _cloud(stored.cloud(variant), groups),
    }


def _curve(runs: Sequence[Any], column: str) -> State | None:
    """Return mean, band and seeds at the steps that all runs have; None if there are none."""
    band = band_of(runs, column)
    if not len(band.steps):
        return None
    rows = downsample(band.mean)
    steps = [int(step) for step in band.steps[rows]]
    seeds = []
    for run in runs:
        values = {int(row["step"]): row[column] for row in run.records() if column in row}
        if values:
            seeds.append([_rounded(of(column).scale * values[step]) for step in steps])
    return {
        "steps": steps,
        "seeds": seeds,
        "mean": [_rounded(value) for value in band.mean[rows]],
        "low": [_rounded(value) for value in band.low[rows]],
        "high": [_rounded(value) for value in band.high[rows]],
    }


def _rounded(value: float) -> float:
    return float(f"{value:.5g}")


def _cloud(cloud: ReferenceCloud | None, groups: list[State]) -> State | None:
    """Return the sentences' positions on two axes; add their texts to ``groups`` if new."""
    if cloud is None:
        return None
    labels = None if cloud.labels is None else list(cloud.labels)
    group = {"texts": list(cloud.texts), "labels": labels}
    if group not in groups:
        groups.append(group)
    # scaled to 16-bit integers
    flat = cloud.at[:, :, :2]
    largest = max(1e-9, float(np.abs(flat).max()))
    integers = np.rint(flat / largest * 32767).astype("<i2")
    return {
        "seed": cloud.seed,
        "steps": [int(step) for step in cloud.steps],
        "share": [round(float(share), 3) for share in cloud.share],
        "at": base64.b64encode(integers.tobytes()).decode("ascii"),
        "texts": groups.index(group),
    }
