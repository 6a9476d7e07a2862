"""All points of a large cloud, by the graphics card; a still picture has some of them."""

from __future__ import annotations

import numpy as np
import pytest

from clwork import views
from clwork.views.style import LIMIT

POINTS = np.random.default_rng(0).standard_normal((3001, 2))


def test_without_a_limit_all_points_are_drawn_by_webgl() -> None:
    figure = views.projection(POINTS, limit=None)
    (trace,) = figure.data
    assert trace.type == "scattergl" and len(trace.x) == len(POINTS) and trace.marker.size < 6
    assert len(views.projection(POINTS).data[0].x) == LIMIT and views.projection(POINTS).data[0].type == "scatter"
    assert len(views.projection(POINTS, limit=7).data[0].x) == 7
    with pytest.raises(ValueError, match="limit=0"):
        views.projection(POINTS, limit=0)


def test_a_still_picture_has_some_points_from_all_over_the_cloud() -> None:
    labels = ["a"] * 3000 + ["b"]
    picture = views.to_svg(views.projection(POINTS, labels, limit=None))
    assert picture.count("<circle") == LIMIT and picture.count("<use") == 1, "each label has a symbol of its own"
    assert views.to_svg(views.projection(POINTS[:400], limit=None)).count("<circle") == 400
