"""Scores over pairs: exact ranks, intervals that cover the truth, and few false discoveries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from clwork.claims import pairs
from clwork.claims.ledger import METRICS, Claim, Expectation, Variant
from clwork.claims.pairs import Judge, distances_between, resampled_spearman, unlike
from clwork.claims.records import run_of
from clwork.claims.verdicts import (
    CLEAR,
    STAGES,
    Difference,
    family_threshold,
    joint_finding,
    mean_difference,
    word,
)
from scripts.evidence.judging import SETS, TrainSplits

SEEDS = 5
MARGIN = 0.5


def test_scores_are_spearman_s_correlation_on_all_pairs_and_on_each_resample() -> None:
    random = np.random.default_rng(0)
    # Few different values, so that many are equal.
    distances = random.integers(0, 9, size=70) / 8
    ratings = random.integers(0, 6, size=70).astype(float)
    scores = resampled_spearman(distances, ratings.tolist())
    assert scores[0] == pytest.approx(100 * spearmanr(-distances, ratings).statistic)
    for row in (1, 17):
        drawn = np.repeat(np.arange(70), pairs._resamples(70)[row].astype(int))
        expected = 100 * spearmanr(-distances[drawn], ratings[drawn]).statistic
        assert scores[row] == pytest.approx(expected)


def test_a_collapsed_encoder_scores_zero() -> None:
    assert pairs.spearman([0.0] * 9, list(range(9))) == 0


def test_distances_in_a_narrow_cone_keep_their_order() -> None:
    random = np.random.default_rng(0)
    first, second = 30 + random.normal(size=(2, 200, 8))
    unit1, unit2 = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in (first, second))
    cosines = (unit1 * unit2).sum(axis=1)
    assert cosines.min() > 0.995
    kept = distances_between(first, second)
    assert spearmanr(-kept.astype(float), cosines).statistic > 0.9999
    assert spearmanr(cosines.astype(np.float16), cosines).statistic < 0.99, "as cosines it is lost"


def simulated(random: np.random.Generator, gap: float, of_seeds: float) -> tuple[Any, Any]:
    """Two variants on one sample of pairs: nearness by seed, and ratings.

    A pair has an error that is of the encoder, whatever its seed, and one that the seed adds.
    """
    rated = random.normal(size=PAIRS)
    sides = []
    for noise in (1.0, 1.0 + gap):
        of_pairs = noise * random.normal(size=PAIRS)
        by_seed = [
            rated + of_pairs * (1 + of_seeds * random.normal()) + 0.1 * random.normal(size=PAIRS)
            for _ in range(SEEDS)
        ]
        sides.append([resampled_spearman(-nearness, rated.tolist()) for nearness in by_seed])
    return np.stack(sides[0]), np.stack(sides[1])


PAIRS = 150


def judged(gaps: Any) -> Difference:
    error = float(gaps[:, 1:].mean(axis=0).std(ddof=1))
    return mean_difference(gaps[:, 0].tolist(), pair_error=error)


@pytest.mark.parametrize("of_seeds", [0.0, 0.2])
def test_intervals_cover_the_truth_for_new_seeds_and_new_pairs(
    of_seeds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether pairs alone or pairs and seeds vary: at 96.5 %, as the stage of five seeds has."""
    monkeypatch.setattr(pairs, "RESAMPLES", 100)
    pairs._resamples.cache_clear()
    random = np.random.default_rng(1)
    drawn = [np.subtract(*simulated(random, 0.0, of_seeds)) for _ in range(300)]
    found = [judged(gaps) for gaps in drawn]
    pairs._resamples.cache_clear()
    missed = np.mean([not each.low <= 0 <= each.high for each in found])
    level = 0.05 * STAGES[SEEDS]
    assert missed <= level + 0.025
    # Over seeds alone the interval describes these pairs, and misses the truth most of the time.
    alone = [mean_difference(gaps[:, 0].tolist()) for gaps in drawn]
    careless = np.mean([not each.low <= 0 <= each.high for each in alone])
    assert careless > 3 * level


def test_without_a_random_side_an_interval_is_over_pairs_alone_and_has_no_p_value() -> None:
    found = mean_difference([2.0] * 3, drawn=False, pair_error=0.5)
    assert found.p is None
    assert found.low == pytest.approx(2 - 1.96 * 0.5, abs=0.001), "no stage, no share"


def test_few_of_the_decided_comparisons_of_a_family_are_wrong() -> None:
    """Of 30 contested comparisons, among 70 obvious ones, 5 % of the decided may be wrong."""
    random = np.random.default_rng(2)
    shares = []
    for _ in range(400):
        effects = np.repeat([20.0, 0.0, 3.5], [70, 20, 10])
        p_values = [two_sided(effect + random.normal()) for effect in effects]
        threshold = family_threshold(p_values)
        decided = [p <= threshold for p in p_values[70:]]
        shares.append(sum(decided[:20]) / max(1, sum(decided)))
    assert 0.005 < np.mean(shares) < 0.05
    assert family_threshold([1e-9] * 70 + [0.04]) == 0.04
    assert family_threshold([1e-9] * 70 + [0.04, 0.9, 0.9]) == CLEAR, "the clear do not help it"


