"""DCLR (Zhou, Zhang, Zhao, Wen, ACL 2022, arXiv:2205.00656): weighted in-batch negatives, and noise as more of them."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import checks
from ..arithmetic import at_least_float32, unit
from ..checks import shown
from .checks import check_choice, check_flag, check_number, check_same_shape, check_temperature, check_vectors
from .infonce import cosine_logits

VARIANTS = ("paper", "code", "literal")


def dclr(
    z1: Tensor,
    z2: Tensor,
    *,
    noise: Tensor | None = None,
    weights: Tensor | None = None,
    temperature: float = 0.05,
    variant: str = "paper",
) -> Tensor:
    """Find each sentence's second view among those that are no false negatives, and among vectors of noise.

    ``ℓ_i = -log( e^{cos(z1_i, z2_i)/τ} / ( e^{cos(z1_i, z2_i)/τ} + Σ_{j≠i} α_ij e^{cos(z1_i, z2_j)/τ}
    + Σ_k e^{cos(z1_i, n_k)/τ} ) )`` (paper §4.2), the mean over i. ``α = weights`` says which in-batch negatives
    count: 0 takes one out; its diagonal is ignored, and noise weighs 1 unless there are columns for it too (D16)::

                   z2_0   z2_1   z2_2     n_0  n_1
        z1_0    [   P     α_01   α_02      1    1  ]
        z1_1    [  α_10    P     α_12      1    1  ]
        z1_2    [  α_20   α_21    P        1    1  ]

    With all weights 1 and no noise this is SimCSE. Paper, summary and program disagree (D1, D5, D6), hence ``variant``:

    - ``"paper"``: the above, which is what the paper means.
    - ``"literal"``: the formula as a summary of the paper prints it. The positive is missing from the denominator, and
      so is α: weights change nothing. The loss has no floor of 0 and goes on paying for cosines that are right already;
      with cosines it ends at ``-2/τ + log(negatives)``.
    - ``"code"``: what the authors' program computes: binary cross-entropy of every column, the mean over all
      ``B (B + K)`` of them, and a weight multiplies the *logit*, so that a masked negative still counts ``e^0 = 1``.
      The program's NaN at ``P = 1`` (D10) is not kept: the logarithms are taken before the exponentials.

    Shapes: ``z1``, ``z2`` ``(B, D)``; ``noise`` ``(K, D)``, the same for every sentence, or ``(B, K, D)``, each
    sentence's own; ``weights`` ``(B, B)`` or ``(B, B + K)`` in [0, 1], float or bool; result 0-dim.
    Noise and weights are constants: no gradient reaches them. ``temperature`` > 0; ``"paper"`` lies in
    [0, 2/τ + log(B + K)]. Computes in float32, also under autocast; float64 stays float64.

    Raises:
        TypeError: no floating-point tensors, or a temperature that is no number.
        ValueError: a wrong shape, an empty batch, NaN or infinity, a weight outside [0, 1], a temperature that is not
            above 0, an unknown variant, or ``"literal"`` where there is no negative at all.

    >>> z = torch.ones(4, 8)  # all cosines equal: the log of the columns
    >>> float(dclr(z, z, noise=torch.ones(12, 8))), float(torch.tensor(16.0).log())
    (2.772..., 2.772...)
    """
    check_choice("variant", variant, VARIANTS)
    logits = _logits(z1, z2, noise, temperature)  # (B, B + K)
    alpha = _checked_weights(weights, logits)  # (B, B + K)
    with torch.autocast(z1.device.type, enabled=False):
        if variant == "paper":
            own = torch.arange(len(logits), device=logits.device)
            return F.cross_entropy(logits + alpha.log(), own)  # D6: log 0 = -inf, truly absent
        if variant == "code":
            return binary(logits * alpha).mean()
        return without_positive(logits).mean()


class Masses(NamedTuple):
    """How a batch's softmax shares itself out, 0-dim each, mean over sentences; the three masses add up to 1."""

    positive: Tensor
    in_batch: Tensor
    noise: Tensor


