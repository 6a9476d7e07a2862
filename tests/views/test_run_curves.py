"""The figure of one run, and what it makes of a history: a running mean and few points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clwork import views
from clwork.columns import History, strong_scores
from clwork.views.history import downsample, smooth

from ..strategies import HOLD

STSB = strong_scores()["stsb"]


def named(figure: Any, name: str) -> Any:
    return next((trace for trace in figure.data if trace.name == name), None)


def test_every_curve_shows_what_was_recorded(records: list[dict[str, Any]]) -> None:
    figure = views.curves(records, {"log N": 4.16})
    loss = named(figure, "loss")
    assert loss.x[0] == 1
    assert loss.x[-1] == 1200
    assert max(loss.y) == 9.0, "a spike must not be thinned away"
    assert named(figure, "uniformity").y[-1] == pytest.approx(-2.2)
    proxy = named(figure, "topic k-NN accuracy (proxy)")
    assert proxy.y[0] == pytest.approx(50.0), "proxies are shares; the axis says × 100"
    assert named(figure, "STS-B Spearman") is None, "what was not measured is not drawn"


def test_events_are_marked_at_their_step(records: list[dict[str, Any]]) -> None:
    figure = views.curves(records)
    assert list(named(figure, "event").x) == [300, 900]
    assert {line.x0 for line in figure.layout.shapes} == {300, 900}
    assert len(figure.layout.shapes) == 2 * 4, "a line in each cell"
    assert figure.layout.annotations[-1].text == "paused 3 s"


def test_no_trace_has_more_than_500_points(records: list[dict[str, Any]]) -> None:
    heavy = [*records, *({"step": 1200 + k, "loss": 0.1, "event": f"e{k}"} for k in range(1, 3000))]
    figure = views.curves(heavy, {"log N": 4.16})
    assert max(len(trace.x) for trace in figure.data) <= 500
    assert len(records) > 500  # guard


def test_the_reference_line_is_named_and_spans_the_run(records: list[dict[str, Any]]) -> None:
    line = named(views.curves(records, {"log N": 4.158}, total_steps=2000), "reference")
    assert list(line.x[:2]) == [0, 2000]
    assert list(line.y[:2]) == [4.158, 4.158]
    assert "log N = 4.16" in line.text


def test_the_strong_encoder_is_an_upper_line_where_its_score_is_measured() -> None:
    rated = [{"step": step, "stsb": 50.0 + step, "sickr": 40.0} for step in (0, 10)]
    line = named(views.curves(rated, total_steps=20), "upper line")
    assert list(line.x[:2]) == [0, 20]
    assert list(line.y[:2]) == [STSB, STSB]
    assert line.text[1] == f"all-MiniLM-L6-v2, STS-B Spearman: {STSB:.1f}"
    # According to silver pairs, its own opinion, the strong encoder has 100.
    for rows in ([{"step": 0, "loss": 1.0}], [{"step": 0, "silver": 70.0}]):
        assert named(views.curves(rows), "upper line") is None


@HOLD
@given(st.lists(st.floats(-1e6, 1e6), max_size=3000), st.integers(4, 600))
def test_thinning_keeps_ends_and_extremes_within_the_limit(values: list[float], limit: int) -> None:
    y = np.array(values)
    drawn = downsample(y, limit)
    assert len(drawn) <= limit
    assert (np.diff(drawn) > 0).all()
    if len(y):
        assert drawn[0] == 0
        assert drawn[-1] == len(y) - 1
        if len(y) <= limit or limit > 5:
            assert y[drawn].max() == y.max()
            assert y[drawn].min() == y.min()


def test_the_running_mean_is_not_biased_towards_zero() -> None:
    assert np.allclose(smooth(np.full(50, 7.0)), 7.0)
    by_hand = (0.9 * 0.1 * 1.0 + 0.1 * 3.0) / (0.9 * 0.1 + 0.1)
    assert smooth(np.array([1.0, 3.0]))[1] == pytest.approx(by_hand)


def test_appended_rows_equal_rows_read_at_once(records: list[dict[str, Any]]) -> None:
    grown = History(records[:500])
    for row in records[500:]:
        grown.append(row)
    whole = History(records)
    assert np.array_equal(grown.xy("loss")[1], whole.xy("loss")[1])
    assert grown.last_step == 1200
    assert grown.last("loss") == whole.last("loss")
    assert grown.last("stsb") is None
