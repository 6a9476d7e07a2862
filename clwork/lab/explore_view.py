"""The explorer: choose among the stored runs of a claim by their settings, without training and without a kernel."""

from __future__ import annotations

import base64
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._validation import checked, is_number
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
HEAD, ROW, SELECTORS, CHARTS, SENTENCES = 130, 30, 44, 222, 380  # pixels
MOST_SELECTORS = 4  # menus for hyperparameters; the list of settings has all
ABSENT = "—"  # shown if an arm lacks a hyperparameter


@checked()
def explore(name: str | Reference) -> Explorer:
    """Show the stored runs of a claim with all settings of its grid; nothing is trained.

    ``name`` is the name of a claim, such as ``"simcse/temperature"``, or the result of :func:`clwork.reference`,
    also for a folder of your own runs. FileNotFoundError if no run is stored; :func:`clwork.claims.test` makes them.
    """
    return Explorer(name if isinstance(name, Reference) else reference(name))


class Explorer:
    """Returned by :func:`explore`; ``arm`` is the setting that is shown first."""

    def __init__(self, stored: Reference) -> None:
        self.reference = stored
        self._state = state_of(stored)
        self.arm: str = next(
            (one["name"] for one in self._state["arms"] if one["trained"]), stored.variants[0]
        )

    def page(self) -> str:
        """Return the explorer as a separate HTML document, which makes no requests."""
        return page(
            "explore",
            self._state | {"start": self.reference.variants.index(self.arm)},
            self._state["name"],
        )

    def _repr_html_(self) -> str:
        state, arms = self._state, self._state["arms"]
        height = HEAD + ROW * len(arms) + SELECTORS * -(-len(state["knobs"]) // 2)
        height += CHARTS * any(one["trained"] for one in arms) + SENTENCES * any(
            one["cloud"] for one in arms
        )
        label = f"stored runs of {state['name']}: {arms[self.reference.variants.index(self.arm)]['summary']}"
        return iframe(self.page(), height, label)

    def __repr__(self) -> str:
        return f"Explorer({self._state['name']!r}, {len(self._state['arms'])} settings, {self.arm!r} first)"


def state_of(stored: Reference) -> State:
    """Return the data that js/src/explore draws, as JSON."""
    knobs = knobs_of(stored.settings)
    texts: list[State] = []
    missing = f" Not run yet: {'; '.join(stored.absent)}." if stored.absent else ""
    most, answer = plural(max(map(len, stored.names.values())), "seed"), stored.answer()
    if not any(
        score for arm in stored.variants for score in stored.scores(arm)
    ):  # all 0, such as a number of warnings
        stored = replace(stored, claim=replace(stored.claim, metric=METRICS["stsb"]))
    claim, metric = stored.claim, stored.claim.metric
    better = f", {metric.better} is better" if metric.better else ""
    headings = {
        name: of(name).heading.replace(", running mean", "").replace(" (running mean)", "")
        for name in COLUMNS
    }
    return {
        "name": claim.name,
        "claim": claim.claim,
        "verdict": f"{answer.verdict}; up to {most} for each setting.{missing}",
        "columns": [{"name": name, "title": heading} for name, heading in headings.items()],
        "score": f"{metric.name} at the end{better}; a dot for each seed, a bar for the 95% interval of their mean",
        "band": f"band: contains {CONFIDENCE:.0%} of new seeds",
        "arms": [_arm(stored, arm, knobs, texts) for arm in stored.variants],
        "knobs": [
            {
                "name": name,
                "values": [f"{value:g}" if is_number(value) else str(value) for value in values],
            }
            for name, values in knobs.items()
        ],
        "ordered": [name for name, values in knobs.items() if all(map(is_number, values))],
        "texts": texts,
    }


def summary(stored: Reference, arm: str) -> str:
    """Return a setting's score with the number of its seeds and steps, as text."""
    runs, scores = stored.runs(arm), stored.scores(arm)
    size = f"{plural(len(runs), 'seed')}, {plural(runs[0].steps, 'step') if runs[0].steps else 'untrained'}"
    if not scores:
        return f"{arm}: {size}."
    between = f", 95% interval {ends[0]:.4g} to {ends[1]:.4g}" if (ends := interval(scores)) else ""
    mean = f"{stored.claim.metric.name} {statistics.fmean(scores):.4g}, from {min(scores):.4g} to {max(scores):.4g}"
    return f"{arm}: {mean}{between}; {size}."


def interval(scores: Sequence[float]) -> tuple[float, float] | None:
    from scipy.stats import t

    if len(scores) < 2:
        return None
    mean, error = statistics.fmean(scores), statistics.stdev(scores) / math.sqrt(len(scores))
    margin = error * float(t.ppf((1 + CONFIDENCE) / 2, len(scores) - 1))
    return (
        mean - margin,
        mean + margin,
    )  # equal scores have a margin of 0, where t.interval gives NaN


def knobs_of(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Sequence[Any]]:
    """Return the hyperparameters to show as menus, with their values; omit one that another determines."""
    knobs: dict[str, Sequence[Any]] = {}
    seen: list[list[int]] = []
    for key in dict.fromkeys(key for own in settings.values() for key in own):
        column = [own.get(key, ABSENT) for own in settings.values()]
        values = list(dict.fromkeys(column))
        division = [values.index(value) for value in column]
        if division in seen or len(knobs) == MOST_SELECTORS or len(values) - (ABSENT in values) < 2:
            continue
        seen.append(division)
        knobs[key] = sorted(values) if all(map(is_number, values)) else values
    return knobs


def _arm(
    stored: Reference, arm: str, knobs: Mapping[str, Sequence[Any]], texts: list[State]
) -> State:
    runs, scores, own = stored.runs(arm), stored.scores(arm), stored.settings[arm]
    ends = interval(scores)
    return {
        "name": arm,
        "summary": summary(stored, arm),
        "seeds": len(runs),
        "trained": bool(runs[0].losses),
        "scores": [_rounded(score) for score in scores],
        "mean": _rounded(statistics.fmean(scores)) if scores else None,
        "interval": None if ends is None else [_rounded(end) for end in ends],
        "curves": {name: curve for name in COLUMNS if (curve := _curve(runs, name)) is not None},
        "at": [values.index(own.get(name, ABSENT)) for name, values in knobs.items()],
        "cloud": _cloud(stored.cloud(arm), texts),
    }


def _curve(runs: Sequence[Any], column: str) -> State | None:
    """Return mean, band and seeds at the steps that all runs have; None if nothing was measured."""
    band = band_of(runs, column)
    if not len(band.steps):
        return None
    rows = downsample(band.mean)
    scale, steps = of(column).scale, [int(step) for step in band.steps[rows]]
    curves = [
        {int(row["step"]): row[column] for row in run.records() if column in row} for run in runs
    ]
    seeds = [[_rounded(scale * values[step]) for step in steps] for values in curves if values]
    lines = {"mean": band.mean, "low": band.low, "high": band.high}
    return {"steps": steps, "seeds": seeds} | {
        name: list(map(_rounded, line[rows])) for name, line in lines.items()
    }


def _rounded(value: float) -> float:
    return float(f"{value:.5g}")


def _cloud(cloud: ReferenceCloud | None, texts: list[State]) -> State | None:
    if cloud is None:
        return None
    group = {
        "texts": list(cloud.texts),
        "labels": None if cloud.labels is None else list(cloud.labels),
    }
    if group not in texts:
        texts.append(group)
    flat = cloud.at[:, :, :2]  # scaled to 16-bit integers
    integers = np.rint(flat / max(1e-9, float(np.abs(flat).max())) * 32767).astype("<i2")
    return {
        "seed": cloud.seed,
        "steps": [int(step) for step in cloud.steps],
        "share": [round(float(share), 3) for share in cloud.share],
        "at": base64.b64encode(integers.tobytes()).decode("ascii"),
        "texts": texts.index(group),
    }
