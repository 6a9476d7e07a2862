"""Seven synthetic cases over seeds, widths and sizes, and cases that mislead single signals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, get_args

import pytest
import torch

from clwork import metrics
from clwork.metrics.diagnosis import Diagnosis, Verdict

SIZES = [(64, 64), (200, 64), (1000, 64), (64, 256), (300, 256), (64, 768), (200, 768)]
SEEDS = range(3)
Grid = tuple[Iterable[int], list[tuple[int, int]]]  # seeds; rows and widths


class Draw:
    """Random clouds of one seed."""

    def __init__(self, seed: int) -> None:
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=self.generator)

    def clumps(self, rows: int, width: int, count: int, jitter: float) -> torch.Tensor:
        which = torch.arange(rows) % count
        return self.normal(count, width)[which] + jitter * self.normal(rows, width)


QUICK: Grid = (range(1), [(64, 64), (200, 64), (64, 768)])
FULL: Grid = (SEEDS, SIZES)
on_a_grid = pytest.mark.parametrize(
    "grid", [QUICK, pytest.param(FULL, marks=pytest.mark.nightly)], ids=["quick", "full"]
)


def check(verdict: Verdict, clouds: Mapping[Any, torch.Tensor]) -> dict[Any, Diagnosis]:
    """The diagnoses, after asserting that each cloud has the verdict."""
    found = {case: metrics.diagnose(cloud) for case, cloud in clouds.items()}
    wrong = {
        case: diagnosis.verdict for case, diagnosis in found.items() if diagnosis.verdict != verdict
    }
    assert wrong == {}, f"expected {verdict}"
    return found


@on_a_grid
def test_healthy_clouds(grid: Grid) -> None:
    sizes = [*grid[1], (16, 64), (64, 16), (500, 8), (200, 3), (300, 2)]
    check(
        "healthy",
        {(seed, size): Draw(seed).normal(*size) for seed, size in product(grid[0], sizes)},
    )


@on_a_grid
def test_cones(grid: Grid) -> None:
    cases = product(*grid, (0.1, 0.3, 0.6, 1.0))
    found = check("cone", {case: 1.1 + case[2] * Draw(case[0]).normal(*case[1]) for case in cases})
    assert min(diagnosis.signals["mean_cosine"] for diagnosis in found.values()) > 0.45


@on_a_grid
def test_rank_collapses(grid: Grid) -> None:
    clouds = {}
    for seed, (rows, width), rank, noise in product(*grid, (1, 2, 3, 8), (0.0, 0.01)):
        draw = Draw(seed)
        plane = draw.normal(rows, rank) @ draw.normal(rank, width)
        clouds[seed, rows, width, rank, noise] = plane + noise * draw.normal(rows, width)
    check("rank", clouds)


@on_a_grid
def test_clustered_clouds(grid: Grid) -> None:
    cases = product(*grid, (2, 3, 5, 8), (0.0, 0.01, 0.1))
    found = check("clusters", {case: Draw(case[0]).clumps(*case[1], *case[2:]) for case in cases})
    assert {
        case for case, diagnosis in found.items() if diagnosis.signals["clump_count"] != case[2]
    } == set()


@on_a_grid
def test_clouds_at_one_point(grid: Grid) -> None:
    clouds = {}
    for seed, (rows, width), jitter in product(*grid, (0.0, 1e-6, 1e-3, 1e-2)):
        draw = Draw(seed)
        clouds[seed, rows, width, jitter] = draw.normal(width) + jitter * draw.normal(rows, width)
    check("point", clouds)


def test_zero_vectors_and_too_few_vectors() -> None:
    check("zero", {rows: torch.zeros(rows, 32) for rows in (1, 5, 64, 3000)})
    check("too few", {rows: Draw(0).normal(rows, 32) for rows in (0, 1, 2, 3, 10, 15)})
    mixed = Draw(0).normal(60, 32)
    mixed[:20] = 0
    assert metrics.diagnose(mixed).verdict == "zero"
    mixed[2:20] = 1.0 + Draw(0).normal(18, 32)
    assert metrics.diagnose(mixed).verdict == "healthy", "two empty sentences are no collapse"


CASES: dict[Verdict, torch.Tensor] = {
    "healthy": Draw(0).normal(128, 32),
    "cone": 1 + 0.5 * Draw(0).normal(128, 32),
    "rank": Draw(0).normal(128, 2) @ Draw(1).normal(2, 32),
    "clusters": Draw(0).clumps(128, 32, 4, 0.01),
    "point": 1 + 1e-4 * Draw(0).normal(128, 32),
    "zero": torch.zeros(128, 32),
    "too few": Draw(0).normal(3, 32),
}


def test_a_diagnosis_is_complete_and_depends_on_directions_only(subtests: pytest.Subtests) -> None:
    assert set(CASES) == set(get_args(Verdict))
    for verdict in CASES:
        with subtests.test(verdict=verdict):
            x = CASES[verdict]
            found = metrics.diagnose(x)
            assert found.verdict == verdict
            assert len(found.signals) >= 5
            assert all(
                type(value) is float and math.isfinite(value) for value in found.signals.values()
            )
            assert found.advice.endswith(".")
            assert "{" not in found.advice
            assert 40 < len(found.advice) < 320
            assert str(found).startswith(verdict + ": ")
            for same in (
                x.numpy(),
                x.double(),
                1e-3 * x,
                1e4 * x,
                x.flip(0),
                x.clone().requires_grad_(),
            ):
                assert metrics.diagnose(same).verdict == verdict
            assert metrics.diagnose(x) == found  # nothing random in it


def test_a_decaying_spectrum_as_of_a_real_encoder_is_not_a_rank_collapse() -> None:
    """A power law, as of real sentence vectors: a cone before training, healthy after."""
    decay = torch.arange(1, 257).float().pow(-0.6)
    for seed, rows in product(SEEDS, (128, 300, 1000)):
        draw = Draw(seed)
        basis, _ = torch.linalg.qr(draw.normal(256, 256))
        x = draw.normal(rows, 256) * decay @ basis
        assert metrics.diagnose(x).verdict == "healthy"
        shift = basis[-1] * 1.5 * float(x.norm(dim=1).mean())
        assert metrics.diagnose(x + shift).verdict == "cone"