def softmax_mass(
    z1: Tensor,
    z2: Tensor,
    *,
    noise: Tensor | None = None,
    weights: Tensor | None = None,
    temperature: float = 0.05,
) -> Masses:
    """What the positive, the in-batch negatives and the noise each get of the softmax of ``dclr(variant="paper")``.

    The gradient on a negative's logit *is* its share of the softmax: a group with a mass of a millionth is a group
    whose presence the encoder hardly feels.

    Shapes: as for :func:`dclr`; results 0-dim, in [0, 1], without gradient.

    Raises:
        TypeError, ValueError: as :func:`dclr`.

    >>> z = torch.ones(4, 8)
    >>> [round(float(mass), 2) for mass in softmax_mass(z, z, noise=torch.ones(12, 8))]
    [0.06, 0.19, 0.75]
    """
    logits = _logits(z1, z2, noise, temperature).detach()
    with torch.autocast(z1.device.type, enabled=False):
        shares = (logits + _checked_weights(weights, logits).log()).softmax(dim=1)  # (B, B + K)
    batch = len(shares)
    positive = shares.diagonal()
    others = shares[:, :batch].masked_fill(torch.eye(batch, dtype=torch.bool, device=shares.device), 0.0)
    return Masses(positive.mean(), others.sum(dim=1).mean(), shares[:, batch:].sum(dim=1).mean())


def instance_weights(
    similarities: Tensor,
    *,
    phi: float = 0.9,
    quantile: float | None = None,
    strict: bool = False,
    noise: Tensor | None = None,
) -> Tensor:
    """0 where the complementary model finds a negative too much like the sentence, else 1; always 1 on the diagonal.

    ``α_ij = 0 if sim_ij ≥ φ else 1`` (paper §4.2); the released code masks above φ only (``strict=True``). The scale
    of cosines differs between encoders, and even between two poolings of one encoder, so that a φ does not carry over.
    ``quantile`` takes the threshold from the batch instead: 0.95 masks the most similar twentieth of its pairs.
    ``noise`` are the model's cosines of each sentence with each noise vector, judged by the same threshold (D16).

    Shapes: ``(B, B)`` to ``(B, B)``, 0 or 1; with ``noise`` ``(B, K)`` to ``(B, B + K)``. ``phi`` in [-1, 1];
    ``quantile`` in (0, 1) overrides it.

    Raises:
        TypeError, ValueError: similarities are no finite square matrix, phi or quantile is out of range.

    >>> instance_weights(torch.tensor([[1.0, 0.95], [0.2, 1.0]]))
    tensor([[1., 0.],
            [1., 1.]])
    """
    check_vectors({"similarities": similarities})
    check_flag("strict", strict)
    size = len(similarities)
    if similarities.shape != (size, size):
        raise ValueError(f"similarities has shape {tuple(similarities.shape)}; it must be (B, B): each with each")
    diagonal = torch.eye(size, dtype=torch.bool, device=similarities.device)
    threshold = _checked_threshold(phi, quantile, similarities.detach()[~diagonal])
    if noise is not None:
        check_vectors({"noise": noise})
        similarities = torch.cat([similarities, noise.to(similarities)], dim=1)  # (B, B + K)
    alike = similarities > threshold if strict else similarities >= threshold
    alike[:, :size] &= ~diagonal
    return (~alike).to(at_least_float32(similarities))


def _checked_threshold(phi: float, quantile: float | None, negatives: Tensor) -> float:
    """Return φ, or the ``quantile`` of the similarities of all negatives."""
    check_number("phi", phi)
    if not -1 <= phi <= 1:
        raise ValueError(
            f"phi is {shown(phi)}; it is a cosine and must lie in [-1, 1] (the paper's models used 0.85 and 0.9)"
        )
    if quantile is None or len(negatives) == 0:
        return phi
    check_number("quantile", quantile)
    if not 0 < quantile < 1:
        raise ValueError(f"quantile is {shown(quantile)}; it must lie between 0 and 1 (0.95 masks the top twentieth)")
    place = min(math.floor(quantile * len(negatives)), len(negatives) - 1)
    return float(negatives.sort().values[place])


