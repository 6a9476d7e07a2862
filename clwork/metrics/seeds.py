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
# Two values hardly determine a standard deviation.
FEWEST_SEEDS = 3


@dataclass(frozen=True)
class Difference:
    """Mean difference of two methods over seeds, first minus second."""

    # The names of the two methods.
    first: str
    second: str
    mean: float
    # The ends of the confidence interval.
    low: float
    high: float
    # "not significant" if the interval contains 0.
    verdict: Verdict
    # The two-sided p value; only :func:`paired` computes it.
    p: float | None = None

    def __str__(self) -> str:
        texts = {"higher": "is higher than", "lower": "is lower than"}
        text = texts.get(self.verdict, "is not significantly different from")
        interval = f"{self.mean:+.2f}, between {self.low:+.2f} and {self.high:+.2f}"
        return f"{self.first} {text} {self.second} ({interval})"


def differences(
    scores: Mapping[str, Sequence[float]], confidence: float = 0.95
) -> list[Difference]:
    """Compare the means of every pair of methods over their seeds.

    Welch's interval: mean ± t · √(s₁²/n₁ + s₂²/n₂), with Welch's degrees of freedom, and
    Bonferroni's correction for the number of pairs. If it contains 0, the verdict is *not
    significant*, which does not mean equal.

    Args:
        scores: for each method the score of each seed; the seeds may differ between methods.
        confidence: the probability that all intervals contain the true differences.

    Raises:
        ValueError: fewer than two methods or than three seeds; or a score is not finite.

    >>> print(differences({"a": [3.0, 3.1, 2.9], "b": [1.0, 1.1, 0.9]})[0])
    a is higher than b (+2.00, between +1.77 and +2.23)
    """
    from scipy.stats import ttest_ind

    arrays = {name: np.asarray(values, dtype=np.float64) for name, values in scores.items()}
    _check(arrays)
    pairs = list(combinations(arrays, 2))
    level = 1 - (1 - confidence) / len(pairs)
    compared = []
    for first, second in pairs:
        a = arrays[first]
        b = arrays[second]
        mean = float(a.mean() - b.mean())
        # Without any variance the interval is a point, which scipy does not compute.
        low = mean
        high = mean
        if len(set(a)) > 1 or len(set(b)) > 1:
            with warnings.catch_warnings():
                # scipy warns if the scores of one method are equal.
                warnings.simplefilter("ignore", RuntimeWarning)
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

    Student's interval for the mean of the differences d = first - second: mean ± t · s / √n, with
    n - 1 degrees of freedom. It holds for a number of seeds that is chosen in advance; adding
    seeds until it excludes 0 raises the rate of false differences (see
    :data:`clwork.claims.RULE`).

    Args:
        first: the scores of a method, one for each seed.
        second: the scores of the other method; ``second[i]`` has the seed and the batches of
            ``first[i]``.
        confidence: the probability that the interval contains the true difference; for k
            comparisons ``1 - 0.05 / k``.
        names: the names of the methods, for the text of the result.

    Raises:
        ValueError: the numbers of seeds differ or are below three; or a score is not finite.

    >>> difference = paired([70.1, 68.0, 69.2], [69.0, 67.1, 68.0], names=("a", "b"))
    >>> print(difference, f"p = {difference.p:.3f}")
    a is higher than b (+1.07, between +0.69 and +1.45) p = 0.007
    """
    from scipy.stats import ttest_1samp

    a = np.asarray(first, dtype=np.float64)
    b = np.asarray(second, dtype=np.float64)
    _check({"first": a, "second": b})
    if len(a) != len(b):
        raise ValueError(
            f"{len(a)} and {len(b)} values cannot be paired; give one value per seed, "
            "in the same order, or use clwork.metrics.differences"
        )
    by_seed = a - b
    mean = float(by_seed.mean())
    # Without any variance the interval is a point, and p is 1 for no difference, else 0.
    if len(set(by_seed)) == 1:
        return Difference(*names, mean, mean, mean, _verdict(mean, mean), float(mean == 0))
    result = ttest_1samp(by_seed, 0.0)
    low, high = map(float, result.confidence_interval(confidence))
    return Difference(*names, mean, low, high, _verdict(low, high), float(result.pvalue))


def _check(scores: Mapping[str, Scores]) -> None:
    """Check that two methods or more have scores of enough seeds, all finite."""
    counts = {name: np.size(values) for name, values in scores.items()}
    if len(counts) < 2 or min(counts.values()) < FEWEST_SEEDS:
        raise ValueError(
            f"values by method: {counts}; "
            f"give at least two methods with at least {FEWEST_SEEDS} seeds each"
        )
    if not all(np.isfinite(values).all() for values in scores.values()):
        raise ValueError(
            "scores have NaN or infinity; leave out methods whose runs failed, and report it"
        )


def _verdict(low: float, high: float) -> Verdict:
    """Return the verdict on an interval from ``low`` to ``high``."""
    if low > 0:
        return "higher"
    return "lower" if high < 0 else "not significant"
