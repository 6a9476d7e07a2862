"""Retrieval against scikit-learn and loops, and agreement between encoders of different width."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clwork import metrics
from clwork.metrics import vectors


@pytest.fixture
def cloud() -> Any:
    return np.random.default_rng(0).standard_normal((60, 8)).astype(np.float32)


def test_nearest_is_scikit_learn_s(cloud: Any) -> None:
    from sklearn.neighbors import NearestNeighbors

    corpus, queries = cloud[:50], cloud[50:]
    distance, rows = NearestNeighbors(metric="cosine", algorithm="brute").fit(corpus).kneighbors(queries, 7)
    found = metrics.nearest(queries, corpus, k=7)
    assert np.array_equal(found.rows, rows)
    np.testing.assert_allclose(found.cosines, 1 - distance, atol=1e-6)


def test_nobody_is_their_own_neighbour(cloud: Any) -> None:
    found = metrics.nearest(torch.from_numpy(cloud), k=59)
    for row in range(60):
        assert sorted(found.rows[row].tolist()) == [other for other in range(60) if other != row]
    assert (np.diff(found.cosines, axis=1) <= 0).all()


def test_equals_come_in_order() -> None:
    same = np.ones((5, 3))
    assert metrics.nearest(same, k=3).rows.tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2], [0, 1, 2]]


def test_chunks_change_nothing(cloud: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = metrics.nearest(cloud, k=5)
    monkeypatch.setattr(sys.modules["clwork.metrics.nearest_sentences"], "CHUNK", 7)
    assert np.array_equal(metrics.nearest(cloud, k=5).rows, whole.rows)


def test_blocks_of_the_corpus_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal rows far apart, more wanted than a block has, and queries among themselves across all edges."""
    corpus = np.random.default_rng(0).standard_normal((90, 4)).astype(np.float16)
    corpus[60:70] = corpus[:10]
    corpus[20:45] = corpus[3]  # more equals than are asked for
    whole, own = metrics.nearest(corpus[:8], corpus, k=20), metrics.nearest(corpus, k=89)
    module = sys.modules["clwork.metrics.nearest_sentences"]
    monkeypatch.setattr(module, "CHUNK", 7)
    monkeypatch.setattr(module, "ROWS", 11)
    found = metrics.nearest(corpus[:8], corpus, k=20)
    assert np.array_equal(found.rows, whole.rows) and found.rows[3].tolist() == [3, *range(20, 39)]
    np.testing.assert_allclose(found.cosines, whole.cosines, atol=1e-12)
    assert np.array_equal(metrics.nearest(corpus, k=89).rows, own.rows)


def test_of_a_mapped_file_a_block_at_a_time_is_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["clwork.metrics.nearest_sentences"], "ROWS", 1000)
    corpus = np.random.default_rng(0).standard_normal((40_000, 64)).astype(np.float16)  # 20 MB in float64
    np.save(tmp_path / "x.npy", corpus)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    biggest: list[int] = []
    real = vectors.as_matrix

    def measured(x: vectors.Vectors, *more: Any) -> torch.Tensor:
        biggest.append(len(x))
        return real(x, *more)

    monkeypatch.setattr(sys.modules["clwork.metrics.nearest_sentences"], "as_matrix", measured)
    assert metrics.nearest(corpus[[7, 39_999]], mapped, k=3).rows[:, 0].tolist() == [7, 39_999]
    assert max(biggest) == 1000


def test_what_is_not_finite_is_found_in_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["clwork.metrics.nearest_sentences"], "ROWS", 10)
    corpus = np.ones((40, 3), dtype=np.float32)
    corpus[25, 1] = np.nan
    with pytest.raises(ValueError, match=r"corpus\[20:30\] has NaN or infinity in 1 of 10 rows"):
        metrics.nearest(corpus[:2], corpus, k=3)


