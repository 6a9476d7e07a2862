"""Recordings as the page draws them, and their layout by UMAP.

A recording is the result of :func:`clwork.recording`: settings, rows of the history, and the
positions of the probe's sentences at each measurement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...projections import aligned_umap
from ...recordings import coordinates
from ...run_folder.positions import packed

LONGEST = 500
"""Characters of a sentence or label."""

# The most probes of a run that have a layout by UMAP; the page interpolates between them.
MOST_LAYOUTS = 20
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


def umap_layouts(recordings: Sequence[Recording]) -> dict[str, Any]:
    """Return layouts by UMAP, aligned over time, of a run and of those that are next to it.

    Runs of the same sentences start from the same places, so that their pictures can be compared.
    Of a long run only some probes are laid out, because the time grows with their number.
    """
    parts = []
    start = None
    for recording in recordings:
        positions = coordinates(recording)
        evenly = np.linspace(0, len(positions) - 1, MOST_LAYOUTS)
        chosen = np.unique(evenly.round().astype(int))
        is_alike = recording["texts"] == recordings[0]["texts"]
        layouts = aligned_umap(positions[chosen], start if is_alike else None)
        start = layouts[0] if start is None else start
        steps = [recording["measurements"][number]["step"] for number in chosen]
        parts.append(planar(steps, layouts))
    return {"layouts": parts}


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
