"""Gaussian noise: as negatives in the least uniform regions (DCLR), and on labels (MoCoUTRL)."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from .. import _validation
from ..arithmetic import at_least_float32, may_read, normalize

Kind = Literal["none", "radial", "coord_std", "coord_var"]
Variant = Literal["paper", "code"]
# Mean of MoCoUTRL's noise. Its standard deviation is a third, so that lengths shrink by 0 to 1 %.
MEAN = 0.005


def noise_negatives(
    z1: Tensor,
    z2: Tensor,
    *,
    count: int,
    sigma: float = 1.0,
    steps: int = 4,
    step_size: float = 1e-3,
    temperature: float = 0.05,
    generator: torch.Generator | None = None,
) -> Tensor:
    """DCLR's negatives: noise ``n ~ N(0, σ² I)``, moved by ascent steps on the non-uniformity loss.

    Zhou et al. (2022) §4.1, D2 and D4: noise of :func:`gaussian_noise`, moved by
    :func:`ascend_noise`. ``steps=0`` is their variant *Random Noise*. The result is detached from
    the autograd graph.

    Shapes: ``z1``, ``z2`` ``(B, D)``; returns ``(count, D)``, shared by the batch as in the
    released code; float32, float64 for float64 views. For noise of each sentence, or for the
    released loss, call :func:`ascend_noise`.

    Raises:
        ValueError: wrong shapes, views with NaN, or ``sigma`` or ``temperature`` not above 0.

    >>> z = torch.eye(4)
    >>> noise_negatives(z, z, count=6, generator=torch.Generator().manual_seed(0)).shape
    torch.Size([6, 4])
    """
    _check_views(z1, z2)
    _check_above_zero("sigma", sigma)
    shape = (count, z1.shape[1])
    start = gaussian_noise(shape, sigma=sigma, generator=generator).to(at_least_float32(z1))
    return ascend_noise(start, z1, z2, steps=steps, step_size=step_size, temperature=temperature)


def gaussian_noise(
    shape: tuple[int, ...], *, sigma: float = 1.0, generator: torch.Generator | None = None
) -> Tensor:
    """Draw vectors from ``N(0, σ² I)``, whose directions are uniform, on the generator's device."""
    device = generator.device if generator else None
    return sigma * torch.randn(shape, dtype=torch.float32, generator=generator, device=device)


def ascend_noise(
    noise: Tensor,
    z1: Tensor,
    z2: Tensor,
    *,
    steps: int = 4,
    step_size: float = 1e-3,
    temperature: float = 0.05,
    variant: Variant = "paper",
) -> Tensor:
    """Move noise by ascent steps of fixed length on the non-uniformity loss, without gradient.

    ``L_U = -Σ_i log( e^{cos(z1_i, z2_i)/τ} / Σ_k e^{cos(z1_i, n_k)/τ} )`` and ``n ← n + β g/‖g‖``
    with ``g = ∂L_U/∂n`` (paper §4.1, whose text has descent, but whose formula and purpose are
    ascent: D2). With ``variant="code"`` the denominator also holds the positive and the in-batch
    negatives, as in the released program. Per-sentence noise moves straight towards its sentence,
    for every variant and temperature, because ``g`` is normalised.

    Shapes: ``noise`` ``(K, D)`` or ``(B, K, D)``, as returned; ``z1``, ``z2`` ``(B, D)``.

    Raises:
        ValueError: wrong shapes, views with NaN, or a temperature not above 0.

    >>> z = torch.eye(2)
    >>> ascend_noise(torch.tensor([[3.0, 4.0]]), z, z, steps=1, step_size=0.5)
    tensor([[3.4000, 3.7000]])
    """
    _check_views(z1, z2)
    _check_above_zero("temperature", temperature)
    batch, dim = z1.shape
    if noise.shape[-1] != dim or noise.shape[:-2] not in ((), (batch,)):
        raise ValueError(
            f"noise has shape {tuple(noise.shape)}; it must be (K, {dim}) or ({batch}, K, {dim})"
        )
    dtype = at_least_float32(z1).dtype
    # Also works inside no_grad, and in float32 under autocast.
    with torch.enable_grad(), torch.autocast(z1.device.type, enabled=False):
        anchors, positives = (normalize(z.detach().to(dtype)) for z in (z1, z2))
        moved = noise.detach().to(dtype)
        for _ in range(steps):
            moved.requires_grad_()
            loss = _non_uniformity(moved, anchors, positives, temperature, variant)
            (gradient,) = torch.autograd.grad(loss, moved)
            # A row of the gradient is often tiny (e^-20) or zero, which normalize permits.
            moved = moved.detach() + step_size * normalize(gradient)
    return moved.detach()


