"""What the page of stored runs is sent: curves, scores, settings and sentences of each arm."""

from __future__ import annotations

import base64
import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._validation import is_number
from ...claims import Reference, ReferenceCloud
from ...columns import of
from ...views.recorded_columns import downsample
from ...views.reference_bands import CONFIDENCE, band_of
from ...wording import plural

Part = dict[str, Any]
COLUMNS = ("loss", "uniformity", "alignment")
KNOBS = 4  # at most; the list of settings has all
ABSENT = "—"  # of an arm that lacks a hyperparameter
STEPS = 32767  # of a coordinate


def state_of(stored: Reference) -> Part:
    """All that js/src/explore draws, as JSON."""
    knobs = knobs_of(stored.settings)
    texts: list[Part] = []
    claim, metric = stored.claim, stored.claim.metric
    better = f", {metric.better} is better" if metric.better else ""
    most = max(len(stored.runs(arm)) for arm in stored.arms)
    missing = f" Not run yet: {'; '.join(stored.absent)}." if stored.absent else ""
    return {
        "name": claim.name,
        "claim": claim.claim,
        "verdict": f"{stored.answer().verdict}; up to {plural(most, 'seed')} a setting.{missing}",
        "columns": [{"name": name, "title": _title(name)} for name in COLUMNS],
        "score": f"{metric.name} at the end{better}; a dot for each seed, a bar for the 95% interval of their mean",
        "band": f"band: where {CONFIDENCE:.0%} of further seeds lie",
        "arms": [_arm(stored, arm, knobs, texts) for arm in stored.arms],
        "knobs": [{"name": name, "values": list(map(_written, values))} for name, values in knobs.items()],
        "ordered": [name for name, values in knobs.items() if all(map(is_number, values))],
        "texts": texts,
    }


def words_of(stored: Reference, arm: str) -> str:
    """A setting's score in words, with the number of its seeds and steps."""
    runs, scores = stored.runs(arm), stored.scores(arm)
    said = [plural(len(runs), "seed"), plural(runs[0].steps, "step") if runs[0].steps else "untrained"]
    if not scores:
        return f"{arm}: {', '.join(said)}."
    ends = interval(scores)
    between = f", 95% interval {ends[0]:.4g} to {ends[1]:.4g}" if ends else ""
    mean = f"{stored.claim.metric.name} {statistics.fmean(scores):.4g}, from {min(scores):.4g} to {max(scores):.4g}"
    return f"{arm}: {mean}{between}; {', '.join(said)}."


def interval(scores: Sequence[float]) -> tuple[float, float] | None:
    """Student's interval of the mean; None of a single score.

    >>> interval([1.0, 2.0, 3.0])
    (-0.484..., 4.484...)
    >>> interval([1.0])
    """
    from scipy.stats import t

    if len(scores) < 2:
        return None
    middle = statistics.fmean(scores)
    half = float(t.ppf((1 + CONFIDENCE) / 2, len(scores) - 1)) * statistics.stdev(scores) / math.sqrt(len(scores))
    return middle - half, middle + half


def knobs_of(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Sequence[Any]]:
    """What can be turned: parts of the settings with their values, without those that another one decides.

    Nor is a part turned that has one value wherever an arm has it at all.

    >>> knobs_of({"a": {"method": "x", "rate": 1}, "b": {"method": "y"}})
    {'method': ['x', 'y']}
    >>> knobs_of({"a": {"rate": 0.5}, "b": {"rate": 0.1}})
    {'rate': [0.1, 0.5]}
    """
    keys = dict.fromkeys(key for own in settings.values() for key in own)
    knobs: dict[str, Sequence[Any]] = {}
    seen: list[list[int]] = []
    for key in keys:
        column = [own.get(key, ABSENT) for own in settings.values()]
        values = list(dict.fromkeys(column))
        division = [values.index(value) for value in column]
        if division in seen or len(knobs) == KNOBS or len(values) - (ABSENT in values) < 2:
            continue
        seen.append(division)
        knobs[key] = sorted(values) if all(map(is_number, values)) else values
    return knobs


def _title(column: str) -> str:
    return of(column).heading.replace(", running mean", "").replace(" (running mean)", "")


def _written(value: Any) -> str:
    return f"{value:g}" if is_number(value) else str(value)


def _arm(stored: Reference, arm: str, knobs: Mapping[str, Sequence[Any]], texts: list[Part]) -> Part:
    runs, scores, own = stored.runs(arm), stored.scores(arm), stored.settings[arm]
    ends = interval(scores)
    return {
        "name": arm,
        "says": words_of(stored, arm),
        "seeds": len(runs),
        "trained": bool(runs[0].losses),
        "scores": [_short(score) for score in scores],
        "mean": _short(statistics.fmean(scores)) if scores else None,
        "interval": None if ends is None else [_short(end) for end in ends],
        "curves": {name: curve for name in COLUMNS if (curve := _curve(runs, name)) is not None},
        "at": [values.index(own.get(name, ABSENT)) for name, values in knobs.items()],
        "cloud": _cloud(stored.cloud(arm), texts),
    }


def _curve(runs: Sequence[Any], column: str) -> Part | None:
    """Mean, band and single seeds at the steps that all of them have; None of what was not measured."""
    band = band_of(runs, column)
    if not len(band.steps):
        return None
    kept = downsample(band.mean)
    scale, steps = of(column).scale, [int(step) for step in band.steps[kept]]
    seeds = []
    for run in runs:
        values = {int(row["step"]): row[column] for row in run.records() if column in row}
        if values:
            seeds.append([_short(scale * values[step]) for step in steps])
    lines = {"mean": band.mean, "low": band.low, "high": band.high}
    drawn = {name: [_short(value) for value in line[kept]] for name, line in lines.items()}
    return {"steps": steps, "seeds": seeds, **drawn}


def _short(value: float) -> float:
    return float(f"{value:.5g}")


def _cloud(cloud: ReferenceCloud | None, texts: list[Part]) -> Part | None:
    """Positions of a run's sentences on two axes, 16 bits a coordinate; ``texts`` gets the sentences once."""
    if cloud is None:
        return None
    group = {"texts": list(cloud.texts), "labels": None if cloud.labels is None else list(cloud.labels)}
    if group not in texts:
        texts.append(group)
    flat = cloud.at[:, :, :2]
    whole = np.rint(flat / max(1e-9, float(np.abs(flat).max())) * STEPS).astype("<i2")
    return {
        "seed": cloud.seed,
        "steps": [int(step) for step in cloud.steps],
        "kept": [round(float(share), 3) for share in cloud.kept],
        "at": base64.b64encode(whole.tobytes()).decode("ascii"),
        "texts": texts.index(group),
    }
