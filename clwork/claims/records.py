"""Records of the runs that claims compare: their names, files and values. Reading them needs no torch."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..reference_runs import Record, Records
from .ledger import Arm, Claim

FOLDER = "claims"  # subfolder of the folder of runs for clwork.claims.test
RUN, MEASURED, RECORDING = "run.json", "measured.json", "recording.json.gz"
TEXTCNN = "textcnn:"
LONGEST_NAME = 80
FEWEST_SCORES = 5  # scores of a run that a comparison at equal uniformity needs


@dataclass(frozen=True)
class ArmRun:
    """The settings of an arm's run. Arms with equal settings share a run; paired arms have the same seed."""

    method: str
    config: str  # hyperparameters that replace those of the preset, as JSON with sorted keys
    data: str
    encoder: str  # an argument of clwork.load_encoder
    steps: int
    seed: int
    precision: str = "auto"  # another one is for a run that is repeated, to compare it with runs at that precision

    @property
    def name(self) -> str:
        """Name of the run and its record: method, digest of all settings except the seed, and seed."""
        settings = [self.method, self.config, self.data, self.encoder, self.steps, None]
        name = (
            f"{self.method}-{sha256(json.dumps(settings).encode()).hexdigest()[:10]}-s{self.seed}"
        )
        return name if self.precision == "auto" else f"{name}-{self.precision}"


def run_of(
    claim: Claim, arm: Arm, seed: int, encoder: str | None = None, steps: int | None = None
) -> ArmRun | None:
    """Return the run of an arm, None for an arm without training; ``encoder`` and ``steps`` as in ``claims.test``."""
    length = steps or arm.steps or claim.steps
    if not arm.trained:
        return None
    if length is None:
        raise ValueError(
            f"{claim.name}: the arm {arm.name!r} needs a number of training steps; add steps to the claim"
        )
    config = json.dumps(dict(arm.config), sort_keys=True)
    return ArmRun(
        arm.method,
        config,
        arm.data or "wikipedia-mini",
        start_of(claim, arm, encoder),
        length,
        seed,
    )


def start_of(claim: Claim, arm: Arm, encoder: str | None) -> str:
    """Return the name of an arm's encoder: the encoder that its run starts from, or the untrained encoder."""
    from ..methods import get  # loads torch

    if arm.encoder is not None:
        return arm.encoder
    methods = (
        [arm.method]
        if arm.trained
        else [other.method for other in claim.arms.values() if other.trained]
    )
    default = get((methods or [claim.paper])[0]).default_encoder
    return encoder if encoder is not None and not default.startswith(TEXTCNN) else default


def record_name(
    claim: Claim, arm: Arm, seed: int, encoder: str | None = None, steps: int | None = None
) -> str | None:
    """Return the name of the record that holds an arm's values; None if ``arm.method`` is ``"computed"``."""
    if arm.method == "untrained":
        return untrained_name(start_of(claim, arm, encoder), seed)
    run = run_of(claim, arm, seed, encoder, steps)
    return None if run is None else run.name


def untrained_name(encoder: str, seed: int) -> str:
    """Return the name of an untrained encoder's record; only a TextCNN depends on the seed."""
    safe = encoder.isascii() and len(encoder) <= LONGEST_NAME
    name = (
        re.sub("[^A-Za-z0-9._-]", "-", encoder)
        if safe
        else sha256(encoder.encode()).hexdigest()[:10]
    )
    return f"untrained-{name}-s{seed}" if encoder.startswith(TEXTCNN) else f"untrained-{name}"


def records_in(folder: Path) -> Records:
    """Read the records that :func:`clwork.claims.test` wrote to a folder."""
    records = {
        path.parent.name: _record(path.parent) for path in sorted(folder.glob(f"*/{MEASURED}"))
    }
    if not records:
        raise FileNotFoundError(
            f"{folder} has no measured run; call clwork.claims.test(..., folder={str(folder)!r})"
        )
    return records


def _record(folder: Path) -> Record:
    own = json.loads((folder / RUN).read_text(encoding="utf-8")) if (folder / RUN).is_file() else {}
    return {**own, **json.loads((folder / MEASURED).read_text(encoding="utf-8"))}


def measured_views(folder: Path, name: str) -> dict[str, dict[str, float]]:
    """Read the measures of a run in a folder by view; empty if nothing was measured."""
    place = folder / name / MEASURED
    if not place.is_file():
        return {}
    views: dict[str, dict[str, float]] = json.loads(place.read_text(encoding="utf-8"))["views"]
    return views


def recording_in(folder: Path, name: str) -> dict[str, Any] | None:
    """Read the recording of a run in a folder of runs; None if there is none."""
    place = folder / name / RECORDING
    return json.loads(gzip.decompress(place.read_bytes())) if place.is_file() else None


def value_of(record: Record, arm: Arm, metric: str) -> float | None:
    """Return an arm's metric from a record, at the end or at ``arm.at``; None if it was not measured."""
    metric = arm.metric or metric
    if arm.at is not None:
        steps = [arm.at] if isinstance(arm.at, int) else arm.at
        known, first = column_of(record, metric), record.get("first", {})
        if metric in first:
            known.setdefault(1, float(first[metric]))
        values = [known[step] for step in steps if step in known]
        if len(values) < len(steps):
            return None
        return values[-1] - values[0] if len(values) > 1 else values[0]
    found: float | None = record.get("views", {}).get(arm.view, {}).get(metric)
    if found is None and arm.view == "own":
        column = column_of(record, metric)
        return float(list(column.values())[-1]) if column else record.get(metric)
    return found


def place_of(record: Record, arm: Arm, metric: str) -> str:
    """Return the sentences that an arm's metric is measured on: "probe" during the run, "test" at its end, or ""."""
    metric = arm.metric or metric
    if arm.at is None and metric in record.get("views", {}).get(arm.view, {}):
        return "test"
    return "probe" if column_of(record, metric) or metric in record.get("first", {}) else ""


def column_of(record: Record, name: str) -> dict[int, float]:
    """Return a column of the history by step; empty if it was not measured."""
    history = record.get("history", {})
    pairs = zip(history.get("step", ()), history.get(name, ()), strict=False)
    return {int(step): float(value) for step, value in pairs if value is not None}


def at_equal_uniformity(one: Record, other: Record, score: str) -> tuple[float, float] | None:
    """Return a score of two runs, each where it has the final uniformity of the less uniform run, if known."""
    paths = [_path(record, score) for record in (one, other)]
    if min(map(len, paths)) < FEWEST_SCORES:
        return None
    level = max(path[-1][0] for path in paths)
    first, second = (_score_at(path, level) for path in paths)
    return None if first is None or second is None else (first, second)


def _path(record: Record, score: str) -> list[tuple[float, float]]:
    """Return uniformity and score at each step at which both were measured."""
    uniformity, scores = column_of(record, "uniformity"), column_of(record, score)
    return [(uniformity[step], scores[step]) for step in sorted(scores) if step in uniformity]


def _score_at(path: Sequence[tuple[float, float]], level: float) -> float | None:
    """Return the interpolated score where uniformity first is ``level``, the last score if it ends there; or None."""
    if path[-1][0] == level:
        return path[-1][1]
    for (before, low), (after, high) in pairwise(path):
        if min(before, after) <= level <= max(before, after) and before != after:
            return low + (high - low) * (level - before) / (after - before)
    return None
