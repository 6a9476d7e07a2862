"""Runs to compare the panel's run with: the previous run, and a chosen run.

Each run is shown with a text that says how its settings differ, so that a reader knows what a
difference of two curves can come from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ... import columns, methods
from ...data.sources import DEFAULT
from ...events import moves
from ...recordings import recorded_methods, recording
from ...training import Run, open_run
from ...training.run import RUNS
from ...training.starting import view_run
from ...training.stored import ACTIVE, Stored, stored_runs
from ..page.labels import plain, titles
from .recorded import LONGEST, prepared_recording
from .run_sources import Part, RecordedSource, RunSource, Source, table

MOST_LISTED = 100
"""Runs in the list, the newest ones."""
RECORDED = "recorded:"
"""Begins the id of a recorded run, which a method's name completes; other ids are folders."""
MUST_AGREE = ("encoder", "sentences", "batch_size")
"""Curves of runs that differ in these cannot be compared."""
SAME = "the same settings"
LONGEST_VALUE = 60
"""Characters of a setting's value in a text."""
MOVES_SHOWN = 3
"""Moves of controls in a text, the last ones."""

Settings = Mapping[str, Any]
"""Settings of a run by name: method, encoder, corpus, steps, seed and the hyperparameters."""


class PreviousRun(NamedTuple):
    """The earlier run, drawn in grey behind the panel's run.

    Attributes:
        id: the run's folder, or ``RECORDED`` and a method.
        part: its curves and name, as sent to the page.
        settings: the settings with which it began.
        moves: the controls moved during the run, see :func:`moves_of`.
    """

    id: str
    part: Part
    settings: Settings
    moves: str


def previous_run(run: Run) -> PreviousRun:
    """Describe a run that becomes grey."""
    part = _grey_curves(str(run.folder), run.name, list(run.records()), run.total_steps)
    return PreviousRun(part["id"], part, settings_at_start(run), moves_of(run))


def recorded_run(method: str, recorded: Mapping[str, Any]) -> PreviousRun:
    """Describe the recorded run of a method, which is grey behind the reader's first run.

    A setting that the recording does not store has its default.
    """
    defaults = default_settings(method)
    steps = recorded["total_steps"]
    part = _grey_curves(RECORDED + method, "recorded run", recorded["rows"], steps)
    settings = {**defaults, "steps": steps, "seed": recorded["seed"], **recorded["settings"]}
    return PreviousRun(part["id"], part, settings, moves="")


def _grey_curves(id_: str, name: str, rows: Sequence[Any], total_steps: int) -> Part:
    """Return the curves of a run for the page, from all ``rows`` of its history."""
    return {"id": id_, "name": name, "total_steps": total_steps, "rows": table(rows, start=0)}


def default_settings(method: str) -> dict[str, Any]:
    """Return the settings of a run for which the reader chooses nothing."""
    encoder = methods.get(method).default_encoder
    hyperparameters = vars(methods.config(method, encoder))
    return {"method": method, "encoder": encoder, "sentences": DEFAULT, **hyperparameters}


def settings_at_start(run: Run) -> dict[str, Any]:
    """Return the settings with which a run began; controls may have been moved since."""
    configuration = run.run_config
    return {
        "method": run.method,
        "encoder": configuration.encoder,
        "sentences": configuration.sentences.label,
        "steps": configuration.steps,
        "seed": configuration.seed,
        **configuration.config,
    }


def changes(old: Settings, new: Settings) -> str:
    """Return as text the settings that differ, such as "temperature 0.05 → 0.2; seed 0 → 1".

    A setting that only one of the two has is left out: two methods share few hyperparameters.
    """
    texts = []
    for name in new:
        if name in old and old[name] != new[name]:
            before = plain(old[name])[:LONGEST_VALUE]
            now = plain(new[name])[:LONGEST_VALUE]
            texts.append(f"{name.replace('_', ' ')} {before} → {now}")
    return "; ".join(texts) or SAME


