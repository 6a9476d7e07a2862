"""The curves of the desk's chosen runs, as numbers for its page: a mean and a spread over seeds, or a line each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from ...views import RunColumns
from ...views.overlaid_runs import seed_band, values_of
from ...views.recorded_columns import Floats, downsample
from .facts import Facts

POINTS = 160  # of a line on the page

Part = dict[str, Any]


def longest_by_seed(members: Sequence[Facts]) -> list[Facts]:
    """One run for each seed: the one that went farthest."""
    longest = {item.run.recipe.seed: item for item in sorted(members, key=lambda item: item.run.step)}
    return list(longest.values())


def key_of(title: str, members: Sequence[Facts], names: Sequence[str], band: bool) -> str:
    """A digest of what a group's curves depend on; a page that has it needs no new numbers."""
    facts = [title, *(f"{item.id}@{item.version}" for item in members), *names, str(band)]
    return hashlib.blake2b("\n".join(facts).encode("utf-8", "replace"), digest_size=9).hexdigest()


def lines_of(members: Sequence[Facts], names: Sequence[str], band: bool) -> dict[str, list[Part]]:
    """A recipe's curves: for each column one line with its spread, or with ``band`` off one for each seed.

    Steps, values and spread are float32, as bytes; values are scaled as :mod:`clwork.columns` has it.
    """
    tracks = [item.tracks for item in longest_by_seed(members)]
    return {name: _lines(tracks, name, band) for name in names}


def _lines(tracks: Sequence[RunColumns], name: str, band: bool) -> list[Part]:
    if not band:
        curves = [values_of(track, name) for track in tracks]
        return [_line(steps, values, None) for steps, values in curves if len(steps)]
    steps, mean, spread = seed_band(tracks, name)
    return [_line(steps, mean, spread if len(tracks) > 1 else None)] if len(steps) else []


def _line(steps: Floats, values: Floats, spread: Floats | None) -> Part:
    points = downsample(values, POINTS)
    line = {"steps": _packed(steps[points]), "values": _packed(values[points])}
    return line if spread is None else {**line, "spread": _packed(spread[points])}


def _packed(values: Floats) -> bytes:
    return values.astype("<f4").tobytes()
