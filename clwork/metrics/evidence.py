"""Evidence from a few seeds: is one method's score above another's, or is it chance?"""

from __future__ import annotations

import math
import statistics
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from .. import checks
from ..checks import kind, shown

Verdict = Literal["higher", "lower", "not told apart"]
FEWEST = 3  # a spread from two values is hardly known at all


@dataclass(frozen=True)
class Difference:
    """One pair: ``first`` minus ``second``, mean over seeds, with a 95 % interval, and what follows from it."""

    first: str
    second: str
    mean: float
    low: float
    high: float
    verdict: Verdict

    def __str__(self) -> str:
        words = {"higher": "is higher than", "lower": "is lower than", "not told apart": "cannot be told from"}
        return (
            f"{self.first} {words[self.verdict]} {self.second} "
            f"({self.mean:+.2f}, between {self.low:+.2f} and {self.high:+.2f})"
        )


def differences(scores: Mapping[str, Sequence[float]], confidence: float = 0.95) -> list[Difference]:
    """Compare the means of every pair of methods over their seeds, and name the differences that the seeds support.

    Welch's interval for two means of unequal spread: mean ± t · √(s₁²/n₁ + s₂²/n₂), with his degrees of freedom. It is
    widened for the number of pairs (Bonferroni: each gets its share of the 5 %), so that looking at ten pairs is no way
    to find something. An interval that holds 0 is a null result: *not told apart*, which is not *equal*. It
    covers seeds only: another corpus, encoder or budget may reverse any difference.

    >>> print(differences({"a": [3.0, 3.1, 2.9], "b": [1.0, 1.1, 0.9]})[0])
    a is higher than b (+2.00, between +1.77 and +2.23)

    Raises:
        TypeError: no lists of numbers by name, or a confidence that is no number.
        ValueError: fewer than two methods, fewer than 3 seeds, values that are not finite, or a confidence outside 0
            to 1.
    """
    scores = _numbers(scores)
    confidence = checks.number("confidence", confidence)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence={shown(confidence)} is out of range; give a number between 0 and 1, such as 0.95")
    counts = {name: len(values) for name, values in scores.items()}
    if len(counts) < 2 or min(counts.values()) < FEWEST:
        raise ValueError(f"values by method: {counts}; at least two methods with {FEWEST} seeds or more are needed")
    if not all(math.isfinite(value) for values in scores.values() for value in values):
        raise ValueError("a score is NaN or infinite; leave out the method whose runs have failed, and say so")
    pairs = list(combinations(scores, 2))
    level = 1 - (1 - confidence) / len(pairs)
    return [_difference(first, second, scores[first], scores[second], level) for first, second in pairs]


def _numbers(scores: Any) -> dict[str, list[float]]:
    if not isinstance(scores, Mapping):
        raise TypeError(f"scores is {kind(scores)} ({shown(scores, 40)}); give a dict of lists, one for each method")
    numbers = {}
    for name, values in scores.items():
        if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__len__"):
            raise TypeError(f"scores of {name!r} are {kind(values)} ({shown(values, 40)}); give a list of numbers")
        plain = values.tolist() if hasattr(values, "tolist") else values  # an array's, a tensor's, a series'
        numbers[name] = [checks.number(f"a score of {name!r}", value) for value in plain]
    return numbers


def _difference(first: str, second: str, a: Sequence[float], b: Sequence[float], level: float) -> Difference:
    from scipy.stats import ttest_ind

    mean = statistics.fmean(a) - statistics.fmean(b)
    low, high = mean, mean
    if statistics.variance(a) + statistics.variance(b) > 0:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # scipy warns of equal scores, which are possible
            low, high = map(float, ttest_ind(a, b, equal_var=False).confidence_interval(level))
    verdict: Verdict = "higher" if low > 0 else "lower" if high < 0 else "not told apart"
    return Difference(first, second, mean, low, high, verdict)
