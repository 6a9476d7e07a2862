"""Gaussian perturbation of unit vectors (MoCoUTRL §4.5): onto a thin shell, or what the formula as printed does."""

from __future__ import annotations

import torch
from torch import Tensor

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
        ValueError: an unknown kind, a negative mean, or a generator on another device.

    >>> e = torch.eye(3)
    >>> perturb(e, "radial", generator=torch.Generator().manual_seed(0)).norm(dim=1)
    tensor([0.9924, 0.9955, 0.9986])
    """
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} is not known; give one of {', '.join(map(repr, KINDS))}")
    if mean < 0:
        raise ValueError(f"mean={mean!r} is negative; give the middle of the shell's thickness, such as {MEAN}")
    if generator.device.type != vectors.device.type:
        raise ValueError(
            f"the vectors are on {vectors.device.type}, the generator on {generator.device.type}; make it with "
            f"torch.Generator({vectors.device.type!r})"
        )
    if kind == "none":
        return vectors
    shape = (*vectors.shape[:-1], 1) if kind == "radial" else vectors.shape
    spread = (mean / 3) ** 0.5 if kind == "coord_var" else mean / 3
    noise = mean + spread * torch.randn(shape, generator=generator, device=vectors.device, dtype=vectors.dtype)
    return vectors * (1 - noise) if kind == "radial" else vectors - noise
