"""What is trained and measured: the units of the claims, with all controls and the measures of classifiers."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, get_args

from clwork import claims
from clwork.claims.arms import Unit
from clwork.claims.measures import ON_TASK
from clwork.claims.records import TEXTCNN, measured_views, record_name, untrained_name
from clwork.metrics.post_processing import Kind
from clwork.reference_runs import stored_records

from .transfer import TRANSFER, measure_transfer

# Controls for every score: post-processings of every arm's vectors, and untrained representations.
POSTS = ("", *(f", {post}" for post in (*get_args(Kind), ON_TASK)))
UNTRAINED = ("cls_before_pooler", "mean", "first_last")
UNTRAINED_TEXTCNN = ("max", "word average")


@dataclass(frozen=True)
class Wide(Unit):
    """A unit that is also measured by classifiers: ``transfer`` has views with their measures."""

    transfer: tuple[tuple[str, str], ...] = ()

    def missing(self, folder: Path, data: Path | None) -> bool:
        """Whether a view or a measure that ``data`` allows is not measured in ``folder``."""
        return super().missing(folder, data) or bool(self.unclassified(folder, data))

    def unclassified(self, folder: Path, data: Path | None) -> dict[str, list[str]]:
        """Return the measures of classifiers that are missing, by view."""
        known = measured_views(folder, self.name)
        found: dict[str, list[str]] = {}
        for view, measure in self.transfer if data is not None else ():
            if measure not in known.get(view, {}):
                found.setdefault(view, []).append(measure)
        return found

    def do(self, folder: Path, data: Path | None, bar: Any) -> None:
        """Do the unit, then train the classifiers."""
        if super().missing(folder, data):
            super().do(folder, data, bar)
        for view, measures in self.unclassified(folder, data).items():
            assert data is not None
            encoder = self.load(folder, data, bar)
            pooling = None if view == "own" else view
            self.add(folder, {view: measure_transfer(encoder, pooling, measures, data)})


def widened(
    units: Iterable[Unit], chosen: Sequence[claims.Claim], options: argparse.Namespace
) -> list[Wide]:
    """Return the units with all controls, the untrained encoders, and the measures of classifiers."""
    transfer: dict[str, dict[tuple[str, str], None]] = {}
    for claim, seed in product(chosen, range(options.seeds)):
        for arm in claim.arms.values():
            measure = arm.metric or claim.metric.name
            if measure in TRANSFER:
                name = str(record_name(claim, arm, seed, steps=options.steps))
                transfer.setdefault(name, {})[arm.view, measure] = None
    poolings: dict[str, dict[str, None]] = {}
    every: dict[str, Unit] = {}
    for unit in units:
        own = poolings.setdefault(unit.name, {})
        own |= dict.fromkeys(view.partition(", ")[0] for view in unit.views)
        every[unit.name] = unit
        if unit.views:
            untrained = untrained_name(unit.encoder, unit.seed)
            controls = UNTRAINED_TEXTCNN if unit.encoder.startswith(TEXTCNN) else UNTRAINED
            poolings.setdefault(untrained, {}).update(dict.fromkeys(controls))
            every.setdefault(untrained, Unit(untrained, None, unit.encoder, unit.seed, ()))
    found = []
    for name, unit in every.items():
        views = [pooling + post for pooling in poolings[name] for post in POSTS]
        measures = tuple(transfer.get(name, ()))
        found.append(Wide(name, unit.run, unit.encoder, unit.seed, tuple(views), measures))
    return sorted(found, key=lambda unit: unit.run is not None)


def do(unit: Unit, folder: Path, data: Path | None) -> tuple[str, float, str]:
    """Do a unit in this process; returns its name, seconds, and the error."""
    import torch
    from tqdm import tqdm

    torch.set_num_threads(1)
    started = time.perf_counter()
    try:
        unit.do(folder, data, tqdm(disable=True))
    except (
        Exception
    ) as error:  # one arm without its corpus, or diverged, is one line, whatever it is
        return unit.name, time.perf_counter() - started, f"{type(error).__name__}: {error}"
    return unit.name, time.perf_counter() - started, ""


def work(units: Sequence[Unit], options: argparse.Namespace) -> int:
    """Do all missing units, several at the same time; returns how many failed."""
    left = [unit for unit in units if unit.missing(options.folder, options.data)]
    steps = sum(unit.steps for unit in left)
    done = failed = 0
    started = time.perf_counter()
    print(f"{len(units)} runs and encoders, {len(left)} of them to do: {steps} steps", flush=True)
    lengths = {unit.name: unit.steps for unit in left}
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        for ended in as_completed(
            [pool.submit(do, unit, options.folder, options.data) for unit in left]
        ):
            name, seconds, error = ended.result()
            done, failed = done + lengths[name], failed + bool(error)
            pace = (time.perf_counter() - started) / max(1, done)
            to_go = f"about {pace * (steps - done) / 60:.0f} minutes left"
            print(
                f"{name}: {f'FAILED: {error}' if error else f'{seconds:.0f} s'}; {to_go}",
                flush=True,
            )
    return failed


def repetitions(units: Sequence[Wide], precision: str) -> list[Wide]:
    """Return those of the units whose shipped record has another precision, to be done at this one."""
    found = []
    for unit in units:
        stored = stored_records().get(unit.name, {})
        if unit.run is not None and stored.get("precision", precision) != precision:
            run = replace(unit.run, precision=precision)
            found.append(replace(unit, name=run.name, run=run, transfer=()))
    return found
