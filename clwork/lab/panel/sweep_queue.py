"""A queue of runs in the panel's drawer: values to try, number of seeds, progress, and a stop."""

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
FAILURES_SHOWN = 3


def values_of(text: str, fields: Mapping[str, Field]) -> dict[str, list[Any]]:
    """The values to try of each hyperparameter, from a line such as ``temperature = 0.02, 0.05; head = none, both``.

    Raises:
        ValueError: not such a line.
    """
    values: dict[str, list[Any]] = {}
    for part in filter(str.strip, text.split(";")):
        name, sign, listed = (piece.strip() for piece in part.partition("="))
        words = [word.strip() for word in listed.split(",") if word.strip()]
        if not sign or not words:
            raise ValueError(f"{part.strip()!r} names no values; write it like this: {EXAMPLE}")
        if name not in fields or name in values:
            known = ", ".join(sorted(fields))
            raise ValueError(f"{name!r} {'stands twice' if name in values else f'is none of {known}'}")
        values[name] = [value_of(word, fields[name]) for word in words]
    if not values:
        raise ValueError(f"there is nothing to try yet; write it like this: {EXAMPLE}")
    return values


class SweepBox:
    """Widgets for a queue; ``begin(values, seeds)`` starts it with the panel's other settings.

    Attributes:
        sweep: the last queue, or None.
    """

    def __init__(
        self, fields: Mapping[str, Field], begin: Callable[[dict[str, list[Any]], int], Sweep], busy: Callable[[], bool]
    ) -> None:
        """Create them; nothing starts while ``busy()``, for two trainings slow each other down."""
        self._fields, self._begin, self._busy = fields, begin, busy
        self.sweep: Sweep | None = None
        self._thread: DrawingThread | None = None
        self.values = widgets.Text(placeholder=EXAMPLE, layout=widgets.Layout(**FULL), continuous_update=False)
        self.values.add_class("clwork-sweep-values")
        self.values.observe(lambda _: self._withdraw(), names="value")
        self.seeds = count("seeds", 3, 1, 100, "How many runs of each, which differ in nothing but the seed.")
        self.go = button("Queue", "Train them all, one after another, with these steps.", "sweep-start", self.start)
        self.halt = button("Stop all", "End the present run after its step; begin no other.", "sweep-stop", self.stop)
        self.halt.disabled = True
        self.bar = widgets.IntProgress(0, min=0, max=1, layout=widgets.Layout(**FULL))
        self.bar.layout.display = "none"
        self.outcome = widgets.HTML()
        self.outcome.add_class("clwork-sweep-said")

    def boxes(self) -> list[widgets.Widget]:
        """The widgets for the drawer: the outcome is above the buttons, for below them it is out of view."""
        label = widgets.HTML("<b>A queue of runs</b>: values of one setting or two, each with several seeds.")
        return [label, self.outcome, self.bar, self.values, self.seeds, widgets.HBox([self.go, self.halt])]

    @property
    def alive(self) -> bool:
        """Whether a queue is at work or starting."""
        return self._thread is not None and self._thread.going

    def start(self) -> None:
        """Read the line and start; shows errors."""
        if self.alive:
            return
        if self._busy():
            self._announce("A run goes on: stop it, or wait for its end. Two at once take from each other.", "alert")
            return
        try:
            values = values_of(self.values.value, self._fields)
        except (TypeError, ValueError) as error:
            self._announce(str(error), "alert")
            return
        self.sweep, seeds = None, int(self.seeds.value)
        self.go.disabled = True
        self.bar.layout.display = "none"
        self._announce("Starting …")
        self._thread = DrawingThread(self._draw, self._report, lambda: self._begun(values, seeds))
        self._thread.start()

    def stop(self) -> None:
        """End the present run after its step, and start no other."""
        if self.sweep is not None:
            self.sweep.stop()

    def wait(self, timeout: float | None = None) -> None:
        """Block until the queue has ended and its end is shown."""
        if self._thread is not None:
            self._thread.wait(timeout)

    def _begun(self, values: dict[str, list[Any]], seeds: int) -> bool:
        """Start the queue; not in the button's callback, for reading a corpus may take seconds."""
        try:
            self.sweep = self._begin(values, seeds)
        except Exception as error:
            self._announce(explain(error), "alert")
            self.go.disabled = False
        return self.sweep is not None

    def _draw(self) -> bool:
        assert self.sweep is not None
        sweep, alive = self.sweep, self.sweep.alive
        run = sweep.current
        part = 0 if run is None else PARTS * run.step // run.total_steps
        self.bar.max, self.bar.value = PARTS * len(sweep.planned), PARTS * sweep.done + part
        self.bar.layout.display = "flex"
        self.go.disabled, self.halt.disabled = alive, not alive
        self._announce(progress_of(sweep), "alert" if sweep.failures else "status")
        return alive

    def _withdraw(self) -> None:
        """Take an error back after the line was changed."""
        if not self.alive:
            self._announce("")

    def _report(self, error: Exception) -> None:
        self._announce(explain(error), "alert")

    def _announce(self, sentence: str, role: str = "status") -> None:
        text = messages.wrong(sentence) if role == "alert" else messages.failure(sentence)
        self.outcome.value = f"<div role='{role}'>{text}</div>" if sentence else ""


def progress_of(sweep: Sweep) -> str:
    """A queue's present run, progress and time left; at the end its outcome, with failures."""
    text = f"{sweep.done} of {plural(len(sweep.planned), 'run is', 'runs are')} done"
    if sweep.alive:
        place, run, left = sweep.done, sweep.current, sweep.seconds_left
        if place < len(sweep.planned):
            text += f". Now {described(sweep.planned[place])}"
            text += " is made ready" if run is None else f": {run.name}, step {run.step} of {run.total_steps}"
        text += f". About {messages.duration(left)} left" if left is not None else ""
    else:
        text += f": the queue is {sweep.status}. lab.desk() compares them"
    first = list(sweep.failures.items())[:FAILURES_SHOWN]
    failed = [f"{described(sweep.planned[place])}: {why}" for place, why in first]
    return f"{text}." + (f" {len(sweep.failures)} failed: {'; '.join(failed)}." if failed else "")


def described(planned: Planned) -> str:
    """A run of a queue as text: its values and its seed.

    >>> described(Planned({"group_dim": 0.050000000000000003}, 2))
    'group dim 0.05, seed 2'
    """
    named = [f"{name.replace('_', ' ')} {plain(value)}" for name, value in planned.values.items()]
    return ", ".join([*named, f"seed {planned.seed}"])