def _logits(z1: Tensor, z2: Tensor, noise: Tensor | None, temperature: float) -> Tensor:
    """Checked inputs to cosines over temperature: second views, then noise, ``(B, B + K)``."""
    check_temperature(temperature)
    check_vectors({"z1": z1, "z2": z2})
    check_same_shape({"z1": z1, "z2": z2})
    logits = cosine_logits(z1, z2, temperature)  # (B, B)
    if noise is None:
        return logits
    checks.tensor("noise", noise, "(K, D) or (B, K, D)")
    own = noise.dim() == 3
    check_vectors({"z1": z1, "noise": noise.flatten(0, 1) if own else noise})
    if own and len(noise) != len(z1):
        raise ValueError(
            f"noise has shape {tuple(noise.shape)} for {len(z1)} sentences; give (K, D) for all, or (B, K, D) for each"
        )
    if not own:
        return torch.cat([logits, cosine_logits(z1, noise.detach(), temperature).to(logits)], dim=1)
    with torch.autocast(z1.device.type, enabled=False):
        anchors = unit(at_least_float32(z1)).to(logits)
        others = unit(at_least_float32(noise.detach())).to(logits)  # (B, K, D)
        return torch.cat([logits, torch.einsum("bd,bkd->bk", anchors, others) / temperature], dim=1)


def _checked_weights(weights: Tensor | None, logits: Tensor) -> Tensor:
    """Validate α and extend it to all columns, ``(B, B + K)``: 1 on positives, and on noise without weights."""
    batch, columns = logits.shape
    alpha = torch.ones_like(logits, requires_grad=False)
    if weights is None:
        return alpha
    if not isinstance(weights, Tensor) or weights.is_complex():
        raise TypeError(f"weights is {type(weights).__name__}; pass a real torch.Tensor of shape (B, B)")
    checks.tensor("weights", weights, "(B, B)")
    if weights.shape not in ((batch, batch), (batch, columns)):
        raise ValueError(
            f"weights has shape {tuple(weights.shape)}; it must be (B, B) = ({batch}, {batch}), or (B, B + K) where "
            "noise is weighed too"
        )
    alpha[:, : weights.shape[1]] = weights.detach().to(alpha)
    alpha[:, :batch].fill_diagonal_(1.0)
    if not ((alpha >= 0) & (alpha <= 1)).all():
        raise ValueError("weights holds NaN or numbers outside [0, 1]; 0 takes a negative out, 1 keeps it")
    return alpha


def without_positive(logits: Tensor) -> Tensor:
    """The formula as retold (D1), of each row: only negatives in the denominator. ``(B, C)`` to ``(B,)``."""
    if logits.shape[1] < 2:
        raise ValueError("'literal' has no positive in its denominator: one sentence without noise leaves it empty")
    itself = torch.eye(*logits.shape, dtype=torch.bool, device=logits.device)
    return logits.masked_fill(itself, -math.inf).logsumexp(dim=1) - logits.diagonal()


def binary(logits: Tensor) -> Tensor:
    """The released loss (D5), of each pair: ``-( y log P + (1 - y) log(1 - P) )`` with P the softmax, y the diagonal.

    ``log(1 - P)`` is exact where P is at most a half. Only a row's largest entry can exceed that, and its
    ``1 - P`` is summed up from the others instead.
    """
    positive = torch.eye(*logits.shape, dtype=torch.bool, device=logits.device)
    log_p = logits.log_softmax(dim=1)  # (B, C)
    largest = torch.zeros_like(positive).scatter_(1, logits.argmax(dim=1, keepdim=True), True) & ~positive
    rest = logits.masked_fill(largest, -math.inf).logsumexp(dim=1) - logits.logsumexp(dim=1)  # (B,)
    small = torch.log1p(-log_p.masked_fill(largest | positive, -1.0).exp())  # -1: any number that has a gradient
    log_not = torch.where(largest, rest[:, None], small)  # log(1 - P), wrong on the positives, where it has no use
    return -torch.where(positive, log_p, log_not)  # (B, C)
