"""The run that a panel controls: start, commands, status and latest measurements."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

from ... import columns
from ...columns import History
from ...events import events_of
from ...run_folder.stored import ACTIVE
from ...training import Run, start
from ...wording import duration, explain, plural
from .run_sources import CURVES, Part
from .settings import PanelSettings

SLOW_PACE = 0.5  # seconds from step to step at the speed "slow"
FULL, SLOW = "full", "slow"
READY = "Ready. Press Start; most controls can be changed during the training."
SHORT_RUN = "CLWORK_PANEL_STEPS"  # for automatic runs: most steps of ``start(slowly=True)``; current_run() then blocks
MEASURED = 10  # steps from which the remaining time is known


class RunControl:
    """Starts runs with ``settings``."""

    run: Any = None  # Any, so that callers may write panel.run.history

    def __init__(
        self, settings: PanelSettings, more: Mapping[str, Any], show: Callable[[Run], object]
    ) -> None:
        """Pass ``more`` to :func:`clwork.start` at every start, and call ``show(run)`` with each new run."""
        self._settings, self.more, self._show = settings, more, show
        self._starting: threading.Thread | None = None
        self._stopping = False
        self.speed, self.error = FULL, ""

    @property
    def starting(self) -> bool:
        """Whether a run is being made, that is, its encoder and corpus are being read."""
        return self._starting is not None and self._starting.is_alive()

    @property
    def active(self) -> bool:
        return self.starting or self.alive

    @property
    def alive(self) -> bool:
        return self.run is not None and bool(self.run.alive)

    @property
    def failed_to_start(self) -> bool:
        """Whether the last start failed and no setting was changed since."""
        return bool(self.error) and not self.active

    def start(self, single: bool = False) -> None:
        """Start a run unless one is active; if ``single``, pause it after one step."""
        if self.active:
            return
        self.error, self._stopping = "", False
        self._settings.freeze(True)
        self._starting = threading.Thread(
            target=self._start, args=[single], name="clwork start", daemon=True
        )
        self._starting.start()

    def _start(self, single: bool) -> None:
        """Start the run. This runs in a thread because imports and reading a table may take seconds."""
        settings, values = self._settings, self._settings.values
        try:
            sources = {
                "encoder": settings.encoder.read(),
                "sentences": settings.corpus.read(),
                **self.more,
            }
            length = {name: values[name] for name in ("steps", "seed")}
            run = start(settings.method.name, **length, **sources, **settings.config())
        except Exception as error:
            self.error = explain(error)
            return
        if single:
            run.pause()
            run.step_once(wait=False)
        if self._stopping:
            run.stop()
        now = settings.config()  # hot settings may have changed during the start
        with contextlib.suppress(RuntimeError):  # raised if the run has already ended
            for name in settings.hot:
                setattr(run.controls, name, now[name])
        self._adopt(run)

    def slow_down(self) -> None:
        """Train two steps a second; in automatic runs, reduce the number of steps instead."""
        if most := os.environ.get(SHORT_RUN):
            self._settings.show({"steps": min(self._settings.values["steps"], int(most))})
        else:
            self.set_speed(SLOW)

    def current_run(self) -> Run:
        if self._starting is not None:
            self._starting.join()
        if self.run is None or self.error:
            why = self.error or "press Start in the panel"
            raise RuntimeError(f"there is no run yet: {why}, then run this cell again")
        if os.environ.get(SHORT_RUN):
            self.run.wait()
        found: Run = self.run
        return found

    def step(self) -> None:
        """Train the active run, or a new one, for one step and pause it."""
        if not self.alive:
            self.start(single=True)
            return
        self.run.pause()
        with contextlib.suppress(RuntimeError):  # raised if the run has just made its last step
            self.run.step_once(wait=False)

    def pause(self) -> None:
        """Pause the run, or resume a paused one."""
        if self.alive:
            (self.run.resume if self.run.status == "paused" else self.run.pause)()

    def stop(self) -> None:
        """End the run after the current step, or stop its preparation."""
        self._stopping = True
        if self.run is not None:
            self.run.stop()

    def wait(self, timeout: float | None = None) -> None:
        """Block until the run has ended. An error is not raised; the run's status shows it."""
        if self._starting is not None:
            self._starting.join(timeout)
        if self.run is not None:
            with contextlib.suppress(Exception):
                self.run.wait(timeout)

    def set_speed(self, speed: str) -> None:
        """Train at full speed, or at ``SLOW_PACE`` to watch each step."""
        self.speed = SLOW if speed == SLOW else FULL
        if self.alive:
            self.run.pace = SLOW_PACE if self.speed == SLOW else 0

    def fork(self, parent: Run | None, step: int, stop: bool = False) -> None:
        """Fork ``parent`` at ``step`` with the present settings; an active run is stopped only if ``stop``."""
        if parent is None:
            raise RuntimeError("there is no run yet to fork: press Start")
        if self.starting:
            raise RuntimeError("a run is being started: fork once it trains")
        if self.alive and not stop:
            raise RuntimeError(f"{self.run.name} is active, and a fork would end it: stop it first")
        before, now = parent.settings_at(step), self._settings.config()
        changed = {name: value for name, value in now.items() if before.get(name) != value}
        steps = max(self._settings.values["steps"], step + 1)
        child = parent.fork(step, repeat=True, steps=steps, **changed)
        if self.run is not None:
            self.run.stop()
        self._adopt(child)

    def state(self) -> Part:
        """Return the run status for the page; it is small because every reply contains it."""
        run = None if self.starting or self.failed_to_start else self.run
        name = "starting" if self.starting else "ready" if run is None else run.status
        sentence = "Starting …" if self.starting else sentence_of(run)
        return {
            "status": name,
            "alive": self.active,
            "step": 0 if run is None else run.step,
            "total": self._settings.values["steps"] if run is None else run.total_steps,
            "sentence": f"It did not start. {self.error}" if self.failed_to_start else sentence,
            "left": "" if run is None else time_left(run),
            "trouble": self.failed_to_start or name == "failed",
            "speed": self.speed,
        }

    def _adopt(self, run: Run) -> None:
        run.pace = SLOW_PACE if self.speed == SLOW else 0
        self._show(run)


