"""The check of an exercise at a panel: whether a knob was moved while the run went on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ... import _validation
from ..._validation import checked, kind, shown
from ...events import events_of


class HasRun(Protocol):
    """A panel."""

    def current_run(self) -> Any:
        """The run as far as it is."""


@checked()
def steered(panel: HasRun, *knobs: str) -> Callable[[], bool | str]:
    """A check for :func:`clwork.lab.exercise`: whether one of ``knobs`` was changed while the panel's run went on.

    Args:
        panel: what :func:`clwork.lab.panel` gave.
        knobs: hyperparameters, such as ``"temperature"``.

    Raises:
        TypeError: no panel.
        ValueError: no knob is named, or the method has none of that name.
    """
    if not callable(getattr(panel, "current_run", None)):
        raise TypeError(f"panel={shown(panel)} is {kind(panel)}; give what clwork.lab.panel(...) gave")
    if not knobs:
        raise ValueError("no knob is named; give one or more hyperparameters, such as 'temperature'")

    def check() -> bool | str:
        run = panel.current_run()
        for knob in knobs:
            _validation.choice("knob", knob, list(vars(run.config)))
        events = [event for row in run.records() for event in events_of(row)]
        moved = {name for event in events for name in event.get("moved", {})}
        if moved & set(knobs):
            return True
        others = f"; what you moved is {', '.join(sorted(moved))}" if moved else ""
        return f"no mark of {' or '.join(knobs)} is under the curves yet{others}. Drag it while the run goes on."

    return check
