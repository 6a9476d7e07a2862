"""All pictures of the panel: clwork's own, listed here, and those that were added; redrawn as the run goes on."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ....recordings import recorded_methods, recording
from ....training import Run
from ....views import RunColumns
from ...page.widgets import WIDE
from .curves import ChosenColumn, RunChanges, RunCurves, RunPlane
from .picture import SLOTS, Picture, Place, PreviousRun, Shown, Slot, add_picture, settings_of
from .sentences import SentencePoints

for own in (
    Slot("sentences", "hero", (500, 430), SentencePoints),
    Slot("curves", "side", (300, 430), RunCurves),
    Slot("changes", "side", (300, 20), RunChanges),
    Slot("plane", "side", (300, 250), RunPlane),
    Slot("column", "foot", (WIDE, 200), ChosenColumn),
):
    add_picture(own)


def recording_of(method: str) -> dict[str, Any] | None:
    """The recorded run of a method, None if none ships with clwork."""
    return recording(method) if method in recorded_methods() else None


class Pictures:
    """All pictures of a run; reads the run's records and probe, and takes none of its locks.

    The name of its slot gives a picture: ``panel.pictures.curves``. Before the first run the method's recorded one is
    shown, in grey; each run stays in grey behind the next.
    """

    def __init__(self, recording: dict[str, Any] | None = None) -> None:
        """Draw ``recording`` (see :func:`clwork.recording`), or empty pictures."""
        self.tracks, self.previous = RunColumns(), PreviousRun()
        if recording is not None:
            self.previous.become_recorded(recording)
        self._run: Run | None = None
        self._seen = self._looked = -1
        self._slots = list(SLOTS)
        shown = Shown(self.tracks, self.previous, recording)
        self.by_name: dict[str, Picture] = {slot.name: slot.make(shown, slot.size) for slot in self._slots}
        self.clear()

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["by_name"][name]
        except KeyError:
            known = ", ".join(slot.name for slot in SLOTS)
            raise AttributeError(f"the panel has no picture {name!r}; it has {known}") from None

    def boxes(self, place: Place) -> list[widgets.Widget]:
        """The pictures of one part of the panel, in the list's order."""
        return [self.by_name[slot.name].box for slot in self._slots if slot.place == place]

    def clear(self) -> None:
        """Prepare for another run; the one that was shown stays in grey, if it has done a step."""
        if (before := self._run) is not None and before.step:
            self.previous.become(before.name, before.records(), before.total_steps, settings_of(before))
        self._run = None
        self.tracks.clear()
        self._seen, self._looked = 0, -1
        for picture in self.by_name.values():
            picture.clear()

    def draw(self, run: Run) -> bool:
        """Draw what is new; return whether there was anything."""
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
