"""PWVA, GCLSR's partial word vector augmentation: some words of a sentence get a slightly different vector."""

from __future__ import annotations

import math

import torch
from torch import Tensor

MIX = (0.5, 0.2, 0.1, 0.2)
"""Shares of Gaussian noise, zeros, Fourier and background noise, as in the released code; the paper gives none."""
SNR = (6.0, 11.0)
ZEROS = 0.055
FOURIER = ("demean", "identity")
BACKGROUND = ("paper", "code")


def gaussian_white_noise(
    vectors: Tensor, *, snr: tuple[float, float] = SNR, generator: torch.Generator | None = None
) -> Tensor:
    """GWN: ``w + λ · N(0, 1)`` (§3.1), with λ from a signal-to-noise ratio drawn for each word, uniform in ``snr``.

    The paper gives no λ. The released code draws 6 to 11 decibels: noise of 0.50 to 0.28 times the root mean square
    of the vector.

    Shapes: ``(..., d)``, kept.
    """
    low, high = snr
    shape = (*vectors.shape[:-1], 1)
    decibels = low + (high - low) * _uniform(shape, vectors, generator)
    power = vectors.detach().pow(2).mean(dim=-1, keepdim=True)
    noise = torch.randn(vectors.shape, generator=generator, device=vectors.device, dtype=vectors.dtype)
    return vectors + noise * (power * 10 ** (-decibels / 10)).sqrt()


def random_zeros(vectors: Tensor, *, share: float = ZEROS, generator: torch.Generator | None = None) -> Tensor:
    """RZS: each number becomes 0 with probability ``share``; the others stay, for the name says zero *setting*.

    The paper writes ``Dropout(w)`` and no rate; the released code zeroes 15 to 19 of 300 numbers.

    Shapes: ``(..., d)``, kept.
    """
    return vectors * (_uniform(vectors.shape, vectors, generator) >= share)


def fourier(vectors: Tensor, *, mode: str = "demean") -> Tensor:
    """IFFT: there and back through the Fourier transform.

    As printed, ``Re(IFFT(FFT(w)))`` is w: the identity, up to rounding (C7; ``mode="identity"`` computes it). The
    released code takes the mean out before and does not put it back, and that is all that happens (``"demean"``).

    Shapes: ``(..., d)``, kept.
    """
    if mode == "demean":
        return vectors - vectors.mean(dim=-1, keepdim=True)
    there_and_back: Tensor = torch.fft.ifft(torch.fft.fft(vectors)).real
    return there_and_back


def background_noise(vectors: Tensor, *, mode: str = "paper", generator: torch.Generator | None = None) -> Tensor:
    """RBN: ``w + U(0, 0.1)`` (§3.1), a small push towards the positive side in every dimension.

    The released code (``mode="code"``, C8) adds ``U(min w, 0.8 max w) · U(0, 0.01)``, with one factor each for the
    whole word: at least ten times less.

    Shapes: ``(..., d)``, kept.
    """
    noise = _uniform(vectors.shape, vectors, generator)
    if mode == "paper":
        return vectors + 0.1 * noise
    still = vectors.detach()
    low, high = still.amin(dim=-1, keepdim=True), 0.8 * still.amax(dim=-1, keepdim=True)
    return vectors + (low + (high - low) * noise) * 0.01 * _uniform((*vectors.shape[:-1], 1), vectors, generator)


