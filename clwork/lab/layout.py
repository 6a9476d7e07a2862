"""Where everything stands, and how large it is, in pixels: the panel's pictures row by row, and the other boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from ..views import Tracks
from .pictures.chosen_column import ChosenColumn
from .pictures.picture import Picture
from .pictures.run_curves import RunCurves
from .pictures.run_plane import RunPlane
from .pictures.sentence_points import SentencePoints

WIDE = 838  # what a notebook's cell has room for, beside its prompt
SETTINGS_WIDE = 294  # the panel's column of settings
DESK_CURVES = (WIDE, 620)
LINKED_SIDE = 270  # of one cloud among several
Place = Literal["right", "below", "foot"]


class Slot(NamedTuple):
    """A picture of the panel.

    Attributes:
        name: ``panel.pictures.NAME`` is the picture.
        place: ``right`` of the settings; ``below`` them, side by side; at the ``foot``, one under the other.
        size: width and height.
        make: makes it, from the columns of the run that is shown and the size.
    """

    name: str
    place: Place
    size: tuple[int, int]
    make: Callable[[Tracks, tuple[int, int]], Picture]


# In the order in which they stand and are drawn. A new picture: its file in clwork/lab/pictures, and a row here.
SLOTS = (
    Slot("curves", "right", (540, 430), RunCurves),
    Slot("plane", "below", (335, 370), RunPlane),
    Slot("sentences", "below", (500, 370), SentencePoints),
    Slot("column", "foot", (WIDE, 200), ChosenColumn),
)
