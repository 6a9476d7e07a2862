"""Neighbours and retrieval against loops, and agreement between encoders of different width."""

from __future__ import annotations

import math
from typing import Any

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


def by_hand(groups: list[Any], k: int) -> dict[str, float]:
    """The five scores as loops over ranks."""
    scores: list[list[float]] = []
    for query, group in enumerate(groups):
        relevant = groups.count(group) - 1
        if group is None or not relevant:
            continue
        hits = [groups[row] == group for row in order_of(query, range(60))[:k]]
        precision_at = [sum(hits[: n + 1]) / (n + 1) for n in range(k)]
        dcg = sum(hit / math.log2(n + 2) for n, hit in enumerate(hits))
        ideal = sum(1 / math.log2(n + 2) for n in range(min(k, relevant)))
        first = next((1 / (n + 1) for n, hit in enumerate(hits) if hit), 0.0)
        hit_precisions = [p for p, hit in zip(precision_at, hits, strict=True) if hit]
        average = sum(hit_precisions) / min(k, relevant)
        scores.append([sum(hits) / k, sum(hits) / relevant, first, average, dcg / ideal])
    names = [f"{name}_at_{k}" for name in ("precision", "recall", "mrr", "map", "ndcg")]
    return dict(zip(names, np.mean(scores, axis=0).tolist(), strict=True))


@pytest.mark.parametrize("k", [1, 5, 20])
def test_scores_are_those_of_loops(k: int) -> None:
    groups: list[Any] = [f"g{i % 9}" if i % 7 else None for i in range(60)]
    groups[3] = "alone"
    assert metrics.retrieval(CLOUD, groups, k=k) == pytest.approx(by_hand(groups, k))


def test_agreement_is_the_share_of_common_neighbours() -> None:
    assert metrics.neighbour_agreement(CLOUD, np.hstack([2 * CLOUD, CLOUD])) == 1.0
    other = CLOUD[:, :3]
    near = metrics.nearest(CLOUD, k=4).rows, metrics.nearest(other, k=4).rows
    shared = [len({*a} & {*b}) / 4 for a, b in zip(*near, strict=True)]
    assert metrics.neighbour_agreement(CLOUD, other, k=4) == pytest.approx(np.mean(shared))
