"""A run's trend: both sides of each threshold, no verdict before a tenth, and the advice."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from clwork.metrics.diagnosis import (
    CLOSED,
    LOST,
    OPENED,
    REMEDIES,
    SHAPE_TEXTS,
    TREND_TEXTS,
    Diagnosis,
    Measurement,
    Trend,
    advice,
    in_angles,
    trend,
)

SIGNALS = {
    "mean_cosine": 0.9,
    "centred_rank": 2.0,
    "possible_rank": 9.0,
    "clump_count": 3.0,
    "zero_share": 0.5,
}
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
    """A history with these mean cosines, and a step without one after each."""
    history: list[dict[str, Any]] = []
    for place, cosine in enumerate(cosines):
        history += [
            {"step": place * every, "mean_cosine": cosine},
            {"step": place * every + 1, "loss": 1.0},
        ]
    return history


def closer(cosine: float, change: float) -> float:
    """The mean cosine whose log(1 - mean cosine) is larger by ``change``."""
    return 1 - (1 - cosine) * math.exp(change)


def test_the_trend_follows_its_thresholds(subtests: pytest.Subtests) -> None:
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
            found = trend(rows(*cosines), 20, pushes=pushes)
            assert found is not None
            assert found.course == course
            assert found.warns == (course in ("not opening", "closing"))


def test_the_trend_or_a_collapsed_shape_gives_a_warning() -> None:
    for verdict, course in product(
        SHAPE_TEXTS, [course for course in TREND_TEXTS if course != "too early"]
    ):
        change = Trend(course, Measurement(0, 0.9), Measurement(5, 0.5), Measurement(10, 0.7), 20)
        diagnosis = Diagnosis(verdict, SIGNALS, "").of_run(
            change, SETTINGS.get(course, USUAL), USUAL
        )
        assert diagnosis.warns == (change.warns or verdict not in ("healthy", "cone")), (
            verdict,
            course,
        )
        assert diagnosis.headline == f"{verdict}, {course}"
        assert "0.90 → " in str(diagnosis)
        assert "{" not in str(diagnosis)
        assert ("helped" in diagnosis.advice) == (course in REMEDIES)


def test_an_encoder_that_was_collapsed_before_training_is_named_as_the_cause() -> None:
    def text(first: float, step: int = 0) -> str:
        change = Trend(
            "not opening",
            Measurement(step, first),
            Measurement(0, 0.9999),
            Measurement(9, 0.9999),
            10,
        )
        return advice("point", SIGNALS, change, SETTINGS["not opening"], USUAL)

    assert "collapsed before training, as with random or damaged weights" in text(0.9999)
    assert "pulls together" not in text(0.9999)
    assert "helped" not in text(0.9999)
    assert "pulls together" in text(0.95)
    assert "before training" not in text(0.95)
    assert "before training" not in text(0.9999, step=3), (
        "the first measurement is not of the start"
    )


def test_advice_resets_the_settings_that_differ_from_their_usual_values() -> None:
    for course in REMEDIES:

        def text(settings: Mapping[str, Any], course: Any = course) -> str:
            change = Trend(
                course, Measurement(0, 0.9), Measurement(0, 0.9), Measurement(10, 0.9), 20
            )
            return advice("cone", SIGNALS, change, settings, USUAL)

        away = SETTINGS[course]
        assert "helped" not in text({})
        assert "helped" not in text(USUAL)
        for remedy in REMEDIES[course]:
            values = f"it is {away[remedy.setting]:g}, usually {USUAL[remedy.setting]:g}"
            assert f"{remedy.words} ({values})" in text(away)
            assert remedy.words not in text(
                {name: value for name, value in away.items() if name != remedy.setting}
            )
            assert remedy.words not in text(away | {remedy.setting: USUAL[remedy.setting]})
        without = {name: value for name, value in away.items() if name != "token_loss"}
        assert "λ" not in text(without), "for the other method with a λ, raising it was not tried"
        assert "φ" not in text(away | {"phi_quantile": 0.95}), "φ has no effect then"
    assert not any("helped" in advice(verdict, SIGNALS) for verdict in SHAPE_TEXTS), (
        "a single cloud has no settings"
    )


def test_a_measurement_is_also_given_as_angles() -> None:
    opening, one = trend(rows(0.96, 0.5), 20), trend(rows(0.0), 20)
    assert opening is not None
    assert one is not None
    assert (
        in_angles(opening, 1.0)
        == "Related sentences 60° apart, strangers 60° (16° at first): opening."
    )
    assert in_angles(one, None) == "Sentences 90°."
