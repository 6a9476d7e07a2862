"""Recordings as the page draws them, and their layout by UMAP."""

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
    """Return a recording with short texts.

    Raises:
        ValueError: the recording has no probes.
    """
    probes = recording["measurements"]
    if not probes:
        name = recording.get("name") or "the run"
        raise ValueError(
            f"{name} has no recorded positions: it ended before its first probe; train it again"
        )
    texts = {
        key: str(recording.get(key) or "")[:LONGEST]
        for key in ("name", "method", "title", "status")
    }
    last_step = probes[-1]["step"]
    return {
        **recording,
        **texts,
        "differs": texts["title"] or texts["method"],
        "total_steps": max(recording.get("total_steps") or 0, last_step),
    }


def umap_layout(run: Recording) -> dict[str, Any]:
    """Return a UMAP layout of a run, aligned over time."""
    positions = coordinates(run)
    chosen = chosen_probes(len(positions))
    steps = [run["measurements"][probe]["step"] for probe in chosen]
    return planar(steps, aligned_umap([positions[probe] for probe in chosen]))


def planar(steps: Sequence[int], layouts: Sequence[npt.NDArray[Any]]) -> dict[str, Any]:
    """Encode positions (N, 2) at each step with 16 bits, scaled by the largest coordinate."""
    span = max(1e-6, *(float(np.abs(layout).max()) for layout in layouts))
    return {
        "steps": list(steps),
        "span": span,
        "measurements": [packed(layout, span) for layout in layouts],
    }
