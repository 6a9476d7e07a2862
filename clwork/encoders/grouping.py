"""Rows of like length together: padding is computed and thrown away, and small tensors stay in a CPU's cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
# Places of one forward pass, padding included: measured on two cores, see docs/decisions.md. A GPU wants many more.
PLACES_ON_CPU, PLACES_ON_GPU = 1024, 16_384


def by_length(lengths: Sequence[int], places: int | None, rows: int | None = None) -> Iterator[Places]:
    """Indices of the lengths, longest first, in groups of at most ``places`` once padded, or of ``rows`` rows.

    A row that is longer than ``places`` is a group of its own. None for both makes one group of everything.

    >>> [group.tolist() for group in by_length([3, 9, 4, 2], 10)]
    [[1], [2, 0], [3]]
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    start = 0
    while start < len(order):
        fit = len(order) if places is None else max(1, places // max(1, int(sizes[order[start]])))
        count = rows or fit
        yield order[start : start + count]
        start += count
