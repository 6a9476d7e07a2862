from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import views
from clwork.columns import strong_scores
from clwork.views._curves import UPPER_LINE

STSB = strong_scores()["stsb"]


def named(figure: Any, name: str) -> Any:
    return next(trace for trace in figure.data if trace.name == name)


def test_every_curve_shows_what_was_recorded(records: list[dict[str, Any]]) -> None:
    figure = views.curves(records, {"log N": 4.16})
    loss = named(figure, "loss")
    assert loss.x[0] == 1 and loss.x[-1] == 1200
    assert max(loss.y) == 9.0, "a spike must not be thinned away"
    assert named(figure, "uniformity").y[-1] == pytest.approx(-2.2)
    proxy = named(figure, "topic k-NN accuracy (proxy)")
    assert proxy.y[0] == pytest.approx(50.0), "proxies are shares; the axis says × 100"
    assert len(named(figure, "STS-B Spearman").x) == 0, "what was not measured is not drawn"


def test_no_trace_has_more_than_500_points(records: list[dict[str, Any]]) -> None:
    heavy = [*records, *({"step": 1200 + k, "loss": 0.1, "event": f"e{k}"} for k in range(1, 3000))]
    figure = views.curves(heavy, {"log N": 4.16})
    assert max(len(trace.x) for trace in figure.data) <= 500
    assert len(records) > 500  # guard


def test_the_reference_line_is_named_and_spans_the_run(records: list[dict[str, Any]]) -> None:
    line = named(views.curves(records, {"log N": 4.158}, total_steps=2000), "reference")
    assert list(line.x[:2]) == [0, 2000] and list(line.y[:2]) == [4.158, 4.158]
    assert "log N = 4.16" in list(line.text)


def test_the_plane_has_one_trail_per_run_with_marked_ends(records: list[dict[str, Any]]) -> None:
    figure = views.plane({"ours": records, "other": records[:400]})
    ours, other = figure.data
    assert (ours.x[0], ours.y[0]) == (-1.0, 0.2)
    assert ours.x[-1] == pytest.approx(-2.2)
    assert ours.marker.symbol[0].endswith("-open") and not ours.marker.symbol[-1].endswith("-open")
    assert np.argmax(ours.marker.size) == len(ours.x) - 1
    assert ours.line.dash != other.line.dash and ours.line.color != other.line.color


def test_the_strong_encoder_is_an_upper_line_where_its_score_is_measured() -> None:
    rated = [{"step": step, "stsb": 50.0 + step, "sickr": 40.0} for step in (0, 10)]
    line = named(views.curves(rated, total_steps=20), UPPER_LINE)
    assert list(line.x[:2]) == [0, 20] and list(line.y[:2]) == [STSB, STSB] and not line.showlegend
    assert [text for text in line.text if text] == [f"all-MiniLM-L6-v2, STS-B Spearman: {STSB:.1f}"]
    for rows in (
        [{"step": 0, "loss": 1.0}],
        [{"step": 0, "silver": 70.0}],
    ):  # by silver pairs it has 100, its own
        assert len(named(views.curves(rows), UPPER_LINE).x) == 0
