"""Several methods in one figure: rotations aligned, no scaling, and intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import views

Cloud = np.ndarray[Any, Any]


@pytest.fixture
def base() -> Cloud:
    random = np.random.default_rng(0)
    return np.asarray(random.standard_normal((40, 6)) * np.array([3, 2, 1, 0.5, 0.5, 0.5]))


def turned(cloud: Cloud, width: int, seed: int) -> Cloud:
    """The same points in a space of more dimensions, with unchanged distances."""
    q = np.linalg.qr(np.random.default_rng(seed).standard_normal((width, cloud.shape[1])))[0]
    return np.asarray(cloud @ q.T)


def distances(points: Cloud) -> Cloud:
    return np.asarray(np.linalg.norm(points[:, None] - points[None], axis=-1))


def test_rotated_clouds_are_drawn_alike(base: Cloud) -> None:
    axes = views.common_axes({"a": base, "b": turned(base, 9, 1), "c": turned(base, 30, 2)})
    for name in "bc":
        np.testing.assert_allclose(axes.coordinates[name], axes.coordinates["a"], atol=1e-9)
    assert axes.share["a"] == pytest.approx(axes.share["c"])


def test_it_is_an_orthogonal_projection(base: Cloud) -> None:
    other = np.random.default_rng(5).standard_normal((40, 12))
    axes = views.common_axes({"a": base, "b": other})
    for name, cloud in (("a", base), ("b", other)):
        unit = cloud / np.linalg.norm(cloud, axis=1, keepdims=True)
        drawn = distances(axes.coordinates[name])
        assert (drawn <= distances(unit) + 1e-9).all(), "a projection only shortens"
        assert 0 < axes.share[name] < 1
    assert axes.share["b"] < axes.share["a"], "noise shows little of itself on any two axes"


@pytest.mark.parametrize(
    ("clouds", "message"),
    [
        ({"a": np.eye(4), "b": np.eye(3)}, "the same sentences"),
        ({"a": np.eye(2)}, "at least 3 vectors"),
        ({"a": np.ones((4, 3))}, "all vectors of 'a' are equal"),
        ({"a": np.full((4, 3), np.nan)}, "NaN"),
    ],
)
def test_clouds_without_common_axes_are_refused(clouds: dict[str, Cloud], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        views.common_axes(clouds)


def test_side_by_side_keeps_rows_and_scale(base: Cloud) -> None:
    axes = views.common_axes({name: turned(base, 8, k) for k, name in enumerate("abcde")})
    labels = [("sea", "law")[row % 2] for row in range(40)]
    texts = [f"<b>{row}</b>" for row in range(40)]
    figure = views.side_by_side(axes, labels, texts)
    points, legend = figure.data[:5], figure.data[5:]
    assert [trace.name for trace in points] == list("abcde")
    assert {len(trace.x) for trace in points} == {40}
    assert points[3].x[7] == pytest.approx(axes.coordinates["d"][7, 0])
    assert points[0].text[7] == "&lt;b&gt;7&lt;/b&gt;"
    assert [trace.name for trace in legend] == ["law", "sea"]
    assert points[0].marker.color[0] == legend[1].marker.color
    assert points[0].marker.symbol[0] == legend[1].marker.symbol
    ranges = {tuple(figure.layout[axis].range) for axis in ("xaxis", "xaxis5", "yaxis2")}
    assert len(ranges) == 1, "all to one scale"
    with pytest.raises(ValueError, match="3 labels and 40 texts for 40"):
        views.side_by_side(axes, ["a"] * 3, texts)


def test_intervals_say_what_their_place_means() -> None:
    rows = {
        "against none": {},
        "mask": {"STS-B": (1.8, 0.6, 3.0), "SICK-R": (-1.0, -1.5, -0.51)},
        "noise": {"STS-B": (0.1, -0.2, 0.4), "SICK-R": (0.2, -0.6, 1.0)},
        "alone": {"SICK-R": (0.5, 0.2, 0.5)},
    }
    figure = views.intervals(rows, title="STS")
    marks = [trace for trace in figure.data if trace.x[0] is not None]
    ink = {trace.name: trace.line.color for trace in figure.data if trace.mode == "lines"}
    assert list(ink) == ["matters", "too small to matter", "open"]
    inks = [trace.marker.color for trace in marks]
    assert inks == [
        ink[word] for word in ("matters", "matters", "too small to matter", "open", "open")
    ]
    first, second = (trace for trace in marks if round(trace.y[0]) == 1)
    assert first.y[0] < second.y[0], "the first set above the second"
    assert first.marker.symbol != second.marker.symbol
    assert (first.error_x.arrayminus[0], first.error_x.array[0]) == pytest.approx((1.2, 1.2))
    assert figure.layout.yaxis.ticktext == ("<b>against none</b>", "mask", "noise", "alone")
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "the first row on top"


def test_the_legend_of_intervals_has_only_what_is_drawn() -> None:
    named = [
        trace.name for trace in views.intervals({"a": (1.0, 0.9, 1.1)}).data if trace.x[0] is None
    ]
    assert named == ["matters"], "one set needs no name"
    without = views.intervals({"a": (1.0, 0.1, 1.9), "b": (0.0, -1.0, 1.0)}, margin=0)
    assert [trace.name for trace in without.data if trace.x[0] is None] == ["not 0", "undecided"]
