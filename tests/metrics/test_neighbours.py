"""Retrieval against scikit-learn and loops, and agreement between encoders of different width."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest

from clwork import metrics


@pytest.fixture
def cloud() -> Any:
    return np.random.default_rng(0).standard_normal((60, 8)).astype(np.float32)


def test_nearest_is_scikit_learn_s(cloud: Any) -> None:
    from sklearn.neighbors import NearestNeighbors

    corpus, queries = cloud[:50], cloud[50:]
    distance, rows = (
        NearestNeighbors(metric="cosine", algorithm="brute").fit(corpus).kneighbors(queries, 7)
    )
    found = metrics.nearest(queries, corpus, k=7)
    assert np.array_equal(found.rows, rows)
    np.testing.assert_allclose(found.cosines, 1 - distance, atol=1e-6)


def test_the_result_does_not_depend_on_blocks_of_the_corpus(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Equal rows far apart, k above the size of a block, and queries among themselves across all blocks."""
    corpus = np.random.default_rng(0).standard_normal((90, 4)).astype(np.float16)
    corpus[60:70] = corpus[:10]
    corpus[20:45] = corpus[3]  # more equals than k
    whole, own = metrics.nearest(corpus[:8], corpus, k=20), metrics.nearest(corpus, k=89)
    module = sys.modules["clwork.metrics.neighbours"]
    monkeypatch.setattr(module, "CHUNK", 7)
    monkeypatch.setattr(module, "ROWS", 11)
    found = metrics.nearest(corpus[:8], corpus, k=20)
    assert np.array_equal(found.rows, whole.rows) and found.rows[3].tolist() == [3, *range(20, 39)]
    np.testing.assert_allclose(found.cosines, whole.cosines, atol=1e-12)
    assert np.array_equal(metrics.nearest(corpus, k=89).rows, own.rows)


def by_hand(cloud: Any, groups: list[Any], k: int) -> dict[str, float]:
    """The five scores as loops over ranks."""
    unit = cloud / np.linalg.norm(cloud, axis=1, keepdims=True)
    rows: list[list[float]] = []
    for i, group in enumerate(groups):
        relevant = [j for j, other in enumerate(groups) if j != i and other == group]
        if group is None or not relevant:
            continue
        order = sorted(
            (j for j in range(len(groups)) if j != i), key=lambda j: -float(unit[i] @ unit[j])
        )[:k]
        hits = [groups[j] == group for j in order]
        precision_at = [sum(hits[: n + 1]) / (n + 1) for n in range(k)]
        dcg = sum(hit / math.log2(n + 2) for n, hit in enumerate(hits))
        ideal = sum(1 / math.log2(n + 2) for n in range(min(k, len(relevant))))
        first = next((1 / (n + 1) for n, hit in enumerate(hits) if hit), 0.0)
        average = sum(p for p, hit in zip(precision_at, hits, strict=True) if hit) / min(
            k, len(relevant)
        )
        rows.append([sum(hits) / k, sum(hits) / len(relevant), first, average, dcg / ideal])
    names = [f"{name}_at_{k}" for name in ("precision", "recall", "mrr", "map", "ndcg")]
    return dict(zip(names, np.mean(rows, axis=0).tolist(), strict=True))


def test_scores_are_those_of_loops(cloud: Any, subtests: pytest.Subtests) -> None:
    for k in (1, 5, 20):
        with subtests.test(k=k):
            groups: list[Any] = [f"g{i % 9}" if i % 7 else None for i in range(60)]
            groups[3] = "alone"
            assert metrics.retrieval(cloud, groups, k=k) == pytest.approx(by_hand(cloud, groups, k))