def moves_of(run: Run) -> str:
    """Return as text the last controls that were moved during a run, each with its step.

    An example is "temperature 0.05 → 0.2 at step 3"; empty if none was moved.
    """
    parent = run.run_config.parent
    # The rows of a fork begin with those of its parent, up to the step of the fork. A run without
    # parent has its own rows from step 0 on.
    last_foreign_step = -1 if parent is None else parent.step
    texts = []
    for row in run.records():
        moved = moves(row)
        if moved and row["step"] > last_foreign_step:
            texts.append(f"{moved} at step {row['step']}")
    if len(texts) > MOVES_SHOWN:
        texts = ["…", *texts[-MOVES_SHOWN:]]
    return ", ".join(texts)


def with_moves(differences: str, moves_by_run: Mapping[str, str]) -> str:
    """Append to the differences at the start the controls that were moved later.

    Args:
        differences: as returned by :func:`changes`.
        moves_by_run: as returned by :func:`moves_of`, by a word for the run, such as "this run".
    """
    later = [f"{run} moved {moved}" for run, moved in moves_by_run.items() if moved]
    if later and differences == SAME:
        differences = f"{SAME} at first"
    return "; ".join([differences, *later])


def changes_since(previous: PreviousRun, run: Run) -> str:
    """Return as text what distinguishes a run from the grey one."""
    moves_by_run = {"this run": moves_of(run), "the previous one": previous.moves}
    return with_moves(changes(previous.settings, settings_at_start(run)), moves_by_run)


def difference(other: Source, drawn: Run | None) -> str:
    """Return as text what distinguishes ``other`` (B) from the drawn run (A).

    For a recorded run it is only its method's title; it is empty if no run is drawn.
    """
    if isinstance(other, RecordedSource):
        return str(other.recording["title"])
    if drawn is None:
        return ""
    moves_by_run = {"A": moves_of(drawn), "B": moves_of(other.run)}
    differences = changes(settings_at_start(drawn), settings_at_start(other.run))
    return with_moves(differences, moves_by_run)


def why_not_comparable(old: Settings, new: Settings) -> str:
    """Return as text why the curves of two runs cannot be compared; empty if they can."""
    old_values = {name: old[name] for name in MUST_AGREE if name in old}
    differences = changes(old_values, new)
    return "" if differences == SAME else differences


def source_of(id_: str) -> Source:
    """Return the source of a listed run: ``id_`` is a folder, or ``RECORDED`` and a method."""
    if not id_.startswith(RECORDED):
        # A run of this kernel is preferred, since it has its latest rows and probe in memory.
        in_kernel = [run for run in RUNS if str(run.folder) == id_]
        return RunSource(in_kernel[0] if in_kernel else view_run(open_run(id_)))
    method = id_.removeprefix(RECORDED)
    return RecordedSource(prepared_recording(recording(method)), id_)


def comparable_runs(drawn_id: str) -> Part:
    """List the runs that can be drawn next to the drawn one, newest first, then recorded runs."""
    listed = stored_runs()
    folders = {run.folder for run in listed}
    # These are runs of this kernel that are saved in other folders.
    listed += [Stored(run.folder) for run in RUNS if run.folder not in folders]
    newest = sorted(listed, key=lambda run: run.run_config.created, reverse=True)[:MOST_LISTED]
    settings = [{**run.settings, "seed": run.run_config.seed} for run in newest]
    names = titles(settings) if settings else []
    rows = [_row(run, name) for run, name in zip(newest, names, strict=True)]
    for method in recorded_methods():
        title = methods.get(method).title
        id_ = RECORDED + method
        rows.append({"id": id_, "name": "recorded run", "differs": title, "status": "recorded"})
    return {"runs": [row for row in rows if row["id"] != drawn_id]}


def _row(run: Stored, differs: str) -> Part:
    """Return the row of a stored run in the list; ``differs`` is its title among the others."""
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
    """Return label and last value of the first column of a chart that the run has measured.

    ``cell`` is the chart's name in :mod:`clwork.columns`; empty if no column was measured.
    """
    for column in columns.in_cell(cell):
        value = run.columns.last(column.name)
        if value is not None:
            return [column.label, f"{value:.3g}"]
    return []
