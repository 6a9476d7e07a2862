"""Statistics over seeds: is one method's score above another's, or is the difference chance?

Anything but lists of numbers raises TypeError; fewer than two methods or three seeds, values that are not finite and
a confidence or p value outside 0 to 1 raise ValueError.
"""

from __future__ import annotations

import math
import warnings
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .. import _validation
from .._validation import kind, shown

Verdict = Literal["higher", "lower", "not significant"]
Scores = npt.NDArray[np.float64]
FEWEST = 3  # a spread from two values is hardly known at all
MOST_SEEDS = 10**9


@dataclass(frozen=True)
class Difference:
    """One pair of methods: ``first`` minus ``second``, mean over seeds, with an interval and the verdict."""

    first: str
    second: str
    mean: float
    low: float
    high: float
    verdict: Verdict  # by whether the interval from low to high contains 0
    p: float | None = None  # of paired(): probability of such a mean or a larger one by chance, two-sided
    seeds_needed: int | None = None  # of paired(): the fewest whose interval would exclude 0; None: mean 0, or too many

    def __str__(self) -> str:
        texts = {"higher": "is higher than", "lower": "is lower than"}
        text = texts.get(self.verdict, "is not significantly different from")
        return f"{self.first} {text} {self.second} ({self.mean:+.2f}, between {self.low:+.2f} and {self.high:+.2f})"


def differences(scores: Mapping[str, Sequence[float]], confidence: float = 0.95) -> list[Difference]:
    """Compare the means of every pair of methods over their seeds, which need not be the same.

    Welch's interval for two means of unequal spread: mean ± t · √(s₁²/n₁ + s₂²/n₂), with his degrees of freedom,
    widened for the number of pairs (Bonferroni: each gets its share of the 5 %). An interval that contains 0 is a null
    result: *not significant*, which is not *equal*. It covers seeds only: another corpus, encoder or budget may
    reverse any difference.

    >>> print(differences({"a": [3.0, 3.1, 2.9], "b": [1.0, 1.1, 0.9]})[0])
    a is higher than b (+2.00, between +1.77 and +2.23)
    """
    from scipy.stats import ttest_ind

    known, confidence = _checked(scores, confidence)
    pairs = list(combinations(known, 2))
    level = 1 - (1 - confidence) / len(pairs)
    found = []
    for first, second in pairs:
        a, b = known[first], known[second]
        mean = low = high = float(a.mean() - b.mean())
        if len(set(a)) > 1 or len(set(b)) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # scipy warns of equal scores, which are possible
                low, high = map(float, ttest_ind(a, b, equal_var=False).confidence_interval(level))
        found.append(Difference(first, second, mean, low, high, _verdict(low, high)))
    return found


def paired(
    first: Sequence[float],
    second: Sequence[float],
    confidence: float = 0.95,
    *,
    names: tuple[str, str] = ("first", "second"),
) -> Difference:
    """Compare two methods seed by seed: ``first[i]`` and ``second[i]`` are runs of one seed, on the same batches.

    Student's interval for the mean of the differences d = first - second: mean ± t · s / √n, with n - 1 degrees of
    freedom. What a seed does to both methods alike cancels, so the interval is narrower than that of
    :func:`differences` where batches and first weights decide much. It is for one comparison: with k of them give
    ``confidence=1 - 0.05 / k``. Where all differences are equal there is no spread, and the interval is a point.

    >>> found = paired([70.1, 68.0, 69.2], [69.0, 67.1, 68.0], names=("a", "b"))
    >>> print(found, f"p = {found.p:.3f}", found.seeds_needed)
    a is higher than b (+1.07, between +0.69 and +1.45) p = 0.007 3
    """
    from scipy.stats import t

    if not isinstance(names, tuple | list) or len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise TypeError(f"names={shown(names)} is no pair of strings; give two names, such as ('SimCSE', 'raw')")
    scores, confidence = _checked({"first": first, "second": second}, confidence)
    a, b = scores.values()
    if len(a) != len(b):
        raise ValueError(
            f"{len(a)} and {len(b)} values cannot be paired; give one of each seed, in the same order, or use "
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


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p values for their number, in their order: those below .05 are false in at most 5 % of such lists.

    The smallest of k is multiplied by k, the next by k - 1, and so on; none becomes smaller than the one before, or
    larger than 1 (Holm 1979). An empty list gives an empty list.

    Range [0, 1].

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    values = _numbers("p_values", p_values)
    for value in values.tolist():
        _validation.share("p_values", value, "a probability")
    order = np.argsort(values, kind="stable")
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(1, np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1)))
    return [float(value) for value in corrected]


def _seeds_needed(effect: float, confidence: float) -> int | None:
    """The smallest n with effect > t / √n, for a mean of ``effect`` standard deviations."""
    from scipy.special import stdtrit  # a thousand times as fast as scipy.stats.t.ppf, which calls it

    counts = range(FEWEST, MOST_SEEDS)
    decides = bisect_left(  # t / √n falls with n
        counts, True, key=lambda n: effect * math.sqrt(n) > float(stdtrit(n - 1, (1 + confidence) / 2))
    )
    return counts[decides] if decides < len(counts) else None


def _checked(scores: Any, confidence: Any) -> tuple[dict[str, Scores], float]:
    if not isinstance(scores, Mapping):
        raise TypeError(f"scores is {kind(scores)} ({shown(scores, 40)}); give a dict of lists, one for each method")
    known = {name: _numbers(f"scores of {name!r}", values) for name, values in scores.items()}
    confidence = _validation.number("confidence", confidence)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence={shown(confidence)} is out of range; give a number between 0 and 1, such as 0.95")
    counts = {name: len(values) for name, values in known.items()}
    if len(counts) < 2 or min(counts.values()) < FEWEST:
        raise ValueError(f"values by method: {counts}; at least two methods with {FEWEST} seeds or more are needed")
    if not all(np.isfinite(values).all() for values in known.values()):
        raise ValueError("scores hold NaN or infinity; leave out the method whose runs have failed, and report that")
    return known, confidence


def _numbers(name: str, values: Any) -> Scores:
    if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__len__"):
        raise TypeError(f"{name}: {kind(values)} ({shown(values, 40)}); give a list of numbers")
    plain = values.tolist() if hasattr(values, "tolist") else values  # an array's, a tensor's, a series'
    return np.array([_validation.number(f"{name}: a value", value) for value in plain], dtype=np.float64)


def _verdict(low: float, high: float) -> Verdict:
    return "higher" if low > 0 else "lower" if high < 0 else "not significant"
