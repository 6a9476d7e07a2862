"""Knowledge distillation (Hinton, Vinyals, Dean 2015, arXiv:1503.02531) of a teacher's in-batch similarities."""

from __future__ import annotations

import torch
from torch import Tensor

from ..arithmetic import at_least_float32
from .checks import check_same_shape, check_temperature, check_vectors
from .infonce import cosines


def distillation(z1: Tensor, z2: Tensor, teacher: Tensor, *, temperature: float = 0.05) -> Tensor:
    """``KL(teacher ‖ student)`` of their softmax over the other sentences of the batch, averaged.

    ``mean_i KL( softmax_j(teacher_ij/τ) ‖ softmax_j(cos(z1_i, z2_j)/τ) )``. DCLR (§5) names distillation from SimCSE
    as a variant without saying how; this is clwork's reading: the teacher's softmax over the batch, itself left out,
    is what the student's should be. The positive is excluded, since every teacher ranks it first.

    Shapes: ``z1``, ``z2`` ``(B, D)``, ``teacher`` cosines ``(B, B)``, a constant; B at least 2; result 0-dim, at least
    0. Computes in float32, also under autocast; float64 stays float64.

    Raises:
        TypeError: no floating-point tensors, or a temperature that is no number.
        ValueError: wrong shapes, a batch below 2, NaN or infinity, a temperature that is not above 0,
            or teacher values that overflow.

    >>> z = torch.eye(3)
    >>> float(distillation(z, z, z @ z.T))
    0.0
    """
    check_temperature(temperature)
    check_vectors({"z1": z1, "z2": z2})
    check_vectors({"teacher": teacher})
    check_same_shape({"z1": z1, "z2": z2})
    size = len(z1)
    if size < 2 or teacher.shape != (size, size):
        raise ValueError(
            f"teacher has shape {tuple(teacher.shape)} for {size} sentences; it must be (B, B), and B at least 2"
        )
    if not torch.isfinite(at_least_float32(teacher).to(at_least_float32(z1)) * 2 / temperature).all():
        raise ValueError(
            f"teacher has values up to {float(teacher.abs().max()):.3g}, which overflow when they are divided by "
            f"temperature={temperature}; give cosines, from -1 to 1"
        )
    with torch.autocast(z1.device.type, enabled=False):
        return divergence(cosines(z1, z2) / temperature, teacher, temperature).mean()


def divergence(logits: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """Return each row's divergence, ``(B,)``, from the student's logits and the teacher's cosines, ``(B, B)`` each."""
    itself = torch.eye(len(logits), dtype=torch.bool, device=logits.device)
    student = _others(logits, itself).log_softmax(dim=1)  # (B, B - 1)
    target = _others(teacher.detach().to(logits) / temperature, itself).log_softmax(dim=1)
    return (target.exp() * (target - student)).sum(dim=1)


def _others(square: Tensor, itself: Tensor) -> Tensor:
    """Drop the diagonal, ``(B, B)`` to ``(B, B - 1)``."""
    return square[~itself].view(len(square), -1)
