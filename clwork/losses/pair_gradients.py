"""What DCLR's two ideas do to the gradient of a batch, in closed form: its noise, and its masked negatives."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from ..arithmetic import at_least_float32, unit
from .dclr_loss import _checked_weights, _logits


class GradientShares(NamedTuple):
    """Parts of the gradient on the first views, 0-dim each, as shares of its length."""

    noise: Tensor
    masking: Tensor


def gradient_shares(
    z1: Tensor,
    z2: Tensor,
    *,
    noise: Tensor | None = None,
    weights: Tensor | None = None,
    temperature: float = 0.05,
) -> GradientShares:
    """How much of the gradient of ``dclr(variant="paper")`` on ``z1`` comes from noise, and how much masking changes.

    A sentence is pulled to its positive and pushed from each column by that column's share ``p`` of the softmax::

        ∂ℓ_i/∂z1_i  =  P_i ( Σ_j p_ij z2_j + Σ_k p_ik n_k - z2_i ) / (τ ‖z1_i‖)      all vectors at length 1
                                             ╰── noise ──╯

    with ``P_i`` the projection across ``z1_i``, along which a cosine does not change. ``noise`` is the length of its
    sum over that of the whole, both over the batch. ``masking`` is the length of the change that ``weights`` make,
    over that of the gradient without them. Parts may cancel, so that 1 is no limit.

    Shapes: as for :func:`dclr`; results 0-dim, at least 0, without gradient; 0 where the whole gradient is 0.

    Raises:
        TypeError, ValueError: as :func:`dclr`.

    >>> z = torch.eye(4)
    >>> round(float(gradient_shares(z, z, weights=torch.eye(4), temperature=1.0).masking), 2)  # no negative is left
    1.0
    """
    logits = _logits(z1, z2, noise, temperature).detach()  # (B, B + K)
    alpha = _checked_weights(weights, logits)
    with torch.autocast(z1.device.type, enabled=False):
        first, second = (unit(at_least_float32(z.detach())).to(logits) for z in (z1, z2))  # (B, D)
        others = None if noise is None else unit(at_least_float32(noise.detach())).to(logits)
        length = torch.linalg.vector_norm(at_least_float32(z1.detach()), dim=1, keepdim=True).to(logits)

        def across(vectors: Tensor) -> Tensor:
            """Component of ``vectors`` orthogonal to ``z1``, divided by the norm of ``z1`` (without 1/τ)."""
            along = (vectors * first).sum(dim=1, keepdim=True) * first
            projected: Tensor = (vectors - along) / length.masked_fill(length == 0, 1.0)  # as unit() has it
            return projected

        def parts(shares: Tensor) -> tuple[Tensor, Tensor]:
            """Gradient for these softmax weights, and the contribution of noise to it; ``(B, D)`` each."""
            from_noise = torch.zeros_like(first)
            if others is not None:
                form = "bk,bkd->bd" if others.dim() == 3 else "bk,kd->bd"
                from_noise = torch.einsum(form, shares[:, len(first) :], others)
            return across(shares[:, : len(first)] @ second + from_noise - second), across(from_noise)

        whole, from_noise = parts((logits + alpha.log()).softmax(dim=1))
        unmasked = whole if weights is None else parts(logits.softmax(dim=1))[0]
        return GradientShares(_ratio(from_noise, whole), _ratio(whole - unmasked, unmasked))


def _ratio(part: Tensor, whole: Tensor) -> Tensor:
    """Ratio of the two norms; scaled first, because short vectors have gradients whose squares overflow float32."""
    largest = torch.maximum(part.abs().max(), whole.abs().max())
    unit_of_length = largest.masked_fill(largest == 0, 1.0)
    length = (whole / unit_of_length).norm()
    ratio = (part / unit_of_length).norm() / length.masked_fill(length == 0, 1.0)
    return torch.where(length > 0, ratio, torch.zeros_like(length))
