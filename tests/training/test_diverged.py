"""What is said when numbers stop being numbers: the rows, the weight, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

import clwork
from clwork.methods import Method, config, get
from clwork.training.loop import SHOWN, bad_parameter, bad_rows, explain

NAN, INF = float("nan"), float("inf")
TEXTS = ["short", "b" * 200, "third", "fourth", "fifth"]


@pytest.fixture
def method() -> Iterator[Method[Any]]:
    encoder = clwork.load_encoder("mini", device="cpu")
    made = get("simcse")(encoder, config("simcse", encoder=encoder), torch.Generator().manual_seed(0))
    yield made


def names(method: Method[Any]) -> list[str]:
    return [name for name, _ in method.named_parameters()]


def test_rows_are_those_of_any_view_with_as_many_as_the_batch() -> None:
    first, second, other = torch.ones(4, 3), torch.ones(4, 2, 3), torch.full((5, 3), NAN)
    assert bad_rows({"first": first, "second": second, "other": other}, 4) == []
    first[3, 0], second[1, 1, 2] = INF, NAN
    assert bad_rows({"first": first, "second": second, "other": other}, 4) == [1, 3]
    assert bad_rows({"other": other}, 5) == [0, 1, 2, 3, 4]


def test_the_first_bad_parameter_is_named_and_none_where_all_are_well(method: Method[Any]) -> None:
    assert bad_parameter(method, lambda p: p) == bad_parameter(method, lambda p: p.grad) == ""
    parameters, (*_, before, last) = dict(method.named_parameters()), names(method)
    for name in (last, before):
        parameters[name].grad = torch.full_like(parameters[name], INF)
        assert bad_parameter(method, lambda p: p.grad) == name
    assert bad_parameter(method, lambda p: p) == ""


def test_a_diverged_step_is_explained(method: Method[Any]) -> None:
    calm = explain(7, ["loss is nan"], method, TEXTS, [], None)
    assert calm == "step 7: loss is nan. lower learning_rate (now 0.0001) or raise the temperature (now 0.05)" or (
        calm.startswith("step 7: loss is nan. lower learning_rate (now ") and "or raise the temperature (now" in calm
    )
    assert "on disk" not in calm and "rows" not in calm
    told = explain(7, ["loss is nan", "norm is inf"], method, TEXTS, [0, 1, 2, 4, 9], 0)
    assert told.startswith("step 7: loss is nan, norm is inf. 5 of the batch's 5 rows are not finite (0: 'short'; 1: '")
    assert "b" * 80 + "'; 2: 'third')" in told and "b" * 81 not in told and "fifth" not in told and SHOWN == 3
    assert told.endswith(". the checkpoint on disk is of step 0, and finite")
    assert "(4: 'fifth')" in explain(7, ["loss is nan"], method, TEXTS, [4, 5], 0), "a row beyond the examples"


def test_a_bad_gradient_before_any_update_is_not_blamed_on_the_learning_rate(method: Method[Any]) -> None:
    _, parameter = next(method.named_parameters())
    parameter.grad = torch.full_like(parameter, NAN)
    first, later = (explain(step, ["loss is nan"], method, TEXTS, [], None) for step in (1, 2))
    assert "learning_rate is not the cause" in first and "lower learning_rate" not in first
    assert "lower learning_rate" in later


def test_a_bad_weight_is_told_before_a_bad_gradient(method: Method[Any]) -> None:
    first, second, *_ = method.named_parameters()
    second[1].grad = torch.full_like(second[1], NAN)
    assert f"the first gradient that is not finite is {second[0]}'s." in explain(1, ["x"], method, TEXTS, [], None)
    with torch.no_grad():
        first[1].view(-1)[0] = NAN
    told = explain(1, ["x"], method, TEXTS, [], None)
    assert f"the first weight that is not finite is {first[0]}." in told and "gradient" not in told
