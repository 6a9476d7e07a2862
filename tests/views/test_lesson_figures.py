"""Figures of the lessons show the given numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import views
from clwork.views.circle import KAPPA, angle_density
from clwork.views.diagrams import DIAGRAMS, PULL, PUSH
from clwork.views.style import RULE

TURN = np.linspace(-np.pi, np.pi, 721)[:-1]


@pytest.mark.parametrize("method", DIAGRAMS)
def test_every_part_of_a_diagram_is_inside_its_frame(method: str) -> None:
    figure = views.method_diagram(method)
    left, right = figure.layout.xaxis.range
    bottom, top = figure.layout.yaxis.range
    for trace in figure.data:
        assert left < min(trace.x) <= max(trace.x) < right
        assert top < min(trace.y) <= max(trace.y) < bottom
    assert PULL["color"] in {trace.line.color for trace in figure.data}
    assert len(figure.layout.shapes) >= 5


def test_an_unknown_diagram_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'simcse'"):
        views.method_diagram("simsce")


def factor_colours(form: str) -> dict[str, str]:
    """Colours of the four factors in the panel of a form."""
    lines = [trace for trace in views.four_factors().data if trace.mode == "lines"]
    return {
        trace.name[0]: trace.line.color
        for trace in lines
        if trace.hovertemplate.endswith(f"in {form}<extra></extra>")
    }


def test_each_form_colours_its_factors() -> None:
    pull, push = PULL["color"], PUSH["color"]
    assert factor_colours("base") == {"1": pull, "2": push, "3": push, "4": push}
    assert factor_colours("opt1") == {"1": pull, "2": push, "3": push, "4": RULE}
    only_1_and_3 = {"1": pull, "2": RULE, "3": push, "4": RULE}
    assert factor_colours("opt2") == factor_colours("opt3") == only_1_and_3


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
    again = views.on_circle(cone()[order], centre=False)
    assert np.allclose(again, points[False][order], atol=1e-6)


def test_the_density_over_the_angle_integrates_to_1_and_separates_opposites() -> None:
    east, west = (angle_density(np.array([[x, 0.0]]), TURN) for x in (1.0, -1.0))
    assert east.mean() * 2 * np.pi == pytest.approx(1)
    assert west.mean() * 2 * np.pi == pytest.approx(1)
    assert TURN[east.argmax()] == pytest.approx(0)
    assert abs(TURN[west.argmax()]) == pytest.approx(np.pi)
    around = np.stack([np.cos(TURN), np.sin(TURN)], axis=1)
    assert np.allclose(angle_density(around, TURN), 1 / 2 / np.pi)
    by_hand = np.exp(KAPPA * np.cos(TURN)) / (2 * np.pi * np.i0(KAPPA))
    assert np.allclose(east, by_hand)


def test_histogram_rows_count_every_pair_once() -> None:
    figure = views.cosine_histogram(
        {"mini": [0.1, 0.2, 0.3, 0.8, 1.0000001]}, [0.0, 0.9, 1.0, 4.0, 5.0]
    )
    assert [note.text for note in figure.layout.annotations] == [
        "gold 4–5<br>(2 pairs)",
        "gold 1–2<br>(1 pair)",
        "gold 0–1<br>(2 pairs)",
    ], "rows without a pair are left out"
    assert [sum(trace.y) for trace in figure.data] == pytest.approx([100, 100, 100])
    with pytest.raises(ValueError, match="rescale them to 0 to 5"):
        views.cosine_histogram({"mini": [0.1]}, [99.0])


def test_distances_are_counted_in_ten_bins_and_sum_to_100() -> None:
    figure = views.distance_histogram({"a": [0.05, 0.15, 0.25, 2.0], "b": [1.0]})
    assert list(figure.data[0].y) == [50, 25, 0, 0, 0, 0, 0, 0, 0, 25]
    assert sum(figure.data[1].y) == 100
    assert len(figure.data[1].y) == 10


def test_similarity_is_the_cosine() -> None:
    figure = views.similarity_matrix(np.array([[2.0, 0.0], [1.0, 1.0]]), ["one", "two"])
    assert np.allclose(figure.data[0].z, [[1.0, 0.5**0.5], [0.5**0.5, 1.0]])
