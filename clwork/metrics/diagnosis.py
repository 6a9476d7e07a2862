"""Diagnosis of collapse from several signals: the shape of a cloud, a run's trend, and advice.

No single number detects every collapse. docs/collapse.md explains the thresholds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from .._validation import is_number
from ..arithmetic import normalize
from .geometry import (
    mean_cosine,
    rank_of_spectrum,
    share_of_first,
    singular_values,
    std_sqrt_d,
    uniformity,
)
from .inputs import Vectors, as_matrix, precise

Verdict = Literal["healthy", "cone", "rank", "clusters", "point", "zero", "too few"]
Course = Literal["too early", "opening", "open", "steady", "not opening", "closing"]
Settings = Mapping[str, Any]

# ---- the trend of a run -------------------------------------------------------------------------

# The share of a run before which it is too early for a verdict.
EARLY = 0.1
# Changes of a cloud's width, log(1 - mean cosine), calibrated on runs of every method by
# benchmarks/collapse_calibration.py. A cloud is opening if its width has grown by at least
# OPENED since the first measurement. It is closing if the width has changed by less than CLOSED
# since the first measurement, or by less than LOST since the widest one.
OPENED = 0.14
CLOSED = -0.027
LOST = -0.46
# Above this mean cosine a cloud is a cone. Raw encoders have 0.5 to 0.99, and 0.35 to 0.85 after
# short training; it is no fault by itself.
CONE_COSINE = 0.45
# The smallest 1 - mean cosine, to avoid log 0.
NARROWEST = 1e-6


class Measurement(NamedTuple):
    """Mean cosine over all pairs of probe sentences at one step."""

    step: int
    mean_cosine: float

    @property
    def width(self) -> float:
        """The width of the cloud: the logarithm of 1 - mean cosine.

        1 - mean cosine is half the mean squared distance of the points on the unit sphere.
        """
        return math.log(max(1 - self.mean_cosine, NARROWEST))


@dataclass(frozen=True)
class Trend:
    """Change of the cloud from a run's first measurement to its latest."""

    course: Course
    first: Measurement
    # The measurement with the lowest mean cosine.
    widest: Measurement
    last: Measurement
    # The step at which the run ends.
    total_steps: int

    @property
    def part(self) -> float:
        """Share of the run between first and last measurement."""
        return (self.last.step - self.first.step) / max(1, self.total_steps - self.first.step)

    @property
    def warns(self) -> bool:
        """Whether the course of the run is a reason for a warning."""
        return self.course in ("not opening", "closing")


def trend(
    rows: Iterable[Mapping[str, Any]], total_steps: int, *, pushes: bool = True
) -> Trend | None:
    """Compare the first, widest and latest measurement of a run.

    A cloud is *closing* if it is narrower than at the first measurement, or much narrower than at
    its widest; its width is ``log(1 - mean cosine)``.

    Args:
        rows: rows of a run's history with ``step`` and ``mean_cosine``; rows without a mean cosine
            are left out.
        total_steps: the step at which the run ends.
        pushes: False for methods that do not push sentences apart, whose clouds are not expected
            to open.

    Returns:
        The trend; None if no row has a mean cosine.

    >>> trend([{"step": 0, "mean_cosine": 0.96}, {"step": 40, "mean_cosine": 0.61}], 80).course
    'opening'
    """
    measured = [
        Measurement(int(row["step"]), float(row["mean_cosine"]))
        for row in rows
        if is_number(row.get("mean_cosine")) and math.isfinite(row["mean_cosine"])
    ]
    if not measured:
        return None
    first = measured[0]
    last = measured[-1]
    widest = max(measured, key=lambda measurement: measurement.width)
    early = Trend("too early", first, widest, last, total_steps)
    if early.part < EARLY:
        return early
    return replace(early, course=_course(early, pushes))


def _course(trend: Trend, pushes: bool) -> Course:
    """Return the course of a run that is not too early for a verdict.

    ``pushes`` is whether the method pushes sentences apart, so that the cloud should open. OPENED,
    CLOSED and LOST are limits of the change of the width; the last two are negative.
    """
    change = trend.last.width - trend.first.width
    change_since_widest = trend.last.width - trend.widest.width
    if change < CLOSED or change_since_widest < LOST:
        return "closing"
    if change > OPENED:
        return "opening"
    # The width has hardly changed, so the last mean cosine is about the first one. If it is low,
    # the cloud was open from the start.
    if trend.last.mean_cosine < CONE_COSINE:
        return "open"
    return "not opening" if pushes else "steady"


