"""The runs that claims compare, and their records: names, files and values.

A folder of :func:`clwork.claims.test` looks like this::

    answers.jsonl              the answers to the claims that were tested
    p_values.json              p values of all comparisons that were tested
    simcse-0123456789-s0/      a run
        encoder/               the trained encoder
        recording.json.gz      positions of the sentences during training
        record.json            settings, losses, history, and final measures by representation
        pairs.safetensors      cosines of the rated pairs
    untrained-mini/            an encoder without training: record.json and pairs.safetensors

Reading records needs no torch.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..disk import to_json, write_file
from ..reference_runs import Record, Records
from .ledger import Claim, Variant

FOLDER = "claims"  # subfolder of the folder of runs for clwork.claims.test
RECORD = "record.json"
RECORDING = "recording.json.gz"
DEFAULT_TEXT = "wikipedia-mini"
# What the names of encoders begin with that are a TextCNN on word vectors.
TEXTCNN = "textcnn:"
DIGEST_LENGTH = 10  # hexadecimal digits
LONGEST_NAME = 80  # characters of an encoder's name that are used for its record
DIGITS = 6  # significant digits of a stored measure
# SG-OPT's reg_reduce "mean" states the distance from the frozen copy as that of an encoder with as
# many weights as BERT-base. By these numbers it becomes a sum over the encoder's own weights again.
WEIGHTS_OF_BERT_BASE = 85_054_464
TRAINED_WEIGHTS = {"mini": 3_159_040, "mini-old": 3_159_040}


@dataclass(frozen=True)
class VariantRun:
    """All that determines the encoder of a variant at a seed; variants with equal values share it.

    An encoder without training counts as a run of 0 steps, with the method ``"untrained"``.
    """

    method: str
    encoder: str  # the encoder at the start, as for clwork.load_encoder
    seed: int
    config: str = "{}"  # hyperparameters that replace those of the preset, as JSON with sorted keys
    data: str = ""  # name of the training text
    steps: int = 0
    precision: str = "auto"

    @property
    def name(self) -> str:
        """Name of the run's folder and record: method, digest of the other settings, and seed."""
        if not self.steps:
            return _untrained_name(self.encoder, self.seed)
        # None stands for the seed: all seeds of a setting share the digest.
        settings = [self.method, self.config, self.data, self.encoder, self.steps, None]
        digest = sha256(json.dumps(settings).encode()).hexdigest()[:DIGEST_LENGTH]
        name = f"{self.method}-{digest}-s{self.seed}"
        return name if self.precision == "auto" else f"{name}-{self.precision}"


def _untrained_name(encoder: str, seed: int) -> str:
    """Return the name of an untrained encoder's record; only a TextCNN depends on the seed."""
    if encoder.isascii() and len(encoder) <= LONGEST_NAME:
        name = re.sub("[^A-Za-z0-9._-]", "-", encoder)
    else:
        # Long paths and other alphabets are not valid as a folder's name everywhere.
        name = sha256(encoder.encode()).hexdigest()[:DIGEST_LENGTH]
    # The random filters of a TextCNN differ with the seed.
    return f"untrained-{name}-s{seed}" if encoder.startswith(TEXTCNN) else f"untrained-{name}"


def run_of(
    claim: Claim,
    variant: Variant,
    seed: int,
    encoder: str | None = None,
    steps: int | None = None,
) -> VariantRun:
    """Return the run of a variant at a seed, which must not be a ``"computed"`` number.

    Args:
        claim: the claim that has the variant.
        variant: what is trained, or an encoder without training.
        seed: seed of the run.
        encoder: encoder to start from in place of the default; see :func:`start_of`.
        steps: length of the run in place of the variant's or the claim's.
    """
    start = start_of(claim, variant, encoder)
    if not variant.trained:
        return VariantRun("untrained", start, seed)
    length = steps or variant.steps or claim.steps
    if not length:
        problem = f"{claim.name}: the variant {variant.name!r} needs a number of training steps"
        raise ValueError(f"{problem}; add steps to the claim")
    config = json.dumps(dict(variant.config), sort_keys=True)
    return VariantRun(variant.method, start, seed, config, variant.data or DEFAULT_TEXT, length)


def start_of(claim: Claim, variant: Variant, encoder: str | None = None) -> str:
    """Return the encoder that a variant starts from, or the encoder that is not trained.

    This is the first of these that there is: the encoder that the variant names; ``encoder``, which
    the caller of a test gives; the default of the variant's method. A variant without training has
    the default of the claim's first trained variant, with which it is compared. ``encoder`` does
    not replace a TextCNN, which is a part of its method.
    """
    from ..methods import get, names  # loads torch

    if variant.encoder is not None:
        return variant.encoder
    method = variant.method
    if not variant.trained:
        trained = [other.method for other in claim.variants.values() if other.trained]
        # If nothing is trained: the method of the claim's paper, which has the same name. A claim
        # of a reader's own, such as "mine/claim", has no such method.
        method_of_paper = claim.paper if claim.paper in names() else "simcse"
        method = trained[0] if trained else method_of_paper
    default = get(method).default_encoder
    return default if encoder is None or default.startswith(TEXTCNN) else encoder


