"""Statistics over seeds: confidence intervals and tests of differences between methods."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

Verdict = Literal["higher", "lower", "not significant"]
Scores = npt.NDArray[np.float64]
FEWEST = 3  # two values hardly determine a standard deviation


@dataclass(frozen=True)
class Difference:
    """Mean difference over seeds, ``first`` minus ``second``, with its interval and verdict."""

    first: str
    second: str
    mean: float
    low: float
    high: float
    verdict: Verdict  # "not significant" if the interval [low, high] contains 0
    p: float | None = None  # from paired(): two-sided p value

    def __str__(self) -> str:
        texts = {"higher": "is higher than", "lower": "is lower than"}
        text = texts.get(self.verdict, "is not significantly different from")
        interval = f"{self.mean:+.2f}, between {self.low:+.2f} and {self.high:+.2f}"
        return f"{self.first} {text} {self.second} ({interval})"


def differences(
    scores: Mapping[str, Sequence[float]], confidence: float = 0.95
) -> list[Difference]:
    """Compare the means of every pair of methods over their seeds.

    The seeds may differ between methods. Welch's interval: mean ± t · √(s₁²/n₁ + s₂²/n₂), with
    Welch's degrees of freedom, and Bonferroni's correction for the number of pairs. If it contains
    0, the verdict is *not significant*, which does not mean equal.

    Raises:
        ValueError: fewer than two methods or than three seeds; or a score is not finite.

    >>> print(differences({"a": [3.0, 3.1, 2.9], "b": [1.0, 1.1, 0.9]})[0])
    a is higher than b (+2.00, between +1.77 and +2.23)
    """
    from scipy.stats import ttest_ind

    known = {name: np.asarray(values, dtype=np.float64) for name, values in scores.items()}
    _check(known)
    pairs = list(combinations(known, 2))
    level = 1 - (1 - confidence) / len(pairs)
    compared = []
    for first, second in pairs:
        a, b = known[first], known[second]
        mean = low = high = float(a.mean() - b.mean())
        if len(set(a)) > 1 or len(set(b)) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # scipy warns about equal scores
                low, high = map(float, ttest_ind(a, b, equal_var=False).confidence_interval(level))
        compared.append(Difference(first, second, mean, low, high, _verdict(low, high)))
    return compared


def paired(
    first: Sequence[float],
    second: Sequence[float],
    confidence: float = 0.95,
    *,
    names: tuple[str, str] = ("first", "second"),
) -> Difference:
    """Compare two methods seed by seed.

    ``first[i]`` and ``second[i]`` are scores of one seed, on the same batches. Student's interval
    for the mean of the differences d = first - second: mean ± t · s / √n, with n - 1 degrees of
    freedom. For k comparisons pass ``confidence=1 - 0.05 / k``. The interval holds for a number of
    seeds that is chosen in advance; adding seeds until it excludes 0 raises the rate of false
    differences (see :data:`clwork.claims.RULE`).

    Raises:
        ValueError: the numbers of seeds differ or are below three; or a score is not finite.

    >>> found = paired([70.1, 68.0, 69.2], [69.0, 67.1, 68.0], names=("a", "b"))
    >>> print(found, f"p = {found.p:.3f}")
    a is higher than b (+1.07, between +0.69 and +1.45) p = 0.007
    """
    from scipy.stats import sem, t

    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    _check({"first": a, "second": b})
    if len(a) != len(b):
        raise ValueError(
            f"{len(a)} and {len(b)} values cannot be paired; give one value per seed, "
            "in the same order, or use clwork.metrics.differences"
        )
    mean = float((a - b).mean())
    if len(set(a - b)) == 1:
        return Difference(*names, mean, mean, mean, _verdict(mean, mean), float(mean == 0))
    error = float(sem(a - b))
    freedom = len(a) - 1
    low, high = map(float, t.interval(confidence, freedom, mean, error))
    p = 2 * float(t.sf(abs(mean) / error, freedom))
    return Difference(*names, mean, low, high, _verdict(low, high), p)


def _check(known: Mapping[str, Scores]) -> None:
    counts = {name: np.size(values) for name, values in known.items()}
    if len(counts) < 2 or min(counts.values()) < FEWEST:
        raise ValueError(
            f"values by method: {counts}; "
            f"give at least two methods with at least {FEWEST} seeds each"
        )
    if not all(np.isfinite(values).all() for values in known.values()):
        raise ValueError(
            "scores have NaN or infinity; leave out methods whose runs failed, and report it"
        )


def _verdict(low: float, high: float) -> Verdict:
    if low > 0:
        return "higher"
    return "lower" if high < 0 else "not significant"
