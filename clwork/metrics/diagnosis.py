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

EARLY = 0.1  # share of a run; less is too early for a verdict
# Changes of log(1 - mean cosine), calibrated on runs of every method by
# benchmarks/collapse_calibration.py.
OPENED = 0.14  # opening: a change of at least this since the first measurement
CLOSED = -0.027  # closing: a change below this since the first measurement,
LOST = -0.38  # or below this since the widest measurement
# Raw encoders have 0.5 to 0.99, and 0.35 to 0.85 after short training; not a fault by itself.
CONE_COSINE = 0.45
NARROWEST = 1e-6  # smallest 1 - mean cosine, to avoid log 0


class Measurement(NamedTuple):
    """Mean cosine over all pairs of probe sentences at one step."""

    step: int
    mean_cosine: float

    @property
    def width(self) -> float:
        """Logarithm of 1 - mean cosine, which is half the mean squared distance on the sphere."""
        return math.log(max(1 - self.mean_cosine, NARROWEST))


@dataclass(frozen=True)
class Trend:
    """Change of the cloud from a run's first measurement to its latest."""

    course: Course
    first: Measurement
    widest: Measurement  # the one with the lowest mean cosine
    last: Measurement
    total_steps: int  # the step at which the run ends

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
    """Compare the first, widest and latest measurement of a run; None if there is none.

    Width is ``log(1 - mean cosine)``. A cloud is *closing* if it is narrower than at the first
    measurement, or much narrower than at its widest. ``pushes=False`` is for methods that do not
    push sentences apart, whose clouds are not expected to open.

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
    whole = Trend("too early", first, widest, last, total_steps)
    if whole.part < EARLY:
        return whole
    return replace(whole, course=_course(whole, pushes))


def _course(trend: Trend, pushes: bool) -> Course:
    change = trend.last.width - trend.first.width
    if change < CLOSED or trend.last.width - trend.widest.width < LOST:
        return "closing"
    if change > OPENED:
        return "opening"
    if trend.last.mean_cosine < CONE_COSINE:
        return "open"
    return "not opening" if pushes else "steady"


# ---- the shape of a cloud -----------------------------------------------------------------------

FEWEST_ROWS = 16  # with fewer rows, even random vectors could get any verdict
MOST_ROWS = 2048  # larger clouds are sampled
ZERO_SHARE = 0.25  # share of zero rows
POINT_COSINE = 0.998  # raw encoders reach 0.99 and are still useful
LINE_SHARE = 0.9  # share of the first eigenvalue,
LINE_EXCESS = 0.15  # and its excess over the mean cosine
RANK_SHARE = 0.15  # of the possible rank; real encoders have at least 0.3
# Dimensions with 99.9 % of the variance / possible rank; real encoders have at least 0.45.
DIMENSIONS_SHARE = 0.3
MOST_CLUSTERED = 512  # rows to cluster, in about 20 ms
MOST_CLUSTERS = 64


@dataclass(frozen=True)
class Diagnosis:
    """The shape of a cloud, the signals that determine it, and advice."""

    verdict: Verdict
    signals: dict[str, float]  # finite
    advice: str
    trend: Trend | None = None  # None for a single cloud

    def of_run(
        self,
        trend: Trend | None,
        settings: Settings | None = None,
        defaults: Settings | None = None,
    ) -> Diagnosis:
        """Return the diagnosis of a run with this trend.

        Its advice names settings that differ from ``defaults``.
        """
        text = advice(self.verdict, self.signals, trend, settings, defaults)
        return replace(self, trend=trend, advice=text)

    @property
    def warns(self) -> bool:
        """Whether the shape is unhealthy; for a run, whether its trend is, or its shape collapsed.

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

    >>> diagnose(torch.randn(200, 64, generator=torch.Generator().manual_seed(0))).verdict
    'healthy'
    """
    matrix = precise(_sampled(as_matrix(x, "x", least_rows=0), MOST_ROWS))
    directed = matrix[(matrix != 0).any(dim=1)]
    clumps = NO_CLUMPS if len(directed) < FEWEST_ROWS else find_clumps(normalize(directed))
    signals = {
        "rows": float(len(x)),
        "zero_share": 1 - len(directed) / len(matrix) if len(matrix) else 0.0,
        **_signals(directed, clumps),
    }
    verdict = _verdict(signals, clumps, len(directed))
    return Diagnosis(verdict, signals, advice(verdict, signals))


def _sampled(matrix: Tensor, most: int) -> Tensor:
    """Return at most ``most`` rows, always the same ones."""
    if len(matrix) <= most:
        return matrix
    chosen = torch.randperm(len(matrix), generator=torch.Generator().manual_seed(0))[:most]
    return matrix[chosen.to(matrix.device)]


def _signals(points: Tensor, clumps: Clumps) -> dict[str, float]:
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


def _verdict(signals: Mapping[str, float], clumps: Clumps, directed: int) -> Verdict:
    if signals["rows"] > 0 and signals["zero_share"] >= ZERO_SHARE:
        return "zero"
    if directed < FEWEST_ROWS:
        return "too few"
    if signals["mean_cosine"] > POINT_COSINE:
        return "point"
    # A line is tested before clusters, because its ends resemble two clumps. In a cone, the share
    # of the first eigenvalue is about the mean cosine.
    if signals["top_eigenvalue_share"] > max(LINE_SHARE, signals["mean_cosine"] + LINE_EXCESS):
        return "rank"
    # In few dimensions random points have larger gaps.
    gap = 2.5 if signals["centred_rank"] < 4 else 1.3
    has_gap = clumps.gap >= gap and clumps.count >= 2
    if has_gap and clumps.cover >= 0.8 and clumps.within <= 0.5:
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

    gap: float  # shortest edge between clumps / longest edge within one; 1.0: no gap
    count: int
    within: float  # share of the variance within clumps
    cover: float  # share of the rows in clumps of three or more


NO_CLUMPS = Clumps(gap=1.0, count=1, within=1.0, cover=1.0)


def find_clumps(points: Tensor) -> Clumps:
    """Find clumps of unit vectors ``(N, D)``, N ≥ 8.

    The minimum spanning tree is cut at the largest ratio of successive edges.
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    unit = np.asarray(_sampled(points, MOST_CLUSTERED).cpu().numpy(), dtype=np.float64)
    tree = linkage(unit, method="single")  # the edges of the minimum spanning tree, shortest first
    longest = tree[::-1, 2][: min(len(unit) // 4, MOST_CLUSTERS)]
    ratios = longest[:-1] / np.maximum(longest[1:], 1e-6)  # ratio k separates k + 2 clumps
    best = int(ratios.argmax())
    labels = fcluster(tree, longest[best + 1], criterion="distance") - 1
    sizes = np.bincount(labels)
    sums = np.zeros((len(sizes), unit.shape[1]))
    np.add.at(sums, labels, unit)
    squares = float((unit**2).sum())
    total = squares - float((unit.sum(axis=0) ** 2).sum()) / len(unit)
    within = squares - float(((sums**2).sum(axis=1) / sizes).sum())
    return Clumps(
        gap=float(ratios[best]),
        count=int((sizes >= 3).sum()),
        within=max(within, 0.0) / total if total > 0 else 0.0,
        cover=float(sizes[sizes >= 3].sum() / len(unit)),
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
FAR = 10  # factor between an unusual and a default learning rate


class Remedy(NamedTuple):
    """A change of a setting that helped."""

    words: str
    setting: str
    applies: Callable[[Settings, Any], bool]  # to these settings, with this default of the setting


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
            lambda now, default: "token_loss" in now and now["lam"] < default,
        ),
        Remedy(
            "mask fewer negatives: raise φ",
            "phi",
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
            lambda now, default: default and not now["stop_gradient"],
        ),
    ),
}