def read_record(folder: Path, name: str) -> Record:
    """Read the record of a run in a folder; empty if there is none."""
    path = folder / name / RECORD
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def records_in(folder: Path) -> Records:
    """Read all records of a folder by name."""
    names = sorted(path.parent.name for path in folder.glob(f"*/{RECORD}"))
    return {name: read_record(folder, name) for name in names}


def has_view(record: Record, view: str, rated: bool) -> bool:
    """Whether a representation is measured: on human ratings if ``rated``, else without them."""
    # All measures of a representation are stored together, so one of them shows it.
    marker = "stsb" if rated else "silver"
    return marker in record.get("views", {}).get(view, {})


def add_views(folder: Path, run: VariantRun, views: Mapping[str, Mapping[str, float]]) -> None:
    """Add final measures, by representation and then by measure, to the record of a run.

    Without views, this makes the record of a run that nothing is measured of.
    """
    record = dict(read_record(folder, run.name))
    stored = dict(record.get("views", {}))
    for view, values in views.items():
        rounded = {measure: float(f"{value:.{DIGITS}g}") for measure, value in values.items()}
        # Measures of another call stay, such as those on human ratings.
        stored[view] = stored.get(view, {}) | rounded
    target = folder / run.name
    target.mkdir(parents=True, exist_ok=True)
    record |= {"views": stored, "encoder": run.encoder, "seed": run.seed}
    write_file(target / RECORD, to_json(record, indent=1))


def recording_in(folder: Path, name: str) -> dict[str, Any] | None:
    """Read the recording of a run in a folder of runs; None if there is none."""
    path = folder / name / RECORDING
    return json.loads(gzip.decompress(path.read_bytes())) if path.is_file() else None


def value_of(record: Record, variant: Variant, metric: str) -> float | None:
    """Return a variant's value from a record; None if it was not measured.

    This is the value of the probe at ``variant.at``, if the variant has a step; else the final
    measure of its representation; else, for a method's own representation, the last value of the
    probe, or a number of the whole run such as ``"warned"``.
    """
    metric = variant.metric or metric
    if variant.at is not None:
        return _value_at(record, variant.at, metric)
    measures = record.get("views", {}).get(variant.view, {})
    if metric == "cosine_separation":
        # A wider cloud has wider gaps, so gaps are compared in units of the spread.
        known = {"cosine_gap", "cosine_spread"} <= measures.keys()
        return float(measures["cosine_gap"] / measures["cosine_spread"]) if known else None
    final: float | None = measures.get(metric)
    if final is not None or variant.view != "own":
        return final
    probed = list(column_of(record, metric).values())
    if probed and metric == "distance":
        return _summed_distance(record, probed[-1])
    return float(probed[-1]) if probed else record.get(metric)


def _summed_distance(record: Record, distance: float) -> float | None:
    """Return a run's distance as a sum over its trained weights; None if these are not known."""
    if record.get("config", {}).get("reg_reduce") != "mean":
        return distance
    weights = TRAINED_WEIGHTS.get(record.get("encoder", ""))
    return None if weights is None else distance * weights / WEIGHTS_OF_BERT_BASE


def _value_at(record: Record, at: int | list[int], metric: str) -> float | None:
    """Return a measure of the probe at a step, or its change between two steps."""
    values = column_of(record, metric)
    first_step = record.get("first", {})
    if metric in first_step:
        # Measures of a batch begin at step 1, where the probe does not measure.
        values.setdefault(1, float(first_step[metric]))
    steps = [at] if isinstance(at, int) else at
    if not all(step in values for step in steps):
        return None
    if len(steps) == 1:
        return values[steps[0]]
    return values[steps[1]] - values[steps[0]]


def column_of(record: Record, name: str) -> dict[int, float]:
    """Return a column of the history by step; empty if it was not measured."""
    history = record.get("history", {})
    pairs = zip(history.get("step", ()), history.get(name, ()), strict=False)
    return {int(step): float(value) for step, value in pairs if value is not None}


def circumstances(records: Iterable[Record]) -> str:
    """Return date, machine and precision of trained runs as text; where they differ, all."""
    texts = []
    for record in records:
        if "method" in record:
            # The oldest runs did not note their machine.
            facts = (record.get(name) for name in ("date", "machine", "precision"))
            texts.append("; ".join(filter(None, facts)))
    return "; or ".join(dict.fromkeys(texts))
