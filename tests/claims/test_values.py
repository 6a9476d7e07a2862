"""Values made of several records, against a computation by hand: spread, agreement, what is lost, steps to a loss."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from clwork import claims
from clwork.claims import METRICS, Arm, Claim, Results
from clwork.claims.asking import answer
from clwork.claims.ledger import Expectation
from clwork.claims.plan import record_name
from clwork.claims.values import Measured

ONE, OTHER = Arm("one", "simcse"), Arm("other", "simcse", {"temperature": 0.1}, judged="sickr", than="one")
LIMIT = Arm("limit", "computed", of="1")
SEEDS = range(3)


def claim(metric: str, expects: str = "one > other") -> Claim:
    expected = Expectation.parse(expects)
    return Claim(
        "simcse/of-a-test", "", "", "course", METRICS[metric], (expected,), {a.name: a for a in (ONE, OTHER, LIMIT)},
        steps=30,
    )  # fmt: skip


def results(of: Claim, **columns: dict[str, list[dict[str, Any]]]) -> Results:
    """Records of the arms, each with what ``columns`` gives its seeds."""
    records = {}
    for arm, rows in columns["arms"].items():
        for seed, row in enumerate(rows):
            name = record_name(of, of.arms[arm], seed)
            own = {"method": "simcse", "encoder": "mini", "seed": seed, "precision": "float32", "views": {}}
            records[str(name)] = own | row
    return Results(records, "a test")


def sts(*values: float, name: str = "sts") -> list[dict[str, Any]]:
    return [{"views": {"own": {name: value}}} for value in values]


def test_seeds_are_as_far_apart_as_their_mean_distance() -> None:
    asked = claim("seed_spread", "one > limit")
    found = Measured(asked, results(asked, arms={"one": sts(1, 2, 4)}), SEEDS)
    rows, why = found.pair(asked.expects[0])
    assert not why and [limit for _, _, limit in rows] == [1.0, 1.0, 1.0], "a fixed number has no spread of its own"
    spread = [value for _, value, _ in rows]
    assert sum(spread) / 3 == pytest.approx((1 + 3 + 2) / 3), "pairs of 1, 2 and 4 are 1, 3 and 2 apart"
    # without seed 0: 2; without seed 1: 3; without seed 2: 1
    assert spread == pytest.approx([3 * 2 - 2 * 2, 3 * 2 - 2 * 3, 3 * 2 - 2 * 1])


def test_what_is_lost_is_taken_from_the_other_arm_s_score_of_the_same_seed() -> None:
    percent, points = claim("percent_lost", "other > limit"), claim("points_lost", "other > limit")
    whole, few = sts(50, 60, 80, name="sickr"), sts(40, 60, 90, name="sickr")
    found = results(percent, arms={"one": whole, "other": few})
    assert Measured(percent, found, SEEDS).of(OTHER) == {0: 20.0, 1: 0.0, 2: -12.5}
    assert Measured(points, found, SEEDS).of(OTHER) == {0: 10.0, 1: 0.0, 2: -10.0}
    scores = replace(percent, metric=METRICS["sickr"])
    assert Measured(scores, found, SEEDS).of(OTHER) == {0: 40.0, 1: 60.0, 2: 90.0}, "elsewhere the arm is its score"


def test_steps_until_both_runs_have_the_higher_end() -> None:
    quick = [10.0] * 5 + [0.0] * 25  # means of ten: 5 at step 10, 0 from step 15 on
    slow = [10.0] * 19 + [1.0] * 11  # 9.1 at step 20, 1 from step 29 on
    asked = claim("steps_to_loss", "other > one")
    found = results(asked, arms={"one": [{"losses": quick}] * 3, "other": [{"losses": slow}] * 3})
    rows, _ = Measured(asked, found, SEEDS).pair(asked.expects[0])
    # the higher end is 1.0: the quick run's mean of ten is 1.0 at step 14, with one loss of 10 left among ten
    assert rows == [(seed, 29.0, 14.0) for seed in SEEDS]


def test_agreement_is_the_rank_correlation_over_all_trained_arms() -> None:
    both = Arm("both", "computed", of="alignment, uniformity")
    asked = replace(claim("rank_agreement"), arms={"both": both, "alone": Arm("alone", "computed", of="alignment")})
    rows = [(0.1, -1.0, 50), (0.2, -2.0, 60), (0.3, -3.0, 70), (0.4, -4.5, 80), (0.9, -4.0, 40)]
    views = [dict(zip(("alignment", "uniformity", "sts"), map(float, row), strict=True)) for row in rows]
    trained = {
        f"arm-{number}-s{seed}": {"method": "simcse", "encoder": "mini", "seed": seed, "views": {"own": view}}
        for number, view in enumerate(views)
        for seed in SEEDS
    }
    others = {"untrained-mini": {"encoder": "mini", "seed": 0, "views": {"own": views[0]}}}
    measured = Measured(asked, Results(trained | others, "a test"), SEEDS)
    # alignment, lower better: ranks 5 4 3 2 1 against scores' 2 3 4 5 1; squares of differences 9 1 1 9 0
    assert measured.of(asked.arms["alone"]) == pytest.approx(dict.fromkeys(SEEDS, 1 - 6 * 20 / (5 * 24)))
    # with uniformity's ranks 1 2 3 5 4 added: 6 6 6 7 5, so 3 3 3 5 1 against 2 3 4 5 1: Pearson of the ranks
    assert measured.of(both) == pytest.approx(dict.fromkeys(SEEDS, 8 / (8 * 10) ** 0.5))
    few = Results(dict(list(trained.items())[:12]), "a test")
    assert not Measured(asked, few, SEEDS).of(both), "four arms are too few to rank"


def test_runs_of_different_precision_are_no_pair() -> None:
    asked = replace(claim("sts"), kind="scores")
    rows = {"one": sts(1, 2, 3, 4), "other": [row | {"precision": "bfloat16"} for row in sts(1, 1, 1, 1, name="sickr")]}
    refused = answer(asked, results(asked, arms=rows), range(4))
    assert refused.verdict == "not measured" and "trained at different precision" in refused.comparisons[0].why
    rows["other"][1:] = [row | {"precision": "float32"} for row in rows["other"][1:]]
    answered = answer(asked, results(asked, arms=rows), range(4))
    assert answered.comparisons[0].seeds == (1, 2, 3), "the seeds that are alike are compared"


def test_every_arm_of_what_is_lost_has_another_to_lose_against() -> None:
    for name in claims.names():
        asked = claims.get(name)
        for expected in asked.expects if asked.metric.name in ("percent_lost", "points_lost") else ():
            for arm in (asked.arms[expected.left], asked.arms[expected.right]):
                assert arm.method in ("computed", "quoted") or arm.than in asked.arms or asked.kind == "quoted"