def two_sided(z: float) -> float:
    from scipy.stats import norm

    return float(2 * norm.sf(abs(z)))


@pytest.mark.parametrize(
    ("sign", "low", "high", "p", "expected"),
    [
        (">", 0.6, 1.4, 1e-4, "agrees here"),
        ("<", 0.6, 1.4, 1e-4, "differs here"),
        (">", -1.4, -0.6, 1e-4, "differs here"),
        ("<", -1.4, -0.6, 1e-4, "agrees here"),
        (">", 0.1, 0.7, 1e-9, "below the margin"),
        (">", -0.4, 0.3, 0.9, "below the margin"),
        (">", -0.4, 1.6, 0.2, "open"),
        ("=", -0.4, 0.4, 0.9, "agrees here"),
        ("=", 0.6, 1.4, 1e-4, "differs here"),
        ("=", 0.4, 1.4, 1e-4, "open"),
        # Without a random side there is no p value.
        (">", 0.6, 1.4, None, "agrees here"),
        (">", -0.2, 1.8, None, "open"),
    ],
)
def test_words_are_in_units_of_the_margin(
    sign: Any, low: float, high: float, p: float | None, expected: str
) -> None:
    found = Difference((low + high) / 2, low, high, p)
    assert word(found, sign, MARGIN, threshold=0.03) == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(6, 8, "agrees here"), (1, 3, "below the margin"), (4, 8, "open"), (-3, -1, "differs here")],
)
def test_far_above_is_tested_as_far_above(low: float, high: float, expected: str) -> None:
    found = Difference((low + high) / 2, low, high, 1e-6)
    assert word(found, ">", MARGIN, threshold=0.03, least=5.0) == expected


def test_opposite_test_sets_are_mixed() -> None:
    assert joint_finding(["agrees here", "differs here"]) == "mixed"
    assert joint_finding(["agrees here", "agrees here"]) == "agrees here"
    assert joint_finding(["agrees here", "open"]) == "open"
    assert joint_finding(["agrees here", "below the margin"]) == "below the margin", (
        "the weaker word"
    )
    assert joint_finding(["differs here", "below the margin"]) == "below the margin"
    assert joint_finding(["below the margin", "open"]) == "open"


def judge_of(kept: dict[tuple[str, str], Any], ratings: list[float], **changed: str) -> Judge:
    facts: dict[str, dict[str, Any]] = {}
    for run, _ in kept:
        facts[run] = {"precision": "float32", "machine": "one"}
        if run.startswith("simcse"):
            facts[run] |= changed
    rated = {"stsb/train": ratings, "sickr/train": ratings}
    return Judge(SETS, rated, facts, lambda run, key: kept[run, key])


def test_both_sides_of_a_comparison_have_the_same_circumstances_and_an_unseen_test_set() -> None:
    trained = Variant("trained", "simcse", {}, data="stsb-unlabelled")
    raw = Variant("raw", "untrained", represent="mean")
    claim = Claim("simcse/x", "", METRICS["sts"], (), {"trained": trained, "raw": raw}, steps=9)
    expected = Expectation("trained", ">", "raw")
    runs = {
        variant.name: {seed: run_of(claim, variant, seed) for seed in range(3)}
        for variant in (trained, raw)
    }
    random = np.random.default_rng(0)
    ratings = random.normal(size=40).tolist()
    kept = {}
    for variant in (trained, raw):
        for run in runs[variant.name].values():
            for name in ("stsb/train", "sickr/train"):
                kept[run.name, f"{variant.view}/{name}"] = random.normal(size=40)
    (result,) = TrainSplits(judge_of(kept, ratings))(claim, expected, 3)
    assert (result.name, result.pairs, result.seeds) == ("sickr/train", 40, 3), (
        "it was trained on the sentences of STS-B train"
    )
    assert result.difference.low < result.difference.mean < result.difference.high
    two = {name: {seed: by_seed[seed] for seed in (0, 1)} for name, by_seed in runs.items()}
    assert judge_of(kept, ratings).compare(claim, expected, two) == ()
    with pytest.raises(ValueError, match="the sides differ in"):
        judge_of(kept, ratings, precision="bfloat16").compare(claim, expected, runs)
    assert unlike({"threads": 1}, {"threads": 2}) == ["threads"]
    assert unlike({"versions": {"torch": "2"}}, {"versions": {"torch": "2"}}) == []
