"""What the panel asks of a picture."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import ipywidgets as widgets

from ....training import Run
from ....views import Tracks
from .previous_run import PreviousRun


class Shown(NamedTuple):
    """What pictures are made of.

    Attributes:
        tracks: the columns of the run that is shown, whichever it is.
        ghost: the run before it.
        recording: the method's recorded run, for as long as there is no other; None where none ships.
    """

    tracks: Tracks
    ghost: PreviousRun
    recording: dict[str, Any] | None


class Picture(Protocol):
    """A view of a run, on the page from the panel's first moment.

    A new one costs two files: its own, and ``lab/panel/layout.py``, where a row says how to make it, where it stands
    and how large its still picture is. All calls come from one thread at a time, but not always from the same one;
    none holds up a step.

    Attributes:
        box: the widget that shows it; what is drawn in it never changes its size.
    """

    box: widgets.Widget

    def draw(self, run: Run) -> None:
        """Show what is new of ``run``; called after every new row of its record, and after every new look."""

    def clear(self) -> None:
        """Forget the run: the next one to be drawn is another."""
