"""What an instrument says of a run, as plain text."""

from __future__ import annotations

from ...metrics import Diagnosis
from ...training import Run
from ...training.stored.stored import AT_WORK
from ...wording import duration

READY = "Ready. Press Start; most knobs may be moved while it trains."


def state(run: Run | None) -> str:
    """One sentence on what the run does, and what can be done next."""
    if run is None:
        return READY
    if not run.alive and run.status in AT_WORK:
        return (
            f"{run.name} is trained by another process. This is how it stood at step {run.step}; "
            "open it again for more."
        )
    sentences = {
        "waiting": f"{run.name} is {_waiting(run)}",
        "running": f"{run.name} {_running(run)}",
        "paused": f"{run.name} is paused at step {run.step}.",
        "stopped": f"{run.name} was stopped {_where(run)}. All settings are kept: press Start for a new run.",
        "finished": f"{run.name} is finished. {_best(run)}",
        "failed": f"{run.name} failed. {run.error or ''} All settings are kept: change one and press Start.",
    }
    return sentences.get(run.status, f"{run.name} did not come to its end. This is how it stood at step {run.step}.")


def time_left(run: Run) -> str:
    """The estimated time for the remaining steps, or what delays them now; empty where neither is known."""
    step, total = run.step, run.total_steps
    if not run.alive or run.status not in ("running", "paused"):
        return ""
    if delay := "paused" if run.status == "paused" else run.busy_with:
        return delay
    seconds = next((float(row.get("seconds", 0.0)) for row in run.records(-1)), 0.0)  # of work: pauses are left out
    return f"{duration(seconds / step * (total - step))} left" if seconds and 0 < step < total else ""


def sign(diagnosis: Diagnosis) -> str:
    """Whether a diagnosis is good, bad, or too early to be either."""
    early = diagnosis.trend is not None and diagnosis.trend.course == "too early"
    return "bad" if diagnosis.warns else "early" if early else "good"


def _running(run: Run) -> str:
    """What a run does now: steps, or work before the first and after the last."""
    if run.step == 0 and run.busy_with:
        return f"is ready to train: its {run.busy_with} comes before the first step."
    if run.step == run.total_steps:
        return "has done all its steps." + (f" What is left is its {run.busy_with}." if run.busy_with else "")
    return "is training. Move a knob and watch the curves answer."


def _waiting(run: Run) -> str:
    """What a run prepares before its first step, with progress."""
    if (progress := run.preparing) is None:
        return "reading its encoder and corpus; this takes some seconds."
    text = f"{progress.work}: {progress.done} of {progress.total}"
    if 0 < progress.done < progress.total:
        text += f", about {duration(progress.seconds / progress.done * (progress.total - progress.done))} left"
    return f"{text}. Its own steps come then; Stop ends this too."


def _where(run: Run) -> str:
    return f"at step {run.step}" if run.step or run.records() else "before its first step"


def _best(run: Run) -> str:
    best = run.best
    if not best:
        return "It was never validated, so no checkpoint was chosen."
    return f"Checkpoint kept: step {best['step']} ({best.get('rule', '')})."
