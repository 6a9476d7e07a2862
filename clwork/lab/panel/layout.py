"""Where the panel's pictures stand.

On the page a picture of the panel is as large as the room it has there (``panel.css``); pixels count in still pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from ..page.widgets import WIDE
from .pictures.curves import ChosenColumn, RunChanges, RunCurves, RunPlane
from .pictures.picture import Picture, Shown
from .pictures.sentences import SentencePoints

Place = Literal["hero", "side", "foot"]


class Slot(NamedTuple):
    """A picture of the panel.

    Attributes:
        name: ``panel.pictures.NAME`` is the picture.
        place: the ``hero`` in the middle of the screen; ``side``, one under the other beside it; at the ``foot``,
            below the screen.
        size: width and height of its still picture.
        make: makes it, from what there is to show and the size.
    """

    name: str
    place: Place
    size: tuple[int, int]
    make: Callable[[Shown, tuple[int, int]], Picture]


# In the order in which they stand and are drawn. A new picture: its file in clwork/lab/pictures, and a row here.
SLOTS = (
    Slot("sentences", "hero", (500, 430), SentencePoints),
    Slot("curves", "side", (300, 430), RunCurves),
    Slot("changes", "side", (300, 20), RunChanges),
    Slot("plane", "side", (300, 250), RunPlane),
    Slot("column", "foot", (WIDE, 200), ChosenColumn),
)
