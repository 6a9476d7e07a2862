"""What the losses refuse, and that the refusal says value, limit and remedy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clwork.losses import info_nce, simcse

GOOD = torch.eye(3)


@pytest.mark.parametrize("temperature", [0, 0.0, -1.0, math.nan, math.inf, -math.inf, 1e-39])
def test_temperature_must_be_above_zero(temperature: float) -> None:
    for loss in (simcse, info_nce):
        with pytest.raises(ValueError, match=r"temperature is .* above 0"):
            loss(GOOD, GOOD, temperature=temperature)


@pytest.mark.parametrize("temperature", ["0.05", None, True, torch.tensor(0.05)])
def test_temperature_must_be_a_number(temperature: Any) -> None:
    with pytest.raises(TypeError, match="temperature is"):
        simcse(GOOD, GOOD, temperature=temperature)


def test_numpy_numbers_are_numbers() -> None:
    single: Any = np.float32(0.5)
    assert float(simcse(GOOD, GOOD, temperature=single)) == float(simcse(GOOD, GOOD, temperature=0.5))


@pytest.mark.parametrize("weight", [-0.1, math.nan, math.inf])
def test_weight_must_not_be_negative(weight: float) -> None:
    with pytest.raises(ValueError, match="hard_negative_weight is"):
        simcse(GOOD, GOOD, GOOD, hard_negative_weight=weight)


@pytest.mark.parametrize(
    "bad", [torch.zeros(3), torch.zeros(2, 3, 3), torch.zeros(()), torch.zeros(0, 3), torch.zeros(3, 0)]
)
def test_shapes_that_are_no_batch_of_vectors(bad: torch.Tensor) -> None:
    for arguments in ((bad, GOOD), (GOOD, bad), (bad, bad)):
        with pytest.raises(ValueError, match="shape"):
            simcse(*arguments)
    with pytest.raises(ValueError, match="hard_negatives"):
        simcse(GOOD, GOOD, bad)


@pytest.mark.parametrize("other", [torch.ones(2, 3), torch.ones(3, 4), torch.ones(1, 3)])
def test_shapes_that_differ(other: torch.Tensor) -> None:
    with pytest.raises(ValueError, match="differ"):
        simcse(GOOD, other)
    with pytest.raises(ValueError, match="differ"):
        simcse(GOOD, GOOD, other)


@pytest.mark.parametrize("bad", [[[1.0, 2.0]], np.eye(3), None])
def test_things_that_are_no_tensor(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"torch\.Tensor"):
        simcse(bad, GOOD)


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
def test_numbers_that_are_not_floating_point(dtype: torch.dtype) -> None:
    with pytest.raises(TypeError, match="dtype"):
        simcse(GOOD.to(dtype), GOOD)


@settings(max_examples=50, deadline=None)
@given(
    row=st.integers(0, 3),
    column=st.integers(0, 4),
    value=st.sampled_from([math.nan, math.inf, -math.inf]),
    which=st.sampled_from([0, 1, 2]),
)
def test_anything_not_finite_is_refused_by_name(row: int, column: int, value: float, which: int) -> None:
    views = [torch.ones(4, 5) for _ in range(3)]
    views[which][row, column] = value
    with pytest.raises(
        ValueError, match=f"^{('z1', 'z2', 'hard_negatives')[which]} has NaN or infinity in 1 of 4 rows"
    ):
        simcse(*views)


@settings(max_examples=50, deadline=None)
@given(a=st.tuples(st.integers(0, 3), st.integers(0, 3)), b=st.tuples(st.integers(0, 3), st.integers(0, 3)))
def test_any_pair_of_shapes_is_either_right_or_refused(a: tuple[int, int], b: tuple[int, int]) -> None:
    z1, z2 = torch.ones(a), torch.ones(b)
    if a == b and min(a) > 0:
        assert float(simcse(z1, z2)) == pytest.approx(math.log(a[0]), abs=1e-6)
    else:
        with pytest.raises(ValueError, match=r"shape|widths"):
            simcse(z1, z2)


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (torch.tensor([0, 1]), "shape"),
        (torch.tensor([0.0, 1.0, 2.0]), "dtype"),
        (torch.tensor([True, False, True]), "dtype"),
        (torch.tensor([0, 1, 3]), "from 0 to 3"),
        (torch.tensor([-1, 1, 2]), "from -1 to 2"),
        (torch.tensor([-100, 1, 2]), "from -100 to 2"),  # torch would silently ignore -100
    ],
)
def test_targets_must_be_columns(targets: torch.Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        info_nce(GOOD, GOOD, targets)


def test_more_anchors_than_candidates_need_targets() -> None:
    with pytest.raises(ValueError, match="pass targets"):
        info_nce(GOOD, GOOD[:2])
    assert torch.isfinite(info_nce(GOOD, GOOD[:2], torch.tensor([0, 1, 1])))


@pytest.mark.parametrize(
    ("log_weights", "message"),
    [
        (torch.zeros(2, 2), "broadcast"),
        (torch.full((3, 3), math.nan), "NaN"),
        (torch.full((3, 3), math.inf), "infinity"),
        (torch.full((3, 3), -math.inf), "on a positive"),
    ],
)
def test_log_weights_must_fit(log_weights: torch.Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        info_nce(GOOD, GOOD, log_weights=log_weights)
