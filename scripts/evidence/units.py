"""What is trained and measured: the cells of all claims, with controls and classifiers."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import get_args

from clwork import claims
from clwork.claims.ledger import Variant
from clwork.claims.measures import ON_TASK
from clwork.claims.records import TEXTCNN, add_views, read_record, untrained_name
from clwork.claims.testing import Cell, cells_of, complete, train_variant
from clwork.encoders import load_encoder
from clwork.metrics.post_processing import Kind
from clwork.reference_runs import stored_records

from .corpora import corpus
from .transfer import TRANSFER, measure_transfer

# Controls for every score: post-processings of all vectors, and untrained representations.
POSTS = ("", *(f", {post}" for post in (*get_args(Kind), ON_TASK)))
UNTRAINED = ("cls_before_pooler", "mean", "first_last")
UNTRAINED_TEXTCNN = ("max", "word average")


@dataclass(frozen=True)
class Unit:
    """A run, or an untrained encoder, with the representations to measure.

    ``transfer`` has pairs of a representation and a measure of classifiers.
    """

    cell: Cell
    poolings: tuple[str, ...] = ()
    transfer: tuple[tuple[str, str], ...] = ()

    @property
    def steps(self) -> int:
        return 0 if self.cell.run is None else self.cell.run.steps

    def is_done(self, folder: Path, data: Path | None) -> bool:
        """Whether all that ``data`` allows is measured in ``folder``."""
        views = read_record(folder, self.cell.name).get("views", {})
        needed = "silver" if data is None else "stsb"
        measured = all(
            needed in views.get(f"{pooling}{post}", {})
            for pooling in self.poolings
            for post in POSTS
            if data is not None or not post.endswith(ON_TASK)
        )
        classified = data is None or all(
            measure in views.get(view, {}) for view, measure in self.transfer
        )
        return bool(views) and measured and classified

    def do(self, folder: Path, data: Path | None) -> None:
        """Train the run if necessary, measure it, and train the classifiers."""
        cell, text_of = self.cell, partial(corpus, folder=data)
        views = [f"{pooling}{post}" for pooling in self.poolings for post in POSTS]
        complete(cell, views, folder, data, text_of)
        if data is None:
            return
        for view, measure in self.transfer:
            if measure in read_record(folder, cell.name)["views"].get(view, {}):
                continue
            if cell.run is None:
                encoder = load_encoder(cell.encoder, seed=cell.seed)
            else:
                encoder = train_variant(cell.run, folder, text_of(cell.run.data))
            pooling = None if view == "own" else view
            measures = measure_transfer(encoder, pooling, [measure], data)
            add_views(folder, cell.name, {view: measures}, cell.encoder, cell.seed)


def plan(
    chosen: Iterable[claims.Claim], seeds: Sequence[int], steps: int | None = None
) -> list[Unit]:
    """List the units of claims, untrained encoders first; a run of several claims is one unit."""
    units: dict[str, Unit] = {}
    for claim in chosen:
        for cell in cells_of(claim, seeds, steps=steps, only_included=False):
            pooling = cell.variant.represent or "own"
            unit = units.setdefault(cell.name, Unit(cell))
            transfer = unit.transfer
            measure = cell.variant.metric or claim.metric.name
            if measure in TRANSFER:
                transfer = (*transfer, (cell.variant.view, measure))
            poolings = dict.fromkeys((*unit.poolings, pooling))
            transfer = tuple(dict.fromkeys(transfer))
            units[cell.name] = replace(unit, poolings=tuple(poolings), transfer=transfer)
    for unit in list(units.values()):
        _add_controls(units, unit.cell)
    return sorted(units.values(), key=lambda unit: unit.cell.run is not None)


def _add_controls(units: dict[str, Unit], cell: Cell) -> None:
    """Add the untrained representations of a cell's encoder."""
    name = untrained_name(cell.encoder, cell.seed)
    untrained = Cell(Variant("untrained", "untrained"), cell.seed, name, None, cell.encoder)
    unit = units.get(name, Unit(untrained))
    controls = UNTRAINED_TEXTCNN if cell.encoder.startswith(TEXTCNN) else UNTRAINED
    units[name] = replace(unit, poolings=tuple(dict.fromkeys((*unit.poolings, *controls))))


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
    return unit.cell.name, time.perf_counter() - started, error


def work(units: Sequence[Unit], options: argparse.Namespace) -> int:
    """Do all missing units, several at the same time; return how many failed."""
    left = [unit for unit in units if not unit.is_done(options.folder, options.data)]
    steps = sum(unit.steps for unit in left)
    done = failed = 0
    started = time.perf_counter()
    print(f"{len(units)} runs and encoders, {len(left)} of them to do: {steps} steps", flush=True)
    lengths = {unit.cell.name: unit.steps for unit in left}
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        tasks = [pool.submit(do, unit, options.folder, options.data) for unit in left]
        for task in as_completed(tasks):
            name, seconds, error = task.result()
            done += lengths[name]
            failed += bool(error)
            pace = (time.perf_counter() - started) / max(1, done)
            outcome = f"FAILED: {error}" if error else f"{seconds:.0f} s"
            minutes = pace * (steps - done) / 60
            print(f"{name}: {outcome}; about {minutes:.0f} minutes left", flush=True)
    return failed


def repetitions(units: Sequence[Unit], precision: str) -> list[Unit]:
    """Return those units whose stored record has another precision, to be done at this one."""
    repeated = []
    for unit in units:
        stored = stored_records().get(unit.cell.name, {})
        if unit.cell.run is not None and stored.get("precision", precision) != precision:
            run = replace(unit.cell.run, precision=precision)
            cell = replace(unit.cell, name=run.name, run=run)
            repeated.append(replace(unit, cell=cell, transfer=()))
    return repeated
