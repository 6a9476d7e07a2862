"""Records of the runs that claims compare: their names, files and values; needs no torch.

A folder of :func:`clwork.claims.test` has a subfolder for each run: the trained encoder, its
recording, ``run.json`` with settings and history, and ``measured.json`` with the final measures of
each representation. ``references.json`` has the names of each claim's runs by variant and seed.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..disk import to_json, write_file
from ..reference_runs import Names, Record, Records
from .ledger import Claim, Variant

FOLDER = "claims"  # subfolder of the folder of runs for clwork.claims.test
RUN = "run.json"
MEASURED = "measured.json"
RECORDING = "recording.json.gz"
REFERENCES = "references.json"
TEXTCNN = "textcnn:"
LONGEST_NAME = 80
DIGITS = 6


@dataclass(frozen=True)
class VariantRun:
    """The settings of a variant's run. Variants with equal settings share a run."""

    method: str
    config: str  # hyperparameters that replace those of the preset, as JSON with sorted keys
    data: str
    encoder: str  # an argument of clwork.load_encoder
    steps: int
    seed: int
    precision: str = "auto"

    @property
    def name(self) -> str:
        """Name of the run: method, digest of all settings except the seed, and seed."""
        settings = [self.method, self.config, self.data, self.encoder, self.steps, None]
        digest = sha256(json.dumps(settings).encode()).hexdigest()[:10]
        name = f"{self.method}-{digest}-s{self.seed}"
        return name if self.precision == "auto" else f"{name}-{self.precision}"


def run_of(
    claim: Claim,
    variant: Variant,
    seed: int,
    encoder: str | None = None,
    steps: int | None = None,
) -> VariantRun | None:
    """Return the run of a variant, None for one without training.

    ``encoder`` and ``steps`` are those of :func:`clwork.claims.test`.
    """
    if not variant.trained:
        return None
    length = steps or variant.steps or claim.steps
    if length is None:
        problem = f"{claim.name}: the variant {variant.name!r} needs a number of training steps"
        raise ValueError(f"{problem}; add steps to the claim")
    config = json.dumps(dict(variant.config), sort_keys=True)
    start = start_of(claim, variant, encoder)
    return VariantRun(variant.method, config, variant.data or "wikipedia-mini", start, length, seed)


def start_of(claim: Claim, variant: Variant, encoder: str | None = None) -> str:
    """Return the encoder that a variant starts from, or the encoder that is not trained.

    ``encoder`` replaces the default of methods that start from a transformer.
    """
    from ..methods import get  # loads torch

    if variant.encoder is not None:
        return variant.encoder
    method = variant.method
    if not variant.trained:
        trained = [other.method for other in claim.variants.values() if other.trained]
        method = (trained or [claim.paper])[0]
    default = get(method).default_encoder
    return default if encoder is None or default.startswith(TEXTCNN) else encoder


def record_name(
    claim: Claim,
    variant: Variant,
    seed: int,
    encoder: str | None = None,
    steps: int | None = None,
) -> str | None:
    """Return the name of the record with a variant's values; None for a computed number."""
    if variant.method == "untrained":
        return untrained_name(start_of(claim, variant, encoder), seed)
    run = run_of(claim, variant, seed, encoder, steps)
    return None if run is None else run.name


def untrained_name(encoder: str, seed: int) -> str:
    """Return the name of an untrained encoder's record; only a TextCNN depends on the seed."""
    if encoder.isascii() and len(encoder) <= LONGEST_NAME:
        name = re.sub("[^A-Za-z0-9._-]", "-", encoder)
    else:
        name = sha256(encoder.encode()).hexdigest()[:10]
    return f"untrained-{name}-s{seed}" if encoder.startswith(TEXTCNN) else f"untrained-{name}"


def read_record(folder: Path, name: str) -> Record:
    """Read the record of a run in a folder; empty if there is none."""
    record: dict[str, Any] = {}
    for file in (RUN, MEASURED):
        path = folder / name / file
        if path.is_file():
            record |= json.loads(path.read_text(encoding="utf-8"))
    return record


def records_in(folder: Path) -> Records:
    """Read all records of a folder by name."""
    measured = sorted(folder.glob(f"*/{MEASURED}"))
    return {path.parent.name: read_record(folder, path.parent.name) for path in measured}


def add_views(
    folder: Path, name: str, views: Mapping[str, Mapping[str, float]], encoder: str, seed: int
) -> None:
    """Add final measures of representations, rounded, to the record of a run."""
    known = dict(read_record(folder, name).get("views", {}))
    for view, values in views.items():
        rounded = {measure: float(f"{value:.{DIGITS}g}") for measure, value in values.items()}
        known[view] = known.get(view, {}) | rounded
    (folder / name).mkdir(parents=True, exist_ok=True)
    content = {"views": known, "encoder": encoder, "seed": seed}
    write_file(folder / name / MEASURED, to_json(content, indent=1))


def names_in(folder: Path) -> dict[str, Names]:
    """Read the names of each claim's runs in a folder, by variant and seed."""
    path = folder / REFERENCES
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def recording_in(folder: Path, name: str) -> dict[str, Any] | None:
    """Read the recording of a run in a folder of runs; None if there is none."""
    path = folder / name / RECORDING
    return json.loads(gzip.decompress(path.read_bytes())) if path.is_file() else None


def value_of(record: Record, variant: Variant, metric: str) -> float | None:
    """Return a variant's value from a record, at the end or at ``variant.at``; None if missing."""
    metric = variant.metric or metric
    if variant.at is not None:
        return _value_at(record, variant.at, metric)
    value: float | None = record.get("views", {}).get(variant.view, {}).get(metric)
    if value is None and variant.view == "own":
        column = list(column_of(record, metric).values())
        return float(column[-1]) if column else record.get(metric)
    return value


def _value_at(record: Record, at: int | list[int], metric: str) -> float | None:
    """Return a measure of the probe at a step, or its change between two steps."""
    column = column_of(record, metric)
    first = record.get("first", {})
    if metric in first:
        column.setdefault(1, float(first[metric]))
    steps = [at] if isinstance(at, int) else at
    if not all(step in column for step in steps):
        return None
    return column[steps[-1]] - (column[steps[0]] if len(steps) > 1 else 0.0)


def column_of(record: Record, name: str) -> dict[int, float]:
    """Return a column of the history by step; empty if it was not measured."""
    history = record.get("history", {})
    pairs = zip(history.get("step", ()), history.get(name, ()), strict=False)
    return {int(step): float(value) for step, value in pairs if value is not None}
