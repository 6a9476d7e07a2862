"""The units of work: a run or an untrained encoder of all claims, with controls and classifiers."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import get_args

from clwork import claims
from clwork.claims.measures import ON_TASK, encode_material
from clwork.claims.records import TEXTCNN, VariantRun, add_views, has_view, read_record
from clwork.claims.testing import encoder_of, runs_of
from clwork.metrics.post_processing import Kind
from clwork.reference_runs import stored_records

from .corpora import corpus
from .geometry import material_in, measure
from .transfer import TRANSFER, measure_transfer

# Controls for every score: post-processings of all vectors, and untrained representations.
POSTS = ("", *get_args(Kind), ON_TASK)
UNTRAINED = ("cls_before_pooler", "mean", "first_last")
UNTRAINED_TEXTCNN = ("max", "word average")


@dataclass(frozen=True)
class Unit:
    """A run, or an untrained encoder, with the representations to measure.

    Attributes:
        run: the run, or an encoder without training.
        poolings: poolings to measure, each with all post-processings.
        transfer: pairs of a view and a measure of classifiers on it.
    """

    run: VariantRun
    poolings: tuple[str, ...] = ()
    transfer: tuple[tuple[str, str], ...] = ()

    def missing_posts(self, pooling: str, folder: Path, data: Path | None) -> list[str]:
        """Return the post-processings of a pooling that ``data`` allows and the folder lacks."""
        record = read_record(folder, self.run.name)
        # Without STS data there is no task to whiten on.
        possible = [post for post in POSTS if data is not None or post != ON_TASK]
        rated = data is not None
        return [post for post in possible if not has_view(record, view_of(pooling, post), rated)]

    def missing_transfer(self, folder: Path, data: Path | None) -> list[tuple[str, str]]:
        """Return the views and measures of classifiers that the folder lacks."""
        if data is None:
            return []
        views = read_record(folder, self.run.name).get("views", {})
        return [(view, name) for view, name in self.transfer if name not in views.get(view, {})]

    def is_done(self, folder: Path, data: Path | None) -> bool:
        """Whether all that ``data`` allows is measured in ``folder``."""
        if not read_record(folder, self.run.name).get("views"):
            return False
        if any(self.missing_posts(pooling, folder, data) for pooling in self.poolings):
            return False
        return not self.missing_transfer(folder, data)

    def do(self, folder: Path, data: Path | None) -> None:
        """Train the run if necessary, measure it, and train the classifiers."""
        text = corpus(self.run.data, data) if self.run.steps else None
        encoder = encoder_of(self.run, folder, text)
        add_views(folder, self.run, {})
        material = material_in(data)
        for pooling in self.poolings:
            posts = self.missing_posts(pooling, folder, data)
            if posts:
                encoded = encode_material(encoder, pooling, material)
                views = {view_of(pooling, post): measure(encoded, post, material) for post in posts}
                add_views(folder, self.run, views)
        for pooling, name in self.missing_transfer(folder, data):
            assert data is not None
            measures = measure_transfer(encoder, pooling, [name], data)
            add_views(folder, self.run, {pooling: measures})


def view_of(pooling: str, post: str) -> str:
    """Return the name of a representation; an empty post-processing is none."""
    return f"{pooling}, {post}" if post else pooling


def plan(
    chosen: Iterable[claims.Claim], seeds: Sequence[int], steps: int | None = None
) -> list[Unit]:
    """List the units of claims, untrained encoders first; a run of several claims is one unit."""
    units: dict[str, Unit] = {}
    for claim in chosen:
        for variant, run in runs_of(claim, seeds, steps=steps):
            unit = units.setdefault(run.name, Unit(run))
            poolings = dict.fromkeys((*unit.poolings, variant.represent or "own"))
            transfer = dict.fromkeys(unit.transfer)
            measure_name = variant.metric or claim.metric.name
            if measure_name in TRANSFER:
                transfer[variant.view, measure_name] = None
            units[run.name] = replace(unit, poolings=tuple(poolings), transfer=tuple(transfer))
    for unit in list(units.values()):
        _add_controls(units, unit.run)
    return sorted(units.values(), key=lambda unit: unit.run.steps > 0)


def _add_controls(units: dict[str, Unit], run: VariantRun) -> None:
    """Add the untrained representations of a run's encoder."""
    untrained = VariantRun("untrained", run.encoder, run.seed)
    unit = units.get(untrained.name, Unit(untrained))
    controls = UNTRAINED_TEXTCNN if run.encoder.startswith(TEXTCNN) else UNTRAINED
    poolings = dict.fromkeys((*unit.poolings, *controls))
    units[untrained.name] = replace(unit, poolings=tuple(poolings))


def do(unit: Unit, folder: Path, data: Path | None) -> tuple[str, float, str]:
    """Do a unit in this process; return its name, seconds, and the error."""
    import torch

    torch.set_num_threads(1)
    started = time.perf_counter()
    error = ""
    try:
        unit.do(folder, data)
    except Exception as failure:
        # One variant without its text, or diverged, must not end the others.
        error = f"{type(failure).__name__}: {failure}"
    return unit.run.name, time.perf_counter() - started, error


def work(units: Sequence[Unit], options: argparse.Namespace) -> int:
    """Do all missing units, several at the same time; return how many failed."""
    missing = [unit for unit in units if not unit.is_done(options.folder, options.data)]
    steps_of = {unit.run.name: unit.run.steps for unit in missing}
    steps = sum(steps_of.values())
    counts = f"{len(units)} runs and encoders, {len(missing)} of them to do"
    print(f"{counts}: {steps} steps", flush=True)
    steps_done = 0
    failed = 0
    started = time.perf_counter()
    # Processes that are spawned have no threads of this one, which torch could wait for.
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        tasks = [pool.submit(do, unit, options.folder, options.data) for unit in missing]
        for task in as_completed(tasks):
            name, seconds, error = task.result()
            steps_done += steps_of[name]
            failed += bool(error)
            outcome = f"FAILED: {error}" if error else f"{seconds:.0f} s"
            seconds_per_step = (time.perf_counter() - started) / max(1, steps_done)
            minutes = seconds_per_step * (steps - steps_done) / 60
            print(f"{name}: {outcome}; about {minutes:.0f} minutes left", flush=True)
    return failed


def repetitions(units: Sequence[Unit], precision: str) -> list[Unit]:
    """Return those units whose stored record has another precision, to be done at this one."""
    repeated = []
    for unit in units:
        stored = stored_records().get(unit.run.name, {})
        # An untrained encoder has no precision.
        if unit.run.steps and stored.get("precision", precision) != precision:
            run = replace(unit.run, precision=precision)
            repeated.append(replace(unit, run=run, transfer=()))
    return repeated
