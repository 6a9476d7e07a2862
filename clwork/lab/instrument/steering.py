"""The run that a panel steers: starting it without holding up the page, its commands, and how it stands."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

from ...training import Run, start
from ...wording import explain
from ..settings.inputs import Inputs
from . import sentences
from .sources import Part

SLOW = 0.5  # seconds from step to step of a run that is watched slowly
FULL, SLOWLY = "full", "slow"
SHORT = "CLWORK_PANEL_STEPS"  # where nobody watches: runs that are watched have so many steps, and are waited for


class Steering:
    """Starts runs with the settings of ``inputs``, and holds the one that is shown.

    Attributes:
        run: the run; None before the first start.
        speed: ``"full"`` or ``"slow"``, also of runs to come.
        refusal: why nothing was started, until a setting is changed; empty where nothing is wrong.
    """

    run: Any = None  # a Run or None; Any, so that callers may write panel.run.history

    def __init__(self, inputs: Inputs, more: Mapping[str, Any], show: Callable[[Run], object]) -> None:
        """Prepare; ``show(run)`` is called with each new run."""
        self._inputs, self._more, self._show = inputs, more, show
        self._launching: threading.Thread | None = None
        self._stopping = False
        self.speed, self.refusal = FULL, ""

    @property
    def launching(self) -> bool:
        """Whether a run is being made: its encoder and corpus are read."""
        return self._launching is not None and self._launching.is_alive()

    @property
    def at_work(self) -> bool:
        """Whether a run is at work or starting."""
        return self.launching or (self.run is not None and bool(self.run.alive))

    @property
    def refused(self) -> bool:
        """Whether the last start was refused, and nothing was changed since."""
        return bool(self.refusal) and not self.at_work

    def sources(self) -> dict[str, Any]:
        """Encoder, sentences and what has no control, as :func:`clwork.start` takes them."""
        return {"encoder": self._inputs.encoder.read(), "sentences": self._inputs.corpus.read(), **self._more}

    def start(self, single: bool = False) -> None:
        """Start a run, which holds after one step if ``single``; nothing while one is at work."""
        if self.at_work:
            return
        wrong = [f"{sentence}." for sentence in self._inputs.wrong()]
        self.refusal = " ".join(wrong)
        if not self.refusal:
            self._stopping = False
            self._inputs.freeze(True)
            self._launching = threading.Thread(target=self._launch, args=[single], name="clwork launch", daemon=True)
            self._launching.start()

    def watch(self) -> None:
        """Take two steps a second; where the environment says that nobody watches, few steps as fast as they go."""
        if most := os.environ.get(SHORT):
            self._inputs.steps.value = min(self._inputs.steps.value, int(most))
        else:
            self.set_speed(SLOWLY)

    def current_run(self) -> Run:
        """The run that is steered, as far as it is.

        Raises:
            RuntimeError: none was started, or the last start was refused.
        """
        if self._launching is not None:
            self._launching.join()
        if self.run is None or self.refusal:
            raise RuntimeError(
                f"there is no run yet: {self.refusal or 'press Start in the panel'}, then run this cell again"
            )
        if os.environ.get(SHORT):
            self.run.wait()
        found: Run = self.run
        return found

    def step(self) -> None:
        """Do one step and hold again: of a run at work, or of a new one."""
        if self.run is not None and self.run.alive:
            self.run.pause()
            with contextlib.suppress(RuntimeError):  # its last step was under way
                self.run.step_once(wait=False)
        else:
            self.start(single=True)

    def pause(self) -> None:
        """Pause the run, or resume a paused one."""
        if self.run is not None and self.run.alive:
            (self.run.resume if self.run.status == "paused" else self.run.pause)()

    def stop(self) -> None:
        """End the run after the step in progress, or the preparation that comes before the first."""
        self._stopping = True
        if self.run is not None:
            self.run.stop()

    def wait(self, timeout: float | None = None) -> None:
        """Block until the run has ended; an error stays text."""
        if self._launching is not None:
            self._launching.join(timeout)
        if self.run is not None:
            with contextlib.suppress(Exception):  # it is shown as the run's state
                self.run.wait(timeout)

    def set_speed(self, speed: str) -> None:
        """Let steps follow each other, or watch each."""
        self.speed = SLOWLY if speed == SLOWLY else FULL
        if self.run is not None and self.run.alive:
            self.run.pace = SLOW if self.speed == SLOWLY else 0

    def fork(self, parent: Run | None, step: int | None = None) -> None:
        """Continue ``parent`` from its last checkpoint up to ``step``, with the present settings; stop a running run.

        Raises:
            RuntimeError: there is no run.
            ValueError: it has no checkpoint, or a setting shapes the model.
        """
        if parent is None:
            raise RuntimeError("there is no run yet to fork: press Start")
        kept = [one for one in parent.checkpoint_steps() if step is None or one <= step]
        own, now = vars(parent.config), self._inputs.values()
        changed = {name: value for name, value in now.items() if own.get(name) != value}
        at = None if step is None else max(kept, default=0)
        child = parent.fork(at, steps=max(self._inputs.steps.value, (at or 0) + 1), **changed)
        if self.run is not None:
            self.run.stop()
        self._take(child)

    def state(self) -> Part:
        """How the run stands: small, for it is sent with every answer; after a refusal nothing of an earlier run."""
        run = None if self.launching or self.refused else self.run
        status = "starting" if self.launching else "ready" if run is None else run.status
        sentence = "Starting …" if self.launching else sentences.state(run)
        return {
            "status": status,
            "alive": self.at_work,
            "step": 0 if run is None else run.step,
            "total": self._inputs.steps.value if run is None else run.total_steps,
            "sentence": f"It did not start. {self.refusal}" if self.refused else sentence,
            "left": "" if run is None else sentences.time_left(run),
            "trouble": self.refused or status == "failed",
            "speed": self.speed,
        }

    def _launch(self, single: bool) -> None:
        """Start the run; imports and reading a table may take seconds, hence not in a command."""
        steps, seed = self._inputs.steps.value, self._inputs.seed.value
        try:
            run = start(self._inputs.method.name, steps=steps, seed=seed, **self.sources(), **self._inputs.values())
        except Exception as error:
            self.refusal = explain(error)
            return
        if single:
            run.pause()
            run.step_once(wait=False)
        if self._stopping:
            run.stop()
        now = self._inputs.values()  # some may have been moved since the configuration was read
        with contextlib.suppress(RuntimeError):  # it has ended already
            for name in self._inputs.settings.hot:
                setattr(run.controls, name, now[name])
        self._take(run)

    def _take(self, run: Run) -> None:
        run.pace = SLOW if self.speed == SLOWLY else 0
        self._show(run)
