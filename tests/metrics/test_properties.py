"""Properties of every metric for any vectors: finite, within its range, and invariant."""

from __future__ import annotations

import math
from typing import Any, get_args

import pytest
import torch
from hypothesis import given, note
from hypothesis import strategies as st

from clwork import metrics
from clwork.metrics.diagnosis import Verdict

from ..strategies import HOLD, clouds, plain, rotations

# name: the metric of one cloud, and its range
ONE: dict[str, tuple[Any, float, float]] = {
    "uniformity": (metrics.uniformity, -8.0, 0.0),
    "mean_cosine": (metrics.mean_cosine, -1.0, 1.0),
    "std_sqrt_d": (metrics.std_sqrt_d, 0.0, 1.0),
    "effective_rank": (metrics.effective_rank, 0.0, 4.0),
    "effective_rank, centred": (lambda x: metrics.effective_rank(x, centre=True), 0.0, 4.0),
    "wasserstein_to_uniform": (metrics.wasserstein_to_uniform, 0.0, math.sqrt(2)),
    "alignment with itself": (lambda x: metrics.alignment(x, x), 0.0, 0.0),
    "alignment with another": (
        lambda x: metrics.alignment(x, x[list(reversed(range(len(x))))]),
        0.0,
        4.0,
    ),
}
ROTATED = [name for name in ONE if name != "std_sqrt_d"]  # which depends on the coordinates


@HOLD
@given(x=clouds(least=2, far=1e38))
def test_any_finite_cloud_is_measured_within_the_range(x: Any) -> None:
    for name in ONE:
        note(name)
        metric, low, high = ONE[name]
        before = x.clone()
        assert low - 1e-5 <= metric(x) <= high + 1e-5
        assert torch.equal(x, before)
        assert metric(x.numpy()) == metric(x), "an array is as good as a tensor"


@HOLD
@given(
    x=plain(7, 4),
    lengths=st.lists(st.floats(1e-9, 1e9), min_size=7, max_size=7),
    order=st.permutations(range(7)),
    turn=rotations(4),
)
def test_neither_lengths_nor_order_nor_rotation_matter(
    x: Any, lengths: list[float], order: list[int], turn: Any
) -> None:
    for name, (metric, _, _) in ONE.items():
        note(name)
        scaled = x * torch.tensor(lengths, dtype=torch.float64)[:, None]
        assert metric(scaled) == pytest.approx(metric(x), abs=1e-9)
        if "another" not in name:
            assert metric(x[order]) == pytest.approx(metric(x), abs=1e-9)
        if name in ROTATED:
            assert metric(x @ turn) == pytest.approx(metric(x), abs=1e-9)


@HOLD
@given(x=clouds(least=0, most=40, far=1e38))
def test_any_finite_cloud_has_a_verdict_and_finite_signals(x: Any) -> None:
    found = metrics.diagnose(x)
    assert found.verdict in get_args(Verdict)
    assert str(found).startswith(found.verdict)
    assert all(math.isfinite(signal) for signal in found.signals.values())
