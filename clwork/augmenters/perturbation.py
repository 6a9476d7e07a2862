"""Gaussian perturbation of unit vectors (MoCoUTRL §4.5): onto a thin shell, or what the formula as printed does."""

from __future__ import annotations

import torch
from torch import Tensor

from .. import checks
from ..checks import is_finite, shown

KINDS = ("none", "radial", "coord_std", "coord_var")
MEAN, SPREAD = 0.005, 0.005 / 3  # so that three standard deviations on either side fill a shell of 1 %


def perturb(vectors: Tensor, kind: str, *, generator: torch.Generator, mean: float = MEAN) -> Tensor:
    """Move unit vectors by Gaussian noise.

    ``radial``: ``e (1 - r)`` with one ``r ~ N(μ, (μ/3)²)`` for each vector, which is what the paper argues for: 99.7 %
    end in the shell between radius ``1 - 2μ`` and 1, and no direction changes. All that a loss can see of it is that a
    label is half a percent shorter: nothing where the label is normalised again, else half a percent. As printed
    (eq. 20 and 21) a number is drawn for *every coordinate*, ``e - d``: ``coord_std`` takes the printed 0.005/3 for a
    standard deviation, as the paper's three-sigma rule does, ``coord_var`` for the variance that the notation says it
    is. Neither gives a shell: in 768 dimensions the length of ``d`` is about 0.15 in the one case and 1.1 in the other,
    in 256 dimensions 0.08 and 0.66 (M9).

    Shapes: ``(..., D)`` to ``(..., D)``. The generator is on the vectors' device.

    Raises:
        TypeError: no floating-point tensor, a mean that is no number, or no generator.
        ValueError: an unknown kind, a mean that is negative or not finite, or a generator on another device.

    >>> e = torch.eye(3)
    >>> perturb(e, "radial", generator=torch.Generator().manual_seed(0)).norm(dim=1)
    tensor([0.9924, 0.9955, 0.9986])
    """
    checks.choice("kind", kind, KINDS)
    mean = checks.number("mean", mean)
    if not (mean >= 0 and is_finite(mean)):
        fault = "negative" if mean < 0 else "not finite"
        raise ValueError(f"mean={shown(mean)} is {fault}; give the middle of the shell's thickness, such as {MEAN}")
    if not isinstance(vectors, Tensor) or not vectors.is_floating_point():
        what = f"a Tensor of {vectors.dtype}" if isinstance(vectors, Tensor) else f"a {type(vectors).__name__}"
        raise TypeError(f"vectors is {what}; give a torch.Tensor of floating-point vectors (..., D)")
    checks.generator(generator, "the generator", on=vectors.device.type)
    if kind == "none":
        return vectors
    shape = (*vectors.shape[:-1], 1) if kind == "radial" else vectors.shape
    spread = (mean / 3) ** 0.5 if kind == "coord_var" else mean / 3
    noise = mean + spread * torch.randn(shape, generator=generator, device=vectors.device, dtype=vectors.dtype)
    return vectors * (1 - noise) if kind == "radial" else vectors - noise
