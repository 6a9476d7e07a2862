"""Figures of the lessons show the given numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import views
from clwork.views.lessons.circle import angle_density
from clwork.views.lessons.diagrams import PULL, PUSH
from clwork.views.style import RULE

TURN = np.linspace(-np.pi, np.pi, 721)[:-1]


def inks(figure: Any, form: int) -> dict[str, str]:
    """Colours of the four factors in the panel of a form."""
    lines = [trace for trace in figure.data if trace.mode == "lines"][4 * form : 4 * form + 4]
    return {trace.name[0]: trace.line.color for trace in lines}


def test_each_form_colours_its_factors() -> None:
    figure = views.four_factors()
    assert inks(figure, 0) == {"1": PULL, "2": PUSH, "3": PUSH, "4": PUSH}
    assert inks(figure, 1) == {"1": PULL, "2": PUSH, "3": PUSH, "4": RULE}
    assert inks(figure, 2) == inks(figure, 3) == {"1": PULL, "2": RULE, "3": PUSH, "4": RULE}


def cone(count: int = 200, width: int = 16, seed: int = 0) -> Any:
    """Unit vectors that share a strong direction, as raw sentence vectors do."""
    rows = np.random.default_rng(seed).normal(size=(count, width))
    rows[:, 0] += 12
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_centring_removes_the_cone() -> None:
    """M15: uncentred, all points lie on one side; centred, they surround the origin."""
    points = {centre: views.on_circle(cone(), centre=centre) for centre in (True, False)}
    assert np.allclose(np.linalg.norm(points[False], axis=1), 1)
    assert np.linalg.norm(points[False].mean(axis=0)) > 0.9
    assert np.linalg.norm(points[True].mean(axis=0)) < 0.3
    order = np.random.default_rng(1).permutation(200)
    assert np.allclose(
        views.on_circle(cone()[order], centre=False), points[False][order], atol=1e-6
    )


def test_the_density_over_the_angle_integrates_to_1_and_separates_opposites() -> None:
    east, west = np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]])
    one, other = angle_density(east, TURN), angle_density(west, TURN)
    assert one.mean() * 2 * np.pi == pytest.approx(1) and other.mean() * 2 * np.pi == pytest.approx(
        1
    )
    assert TURN[one.argmax()] == pytest.approx(0) and abs(TURN[other.argmax()]) == pytest.approx(
        np.pi
    )
    around = np.stack([np.cos(TURN), np.sin(TURN)], axis=1)
    assert np.allclose(angle_density(around, TURN), 1 / 2 / np.pi)
    by_hand = np.exp(3 * np.cos(TURN)) / (2 * np.pi * np.i0(3))
    assert np.allclose(angle_density(east, TURN, kappa=3.0), by_hand)


def test_distances_are_counted_in_ten_bins_and_sum_to_100() -> None:
    figure = views.distance_histogram({"a": [0.05, 0.15, 0.25, 2.0], "b": [1.0]})
    assert list(figure.data[0].y) == [50, 25, 0, 0, 0, 0, 0, 0, 0, 25]
    assert sum(figure.data[1].y) == 100 and len(figure.data[1].y) == 10
