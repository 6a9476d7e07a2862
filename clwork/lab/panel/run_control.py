"""The run that a panel controls: starting it in a thread, its commands, and its status."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

from ...training import Run, start
from ...wording import explain
from . import status
from .run_sources import Part
from .settings import PanelSettings

SLOW_PACE = 0.5  # seconds from step to step at the speed "slow"
FULL, SLOW = "full", "slow"
SHORT_RUN = "CLWORK_PANEL_STEPS"  # in automatic runs: ``start(slowly=True)`` does so many steps, and is waited for


class RunControl:
    """Starts runs with ``settings``."""

    run: Any = None  # Any, so that callers may write panel.run.history

    def __init__(self, settings: PanelSettings, more: Mapping[str, Any], show: Callable[[Run], object]) -> None:
        """``more`` is passed to every start; ``show(run)`` is called with each new run."""
        self._settings, self.more, self._show = settings, more, show
        self._starting: threading.Thread | None = None
        self._stopping = False
        self.speed, self.error = FULL, ""

    @property
    def starting(self) -> bool:
        """Whether a run is being made: its encoder and corpus are read."""
        return self._starting is not None and self._starting.is_alive()

    @property
    def active(self) -> bool:
        """Whether a run is starting or has not ended."""
        return self.starting or self.alive

    @property
    def alive(self) -> bool:
        """Whether the run has not ended."""
        return self.run is not None and bool(self.run.alive)

    @property
    def failed_to_start(self) -> bool:
        """Whether the last start failed, and nothing was changed since."""
        return bool(self.error) and not self.active

    def start(self, single: bool = False) -> None:
        """Start a run, which pauses after one step if ``single``; do nothing while one is active."""
        if self.active:
            return
        self.error, self._stopping = "", False
        self._settings.freeze(True)
        self._starting = threading.Thread(target=self._start, args=[single], name="clwork start", daemon=True)
        self._starting.start()

    def _start(self, single: bool) -> None:
        """Start the run; imports and reading a table may take seconds, so this is a thread."""
        settings, values = self._settings, self._settings.values
        try:
            sources = {"encoder": settings.encoder.read(), "sentences": settings.corpus.read(), **self.more}
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
        now = settings.config()  # some may have changed since the configuration was read
        with contextlib.suppress(RuntimeError):  # it has ended already
            for name in settings.hot:
                setattr(run.controls, name, now[name])
        self._adopt(run)

    def slow_down(self) -> None:
        """Take two steps a second; in automatic runs few steps at full speed instead."""
        if most := os.environ.get(SHORT_RUN):
            self._settings.show({"steps": min(self._settings.values["steps"], int(most))})
        else:
            self.set_speed(SLOW)

    def current_run(self) -> Run:
        """The run so far."""
        if self._starting is not None:
            self._starting.join()
        if self.run is None or self.error:
            raise RuntimeError(
                f"there is no run yet: {self.error or 'press Start in the panel'}, then run this cell again"
            )
        if os.environ.get(SHORT_RUN):
            self.run.wait()
        found: Run = self.run
        return found

    def step(self) -> None:
        """Do one step and pause: of an active run, or of a new one."""
        if not self.alive:
            self.start(single=True)
            return
        self.run.pause()
        with contextlib.suppress(RuntimeError):  # it was in its last step
            self.run.step_once(wait=False)

    def pause(self) -> None:
        """Pause the run, or resume a paused one."""
        if self.alive:
            (self.run.resume if self.run.status == "paused" else self.run.pause)()

    def stop(self) -> None:
        """End the run after the step in progress, or the preparation that comes before the first."""
        self._stopping = True
        if self.run is not None:
            self.run.stop()

    def wait(self, timeout: float | None = None) -> None:
        """Block until the run has ended; an error stays text."""
        if self._starting is not None:
            self._starting.join(timeout)
        if self.run is not None:
            with contextlib.suppress(Exception):  # it is shown as the run's status
                self.run.wait(timeout)

    def set_speed(self, speed: str) -> None:
        """Train at full speed, or slowly enough to watch each step."""
        self.speed = SLOW if speed == SLOW else FULL
        if self.alive:
            self.run.pace = SLOW_PACE if self.speed == SLOW else 0

    def fork(self, parent: Run | None, step: int | None = None) -> None:
        """Continue ``parent`` from its last checkpoint up to ``step`` with the present settings; stop an active run."""
        if parent is None:
            raise RuntimeError("there is no run yet to fork: press Start")
        earlier = [one for one in parent.checkpoint_steps() if step is None or one <= step]
        own = vars(parent.config)
        changed = {name: value for name, value in self._settings.config().items() if own.get(name) != value}
        at = None if step is None else max(earlier, default=0)
        child = parent.fork(at, steps=max(self._settings.values["steps"], (at or 0) + 1), **changed)
        if self.run is not None:
            self.run.stop()
        self._adopt(child)

    def state(self) -> Part:
        """The status, small, since every reply has it; after a failed start nothing of an earlier run."""
        run = None if self.starting or self.failed_to_start else self.run
        name = "starting" if self.starting else "ready" if run is None else run.status
        sentence = "Starting …" if self.starting else status.state(run)
        return {
            "status": name,
            "alive": self.active,
            "step": 0 if run is None else run.step,
            "total": self._settings.values["steps"] if run is None else run.total_steps,
            "sentence": f"It did not start. {self.error}" if self.failed_to_start else sentence,
            "left": "" if run is None else status.time_left(run),
            "trouble": self.failed_to_start or name == "failed",
            "speed": self.speed,
        }

    def _adopt(self, run: Run) -> None:
        run.pace = SLOW_PACE if self.speed == SLOW else 0
        self._show(run)
