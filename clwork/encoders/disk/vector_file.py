"""A ``.npy`` file of vectors that grows row by row: what is written outlives a kill, and any numpy reads the result."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ...disk import is_plain_file

Mapped = np.memmap[Any, np.dtype[Any]]
HEADER = 128  # bytes; numpy pads a header of two dimensions to it, whatever they are


class VectorFile:
    """Vectors ``(N, width)``, appended a few rows at a time.

    While it grows its length tells how many rows there are; :meth:`finish` writes their number into the header.

    Attributes:
        path: of the file; created when it is entered, unless it is there.
        width: numbers of a vector.
        dtype: of the numbers, little-endian.
        rows: how many there are.
    """

    def __init__(self, path: Path, width: int, dtype: str) -> None:
        """Name a file; nothing is read or written yet."""
        self.path, self.width, self.dtype = path, width, np.dtype(dtype).newbyteorder("<")
        self._file: BinaryIO | None = None

    @property
    def rows(self) -> int:
        """Whole rows of the file; 0 where there is none."""
        if not is_plain_file(self.path):
            return 0
        return max(0, self.path.stat().st_size - HEADER) // (self.width * self.dtype.itemsize)

    def __enter__(self) -> VectorFile:
        if self.rows:
            self._file = open(self.path, "r+b")
            self.cut(self.rows)
        else:
            self._file = open(self.path, "w+b")
            self._file.write(self.header(0))
            self._file.flush()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()
        self._file = None

    @property
    def _open(self) -> BinaryIO:
        assert self._file is not None, "enter the file first"
        return self._file

    def cut(self, rows: int) -> None:
        """Keep the first ``rows``; half a row that a kill left goes with the others."""
        self._open.truncate(HEADER + rows * self.width * self.dtype.itemsize)
        self._open.seek(0, os.SEEK_END)

    def append(self, vectors: npt.NDArray[np.float32]) -> None:
        """Write vectors ``(n, width)`` behind the others; they are on the disk when it returns.

        Raises:
            ValueError: a number is too large for the file's type.
        """
        with np.errstate(over="ignore"):
            converted = vectors.astype(self.dtype)
        if not np.isfinite(converted).all():
            most = float(np.finfo(self.dtype).max)
            raise ValueError(
                f"the vectors hold {np.abs(vectors).max():.4g}, and {self.dtype.name} reaches only to {most:.4g}; "
                "give dtype='float32'"
            )
        self._open.write(converted.tobytes())
        self._sync()

    def finish(self) -> None:
        """Write the number of rows into the header: from now on the file is a whole ``.npy``."""
        header = self.header(self.rows)
        self._open.seek(0)
        self._open.write(header)
        self._sync()

    def _sync(self) -> None:
        self._open.flush()
        os.fsync(self._open.fileno())

    def header(self, rows: int) -> bytes:
        """The header of a ``.npy`` file with so many rows, :data:`HEADER` bytes."""
        out = io.BytesIO()
        about = {"descr": self.dtype.str, "fortran_order": False, "shape": (rows, self.width)}
        np.lib.format.write_array_header_1_0(out, about)
        header = out.getvalue()
        assert len(header) == HEADER
        return header

    def is_whole(self, rows: int) -> bool:
        """Whether the file is a finished one of exactly so many rows."""
        row = self.width * self.dtype.itemsize
        if not is_plain_file(self.path) or self.path.stat().st_size != HEADER + rows * row:
            return False
        with open(self.path, "rb") as file:
            return file.read(HEADER) == self.header(rows)

    def mapped(self) -> Mapped | npt.NDArray[Any]:
        """The rows, mapped read-only from the file, finished or not: ``(rows, width)``."""
        if not self.rows:
            return np.zeros((0, self.width), dtype=self.dtype)  # an empty file cannot be mapped
        return np.memmap(self.path, dtype=self.dtype, mode="r", offset=HEADER, shape=(self.rows, self.width))
