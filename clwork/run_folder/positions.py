"""Positions of the probe's sentences at each measurement, so that a run can be played back.

``positions.jsonl`` stores a line with the sentences and the axes, then a line per measurement. The axes are the
principal axes of the first measurement and stay fixed, so that a point moves only if its vector has moved.

=========  ==================================================================================================
``at``     (N, A) int16: coordinates on the axes, minus the first measurement's mean, in units of span / 32767
``near``   (N, K) uint16: rows of the K nearest sentences by cosine in all D dimensions, nearest first
``share``  share of the variance on the axes
=========  ==================================================================================================

Arrays are little-endian and encoded as base64.
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
from .schema import LONGEST_SEEN, MOST_AXES, PositionsHeader, PositionsRow, parse

NEAREST = 5
SPAN = 2.0  # largest distance of two unit vectors, so that no coordinate is clipped
STEPS = 32767
MOST_ROWS = 128
BASIS = "probe.basis"  # name of the tensor in a checkpoint: the mean, then the axes, (1 + A, D)

Floats = npt.NDArray[np.float32]


class Probe(Protocol):
    """What is recorded of a probe, see :mod:`clwork.training.probe`."""

    texts: list[str]
    labels: list[str | None] | None
    vectors: Floats | None


class MeasuredPositions(NamedTuple):
    """One measurement: coordinates ``(N, A)``, nearest sentences ``(N, K)``, share of the variance on the axes."""

    step: int
    at: Floats
    near: npt.NDArray[np.uint16]
    share: float


class Positions:
    """Recorded positions of a run; the training thread adds measurements, other threads read them."""

    def __init__(self, files: RunFolder) -> None:
        self._files = files
        self.about: dict[str, Any] | None = None
        self.basis: Floats | None = None
        self._rows: list[dict[str, Any]] = []

    @staticmethod
    def open(files: RunFolder) -> Positions:
        """Read a run's positions from a folder of any origin, up to the first invalid line."""
        opened = Positions(files)
        try:
            for number, line in enumerate(files.lines(POSITIONS)):
                if number == 0:
                    opened.about = parse(PositionsHeader, line, files.path / POSITIONS).model_dump()
                elif number <= MOST_ROWS:
                    opened._take(line)
        except (OSError, ValueError):
            pass  # absent, a link, or cut short by a crash: the lines before are valid
        return opened

    @staticmethod
    def resumed(
        files: RunFolder, step: int, probe: Probe, basis: torch.Tensor | None, store: bool = True
    ) -> Positions:
        """Open the positions up to ``step``; empty if they were recorded with another probe or other axes.

        If ``store``, the file is written again without later and damaged lines.
        """
        opened = Positions.open(files)
        if opened.about is None or basis is None or opened.about["texts"] != _texts(probe):
            return Positions(files)
        fits = (
            basis.dim() == 2
            and len(basis) == 1 + opened.about["axes"]
            and basis.dtype == torch.float32
        )
        if not fits or not basis.isfinite().all():
            return Positions(files)
        opened.basis = basis.numpy()
        opened._rows = [row for row in opened._rows if row["step"] <= step]
        if store:
            opened._rewrite()
        return opened

    @staticmethod
    def cut(files: RunFolder, step: int) -> None:
        """Drop the positions after ``step`` from a folder."""
        opened = Positions.open(files)
        if opened.about is not None:
            opened._rows = [row for row in opened._rows if row["step"] <= step]
            opened._rewrite()

    def rows(self) -> list[dict[str, Any]]:
        return list(self._rows)

    def arrays(self) -> list[MeasuredPositions]:
        return [] if self.about is None else [_decoded(self.about, row) for row in self._rows]

    def add(self, step: int, probe: Probe) -> None:
        """Append the probe's latest vectors; drop half of the rows when there are more than MOST_ROWS."""
        assert probe.vectors is not None
        points = unit_rows(probe.vectors)
        if self.basis is None or self.basis.shape[1] != points.shape[1]:
            self.basis, share = fit_basis(points)
            self._rows = []
            self.about = {
                "format": 1,
                "texts": _texts(probe),
                "labels": probe.labels
                and [label and printable(str(label))[:200] for label in probe.labels],
                "basis": "first measurement",
                "axes": len(self.basis) - 1,
                "span": SPAN,
                "share": share,
            }
            self._rewrite()
        row = {"step": step, **_encoded(points, self.basis)}
        self._rows.append(row)
        if len(self._rows) > MOST_ROWS:
            rows = list(self._rows)  # other threads read the old list
            while (
                len(rows) > 1 + MOST_ROWS // 2
            ):  # the first and the last stay, others at roughly equal distances
                gaps = [
                    after["step"] - one["step"] for one, after in zip(rows, rows[2:], strict=False)
                ]
                del rows[1 + int(np.argmin(gaps))]
            self._rows = rows
            self._rewrite()
        else:
            self._files.append_line(POSITIONS, row)

    def _rewrite(self) -> None:
        self._files.write_lines(POSITIONS, [self.about, *self._rows])

    def _take(self, line: object) -> None:
        """Add a line of the file after checking its step and arrays."""
        path = self._files.path / POSITIONS
        row = parse(PositionsRow, line, path).model_dump()
        assert self.about is not None
        seen = _decoded(self.about, row)
        if self._rows and row["step"] <= self._rows[-1]["step"]:
            raise ValueError(
                f"{path} is damaged: step {row['step']} comes after step {self._rows[-1]['step']}"
            )
        if seen.near.size and seen.near.max() >= len(seen.at):
            raise ValueError(
                f"{path} is damaged: a neighbour at step {row['step']} is not one of its sentences"
            )
        self._rows.append(row)


