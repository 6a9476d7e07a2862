"""The status of a run and its latest measurements, as plain text."""

from __future__ import annotations

from typing import Any

from ... import columns
from ...columns import History
from ...training import Run
from ...training.stored import AT_WORK
from ...wording import duration, plural
from .run_sources import CURVES, Part

READY = "Ready. Press Start; most controls can be moved while it trains."


def state(run: Run | None) -> str:
    """One sentence on what the run does, and what can be done next."""
    if run is None:
        return READY
    if not run.alive and run.status in AT_WORK:
        return (
            f"{run.name} is trained by another process. This is its state at step {run.step}; open it again for more."
        )
    stopped = f"at step {run.step}" if run.step or run.records() else "before its first step"
    best = f"Saved checkpoint: step {run.best['step']} ({run.best.get('rule', '')})." if run.best else ""
    sentences = {
        "waiting": _waiting(run),
        "running": _running(run),
        "paused": f"is paused at step {run.step}.",
        "stopped": f"was stopped {stopped}. All settings stay: press Start for a new run.",
        "finished": f"is finished. {best or 'It was never validated, so no checkpoint was chosen.'}",
        "failed": f"failed. {run.error or ''} All settings stay: change one and press Start.",
    }
    return f"{run.name} {sentences.get(run.status, f'did not end. This is its state at step {run.step}.')}"


def _running(run: Run) -> str:
    if run.step == 0 and run.busy_with:
        return f"is ready to train: its {run.busy_with} comes before the first step."
    if run.step == run.total_steps:
        return "has done all its steps." + (f" What is left is its {run.busy_with}." if run.busy_with else "")
    return "is training. Move a control and watch the curves respond."


def _waiting(run: Run) -> str:
    if (progress := run.preparing) is None:
        return "is reading its encoder and corpus; this takes some seconds."
    text = f"is {progress.work}: {progress.done} of {progress.total}"
    if 0 < progress.done < progress.total:
        text += f", about {duration(progress.seconds / progress.done * (progress.total - progress.done))} left"
    return f"{text}. Its own steps follow; Stop ends this too."


def time_left(run: Run) -> str:
    """The estimated time for the remaining steps, or what delays them now; empty if neither is known."""
    step, total = run.step, run.total_steps
    if not run.alive or run.status not in ("running", "paused"):
        return ""
    if delay := "paused" if run.status == "paused" else run.busy_with:
        return delay
    seconds = next((float(row.get("seconds", 0.0)) for row in run.records(-1)), 0.0)  # of steps: pauses are left out
    return f"{duration(seconds / step * (total - step))} left" if seconds and 0 < step < total else ""


def measurements(run: Run) -> Part:
    """The newest values as (label, text), what they are measured on, and the further columns as (name, title)."""
    tracks = History(run.records())
    last = ((columns.of(name), tracks.last(name)) for name in columns.shown("numbers"))
    share = tracks.last("probe_share")
    about = [
        measured_on(run.probe, tracks),
        "" if share is None else f"Probes take {100 * share:.1f} % of the time.",
        f"Arithmetic in {run.recipe.precision_why or run.recipe.precision}.",
    ]
    return {
        "values": [[column.label, f"{column.scale * value:.4g}"] for column, value in last if value is not None],
        "about": " ".join(filter(None, about)),
        "columns": [[name, columns.of(name).label] for name in columns.choices(tracks.names, CURVES)],
    }


def measured_on(probe: Any, tracks: History) -> str:
    """The number of sentences and pairs of the geometry, and the values over all of them at start and end."""
    if probe is None:
        return ""
    text = f"Measured: {probe.about}."
    ends = {column.label: tracks.xy(f"{column.name}_all")[1] for column in columns.TABLE}
    pairs, sentences = tracks.last("pairs_all"), tracks.last("sentences_all")
    if pairs is not None and sentences is not None:
        changes = (f"{name} " + " → ".join(f"{v:.3g}" for v in values) for name, values in ends.items() if len(values))
        measured = f"{plural(round(pairs), 'pair')} and {plural(round(sentences), 'sentence')}"
        text += f" On {measured}, at the start and the end: {', '.join(changes)}."
    return text
