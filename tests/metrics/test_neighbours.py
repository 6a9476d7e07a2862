"""Neighbours against loops, and agreement between encoders of different width."""

from __future__ import annotations

import numpy as np
import pytest

from clwork import metrics

CLOUD = np.random.default_rng(0).standard_normal((60, 8)).astype(np.float32)
UNIT = CLOUD / np.linalg.norm(CLOUD, axis=1, keepdims=True)


def order_of(query: int, candidates: range) -> list[int]:
    """Rows of the cloud by their cosine to a row, largest first, without the row itself."""
    others = [row for row in candidates if row != query]
    return sorted(others, key=lambda row: -float(UNIT[query] @ UNIT[row]))


def test_nearest_rows_are_those_of_a_loop() -> None:
    found = metrics.nearest(CLOUD[50:], CLOUD[:50], k=7)
    assert found.rows.tolist() == [order_of(query, range(50))[:7] for query in range(50, 60)]
    expected = [UNIT[50 + query] @ UNIT[rows].T for query, rows in enumerate(found.rows)]
    np.testing.assert_allclose(found.cosines, expected, atol=1e-6)


def test_no_row_is_its_own_neighbour_and_equal_cosines_are_in_order_of_rows() -> None:
    found = metrics.nearest(CLOUD, k=59)
    assert found.rows.tolist() == [order_of(query, range(60)) for query in range(60)]
    equal = np.repeat(CLOUD[:3], [5, 4, 3], axis=0)
    rows = metrics.nearest(equal, k=11).rows
    for query in range(5):
        assert rows[query, :4].tolist() == [row for row in range(5) if row != query]
    zero = metrics.nearest(np.zeros((1, 8)), CLOUD, k=3)
    assert zero.cosines.tolist() == [[0, 0, 0]]


def test_agreement_is_the_share_of_common_neighbours() -> None:
    assert metrics.neighbour_agreement(CLOUD, np.hstack([2 * CLOUD, CLOUD])) == 1.0
    other = CLOUD[:, :3]
    near = metrics.nearest(CLOUD, k=4).rows, metrics.nearest(other, k=4).rows
    shared = [len({*a} & {*b}) / 4 for a, b in zip(*near, strict=True)]
    assert metrics.neighbour_agreement(CLOUD, other, k=4) == pytest.approx(np.mean(shared))
