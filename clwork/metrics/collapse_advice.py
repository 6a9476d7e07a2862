"""What is said of a cloud of vectors and of a run's trend, and what helped against it where that was tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from .collapse_trend import Course, Trend

Verdict = Literal["healthy", "cone", "rank", "clusters", "point", "zero", "too few"]

SEEN: dict[Verdict, str] = {
    "healthy": "Directions are spread over many dimensions, with no sign of collapse. Whether near means similar is "
    "another question: look at STS, where people judged.",
    "cone": "All vectors lean the same way (mean cosine {mean_cosine:.2f}), as in encoders fresh from pre-training and "
    "in short runs. By itself that is no fault: what counts is whether a run opens it.",
    "rank": "The vectors fill few of their dimensions (effective rank {centred_rank:.1f} around the mean, of "
    "{possible_rank:.0f} possible). Look for a bottleneck in the head or a loss that only pulls together.",
    "clusters": "The vectors sit in {clump_count:.0f} tight clumps with nothing between. Look for duplicate or "
    "templated sentences.",
    "point": "Practically all vectors are the same (mean cosine {mean_cosine:.4f}): a complete collapse. Look for a "
    "loss that only pulls together, or a learning rate that is too high.",
    "zero": "{zero_share:.0%} of the vectors are zero and have no direction. Look for empty sentences, an attention "
    "mask that hides all tokens, dead activations in the head, or weights that have vanished.",
    "too few": "Too few vectors with a direction ({rows:.0f} rows, {zero_share:.0%} of them zero): at least 16 are "
    "needed to tell a shape from chance. Encode more sentences, best several hundred.",
}
MOVED: dict[Course, str] = {
    "too early": "{part:.0%} of the run is too little to tell where it goes.",
    "opening": "The sentences move apart.",
    "open": "There is no cone left to open.",
    "steady": "The cloud keeps its width; this method does not push sentences apart.",
    "not opening": "The sentences do not move apart, though this method pushes them.",
    "closing": "The sentences move together.",
}


Settings = Mapping[str, Any]
FAR = 10  # times as high or as low as usual


class Remedy(NamedTuple):
    """A change that helped.

    Attributes:
        words: what to do.
        knob: the setting that it moves.
        away: whether settings lie to that side of the knob's usual value, from where the change was tried.
    """

    words: str
    knob: str
    away: Callable[[Settings, Any], bool]


# Only what helped wherever it was tried on such runs: docs/collapse.md has the trials.
REMEDIES: dict[Course, tuple[Remedy, ...]] = {
    "not opening": (
        Remedy("raise the learning rate", "learning_rate", lambda now, usual: FAR * now["learning_rate"] <= usual),
        Remedy("raise λ", "lam", lambda now, usual: "token_loss" in now and now["lam"] < usual),
        Remedy(
            "mask fewer negatives: raise φ", "phi", lambda now, usual: not now["phi_quantile"] and now["phi"] < usual
        ),
    ),
    "closing": (
        Remedy("lower the learning rate", "learning_rate", lambda now, usual: now["learning_rate"] >= FAR * usual),
        Remedy("switch the stop-gradient on", "stop_gradient", lambda now, usual: usual and not now["stop_gradient"]),
    ),
}


def in_short(trend: Trend) -> str:
    """How the mean cosine went, and the course where it can be told.

    >>> from clwork.metrics import trend
    >>> in_short(trend([{"step": 0, "mean_cosine": 0.96}, {"step": 40, "mean_cosine": 0.61}], 80))
    'mean cosine 0.96 → 0.61, opening'
    """
    return _values(trend) + ("" if trend.course == "too early" else f", {trend.course}")


def moved(trend: Trend) -> str:
    """How the mean cosine went, from which step to which.

    >>> from clwork.metrics import trend
    >>> moved(trend([{"step": 0, "mean_cosine": 0.96}, {"step": 40, "mean_cosine": 0.61}], 80))
    'mean cosine 0.96 → 0.61 (step 0 to 40 of 80)'
    """
    steps = " to ".join(str(step) for step in dict.fromkeys((trend.first.step, trend.last.step)))
    return f"{_values(trend)} (step {steps} of {trend.total_steps})"


def _values(trend: Trend) -> str:
    turned = [trend.widest] if trend.course == "closing" else []
    looks = {look.step: look for look in (trend.first, *turned, trend.last)}  # each once
    return "mean cosine " + " → ".join(f"{look.mean_cosine:.2f}" for look in looks.values())


def advice(
    verdict: Verdict,
    signals: Mapping[str, float],
    trend: Trend | None = None,
    settings: Settings | None = None,
    usual: Settings | None = None,
) -> str:
    """What is seen, and what helped against it: of a cloud by itself, or of a run that moves it.

    Remedies bring a setting of the run back to where it is ``usual`` for the method.
    """
    if trend is None or (trend.course != "too early" and verdict not in ("cone", "healthy")):
        seen = SEEN[verdict].format(**signals)
    elif verdict == "healthy" and trend.course != "too early" and not trend.warns:
        seen = SEEN["healthy"]
    else:
        seen = MOVED[trend.course].format(part=trend.part)
    tried = REMEDIES.get(trend.course, ()) if trend is not None else ()
    now, known = settings or {}, usual or {}
    usable = [
        f"{one.words} (it is {now[one.knob]:g}, usually {known[one.knob]:g})"
        for one in tried
        if one.knob in now and one.knob in known and one.away(now, known[one.knob])
    ]
    return f"{seen} What helped in such runs: {' or '.join(usable)}." if usable else seen
