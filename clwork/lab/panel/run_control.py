"""The run that a panel controls: start, commands, status and latest measurements.

A run is made in a thread, because its encoder and corpus take seconds to read. So the control has
three states: *starting* (the run is being made), *alive* (it waits, trains or is paused), and
neither.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from typing import Any

from ... import columns
from ...training import Run, start
from ...training.stored import ACTIVE
from ...wording import duration, explain
from .run_sources import CURVES, Part
from .settings import PanelSettings

SLOW_PACE = 0.5
"""Seconds from step to step at the speed "slow"."""
FULL = "full"
SLOW = "slow"
READY = "Ready. Press Start; most controls can be changed during the training."
MEASURED = 10
"""The step from which on the remaining time is shown, because the first steps are slower."""


class RunControl:
    """Starts runs with the panel's settings.

    Attributes:
        run: the newest run, or the run that the panel shows; None before the first start.
        more: further arguments of :func:`clwork.start`.
        speed: ``"full"`` or ``"slow"``.
        error: why the last start failed; empty once a setting was changed.
    """

    # The type is Any, so that mypy accepts panel.run.history although the run may be None.
    run: Any = None

    def __init__(
        self, settings: PanelSettings, more: Mapping[str, Any], show: Callable[[Run], object]
    ) -> None:
        """Pass ``more`` to :func:`clwork.start`, and call ``show(run)`` with each new run."""
        self.more = more
        self.speed = FULL
        self.error = ""
        self._settings = settings
        self._show = show
        # The thread of the last start, which may have ended.
        self._starting: threading.Thread | None = None
        # Whether Stop was pressed during the last start.
        self._stopping = False

    @property
    def starting(self) -> bool:
        """Whether a run is being made, that is, its encoder and corpus are being read."""
        return self._starting is not None and self._starting.is_alive()

    @property
    def active(self) -> bool:
        """Whether a run is being made or trained."""
        return self.starting or self.alive

    @property
    def alive(self) -> bool:
        """Whether the run is waiting, training or paused."""
        return self.run is not None and bool(self.run.alive)

    @property
    def failed_to_start(self) -> bool:
        """Whether the last start failed and no setting was changed since."""
        return bool(self.error) and not self.active

    def start(self, single: bool = False) -> None:
        """Start a run unless one is active; if ``single``, pause it after one step."""
        if self.active:
            return
        self.error = ""
        self._stopping = False
        self._starting = threading.Thread(
            target=self._start, args=[single], name="clwork start", daemon=True
        )
        self._starting.start()

    def _start(self, single: bool) -> None:
        """Make and start the run, and show it; runs in a thread."""
        settings = self._settings
        config_at_start = settings.config()
        try:
            run = start(
                settings.method.name,
                encoder=settings.encoder.read(),
                sentences=settings.corpus.read(),
                steps=settings.values["steps"],
                seed=settings.values["seed"],
                **self.more,
                **config_at_start,
            )
        except Exception as error:
            # The page shows the error.
            self.error = explain(error)
            return
        if single:
            run.pause()
            run.step_once(wait=False)
        if self._stopping:
            run.stop()
        self._pass_moved_controls(run, config_at_start)
        self._adopt(run)

    def _pass_moved_controls(self, run: Run, config_at_start: Mapping[str, Any]) -> None:
        """Move the run's controls that the reader has moved in the panel during the start."""
        # A run that has ended meanwhile accepts no change, and raises a RuntimeError.
        with contextlib.suppress(RuntimeError):
            for name, value in self._settings.config().items():
                if value != config_at_start[name]:
                    setattr(run.controls, name, value)

    def step(self) -> None:
        """Train the active run, or a new one, for one step and pause it."""
        if not self.alive:
            self.start(single=True)
            return
        self.run.pause()
        # The run may have done its last step since it was checked above; then this raises an error.
        with contextlib.suppress(RuntimeError):
            self.run.step_once(wait=False)

    def pause(self) -> None:
        """Pause the run, or resume a paused one."""
        if not self.alive:
            return
        if self.run.status == "paused":
            self.run.resume()
        else:
            self.run.pause()

    def stop(self) -> None:
        """End the run after the current step, or stop its preparation."""
        # A run that is still being made is stopped once it is made; see _start.
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
            self.run.pace = self._pace

    @property
    def _pace(self) -> float:
        """Seconds from step to step at the chosen speed; 0 for full speed."""
        return SLOW_PACE if self.speed == SLOW else 0

    def fork(self, parent: Run | None, step: int, stop: bool = False) -> None:
        """Fork ``parent`` with the present settings, and control the fork.

        It begins at the last checkpoint at or before ``step``, or from the start at step 0.
        ``stop`` permits the fork to end an active run, which a wrong click must not do.

        Raises:
            RuntimeError: there is no run, a run is being started, or one is active and ``stop`` is
                False.
        """
        if parent is None:
            raise RuntimeError("there is no run yet to fork: press Start")
        if self.starting:
            raise RuntimeError("a run is being started: fork once it trains")
        if self.alive and not stop:
            raise RuntimeError(f"{self.run.name} is active, and a fork would end it: stop it first")
        # There always is one, since checkpoint_steps() includes 0.
        begin = max(stored for stored in parent.checkpoint_steps() if stored <= step)
        # At least one step is left to train.
        steps = max(self._settings.values["steps"], begin + 1)
        child = parent.fork(begin, steps=steps, **self._settings.config())
        # Only now, so that the active run continues if the fork fails.
        if self.run is not None:
            self.run.stop()
        self._adopt(child)

    def _adopt(self, run: Run) -> None:
        """Train a new run at the chosen speed, and show it."""
        run.pace = self._pace
        self._show(run)

    def state(self) -> Part:
        """Return the run's status for the page; it is small because every reply contains it.

        ``sentence`` is the status line, ``left`` the remaining time, ``trouble`` whether the
        sentence reports an error.
        """
        total_steps = self._settings.values["steps"]
        state = {"step": 0, "total": total_steps, "left": "", "trouble": False}
        if self.starting:
            state |= {"status": "starting", "sentence": "Starting …"}
        elif self.failed_to_start:
            sentence = f"It did not start. {self.error}"
            state |= {"status": "ready", "sentence": sentence, "trouble": True}
        elif self.run is None:
            state |= {"status": "ready", "sentence": READY}
        else:
            run = self.run
            state |= {
                "status": run.status,
                "sentence": sentence_of(run),
                "step": run.step,
                "total": run.total_steps,
                "left": time_left(run),
                "trouble": run.status == "failed",
            }
        return {**state, "alive": self.active, "speed": self.speed}


