"""Statistics over seeds: confidence intervals and tests of differences between methods."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from annotated_types import Gt, Lt

from .._validation import checked

Confidence = Annotated[float, Gt(0), Lt(1)]
Verdict = Literal["higher", "lower", "not significant"]
Scores = npt.NDArray[np.float64]
FEWEST = 3  # two values hardly determine a standard deviation
MOST_SEEDS = 10**9


@dataclass(frozen=True)
class Difference:
    """Mean difference over seeds of two methods, ``first`` minus ``second``, with interval and verdict."""

    first: str
    second: str
    mean: float
    low: float
    high: float
    verdict: Verdict  # "not significant" if the interval [low, high] contains 0
    p: float | None = None  # from paired(): two-sided p value
    seeds_needed: int | None = None  # from paired(): seeds needed for an interval without 0; None: no number suffices

    def __str__(self) -> str:
        texts = {"higher": "is higher than", "lower": "is lower than"}
        text = texts.get(self.verdict, "is not significantly different from")
        return f"{self.first} {text} {self.second} ({self.mean:+.2f}, between {self.low:+.2f} and {self.high:+.2f})"


@checked()
def differences(scores: Mapping[str, Sequence[float]], confidence: Confidence = 0.95) -> list[Difference]:
    """Compare the means of every pair of methods over their seeds, which may differ between methods.

    Welch's interval: mean ± t · √(s₁²/n₁ + s₂²/n₂), with Welch's degrees of freedom, and Bonferroni's correction
    for the number of pairs. If it contains 0, the verdict is *not significant*, which does not mean equal.

    >>> print(differences({"a": [3.0, 3.1, 2.9], "b": [1.0, 1.1, 0.9]})[0])
    a is higher than b (+2.00, between +1.77 and +2.23)
    """
    from scipy.stats import ttest_ind

    known = {name: np.asarray(values, dtype=np.float64) for name, values in scores.items()}
    _check(known)
    pairs = list(combinations(known, 2))
    level = 1 - (1 - confidence) / len(pairs)
    found = []
    for first, second in pairs:
        a, b = known[first], known[second]
        mean = low = high = float(a.mean() - b.mean())
        if len(set(a)) > 1 or len(set(b)) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # scipy warns about equal scores
                low, high = map(float, ttest_ind(a, b, equal_var=False).confidence_interval(level))
        found.append(Difference(first, second, mean, low, high, _verdict(low, high)))
    return found


@checked()
def paired(
    first: Sequence[float],
    second: Sequence[float],
    confidence: Confidence = 0.95,
    *,
    names: tuple[str, str] = ("first", "second"),
) -> Difference:
    """Compare two methods seed by seed; ``first[i]`` and ``second[i]`` are scores of one seed, on the same batches.

    Student's interval for the mean of the differences d = first - second: mean ± t · s / √n, with n - 1 degrees of
    freedom. For k comparisons pass ``confidence=1 - 0.05 / k``.

    >>> found = paired([70.1, 68.0, 69.2], [69.0, 67.1, 68.0], names=("a", "b"))
    >>> print(found, f"p = {found.p:.3f}", found.seeds_needed)
    a is higher than b (+1.07, between +0.69 and +1.45) p = 0.007 3
    """
    from scipy.stats import t

    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    _check({"first": a, "second": b})
    if len(a) != len(b):
        raise ValueError(
            f"{len(a)} and {len(b)} values cannot be paired; give one value per seed, in the same order, or use "
            "clwork.metrics.differences"
        )
    gaps = a - b
    mean = float(gaps.mean())
    if len(set(gaps)) == 1:
        return Difference(*names, mean, mean, mean, _verdict(mean, mean), float(mean == 0), FEWEST if mean else None)
    spread, freedom = float(gaps.std(ddof=1)), len(gaps) - 1
    error = spread / math.sqrt(len(gaps))
    margin = float(t.ppf((1 + confidence) / 2, freedom)) * error
    p, needed = 2 * float(t.sf(abs(mean) / error, freedom)), _seeds_needed(abs(mean) / spread, confidence)
    return Difference(*names, mean, mean - margin, mean + margin, _verdict(mean - margin, mean + margin), p, needed)


def _seeds_needed(effect: float, confidence: float) -> int | None:
    """Return the smallest number n of seeds with effect > t / √n; ``effect`` is mean / standard deviation."""
    from scipy.special import stdtrit  # a thousand times as fast as scipy.stats.t.ppf, which calls it

    counts = range(FEWEST, MOST_SEEDS)
    decides = bisect_left(  # t / √n decreases with n
        counts, True, key=lambda n: effect * math.sqrt(n) > float(stdtrit(n - 1, (1 + confidence) / 2))
    )
    return counts[decides] if decides < len(counts) else None


def _check(known: Mapping[str, Scores]) -> None:
    counts = {name: np.size(values) for name, values in known.items()}
    if len(counts) < 2 or min(counts.values()) < FEWEST:
        raise ValueError(f"values by method: {counts}; give at least two methods with at least {FEWEST} seeds each")
    if not all(np.isfinite(values).all() for values in known.values()):
        raise ValueError("scores have NaN or infinity; leave out methods whose runs failed, and report it")


def _verdict(low: float, high: float) -> Verdict:
    return "higher" if low > 0 else "lower" if high < 0 else "not significant"
