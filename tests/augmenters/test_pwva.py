"""PWVA: which words it changes, how often and how much, and printed formulas without an effect."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from clwork.augmenters import (
    background_noise,
    fourier,
    gaussian_white_noise,
    pwva,
    word_vectors,
)

from . import seeded

MASK = torch.ones(8, 25)


def words(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*(shape or (8, 25, 50)), generator=seeded(seed)) + 0.3


def touched(before: Tensor, after: Tensor) -> Tensor:
    return (before != after).any(dim=-1)


@pytest.fixture
def mix(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Set the shares of Gaussian noise, zeros, Fourier and background noise."""

    def set_mix(*shares: float) -> None:
        monkeypatch.setattr(word_vectors, "MIX", shares)

    return set_mix


def test_partial_touches_a_share_p_of_the_words(
    subtests: pytest.Subtests, mix: Callable[..., None]
) -> None:
    mix(1, 0, 0, 0)  # the only operation that always changes a word
    cases: list[float] = [0.2, 0.5, 0.8, 1.0]
    for p in cases:
        with subtests.test(p=p):
            w = words(40, 50, 8)
            share = float(
                touched(w, pwva(w, torch.ones(40, 50), p=p, generator=seeded())).float().mean()
            )
            assert abs(share - p) <= 4 * math.sqrt(p * (1 - p) / 2000)


def test_the_mix_sets_the_shares_of_the_operations(
    subtests: pytest.Subtests, mix: Callable[..., None]
) -> None:
    for way in range(4):
        with subtests.test(way=way):
            w = words()
            mix(*(float(k == way) for k in range(4)))
            change = pwva(w, MASK, p=1.0, generator=seeded()) - w
            zeroed = (change == -w) & (w != 0)
            kinds = {
                0: bool((change != 0).all()) and float(change.mean().abs()) < 0.02,
                1: bool((zeroed | (change == 0)).all()) and bool(zeroed.any()),
                2: torch.allclose(change, -w.mean(dim=-1, keepdim=True).expand_as(w), atol=1e-6),
                3: bool((change > -1e-6).all())
                and float(change.max()) <= 0.1 + 1e-6
                and float(change.mean()) > 0.04,
            }
            assert kinds[way]
            assert (
                sum(kinds.values()) == 1
            )  # the four kinds are distinct, so the check is not vacuous


def test_white_noise_has_the_drawn_signal_to_noise_ratio() -> None:
    w = words(20, 30, 3000)
    noise = gaussian_white_noise(w, generator=seeded()) - w
    # of each word; 3,000 numbers estimate it within a few percent
    amplitudes = (noise.pow(2).mean(dim=-1) / w.pow(2).mean(dim=-1)).sqrt()
    # 11 to 6 decibels are 0.28 to 0.50 of the signal, all equally likely in decibels
    assert 0.9 * 10 ** (-11 / 20) < float(amplitudes.min()) < 0.30
    assert 0.48 < float(amplitudes.max()) < 1.1 * 10 ** (-6 / 20)
    assert float(-20 * amplitudes.log10().mean()) == pytest.approx(8.5, abs=0.1)
    long = gaussian_white_noise(100 * w, generator=seeded()) - 100 * w
    assert torch.allclose(
        long / 100, gaussian_white_noise(w, generator=seeded()) - w, atol=1e-4
    )  # proportional to w


def test_the_printed_fourier_formula_is_the_identity(mix: Callable[..., None]) -> None:
    """C7: Re(IFFT(FFT(w))) equals w, so this 'augmentation' has no effect; the released code
    removes the mean.
    """
    w = words(4, 5, 300)
    assert float((fourier(w, mode="identity") - w).abs().max()) < 2e-6
    assert float(fourier(w).mean(dim=-1).abs().max()) < 1e-6 < float((fourier(w) - w).abs().min())
    mix(0, 0, 1, 0)
    assert torch.equal(pwva(w, torch.ones(4, 5), p=1.0), fourier(w))


def test_background_noise_is_far_weaker_in_the_released_code() -> None:
    """C8: U(0, 0.1) in the paper, a hundredth of the word's range in the released code."""
    w = words(100, 30, 50) / 5
    paper = background_noise(w, generator=seeded()) - w
    code = background_noise(w, mode="code", generator=seeded()) - w
    assert float(paper.min()) >= -1e-6
    assert float(paper.mean()) == pytest.approx(0.05, rel=0.02)
    assert float(code.abs().mean()) < float(paper.abs().mean()) / 10
    assert float(code.abs().max()) > 0
