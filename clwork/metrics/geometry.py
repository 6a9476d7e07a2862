"""The shape of a cloud of sentence vectors: alignment, uniformity, anisotropy, rank.

Rows of tensors or arrays ``(N, D)`` are normalised first. A row of zeros stays zero, so a cloud of
zeros counts as collapsed and never gives NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from ..arithmetic import normalize
from .inputs import Vectors, as_matrix, precise

CHUNK = 2048  # rows per block; CHUNK x CHUNK distances are in memory


def alignment(x: Vectors, y: Vectors, alpha: float = 2.0) -> float:
    """Mean distance of positive pairs: ``mean_i ‖x̂_i - ŷ_i‖^alpha``.

    Wang & Isola 2020, §4.1; SimCSE §2.2.

    Shapes: both ``(N, D)``; rows i form a pair. Range [0, 2^alpha], 0 best;
    ``2 - 2 · mean cosine`` for alpha = 2.

    >>> alignment(torch.eye(2), torch.eye(2).flip(0))  # orthogonal pairs
    2.0...
    """
    left, right = as_matrix(x, "x"), as_matrix(y, "y")
    if left.shape != right.shape:
        raise ValueError(
            f"x is {tuple(left.shape)} and y {tuple(right.shape)}; "
            "row i of each is a pair, so the shapes must be equal"
        )
    gap = normalize(precise(left)) - normalize(precise(right))  # (N, D)
    return float(torch.linalg.vector_norm(gap, dim=1).pow(alpha).mean())


def uniformity(x: Vectors, t: float = 2.0, *, log: bool = True) -> float:
    """Uniformity on the sphere: ``log mean_{i<j} exp(-t ‖x̂_i - x̂_j‖²)``.

    Wang & Isola 2020, §4.1; SimCSE §2.2. The mean is over *all* pairs, without sampling.
    ``log=False`` omits the logarithm, as DCLR's text does (D3).

    Shapes: ``(N, D)``, N ≥ 2. For t = 2: 0 if all vectors are equal, about -4 for many vectors
    spread evenly in many dimensions; with ``log=False`` 1 and about 0.018.

    >>> abs(uniformity(torch.ones(3, 4))) < 1e-6
    True
    """
    # float32 cosines are accurate to 1e-7.
    points = normalize(as_matrix(x, "x", least_rows=2))  # (N, D)
    squares = points.pow(2).sum(dim=1).round()  # 1, or 0 for a row of zeros
    count = len(points)
    # The logarithms of the sums over blocks of pairs. They are floats, because small tensors among
    # large ones fragment memory.
    parts = []
    for start in range(0, count, CHUNK):
        rows = points[start : start + CHUNK]
        of_rows = squares[start : start + CHUNK, None]
        distances = (
            of_rows + squares[None, start : start + CHUNK] - 2 * (rows @ rows.T)
        ).clamp_min_(0.0)
        above = torch.ones_like(distances, dtype=torch.bool).triu(diagonal=1)  # i < j
        parts.append(float(torch.logsumexp(-t * precise(distances[above]), dim=0)))
        # Earlier blocks have these rows with columns before start.
        for first in range(start + CHUNK, count, CHUNK):
            columns = points[first : first + CHUNK]
            # -t ‖x - y‖² = -t (‖x‖² + ‖y‖²) + 2t x·y, computed in one step by addmm.
            without_product = -t * (of_rows + squares[None, first : first + CHUNK])
            exponents = precise(
                torch.addmm(without_product, rows, columns.T, alpha=2 * t).clamp_max_(0.0)
            )
            # log Σ exp, with the largest exponent taken out so that nothing underflows; in place,
            # which torch.logsumexp is not, to save memory.
            largest = float(exponents.max())
            parts.append(largest + math.log(float(exponents.sub_(largest).exp_().sum())))
    total = float(torch.logsumexp(torch.tensor(parts, dtype=torch.float64), dim=0))
    value = total - math.log(count * (count - 1) / 2)
    return value if log else math.exp(value)


def mean_cosine(x: Vectors) -> float:
    """Mean cosine over all pairs i < j, ``(‖Σ x̂_i‖² - N) / (N (N - 1))``.

    A row of zeros counts as orthogonal to all others.

    Shapes: ``(N, D)``, N ≥ 2. Range [-1/(N-1), 1]; 1: all vectors have one direction.

    >>> mean_cosine(torch.ones(5, 3))
    1.0...
    """
    points = normalize(precise(as_matrix(x, "x", least_rows=2)))
    count = len(points)
    return float(points.sum(dim=0).pow(2).sum() - points.pow(2).sum()) / (count * (count - 1))


def std_sqrt_d(x: Vectors) -> float:
    """Mean over coordinates of the standard deviation of unit vectors, times √D.

    Chen & He 2021, §4.1. About 1 for an isotropic cloud, 0 for a point. It does not detect low
    rank: a cloud of rank 2 has about 0.9.

    Shapes: ``(N, D)``. Range [0, 1].
    """
    points = normalize(precise(as_matrix(x, "x")))
    return float(points.std(dim=0, correction=0).mean()) * math.sqrt(points.shape[1])


def singular_values(x: Vectors, centre: bool = False) -> torch.Tensor:
    """Return the singular values of the unit vectors' matrix, largest first (SimCSE, fig. F.1)."""
    points = normalize(precise(as_matrix(x, "x")))
    if centre:
        points = points - points.mean(dim=0)
    values: torch.Tensor = torch.linalg.svdvals(points)
    return values.cpu()


