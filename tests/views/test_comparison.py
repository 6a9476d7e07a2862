"""Several methods in one figure: rotations aligned, no scaling, and intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import metrics, views

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


def test_intervals_mark_decided_and_undecided_differences() -> None:
    scores = {"a": [10.0, 10.1, 9.9], "b": [1.0, 1.1, 0.9], "c": [1.0, 1.2, 0.8]}
    figure = views.intervals(metrics.differences(scores), title="STS-B")
    decided, undecided = figure.data
    assert list(decided.y) == ["a − b", "a − c"]
    assert list(undecided.y) == ["b − c"]
    assert decided.marker.symbol != undecided.marker.symbol
    assert decided.marker.color != undecided.marker.color
    assert list(figure.layout.yaxis.categoryarray) == ["b − c", "a − c", "a − b"], "first on top"


def test_similarity_is_the_cosine() -> None:
    figure = views.similarity_matrix(np.array([[2.0, 0.0], [1.0, 1.0]]), ["one", "two"])
    assert np.allclose(figure.data[0].z, [[1.0, 0.5**0.5], [0.5**0.5, 1.0]])
