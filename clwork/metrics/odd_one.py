"""The odd one out of some sentences: the one that is least like the others."""

from __future__ import annotations

from typing import NamedTuple

import torch

from ..arithmetic import unit
from .vectors import Vectors, as_matrix, precise


class OddOne(NamedTuple):
    """A row that is least like the others.

    Attributes:
        row: which one.
        cosine: its mean cosine to the others.
        others: the mean cosine of the others with one another.
    """

    row: int
    cosine: float
    others: float


def odd_one_out(x: Vectors) -> OddOne:
    """The row with the lowest mean cosine to the other rows; of equal ones, the first.

    >>> odd_one_out(torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    OddOne(row=1, cosine=0.0, others=1.0)

    Shapes: x ``(N, D)``, N at least 3: of two, neither is the odd one.

    Raises:
        TypeError: x is not a tensor or array of numbers.
        ValueError: fewer than 3 rows, or NaN or infinity.
    """
    points = unit(precise(as_matrix(x, least_rows=3)))
    cosines = points @ points.T  # (N, N)
    cosines.fill_diagonal_(0.0)
    count, sums = len(points), cosines.sum(dim=1)
    row = int(torch.argmin(sums))
    rest = (cosines.sum() - 2 * sums[row]) / ((count - 1) * (count - 2))
    return OddOne(row, float(sums[row]) / (count - 1), float(rest))
