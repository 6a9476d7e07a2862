"""Runs to compare the panel's run with: the previous run, a chosen run, the band of stored runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import columns, methods, reference_runs
from ...data.sources import DEFAULT
from ...events import moves
from ...recordings import recorded_methods, recording
from ...reference_runs import ReferenceRun
from ...run_folder.stored import ACTIVE, Stored, open_run, stored_runs
from ...training import Run
from ...training.starting import live_runs, view_run
from ...views.reference import band_of
from ..page.labels import titles
from .recorded import LONGEST, prepared_recording
from .run_sources import CURVES, Part, RecordedSource, RunSource, Source, table

MOST = 100
"""Runs in the list, the newest ones."""
RECORDED = "recorded:"
HEALTHY = "clwork/verdict-spares-healthy-runs"
"""The claim that has a variant for each method with default settings."""
COMPARED = ("encoder", "sentences", "batch_size")
"""Curves of runs that differ in these cannot be compared."""
BAND_POINTS = 60
FEWEST_SEEDS = 3
SAME = "the same settings"
MOVES_SHOWN = 3

Settings = Mapping[str, Any]


class PreviousRun(NamedTuple):
    """The run drawn in grey: ``part`` is sent to the page, ``moves`` are its moved controls."""

    id: str
    part: Part
    settings: Settings
    moves: str


def previous_run(run: Run) -> PreviousRun:
    """Describe a run that becomes grey."""
    part = _grey(str(run.folder), run.name, list(run.records()), run.total_steps)
    return PreviousRun(part["id"], part, settings_of(run), moves_of(run))


def recorded_run(method: str, recorded: Mapping[str, Any], defaults: Settings) -> PreviousRun:
    """Describe the recorded run of a method, which is grey behind the first run."""
    part = _grey(RECORDED + method, "recorded run", recorded["rows"], recorded["total_steps"])
    length = {"steps": recorded["total_steps"], "seed": recorded["seed"]}
    return PreviousRun(part["id"], part, {**defaults, **length, **recorded["settings"]}, "")


def _grey(id_: str, name: str, rows: Sequence[Any], steps: int) -> Part:
    return {"id": id_, "name": name, "total_steps": steps, "rows": table(rows, 0)}


def default_settings(method: str) -> dict[str, Any]:
    """Return the settings of a run without any choice of the reader."""
    encoder = methods.get(method).default_encoder
    own = {"method": method, "encoder": encoder, "sentences": DEFAULT}
    return {**own, **vars(methods.config(method, encoder))}


def settings_of(run: Run) -> dict[str, Any]:
    """Return the settings with which a run began."""
    run_config = run.run_config
    return {
        "method": run.method,
        "encoder": run_config.encoder,
        "sentences": run_config.sentences.label,
        "steps": run_config.steps,
        "seed": run_config.seed,
        **run_config.config,
    }


def changes(old: Settings, new: Settings) -> str:
    """Return as text the settings that two runs have with different values."""
    texts = []
    for name in new:
        if name in old and old[name] != new[name]:
            before, now = _short(old[name]), _short(new[name])
            texts.append(f"{name.replace('_', ' ')} {before} → {now}")
    return "; ".join(texts) or SAME


def _short(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)[:60]


def moves_of(run: Run) -> str:
    """Return as text the last controls that were moved during a run, each with its step."""
    begin = -1 if run.run_config.parent is None else run.run_config.parent.step
    texts = []
    for row in run.records():
        moved = moves(row)
        if moved and row["step"] > begin:
            texts.append(f"{moved} at step {row['step']}")
    if len(texts) > MOVES_SHOWN:
        texts = ["…", *texts[-MOVES_SHOWN:]]
    return ", ".join(texts)


def with_moves(text: str, moved: Mapping[str, str]) -> str:
    """Append to the differences at the start the controls that each run has moved later."""
    later = [f"{run} moved {what}" for run, what in moved.items() if what]
    if later and text == SAME:
        text = f"{SAME} at first"
    return "; ".join([text, *later])


def changes_since(previous: PreviousRun, run: Run) -> str:
    """Return as text what distinguishes a run from the grey one."""
    moved = {"this run": moves_of(run), "the previous one": previous.moves}
    return with_moves(changes(previous.settings, settings_of(run)), moved)


def difference(other: Source, drawn: Run | None) -> str:
    """Return as text what distinguishes ``other`` from the drawn run: a recording's method."""
    if isinstance(other, RecordedSource):
        return str(other.recording["title"])
    if drawn is None:
        return ""
    moved = {"A": moves_of(drawn), "B": moves_of(other.run)}
    return with_moves(changes(settings_of(drawn), settings_of(other.run)), moved)


