"""PWVA, GCLSR's partial word vector augmentation: the vectors of some words are changed slightly."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from .. import _validation
from .._validation import Share, checked, numbers, shown
from ..encoders.encoder import to_device
from ._cutoff import check_words

MIX = (0.5, 0.2, 0.1, 0.2)
"""Shares of Gaussian noise, zeros, Fourier and background noise, as in the released code; the paper gives none."""
SNR = (6.0, 11.0)
ZEROS = 0.055
Fourier = Literal["demean", "identity"]
Background = Literal["paper", "code"]


def _mix(name: str, value: Any) -> tuple[float, ...]:
    weights = numbers(name, value)
    if (
        weights.shape != (4,)
        or not np.isfinite(weights).all()
        or weights.min() < 0
        or not weights.any()
    ):
        raise ValueError(
            f"{name}={shown(value)}; give four weights (GWN, RZS, IFFT, RBN) of at least 0, not all 0"
        )
    return tuple(weights.tolist())


def _snr(name: str, value: Any) -> tuple[float, ...]:
    bounds = numbers(name, value)
    if bounds.shape != (2,) or not np.isfinite(bounds).all() or bounds[0] > bounds[1]:
        raise ValueError(
            f"{name}={shown(value)}; give the lowest and the highest decibels, such as (6.0, 11.0)"
        )
    return tuple(bounds.tolist())


@checked(snr=_snr)
def gaussian_white_noise(
    vectors: Tensor, *, snr: tuple[float, float] = SNR, generator: torch.Generator | None = None
) -> Tensor:
    """GWN: ``w + λ · N(0, 1)`` (§3.1), with λ from a signal-to-noise ratio drawn for each word, uniform in ``snr``.

    The paper gives no λ. The released code draws 6 to 11 decibels: noise of 0.50 to 0.28 times the vector's RMS.
    """
    _check_vectors(vectors, generator)
    low, high = snr
    shape = (*vectors.shape[:-1], 1)
    decibels = low + (high - low) * _uniform(shape, vectors, generator)
    power = vectors.detach().pow(2).mean(dim=-1, keepdim=True)
    noise = torch.randn(
        vectors.shape, generator=generator, device=vectors.device, dtype=vectors.dtype
    )
    return vectors + noise * (power * 10 ** (-decibels / 10)).sqrt()


@checked()
def random_zeros(
    vectors: Tensor, *, share: Share = ZEROS, generator: torch.Generator | None = None
) -> Tensor:
    """RZS: set each number to 0 with probability ``share``; the others are not rescaled.

    The paper writes ``Dropout(w)`` without a rate; the released code zeroes 15 to 19 of 300 numbers.
    """
    _check_vectors(vectors, generator)
    return vectors * (_uniform(vectors.shape, vectors, generator) >= share)


@checked()
def fourier(vectors: Tensor, *, mode: Fourier = "demean") -> Tensor:
    """IFFT: apply the Fourier transform and its inverse.

    As printed, ``Re(IFFT(FFT(w)))``, this is the identity up to rounding (C7; ``mode="identity"`` computes it). The
    released code only subtracts the mean (``"demean"``).
    """
    _check_vectors(vectors, None)
    if mode == "demean":
        return vectors - vectors.mean(dim=-1, keepdim=True)
    there_and_back: Tensor = torch.fft.ifft(torch.fft.fft(vectors)).real
    return there_and_back


@checked()
def background_noise(
    vectors: Tensor, *, mode: Background = "paper", generator: torch.Generator | None = None
) -> Tensor:
    """RBN: ``w + U(0, 0.1)`` (§3.1), a small positive shift in every dimension.

    The released code (``mode="code"``, C8) adds ``U(min w, 0.8 max w) · U(0, 0.01)``, with one factor per word.
    """
    _check_vectors(vectors, generator)
    noise = _uniform(vectors.shape, vectors, generator)
    if mode == "paper":
        return vectors + 0.1 * noise
    still = vectors.detach()
    low, high = still.amin(dim=-1, keepdim=True), 0.8 * still.amax(dim=-1, keepdim=True)
    return vectors + (low + (high - low) * noise) * 0.01 * _uniform(
        (*vectors.shape[:-1], 1), vectors, generator
    )


@checked(mix=_mix, snr=_snr)
def pwva(
    vectors: Tensor,
    mask: Tensor,
    *,
    p: Share = 0.5,
    mix: tuple[float, float, float, float] = MIX,
    snr: tuple[float, float] = SNR,
    zeros: Share = ZEROS,
    fourier_mode: Fourier = "demean",
    background_mode: Background = "paper",
    generator: torch.Generator | None = None,
) -> Tensor:
    """Augment each word with probability ``p``, by one of four functions drawn with weights ``mix`` (§3.1, eq. 1, 2).

    "Partial" means 0 < ``p`` < 1. At ``p`` = 0 both views are equal; ``p`` = 1 is the paper's "full". The paper gives
    no ``p``; the default 0.5 is our choice.

    Shapes: ``(B, T, d)`` vectors and ``(B, T)`` mask, 1 for a word, 0 for padding, which never changes; returns
    ``(B, T, d)``. Gradients reach the vectors; the noise scale is treated as a constant.

    ``mix`` are weights of Gaussian noise, zeros, Fourier and background noise; ``snr`` the range of decibels of
    :func:`gaussian_white_noise`, ``zeros`` the share of :func:`random_zeros`; the modes are those of :func:`fourier`
    and :func:`background_noise`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: shapes that do not fit, a share outside 0 to 1, weights that are negative or all 0, an unknown mode.

    >>> words = torch.ones(1, 3, 4)
    >>> torch.equal(pwva(words, torch.ones(1, 3), p=0.0), words)
    True
    """
    check_words(
        vectors, mask, "word vectors must be (B, T, d) floating-point numbers and their mask (B, T)"
    )
    ways = torch.stack(
        [
            gaussian_white_noise(vectors, snr=snr, generator=generator),
            random_zeros(vectors, share=zeros, generator=generator),
            fourier(vectors, mode=fourier_mode),
            background_noise(vectors, mode=background_mode, generator=generator),
        ]
    )  # (4, B, T, d)
    edges = to_device(np.cumsum(mix), vectors.device)
    drawn = edges[-1] * torch.rand(
        mask.shape, generator=generator, device=vectors.device, dtype=torch.float64
    )
    way = torch.searchsorted(edges, drawn, right=True).clamp_max(3)  # (B, T) in 0 ... 3
    augmented = ways.gather(0, way[None, :, :, None].expand(1, *vectors.shape)).squeeze(
        0
    )  # (B, T, d)
    chosen = (_uniform(mask.shape, vectors, generator) < p) & (mask != 0)  # (B, T)
    return torch.where(chosen[..., None], augmented, vectors)


def _uniform(shape: tuple[int, ...], like: Tensor, generator: torch.Generator | None) -> Tensor:
    return torch.rand(shape, generator=generator, device=like.device, dtype=like.dtype)


def _check_vectors(vectors: Tensor, generator: torch.Generator | None) -> None:
    if not vectors.is_floating_point():
        raise TypeError(
            f"vectors is a Tensor of {vectors.dtype}; give floating-point vectors (..., d)"
        )
    if not vectors.dim() or not vectors.shape[-1]:
        raise ValueError(
            f"vectors has shape {tuple(vectors.shape)}; it must be (..., d), d at least 1"
        )
    _validation.generator(generator, on=vectors.device.type, optional=True)