def in_angles(trend: Trend, alignment: float | None) -> str:
    """Return the latest angles, as in ``Related sentences 20° apart, strangers 43°: opening.``.

    ``alignment``, the mean squared distance d of related unit vectors, corresponds to the angle
    acos(1 - d / 2).
    """
    subject = "Sentences"
    if alignment is not None:
        subject = f"Related sentences {_degrees(1 - alignment / 2)} apart, strangers"
    sentence = f"{subject} {_degrees(trend.last.mean_cosine)}"
    if trend.first.step != trend.last.step:
        sentence += f" ({_degrees(trend.first.mean_cosine)} at first)"
    return sentence + ("." if trend.course == "too early" else f": {trend.course}.")


def _degrees(cosine: float) -> str:
    return f"{math.degrees(math.acos(max(-1.0, min(1.0, cosine)))):.0f}°"


def change_of(trend: Trend) -> str:
    """Return the change of the mean cosine: ``mean cosine 0.96 → 0.61 (step 0 to 40 of 80)``."""
    measurements = [trend.first, trend.last]
    if trend.course == "closing":
        measurements.insert(1, trend.widest)
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
    """Describe a cloud or a run's trend, and name settings to reset if this helped in trials."""
    if trend is None:
        return SHAPE_TEXTS[verdict].format(**signals)
    at_start = trend.first.step == 0 and trend.first.mean_cosine > POINT_COSINE
    if verdict == "point" and at_start:
        return POINT_AT_START.format(cosine=trend.first.mean_cosine)
    description = _description(verdict, signals, trend)
    helpful = " or ".join(_remedies(trend.course, settings or {}, defaults or {}))
    return f"{description} What helped in such runs: {helpful}." if helpful else description


def _description(verdict: Verdict, signals: Mapping[str, float], trend: Trend) -> str:
    """Describe the shape if it is a collapse or finally healthy, else the trend."""
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
