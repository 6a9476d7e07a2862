from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import views


def test_the_curve_counts_what_is_at_or_above() -> None:
    cosines = np.array([[0.5, 0.7, 0.7], [0.9, 1.0, -0.5]])
    figure = views.share_above({"judge": cosines}, marks=(0.7,))
    heights = dict(zip(np.round(figure.data[0].x, 2).tolist(), figure.data[0].y, strict=True))
    for phi, count in ((0.0, 5), (0.5, 5), (0.51, 4), (0.7, 4), (0.71, 2), (0.9, 2), (1.0, 1)):
        assert heights[phi] == pytest.approx(100 * count / 6), phi
    assert figure.layout.shapes[0].x0 == 0.7


@pytest.mark.parametrize("bad", [[], [0.1, float("nan")]])
def test_cosines_must_be_there(bad: Any) -> None:
    with pytest.raises(ValueError, match="'judge' must hold"):
        views.share_above({"judge": bad})


def test_a_line_for_each_group_on_log_axes() -> None:
    figure = views.softmax_shares([1e-4, 1.0], {"positive": [0.99, 0.5], "noise": [0.0, 0.4]}, marks={"released": 1e-4})
    assert [trace.name for trace in figure.data] == ["positive", "noise"]
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
    assert np.isnan(figure.data[1].y[0]) and figure.data[1].y[1] == 0.4  # no share, no point
    assert (figure.layout.shapes[0].x0, figure.layout.annotations[0].x) == (1e-4, -4.0)  # labels are placed in decades
    assert figure.layout.annotations[0].text == "released"
    assert len({trace.line.dash for trace in figure.data}) == 2  # a second cue beside the colour


def test_shares_must_fit_x() -> None:
    with pytest.raises(ValueError, match="'noise' has 1 share for 2"):
        views.softmax_shares([0.1, 1.0], {"noise": [0.2]})
    with pytest.raises(ValueError, match="above 0"):
        views.softmax_shares([0.0, 1.0], {"noise": [0.2, 0.3]})
