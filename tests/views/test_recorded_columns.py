from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clwork.columns import History
from clwork.views.history import downsample, smooth

from ..strategies import HOLD


@HOLD
@given(st.lists(st.floats(-1e6, 1e6), max_size=3000), st.integers(4, 600))
def test_thinning_keeps_ends_and_extremes_within_the_limit(values: list[float], limit: int) -> None:
    y = np.array(values)
    drawn = downsample(y, limit)
    assert len(drawn) <= max(limit, 0) or len(drawn) == len(y) <= limit
    assert (np.diff(drawn) > 0).all()
    if len(y):
        assert drawn[0] == 0 and drawn[-1] == len(y) - 1
        if len(y) <= limit or limit > 5:
            assert y[drawn].max() == y.max() and y[drawn].min() == y.min()


def test_the_running_mean_is_not_biased_towards_zero() -> None:
    assert np.allclose(smooth(np.full(50, 7.0)), 7.0)
    by_hand = (0.9 * 0.1 * 1.0 + 0.1 * 3.0) / (0.9 * 0.1 + 0.1)
    assert smooth(np.array([1.0, 3.0]))[1] == pytest.approx(by_hand)


def test_appended_rows_equal_rows_read_at_once(records: list[dict[str, Any]]) -> None:
    grown = History(records[:500])
    grown.extend(records[500:])
    whole = History(records)
    assert np.array_equal(grown.xy("loss")[1], whole.xy("loss")[1])
    assert grown.last_step == 1200 and grown.last("loss") == whole.last("loss")
    assert grown.last("stsb") is None