def nearest(points: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.uint16]:
    """Return the rows of the ``count`` nearest other unit vectors by cosine, nearest first: ``(N, count)``."""
    cosines = points @ points.T  # (N, N)
    np.fill_diagonal(cosines, -np.inf)
    if count == 0:
        return np.zeros((len(points), 0), np.uint16)
    near = np.sort(np.argpartition(-cosines, count - 1, axis=1)[:, :count], axis=1)
    order = np.argsort(-np.take_along_axis(cosines, near, axis=1), axis=1, kind="stable")
    return np.take_along_axis(near, order, axis=1).astype(np.uint16)


def fit_basis(points: npt.NDArray[np.float64]) -> tuple[Floats, list[float]]:
    """Return mean and principal axes ``(1 + A, D)`` of unit vectors, and the share of the variance on each axis."""
    mean = points.mean(axis=0)
    axes, power = principal_axes(points - mean, MOST_AXES)
    total = float(power.sum())
    share = [round(float(value) / total, 6) if total > 0 else 0.0 for value in power[: len(axes)]]
    return np.vstack([mean, axes]).astype(np.float32), share


def _encoded(points: npt.NDArray[np.float64], basis: Floats) -> dict[str, Any]:
    mean, axes = basis[0].astype(np.float64), basis[1:].astype(np.float64)
    spread = points - points.mean(axis=0)
    total, on_axes = float((spread**2).sum()), float(((spread @ axes.T) ** 2).sum())
    return {
        "at": packed((points - mean) @ axes.T),
        "near": _base64(nearest(points, min(NEAREST, len(points) - 1)).astype("<u2")),
        "share": round(min(1.0, on_axes / total), 6)
        if total > 0
        else 1.0,  # equal vectors have no variance
    }


def quantized(points: npt.ArrayLike, span: float = SPAN) -> npt.NDArray[np.int16]:
    """Convert coordinates (N, A) to little-endian int16 in units of ``span`` / 32767; clip to ± ``span``."""
    units = np.clip(np.asarray(points, dtype=np.float64) / span, -1, 1) * STEPS
    return np.rint(units).astype("<i2")


def packed(points: npt.ArrayLike, span: float = SPAN) -> str:
    """Return :func:`quantized` coordinates as base64, for files and pages without a kernel."""
    return _base64(quantized(points, span))


def unpacked(text: str, count: int, axes: int, span: float = SPAN) -> Floats:
    """Decode the result of :func:`packed` to coordinates (``count``, ``axes``); ValueError for other text."""
    whole = np.frombuffer(base64.b64decode(text, validate=True), "<i2").reshape(count, axes)
    return (whole * (span / STEPS)).astype(np.float32)


def _base64(numbers: npt.NDArray[Any]) -> str:
    return base64.b64encode(numbers.tobytes()).decode("ascii")


def _decoded(about: Mapping[str, Any], row: Mapping[str, Any]) -> MeasuredPositions:
    count = len(about["texts"])
    at = unpacked(row["at"], count, about["axes"], about["span"])
    near = np.frombuffer(base64.b64decode(row["near"], validate=True), "<u2").reshape(
        count, min(NEAREST, count - 1)
    )
    return MeasuredPositions(row["step"], at, near.astype(np.uint16), row["share"])


def _texts(probe: Probe) -> list[str]:
    return [printable(text[:LONGEST_SEEN]) for text in probe.texts]
