"""Lines, densities on the circle, and distances: that they show the numbers they were given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import views
from clwork.views.lessons.points import angle_density
from clwork.views.style import LIMIT

TURN = np.linspace(-np.pi, np.pi, 721)[:-1]


def cone(count: int = 200, width: int = 16, seed: int = 0) -> Any:
    """Unit vectors that share a strong direction, as raw sentence vectors do."""
    rows = np.random.default_rng(seed).normal(size=(count, width))
    rows[:, 0] += 12
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_lines_hold_what_they_were_given() -> None:
    x = np.arange(1, 6)
    figure = views.lines({"a": (x, x**2), "b < c": (x, x)}, title="t", levels={"five": 5.0}, log=("y",))
    assert [list(trace.y) for trace in figure.data] == [[1, 4, 9, 16, 25], [1, 2, 3, 4, 5]]
    assert figure.data[1].name == "b &lt; c" and figure.layout.yaxis.type == "log"
    assert figure.layout.shapes[0].y0 == 5 and figure.layout.width is not None
    assert len(views.lines({"long": (range(5000), range(5000))}, title="t").data[0].y) <= LIMIT


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"series": {}}, "at least one"),
        ({"series": {"a": ([1, 2], [1])}}, "one length"),
        ({"log": ("z",)}, "'x' and 'y'"),
    ],
)
def test_lines_that_cannot_be_drawn(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        views.lines(**({"series": {"a": ([1], [1])}, "title": "t"} | values))


def test_centring_takes_the_cone_away() -> None:
    """M15: uncentred, all points lie on one side; centred, they surround the origin."""
    points = {centre: views.on_circle(cone(), centre=centre) for centre in (True, False)}
    assert np.allclose(np.linalg.norm(points[False], axis=1), 1)
    assert np.linalg.norm(points[False].mean(axis=0)) > 0.9
    assert np.linalg.norm(points[True].mean(axis=0)) < 0.3
    order = np.random.default_rng(1).permutation(200)
    assert np.allclose(views.on_circle(cone()[order], centre=False), points[False][order], atol=1e-6)


def test_the_density_over_the_angle_is_one_and_tells_opposites_apart() -> None:
    east, west = np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]])
    one, other = angle_density(east, TURN), angle_density(west, TURN)
    assert one.mean() * 2 * np.pi == pytest.approx(1) and other.mean() * 2 * np.pi == pytest.approx(1)
    assert TURN[one.argmax()] == pytest.approx(0) and abs(TURN[other.argmax()]) == pytest.approx(np.pi)
    around = np.stack([np.cos(TURN), np.sin(TURN)], axis=1)
    assert np.allclose(angle_density(around, TURN), 1 / 2 / np.pi)
    by_hand = np.exp(3 * np.cos(TURN)) / (2 * np.pi * np.i0(3))
    assert np.allclose(angle_density(east, TURN, kappa=3.0), by_hand)


def test_angles_draws_a_column_for_each_cloud() -> None:
    clouds = {"raw": views.on_circle(cone(), centre=False), "centred": views.on_circle(cone(), centre=True)}
    figure = views.angles(clouds)
    kinds = [trace.type for trace in figure.data]
    assert kinds.count("contour") == 2 and len(figure.data) == 6
    assert [note.text for note in figure.layout.annotations[:2]] == ["raw", "centred"]
    heights = figure.data[0].z
    step = figure.data[0].x[1] - figure.data[0].x[0]
    assert heights.sum() * step**2 == pytest.approx(1, abs=0.02)  # a density
    y, x = np.unravel_index(np.argmax(heights), heights.shape)
    peak = np.array([figure.data[0].x[x], figure.data[0].y[y]])
    assert np.linalg.norm(peak - clouds["raw"].mean(axis=0)) < 0.2  # x to the right and y upwards, not swapped


@pytest.mark.parametrize("bad", [{}, {"a": np.ones((4, 3))}, {"a": np.ones(4)}])
def test_clouds_that_are_not_on_a_circle(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"at least one|\(N, 2\)"):
        views.angles(bad)
    with pytest.raises(ValueError, match="at least three"):
        views.on_circle(np.ones((2, 4)), centre=True)


def test_distances_are_counted_in_ten_bins_and_sum_to_100() -> None:
    figure = views.distance_histogram({"a": [0.05, 0.15, 0.25, 2.0], "b": [1.0]})
    assert list(figure.data[0].y) == [50, 25, 0, 0, 0, 0, 0, 0, 0, 25]
    assert sum(figure.data[1].y) == 100 and len(figure.data[1].y) == 10


@pytest.mark.parametrize("bad", [{}, {"a": []}, {"a": [2.5]}, {"a": [-0.1]}, {"a": [float("nan")]}])
def test_distances_that_cannot_be(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"at least one|outside"):
        views.distance_histogram(bad)
