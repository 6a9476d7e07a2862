"""Cut-off (Shen et al. 2020; Yan et al. 2021, ConSERT): parts of the word vectors set to zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import torch
from torch import Tensor, nn

from .. import _validation
from .._validation import ShareBelowOne, checked

Cut = Literal["feature", "token", "span"]


@checked()
def cutoff(
    embeddings: Tensor, mask: Tensor, kind: Cut, *, rate: ShareBelowOne, generator: torch.Generator
) -> Tensor:
    """Set a share of each row's word vectors to zero, drawn separately for each row (the views of DCLR's Figure 3).

    ``"feature"``: some of the D features, for all tokens of the row; ``"token"``: all features of some tokens;
    ``"span"``: all features of consecutive tokens.

    Shapes: ``embeddings`` ``(B, T, D)``, returned with the same shape; ``mask`` ``(B, T)``, true where a token may be
    cut (not padding, not [CLS]), for ``"span"`` without gaps. ``rate`` in [0, 1) is the mean share; never all are cut.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: wrong shapes, an unknown kind, a rate outside [0, 1), or a generator on another device.

    >>> words = torch.ones(1, 5, 2)
    >>> cutoff(words, torch.ones(1, 5) > 0, "span", rate=0.4, generator=torch.Generator().manual_seed(1))[0, :, 0]
    tensor([1., 0., 0., 1., 1.])
    """
    check_words(embeddings, mask, "cutoff takes embeddings (B, T, D) and a mask (B, T)")
    _validation.generator(generator, on=embeddings.device.type)
    if kind == "feature":
        rows, _, width = embeddings.shape
        every = torch.ones(rows, width, dtype=torch.bool, device=embeddings.device)
        gone = _scattered(every, rate, generator)[:, None, :]  # (B, 1, D)
    else:
        choose = _scattered if kind == "token" else _consecutive
        gone = choose(mask.bool(), rate, generator)[:, :, None]  # (B, T, 1)
    return embeddings.masked_fill(gone, 0.0)


def check_words(vectors: Tensor, mask: Tensor, takes: str) -> None:
    """Check non-empty word vectors ``(B, T, D)`` and their mask ``(B, T)``; ``takes`` starts the error message."""
    floats, alike = vectors.is_floating_point(), mask.shape == vectors.shape[:2]
    if vectors.dim() != 3 or not alike or not floats or not vectors.numel():
        raise ValueError(
            f"{takes}; got {tuple(vectors.shape)} of {vectors.dtype} and {tuple(mask.shape)}"
        )


def _counts(allowed: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    """Draw how many positions of each row to cut, ``(B, 1)``: ``rate`` of the allowed ones on average, never all."""
    total = allowed.sum(dim=1, keepdim=True)
    chance = torch.rand(
        total.shape, dtype=torch.float32, generator=generator, device=allowed.device
    )
    return (rate * total + chance).long().minimum(total - 1).clamp_min(0)


def _scattered(allowed: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    order = torch.rand(
        allowed.shape, dtype=torch.float32, generator=generator, device=allowed.device
    ).masked_fill(~allowed, 2.0)
    return order.argsort(dim=1).argsort(dim=1) < _counts(allowed, rate, generator)


def _consecutive(allowed: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    """Draw consecutive positions of each row, ``(B, N)`` to ``(B, N)`` bool."""
    counts = _counts(allowed, rate, generator)
    starts = allowed.sum(dim=1, keepdim=True) - counts + 1
    start = (
        torch.rand(counts.shape, dtype=torch.float32, generator=generator, device=allowed.device)
        * starts
    ).long()
    index = allowed.cumsum(dim=1) - 1  # index among the positions that may be cut
    return allowed & (index >= start) & (index < start + counts)


@contextmanager
def at_embeddings(backbone: nn.Module, change: Callable[[Tensor], Tensor]) -> Iterator[None]:
    """Context: apply ``change`` to the word vectors of every forward pass, before positions are added."""
    table: Any = backbone
    handle = table.get_input_embeddings().register_forward_hook(
        lambda module, inputs, output: change(output)
    )
    try:
        yield
    finally:
        handle.remove()
