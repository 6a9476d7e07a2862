"""Positions of the probe's sentences at each measurement, so that a run can be played back.

``positions.jsonl`` has a line with the sentences and the axes, then a line for each measurement.
The axes are the principal axes of the first measurement and stay fixed, so that a point moves only
if its vector has moved.

=========  ======================================================================================
``at``     (N, A) int16: coordinates on the axes, minus the first measurement's mean, in units of
           span / 32767
``near``   (N, K) uint16: rows of the K nearest sentences by cosine in all D dimensions
``share``  share of the variance on the axes
=========  ======================================================================================

Arrays are little-endian and encoded as base64, in the file and for pages.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch

from .._validation import printable
from ..arithmetic import unit_rows
from ..projections import principal_axes
from .files import POSITIONS
from .folder import RunFolder

NEAREST = 5
AXES = 8
# Characters of a sentence and of a label.
LONGEST, LONGEST_LABEL = 500, 200
# Largest distance of two unit vectors, so that no coordinate is clipped.
SPAN = 2.0
STEPS = 32767
MOST_ROWS = 128
# Name of the tensor in a checkpoint: the mean, then the axes, (1 + A, D).
BASIS = "probe.basis"

Floats = npt.NDArray[np.float32]


class Probe(Protocol):
    """What is recorded of a probe, see :mod:`clwork.training.probe`."""

    texts: list[str]
    labels: list[str | None] | None
    vectors: Floats | None


class MeasuredPositions(NamedTuple):
    """One measurement: coordinates ``(N, A)``, nearest sentences ``(N, K)``, and share."""

    step: int
    at: Floats
    near: npt.NDArray[np.uint16]
    share: float


class Positions:
    """Recorded positions of a run; the training thread adds measurements, others read them."""

    def __init__(self, files: RunFolder) -> None:
        self._files = files
        self.about: dict[str, Any] | None = None
        self.basis: Floats | None = None
        self._rows: list[dict[str, Any]] = []

    @staticmethod
    def open(files: RunFolder) -> Positions:
        """Read a run's positions, up to the first damaged line."""
        opened = Positions(files)
        if not files.has(POSITIONS):
            return opened
        header, *rows = list(files.lines(POSITIONS)) or [None]
        if header is not None:
            opened.about = header
            readable = rows.index(None) if None in rows else len(rows)
            opened._rows = rows[:readable]
        return opened

    @staticmethod
    def resumed(
        files: RunFolder, step: int, probe: Probe, basis: torch.Tensor | None, store: bool = True
    ) -> Positions:
        """Open the positions up to ``step``; empty if they have another probe or other axes.

        If ``store``, the file is written again without later and damaged lines.
        """
        opened = Positions.open(files)
        if opened.about is None or basis is None or opened.about["texts"] != _texts(probe):
            return Positions(files)
        opened.basis = basis.numpy()
        opened._drop_after(step)
        if store:
            opened._rewrite()
        return opened

    @staticmethod
    def cut(files: RunFolder, step: int) -> None:
        """Drop the positions after ``step`` from a folder."""
        opened = Positions.open(files)
        if opened.about is not None:
            opened._drop_after(step)
            opened._rewrite()

    def rows(self) -> list[dict[str, Any]]:
        """Return the measurements as in the file."""
        return list(self._rows)

    def arrays(self) -> list[MeasuredPositions]:
        """Return the measurements as arrays."""
        return [] if self.about is None else [_decoded(self.about, row) for row in self._rows]

    def add(self, step: int, probe: Probe) -> None:
        """Append the probe's latest vectors."""
        assert probe.vectors is not None
        points = unit_rows(probe.vectors)
        if self.basis is None or self.basis.shape[1] != points.shape[1]:
            self._begin(probe, points)
        assert self.basis is not None
        row = {"step": step, **_encoded(points, self.basis)}
        if len(self._rows) < MOST_ROWS:
            self._rows.append(row)
            self._files.append_line(POSITIONS, row)
        else:
            # Other threads read the old list.
            self._rows = _thinned([*self._rows, row])
            self._rewrite()

    def _begin(self, probe: Probe, points: npt.NDArray[np.float64]) -> None:
        """Fit the axes to the first measurement, and write the line with sentences and axes."""
        self.basis, share = fit_basis(points)
        labels = probe.labels
        if labels is not None:
            labels = [label and printable(str(label))[:LONGEST_LABEL] for label in labels]
        self.about = {
            "format": 1,
            "texts": _texts(probe),
            "labels": labels,
            "basis": "first measurement",
            "axes": len(self.basis) - 1,
            "span": SPAN,
            "share": share,
        }
        self._rows = []
        self._rewrite()

    def _drop_after(self, step: int) -> None:
        self._rows = [row for row in self._rows if row["step"] <= step]

    def _rewrite(self) -> None:
        self._files.write_lines(POSITIONS, [self.about, *self._rows])