def by_hand(cloud: Any, groups: list[Any], k: int) -> dict[str, float]:
    """The five scores as loops over ranks."""
    unit = cloud / np.linalg.norm(cloud, axis=1, keepdims=True)
    rows: list[list[float]] = []
    for i, group in enumerate(groups):
        relevant = [j for j, other in enumerate(groups) if j != i and other == group]
        if group is None or not relevant:
            continue
        order = sorted((j for j in range(len(groups)) if j != i), key=lambda j: -float(unit[i] @ unit[j]))[:k]
        hits = [groups[j] == group for j in order]
        precision_at = [sum(hits[: n + 1]) / (n + 1) for n in range(k)]
        dcg = sum(hit / math.log2(n + 2) for n, hit in enumerate(hits))
        ideal = sum(1 / math.log2(n + 2) for n in range(min(k, len(relevant))))
        first = next((1 / (n + 1) for n, hit in enumerate(hits) if hit), 0.0)
        average = sum(p for p, hit in zip(precision_at, hits, strict=True) if hit) / min(k, len(relevant))
        rows.append([sum(hits) / k, sum(hits) / len(relevant), first, average, dcg / ideal])
    names = [f"{name}_at_{k}" for name in ("precision", "recall", "mrr", "map", "ndcg")]
    return dict(zip(names, np.mean(rows, axis=0).tolist(), strict=True))


@pytest.mark.parametrize("k", [1, 5, 20])
def test_scores_are_those_of_loops(cloud: Any, k: int) -> None:
    groups: list[Any] = [f"g{i % 9}" if i % 7 else None for i in range(60)]
    groups[3] = "alone"
    assert metrics.retrieval(cloud, groups, k=k) == pytest.approx(by_hand(cloud, groups, k))


def test_ndcg_is_scikit_learn_s(cloud: Any) -> None:
    from sklearn.metrics import ndcg_score

    groups = [i % 4 for i in range(60)]
    unit = cloud / np.linalg.norm(cloud, axis=1, keepdims=True)
    cosines, relevance = unit @ unit.T, np.equal.outer(groups, groups).astype(float)
    away = ~np.eye(60, dtype=bool)
    expected = ndcg_score(relevance[away].reshape(60, 59), cosines[away].reshape(60, 59), k=10)
    assert metrics.retrieval(cloud, groups)["ndcg_at_10"] == pytest.approx(expected, abs=1e-6)


def test_perfect_and_hopeless() -> None:
    corners = np.repeat(np.eye(4), 5, axis=0)
    found = metrics.retrieval(corners, [i // 5 for i in range(20)], k=4)
    assert found == pytest.approx(dict.fromkeys(found, 1.0))
    swapped = metrics.retrieval(corners, [i % 5 for i in range(20)], k=4)
    assert swapped == pytest.approx(dict.fromkeys(swapped, 0.0))


def test_agreement_knows_no_width_and_no_rotation(cloud: Any) -> None:
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((20, 8)))[0]  # (20, 8), orthonormal columns
    assert metrics.neighbour_agreement(cloud, cloud @ turn.T, k=10) == 1.0
    other = np.random.default_rng(2).standard_normal((60, 3))
    assert 0.05 < metrics.neighbour_agreement(cloud, other, k=10) < 0.3, "strangers share about 10 / 59"


def test_what_is_refused(cloud: Any) -> None:
    for k in (0, 60):
        with pytest.raises(ValueError, match=r"\[1, 59\]"):
            metrics.nearest(cloud, k=k)
    with pytest.raises(ValueError, match="queries have width 8, the corpus 3"):
        metrics.nearest(cloud, np.ones((4, 3)))
    with pytest.raises(ValueError, match="2 groups for 60"):
        metrics.retrieval(cloud, [1, 2])
    with pytest.raises(ValueError, match="no two of the 60 rows share a group"):
        metrics.retrieval(cloud, list(range(60)))
    with pytest.raises(ValueError, match="60 and 59 rows"):
        metrics.neighbour_agreement(cloud, cloud[:59])
    with pytest.raises(TypeError, match="queries"):
        metrics.nearest([[1.0]])  # type: ignore[arg-type]
