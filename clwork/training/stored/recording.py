"""A run as one JSON object, with all that a player needs to show it without a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import columns
from ...events import events_of
from ...methods import get, names
from .stored import RunSource, as_run

MOST_ROWS = 2000


def recording_of(run: RunSource) -> dict[str, Any]:
    """Return a run's record and the positions of its probe's sentences at each look, as data that JSON can hold.

    :func:`clwork.recording`, which describes it, also takes the name of a method.

    Raises:
        TypeError, ValueError, FileNotFoundError: as :func:`.as_run`.
    """
    run = as_run("run", run)
    positions = run.positions
    about = positions.about or {"texts": [], "labels": None, "axes": 0, "span": 1.0, "share": []}
    looks = positions.rows()
    rows = downsample(run.records(), {look["step"] for look in looks})
    names_in_rows = dict.fromkeys(name for row in rows for name in row if name not in ("events", "event"))
    return {
        "name": run.name,
        "method": run.method,
        "title": get(run.method).title if run.method in names() else run.method,
        "total_steps": run.total_steps,
        "status": run.status,
        **{name: about[name] for name in ("texts", "labels", "axes", "span", "share")},
        "looks": looks,
        "rows": rows,
        "columns": {name: _column(name) for name in names_in_rows},
        "settings": dict(run.recipe.config),
        "seed": run.recipe.seed,
    }


def downsample(rows: Sequence[Mapping[str, Any]], looked_at: set[int], most: int = MOST_ROWS) -> list[dict[str, Any]]:
    """Select at most ``most`` rows, evenly spread, with first and last; rows with a look or an event are kept first.

    >>> [row["step"] for row in downsample([{"step": n} for n in range(10)], {3}, 5)]
    [0, 3, 6, 9]
    """
    if len(rows) <= most:
        return [dict(row) for row in rows]
    kept = {0, len(rows) - 1}
    kept |= {place for place, row in enumerate(rows) if row["step"] in looked_at or events_of(row)}
    stride = 1
    while len(kept | set(range(0, len(rows), stride))) > most and stride < len(rows):
        stride += 1
    chosen = sorted(kept | set(range(0, len(rows), stride)))
    return [dict(rows[place]) for place in (chosen if len(chosen) <= most else [*chosen[: most - 1], chosen[-1]])]


def _column(name: str) -> dict[str, Any]:
    column = columns.of(name)
    return {"title": column.label, "scale": column.scale, "better": column.better, "cell": column.cell}
