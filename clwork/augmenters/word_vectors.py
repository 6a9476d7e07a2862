"""Augmentations of word vectors: GCLSR's partial augmentation (PWVA), and token cut-off.

PWVA changes the vectors of some words slightly. A token cut-off (Shen et al. 2020; Yan et al. 2021,
ConSERT) sets the vectors of some tokens to zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn

from .._validation import number
from ..encoders.batching import to_device

# From the released code; the paper gives no numbers. MIX: shares of Gaussian noise, zeros, Fourier
# and background noise. SNR: range of the signal-to-noise ratio in decibels. ZEROS: share of numbers
# set to 0, 15 to 19 of 300.
MIX = (0.5, 0.2, 0.1, 0.2)
SNR = (6.0, 11.0)
ZEROS = 0.055
Fourier = Literal["demean", "identity"]
Background = Literal["paper", "code"]


def gaussian_white_noise(vectors: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
    """Add Gaussian white noise (GWN): ``w + λ · N(0, 1)`` (§3.1).

    λ follows from a signal-to-noise ratio that is drawn for each word, uniform in 6 to 11 decibels:
    ``λ² = mean(w²) · 10^(-snr / 10)``, so that the noise is 0.50 to 0.28 times the vector's root
    mean square. The paper gives no λ; this is the released code's.

    Shapes: word vectors ``(..., d)``, returned with the same shape.

    >>> words = torch.ones(2, 3)
    >>> (gaussian_white_noise(words, generator=torch.Generator().manual_seed(0)) != words).all()
    tensor(True)
    """
    low, high = SNR
    decibels = low + (high - low) * _uniform((*vectors.shape[:-1], 1), vectors, generator)
    power = vectors.detach().pow(2).mean(dim=-1, keepdim=True)  # no gradient through λ
    noise = torch.randn(
        vectors.shape, generator=generator, device=vectors.device, dtype=vectors.dtype
    )
    return vectors + noise * (power * 10 ** (-decibels / 10)).sqrt()


def random_zeros(vectors: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
    """Set random numbers to zero (RZS), each with probability 0.055; others are not rescaled.

    The paper writes ``Dropout(w)`` without a rate; the released code zeroes 15 to 19 of 300
    numbers.

    Shapes: word vectors ``(..., d)``, returned with the same shape.

    >>> int(random_zeros(torch.ones(300), generator=torch.Generator().manual_seed(0)).sum())
    281
    """
    return vectors * (_uniform(vectors.shape, vectors, generator) >= ZEROS)


def fourier(vectors: Tensor, *, mode: Fourier = "demean") -> Tensor:
    """Subtract each vector's mean, as GCLSR's step "Fourier" does in the released code.

    The printed formula, ``Re(IFFT(FFT(w)))`` along the last dimension, is the identity up to
    rounding; ``mode="identity"`` computes it. (C7 in docs/discrepancies.md.)

    >>> fourier(torch.tensor([1.0, 3.0]))
    tensor([-1.,  1.])
    """
    if mode == "demean":
        return vectors - vectors.mean(dim=-1, keepdim=True)
    there_and_back: Tensor = torch.fft.ifft(torch.fft.fft(vectors)).real
    return there_and_back


def background_noise(
    vectors: Tensor, *, mode: Background = "paper", generator: torch.Generator | None = None
) -> Tensor:
    """Add random background noise (RBN): ``w + U(0, 0.1)`` (§3.1), a small shift of each number.

    The released code (``mode="code"``, C8) adds ``U(min w, 0.8 max w) · U(0, 0.01)``, with one
    factor per word.

    Shapes: word vectors ``(..., d)``, returned with the same shape.

    >>> (background_noise(torch.zeros(9), generator=torch.Generator().manual_seed(0)) < 0.1).all()
    tensor(True)
    """
    uniform = _uniform(vectors.shape, vectors, generator)  # in [0, 1)
    if mode == "paper":
        return vectors + 0.1 * uniform
    constant = vectors.detach()  # no gradient through the range of the noise
    low = constant.amin(dim=-1, keepdim=True)
    high = 0.8 * constant.amax(dim=-1, keepdim=True)
    factor = 0.01 * _uniform((*vectors.shape[:-1], 1), vectors, generator)
    return vectors + (low + (high - low) * uniform) * factor


def pwva(
    vectors: Tensor,
    mask: Tensor,
    *,
    p: float = 0.5,
    background_mode: Background = "paper",
    generator: torch.Generator | None = None,
) -> Tensor:
    """Augment each word with probability ``p``, by one of four functions (§3.1, eq. 1, 2).

    "Partial" means 0 < ``p`` < 1. At ``p`` = 0 both views are equal; ``p`` = 1 is the paper's
    "full". The paper gives no ``p``; the default 0.5 is our choice.

    Shapes: ``(B, T, d)`` vectors and ``(B, T)`` mask, 1 for a word, 0 for padding, which never
    changes; returns ``(B, T, d)``. Gradients reach the vectors; the noise scale is a constant.

    ``background_mode`` is the mode of :func:`background_noise`.

    Raises:
        ValueError: shapes that do not fit, or ``p`` outside 0 to 1.

    >>> words = torch.ones(1, 3, 4)
    >>> torch.equal(pwva(words, torch.ones(1, 3), p=0.0), words)
    True
    """
    check_words(vectors, mask)
    if not 0 <= number("p", p) <= 1:
        raise ValueError(f"p={p} is out of range; give the share of words, from 0 to 1")

    # All words by all four functions; then each word takes one of the four results.
    augmented = torch.stack(
        [
            gaussian_white_noise(vectors, generator=generator),
            random_zeros(vectors, generator=generator),
            fourier(vectors),
            background_noise(vectors, mode=background_mode, generator=generator),
        ]
    )  # (4, B, T, d)
    # Each word draws a number, uniform in 0 ... sum(MIX). The cumulative shares of the functions
    # divide this range into four intervals; searchsorted returns the number of the interval, 0 ...
    # 3, into which the word's number falls. Rounding may lead beyond the last.
    bounds = to_device(np.cumsum(MIX), vectors.device)
    uniform = torch.rand(
        mask.shape, generator=generator, device=vectors.device, dtype=torch.float64
    )  # (B, T)
    number_of_function = torch.searchsorted(bounds, bounds[-1] * uniform, right=True).clamp_max(3)
    index = number_of_function[None, :, :, None].expand(1, *vectors.shape)
    changed = augmented.gather(0, index).squeeze(0)  # (B, T, d)

    is_chosen = (_uniform(mask.shape, vectors, generator) < p) & (mask != 0)  # (B, T)
    return torch.where(is_chosen[..., None], changed, vectors)


def _uniform(shape: tuple[int, ...], like: Tensor, generator: torch.Generator | None) -> Tensor:
    """Draw numbers uniform in [0, 1), with the device and type of ``like``."""
    return torch.rand(shape, generator=generator, device=like.device, dtype=like.dtype)


def check_words(vectors: Tensor, mask: Tensor) -> None:
    """Raise a ValueError unless word vectors are ``(B, T, D)`` and their mask ``(B, T)``."""
    if vectors.dim() != 3 or mask.shape != vectors.shape[:2] or not vectors.numel():
        raise ValueError(
            "word vectors must be (B, T, D) and their mask (B, T), not empty; "
            f"got {tuple(vectors.shape)} and {tuple(mask.shape)}"
        )


def cut_tokens(
    embeddings: Tensor, mask: Tensor, *, rate: float, generator: torch.Generator
) -> Tensor:
    """Set the vectors of some tokens of each row to zero (a second view of DCLR's Figure 3).

    Shapes: ``embeddings`` ``(B, T, D)``, returned with the same shape; ``mask`` ``(B, T)`` bool,
    true where a token may be cut (not padding, not [CLS]). ``rate`` in [0, 1) is the mean share of
    these tokens; never all are cut. The generator is on the device of ``embeddings``.
    """
    # A random order of each row's tokens: by random numbers below 1, and by 2, so at the end, for
    # those that may not be cut. The place of each token in this order is its rank, from 0; the
    # order of an order gives the ranks.
    numbers = torch.rand(mask.shape, generator=generator, device=mask.device)
    order = numbers.masked_fill(~mask, 2.0).argsort(dim=1)  # (B, T)
    ranks = order.argsort(dim=1)  # (B, T)

    # How many tokens of each row are cut: rate times the number of those that may be cut, rounded
    # up or down at random so that its mean is right.
    total = mask.sum(dim=1, keepdim=True)  # (B, 1)
    rounding = torch.rand(total.shape, generator=generator, device=mask.device)
    counts = (rate * total + rounding).long()
    # Never all; and at least 0, in a row of which nothing may be cut.
    counts = counts.minimum(total - 1).clamp_min(0)
    return embeddings.masked_fill((ranks < counts)[:, :, None], 0.0)


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