# ---- the shape of a cloud -----------------------------------------------------------------------

# With fewer rows, even random vectors could get any verdict. Larger clouds are sampled.
FEWEST_ROWS = 16
MOST_ROWS = 2048
# "zero": at least this share of the rows is zero.
ZERO_SHARE = 0.25
# "point": a mean cosine above this; raw encoders reach 0.99 and are still useful.
POINT_COSINE = 0.998
# "rank", as a line: the share of the first eigenvalue is above LINE_SHARE, and above the mean
# cosine by more than LINE_EXCESS.
LINE_SHARE = 0.9
LINE_EXCESS = 0.15
# "rank", as few dimensions: the effective rank, or the number of dimensions with 99.9 % of the
# variance, is below this share of the possible rank. Real encoders have at least 0.3 and 0.45.
RANK_SHARE = 0.15
DIMENSIONS_SHARE = 0.3
# "clusters": the gap between clumps, see :class:`Clumps`; in few dimensions random points have
# larger gaps. At least CLUMP_COVER of the rows are in clumps of CLUMP_ROWS or more, and at most
# CLUMP_SPREAD of the variance lies within clumps.
CLUMP_GAP = 1.3
CLUMP_GAP_IN_FEW_DIMENSIONS = 2.5
FEW_DIMENSIONS = 4
CLUMP_COVER = 0.8
CLUMP_SPREAD = 0.5
CLUMP_ROWS = 3
# The most rows to cluster, which takes about 20 ms, and the most clumps to look for.
MOST_CLUSTERED = 512
MOST_CLUSTERS = 64


@dataclass(frozen=True)
class Diagnosis:
    """The shape of a cloud, the signals that determine it, and advice."""

    verdict: Verdict
    # Finite numbers by name, such as "mean_cosine".
    signals: dict[str, float]
    advice: str
    # None for a single cloud, which has no history.
    trend: Trend | None = None

    def of_run(
        self,
        trend: Trend | None,
        settings: Settings | None = None,
        defaults: Settings | None = None,
    ) -> Diagnosis:
        """Return the diagnosis of the run whose latest cloud this is.

        ``settings`` and ``defaults`` are the hyperparameters of the run and of its method: the
        advice names those that differ and that helped in similar runs.
        """
        text = advice(self.verdict, self.signals, trend, settings, defaults)
        return replace(self, trend=trend, advice=text)

    @property
    def warns(self) -> bool:
        """Whether a single cloud is not healthy; for a run, whether it closes or has collapsed.

        A cone is no reason to warn of a run, because training starts from one.
        """
        if self.trend is None:
            return self.verdict != "healthy"
        if self.trend.course == "too early":
            return False
        return self.trend.warns or self.verdict not in ("healthy", "cone")

    @property
    def headline(self) -> str:
        """Shape and course, such as "cone, opening"."""
        if self.trend is None or self.trend.course in ("too early", self.verdict):
            return self.verdict
        return f"{self.verdict}, {self.trend.course}"

    @property
    def text(self) -> str:
        """The run's trend, if there is one, and the advice."""
        return self.advice if self.trend is None else f"{change_of(self.trend)}. {self.advice}"

    def __str__(self) -> str:
        """Headline and text."""
        return f"{self.headline}: {self.text}"


def diagnose(x: Vectors) -> Diagnosis:
    """Classify the shape of a cloud of vectors ``(N, D)`` as healthy or as a kind of collapse.

    The verdict is the first that applies: **zero** (a quarter of the rows or more are zero),
    **too few** (under 16 nonzero rows), **point** (all equal), **clusters** (tight, with gaps
    between them), **rank** (a line, or few dimensions in use), **cone** (a common direction),
    **healthy**. Raw encoders are cones. Above 2,048 rows a fixed random sample is used.

    Raises:
        TypeError: ``x`` is no tensor or array of numbers.
        ValueError: ``x`` is not ``(N, D)``, or has NaN or infinity.

    >>> diagnose(torch.randn(200, 64, generator=torch.Generator().manual_seed(0))).verdict
    'healthy'
    """
    matrix = precise(_sampled(as_matrix(x, "x", least_rows=0), MOST_ROWS))
    # A row of zeros has no direction, and would spoil all other signals.
    nonzero = matrix[(matrix != 0).any(dim=1)]
    clumps = NO_CLUMPS
    if len(nonzero) >= FEWEST_ROWS:
        clumps = find_clumps(normalize(nonzero))
    signals = {
        "rows": float(len(x)),
        "zero_share": 1 - len(nonzero) / len(matrix) if len(matrix) else 0.0,
        **_signals(nonzero, clumps),
    }
    verdict = _verdict(signals, clumps, len(nonzero))
    return Diagnosis(verdict, signals, advice(verdict, signals))


