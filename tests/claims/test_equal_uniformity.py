"""Scores at equal uniformity, against a computation by hand; and what an answer says where none can be had."""

from __future__ import annotations

from typing import Any

import pytest

from clwork.claims import METRICS, Arm, Claim, Results
from clwork.claims.asking import answer
from clwork.claims.course import at_equal_uniformity
from clwork.claims.ledger import Expectation
from clwork.claims.plan import record_name

STEPS = [0, 10, 20, 30, 40]
FAR = [-1.0, -2.0, -3.0, -4.0, -4.5]
NEAR = [-1.0, -1.2, -1.4, -1.6, -2.5]
RISING = [10.0, 20.0, 30.0, 40.0, 50.0]


def run(uniformity: list[float], scores: list[Any], name: str = "silver") -> dict[str, Any]:
    return {"history": {"step": STEPS, "uniformity": uniformity, name: scores}}


def test_the_more_uniform_run_is_read_where_the_other_ends() -> None:
    far, near = run(FAR, RISING), run(NEAR, [10.0, 11.0, 12.0, 13.0, 26.0])
    # the level is -2.5, half-way from step 10 to step 20 of the first run: 25; the other ends there: 26
    assert at_equal_uniformity(far, near, "silver") == (25.0, 26.0)
    assert at_equal_uniformity(near, far, "silver") == (26.0, 25.0)


def test_what_never_was_at_that_level_or_has_few_scores_is_not_read() -> None:
    closing = run([-3.0, -2.5, -2.0, -1.0, -0.5], RISING)
    assert at_equal_uniformity(run(FAR, RISING), closing, "silver") is None
    few = run(FAR, [10.0, None, None, None, 50.0])
    assert at_equal_uniformity(few, run(NEAR, RISING), "silver") is None
    assert at_equal_uniformity(run(FAR, RISING), run(NEAR, RISING), "stsb") is None
    far = run(FAR, RISING)  # a step without a score is passed over
    far["history"]["step"], far["history"]["uniformity"] = [*STEPS, 45], [*FAR, -9.0]
    far["history"]["silver"] = [*RISING, None]
    assert at_equal_uniformity(far, run(NEAR, RISING), "silver") == (25.0, 50.0)


def claim() -> Claim:
    arms = {arm.name: arm for arm in (Arm("far", "simcse"), Arm("near", "simcse", {"temperature": 0.1}))}
    expected = Expectation.parse("far > near")
    return Claim("simcse/of-a-test", "", "", "scores", METRICS["sts"], (expected,), arms, steps=40)


def results(ends: tuple[float, float], along: bool) -> Results:
    """Three seeds of both arms: the far one scores higher at its end, and lower where it is as uniform as the other."""
    asked, records = claim(), {}
    for arm, path, end, score in (("far", FAR, ends[0], 60.0), ("near", NEAR, ends[1], 55.0)):
        for seed in range(3):
            scores = [value + 0.1 * seed for value in RISING] if along else [10.0, None, None, None, 50.0]
            view = {"sts": score + seed * (1.1 if arm == "far" else 1.0), "uniformity": end}
            own = {"method": "simcse", "encoder": "mini", "seed": seed, "views": {"own": view}}
            records[str(record_name(asked, asked.arms[arm], seed))] = own | run(path, scores)
    return Results(records, "a test")


def test_an_answer_compares_at_equal_uniformity_too() -> None:
    found = answer(claim(), results((-4.5, -2.5), along=True), range(3))
    (comparison,) = found.comparisons
    assert comparison.difference.mean == pytest.approx(5.1) and comparison.ends == (-4.5, -2.5)
    assert comparison.level is not None and comparison.level.difference.mean == pytest.approx(25 - 50)
    assert comparison.level.metric.name == "silver"
    assert "ends at different uniformity (-4.50 against -2.50): at equal uniformity -25" in str(found)

    found = answer(claim(), results((-4.5, -2.5), along=False), range(3))
    assert found.comparisons[0].level is None
    assert "(-4.50 against -2.50): the score's difference is not separated from it" in str(found)

    assert "uniformity" not in str(answer(claim(), results((-2.5, -2.53), along=False), range(3)))