def _thinned(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop half of the rows; the first and the last stay, others at roughly equal distances."""
    while len(rows) > 1 + MOST_ROWS // 2:
        gaps = [after["step"] - row["step"] for row, after in zip(rows, rows[2:], strict=False)]
        del rows[1 + int(np.argmin(gaps))]
    return rows


def nearest(points: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.uint16]:
    """Return the rows of the ``count`` nearest other unit vectors by cosine: ``(N, count)``."""
    cosines = points @ points.T  # (N, N)
    np.fill_diagonal(cosines, -np.inf)
    if count == 0:
        return np.zeros((len(points), 0), np.uint16)
    near = np.sort(np.argpartition(-cosines, count - 1, axis=1)[:, :count], axis=1)
    order = np.argsort(-np.take_along_axis(cosines, near, axis=1), axis=1, kind="stable")
    return np.take_along_axis(near, order, axis=1).astype(np.uint16)


def fit_basis(points: npt.NDArray[np.float64]) -> tuple[Floats, list[float]]:
    """Return mean and principal axes ``(1 + A, D)`` of unit vectors, and each axis's share."""
    mean = points.mean(axis=0)
    axes, power = principal_axes(points - mean, AXES)
    total = float(power.sum())
    share = [round(float(value) / total, 6) if total > 0 else 0.0 for value in power[: len(axes)]]
    return np.vstack([mean, axes]).astype(np.float32), share


def _encoded(points: npt.NDArray[np.float64], basis: Floats) -> dict[str, Any]:
    mean, axes = basis[0].astype(np.float64), basis[1:].astype(np.float64)
    spread = points - points.mean(axis=0)
    total = float((spread**2).sum())
    on_axes = float(((spread @ axes.T) ** 2).sum())
    # Equal vectors have no variance.
    share = on_axes / total if total > 0 else 1.0
    return {
        "at": packed((points - mean) @ axes.T),
        "near": _base64(nearest(points, min(NEAREST, len(points) - 1)).astype("<u2")),
        "share": round(min(1.0, share), 6),
    }


def quantized(points: npt.ArrayLike, span: float = SPAN) -> npt.NDArray[np.int16]:
    """Convert coordinates (N, A) to little-endian int16 in units of ``span`` / 32767."""
    units = np.clip(np.asarray(points, dtype=np.float64) / span, -1, 1) * STEPS
    return np.rint(units).astype("<i2")


def packed(points: npt.ArrayLike, span: float = SPAN) -> str:
    """Return :func:`quantized` coordinates as base64, for files and pages without a kernel."""
    return _base64(quantized(points, span))


def unpacked(text: str, count: int, axes: int, span: float = SPAN) -> Floats:
    """Decode the result of :func:`packed` to coordinates; ValueError for other text."""
    units = np.frombuffer(base64.b64decode(text, validate=True), "<i2").reshape(count, axes)
    return (units * (span / STEPS)).astype(np.float32)


def _base64(numbers: npt.NDArray[Any]) -> str:
    return base64.b64encode(numbers.tobytes()).decode("ascii")


def _decoded(about: Mapping[str, Any], row: Mapping[str, Any]) -> MeasuredPositions:
    count = len(about["texts"])
    at = unpacked(row["at"], count, about["axes"], about["span"])
    near = np.frombuffer(base64.b64decode(row["near"]), "<u2").reshape(count, -1)
    return MeasuredPositions(row["step"], at, near.astype(np.uint16), row["share"])


def _texts(probe: Probe) -> list[str]:
    return [printable(text[:LONGEST]) for text in probe.texts]
