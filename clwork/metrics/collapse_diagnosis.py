"""Has the space collapsed, and how? Several signals, as none alone sees every collapse, and one verdict in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..arithmetic import normalize
from .collapse_advice import Verdict, advice, moved
from .collapse_trend import SHARED, Trend
from .geometry import mean_cosine, rank_of_spectrum, share_of_first, singular_values, std_sqrt_d, uniformity
from .vectors import Vectors, as_matrix, precise

# Is the cloud a handful of tight clumps? Asked of its minimum spanning tree, which needs no number of clusters.


Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
MOST_PAIRED = 512  # all pairs are looked at: 512 rows take some 20 ms
MOST_CLUSTERS = 64


@dataclass(frozen=True)
class Clumps:
    """The most clear-cut split of a cloud.

    ``gap`` is the shortest edge between clumps over the longest edge inside one (1.0: no gap at all), ``count`` how
    many clumps there are then, ``within`` the share of variance inside them, ``cover`` the share of rows in clumps of
    three or more.
    """

    gap: float
    count: int
    within: float
    cover: float


def find_clumps(points: torch.Tensor) -> Clumps:
    """Cut the minimum spanning tree where consecutive edge lengths differ most.

    Tight clusters are joined by few long edges, and all others are short; in a cloud without clusters edge lengths fall
    smoothly (ratios of consecutive ones below 1.1 in ten dimensions or more, below about 1.7 on a circle).

    Shapes: ``(N, D)`` unit vectors, N ≥ 8; beyond 512 rows a fixed random 512 are looked at.
    """
    if len(points) > MOST_PAIRED:
        chosen = torch.randperm(len(points), generator=torch.Generator().manual_seed(0))[:MOST_PAIRED]
        points = points[chosen.to(points.device)]
    unit = np.asarray(points.cpu().numpy(), dtype=np.float64)
    lengths, first, second = _spanning_tree(unit)  # N - 1 edges and their ends, the longest first
    longest = lengths[: min(len(unit) // 4, MOST_CLUSTERS)]
    ratios = longest[:-1] / np.maximum(longest[1:], 1e-6)  # ratio k: what k + 2 clumps would be parted by
    best = int(ratios.argmax())
    labels = _pieces(len(unit), first[best + 1 :], second[best + 1 :])
    sizes = np.bincount(labels)
    return Clumps(
        gap=float(ratios[best]),
        count=int((sizes >= 3).sum()),
        within=_within_share(unit, labels, sizes),
        cover=float(sizes[sizes >= 3].sum() / len(unit)),
    )


def _spanning_tree(unit: Floats) -> tuple[Floats, Whole, Whole]:
    from scipy.sparse.csgraph import minimum_spanning_tree

    squares = np.maximum(2 - 2 * unit @ unit.T, 0.0)  # (N, N)
    tree = minimum_spanning_tree(np.triu(1 + squares, k=1)).tocoo()  # a square of 0 would count as no edge
    order = np.argsort(-tree.data, kind="stable")
    return np.sqrt(squares[tree.row, tree.col])[order], tree.row[order], tree.col[order]


def _pieces(count: int, first: Whole, second: Whole) -> Whole:
    """For each row, the number of the piece that these edges hold it in."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    edges = coo_array((np.ones(len(first)), (first, second)), shape=(count, count))
    labels: Whole = connected_components(edges, directed=False)[1]
    return labels


def _within_share(unit: Floats, labels: Whole, sizes: Whole) -> float:
    """Variance around the pieces' means over variance around the common mean."""
    sums = np.zeros((len(sizes), unit.shape[1]))
    np.add.at(sums, labels, unit)
    squares = float((unit**2).sum())
    total = squares - float((unit.sum(axis=0) ** 2).sum()) / len(unit)
    within = squares - float(((sums**2).sum(axis=1) / sizes).sum())
    return max(within, 0.0) / total if total > 0 else 0.0


FEWEST_ROWS = 16  # with fewer, chance alone looks like any of the verdicts
MOST_ROWS = 2048  # signals of a larger cloud come from a fixed random sample of this size
ZERO_SHARE = 0.25  # of rows without a direction
POINT_COSINE = 0.998  # raw encoders reach 0.99 and are still useful
LINE_SHARE, LINE_EXCESS = 0.9, 0.15  # of energy on one axis, and how far above the mean cosine: both ends of a line
CONE_COSINE = SHARED  # raw encoders 0.5 to 0.99, after a short training 0.35 to 0.85: a shape, and no fault by itself
RANK_SHARE = 0.15  # of the dimensions there could be; real encoders 0.3 and more
DIMENSIONS_SHARE = 0.3  # the same for dimensions that hold 99.9 % of the variance; real encoders 0.45 and more


