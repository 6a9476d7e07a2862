"""Recordings: runs as JSON objects that the player can show without training.

This folder has one run of each method at default settings, made by ``make recorded``
(scripts/recorded_runs.py). Their texts are by the contributors of Wikipedia, CC BY-SA 4.0; see
NOTICE.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._validation import nearest
from ..columns import History

if TYPE_CHECKING:
    from ..training.run import RunSource

ENDING = ".json.gz"
FORCES = ".forces.json"
EXAMPLES = "simcse.examples.json"
# Rows of the history in a recording.
MOST_ROWS = 2000
# What a recording has of positions if the run ended before its first measurement.
NO_POSITIONS: Mapping[str, Any] = {"texts": [], "labels": None, "axes": 0, "span": 1.0, "share": []}

Floats = npt.NDArray[np.float32]


def recorded_methods() -> list[str]:
    """List the methods with a bundled recording.

    >>> "simcse" in recorded_methods()
    True
    """
    bundled = Path(__file__).parent.glob(f"*{ENDING}")
    return sorted(file.name.removesuffix(ENDING) for file in bundled)


def recording(run: RunSource) -> dict[str, Any]:
    """Return a run's history and the recorded positions of its probe's sentences as JSON data.

    The result has these keys:

    - ``name``, ``method``, ``title`` (of the method), ``status``, ``seed``, ``total_steps``;
    - ``settings``: the method's settings;
    - ``rows``: the history as in :meth:`clwork.Run.records`. Of more than 2,000 rows some are left
      out, but none with positions or an event;
    - ``texts``, ``labels``, ``axes``, ``span``, ``share`` and ``measurements``: the positions, as
      described in ``clwork/run_folder/positions.py``; :func:`coordinates` decodes them.

    Args:
        run: a run, a run opened by :func:`clwork.open_run`, a run's folder, or the name of a
            method, for its bundled recording (needs no torch). A recording is returned unchanged.

    Raises:
        TypeError: ``run`` is none of these.
        ValueError: ``run`` is neither the name of a folder nor of a method with a bundled
            recording.
        FileNotFoundError: the folder holds no run.

    >>> recording("simcse")["total_steps"]
    80
    """
    if isinstance(run, Mapping):
        return dict(run)
    if isinstance(run, str) and run in recorded_methods():
        compressed = Path(__file__).with_name(f"{run}{ENDING}").read_bytes()
        return dict(json.loads(gzip.decompress(compressed)))
    if isinstance(run, str) and not Path(run).exists():
        known = recorded_methods()
        raise ValueError(
            f"run={run!r} is neither a run's folder nor one of the recorded methods"
            f"{nearest(run, known)}: {', '.join(known)}"
        )
    return _recording_of(Path(run) if isinstance(run, str) else run)


def recorded_forces(method: str) -> dict[str, Any] | None:
    """Return the forces of each step of a run with the method's defaults; None if none is bundled.

    ``"steps"`` has for each step the mean force of each kind of candidate, see
    ``force_by_kind`` in clwork/lab/anatomy_view.py; ``"batch_size"`` is the run's.
    """
    file = Path(__file__).with_name(f"{method}{FORCES}")
    return dict(json.loads(file.read_bytes())) if file.exists() else None


def recorded_examples() -> dict[str, Any]:
    """Return three sentences, of which the first two mean the same, in SimCSE's bundled recording.

    ``"angles"`` has the angles in degrees of the second and third from the first after each of
    ``"steps"``.
    """
    return dict(json.loads(Path(__file__).with_name(EXAMPLES).read_bytes()))


def _recording_of(source: RunSource) -> dict[str, Any]:
    """Make the recording of a run, or of the run in a folder."""
    from ..methods import get, names  # torch is loaded here
    from ..training.run import as_run

    run = as_run("run", source)
    positions = run.positions
    header = positions.about or NO_POSITIONS
    measurements = positions.rows()
    steps_with_positions = {row["step"] for row in measurements}
    history = History(run.records()).thinned(MOST_ROWS, keep=steps_with_positions)
    # The method of a stored run may be unknown, since its module is not imported.
    title = get(run.method).title if run.method in names() else run.method
    return {
        "name": run.name,
        "method": run.method,
        "title": title,
        "total_steps": run.run_config.steps,
        "status": run.status,
        **{name: header[name] for name in NO_POSITIONS},
        "measurements": measurements,
        "rows": history.rows,
        "settings": dict(run.run_config.config),
        "seed": run.run_config.seed,
    }


def coordinates(recording: Mapping[str, Any]) -> Floats:
    """Decode the positions of a recording: ``(L, N, A)`` for L measurements and N sentences.

    They are on the A principal axes of the first measurement, relative to its mean.

    >>> coordinates(recording("simcse")).shape[1:]
    (200, 8)
    """
    return in_span(stored_integers(recording), recording["span"])


def stored_integers(recording: Mapping[str, Any]) -> npt.NDArray[np.int16]:
    """Decode the positions ``(L, N, A)`` of a recording to integers, as they are stored."""
    shape = len(recording["texts"]), recording["axes"]
    clouds = [
        np.frombuffer(base64.b64decode(measurement["at"]), "<i2").reshape(shape)
        for measurement in recording["measurements"]
    ]
    return np.stack(clouds)


def in_span(integers: npt.NDArray[np.int16], span: float) -> Floats:
    """Convert stored integers to coordinates; the largest integer stands for ``span``."""
    return (integers * (span / np.iinfo(np.int16).max)).astype(np.float32)