def _sampled(matrix: Tensor, most: int) -> Tensor:
    """Return at most ``most`` rows, always the same ones."""
    if len(matrix) <= most:
        return matrix
    chosen = torch.randperm(len(matrix), generator=torch.Generator().manual_seed(0))[:most]
    return matrix[chosen.to(matrix.device)]


def _signals(points: Tensor, clumps: Clumps) -> dict[str, float]:
    """Return the signals of nonzero vectors ``(N, D)``, N ≥ 0, except the numbers of rows."""
    # Of fewer than two points most measures are undefined: a single point counts as collapsed.
    several = len(points) >= 2
    raw = singular_values(points) if several else torch.ones(len(points))
    centred = singular_values(points, centre=True) if several else torch.zeros(1)
    variance = centred.pow(2)
    total = float(variance.sum())
    # The number of dimensions that have 99.9 % of the variance.
    dimensions = float((variance.cumsum(0) < 0.999 * total).sum() + 1) if total else 0.0
    return {
        "mean_cosine": mean_cosine(points) if several else float(len(points)),
        "uniformity": uniformity(points) if several else 0.0,
        "std_sqrt_d": std_sqrt_d(points) if several else 0.0,
        "effective_rank": rank_of_spectrum(raw),
        "centred_rank": rank_of_spectrum(centred),
        "dimensions_999": dimensions,
        "possible_rank": float(max(1, min(len(points) - 1, points.shape[1]))),
        "top_eigenvalue_share": share_of_first(raw),
        "clump_gap": clumps.gap,
        "clump_count": float(clumps.count),
    }


def _verdict(signals: Mapping[str, float], clumps: Clumps, nonzero_rows: int) -> Verdict:
    """Return the first verdict whose thresholds the signals pass."""
    if signals["rows"] > 0 and signals["zero_share"] >= ZERO_SHARE:
        return "zero"
    if nonzero_rows < FEWEST_ROWS:
        return "too few"
    if signals["mean_cosine"] > POINT_COSINE:
        return "point"
    # A line is tested before clusters, because its ends resemble two clumps. In a cone, the share
    # of the first eigenvalue is about the mean cosine.
    if signals["top_eigenvalue_share"] > max(LINE_SHARE, signals["mean_cosine"] + LINE_EXCESS):
        return "rank"
    is_flat = signals["centred_rank"] < FEW_DIMENSIONS
    gap = CLUMP_GAP_IN_FEW_DIMENSIONS if is_flat else CLUMP_GAP
    has_gap = clumps.gap >= gap and clumps.count >= 2
    if has_gap and clumps.cover >= CLUMP_COVER and clumps.within <= CLUMP_SPREAD:
        return "clusters"
    possible = signals["possible_rank"]
    if signals["centred_rank"] < RANK_SHARE * possible:
        return "rank"
    if signals["dimensions_999"] < DIMENSIONS_SHARE * possible:
        return "rank"
    return "cone" if signals["mean_cosine"] > CONE_COSINE else "healthy"


@dataclass(frozen=True)
class Clumps:
    """The division of a cloud into the clumps with the largest gap between them."""

    # The shortest edge between clumps / the longest edge within one; 1.0 means no gap.
    gap: float
    # The number of clumps of CLUMP_ROWS rows or more, and the share of all rows that they hold.
    count: int
    cover: float
    # The share of the variance that lies within clumps.
    within: float


NO_CLUMPS = Clumps(gap=1.0, count=1, within=1.0, cover=1.0)


