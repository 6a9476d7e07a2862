"""Geometry against pair-by-pair loops, scipy and closed forms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

from clwork import metrics
from clwork.metrics import geometry

SINGLE: list[Callable[[Any], object]] = [
    metrics.uniformity,
    metrics.mean_cosine,
    metrics.std_sqrt_d,
    metrics.effective_rank,
    geometry.singular_values,
    metrics.wasserstein_to_uniform,
]


def cloud(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def rows_of(x: torch.Tensor) -> list[list[float]]:
    return [[v / math.sqrt(sum(w * w for w in row)) for v in row] for row in x.double().tolist()]


def squared(a: list[float], b: list[float]) -> float:
    return sum((p - q) ** 2 for p, q in zip(a, b, strict=True))


def test_alignment_equals_the_loop(subtests: pytest.Subtests) -> None:
    cases: list[float] = [1, 2, 3.5]
    for alpha in cases:
        with subtests.test(alpha=alpha):
            x, y = cloud(11, 4), cloud(11, 4, seed=1)
            expected = np.mean(
                [squared(a, b) ** (alpha / 2) for a, b in zip(rows_of(x), rows_of(y), strict=True)]
            )
            assert metrics.alignment(x, y, alpha) == pytest.approx(expected, rel=1e-6)
            assert metrics.alignment(x.numpy(), y.double(), alpha) == pytest.approx(
                expected, rel=1e-6
            )


def test_uniformity_equals_the_loop_for_any_chunk(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    ts: list[float] = [0.5, 2, 10]
    for chunk, t in product((1, 3, 7, 1024), ts):
        with subtests.test(chunk=chunk, t=t):
            monkeypatch.setattr(geometry, "CHUNK", chunk)
            x = cloud(13, 5)
            terms = [math.exp(-t * squared(a, b)) for a, b in itertools.combinations(rows_of(x), 2)]
            assert metrics.uniformity(x, t) == pytest.approx(math.log(np.mean(terms)), rel=1e-5)
            assert metrics.uniformity(x.double(), t) == pytest.approx(
                math.log(np.mean(terms)), rel=1e-12
            )


@pytest.mark.nightly
def test_uniformity_of_thousands_of_wide_vectors_is_that_in_float64(
    subtests: pytest.Subtests,
) -> None:
    """Isotropic, in a cone, and nearly at one point; the last block has a single row."""
    cases: list[float] = [0.0, 0.3, 30.0]
    for cone in cases:
        with subtests.test(cone=cone):
            x = cloud(2 * geometry.CHUNK + 1, 768) + cone * cloud(768, seed=1)
            distances = torch.pdist(torch.nn.functional.normalize(x.double(), dim=1)).pow(2)
            exact = float(torch.logsumexp(-2 * distances, dim=0)) - math.log(len(distances))
            assert metrics.uniformity(x) == pytest.approx(exact, abs=1e-6)
            assert metrics.uniformity(x[: geometry.CHUNK + 1].half()) == pytest.approx(
                exact, abs=0.01
            )


def test_uniformity_of_known_clouds() -> None:
    assert metrics.uniformity(cloud(2000, 768)) == pytest.approx(-3.99, abs=0.01)
    assert metrics.uniformity(torch.ones(40, 9)) == pytest.approx(0.0, abs=1e-6)
    assert metrics.uniformity(torch.tensor([[1.0, 0], [-1, 0]])) == pytest.approx(-8.0)
    assert metrics.uniformity(torch.tensor([[1.0, 0], [-1, 0]]), t=1e4) == pytest.approx(
        -4e4
    )  # no underflow to -inf


def test_mean_cosine_equals_the_loop() -> None:
    x = cloud(20, 6) + 1
    pairs = [1 - squared(a, b) / 2 for a, b in itertools.combinations(rows_of(x), 2)]
    assert metrics.mean_cosine(x) == pytest.approx(np.mean(pairs), rel=1e-6)


def test_std_sqrt_d_is_one_when_isotropic_and_fooled_by_rank_two() -> None:
    assert metrics.std_sqrt_d(cloud(4000, 64)) == pytest.approx(1.0, abs=0.01)
    assert metrics.std_sqrt_d(torch.ones(10, 4)) == pytest.approx(0.0, abs=1e-7)
    plane = cloud(2000, 2) @ cloud(2, 64, seed=1)
    assert metrics.std_sqrt_d(plane) > 0.85  # misleading: nearly as high as for a healthy cloud
    assert metrics.effective_rank(plane) == pytest.approx(
        2, abs=0.1
    )  # the effective rank detects it
    unit = np.array(rows_of(cloud(30, 5)))
    assert metrics.std_sqrt_d(cloud(30, 5)) == pytest.approx(
        unit.std(axis=0).mean() * math.sqrt(5), rel=1e-6
    )


def test_spectrum_and_rank_agree_with_scipy(subtests: pytest.Subtests) -> None:
    for shape, centre in product(((30, 7), (7, 30)), (False, True)):
        with subtests.test(shape=shape, centre=centre):
            from scipy.linalg import svdvals
            from scipy.stats import entropy

            x = cloud(*shape) + 0.5
            unit = np.array(rows_of(x))
            expected = svdvals(unit - unit.mean(axis=0) if centre else unit)
            values = geometry.singular_values(x, centre)
            assert values.numpy() == pytest.approx(expected, abs=1e-6)
            assert metrics.effective_rank(x, centre) == pytest.approx(
                math.exp(entropy(expected)), rel=1e-5
            )
            share = expected[0] ** 2 / (expected**2).sum()
            assert geometry.share_of_first(values) == pytest.approx(share, rel=1e-6)


def test_wasserstein_to_uniform_is_the_printed_formula_and_sees_copied_dimensions() -> None:
    from scipy.linalg import sqrtm

    x = cloud(40, 6) + 0.5
    unit = np.array(rows_of(x))
    mean, covariance = unit.mean(axis=0), np.cov(unit.T, bias=True)
    root = np.trace(sqrtm(covariance)).real
    expected = math.sqrt(mean @ mean + 1 + np.trace(covariance) - 2 / math.sqrt(6) * root)
    assert metrics.wasserstein_to_uniform(x) == pytest.approx(expected, rel=1e-6)
    copied, even = torch.cat([x, x], dim=1), cloud(20_000, 32)
    assert metrics.uniformity(copied) == pytest.approx(metrics.uniformity(x), abs=1e-6)
    assert metrics.wasserstein_to_uniform(copied) > metrics.wasserstein_to_uniform(x) + 0.1
    assert metrics.wasserstein_to_uniform(even) < 0.03
    assert metrics.wasserstein_to_uniform(torch.ones(9, 4)) == pytest.approx(math.sqrt(2))


def test_zeros_count_as_collapsed_and_never_as_nan() -> None:
    zeros = torch.zeros(20, 8)
    assert metrics.uniformity(zeros) == pytest.approx(0.0, abs=1e-12)
    assert metrics.alignment(zeros, zeros) == 0.0
    for metric in SINGLE:
        assert torch.isfinite(torch.as_tensor(metric(zeros))).all()
        assert torch.isfinite(torch.as_tensor(metric(torch.cat([zeros[:1], cloud(5, 8)])))).all()
