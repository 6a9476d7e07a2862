"""PCA through time: the positions of the probe's N sentences at each measurement of a run.

They are stored in ``positions.jsonl``, so that a run can be played back. The vectors ``(N, D)`` of
a measurement become points on at most eight axes. The axes are the principal axes of the first
measurement and stay fixed, so that a point moves only if its vector has moved. The file begins with
a header::

    texts    the N sentences, at most 500 characters of each
    labels   their topics, or null
    axes     number of axes, A
    span     the coordinate that is stored as 32767
    share    share of the first measurement's variance on each axis

and has a line for each measurement::

    step     the step
    at       (N, A) int16: coordinates, relative to the mean of the first measurement
    near     (N, K) uint16: rows of the K nearest sentences by cosine in all D dimensions
    share    share of this measurement's variance on all axes together

Arrays are little-endian and encoded as base64. :func:`clwork.recordings.coordinates` decodes
``at``.
"""

from __future__ import annotations

import base64
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch

from .._validation import printable
from ..arithmetic import unit_rows
from ..projections import principal_axes
from .files import POSITIONS
from .folder import RunFolder

# Nearest sentences of each sentence (K).
NEAREST = 5
# Axes (A); fewer if the vectors are shorter.
AXES = 8
# Characters of a sentence.
LONGEST = 500
# Largest distance of two unit vectors, so that no coordinate is clipped.
SPAN = 2.0
LARGEST_INT16 = 32767
# Measurements in the file; when there are more, half of them are dropped.
MOST_ROWS = 128
# Name of the basis among the tensors of a checkpoint.
BASIS = "probe.basis"

Floats = npt.NDArray[np.float32]


class Probe(Protocol):
    """What is recorded of a probe, see :mod:`clwork.training.probe`."""

    texts: list[str]
    labels: list[str | None] | None
    vectors: Floats | None


class Positions:
    """Recorded positions of a run; the training thread adds measurements, others read them.

    Attributes:
        about: the header of the file; None before the first measurement.
        basis: ``(1 + A, D)``: the mean of the first measurement, then the axes. Only the process
            that trains the run has it; it is stored in checkpoints.
    """

    def __init__(self, files: RunFolder) -> None:
        self._files = files
        self.about: dict[str, Any] | None = None
        self.basis: Floats | None = None
        self._rows: list[dict[str, Any]] = []

    @staticmethod
    def open(files: RunFolder) -> Positions:
        """Read a run's positions; empty if there is no file."""
        opened = Positions(files)
        lines = files.lines(POSITIONS)
        opened.about = next(lines, None)
        opened._rows = list(lines)
        return opened

    @staticmethod
    def resumed(
        files: RunFolder,
        step: int,
        probe: Probe,
        basis: torch.Tensor | None,
        owns_folder: bool = True,
    ) -> Positions:
        """Open the positions of a run that continues from ``step``; later ones are dropped.

        ``basis`` is that of the checkpoint, if it has one. A process that owns the folder writes
        the file again without the dropped lines; another one writes nothing.
        """
        opened = Positions.open(files)
        if opened.about is None or basis is None or opened.about["texts"] != _texts(probe):
            # Without the axes, or with other sentences, the next measurement begins a new file.
            return Positions(files)
        opened.basis = basis.numpy()
        opened._rows = [row for row in opened._rows if row["step"] <= step]
        if owns_folder:
            opened._rewrite()
        return opened

    def rows(self) -> list[dict[str, Any]]:
        """Return the measurements as in the file, with arrays in base64."""
        return list(self._rows)

    def latest_neighbours(self) -> npt.NDArray[np.uint16] | None:
        """Return the rows of each sentence's K nearest ones at the last measurement: ``(N, K)``.

        None before the first measurement.
        """
        if self.about is None or not self._rows:
            return None
        near = np.frombuffer(base64.b64decode(self._rows[-1]["near"]), "<u2")
        return near.reshape(len(self.about["texts"]), -1)

    def add(self, step: int, probe: Probe) -> None:
        """Append the probe's latest vectors, in memory and in the file."""
        assert probe.vectors is not None
        points = unit_rows(probe.vectors)
        if self.basis is None:
            self._begin(probe, points)
        assert self.basis is not None
        row = {"step": step, **_encoded(points, self.basis)}
        if len(self._rows) < MOST_ROWS:
            self._rows.append(row)
            self._files.append_line(POSITIONS, row)
        else:
            # A new list, since other threads may be reading the old one.
            self._rows = _thinned([*self._rows, row])
            self._rewrite()

    def _begin(self, probe: Probe, points: npt.NDArray[np.float64]) -> None:
        """Fit the axes to the first measurement, and begin the file with the header."""
        self.basis, share = fit_basis(points)
        labels = probe.labels
        if labels is not None:
            # A sentence may have no topic, None.
            labels = [label and printable(str(label)) for label in labels]
        self.about = {
            "texts": _texts(probe),
            "labels": labels,
            "axes": len(self.basis) - 1,
            "span": SPAN,
            "share": share,
        }
        self._rows = []
        self._rewrite()

    def _rewrite(self) -> None:
        """Replace the file by one with the header and all measurements."""
        self._files.write_lines(POSITIONS, [self.about, *self._rows])


