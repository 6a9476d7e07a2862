"""Figures of the lessons show the numbers that they were given."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from clwork import methods, views
from clwork.views.lessons.circle import angle_density
from clwork.views.lessons.diagrams import DIAGRAMS, HALF, LINES
from clwork.views.lessons.mechanisms import PULL, PUSH
from clwork.views.style import RULE

TURN = np.linspace(-np.pi, np.pi, 721)[:-1]


def inks(figure: Any, form: int) -> dict[str, str]:
    """Colours of the four factors in the panel of a form."""
    lines = [trace for trace in figure.data if trace.mode == "lines"][4 * form : 4 * form + 4]
    return {trace.name[0]: trace.line.color for trace in lines}


def test_each_form_lights_its_own_factors() -> None:
    figure = views.four_factors()
    assert inks(figure, 0) == {"1": PULL, "2": PUSH, "3": PUSH, "4": PUSH}
    assert inks(figure, 1) == {"1": PULL, "2": PUSH, "3": PUSH, "4": RULE}
    assert inks(figure, 2) == inks(figure, 3) == {"1": PULL, "2": RULE, "3": PUSH, "4": RULE}


def test_dots_show_every_seed_and_bars_one_deviation() -> None:
    figure = views.seed_dots({"a": [1.0, 2.0, 3.0], "b": [5.0], "c": [1.0, math.nan]}, reference=("raw", 0.5))
    bars = [list(trace.x) for trace in figure.data if trace.mode == "lines"]
    assert bars == [[1.0, 3.0], [5.0, 5.0], [1.0, 1.0]]
    dots = [trace for trace in figure.data if trace.mode == "markers" and trace.name]
    assert [len(trace.x) for trace in dots] == [3, 1, 1]
    assert "2 ± 1, 3 seeds" in dots[0].hovertemplate and "one seed" in dots[1].hovertemplate
    assert figure.layout.shapes[0].x0 == 0.5


def test_pairs_are_joined_and_numbered_and_kinds_coloured() -> None:
    random = np.random.default_rng(0)
    first = random.normal(size=(4, 8))
    apart, close = random.normal(size=(4, 8)), first + 0.01 * random.normal(size=(4, 8))
    figure = views.pair_map({"before": (first, apart), "after": (first, close)}, ["alike"] * 2 + ["not"] * 2)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert len(lines) == 4 and [trace.showlegend for trace in lines] == [True, True, False, False]
    assert lines[0].line.color != lines[1].line.color

    def longest(trace: Any) -> float:
        x, y = (np.array([v for v in column if v is not None]).reshape(-1, 2) for column in (trace.x, trace.y))
        return float(np.hypot(x[:, 0] - x[:, 1], y[:, 0] - y[:, 1]).max())

    assert max(longest(trace) for trace in lines[2:]) < 0.1 < max(longest(trace) for trace in lines[:2])
    numbers = [trace for trace in figure.data if trace.mode == "text"]
    assert sorted({text for trace in numbers for text in trace.text}) == ["1", "2", "3", "4"]


def cone(count: int = 200, width: int = 16, seed: int = 0) -> Any:
    """Unit vectors that share a strong direction, as raw sentence vectors do."""
    rows = np.random.default_rng(seed).normal(size=(count, width))
    rows[:, 0] += 12
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


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


def test_distances_are_counted_in_ten_bins_and_sum_to_100() -> None:
    figure = views.distance_histogram({"a": [0.05, 0.15, 0.25, 2.0], "b": [1.0]})
    assert list(figure.data[0].y) == [50, 25, 0, 0, 0, 0, 0, 0, 0, 25]
    assert sum(figure.data[1].y) == 100 and len(figure.data[1].y) == 10


def test_a_vector_and_its_spectrum_before_and_after() -> None:
    start = np.sin(np.linspace(0, 6, 50)) + 0.4
    figure = views.augmented_vector(start, {"mean out": start - start.mean(), "nothing": start})
    lines = [trace for trace in figure.data if trace.type == "scatter"]
    assert len(lines) == 8 and len(figure.data) == 10
    assert np.allclose(lines[1].y, start - start.mean())
    assert lines[2].y[0] == pytest.approx(50 * start.mean()) and lines[3].y[0] == pytest.approx(0, abs=1e-9)
    assert np.allclose(lines[2].y[1:], lines[3].y[1:])  # all other frequencies stay
    bars = [trace for trace in figure.data if trace.type == "bar"]
    assert np.allclose(bars[0].y, -start.mean()) and not np.any(bars[1].y)
    assert [note.text for note in figure.layout.annotations] == ["mean out", "nothing"]


def test_lines_join_boxes_that_lie_apart(subtests: pytest.Subtests) -> None:
    assert set(DIAGRAMS) == set(methods.names())
    for name in DIAGRAMS:
        with subtests.test(name=name):
            boxes, lines, _ = DIAGRAMS[name]
            pairs = [pair.split() for joined in lines.values() for pair in joined.split(", ")]
            assert set(lines) <= set(LINES) and "pull" in lines
            assert {end for pair in pairs for end in pair} == set(boxes)
            for one in boxes:
                for other in boxes:
                    apart = (
                        abs(boxes[one].x - boxes[other].x) > 2 * HALF[0]
                        or abs(boxes[one].y - boxes[other].y) > 2 * HALF[1]
                    )
                    assert one == other or apart, f"{one} lies on {other}"