def step_size_for(relative: float, steps: int, sigma: float, dim: int) -> float:
    """Return the step size β for which the ascent has the length ``relative``; 0 if ``steps`` is 0.

    The length of the whole ascent, relative to the noise's expected length, is ``β t / (σ √d)``.

    >>> step_size_for(1.0, steps=4, sigma=1.0, dim=64)
    2.0
    """
    return relative * sigma * math.sqrt(dim) / steps if steps else 0.0


def perturb(
    vectors: Tensor, kind: Kind, *, generator: torch.Generator, mean: float = MEAN
) -> Tensor:
    """Add Gaussian noise of ``mean`` μ to unit vectors, ``(..., D)`` to ``(..., D)``.

    ``radial``: ``e (1 - r)`` with one ``r ~ N(μ, (μ/3)²)`` for each vector, as the paper argues.
    Directions stay, so a loss that normalises labels does not change. The printed eq. 20 and 21
    draw a number for *every coordinate*, ``e - d``: ``coord_std`` reads the printed 0.005/3 as a
    standard deviation, ``coord_var`` as a variance. Neither gives a shell: in 768 dimensions the
    length of ``d`` is about 0.15 or 1.1 (M9). ``none`` adds nothing.

    Raises:
        ValueError: an unknown kind.

    >>> e = torch.eye(3)
    >>> perturb(e, "radial", generator=torch.Generator().manual_seed(0)).norm(dim=1)
    tensor([0.9924, 0.9955, 0.9986])
    """
    _validation.choice("kind", kind, ("none", "radial", "coord_std", "coord_var"))
    if kind == "none":
        return vectors
    shape = (*vectors.shape[:-1], 1) if kind == "radial" else vectors.shape
    spread = (mean / 3) ** 0.5 if kind == "coord_var" else mean / 3
    noise = mean + spread * torch.randn(
        shape, generator=generator, device=vectors.device, dtype=vectors.dtype
    )
    if kind == "radial":
        return vectors * (1 - noise)
    return vectors - noise


def _non_uniformity(
    noise: Tensor, anchors: Tensor, positives: Tensor, temperature: float, variant: str
) -> Tensor:
    """Compute L_U of :func:`ascend_noise`, summed over sentences, 0-dim.

    Shapes: noise ``(K, D)`` or ``(B, K, D)``; anchors and positives ``(B, D)``, of unit length.
    """
    directions = normalize(noise)
    if noise.dim() == 2:
        cosines = anchors @ directions.T  # (B, K)
    else:
        cosines = torch.einsum("bd,bkd->bk", anchors, directions)
    # the released denominator also has the positive and the in-batch negatives
    if variant == "code":
        cosines = torch.cat([anchors @ positives.T, cosines], dim=1)  # (B, B + K)
    positive = (anchors * positives).sum(dim=1) / temperature  # (B,)
    return ((cosines / temperature).logsumexp(dim=1) - positive).sum()


def _check_above_zero(name: str, value: float) -> None:
    """Raise an error unless the argument ``name`` is a number above 0."""
    if _validation.number(name, value) <= 0:
        raise ValueError(f"{name}={value} is out of range; give a number above 0")


def _check_views(z1: Tensor, z2: Tensor) -> None:
    """Raise a ValueError unless both views are finite and of one shape ``(B, D)``."""
    if z1.dim() != 2 or z1.shape != z2.shape or z1.numel() == 0:
        raise ValueError(
            f"z1 and z2 have the shapes {tuple(z1.shape)} and {tuple(z2.shape)}; "
            "they must have one shape (B, D), not empty"
        )
    if may_read(z1) and not torch.isfinite(z1 + z2).all():
        raise ValueError("z1 or z2 has NaN or infinity; lower the learning rate, or use float32")
