"""Dropout as an augmentation: masks from one generator, at rates that may change between steps."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
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
_THREAD = threading.local()


def drop(x: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    """Zero each element with probability ``rate`` and divide the rest by ``1 - rate``."""
    steps = min(round(rate * LEVELS), LEVELS - 1)
    if steps == 0:
        return x
    if generator.device.type != x.device.type:
        raise ValueError(
            f"dropout on a {x.device.type} tensor cannot draw from a generator on "
            f"{generator.device.type}; make it with torch.Generator('{x.device.type}')"
        )
    draws = torch.empty((x.numel() + 3) // 4, dtype=torch.int64, device=x.device)
    draws.random_(-(2**63), None, generator=generator)  # all 64 bits
    lanes = draws.view(torch.int16)[: x.numel()].view(x.shape)  # uniform over -32768 ... 32767
    keep = torch.empty_like(lanes, dtype=x.dtype)
    torch.ge(lanes, steps - LEVELS // 2, out=keep)  # as 0 and 1: booleans would need another pass
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
    """``drop(softmax(Q Kᵀ · scale + mask)) V``, ``(B, H, T, d)``; 0 for a query without a key."""
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1])
    scores = (query * scale) @ key.mT  # (B, H, T, S)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    # (…, T or 1, 1): queries without any allowed key; their softmax and its gradient would be NaN
    blind = None
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        blind = ~attn_mask.any(-1, keepdim=True)
        scores = scores.masked_fill(~(attn_mask | blind), -torch.inf)
    elif attn_mask is not None:
        blind = (attn_mask == -torch.inf).all(-1, keepdim=True)
        scores = scores + attn_mask.masked_fill(blind, 0.0)
    exact = torch.promote_types(scores.dtype, torch.float32)  # also under autocast
    weights = drop_weights(scores.softmax(-1, dtype=exact))
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
    code are not covered. Gradient checkpointing needs ``context_fn=same_masks``. ``calls`` counts
    the tensors with dropout.

    Raises:
        ValueError: a rate is out of range; in a forward pass, the generator is on another device,
            or checkpointing would draw other masks; on exit, a rate is above 0 and nothing was
            dropped.

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
        self._repeats = 0  # above 0: recomputation repeats the masks that are drawn now

    def __enter__(self) -> Dropout:
        self.calls = 0
        super().__enter__()  # type: ignore[no-untyped-call]
        _entered().append(self)
        return self

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None:
        _entered().pop()
        super().__exit__(exc_type, exc_value, traceback)  # type: ignore[no-untyped-call]
        if exc_type is None and not self.calls and (self.hidden or self.attention):
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
        kwargs = kwargs or {}
        if func is F.dropout or func is torch.dropout:
            return self._dropout(*args, **kwargs)
        if func is F.scaled_dot_product_attention:
            return self._attention(*args, **kwargs)
        return func(*args, **kwargs)

    def _dropout(
        self, input: Tensor, p: float = 0.5, training: bool = True, *_: Any, **others: Any
    ) -> Tensor:
        if not others.get("train", training):
            return input
        return self._drop(input, self.attention if input.ndim == 4 else self.hidden)

    def _drop(self, input: Tensor, rate: float) -> Tensor:
        if not self._repeats and _will_be_recomputed():
            raise ValueError(
                "gradient checkpointing computes this layer again in the backward pass, with other "
                "masks; enable it with {'use_reentrant': False, 'context_fn': "
                "clwork.augmenters.dropout.same_masks}"
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
            drop_weights=lambda weights: self._drop(weights, self.attention),
        )


def _entered() -> list[Dropout]:
    """Return the contexts that are active in this thread, innermost last."""
    if not hasattr(_THREAD, "entered"):
        _THREAD.entered = []
    entered: list[Dropout] = _THREAD.entered
    return entered


def _will_be_recomputed() -> bool:
    """Whether ``torch.utils.checkpoint`` is on the call stack; takes microseconds."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename != torch.utils.checkpoint.__file__:
        frame = frame.f_back
    return frame is not None


@contextmanager
def _to_be_repeated(dropout: Dropout) -> Iterator[None]:
    dropout._repeats += 1
    try:
        yield
    finally:
        dropout._repeats -= 1


class _Repeated(AbstractContextManager[None]):
    """Context that repeats the rates and masks that ``dropout`` has when this object is made."""

    def __init__(self, dropout: Dropout) -> None:
        self.rates = dropout.hidden, dropout.attention
        self.device = dropout.generator.device
        self.state = dropout.generator.get_state()
        self.inside: list[Dropout] = []

    def __enter__(self) -> None:
        generator = torch.Generator(self.device)
        generator.set_state(self.state)
        dropout = Dropout(generator, *self.rates)
        dropout._repeats = 1
        self.inside.append(dropout.__enter__())

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None:
        dropout = self.inside.pop()
        dropout.calls += 1  # a recomputed part without dropout must not raise
        dropout.__exit__(exc_type, exc_value, traceback)


def same_masks() -> tuple[AbstractContextManager[None], AbstractContextManager[None]]:
    """``context_fn`` of ``torch.utils.checkpoint``: the backward pass repeats the masks."""
    inside = _entered()
    if not inside:
        return nullcontext(), nullcontext()
    return _to_be_repeated(inside[-1]), _Repeated(inside[-1])
