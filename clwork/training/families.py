"""Which run is whose fork."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..edges import checked
from .stored import STORED, Stored


class Member(NamedTuple):
    """A run in its family.

    Attributes:
        run: the run.
        depth: 0 for one that was started by itself, or whose parent is not among these runs; 1 for its forks, and on.
        parent: the run it goes on from, where that is among these.
    """

    run: Stored
    depth: int
    parent: Stored | None


@checked(runs=STORED)
def family(runs: Sequence[Stored]) -> list[Member]:
    """The runs as a tree, laid out in lines: each one followed by its forks, by theirs, and then by the next one.

    Among siblings the given order stays. ``run.parent`` has the step, and what was changed there.
    """
    places = {run.name: place for place, run in reversed(list(enumerate(runs)))}  # of one name, the first
    above = [None if run.parent is None else places.get(run.parent.run) for run in runs]
    below: dict[int | None, list[int]] = {}
    for place, parent in enumerate(above):
        below.setdefault(None if parent == place else parent, []).append(place)
    lines: dict[int, Member] = {}
    roots = [*below.get(None, ()), *range(len(runs))]  # a stranger's runs may name each other in a circle: then last
    left: list[tuple[int, int, int | None]] = [(place, 0, None) for place in reversed(roots)]
    while left:
        place, depth, parent = left.pop()
        if place not in lines:
            lines[place] = Member(runs[place], depth, None if parent is None else runs[parent])
            left += [(child, depth + 1, place) for child in reversed(below.get(place, []))]
    return list(lines.values())
