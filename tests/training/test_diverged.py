"""The error of a diverged step: the rows, the weight, and what to do."""

from __future__ import annotations

from typing import Any

import torch

import clwork
from clwork.methods import config, get
from clwork.training.loop import bad_parameter, bad_rows, explain

NAN, INF = float("nan"), float("inf")
TEXTS = ["short", "b" * 200, "third", "fourth", "fifth"]


def test_rows_are_those_of_any_view_with_as_many_as_the_batch() -> None:
    first, second, other = torch.ones(4, 3), torch.ones(4, 2, 3), torch.full((5, 3), NAN)
    assert bad_rows({"first": first, "second": second, "other": other}, 4) == []
    first[3, 0], second[1, 1, 2] = INF, NAN
    assert bad_rows({"first": first, "second": second, "other": other}, 4) == [1, 3]


def test_a_diverged_step_is_explained() -> None:
    encoder = clwork.load_encoder("mini", device="cpu")
    method: Any = get("simcse")(encoder, config("simcse", encoder=encoder), torch.Generator().manual_seed(0))
    message = explain(7, ["loss is nan"], method, TEXTS, [], None)
    assert message.startswith("step 7: loss is nan. lower learning_rate (now ")
    assert "or raise the temperature (now 0.05)" in message and "on disk" not in message and "rows" not in message
    message = explain(7, ["loss is nan", "norm is inf"], method, TEXTS, [0, 1, 2, 4, 9], 0)
    assert message.startswith(
        "step 7: loss is nan, norm is inf. 5 of the batch's 5 rows are not finite (0: 'short'; 1:"
    )
    assert "b" * 80 + "'; 2: 'third')" in message and "b" * 81 not in message and "fifth" not in message
    assert message.endswith(". the checkpoint on disk is of step 0, and finite")

    first, second, *_ = method.named_parameters()
    assert bad_parameter(method, lambda p: p) == bad_parameter(method, lambda p: p.grad) == ""
    second[1].grad = torch.full_like(second[1], NAN)
    message = explain(1, ["x"], method, TEXTS, [], None)
    assert f"the first gradient that is not finite is {second[0]}'s." in message
    assert "learning_rate is not the cause" in message, "no update was made before"
    assert "lower learning_rate" in explain(2, ["x"], method, TEXTS, [], None)
    with torch.no_grad():
        first[1].view(-1)[0] = NAN
    message = explain(1, ["x"], method, TEXTS, [], None)
    assert f"the first weight that is not finite is {first[0]}." in message and "gradient" not in message