def sentence_of(run: Run) -> str:
    """Return one sentence about the run's status and the possible next action."""
    status = run.status
    name = run.name
    is_trained_elsewhere = status in ACTIVE and not run.alive
    if is_trained_elsewhere:
        return (
            f"{name} is trained by another process. The page shows step {run.step}; "
            "open it again for more."
        )
    if status == "waiting":
        return f"{name} {_waiting(run)}"
    if status == "running":
        return f"{name} {_running(run)}"
    if status == "paused":
        return f"{name} is paused at step {run.step}."
    if status == "stopped":
        return f"{name} {_stopped(run)} Press Start for a new run with the same settings."
    if status == "failed":
        why = run.error or ""
        return f"{name} failed. {why} Change a setting and press Start for a new run."
    # The status of a run whose process ended before it could write one; see Stored.
    if status != "finished":
        return f"{name} was interrupted. The page shows step {run.step}."
    if not run.best:
        return f"{name} is finished. It was never validated, so no checkpoint was chosen."
    rule = run.best.get("rule", "")
    return f"{name} is finished. Saved checkpoint: step {run.best['step']} ({rule})."


def _stopped(run: Run) -> str:
    """Return where a run was stopped."""
    has_begun = run.step or run.records()
    return f"was stopped at step {run.step}." if has_begun else "was stopped before its first step."


def _running(run: Run) -> str:
    """Return what a running run does: its steps, or work before or after them."""
    work = run.busy_with
    if run.step == 0 and work:
        return f"does its {work} before the first step."
    if run.step == run.total_steps:
        return "has done all its steps." + (f" Its {work} is still running." if work else "")
    return "is training. Change a control and watch the curves respond."


def _waiting(run: Run) -> str:
    """Return what a run prepares before it trains, and the time left if it is known."""
    progress = run.preparing
    if progress is None:
        return "is reading its encoder and corpus; this takes a few seconds."
    text = f"is {progress.work}: {progress.done} of {progress.total}"
    if 0 < progress.done < progress.total:
        seconds_each = progress.seconds / progress.done
        left = seconds_each * (progress.total - progress.done)
        text += f", about {duration(left)} left"
    return f"{text}. The training follows; Stop ends the run now."


def time_left(run: Run) -> str:
    """Return as text the remaining time, or why no steps are made now; "" if neither is known."""
    if run.status == "paused":
        return "paused" if run.alive else ""
    if run.status != "running" or not run.alive:
        return ""
    if run.busy_with:
        return run.busy_with
    step = run.step
    if not MEASURED <= step < run.total_steps:
        return ""
    # The last row has the time of all steps so far, without pauses.
    seconds = run.records(since=-1)[0].get("seconds")
    if not seconds:
        return ""
    return f"{duration(seconds / step * (run.total_steps - step))} left"


def measurements(run: Run) -> Part:
    """Return the newest values as (label, text), a text about the probe, and optional columns.

    The optional columns are those that the run has measured and no chart draws by itself.
    """
    history = run.training.history
    values = []
    for name in columns.shown("numbers"):
        column = columns.of(name)
        value = history.last(name)
        if value is not None:
            values.append([column.label, f"{value:.4g}"])
    about = [] if run.probe is None else [f"Measured: {run.probe.about}."]
    share = history.last("probe_share")
    if share is not None:
        about.append(f"Measurements take {100 * share:.1f} % of the time.")
    # Only a precision that "auto" has chosen has a reason.
    about.append(f"Precision: {run.run_config.precision_why or run.run_config.precision}.")
    optional = columns.choices(history.names, CURVES)
    return {
        "values": values,
        "about": " ".join(filter(None, about)),
        "columns": [[name, columns.of(name).label] for name in optional],
    }