@dataclass(frozen=True)
class Diagnosis:
    """The shape of a cloud in one word, the signals it rests on, and what is to be said of it.

    ``verdict`` is one of healthy, cone, rank, clusters, point, zero, too few; ``signals`` maps names to finite floats.
    ``trend`` says, of a run, how it moved the cloud; None for a cloud by itself.
    """

    verdict: Verdict
    signals: dict[str, float]
    advice: str
    trend: Trend | None = None

    def of_run(
        self, trend: Trend | None, settings: Mapping[str, Any] | None = None, usual: Mapping[str, Any] | None = None
    ) -> Diagnosis:
        """The diagnosis of a run that moved its cloud so; advice is on settings away from their usual values."""
        return replace(self, trend=trend, advice=advice(self.verdict, self.signals, trend, settings, usual))

    @property
    def warns(self) -> bool:
        """Whether something is wrong: of a cloud by itself, any shape but healthy.

        Of a run after its first tenth, a cloud that closes or does not open, or a shape that is neither healthy nor a
        cone.
        """
        if self.trend is None:
            return self.verdict != "healthy"
        return self.trend.warns or (self.trend.course != "too early" and self.verdict not in ("healthy", "cone"))

    @property
    def headline(self) -> str:
        """Shape and course in a few words."""
        if self.trend is None or self.trend.course in ("too early", self.verdict):
            return self.verdict
        return f"{self.verdict}, {self.trend.course}"

    @property
    def text(self) -> str:
        """How the run moved the cloud, if it is of a run, and the advice."""
        return self.advice if self.trend is None else f"{moved(self.trend)}. {self.advice}"

    def __str__(self) -> str:
        """All of it in words."""
        return f"{self.headline}: {self.text}"


def diagnose(x: Vectors) -> Diagnosis:
    """Name the shape of a cloud of vectors: healthy, or one of the ways to collapse.

    In this order: **zero** (a quarter or more have no direction), **too few** (under 16 rows), **point** (all the
    same), **clusters** (a few tight clumps and nothing between), **rank** (a line, or few dimensions in use), **cone**
    (all lean one way), else **healthy**. The order matters: a point is also a cone, a few clumps also have a low
    rank. A cone is a shape and no fault: raw encoders are cones, and most short healthy runs end in a wider one
    (docs/collapse.md). Whether a run opens it, :func:`trend` tells.

    Single signals fail: std·√d reads 0.9 on a collapse to rank 2, a centred rank sees neither cone nor point, RankMe
    is NaN on zeros. Hence also the gap in the spanning tree (clusters) and both ranks.

    Shapes: ``(N, D)``; above 2,048 rows a fixed random sample. Only directions count, except for zeros.

    Raises:
        TypeError: not a tensor or array of numbers.
        ValueError: not two-dimensional, or NaN or infinity inside.

    >>> diagnose(torch.randn(200, 64, generator=torch.Generator().manual_seed(0))).verdict
    'healthy'
    >>> diagnose(torch.zeros(200, 64)).verdict
    'zero'
    """
    matrix = as_matrix(x, "x", least_rows=0)
    count = len(matrix)
    if count > MOST_ROWS:
        chosen = torch.randperm(count, generator=torch.Generator().manual_seed(0))[:MOST_ROWS]
        matrix = matrix[chosen.to(matrix.device)]
    matrix = precise(matrix)
    directed = matrix[(matrix != 0).any(dim=1)]
    signals = {"rows": float(count), "zero_share": 1 - len(directed) / len(matrix) if count else 0.0}
    clumps = find_clumps(normalize(directed)) if len(directed) >= FEWEST_ROWS else Clumps(1.0, 1, 1.0, 1.0)
    signals |= _signals(directed, clumps)
    verdict = _verdict(signals, clumps, len(directed))
    return Diagnosis(verdict, signals, advice(verdict, signals))


def _signals(points: Tensor, clumps: Clumps) -> dict[str, float]:
    """Every signal as a finite float; a single vector counts as a point, no vector as nothing."""
    several = len(points) >= 2
    raw = singular_values(points) if several else torch.ones(len(points))
    centred = singular_values(points, centre=True) if several else torch.zeros(1)
    return {
        "mean_cosine": mean_cosine(points) if several else float(len(points)),
        "uniformity": uniformity(points) if several else 0.0,
        "std_sqrt_d": std_sqrt_d(points) if several else 0.0,
        "effective_rank": rank_of_spectrum(raw),
        "centred_rank": rank_of_spectrum(centred),
        "dimensions_999": _dimensions(centred),
        "possible_rank": float(max(1, min(len(points) - 1, points.shape[1]))),
        "top_eigenvalue_share": share_of_first(raw),
        "clump_gap": clumps.gap,
        "clump_count": float(clumps.count),
    }


def _dimensions(spectrum: Tensor, share: float = 0.999) -> float:
    """How many of the largest dimensions hold ``share`` of the variance; 0 where there is none."""
    energy = spectrum.pow(2)
    total = float(energy.sum())
    if total == 0.0:
        return 0.0
    return float((energy.cumsum(0) < share * total).sum() + 1)


def _verdict(signals: dict[str, float], clumps: Clumps, directed: int) -> Verdict:
    """The first verdict that fits, in the order that :func:`diagnose` gives."""
    if signals["rows"] > 0 and signals["zero_share"] >= ZERO_SHARE:
        return "zero"
    if directed < FEWEST_ROWS:
        return "too few"
    if signals["mean_cosine"] > POINT_COSINE:
        return "point"
    # both ends of one line look like two clumps; in a cone, which has one end, the share is about the mean cosine
    if signals["top_eigenvalue_share"] > max(LINE_SHARE, signals["mean_cosine"] + LINE_EXCESS):
        return "rank"
    # where few dimensions are in use, chance alone leaves larger gaps: neighbours on a circle are unevenly spaced
    gap = 2.5 if signals["centred_rank"] < 4 else 1.3
    if clumps.gap >= gap and clumps.count >= 2 and clumps.cover >= 0.8 and clumps.within <= 0.5:
        return "clusters"
    possible = signals["possible_rank"]
    if signals["centred_rank"] < RANK_SHARE * possible or signals["dimensions_999"] < DIMENSIONS_SHARE * possible:
        return "rank"
    return "cone" if signals["mean_cosine"] > CONE_COSINE else "healthy"
