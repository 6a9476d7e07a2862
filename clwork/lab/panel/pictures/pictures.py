"""All pictures of the panel: made from the list in ``lab/panel/layout.py``, and redrawn as the run goes on."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ....recordings import recorded, recorded_methods
from ....training import Run
from ....views import Tracks
from ..layout import SLOTS, Place
from .picture import Picture, Shown
from .previous_run import PreviousRun, settings_of


def recording_of(method: str) -> dict[str, Any] | None:
    """The run of a method that ships with clwork; None for a method of one's own."""
    return recorded(method) if method in recorded_methods() else None


class Pictures:
    """Everything that is drawn of a run; reads the run's records and probe, and takes none of its locks.

    A picture is had by the name of its slot: ``panel.pictures.curves``. Before the first run the recorded one of the
    method is shown, in grey; each run becomes the grey shadow of the next.
    """

    def __init__(self, recording: dict[str, Any] | None = None) -> None:
        """Draw all pictures of ``recording`` (see :func:`clwork.recorded`), or empty."""
        self.tracks, self.ghost = Tracks(), PreviousRun()
        if recording is not None:
            self.ghost.become_recorded(recording)
        self._run: Run | None = None
        self._seen = self._looked = -1
        shown = Shown(self.tracks, self.ghost, recording)
        self.by_name: dict[str, Picture] = {slot.name: slot.make(shown, slot.size) for slot in SLOTS}
        self.clear()

    def __getattr__(self, name: str) -> Any:
        """The picture of a slot, for those who know of which class it is."""
        try:
            return self.__dict__["by_name"][name]
        except KeyError:
            raise AttributeError(f"the panel has no picture {name!r}: see clwork/lab/panel/layout.py") from None

    def boxes(self, place: Place) -> list[widgets.Widget]:
        """What stands in one part of the panel, in the list's order."""
        return [self.by_name[slot.name].box for slot in SLOTS if slot.place == place]

    def clear(self) -> None:
        """Make ready for another run; the one that was shown is its shadow, if it got as far as a loss."""
        if (before := self._run) is not None and before.step:
            self.ghost.become(before.name, before.records(), before.total_steps, settings_of(before))
        self._run = None
        self.tracks.clear()
        self._seen, self._looked = 0, -1
        for picture in self.by_name.values():
            picture.clear()

    def draw(self, run: Run) -> bool:
        """Take in what is new and draw it; returns whether there was anything."""
        self._run = run
        new = run.records(self._seen)
        self._seen += len(new)
        self.tracks.extend(new)
        looked = run.probe.vectors_step if run.probe is not None else -1
        if not new and looked == self._looked:
            return False
        self._looked = looked
        for picture in self.by_name.values():
            picture.draw(run)
        return True
