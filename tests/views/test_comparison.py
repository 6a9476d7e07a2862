"""Several methods in one figure: rotations aligned, no scaling, and undecided differences marked."""

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


def test_rotated_clouds_are_drawn_alike(base: Cloud) -> None:
    found = views.common_axes({"a": base, "b": turned(base, 9, 1), "c": turned(base, 30, 2)})
    for name in "bc":
        np.testing.assert_allclose(found.coordinates[name], found.coordinates["a"], atol=1e-9)
    assert found.share["a"] == pytest.approx(found.share["c"])


def test_it_is_an_orthogonal_projection(base: Cloud) -> None:
    other = np.random.default_rng(5).standard_normal((40, 12))
    found = views.common_axes({"a": base, "b": other})
    for name, cloud in (("a", base), ("b", other)):
        unit = cloud / np.linalg.norm(cloud, axis=1, keepdims=True)
        seen, true = (
            np.linalg.norm(x[:, None] - x[None], axis=-1) for x in (found.coordinates[name], unit)
        )
        assert (seen <= true + 1e-9).all(), "a projection only shortens"
        assert 0 < found.share[name] < 1
    assert found.share["b"] < found.share["a"], (
        "a cloud without structure shows little of itself on any two axes"
    )


def test_side_by_side_keeps_rows_and_scale(base: Cloud) -> None:
    axes = views.common_axes({name: turned(base, 8, k) for k, name in enumerate("abcde")})
    labels = [("sea", "law")[row % 2] for row in range(40)]
    figure = views.side_by_side(axes, labels, [f"<b>{row}</b>" for row in range(40)])
    points, legend = figure.data[:5], figure.data[5:]
    assert [trace.name for trace in points] == list("abcde") and {
        len(trace.x) for trace in points
    } == {40}
    assert (
        points[3].x[7] == pytest.approx(axes.coordinates["d"][7, 0])
        and points[0].text[7] == "&lt;b&gt;7&lt;/b&gt;"
    )
    assert [trace.name for trace in legend] == ["law", "sea"]
    assert (
        points[0].marker.color[0] == legend[1].marker.color
        and points[0].marker.symbol[0] == legend[1].marker.symbol
    )
    ranges = {tuple(figure.layout[axis].range) for axis in ("xaxis", "xaxis5", "yaxis2")}
    assert len(ranges) == 1, "all to one scale"
    with pytest.raises(ValueError, match="3 labels for 40"):
        views.side_by_side(axes, ["a"] * 3)


def test_the_plane_shows_every_seed_and_the_mean() -> None:
    def run(offset: float) -> list[dict[str, Any]]:
        return [
            {"step": s, "alignment": 0.1 * s + offset, "uniformity": -s - offset} for s in range(3)
        ]

    figure = views.plane({"one": [run(0.0), run(0.2)], "two": [run(1.0)]})
    assert len(figure.data) == 2 + 3
    assert figure.data[0].y[-1] == pytest.approx(0.3) and figure.data[0].x[-1] == pytest.approx(
        -2.1
    )
    assert [trace.showlegend for trace in figure.data[2:]] == [False] * 3
    assert figure.data[2].line.color == figure.data[0].line.color != figure.data[4].line.color
    with pytest.raises(ValueError, match="all runs of 'empty'"):
        views.plane({"empty": [[{"step": 1, "loss": 2.0}]] * 2})


def test_intervals_mark_decided_and_undecided_differences() -> None:
    scores = {"a": [10.0, 10.1, 9.9], "b": [1.0, 1.1, 0.9], "c": [1.0, 1.2, 0.8]}
    figure = views.intervals(metrics.differences(scores), title="STS-B")
    decided, null = figure.data
    assert list(decided.y) == ["a − b", "a − c"] and list(null.y) == ["b − c"]
    assert decided.marker.symbol != null.marker.symbol and decided.marker.color != null.marker.color
    assert list(figure.layout.yaxis.categoryarray) == ["b − c", "a − c", "a − b"], (
        "the first pair on top"
    )
    with pytest.raises(ValueError, match="differences is empty"):
        views.intervals([])
