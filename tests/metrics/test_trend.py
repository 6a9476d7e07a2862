"""The course of a run is told from its looks: a threshold on each side of it, and nothing before a tenth of the run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from clwork import metrics
from clwork.metrics.collapse_diagnosis import MOVED, REMEDIES, SEEN, advice, moved
from clwork.metrics.collapse_trend import CLOSED, LOST, OPENED, Look

SIGNALS = {"mean_cosine": 0.9, "centred_rank": 2.0, "possible_rank": 9.0, "clump_count": 3.0, "zero_share": 0.5}
SIGNALS["rows"] = 20.0
USUAL = {
    "learning_rate": 1e-4,
    "stop_gradient": True,
    "lam": 0.5,
    "phi": 0.9,
    "phi_quantile": 0.0,
    "token_loss": "sqdist",
}
SETTINGS = {
    "not opening": USUAL | {"learning_rate": 1e-6, "lam": 0.0, "phi": -1.0},
    "closing": USUAL | {"learning_rate": 1e-2, "stop_gradient": False},
}  # away from the usual values, each to the side where its remedy was tried


def rows(*cosines: float, every: int = 10) -> list[dict[str, Any]]:
    """Looks with these mean cosines, and a step without a look before each."""
    told: list[dict[str, Any]] = []
    for place, cosine in enumerate(cosines):
        told += [{"step": place * every, "mean_cosine": cosine}, {"step": place * every + 1, "loss": 1.0}]
    return told


def closer(cosine: float, change: float) -> float:
    """The mean cosine whose log(1 - mean cosine) is ``change`` more."""
    return 1 - (1 - cosine) * math.exp(change)


def test_the_course_follows_its_thresholds(subtests: pytest.Subtests) -> None:
    cases: list[tuple[tuple[float, ...], bool, str]] = [
        ((0.96, closer(0.96, OPENED + 0.01)), True, "opening"),
        ((0.96, closer(0.96, OPENED - 0.01)), True, "not opening"),
        ((0.96, closer(0.96, OPENED - 0.01)), False, "steady"),
        ((0.96, closer(0.96, OPENED + 0.01)), False, "opening"),
        ((0.3, 0.3), True, "open"),
        ((0.3, closer(0.3, CLOSED - 0.01)), True, "closing"),
        ((0.96, closer(0.96, CLOSED - 0.01)), True, "closing"),
        ((0.96, closer(0.96, CLOSED + 0.01)), False, "steady"),
        ((0.96, 0.5, closer(0.5, LOST - 0.01)), True, "closing"),
        ((0.96, 0.5, closer(0.5, LOST + 0.01)), True, "opening"),
        ((0.96, 1.0), False, "closing"),
        ((1.0, 1.0), True, "not opening"),
    ]
    for cosines, pushes, course in cases:
        with subtests.test(cosines=cosines, pushes=pushes, course=course):
            found = metrics.trend(rows(*cosines), 20, pushes=pushes)
            assert found is not None and found.course == course
            assert found.warns == (course in ("not opening", "closing"))


def test_a_trend_is_data_with_steps() -> None:
    found = metrics.trend(rows(0.96, 0.5, 0.9), 40)
    assert found == metrics.Trend("closing", Look(0, 0.96), Look(10, 0.5), Look(20, 0.9), 40) and found.part == 0.5
    assert moved(found) == "mean cosine 0.96 → 0.50 → 0.90 (step 0 to 20 of 40)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.course = "open"  # type: ignore[misc]


def test_nothing_is_warned_of_nor_advised_before_a_tenth(subtests: pytest.Subtests) -> None:
    cases: list[tuple[float, ...]] = [(0.96,), (0.96, 0.96), (0.96, 0.99999), (0.96, 0.1)]
    for cosines in cases:
        with subtests.test(cosines=cosines):
            found = metrics.trend(rows(*cosines), 101)
            assert found is not None and found.course == "too early" and not found.warns
            for verdict in SEEN:
                diagnosis = metrics.Diagnosis(verdict, SIGNALS, "").of_run(found, SETTINGS["closing"], USUAL)
                assert (
                    not diagnosis.warns
                    and "helped" not in diagnosis.advice
                    and "too little to tell" in diagnosis.advice
                )
            judged = metrics.trend(rows(*cosines, *cosines[-1:]), 100 if len(cosines) == 1 else 200)
            assert judged is not None and judged.course != "too early", "at a tenth it is judged"


def test_rows_without_a_look_tell_nothing() -> None:
    assert metrics.trend([], 10) is None
    assert (
        metrics.trend([{"step": 0}, {"step": 1, "mean_cosine": None}, {"step": 2, "mean_cosine": math.nan}], 10) is None
    )


def test_a_run_is_warned_of_by_its_course_or_by_a_collapsed_shape(subtests: pytest.Subtests) -> None:
    for verdict, course in product(SEEN, [course for course in MOVED if course != "too early"]):
        with subtests.test(verdict=verdict, course=course):
            trend = metrics.Trend(course, Look(0, 0.9), Look(5, 0.5), Look(10, 0.7), 20)
            diagnosis = metrics.Diagnosis(verdict, SIGNALS, "").of_run(trend, SETTINGS.get(course, USUAL), USUAL)
            assert diagnosis.warns == (trend.warns or verdict not in ("healthy", "cone"))
            assert (
                diagnosis.headline == f"{verdict}, {course}"
                and "0.90 → " in str(diagnosis)
                and "{" not in str(diagnosis)
            )
            assert ("helped" in diagnosis.advice) == (course in REMEDIES)


def test_advice_brings_settings_back_that_lie_away_from_where_they_are_usual(subtests: pytest.Subtests) -> None:
    for course in REMEDIES:
        with subtests.test(course=course):

            def told(settings: Mapping[str, Any], course: Any = course) -> str:
                trend = metrics.Trend(course, Look(0, 0.9), Look(0, 0.9), Look(10, 0.9), 20)
                return advice("cone", SIGNALS, trend, settings, USUAL)

            away = SETTINGS[course]
            assert "helped" not in told({}) and "helped" not in told(USUAL), "nothing is away from its usual value"
            for remedy in REMEDIES[course]:
                assert f"{remedy.words} (it is {away[remedy.knob]:g}, usually {USUAL[remedy.knob]:g})" in told(away)
                assert remedy.words not in told({name: value for name, value in away.items() if name != remedy.knob})
                assert remedy.words not in told(away | {remedy.knob: USUAL[remedy.knob]})
            without = {name: value for name, value in away.items() if name != "token_loss"}
            assert "λ" not in told(without), "of the other method with a λ, raising it was not tried"
            assert "φ" not in told(away | {"phi_quantile": 0.95}), "φ has no effect then"


def test_a_cloud_by_itself_gets_no_advice_to_train() -> None:
    for verdict in SEEN:
        assert "helped" not in advice(verdict, SIGNALS) and "train longer" not in advice(verdict, SIGNALS)
