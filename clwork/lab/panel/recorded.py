"""Validation of recordings, which a user may supply as any mapping, and their layout by UMAP."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, NonNegativeInt, ValidationError

from ..._validation import kind, shown
from ...projections import aligned_umap, chosen_probes
from ...run_folder.positions import packed, unpacked
from ...wording import plural

LONGEST = 500  # characters of a sentence or label
REMEDY = "give the result of clwork.recording(run)"

Recording = dict[str, Any]
Floats = npt.NDArray[np.float32]
Span = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class _Row(_Strict):
    step: NonNegativeInt


class _Probe(_Row):
    at: str
    near: str
    share: FiniteFloat


class _Layout(_Strict):
    steps: list[NonNegativeInt]
    span: Span
    measurements: list[str]


class _Recording(_Strict):
    texts: Annotated[list[str], Field(min_length=1, max_length=1000)]
    axes: Annotated[int, Field(ge=1, le=64)]
    span: Span
    measurements: Annotated[list[_Probe], Field(max_length=200)]
    rows: list[_Row]
    share: list[FiniteFloat] = []
    umap: _Layout | None = None


def checked_recording(
    recording: Mapping[str, Any], labels: Sequence[str | None] | None = None
) -> Recording:
    """Validate a recording and add ``labels``, one for each sentence, under its key "own"."""
    try:
        _Recording.model_validate(dict(recording))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(
            f"the recording's {place} is {shown(first['input'], 40)}: {first['msg']}; {REMEDY}"
        ) from None
    name = shown(recording.get("name") or "the run")
    probes, count, axes = recording["measurements"], len(recording["texts"]), recording["axes"]
    if not probes:
        raise ValueError(
            f"{name} has no recorded positions: it ended before its first probe; train it again"
        )
    if any(after["step"] <= before["step"] for before, after in pairwise(probes)):
        raise ValueError(
            f"the steps of the recording's probes are not in increasing order; {REMEDY}"
        )
    for probe in probes:
        try:
            at, near = (base64.b64decode(probe[part], validate=True) for part in ("at", "near"))
        except ValueError as error:
            raise ValueError(
                f"the probe at step {probe['step']} is not base64: {error}; {REMEDY}"
            ) from None
        rows = np.frombuffer(near, "<u2") if len(near) % 2 == 0 else np.array([count])
        if (
            len(at) != 2 * count * axes
            or len(rows) % count
            or (rows.size and int(rows.max()) >= count)
        ):
            sizes = f"{plural(count, 'sentence')} and {plural(axes, 'axis', 'axes')}"
            raise ValueError(
                f"the probe at step {probe['step']} lacks values for {sizes}; {REMEDY}"
            )
    if (layout := recording.get("umap")) is not None:
        steps = layout["steps"]
        try:
            lengths = {
                len(unpacked(one, count, 2, layout["span"])) for one in layout["measurements"]
            }
        except (TypeError, ValueError) as error:
            raise ValueError(f"the recording's umap cannot be read: {error}; {REMEDY}") from None
        if (
            lengths != {count}
            or len(steps) != len(layout["measurements"])
            or steps != sorted(set(steps))
        ):
            raise ValueError(
                f"the recording's umap does not fit its {plural(count, 'sentence')}; {REMEDY}"
            )
    total, last = recording.get("total_steps"), probes[-1]["step"]
    texts = {
        part: str(recording.get(part) or "")[:LONGEST]
        for part in ("name", "method", "title", "status")
    }
    return {
        **recording,
        **texts,
        "differs": texts["title"] or texts["method"],
        "seed": recording.get("seed"),
        "labels": labels_of(recording.get("labels"), count, "the recording"),
        "own": labels_of(labels, count, "labels"),
        "share": list(recording.get("share") or ())[:axes],
        "total_steps": max(total, last) if isinstance(total, int) else last,
    }


def labels_of(given: Any, count: int, whose: str) -> list[str | None] | None:
    """Check that there is one label for each of ``count`` sentences; ``whose`` begins the error message."""
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != count:
        many = isinstance(given, Sequence) and not isinstance(given, str)
        got = plural(len(given), "label") if many else f"{kind(given)} as labels"
        raise ValueError(
            f"{whose}: {got} for {plural(count, 'sentence')}; give a label or None for each sentence"
        )
    return [None if label is None else str(label)[:LONGEST] for label in given]


def coordinates(recording: Recording) -> list[Floats]:
    """Return the positions at each probe of a run, each (N, A)."""
    count, axes, span = len(recording["texts"]), recording["axes"], recording["span"]
    return [unpacked(probe["at"], count, axes, span) for probe in recording["measurements"]]


def umap_layouts(runs: Sequence[Recording]) -> list[dict[str, Any]]:
    """Return the UMAP layout of each recording; two runs with the same sentences share one aligned layout."""
    chosen = [chosen_probes(len(run["measurements"])) for run in runs]
    points = [
        [coordinates(run)[probe] for probe in probes]
        for run, probes in zip(runs, chosen, strict=True)
    ]
    if len(runs) == 2 and all(runs[0][name] == runs[1][name] for name in ("texts", "axes")):
        laid = aligned_umap([*reversed(points[0]), *points[1]])
        placed = [laid[: len(points[0])][::-1], laid[len(points[0]) :]]
    else:
        placed = [aligned_umap(one) for one in points]
    steps = [
        [run["measurements"][probe]["step"] for probe in probes]
        for run, probes in zip(runs, chosen, strict=True)
    ]
    return [planar(at, one) for at, one in zip(steps, placed, strict=True)]


def planar(steps: Sequence[int], points: Sequence[npt.NDArray[Any]]) -> dict[str, Any]:
    """Encode positions (N, 2) at each step with 16 bits a coordinate, scaled by the largest coordinate."""
    span = max(1e-6, *(float(np.abs(one).max()) for one in points))
    return {
        "steps": list(steps),
        "span": span,
        "measurements": [packed(one, span) for one in points],
    }
