"""PWVA, GCLSR's partial word vector augmentation: it changes the vectors of some words slightly."""

from __future__ import annotations

from typing import Literal

import numpy as np
import torch
from torch import Tensor

from .._validation import finite, shown
from ..encoders.encoder import to_device
from ._cutoff import check_words

# From the released code; the paper gives no numbers. MIX: shares of Gaussian noise, zeros, Fourier
# and background noise. SNR: range of the signal-to-noise ratio in decibels. ZEROS: share of numbers
# set to 0, 15 to 19 of 300.
MIX = (0.5, 0.2, 0.1, 0.2)
SNR = (6.0, 11.0)
ZEROS = 0.055
Fourier = Literal["demean", "identity"]
Background = Literal["paper", "code"]


def gaussian_white_noise(
    vectors: Tensor, *, snr: tuple[float, float] = SNR, generator: torch.Generator | None = None
) -> Tensor:
    """Add Gaussian white noise (GWN): ``w + λ · N(0, 1)`` (§3.1).

    λ follows from a signal-to-noise ratio that is drawn for each word, uniform in ``snr``:
    ``λ² = mean(w²) · 10^(-snr / 10)``. The paper gives no λ. The released code draws 6 to 11
    decibels: noise of 0.50 to 0.28 times the vector's root mean square.

    Shapes: word vectors ``(..., d)``, returned with the same shape.

    >>> words = torch.ones(2, 3)
    >>> (gaussian_white_noise(words, generator=torch.Generator().manual_seed(0)) != words).all()
    tensor(True)
    """
    low, high = snr
    decibels = low + (high - low) * _uniform((*vectors.shape[:-1], 1), vectors, generator)
    power = vectors.detach().pow(2).mean(dim=-1, keepdim=True)  # no gradient through λ
    noise = torch.randn(
        vectors.shape, generator=generator, device=vectors.device, dtype=vectors.dtype
    )
    return vectors + noise * (power * 10 ** (-decibels / 10)).sqrt()


def random_zeros(
    vectors: Tensor, *, share: float = ZEROS, generator: torch.Generator | None = None
) -> Tensor:
    """Set random numbers to zero (RZS), each with probability ``share``; others are not rescaled.

    The paper writes ``Dropout(w)`` without a rate; the released code zeroes 15 to 19 of 300
    numbers.

    Shapes: word vectors ``(..., d)``, returned with the same shape.

    >>> random_zeros(torch.ones(4), share=1.0)
    tensor([0., 0., 0., 0.])
    """
    return vectors * (_uniform(vectors.shape, vectors, generator) >= share)


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
    mix: tuple[float, float, float, float] = MIX,
    snr: tuple[float, float] = SNR,
    zeros: float = ZEROS,
    fourier_mode: Fourier = "demean",
    background_mode: Background = "paper",
    generator: torch.Generator | None = None,
) -> Tensor:
    """Augment each word with probability ``p``, by one of four functions (§3.1, eq. 1, 2).

    "Partial" means 0 < ``p`` < 1. At ``p`` = 0 both views are equal; ``p`` = 1 is the paper's
    "full". The paper gives no ``p``; the default 0.5 is our choice.

    Shapes: ``(B, T, d)`` vectors and ``(B, T)`` mask, 1 for a word, 0 for padding, which never
    changes; returns ``(B, T, d)``. Gradients reach the vectors; the noise scale is a constant.

    ``mix`` are weights of Gaussian noise, zeros, Fourier and background noise; ``snr`` the range of
    decibels of :func:`gaussian_white_noise`, ``zeros`` the share of :func:`random_zeros`; the modes
    are those of :func:`fourier` and :func:`background_noise`.

    Raises:
        ValueError: shapes that do not fit, ``p`` outside 0 to 1, or weights that are negative or
            all 0.

    >>> words = torch.ones(1, 3, 4)
    >>> torch.equal(pwva(words, torch.ones(1, 3), p=0.0), words)
    True
    """
    check_words(vectors, mask)
    if not 0 <= finite("p", p) <= 1:
        raise ValueError(f"p={p} is out of range; give the share of words, from 0 to 1")
    weights = np.asarray(mix, dtype=np.float64)
    if weights.shape != (4,) or not weights.min() >= 0 or not weights.any():
        raise ValueError(f"mix={shown(mix)}; give four weights of at least 0, not all 0")

    # All words by all four functions; then each word takes one of the four results.
    augmented = torch.stack(
        [
            gaussian_white_noise(vectors, snr=snr, generator=generator),
            random_zeros(vectors, share=zeros, generator=generator),
            fourier(vectors, mode=fourier_mode),
            background_noise(vectors, mode=background_mode, generator=generator),
        ]
    )  # (4, B, T, d)
    # The number of a function, 0 ... 3: where a number uniform in 0 ... sum(weights) falls among
    # the cumulative weights. Rounding may lead beyond the last.
    bounds = to_device(np.cumsum(weights), vectors.device)
    uniform = torch.rand(
        mask.shape, generator=generator, device=vectors.device, dtype=torch.float64
    )  # (B, T)
    function = torch.searchsorted(bounds, bounds[-1] * uniform, right=True).clamp_max(3)
    index = function[None, :, :, None].expand(1, *vectors.shape)
    changed = augmented.gather(0, index).squeeze(0)  # (B, T, d)

    is_chosen = (_uniform(mask.shape, vectors, generator) < p) & (mask != 0)  # (B, T)
    return torch.where(is_chosen[..., None], changed, vectors)


def _uniform(shape: tuple[int, ...], like: Tensor, generator: torch.Generator | None) -> Tensor:
    """Draw numbers uniform in [0, 1), with the device and type of ``like``."""
    return torch.rand(shape, generator=generator, device=like.device, dtype=like.dtype)
