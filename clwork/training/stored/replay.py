"""Repeat a stored run from its start, and compare the losses."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ...edges import checked
from ...events import ARROW, events_of
from ..disk.folder import RunFolder, run_name
from ..disk.recipe import Recipe
from ..disk.record import Record, compared
from ..disk.run_files import names_of
from ..disk.schema import Parent, Value
from ..loop.outside import Outside
from ..loop.precision import versions
from ..loop.preparation import RunInputs, read_config
from ..run.arguments import handed
from ..run.run import Run
from ..run.start import watch
from .stored import RunSource, as_run


@checked(name=run_name)
def replay(folder: RunSource, *, name: str | None = None, sentences: Any = None) -> Run:
    """Repeat a stored run from its start, on a CPU, in a run of its own, and compare the losses step by step.

    Controls are moved at the steps at which they were moved then, and it ends after the last recorded step. The
    returned run's ``replayed`` says how the two compare; where a loss differs, a warning says so as well. Equal numbers
    need a CPU of the same kind, the same number of threads and the same torch: see docs/determinism.md.

    Args:
        folder: the run's folder, or a copy that :meth:`Run.save` made; or the run.
        name: of the replay; default: method and number.
        sentences: as for :func:`clwork.start`; needed only where the run could not store its examples.

    Raises:
        TypeError: no run, or a recording, which holds too little to be replayed.
        FileNotFoundError: the folder holds no run.
        ChangedError: corpus or encoder are no longer what the run began with.
        ValueError: the record is not sufficient: it has no step, goes on from another run's checkpoint, accepted
            another corpus on the way, or holds moved controls as sentences, as records of older runs do.
    """
    files = RunFolder(as_run("folder", folder).folder)
    recipe, rows = Recipe.read(files), Record(files).rows()
    config = read_config(recipe, files)
    moves, examples = _moves(recipe, rows), handed(sentences)
    inputs = RunInputs(recipe.encoder, examples, "cpu", events=({"replayed": recipe.name},), moves=moves)
    Outside(recipe, files, named=inputs.names).check()
    with RunFolder.new(recipe.method, name, None) as own:
        files.copy_parts(own, {*names_of(lambda row: row.given), *files.made_by_method()})
        again = replace(
            recipe,
            name=own.path.name,
            device="cpu",
            parent=Parent(run=recipe.name, step=0),
            versions=versions(),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        again.write(own)
        run = Run(again, own, config, Record(own), inputs)
        run.stop(after=rows[-1]["step"])
    watch(run.start())
    run.replayed = compared(recipe.name, rows, run.records(), recipe.versions, again.versions)
    if run.replayed.differs is not None:
        warnings.warn(str(run.replayed), stacklevel=3)
    return run


def _moves(recipe: Recipe, rows: Sequence[Mapping[str, Any]]) -> dict[int, dict[str, Value]]:
    """Controls that were moved, by the step before which they were."""
    if len(rows) < 2:
        raise ValueError(f"the record of {recipe.name} has no step, so there is nothing to replay")
    if recipe.parent is not None and recipe.parent.step:
        raise ValueError(
            f"{recipe.name} goes on from step {recipe.parent.step} of {recipe.parent.run}, whose checkpoint began it: "
            "replay that run instead, and fork it there again"
        )
    by_step: dict[int, dict[str, Value]] = {}
    for row in rows:
        events = events_of(row)
        words = [str(row.get("event", "")), *(event.get("told", "") for event in events)]
        if any(ARROW in sentence for sentence in words):
            raise ValueError(
                f"{recipe.name} was recorded by an older clwork, in words ({'; '.join(words)[:100]} at step "
                f"{row['step']}): runs in which a control was moved can be replayed only from records of data"
            )
        if any("changed" in event for event in events):
            raise ValueError(
                f"{recipe.name} went on with another corpus or encoder at step {row['step']}, which its folder does "
                "not have: only runs that kept theirs can be replayed"
            )
        for event in events:
            for control, (_, value) in event.get("moved", {}).items():
                by_step.setdefault(row["step"], {})[control] = value
    return by_step
