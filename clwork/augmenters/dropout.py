"""Dropout as an augmentation: every mask drawn from one generator, at rates that may change from step to step."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from .. import checks

LEVELS = 1 << 16
"""Rates are resolved to 1/65536: four decisions are cut from each 64-bit draw, five times faster than one draw each."""


def drop(x: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    """Zero each element with probability ``rate`` and divide the rest by ``1 - rate`` (Srivastava et al. 2014).

    Shapes: any, kept.

    Raises:
        ValueError: the generator lives on another kind of device than ``x``.
    """
    steps = min(round(rate * LEVELS), LEVELS - 1)
    if steps == 0:
        return x
    if generator.device.type != x.device.type:
        raise ValueError(
            f"dropout on a {x.device.type} tensor cannot draw from a generator on {generator.device.type}; "
            f"make it with torch.Generator('{x.device.type}')"
        )
    draws = torch.empty((x.numel() + 3) // 4, dtype=torch.int64, device=x.device)
    draws.random_(-(2**63), None, generator=generator)  # all 64 bits
    lanes = draws.view(torch.int16)[: x.numel()].view(x.shape)  # uniform over -32768 ... 32767
    keep = torch.empty_like(lanes, dtype=x.dtype)
    torch.ge(lanes, steps - LEVELS // 2, out=keep)  # straight to 0 and 1: booleans would cost a pass of their own
    return x * keep.mul_(LEVELS / (LEVELS - steps))


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    *,
    drop_weights: Callable[[Tensor], Tensor],
) -> Tensor:
    """``drop(softmax(Q Kᵀ · scale + mask)) V``, as scaled_dot_product_attention with a dropout of our own.

    Shapes: ``query`` ``(B, H, T, d)``, ``key`` and ``value`` ``(B, H, S, d)``; ``attn_mask`` broadcasts to
    ``(B, H, T, S)``, boolean (True: may be seen) or added to the scores; returns ``(B, H, T, d)``.
    """
    scores = (query * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)) @ key.mT  # (B, H, T, S)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, -torch.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    weights = drop_weights(scores.softmax(-1, dtype=torch.float32))  # float32 also under autocast
    return weights.to(scores.dtype) @ value.to(scores.dtype)  # (B, H, T, d)


class Dropout(TorchFunctionMode):
    """Context manager: inside it, this thread's dropout draws from ``generator``, at the rates given here.

    SimCSE's whole augmentation is that two passes of a sentence get different masks, one per row and element. Here
    those masks come from an explicit generator, so a step can be repeated bit for bit, and from rates that a slider
    can move, whatever the model's configuration says. The global random state is neither read nor changed, and other
    threads are not affected. Enter it for training forwards only: attention that was told no dropout by an eval-mode
    model looks like that of a model configured without, and gets it all the same.

    ``hidden`` is the rate of ``F.dropout`` and ``nn.Dropout`` on embeddings and layer outputs, ``attention`` that of
    ``F.scaled_dot_product_attention`` and of ``F.dropout`` on 4-dimensional attention weights ("eager" attention).
    At ``attention=0`` the fused kernel runs. ``nn.MultiheadAttention`` is not covered.

    Args:
        generator: on the device of the model.
        hidden: share of elements set to zero, 0 to below 1, in steps of 1/65536.
        attention: likewise.

    Raises:
        TypeError: a rate is no number, or there is no generator.
        ValueError: a rate is out of range; at a forward pass, the generator is on another device.

    >>> with Dropout(torch.Generator().manual_seed(0), hidden=0.5):
    ...     torch.nn.functional.dropout(torch.ones(100)).unique()
    tensor([0., 2.])
    """

    def __init__(self, generator: torch.Generator, hidden: float = 0.1, attention: float = 0.1) -> None:
        super().__init__()
        checks.generator(generator)
        self.generator = generator
        self.hidden, self.attention = (
            checks.share(name, rate, "a dropout rate", below_one=True)
            for name, rate in (("hidden", hidden), ("attention", attention))
        )

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if func is F.dropout or func is torch.dropout:
            return self._dropout(*args, **kwargs)
        if func is F.scaled_dot_product_attention:
            return self._attention(*args, **kwargs)
        return func(*args, **kwargs)

    def _dropout(self, input: Tensor, p: float = 0.5, training: bool = True, *_: Any, **others: Any) -> Tensor:
        if not others.get("train", training):
            return input
        return drop(input, self.attention if input.ndim == 4 else self.hidden, self.generator)

    def _attention(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        *,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Tensor:
        if self.attention == 0:
            return F.scaled_dot_product_attention(
                query, key, value, attn_mask, 0.0, is_causal, scale=scale, enable_gqa=enable_gqa
            )
        if enable_gqa:  # fewer heads of keys than of queries
            groups = query.shape[-3] // key.shape[-3]
            key, value = key.repeat_interleave(groups, -3), value.repeat_interleave(groups, -3)
        return attend(
            query,
            key,
            value,
            attn_mask,
            is_causal,
            scale,
            drop_weights=lambda weights: drop(weights, self.attention, self.generator),
        )
