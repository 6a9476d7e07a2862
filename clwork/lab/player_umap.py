"""The films of a player laid out by UMAP: each through its own time, and two runs of the same sentences together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..views import aligned_umap
from ..views.umap_through_time import chosen_looks
from .player_film import Film, Floats, coordinates, planar


def laid_out(films: Sequence[Film]) -> list[dict[str, Any]]:
    """What each film's ``umap`` is to be.

    Two runs of the same sentences are laid out as one way, from the end of the first back to its start and from the
    start of the second on to its end: they begin alike, so a place means the same in both.
    """
    chosen = [chosen_looks(len(one["looks"])) for one in films]
    points = [[coordinates(one)[look] for look in looks] for one, looks in zip(films, chosen, strict=True)]
    steps = [[one["looks"][look]["step"] for look in looks] for one, looks in zip(films, chosen, strict=True)]
    return [planar(at, look) for at, look in zip(steps, _one_way(films, points), strict=True)]


def _one_way(films: Sequence[Film], points: list[list[Floats]]) -> list[list[Floats]]:
    if len(films) == 2 and films[0]["texts"] == films[1]["texts"] and films[0]["axes"] == films[1]["axes"]:
        first = len(points[0])
        laid = aligned_umap([*reversed(points[0]), *points[1]])
        return [laid[:first][::-1], laid[first:]]
    return [aligned_umap(looks) for looks in points]
