"""Recordings as the page draws them, and their layout by UMAP.

A recording is the result of :func:`clwork.recording`: settings, rows of the history, and the
positions of the probe's sentences at each measurement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...projections import aligned_umap, chosen_probes
from ...recordings import coordinates
from ...run_folder.positions import packed

LONGEST = 500
"""Characters of a sentence or label."""

Recording = dict[str, Any]


def prepared_recording(recording: Mapping[str, Any]) -> Recording:
    """Return a recording with short texts, and with the keys that a page needs besides.

    These are "differs", its title next to another run, and "total_steps".

    Raises:
        ValueError: the recording has no probes.
    """
    probes = recording["measurements"]
    if not probes:
        name = recording.get("name") or "the run"
        raise ValueError(
            f"{name} has no recorded positions: it ended before its first probe; train it again"
        )
    keys = ("name", "method", "title", "status")
    texts = {key: str(recording.get(key) or "")[:LONGEST] for key in keys}
    # A recording without a length ends with its last probe.
    total_steps = max(recording.get("total_steps") or 0, probes[-1]["step"])
    differs = texts["title"] or texts["method"]
    return {**recording, **texts, "differs": differs, "total_steps": total_steps}


def umap_layout(recording: Recording) -> dict[str, Any]:
    """Return a layout of a run by UMAP, aligned over time, in the form of :func:`planar`.

    Its time grows with the number of probes, so that of a long run only some are laid out.
    """
    positions = coordinates(recording)
    chosen = chosen_probes(len(positions))
    steps = [recording["measurements"][number]["step"] for number in chosen]
    return planar(steps, aligned_umap([positions[number] for number in chosen]))


def planar(steps: Sequence[int], layouts: Sequence[npt.NDArray[Any]]) -> dict[str, Any]:
    """Encode positions (N, 2) at each step with 16 bits, in units of ``span`` / 32767.

    ``span`` is the largest coordinate of all steps, so that none is clipped.
    """
    largest = [float(np.abs(layout).max()) for layout in layouts]
    # If all points are in the origin, the span must not be 0, since it is divided by.
    span = max(1e-6, *largest)
    return {
        "steps": list(steps),
        "span": span,
        "measurements": [packed(layout, span) for layout in layouts],
    }