def pwva(
    vectors: Tensor,
    mask: Tensor,
    *,
    p: float = 0.5,
    mix: tuple[float, float, float, float] = MIX,
    snr: tuple[float, float] = SNR,
    zeros: float = ZEROS,
    fourier_mode: str = "demean",
    background_mode: str = "paper",
    generator: torch.Generator | None = None,
) -> Tensor:
    """Augment each word with probability ``p``, by one of four ways drawn with the weights ``mix`` (§3.1, eq. 1, 2).

    "Partial" means that ``p`` is neither 0, where both views are equal, nor 1, the paper's "full". The paper never
    says what its ``p`` is (and the module of the released code that would is missing), so 0.5 is a choice of ours::

        view 1   w0  w1' w2  w3' w4        w'  augmented: GWN, RZS, IFFT or RBN
        view 2   w0' w1' w2  w3  w4        w   as it is

    Shapes: ``(B, T, d)`` vectors and ``(B, T)`` mask, 1 for a word, 0 for padding, which is never touched; returns
    ``(B, T, d)``. Gradients pass to the vectors; the size of the noise is a constant for them.

    Args:
        vectors: word vectors.
        mask: which places hold a word.
        p: share of words to augment, 0 to 1.
        mix: weights of Gaussian noise, zeros, Fourier and background noise; need not sum to 1.
        snr: least and most decibels of :func:`gaussian_white_noise`.
        zeros: share of numbers that :func:`random_zeros` takes.
        fourier_mode: ``"demean"`` or ``"identity"``, see :func:`fourier`.
        background_mode: ``"paper"`` or ``"code"``, see :func:`background_noise`.
        generator: on the vectors' device; None draws from torch's own.

    Raises:
        ValueError: shapes that do not fit, a share outside 0 to 1, weights that are negative or all 0, an unknown mode.

    >>> words = torch.ones(1, 3, 4)
    >>> torch.equal(pwva(words, torch.ones(1, 3), p=0.0), words)
    True
    """
    _check(vectors, mask, p, mix, snr, zeros, fourier_mode, background_mode)
    ways = torch.stack(
        [
            gaussian_white_noise(vectors, snr=snr, generator=generator),
            random_zeros(vectors, share=zeros, generator=generator),
            fourier(vectors, mode=fourier_mode),
            background_noise(vectors, mode=background_mode, generator=generator),
        ]
    )  # (4, B, T, d)
    edges = torch.tensor(mix, device=vectors.device, dtype=torch.float64).cumsum(0)
    drawn = edges[-1] * torch.rand(mask.shape, generator=generator, device=vectors.device, dtype=torch.float64)
    way = torch.searchsorted(edges, drawn, right=True).clamp_max(3)  # (B, T) in 0 ... 3
    augmented = ways.gather(0, way[None, :, :, None].expand(1, *vectors.shape)).squeeze(0)  # (B, T, d)
    chosen = (_uniform(mask.shape, vectors, generator) < p) & (mask != 0)  # (B, T)
    return torch.where(chosen[..., None], augmented, vectors)


def _uniform(shape: tuple[int, ...], like: Tensor, generator: torch.Generator | None) -> Tensor:
    return torch.rand(shape, generator=generator, device=like.device, dtype=like.dtype)


def _check(
    vectors: Tensor,
    mask: Tensor,
    p: float,
    mix: tuple[float, ...],
    snr: tuple[float, float],
    zeros: float,
    fourier_mode: str,
    background_mode: str,
) -> None:
    if vectors.ndim != 3 or mask.shape != vectors.shape[:2] or not vectors.is_floating_point():
        raise ValueError(
            f"word vectors must be (B, T, d) floating-point numbers and their mask (B, T); got {tuple(vectors.shape)} "
            f"of {vectors.dtype} and {tuple(mask.shape)}"
        )
    for name, share in (("p", p), ("zeros", zeros)):
        if not 0 <= share <= 1:
            raise ValueError(f"{name}={share!r} is not a share; give a number from 0 to 1")
    if len(mix) != 4 or not all(math.isfinite(weight) and weight >= 0 for weight in mix) or sum(mix) == 0:
        raise ValueError(f"mix={mix!r}; give four weights of at least 0, not all 0: GWN, RZS, IFFT, RBN")
    if not (len(snr) == 2 and all(math.isfinite(value) for value in snr) and snr[0] <= snr[1]):
        raise ValueError(f"snr={snr!r}; give the least and the most decibels, such as (6.0, 11.0)")
    if fourier_mode not in FOURIER or background_mode not in BACKGROUND:
        raise ValueError(
            f"fourier_mode={fourier_mode!r}, background_mode={background_mode!r}; give one of {FOURIER} and one of "
            f"{BACKGROUND}"
        )
