"""Dropout as an augmentation: masks from one generator, at rates that may change between steps."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import torch
import torch.utils.checkpoint
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from .. import _validation

# Rates are multiples of 1/65536: each 64-bit draw decides four elements, five times faster than one
# draw for each.
LEVELS = 1 << 16


def drop(x: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    """Zero each element with probability ``rate`` and divide the rest by ``1 - rate``.

    ``x`` has any shape; ``rate`` is rounded to a multiple of 1/65536.
    """
    dropped_levels = min(round(rate * LEVELS), LEVELS - 1)  # of 65536 equally likely numbers
    if dropped_levels == 0:
        return x
    if generator.device.type != x.device.type:
        raise ValueError(
            f"dropout on a {x.device.type} tensor cannot draw from a generator on "
            f"{generator.device.type}; make it with torch.Generator('{x.device.type}')"
        )
    # A draw of 64 bits for each four elements, rounded up. From -2^63 to None, which is the end of
    # the range, all bits are random.
    draws = torch.empty((x.numel() + 3) // 4, dtype=torch.int64, device=x.device)
    draws.random_(-(2**63), None, generator=generator)
    # Each draw is read as four numbers of 16 bits, uniform over -32768 ... 32767.
    numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)
    # 1 where the number is not among the lowest ``dropped_levels``; booleans would need another
    # pass to be multiplied.
    keep = torch.empty_like(numbers, dtype=x.dtype)
    torch.ge(numbers, dropped_levels - LEVELS // 2, out=keep)
    return x * keep.mul_(LEVELS / (LEVELS - dropped_levels))


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
    """Compute ``drop_weights(softmax(Q Kᵀ · scale + mask)) V``.

    The arguments are those of PyTorch's ``scaled_dot_product_attention``; ``drop_weights`` applies
    dropout to the attention weights ``(B, H, T, S)``. A mask of booleans is true where a query may
    attend to a key; a mask of numbers is added to the scores. The result of a query without a key
    is 0.

    Shapes: H heads, T queries, S keys: query ``(B, H, T, d)``, key and value ``(B, H, S, d)`` to
    ``(B, H, T, d)``.
    """
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1])
    scores = (query * scale) @ key.mT  # (B, H, T, S)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()

    # Queries without any allowed key, (…, T or 1, 1). Their softmax and its gradient would be NaN,
    # so they attend to all keys, and their result becomes 0.
    blind = None
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        blind = ~attn_mask.any(-1, keepdim=True)
        scores = scores.masked_fill(~(attn_mask | blind), -torch.inf)
    elif attn_mask is not None:
        blind = (attn_mask == -torch.inf).all(-1, keepdim=True)
        scores = scores + attn_mask.masked_fill(blind, 0.0)

    at_least_float32 = torch.promote_types(scores.dtype, torch.float32)  # also under autocast
    weights = drop_weights(scores.softmax(-1, dtype=at_least_float32))
    attended = weights.to(scores.dtype) @ value.to(scores.dtype)  # (B, H, T, d)
    return attended if blind is None else attended.masked_fill(blind, 0.0)


class Dropout(TorchFunctionMode):
    """Context manager: inside it, this thread's dropout draws from ``generator`` at these rates.

    A step can be repeated bit for bit, and rates can change between steps; the global random state
    is neither read nor changed. Use it only in training: it applies dropout to the attention of a
    model in eval mode as well.

    ``hidden`` is the rate of ``F.dropout`` and ``nn.Dropout`` on embeddings and layer outputs,
    ``attention`` that of ``F.scaled_dot_product_attention`` and of ``F.dropout`` on 4-dimensional
    attention weights ("eager" attention); both from 0 to below 1, in steps of 1/65536. At
    ``attention=0`` the fused kernel runs. ``nn.MultiheadAttention``, flash attention and compiled
    code are not covered; gradient checkpointing is refused. ``calls`` counts the tensors with
    dropout.

    Raises:
        ValueError: a rate is out of range; in a forward pass, the generator is on another device,
            or gradient checkpointing is on; on exit, a rate is above 0 and nothing was dropped.

    >>> with Dropout(torch.Generator().manual_seed(0), hidden=0.5):
    ...     torch.nn.functional.dropout(torch.ones(100)).unique()
    tensor([0., 2.])
    """

    def __init__(
        self, generator: torch.Generator, hidden: float = 0.1, attention: float = 0.1
    ) -> None:
        super().__init__()
        for name, rate in (("hidden", hidden), ("attention", attention)):
            if not 0 <= _validation.number(name, rate) < 1:
                raise ValueError(
                    f"{name}={rate} is out of range; give a rate of at least 0 and below 1"
                )
        self.generator = generator
        self.hidden = hidden
        self.attention = attention
        self.calls = 0

    def __enter__(self) -> Dropout:
        self.calls = 0
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None:
        """Leave the context; raise if a rate is above 0, but no layer drew a mask."""
        super().__exit__(exc_type, exc_value, traceback)  # type: ignore[no-untyped-call]
        nothing_dropped = self.calls == 0
        # An error of the block itself takes precedence.
        if exc_type is None and nothing_dropped and (self.hidden or self.attention):
            rates = f"hidden={self.hidden:g}, attention={self.attention:g}"
            raise ValueError(
                f"nothing was dropped inside Dropout({rates}), so both views are equal: the model "
                "has no dropout (a TextCNN), is in eval mode, or has attention that is not covered "
                "(nn.MultiheadAttention, flash attention, compiled code); use another model, load "
                "it with attn_implementation='sdpa', or set both rates to 0"
            )

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Call a function of torch, or ours in its place.

        PyTorch calls this method, inside the context, instead of each of its functions.
        """
        kwargs = kwargs or {}
        if func is F.dropout or func is torch.dropout:
            return self._dropout(*args, **kwargs)
        if func is F.scaled_dot_product_attention:
            return self._attention(*args, **kwargs)
        return func(*args, **kwargs)

    def _dropout(
        self, input: Tensor, p: float = 0.5, training: bool = True, *_: Any, **others: Any
    ) -> Tensor:
        """Stand in for ``F.dropout``, and ``torch.dropout``, which has ``train`` for ``training``.

        The model's own rate ``p`` is ignored.
        """
        if not others.get("train", training):
            return input
        is_attention_weights = input.ndim == 4  # (B, H, T, S)
        return self._drop(input, self.attention if is_attention_weights else self.hidden)

    def _drop(self, input: Tensor, rate: float) -> Tensor:
        """Apply dropout with a new mask of this context's generator, and count it."""
        if _is_checkpointed():
            raise ValueError(
                "gradient checkpointing would compute this layer again in the backward pass, with "
                "other masks; turn it off, and save memory by micro_batch= instead"
            )
        self.calls += rate > 0
        return drop(input, rate, self.generator)

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
        """Stand in for ``F.scaled_dot_product_attention``, with this context's rate.

        The model's own rate ``dropout_p`` is ignored.
        """
        if self.attention == 0:
            # the function itself, with a dropout of 0.0
            return F.scaled_dot_product_attention(
                query, key, value, attn_mask, 0.0, is_causal, scale=scale, enable_gqa=enable_gqa
            )
        if enable_gqa:  # fewer heads of keys than of queries: each serves a group of queries
            group_size = query.shape[-3] // key.shape[-3]
            key = key.repeat_interleave(group_size, -3)
            value = value.repeat_interleave(group_size, -3)
        return attend(
            query,
            key,
            value,
            attn_mask,
            is_causal,
            scale,
            drop_weights=lambda weights: self._drop(weights, self.attention),
        )


def _is_checkpointed() -> bool:
    """Whether ``torch.utils.checkpoint`` is on the call stack; takes microseconds."""
    frame: FrameType | None = sys._getframe(2)  # that of the caller of Dropout._drop
    while frame is not None and frame.f_code.co_filename != torch.utils.checkpoint.__file__:
        frame = frame.f_back
    return frame is not None
