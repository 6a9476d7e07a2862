"""Recordings: runs as JSON objects that the player can show without training.

This folder has one run of each method at default settings, made by ``make recorded``
(scripts/recorded_runs.py). Their texts are by the contributors of Wikipedia, CC BY-SA 4.0; see
NOTICE.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import columns
from .._validation import nearest, path, shown

if TYPE_CHECKING:
    from ..run_folder.stored import RunSource

ENDING = ".json.gz"
MOST_ROWS = 2000
NO_POSITIONS: Mapping[str, Any] = {"texts": [], "labels": None, "axes": 0, "span": 1.0, "share": []}


def recorded_methods() -> list[str]:
    """List the methods with a bundled recording.

    >>> "simcse" in recorded_methods()
    True
    """
    return sorted(
        f.name.removesuffix(ENDING) for f in files(__name__).iterdir() if f.name.endswith(ENDING)
    )


def recording(run: RunSource) -> dict[str, Any]:
    """Return a run's history and the recorded positions of its probe's sentences as JSON data.

    ``texts`` to ``share`` and ``measurements`` are as in the run's ``positions.jsonl``, see
    clwork/run_folder/positions.py. A history of more than 2,000 rows is thinned; rows with
    positions or an event stay.

    Args:
        run: a run, a run opened by :func:`clwork.open_run`, a run's folder, or the name of a
        method, for its bundled
            recording (needs no torch). A recording is returned unchanged.

    Raises:
        TypeError: ``run`` is none of these.
        ValueError: ``run`` is neither the name of a folder nor of a method with a bundled
        recording. FileNotFoundError: the folder holds no run.

    >>> recording("simcse")["texts"][0]
    '...'
    """
    if isinstance(run, Mapping):
        return dict(run)
    if isinstance(run, str) and run in recorded_methods():
        packed = files(__name__).joinpath(f"{run}{ENDING}").read_bytes()
        shipped: dict[str, Any] = json.loads(gzip.decompress(packed))
        return shipped
    if isinstance(run, str) and not path("run", run).exists():
        known = recorded_methods()
        raise ValueError(
            f"run={shown(run, 200)} is neither a run's folder nor a method with a bundled recording"
            f"{nearest(run, known)}; the methods are {', '.join(known)}"
        )
    return _recording_of(Path(run) if isinstance(run, str) else run)


def _recording_of(source: RunSource) -> dict[str, Any]:
    from ..methods import get, names  # torch is loaded here
    from ..run_folder.stored import as_run

    run = as_run("run", source)
    positions = run.positions
    header = positions.about or NO_POSITIONS
    measured = positions.rows()
    # Rows with positions stay when a long history is thinned.
    steps = {row["step"] for row in measured}
    rows = columns.History(run.records()).thinned(MOST_ROWS, keep=steps).rows
    recorded = dict.fromkeys(name for row in rows for name in row if name != "events")
    return {
        "name": run.name,
        "method": run.method,
        "title": get(run.method).title if run.method in names() else run.method,
        "total_steps": run.run_config.steps,
        "status": run.status,
        **{name: header[name] for name in NO_POSITIONS},
        "measurements": measured,
        "rows": rows,
        "columns": {name: _description(columns.of(name)) for name in recorded},
        "settings": dict(run.run_config.config),
        "seed": run.run_config.seed,
    }


def _description(column: columns.Column) -> dict[str, Any]:
    return {
        "title": column.label,
        "scale": column.scale,
        "better": column.better,
        "cell": column.cell,
    }
