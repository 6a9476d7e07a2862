"""What a picture of the panel is, where it is listed, and what it draws: a run, and the run before it in grey.

A new picture is a class with ``box``, ``draw`` and ``clear``, and one :func:`add_picture`: see ``pictures.py``.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, Protocol

import ipywidgets as widgets

from ....training import Run
from ....views import RunColumns

Place = Literal["hero", "side", "foot"]


class Picture(Protocol):
    """Interface of a picture of a run; a Protocol, so that users can write their own.

    All calls come from one thread at a time, but not always from the same one; none holds up a step.

    Attributes:
        box: the widget that shows it; what is drawn in it never changes its size.
    """

    box: widgets.Widget

    def draw(self, run: Run) -> None:
        """Show what is new of ``run``; called after every new row of its record, and after every new look."""

    def clear(self) -> None:
        """Reset; the next run to draw is a different one."""


class Shown(NamedTuple):
    """Data that pictures draw.

    Attributes:
        tracks: columns of the run that is shown now.
        previous: the run before it.
        recording: the method's recorded run, until there is another; None where none ships.
    """

    tracks: RunColumns
    previous: PreviousRun
    recording: dict[str, Any] | None


class Slot(NamedTuple):
    """A row of the list of pictures.

    Attributes:
        name: ``panel.pictures.NAME`` is the picture.
        place: the ``hero`` in the middle of the screen; ``side``, one under the other beside it; at the ``foot``,
            below the screen. On the page a picture is as large as the room it has there (``panel.css``).
        size: width and height of its still picture, in pixels.
        make: constructs it, from what there is to draw and the size.
    """

    name: str
    place: Place
    size: tuple[int, int]
    make: Callable[[Shown, tuple[int, int]], Picture]


SLOTS: list[Slot] = []  # in the order on the page, which is that of drawing


def add_picture(slot: Slot) -> None:
    """Register a picture for panels made later; one of the same name is replaced."""
    SLOTS[:] = [*(known for known in SLOTS if known.name != slot.name), slot]


NAMED = 3  # differences in the line; the tooltip has them all


def settings_of(run: Run) -> dict[str, Any]:
    """The settings that a run began with, by name."""
    recipe = run.recipe
    return {
        "method": run.method,
        "encoder": recipe.encoder,
        "sentences": recipe.sentences.label,
        "steps": recipe.steps,
        "seed": recipe.seed,
        **recipe.config,
    }


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The settings in which two runs differ, as text.

    >>> changes({"temperature": 0.05, "steps": 3}, {"temperature": 0.1, "steps": 3})
    ['temperature 0.05 → 0.1']
    """
    return [
        f"{name.replace('_', ' ')} {_short(old[name])} → {_short(new[name])}"
        for name in new
        if name in old and old[name] != new[name]
    ]


def _short(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)[:60]


class PreviousRun:
    """Curves and settings of the previous run: before the first one, of the recorded run.

    Attributes:
        name: its name in the line; empty while there is none.
        tracks: its columns.
        total: its number of steps.
        settings: what it began with.
        recorded: (uniformity, alignment) at the end of the method's recorded run, if there is one.
    """

    def __init__(self) -> None:
        self.name, self.tracks, self.total, self.settings = "", RunColumns(), 0, dict[str, Any]()
        self.recorded: tuple[float, float] | None = None

    def become(self, name: str, rows: Iterable[Mapping[str, Any]], total: int, settings: Mapping[str, Any]) -> None:
        """Set the run that is shown in grey."""
        self.name, self.total, self.settings = name, total, dict(settings)
        self.tracks.clear()
        self.tracks.extend(rows)

    def become_recorded(self, recording: Mapping[str, Any]) -> None:
        """Become the method's recorded run, see :func:`clwork.recording`."""
        settings = {"method": recording["method"], "steps": recording["total_steps"], "seed": recording["seed"]}
        settings |= recording["settings"]
        self.become("recorded run", recording["rows"], recording["total_steps"], settings)
        _, uniform, align = self.tracks.joint("uniformity", "alignment")
        self.recorded = (float(uniform[-1]), float(align[-1])) if len(uniform) else None

    def describe(self, run: Run | None) -> str:
        """A line of HTML: which run is grey, and in which settings ``run`` differs."""
        if not self.name:
            return ""
        name = f"<span class='clwork-key'></span>{html.escape(self.name)}"
        if run is None:
            return name
        changed = changes(self.settings, settings_of(run))
        if not changed:
            return f"{name}: the same settings"
        few = "; ".join(changed[:NAMED]) + (f" and {len(changed) - NAMED} more" if len(changed) > NAMED else "")
        return f"{name}. Changed since: <b title='{html.escape('; '.join(changed))}'>{html.escape(few)}</b>"
