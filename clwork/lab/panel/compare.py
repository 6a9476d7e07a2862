"""Runs to compare the panel's run with: the previous run, a chosen run, and the band of stored runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import columns, methods, reference_runs
from ...data.sources import DEFAULT
from ...events import moves
from ...recordings import recorded_methods, recording
from ...reference_runs import ReferenceRun
from ...run_folder.stored import ACTIVE, Stored, stored_runs
from ...training import Run, open_run
from ...training.starting import live_runs, view_run
from ...views.reference import band_of
from ..page.labels import titles
from .recorded import LONGEST, checked_recording
from .run_sources import CURVES, Part, RecordedSource, RunSource, Source, table

MOST = 100  # runs in the list, the newest ones
RECORDED = "recorded:"
HEALTHY = "clwork/verdict-spares-healthy-runs"  # this claim has an arm for each method with default settings
COMPARED = (
    "encoder",
    "sentences",
    "batch_size",
)  # curves of runs that differ in these cannot be compared
BAND_POINTS, FEWEST_SEEDS = 60, 3
SAME, MOVES_SHOWN = "the same settings", 3


class PreviousRun(NamedTuple):
    """The run drawn in grey: ``part`` is sent to the page, ``settings`` are the settings of the run."""

    id: str
    part: Part
    settings: Mapping[str, Any]
    moves: str


def previous_run(
    id_: str,
    name: str,
    rows: Sequence[Any],
    steps: int,
    settings: Mapping[str, Any],
    moves: str = "",
) -> PreviousRun:
    """Make the message about a run that is drawn in grey: its name and its curves."""
    return PreviousRun(
        id_,
        {"id": id_, "name": name, "total_steps": steps, "rows": table(rows, 0)},
        settings,
        moves,
    )


def settings_of(run: Run) -> dict[str, Any]:
    """Return the settings with which a run began."""
    recipe = run.recipe
    own = {"method": run.method, "encoder": recipe.encoder, "sentences": recipe.sentences.label}
    return {**own, "steps": recipe.steps, "seed": recipe.seed, **recipe.config}


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    short = {
        name: [
            f"{one[name]:.12g}" if isinstance(one[name], float) else str(one[name])[:60]
            for one in (old, new)
        ]
        for name in new
        if name in old and old[name] != new[name]
    }
    texts = [f"{name.replace('_', ' ')} {before} → {now}" for name, (before, now) in short.items()]
    return "; ".join(texts) or SAME


def moves_of(run: Run) -> str:
    """Return as text the last controls that were moved during a run, each with its step; empty if there are none."""
    begin = -1 if run.recipe.parent is None else run.recipe.parent.step
    rows = ((row["step"], moves(row)) for row in run.records() if row["step"] > begin)
    told = [f"{text} at step {step}" for step, text in rows if text]
    return ", ".join(["…"] * (len(told) > MOVES_SHOWN) + told[-MOVES_SHOWN:])


def with_moves(text: str, moved: Mapping[str, str]) -> str:
    """Append to the differences at the beginning of two runs the controls that each has moved later."""
    told = [f"{run} moved {what}" for run, what in moved.items() if what]
    return "; ".join([f"{SAME} at first" if told and text == SAME else text, *told])


def unlike(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Return as text why the curves of two runs cannot be compared; empty if they can."""
    found = [name for name in COMPARED if name in old and old[name] != new.get(name, old[name])]
    return changes({name: old[name] for name in found}, new) if found else ""


def difference(other: Source, drawn: Run | None) -> str:
    """Return as text the settings in which ``other`` differs from the drawn run; for a recording, its method."""
    if isinstance(other, RecordedSource):
        return str(other.recording["title"])
    if drawn is None:
        return ""
    moved = {"A": moves_of(drawn), "B": moves_of(other.run)}
    return with_moves(changes(settings_of(drawn), settings_of(other.run)), moved)


def source_of(id_: str) -> Source:
    if not id_.startswith(RECORDED):
        live = [run for run in live_runs() if str(run.folder) == id_]
        return RunSource(live[0] if live else view_run(open_run(id_)))
    method = id_.removeprefix(RECORDED)
    if method not in recorded_methods():
        raise ValueError(
            f"{method!r} has no recorded run; choose one of {', '.join(recorded_methods())}"
        )
    return RecordedSource(checked_recording(recording(method)), id_)


def comparable_runs(drawn: str) -> Part:
    """List the runs except ``drawn`` (an id), newest first, then the recorded runs."""
    found, _ = stored_runs()
    known = {run.folder for run in found}
    found = [
        *found,
        *(Stored(run.folder) for run in live_runs() if run.folder not in known),
    ]  # saved in other folders
    newest = sorted(found, key=lambda run: run.recipe.created, reverse=True)[:MOST]
    named = titles([{**run.settings, "seed": run.recipe.seed} for run in newest]) if newest else []
    listed = [
        _row(run, name) for run, name in zip(newest, named, strict=True) if str(run.folder) != drawn
    ]
    for method in recorded_methods():
        if RECORDED + method != drawn:
            title = methods.get(method).title
            listed.append(
                {
                    "id": RECORDED + method,
                    "name": "recorded run",
                    "differs": title,
                    "status": "recorded",
                }
            )
    return {"runs": listed}


def _row(run: Stored, differs: str) -> dict[str, Any]:
    at = (
        ""
        if run.status in ACTIVE or run.step == run.total_steps
        else f", step {run.step} of {run.total_steps}"
    )
    scores = []
    for cell in (
        "loss",
        "validation",
    ):  # the last loss, and the last value of the first validation score
        for column in columns.in_cell(cell):
            seen = [
                row[column.name]
                for row in run.rows
                if isinstance(row.get(column.name), int | float)
            ]
            if seen:
                scores.append([column.label, f"{column.scale * seen[-1]:.3g}"])
                break
    return {
        "id": str(run.folder),
        "name": run.name,
        "differs": differs[:LONGEST],
        "status": run.status + at,
        "fork": "" if run.parent is None else f"fork of {run.parent.run} at step {run.parent.step}",
        "scores": scores,
    }


def bands_of(method: str) -> Part:
    """Return bands that would contain 95 of 100 new seeds of the method at its defaults; empty without stored runs."""
    usual = (
        runs
        for runs in reference_runs.stored_runs(HEALTHY).values()
        if _at_defaults(runs[0], method)
    )
    stored: list[ReferenceRun] = next(usual, [])
    if len(stored) < FEWEST_SEEDS:
        return {}
    drawn = {}
    for column in CURVES:
        band = band_of(stored, column)
        if band.seeds == len(stored) and len(band.steps) > 2:  # start and end alone are no course
            places = np.unique(np.linspace(0, len(band.steps) - 1, BAND_POINTS).round().astype(int))
            low, high = (end[places].round(4).tolist() for end in (band.low, band.high))
            drawn[column] = {
                "steps": band.steps[places].astype(int).tolist(),
                "low": low,
                "high": high,
            }
    return {"name": f"{len(stored)} runs at the defaults", "columns": drawn}


def _at_defaults(run: ReferenceRun, method: str) -> bool:
    record = run.record
    return (record.get("method"), record.get("config"), record.get("data")) == (method, {}, DEFAULT)
