"""Where the panel's pictures stand, and how large the other boards are.

On the page a picture of the panel is as large as the room it has there (``panel.css``); pixels count in still pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from .pictures.chosen_column import ChosenColumn
from .pictures.picture import Picture, Shown
from .pictures.run_changes import RunChanges
from .pictures.run_curves import RunCurves
from .pictures.run_plane import RunPlane
from .pictures.sentence_points import SentencePoints

WIDE = 838  # what a notebook's cell has room for, beside its prompt
DESK_CURVES = (WIDE, 620)
LINKED_SIDE = 270  # of one cloud among several
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
