"""A queue of runs in the panel's drawer: values to try, over how many seeds, how long it will take, and a stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from ...methods import Field
from ...training import Sweep
from ...training.stored.sweep import Planned
from ...wording import explain, plural
from ..page import messages
from ..page.drawing_thread import DrawingThread
from ..page.labels import plain
from ..page.widgets import FULL, button
from .drawer import value_of
from .knob import count

EXAMPLE = "temperature = 0.02, 0.05, 0.2"
PARTS = 100  # of the bar, for each run
FAILURES_TOLD = 3


def values_of(text: str, fields: Mapping[str, Field]) -> dict[str, list[Any]]:
    """The values to try of each hyperparameter, from a line such as ``temperature = 0.02, 0.05; head = none, both``.

    Raises:
        ValueError: the line is no such line; the message says what is wrong in it.
    """
    found: dict[str, list[Any]] = {}
    for part in filter(str.strip, text.split(";")):
        name, sign, listed = (piece.strip() for piece in part.partition("="))
        words = [word.strip() for word in listed.split(",") if word.strip()]
        if not sign or not words:
            raise ValueError(f"{part.strip()!r} names no values; write it like this: {EXAMPLE}")
        if name not in fields or name in found:
            known = ", ".join(sorted(fields))
            raise ValueError(f"{name!r} {'stands twice' if name in found else f'is none of {known}'}")
        found[name] = [value_of(word, fields[name]) for word in words]
    if not found:
        raise ValueError(f"there is nothing to try yet; write it like this: {EXAMPLE}")
    return found


class SweepBox:
    """Widgets for a queue; ``begin(values, seeds)`` starts it, with all else as the panel says.

    Attributes:
        sweep: the queue that was begun last, or None.
    """

    def __init__(
        self, fields: Mapping[str, Field], begin: Callable[[dict[str, list[Any]], int], Sweep], busy: Callable[[], bool]
    ) -> None:
        """Build them; nothing begins while ``busy()``, for two trainings at once take from each other."""
        self._fields, self._begin, self._busy = fields, begin, busy
        self.sweep: Sweep | None = None
        self._thread: DrawingThread | None = None
        self.values = widgets.Text(placeholder=EXAMPLE, layout=widgets.Layout(**FULL), continuous_update=False)
        self.values.add_class("clwork-sweep-values")
        self.values.observe(lambda _: self._corrected(), names="value")
        self.seeds = count("seeds", 3, 1, 100, "How many runs of each, which differ in nothing but the seed.")
        self.go = button("Queue", "Train them all, one after another, with these steps.", "sweep-start", self.start)
        self.halt = button("Stop all", "End the present run after its step; begin no other.", "sweep-stop", self.stop)
        self.halt.disabled = True
        self.bar = widgets.IntProgress(0, min=0, max=1, layout=widgets.Layout(**FULL))
        self.bar.layout.display = "none"
        self.said = widgets.HTML()
        self.said.add_class("clwork-sweep-said")

    def boxes(self) -> list[widgets.Widget]:
        """What stands in the drawer: the answer above the buttons, for below them it is out of view."""
        label = widgets.HTML("<b>A queue of runs</b>: values of one setting or two, each with several seeds.")
        return [label, self.said, self.bar, self.values, self.seeds, widgets.HBox([self.go, self.halt])]

    @property
    def alive(self) -> bool:
        """Whether a queue is at work, or about to be."""
        return self._thread is not None and self._thread.going

    def start(self) -> None:
        """Read the line and begin; what is wrong is told below."""
        if self.alive:
            return
        if self._busy():
            self._say("A run goes on: stop it, or wait for its end. Two at once take from each other.", "alert")
            return
        try:
            values = values_of(self.values.value, self._fields)
        except (TypeError, ValueError) as error:
            self._say(str(error), "alert")
            return
        self.sweep, seeds = None, int(self.seeds.value)
        self.go.disabled = True
        self.bar.layout.display = "none"
        self._say("Starting …")
        self._thread = DrawingThread(self._draw, self._report, lambda: self._begun(values, seeds))
        self._thread.start()

    def stop(self) -> None:
        """End the present run after its step, and begin no other."""
        if self.sweep is not None:
            self.sweep.stop()

    def wait(self, timeout: float | None = None) -> None:
        """Block until the queue has ended and its end is told."""
        if self._thread is not None:
            self._thread.wait(timeout)

    def _begun(self, values: dict[str, list[Any]], seeds: int) -> bool:
        """Begin the queue; reading a corpus may take seconds, hence not in the button's callback."""
        try:
            self.sweep = self._begin(values, seeds)
        except Exception as error:
            self._say(explain(error), "alert")
            self.go.disabled = False
        return self.sweep is not None

    def _draw(self) -> bool:
        """One look at the queue."""
        assert self.sweep is not None
        sweep, alive = self.sweep, self.sweep.alive
        run = sweep.current
        part = 0 if run is None else PARTS * run.step // run.total_steps
        self.bar.max, self.bar.value = PARTS * len(sweep.planned), PARTS * sweep.done + part
        self.bar.layout.display = "flex"
        self.go.disabled, self.halt.disabled = alive, not alive
        self._say(told(sweep), "alert" if sweep.failures else "status")
        return alive

    def _corrected(self) -> None:
        """What was told of the line before may be right by now."""
        if not self.alive:
            self._say("")

    def _report(self, error: Exception) -> None:
        self._say(explain(error), "alert")

    def _say(self, sentence: str, role: str = "status") -> None:
        text = messages.wrong(sentence) if role == "alert" else messages.failure(sentence)
        self.said.value = f"<div role='{role}'>{text}</div>" if sentence else ""


def told(sweep: Sweep) -> str:
    """What a queue does, how far it is and how long it still takes; in the end what came of it, with what failed."""
    text = f"{sweep.done} of {plural(len(sweep.planned), 'run is', 'runs are')} done"
    if sweep.alive:
        place, run, left = sweep.done, sweep.current, sweep.seconds_left
        if place < len(sweep.planned):
            text += f". Now {described(sweep.planned[place])}"
            text += " is made ready" if run is None else f": {run.name}, step {run.step} of {run.total_steps}"
        text += f". About {messages.duration(left)} left" if left is not None else ""
    else:
        text += f": the queue is {sweep.status}. lab.desk() compares them"
    first = list(sweep.failures.items())[:FAILURES_TOLD]
    failed = [f"{described(sweep.planned[place])}: {why}" for place, why in first]
    return f"{text}." + (f" {len(sweep.failures)} failed: {'; '.join(failed)}." if failed else "")


def described(planned: Planned) -> str:
    """A run of a queue in words: its values and its seed.

    >>> described(Planned({"group_dim": 0.050000000000000003}, 2))
    'group dim 0.05, seed 2'
    """
    named = [f"{name.replace('_', ' ')} {plain(value)}" for name, value in planned.values.items()]
    return ", ".join([*named, f"seed {planned.seed}"])
