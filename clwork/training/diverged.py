"""What to say when numbers stop being numbers: where it happened, to which sentences, and what can be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from ..methods import Method

SHOWN = 3  # rows of the batch that are quoted


class DivergedError(FloatingPointError):
    """Loss, gradient or weights are no longer finite."""


def bad_rows(views: Mapping[str, torch.Tensor], count: int) -> list[int]:
    """Numbers of the examples of which a view has NaN or infinity; views of other things than examples are left out."""
    found = set()
    for view in views.values():
        if len(view) == count:
            finite = view.detach().flatten(1).isfinite().all(1)
            found |= set((~finite).nonzero().flatten().tolist())
    return sorted(found)


def bad_parameter(method: Method[Any], of: Callable[[torch.Tensor], torch.Tensor | None]) -> str:
    """Name of the first parameter of which ``of`` (its gradient or itself) is not finite; empty where all are."""
    for name, parameter in method.named_parameters():
        tensor = of(parameter)
        if tensor is not None and not tensor.isfinite().all():
            return name
    return ""


def finite_weights(method: Method[Any]) -> bool:
    """Whether every weight and buffer is finite: by the largest of each, so that the GPU is asked once."""
    floating = [t.detach() for t in method.state_dict().values() if t.is_floating_point() and t.numel()]
    largest = torch.stack([norm.float().cpu() for norm in torch._foreach_norm(floating, float("inf"))])
    return bool(largest.isfinite().all())


def explain(
    step: int,
    what: Sequence[str],
    method: Method[Any],
    examples: Sequence[Any],
    rows: Sequence[int],
    safe: int | None,
) -> str:
    """The sentences of a :class:`DivergedError`."""
    told = [f"step {step}: {', '.join(what)}"]
    gradient, weight = bad_parameter(method, lambda p: p.grad), bad_parameter(method, lambda p: p)
    if weight:
        told.append(f"the first weight that is not finite is {weight}")
    elif gradient:
        told.append(f"the first gradient that is not finite is {gradient}'s")
    if rows:
        quoted = "; ".join(f"{row}: {str(examples[row])[:80]!r}" for row in rows[:SHOWN] if row < len(examples))
        told.append(f"{len(rows)} of the batch's {len(examples)} rows are not finite ({quoted})")
    told.append(f"lower learning_rate (now {method.config.learning_rate:g}){_hotter(method.config)}")
    if safe is not None:
        told.append(f"the checkpoint on disk is of step {safe}, and finite")
    return ". ".join(told)


def _hotter(config: Any) -> str:
    temperature = getattr(config, "temperature", None)
    return "" if temperature is None else f" or raise the temperature (now {temperature:g})"
