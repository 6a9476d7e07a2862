"""Cut-off (Shen et al. 2020; Yan et al. 2021, ConSERT): parts of the word vectors set to zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import torch
from torch import Tensor, nn

from .. import _validation

Cut = Literal["feature", "token", "span"]


def cutoff(
    embeddings: Tensor, mask: Tensor, kind: Cut, *, rate: float, generator: torch.Generator
) -> Tensor:
    """Set a share of each row's word vectors to zero (the views of DCLR's Figure 3).

    ``"feature"``: some of the D features, for all tokens of the row; ``"token"``: all features of
    some tokens; ``"span"``: all features of consecutive tokens.

    Shapes: ``embeddings`` ``(B, T, D)``, returned with the same shape; ``mask`` ``(B, T)``, true
    where a token may be cut (not padding, not [CLS]), for ``"span"`` without gaps. ``rate`` in
    [0, 1) is the mean share; never all are cut. The generator is on the device of ``embeddings``.

    Raises:
        ValueError: wrong shapes, an unknown kind, or a rate outside [0, 1).

    >>> words, mask = torch.ones(1, 5, 2), torch.ones(1, 5) > 0
    >>> cutoff(words, mask, "span", rate=0.4, generator=torch.Generator().manual_seed(1))[0, :, 0]
    tensor([1., 0., 0., 1., 1.])
    """
    check_words(embeddings, mask)
    _validation.choice("kind", kind, ("feature", "token", "span"))
    if not 0 <= _validation.number("rate", rate) < 1:
        raise ValueError(f"rate={rate} is out of range; give a share of at least 0 and below 1")
    if kind == "feature":
        rows, _, width = embeddings.shape
        features = torch.ones(rows, width, dtype=torch.bool, device=embeddings.device)
        zeroed = _scattered(features, rate, generator)[:, None, :]  # (B, 1, D)
    elif kind == "token":
        zeroed = _scattered(mask.bool(), rate, generator)[:, :, None]  # (B, T, 1)
    else:
        zeroed = _consecutive(mask.bool(), rate, generator)[:, :, None]  # (B, T, 1)
    return embeddings.masked_fill(zeroed, 0.0)


def check_words(vectors: Tensor, mask: Tensor) -> None:
    """Raise a ValueError unless word vectors are ``(B, T, D)`` and their mask ``(B, T)``."""
    if vectors.dim() != 3 or mask.shape != vectors.shape[:2] or not vectors.numel():
        raise ValueError(
            "word vectors must be (B, T, D) and their mask (B, T), not empty; "
            f"got {tuple(vectors.shape)} and {tuple(mask.shape)}"
        )


def _counts(allowed: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    """Draw how many of each row's allowed positions to cut: ``(B, N)`` bool to ``(B, 1)``.

    The count is ``rate`` times the number of them, rounded up or down at random so that its mean is
    right, and never all.
    """
    total = allowed.sum(dim=1, keepdim=True)
    rounding = _uniform(total.shape, generator, allowed.device)
    return (rate * total + rounding).long().minimum(total - 1).clamp_min(0)


def _scattered(allowed: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    """Draw positions to cut among each row's allowed ones, ``(B, N)`` bool to ``(B, N)`` bool."""
    # Random numbers below 1, and 2 where nothing may be cut: the smallest ones are cut.
    numbers = _uniform(allowed.shape, generator, allowed.device).masked_fill(~allowed, 2.0)
    ranks = numbers.argsort(dim=1).argsort(dim=1)
    return ranks < _counts(allowed, rate, generator)


def _consecutive(allowed: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    """Draw consecutive positions to cut in each row, ``(B, N)`` bool to ``(B, N)`` bool."""
    counts = _counts(allowed, rate, generator)
    possible_starts = allowed.sum(dim=1, keepdim=True) - counts + 1
    start = (_uniform(counts.shape, generator, allowed.device) * possible_starts).long()
    index = allowed.cumsum(dim=1) - 1  # index among the positions that may be cut
    return allowed & (index >= start) & (index < start + counts)


def _uniform(shape: torch.Size, generator: torch.Generator, device: torch.device) -> Tensor:
    return torch.rand(shape, dtype=torch.float32, generator=generator, device=device)


@contextmanager
def at_embeddings(backbone: nn.Module, change: Callable[[Tensor], Tensor]) -> Iterator[None]:
    """Context: apply ``change`` to the word vectors of each pass, before positions are added.

    ``change`` maps ``(B, T, D)`` to ``(B, T, D)``.
    """
    model: Any = backbone
    embeddings = model.get_input_embeddings()
    handle = embeddings.register_forward_hook(lambda module, inputs, output: change(output))
    try:
        yield
    finally:
        handle.remove()