def _thinned(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop half of the rows; the first and the last stay, others at roughly equal distances.

    Each time, the row goes that leaves the smallest gap between its neighbours.
    """
    while len(rows) > 1 + MOST_ROWS // 2:
        neighbours = zip(rows, rows[2:], strict=False)
        gaps = [after["step"] - before["step"] for before, after in neighbours]
        # The first gap is that around the row with index 1.
        del rows[1 + int(np.argmin(gaps))]
    return rows


def nearest(points: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.uint16]:
    """Return the rows of the ``count`` nearest other points, the nearest first: ``(N, count)``.

    ``points`` are unit vectors ``(N, D)``. Of equally near ones, the first row comes first.
    """
    cosines = points @ points.T  # (N, N)
    np.fill_diagonal(cosines, -np.inf)  # no point is its own neighbour
    order = np.argsort(-cosines, axis=1, kind="stable")
    return order[:, :count].astype(np.uint16)


def fit_basis(points: npt.NDArray[np.float64]) -> tuple[Floats, list[float]]:
    """Fit the axes to unit vectors ``(N, D)``.

    Returns the mean and below it the principal axes, ``(1 + A, D)``, and the share of the variance
    on each axis. A is at most AXES, less for few points or dimensions.
    """
    mean = points.mean(axis=0)
    # The variances are those of all directions, also beyond the first AXES.
    axes, variances = principal_axes(points - mean, AXES)
    # Of equal points, which have no variance, each axis has the share 0.
    total = float(variances.sum()) or 1.0
    shares = [round(float(variance) / total, 6) for variance in variances[: len(axes)]]
    return np.vstack([mean, axes]).astype(np.float32), shares


def _encoded(points: npt.NDArray[np.float64], basis: Floats) -> dict[str, Any]:
    """Return what the file has of a measurement: ``at``, ``near`` and ``share``.

    ``points`` are unit vectors ``(N, D)``, ``basis`` is that of :func:`fit_basis`.
    """
    mean = basis[0].astype(np.float64)
    axes = basis[1:].astype(np.float64)
    coordinates = (points - mean) @ axes.T  # (N, A)
    neighbours = nearest(points, min(NEAREST, len(points) - 1))

    # The variance is that around this measurement's own mean.
    spread = points - points.mean(axis=0)
    variance = float((spread**2).sum())
    variance_on_axes = float(((spread @ axes.T) ** 2).sum())
    share = variance_on_axes / variance if variance > 0 else 1.0
    return {
        "at": packed(coordinates),
        "near": _base64(neighbours.astype("<u2")),
        "share": round(min(1.0, share), 6),  # rounding errors may exceed 1
    }


def quantized(points: npt.ArrayLike, span: float = SPAN) -> npt.NDArray[np.int16]:
    """Convert coordinates ``(N, A)`` to little-endian int16, with ``span`` as 32767."""
    units = np.clip(np.asarray(points, dtype=np.float64) / span, -1, 1) * LARGEST_INT16
    return np.rint(units).astype("<i2")


def packed(points: npt.ArrayLike, span: float = SPAN) -> str:
    """Return :func:`quantized` coordinates as base64, for files and pages without a kernel."""
    return _base64(quantized(points, span))


def _base64(numbers: npt.NDArray[Any]) -> str:
    return base64.b64encode(numbers.tobytes()).decode("ascii")


def _texts(probe: Probe) -> list[str]:
    """Return the sentences as they are stored: short, without characters that XML forbids."""
    return [printable(text[:LONGEST]) for text in probe.texts]