def unlike(old: Settings, new: Settings) -> str:
    """Return as text why the curves of two runs cannot be compared; empty if they can."""
    names = [name for name in COMPARED if name in old and old[name] != new.get(name, old[name])]
    return changes({name: old[name] for name in names}, new) if names else ""


def source_of(id_: str) -> Source:
    """Return the source of a listed run, by the id that its row has.

    Raises:
        ValueError: no method of this name has a recorded run.
    """
    if not id_.startswith(RECORDED):
        live = [run for run in live_runs() if str(run.folder) == id_]
        return RunSource(live[0] if live else view_run(open_run(id_)))
    method = id_.removeprefix(RECORDED)
    if method not in recorded_methods():
        known = ", ".join(recorded_methods())
        raise ValueError(f"{method!r} has no recorded run; choose one of {known}")
    return RecordedSource(prepared_recording(recording(method)), id_)


def comparable_runs(drawn: str) -> Part:
    """List the runs except ``drawn`` (an id), newest first, then the recorded runs."""
    listed, _ = stored_runs()
    folders = {run.folder for run in listed}
    # runs of this kernel that are saved in other folders
    listed += [Stored(run.folder) for run in live_runs() if run.folder not in folders]
    newest = sorted(listed, key=lambda run: run.run_config.created, reverse=True)[:MOST]
    settings = [{**run.settings, "seed": run.run_config.seed} for run in newest]
    names = titles(settings) if settings else []
    rows = [_row(run, name) for run, name in zip(newest, names, strict=True)]
    rows += [_recorded_row(method) for method in recorded_methods()]
    return {"runs": [row for row in rows if row["id"] != drawn]}


def _recorded_row(method: str) -> Part:
    return {
        "id": RECORDED + method,
        "name": "recorded run",
        "differs": methods.get(method).title,
        "status": "recorded",
    }


def _row(run: Stored, differs: str) -> Part:
    status = run.status
    if status not in ACTIVE and run.step != run.total_steps:
        status += f", step {run.step} of {run.total_steps}"
    fork = "" if run.parent is None else f"fork of {run.parent.run} at step {run.parent.step}"
    scores = [_last_score(run, cell) for cell in ("loss", "validation")]
    return {
        "id": str(run.folder),
        "name": run.name,
        "differs": differs[:LONGEST],
        "status": status,
        "fork": fork,
        "scores": [score for score in scores if score],
    }


def _last_score(run: Stored, cell: str) -> list[str]:
    """Return label and last value of the first column of a chart that the run has measured."""
    for column in columns.in_cell(cell):
        values = [row[column.name] for row in run.rows if column.name in row]
        if values:
            return [column.label, f"{column.scale * values[-1]:.3g}"]
    return []


def bands_of(method: str) -> Part:
    """Return bands that would contain 95 of 100 new seeds of the method at its defaults."""
    stored = next(
        (
            runs
            for runs in reference_runs.stored_runs(HEALTHY).values()
            if _at_defaults(runs[0], method)
        ),
        [],
    )
    if len(stored) < FEWEST_SEEDS:
        return {}
    drawn = {}
    for column in CURVES:
        band = band_of(stored, column)
        # a column that was measured at the ends only has no course
        if band.seeds == len(stored) and len(band.steps) > 2:
            points = np.linspace(0, len(band.steps) - 1, BAND_POINTS).round().astype(int)
            points = np.unique(points)
            drawn[column] = {
                "steps": band.steps[points].astype(int).tolist(),
                "low": band.low[points].round(4).tolist(),
                "high": band.high[points].round(4).tolist(),
            }
    return {"name": f"{len(stored)} runs at the defaults", "columns": drawn}


def _at_defaults(run: ReferenceRun, method: str) -> bool:
    record = run.record
    return (record.get("method"), record.get("config"), record.get("data")) == (method, {}, DEFAULT)