def sentence_of(run: Run | None) -> str:
    """Return one sentence about the run's status and the possible next action."""
    if run is None:
        return READY
    if not run.alive and run.status in ACTIVE:
        return f"{run.name} is trained by another process. The page shows step {run.step}; open it again for more."
    stopped = f"at step {run.step}" if run.step or run.records() else "before its first step"
    best = (
        f"Saved checkpoint: step {run.best['step']} ({run.best.get('rule', '')})."
        if run.best
        else ""
    )
    sentences = {
        "waiting": _waiting(run),
        "running": _running(run),
        "paused": f"is paused at step {run.step}.",
        "stopped": f"was stopped {stopped}. Press Start for a new run with the same settings.",
        "finished": f"is finished. {best or 'It was never validated, so no checkpoint was chosen.'}",
        "failed": f"failed. {run.error or ''} Change a setting and press Start for a new run.",
    }
    return f"{run.name} {sentences.get(run.status, f'was interrupted. The page shows step {run.step}.')}"


def _running(run: Run) -> str:
    if run.step == 0 and run.busy_with:
        return f"does its {run.busy_with} before the first step."
    if run.step == run.total_steps:
        return "has done all its steps." + (
            f" Its {run.busy_with} is still running." if run.busy_with else ""
        )
    return "is training. Change a control and watch the curves respond."


def _waiting(run: Run) -> str:
    if (progress := run.preparing) is None:
        return "is reading its encoder and corpus; this takes a few seconds."
    text = f"is {progress.work}: {progress.done} of {progress.total}"
    if 0 < progress.done < progress.total:
        text += f", about {duration(progress.seconds / progress.done * (progress.total - progress.done))} left"
    return f"{text}. The training follows; Stop ends the run now."


def time_left(run: Run) -> str:
    """Return as text the estimated remaining time, or why the run makes no steps now; "" if neither is known."""
    step, total = run.step, run.total_steps
    if not run.alive or run.status not in ("running", "paused"):
        return ""
    if delay := "paused" if run.status == "paused" else run.busy_with:
        return delay
    seconds = next(
        (float(row.get("seconds", 0.0)) for row in run.records(-1)), 0.0
    )  # without pauses
    return (
        f"{duration(seconds / step * (total - step))} left"
        if seconds and MEASURED <= step < total
        else ""
    )


def measurements(run: Run) -> Part:
    """Return the newest values as (label, text), a text about the probe, and the optional columns as (name, label)."""
    tracks = History(run.records())
    last = ((columns.of(name), tracks.last(name)) for name in columns.shown("numbers"))
    share = tracks.last("probe_share")
    skipped = sum("overflow" in event for row in run.records() for event in events_of(row))
    about = [
        measured_on(run.probe, tracks),
        "" if share is None else f"Measurements take {100 * share:.1f} % of the time.",
        f"Precision: {run.recipe.precision_why or run.recipe.precision}.",
        f"{plural(skipped, 'update')} skipped, because a gradient exceeded float16."
        if skipped
        else "",
    ]
    return {
        "values": [
            [column.label, f"{column.scale * value:.4g}"]
            for column, value in last
            if value is not None
        ],
        "about": " ".join(filter(None, about)),
        "columns": [
            [name, columns.of(name).label] for name in columns.choices(tracks.names, CURVES)
        ],
    }


def measured_on(probe: Any, tracks: History) -> str:
    """Describe the probe: its number of sentences and pairs, and the values over the whole corpus at start and end."""
    if probe is None:
        return ""
    text = f"Measured: {probe.about}."
    ends = {column.label: tracks.xy(f"{column.name}_all")[1] for column in columns.TABLE}
    pairs, sentences = tracks.last("pairs_all"), tracks.last("sentences_all")
    if pairs is not None and sentences is not None:
        changes = (
            f"{name} " + " → ".join(f"{v:.3g}" for v in values)
            for name, values in ends.items()
            if len(values)
        )
        measured = f"{plural(round(pairs), 'pair')} and {plural(round(sentences), 'sentence')}"
        text += f" On {measured}, at the start and the end: {', '.join(changes)}."
    return text
