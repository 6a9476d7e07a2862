"""Proxies against pair-by-pair loops and scikit-learn."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
import torch

from clwork import metrics
from clwork.metrics import proxy


def cloud(groups: list[Any], width: int = 8, pull: float = 1.0, seed: int = 0) -> torch.Tensor:
    """Vectors around one centre a group."""
    generator = torch.Generator().manual_seed(seed)
    names = {group: i for i, group in enumerate(dict.fromkeys(groups))}
    centres = torch.randn(len(names), width, generator=generator)
    return pull * centres[[names[g] for g in groups]] + torch.randn(len(groups), width, generator=generator)


GROUPS = [f"article {i % 7}" for i in range(50)]


def test_auc_is_the_share_of_rightly_ordered_pairs_of_pairs() -> None:
    x = cloud(GROUPS)
    unit = torch.nn.functional.normalize(x.double())
    alike: list[float] = []
    other: list[float] = []
    for i, j in itertools.combinations(range(50), 2):
        (alike if GROUPS[i] == GROUPS[j] else other).append(float(unit[i] @ unit[j]))
    expected = np.mean([(a > b) + 0.5 * (a == b) for a in alike for b in other])
    assert metrics.pair_auc(x, GROUPS) == pytest.approx(expected, abs=1e-9)
    assert metrics.pair_auc(x.numpy(), GROUPS) == pytest.approx(expected, abs=1e-9)


def test_auc_of_known_clouds() -> None:
    assert metrics.pair_auc(cloud(GROUPS, pull=100), GROUPS) == 1.0
    assert metrics.pair_auc(cloud(GROUPS, pull=0, width=64), GROUPS) == pytest.approx(0.5, abs=0.05)
    assert metrics.pair_auc(torch.ones(50, 4), GROUPS) == 0.5  # all ties


def test_sampled_auc_is_near_the_exact_one_and_reproducible() -> None:
    groups = [f"{i // 5}" for i in range(400)]
    x = cloud(groups, pull=0.7)
    exact = metrics.pair_auc(x, groups)
    assert 0.6 < exact < 0.95
    sampled = metrics.pair_auc(x, groups, max_pairs=40_000)
    assert sampled != exact and sampled == pytest.approx(exact, abs=0.01)
    assert metrics.pair_auc(x, groups, max_pairs=40_000) == sampled
    assert metrics.pair_auc(x, groups, max_pairs=40_000, seed=1) != sampled
    generator = torch.Generator().manual_seed(0)
    assert metrics.pair_auc(x, groups, max_pairs=40_000, generator=generator) == sampled


def test_pairs_are_drawn_uniformly() -> None:
    codes = np.array([0, 1, 0, 2, 1, 0])  # within: three pairs of group 0, one of group 1; across: eleven
    generator = torch.Generator().manual_seed(0)
    for draw, kinds in ((proxy._pairs_within, True), (proxy._pairs_across, False)):
        drawn = draw(codes, 30_000, generator)
        found = Counter(frozenset(pair) for pair in drawn.T.tolist())
        wanted = {
            frozenset((i, j))
            for i, j in itertools.combinations(range(6), 2)
            if (codes[i] == codes[j]) is np.bool_(kinds)
        }
        assert set(found) == wanted
        for count in found.values():
            assert count == pytest.approx(30_000 / len(wanted), rel=0.1)


def test_of_the_drawn_pairs_half_are_of_each_kind() -> None:
    groups = [i // 5 for i in range(400)]
    x, codes, generator = cloud(groups, pull=0.7), np.array(groups), torch.Generator().manual_seed(0)
    unit = torch.nn.functional.normalize(x.double()).numpy()
    drawn = proxy._pairs_within(codes, 500, generator), proxy._pairs_across(codes, 500, generator)
    alike, other = ((unit[left] * unit[right]).sum(axis=1) for left, right in drawn)
    expected = np.mean((alike[:, None] > other) + 0.5 * (alike[:, None] == other))
    assert metrics.pair_auc(x, groups, max_pairs=1001) == pytest.approx(expected, abs=1e-9)


def test_rows_without_a_group_are_left_out() -> None:
    x = cloud(GROUPS)
    more = torch.cat([x, torch.ones(3, 8)])
    assert metrics.pair_auc(more, [*GROUPS, None, None, None]) == metrics.pair_auc(x, GROUPS)
    assert metrics.knn_label_accuracy(more, [*GROUPS, None, None, None]) == metrics.knn_label_accuracy(x, GROUPS)


@pytest.mark.parametrize("groups", [["a"] * 5, list("abcde"), [None] * 5])
def test_auc_needs_both_kinds_of_pairs(groups: list[Any]) -> None:
    with pytest.raises(ValueError, match="both pairs within a group and pairs across"):
        metrics.pair_auc(torch.eye(5), groups)


@pytest.mark.parametrize("chunk", [1, 7, 1024])
@pytest.mark.parametrize("k", [1, 3, 10])
def test_knn_is_the_loop(k: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "CHUNK", chunk)
    x = cloud(GROUPS, pull=0.8)
    unit = torch.nn.functional.normalize(x.double())
    right = 0
    for i in range(50):
        near = sorted((j for j in range(50) if j != i), key=lambda j: -float(unit[i] @ unit[j]))[:k]
        votes: dict[str, tuple[int, float]] = {}
        for j in near:
            count, total = votes.get(GROUPS[j], (0, 0.0))
            votes[GROUPS[j]] = count + 1, total + float(unit[i] @ unit[j])
        right += max(votes, key=lambda group: votes[group]) == GROUPS[i]
    assert metrics.knn_label_accuracy(x, GROUPS, k) == pytest.approx(right / 50)


def test_knn_with_one_neighbour_is_sklearn_s() -> None:
    from sklearn.model_selection import LeaveOneOut, cross_val_score
    from sklearn.neighbors import KNeighborsClassifier

    x = cloud(GROUPS, pull=0.8)
    judge = KNeighborsClassifier(1, metric="cosine", algorithm="brute")
    expected = cross_val_score(judge, x.numpy(), GROUPS, cv=LeaveOneOut()).mean()
    assert 0.2 < expected < 0.95
    assert metrics.knn_label_accuracy(x, GROUPS, k=1) == pytest.approx(expected)


def test_knn_of_known_clouds() -> None:
    groups = [f"{i % 3}" for i in range(60)]
    assert metrics.knn_label_accuracy(cloud(groups, pull=100), groups) == 1.0
    assert metrics.knn_label_accuracy(cloud(groups, pull=0, width=64), groups) < 0.6
    lonely = ["x", *["y"] * 20]
    assert metrics.knn_label_accuracy(cloud(lonely), lonely) == pytest.approx(20 / 21)  # nobody votes for themselves


def test_what_the_proxies_refuse() -> None:
    x = cloud(GROUPS)
    for metric in (metrics.pair_auc, metrics.knn_label_accuracy):
        with pytest.raises(ValueError, match=r"49 .* for 50 vectors"):
            metric(x, GROUPS[1:])
        with pytest.raises(ValueError, match="NaN"):
            metric(x * torch.nan, GROUPS)
        with pytest.raises(TypeError, match="numpy array"):
            metric([[1.0]], ["a"])  # type: ignore[arg-type]
    for k in (0, -1, 50):
        with pytest.raises(ValueError, match=f"k is {k} with 50"):
            metrics.knn_label_accuracy(x, GROUPS, k)
    with pytest.raises(ValueError, match="max_pairs is 1"):
        metrics.pair_auc(x, GROUPS, max_pairs=1)
