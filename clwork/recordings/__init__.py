"""Runs as one JSON object each: what panel and player show before anything has been trained, or without a kernel.

One default run of each method ships here, made by ``make recorded`` (scripts/recorded_runs.py). The texts in them are
by the contributors of Wikipedia, CC BY-SA 4.0: see NOTICE.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._validation import nearest, path, shown

if TYPE_CHECKING:
    from ..training.stored import RunSource

ENDING = ".json.gz"


def recorded_methods() -> list[str]:
    """List the methods with a bundled recording.

    >>> "simcse" in recorded_methods()
    True
    """
    return sorted(f.name.removesuffix(ENDING) for f in files(__name__).iterdir() if f.name.endswith(ENDING))


def recording(run: RunSource) -> dict[str, Any]:
    """Return a run's history and the recorded positions of its probe's sentences, as JSON-able data.

    ``texts`` to ``share`` and ``measurements`` are as in the run's ``positions.jsonl``, see
    clwork/training/positions.py. Of a history over 2,000 rows some are left out, none with positions or an event.

    Args:
        run: a run, one opened by :func:`clwork.open_run`, a run's folder, or the name of a method for the recording
            that ships of it, which needs no torch. A recording is returned as it is.

    Raises:
        TypeError: something that is no run.
        ValueError: neither a folder nor a method with a recording is called so.
        FileNotFoundError: the folder holds no run.

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
            f"run={shown(run, 200)} is neither a run's folder nor a method with a recording that ships"
            f"{nearest(run, known)}; these are {', '.join(known)}"
        )
    from ..training.stored import recording_of  # torch is loaded here

    return recording_of(Path(run) if isinstance(run, str) else run)