def find_clumps(points: Tensor) -> Clumps:
    """Find clumps of unit vectors ``(N, D)``, N ≥ 8.

    The minimum spanning tree joins all points by N - 1 edges. Sorted by length, it is cut where
    an edge is longest in relation to the next shorter one. For points on a line, with edges of
    length 1, 1, 8 and 1, the ratio 8 / 1 is largest, and there are two clumps::

        ·─·─·────────·─·
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    unit = np.asarray(_sampled(points, MOST_CLUSTERED).cpu().numpy(), dtype=np.float64)
    # Single linkage returns the edges of the minimum spanning tree in column 2, shortest first.
    tree = linkage(unit, method="single")
    longest_edges = tree[::-1, 2][: min(len(unit) // 4, MOST_CLUSTERS)]
    # Without the k + 1 longest edges there are k + 2 clumps, and ratios[k] is the gap between them.
    ratios = longest_edges[:-1] / np.maximum(longest_edges[1:], 1e-6)
    best = int(ratios.argmax())
    labels = fcluster(tree, longest_edges[best + 1], criterion="distance") - 1  # (N,)

    sizes = np.bincount(labels)  # (clumps,)
    sums = np.zeros((len(sizes), unit.shape[1]))
    np.add.at(sums, labels, unit)
    # Sums of squared distances from the mean: sum of |x|² - N · |mean|², of all and by clump.
    squares = float((unit**2).sum())
    total = squares - float((unit.sum(axis=0) ** 2).sum()) / len(unit)
    within = squares - float(((sums**2).sum(axis=1) / sizes).sum())
    is_clump = sizes >= CLUMP_ROWS
    return Clumps(
        gap=float(ratios[best]),
        count=int(is_clump.sum()),
        cover=float(sizes[is_clump].sum() / len(unit)),
        within=max(within, 0.0) / total if total > 0 else 0.0,
    )


# ---- text ---------------------------------------------------------------------------------------

SHAPE_TEXTS: dict[Verdict, str] = {
    "healthy": "Directions are spread over many dimensions, with no sign of collapse. Whether near "
    "means similar is another question: compare with human ratings (STS).",
    "cone": "All vectors share a direction (mean cosine {mean_cosine:.2f}), as in pre-trained "
    "encoders and short runs. By itself that is no fault: what counts is whether a run opens the "
    "cone.",
    "rank": "The vectors fill few of their dimensions (effective rank {centred_rank:.1f} around "
    "the mean, of {possible_rank:.0f} possible). Check for a bottleneck in the head or a loss that "
    "only pulls together.",
    "clusters": "The vectors sit in {clump_count:.0f} tight clumps with nothing between. Check for "
    "duplicate or templated sentences.",
    "point": "Practically all vectors are the same (mean cosine {mean_cosine:.4f}): a complete "
    "collapse. Check for a loss that only pulls together, or a learning rate that is too high.",
    "zero": "{zero_share:.0%} of the vectors are zero and have no direction. Check for empty "
    "sentences, an attention mask that hides all tokens, dead activations in the head, or weights "
    "that have vanished.",
    "too few": "Too few vectors with a direction ({rows:.0f} rows, {zero_share:.0%} of them zero): "
    "at least 16 are needed to distinguish a shape from chance. Encode more sentences, best "
    "several hundred.",
}
POINT_AT_START = (
    "Practically all vectors were the same before the first step (mean cosine {cosine:.4f}): the "
    "encoder was collapsed before training, as with random or damaged weights. Start from a "
    "pre-trained encoder, or load its files again."
)
TREND_TEXTS: dict[Course, str] = {
    "too early": "{part:.0%} of the run is too short for a verdict.",
    "opening": "The sentences move apart.",
    "open": "There is no cone left to open.",
    "steady": "The width of the cloud is unchanged; this method does not push sentences apart.",
    "not opening": "The sentences do not move apart, though this method pushes them.",
    "closing": "The sentences move together.",
}
# The factor by which a learning rate differs from the default if it is named as a cause.
FAR = 10


class Remedy(NamedTuple):
    """A change of a setting that helped."""

    words: str
    setting: str
    # Whether it can help: called with the run's settings and with the default of the setting.
    applies: Callable[[Settings, Any], bool]


# Only changes that helped in every trial on runs of that course; docs/collapse.md lists the trials.
REMEDIES: dict[Course, tuple[Remedy, ...]] = {
    "not opening": (
        Remedy(
            "raise the learning rate",
            "learning_rate",
            lambda now, default: FAR * now["learning_rate"] <= default,
        ),
        Remedy(
            "raise λ",
            "lam",
            # MoCoUTRL's λ; the λ of SG-BERT weighs something else.
            lambda now, default: "token_loss" in now and now["lam"] < default,
        ),
        Remedy(
            "mask fewer negatives: raise φ",
            "phi",
            # φ has no effect if a quantile of the cosines takes its place.
            lambda now, default: not now["phi_quantile"] and now["phi"] < default,
        ),
    ),
    "closing": (
        Remedy(
            "lower the learning rate",
            "learning_rate",
            lambda now, default: now["learning_rate"] >= FAR * default,
        ),
        Remedy(
            "switch the stop-gradient on",
            "stop_gradient",
            # `default` is whether the stop-gradient is on by default.
            lambda now, default: default and not now["stop_gradient"],
        ),
    ),
}


def in_angles(trend: Trend, alignment: float | None) -> str:
    """Return the latest angles, as in ``Related sentences 20° apart, strangers 43°: opening.``.

    ``alignment`` is the mean squared distance d of related unit vectors, whose cosine is
    1 - d / 2; without it the sentence begins with ``Sentences 43°``.
    """
    subject = "Sentences"
    if alignment is not None:
        subject = f"Related sentences {_degrees(1 - alignment / 2)} apart, strangers"
    sentence = f"{subject} {_degrees(trend.last.mean_cosine)}"
    if trend.first.step != trend.last.step:
        sentence += f" ({_degrees(trend.first.mean_cosine)} at first)"
    return sentence + ("." if trend.course == "too early" else f": {trend.course}.")


def _degrees(cosine: float) -> str:
    """Return the angle of a cosine as text; rounding may have made it larger than 1."""
    return f"{math.degrees(math.acos(max(-1.0, min(1.0, cosine)))):.0f}°"


def change_of(trend: Trend) -> str:
    """Return the change of the mean cosine: ``mean cosine 0.96 → 0.61 (step 0 to 40 of 80)``.

    If the cloud closes, its lowest cosine stands in the middle.
    """
    measurements = [trend.first, trend.last]
    if trend.course == "closing":
        measurements.insert(1, trend.widest)
    # By step, since the widest measurement may be the first one.
    by_step = {measurement.step: measurement.mean_cosine for measurement in measurements}
    cosines = " → ".join(f"{cosine:.2f}" for cosine in by_step.values())
    steps = " to ".join(str(step) for step in dict.fromkeys((trend.first.step, trend.last.step)))
    return f"mean cosine {cosines} (step {steps} of {trend.total_steps})"


def advice(
    verdict: Verdict,
    signals: Mapping[str, float],
    trend: Trend | None = None,
    settings: Settings | None = None,
    defaults: Settings | None = None,
) -> str:
    """Describe a cloud, or a run's trend with the settings whose change helped in trials."""
    if trend is None:
        return SHAPE_TEXTS[verdict].format(**signals)
    at_start = trend.first.step == 0 and trend.first.mean_cosine > POINT_COSINE
    if verdict == "point" and at_start:
        return POINT_AT_START.format(cosine=trend.first.mean_cosine)
    description = _description(verdict, signals, trend)
    remedies = " or ".join(_remedies(trend.course, settings or {}, defaults or {}))
    return f"{description} What helped in such runs: {remedies}." if remedies else description


def _description(verdict: Verdict, signals: Mapping[str, float], trend: Trend) -> str:
    """Describe the shape if it is a collapse, or healthy without a warning; else the trend."""
    is_collapse = verdict not in ("cone", "healthy")
    is_healthy = verdict == "healthy" and not trend.warns
    if trend.course != "too early" and (is_collapse or is_healthy):
        return SHAPE_TEXTS[verdict].format(**signals)
    return TREND_TEXTS[trend.course].format(part=trend.part)


def _remedies(course: Course, settings: Settings, defaults: Settings) -> list[str]:
    """Return the changes of settings that helped in runs of this course and apply to this run."""
    texts = []
    for remedy in REMEDIES.get(course, ()):
        name = remedy.setting
        if name not in settings or name not in defaults:
            continue
        if remedy.applies(settings, defaults[name]):
            values = f"it is {settings[name]:g}, usually {defaults[name]:g}"
            texts.append(f"{remedy.words} ({values})")
    return texts
