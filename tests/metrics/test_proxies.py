"""Proxies against pair-by-pair loops and scikit-learn."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
import torch

from clwork import metrics


def cloud(groups: list[Any], width: int = 8, pull: float = 1.0, seed: int = 0) -> torch.Tensor:
    """Vectors around one centre per group."""
    generator = torch.Generator().manual_seed(seed)
    names = {group: i for i, group in enumerate(dict.fromkeys(groups))}
    centres = torch.randn(len(names), width, generator=generator)
    return pull * centres[[names[g] for g in groups]] + torch.randn(
        len(groups), width, generator=generator
    )


GROUPS = [f"article {i % 7}" for i in range(50)]


def test_auc_is_the_share_of_rightly_ordered_pairs_of_pairs() -> None:
    x = cloud(GROUPS)
    unit = torch.nn.functional.normalize(x.double())
    alike: list[float] = []
    other: list[float] = []
    for i, j in combinations(range(50), 2):
        (alike if GROUPS[i] == GROUPS[j] else other).append(float(unit[i] @ unit[j]))
    expected = np.mean([(a > b) + 0.5 * (a == b) for a in alike for b in other])
    assert metrics.pair_auc(x, GROUPS) == pytest.approx(expected, abs=1e-9)
    assert metrics.pair_auc(x.numpy(), GROUPS) == pytest.approx(expected, abs=1e-9)


def test_sampled_auc_is_near_the_exact_one_and_reproducible() -> None:
    groups = [f"{i // 5}" for i in range(400)]
    x = cloud(groups, pull=0.7)
    exact = metrics.pair_auc(x, groups)
    assert 0.6 < exact < 0.95
    sampled = metrics.pair_auc(x, groups, max_pairs=40_000)
    assert sampled != exact
    assert sampled == pytest.approx(exact, abs=0.01)
    assert metrics.pair_auc(x, groups, max_pairs=40_000) == sampled
