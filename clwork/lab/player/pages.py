"""What the instrument's page gets where no kernel is behind it: the parts that a kernel would send, bytes as base64."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...disk import write_whole
from ..instrument.instrument import strip_of_curves
from ..instrument.player_data import PlayerData
from ..instrument.sources import Part, RecordedSource
from ..page import standalone


def about(runs: int) -> Part:
    """What never changes on a player's page."""
    return {"mode": "player", "runs": runs, "curves": strip_of_curves()}


def state(data: Sequence[PlayerData]) -> Part:
    """The state of a page of its own."""
    return {"about": about(len(data)), "runs": [part_of(one) for one in data], "page": True}


def document(data: Sequence[PlayerData]) -> str:
    """A whole page; it asks for nothing from outside."""
    title = " and ".join(part["title"] or part["method"] or "a run" for part in data)
    return standalone.page("instrument", state(data), f"{title} through time")


def save(data: Sequence[PlayerData], path: str | Path) -> Path:
    """Write a page to a file; one that is there is replaced.

    Raises:
        ValueError: it is a folder.
        DiskError: the disk refuses.
    """
    target = standalone.file_for(path, "player.html")
    write_whole(target, document(data))
    return target


def part_of(data: PlayerData) -> Part:
    """All of one recorded run."""
    source = RecordedSource(data, data["name"] or data["method"] or "recording")
    head = source.head() | {name: data[name] for name in ("own", "differs", "method")}
    part = {"id": source.id, "status": source.status(), "head": head, "looks": source.looks(-1), "rows": source.rows(0)}
    return as_text(part | ({"umap": data["umap"]} if "umap" in data else {}))  # type: ignore[no-any-return]


def as_text(value: Any) -> Any:
    """Bytes anywhere in ``value`` as base64.

    >>> as_text({"at": [b"abc"]})
    {'at': ['YWJj']}
    """
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {name: as_text(part) for name, part in value.items()}
    return [as_text(part) for part in value] if isinstance(value, list | tuple) else value