def effective_rank(x: Vectors, centre: bool = False) -> float:
    """Number of dimensions in use: RankMe, ``exp(-Σ p_k log p_k)`` (Garrido et al. 2023).

    ``p`` are the singular values of the unit vectors' matrix, divided by their sum. ``centre=True``
    subtracts the mean vector first, so the result cannot show a cone or a point.

    Shapes: ``(N, D)``. Range [1, min(N, D)]; 0.0 for zeros.

    >>> round(effective_rank(torch.eye(7)), 6)
    7.0
    """
    return rank_of_spectrum(singular_values(x, centre))


def rank_of_spectrum(values: torch.Tensor) -> float:
    """Return the exponential of the entropy of the normalised values; 0.0 if all are zero."""
    total = float(values.sum())
    if total == 0.0:
        return 0.0
    share = values / total
    return math.exp(float(torch.special.entr(share).sum()))  # entr(0) is 0


def share_of_first(values: torch.Tensor) -> float:
    """Return the first value's square divided by the sum of squares; 0.0 if all are zero.

    For singular values of unit vectors W: the share of the largest eigenvalue of ``W Wᵀ`` in the
    sum of all (SimCSE, §5).
    """
    energy = values.pow(2)
    total = float(energy.sum())
    return float(energy[0]) / total if total > 0 else 0.0


def wasserstein_to_uniform(x: Vectors) -> float:
    """W2 distance of the unit vectors to the uniform distribution on the sphere.

    ``√(‖μ‖² + 1 + tr Σ - 2/√D · tr Σ^½)`` (Fang et al. 2024, arXiv 2403.00642), μ and Σ the mean
    and covariance of the unit vectors: both distributions are approximated by Gaussians, the
    uniform one by N(0, I/D). Unlike :func:`uniformity`, it changes if dimensions are copied.
    Compare clouds of equal size: N vectors fill at most N dimensions.

    Shapes: ``(N, D)``. Range [0, √2]; 0: uniform, √2: all vectors have one direction; 1.0 for
    zeros.

    >>> copied = torch.cat([torch.eye(3), torch.eye(3)], dim=1)  # half of the dimensions unused
    >>> round(wasserstein_to_uniform(torch.eye(3)), 3), round(wasserstein_to_uniform(copied), 3)
    (0.816, 1.028)
    """
    points = normalize(precise(as_matrix(x, "x")))
    count, width = points.shape
    root = singular_values(x, centre=True).sum() / math.sqrt(count * width)  # tr Σ^½ / √D
    return math.sqrt(max(0.0, 1 + float(points.pow(2).sum()) / count - 2 * float(root)))


OF_CLOUD: dict[str, Callable[[Vectors], float]] = {
    "uniformity": uniformity,
    "mean_cosine": mean_cosine,
    "effective_rank": effective_rank,
    "std_sqrt_d": std_sqrt_d,
}
"""Measures of a run's probe sentences by history column; clwork/columns.py has their titles."""
