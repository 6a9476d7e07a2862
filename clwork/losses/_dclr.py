"""DCLR (Zhou, Zhang, Zhao, Wen, ACL 2022, arXiv:2205.00656): weighted in-batch negatives, and noise as more of them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple, get_args

import torch
from torch import Tensor

from .. import _validation
from .._validation import shown
from ..arithmetic import at_least_float32, may_read, normalize
from .checks import Variant, check_number, check_same_shape, check_temperature, check_vectors
from .infonce import Reduction, Scores, cosines

REDUCTIONS: dict[Variant, Reduction] = {"paper": "softmax", "code": "binary", "literal": "negatives_only"}


def dclr(
    z1: Tensor,
    z2: Tensor,
    *,
    noise: Tensor | None = None,
    weights: Tensor | None = None,
    temperature: float = 0.05,
    variant: Variant = "paper",
) -> Tensor:
    """InfoNCE of first and second views, without the negatives that ``weights`` masks and with noise as more of them.

    ``ℓ_i = -log( e^{cos(z1_i, z2_i)/τ} / ( e^{cos(z1_i, z2_i)/τ} + Σ_{j≠i} α_ij e^{cos(z1_i, z2_j)/τ}
    + Σ_k e^{cos(z1_i, n_k)/τ} ) )`` (paper §4.2), the mean over i. ``α = weights`` states which in-batch negatives
    count: 0 takes one out; its diagonal is ignored, and noise weighs 1 unless there are columns for it too (D16)::

                   z2_0   z2_1   z2_2     n_0  n_1
        z1_0    [   P     α_01   α_02      1    1  ]
        z1_1    [  α_10    P     α_12      1    1  ]
        z1_2    [  α_20   α_21    P        1    1  ]

    With all weights 1 and no noise this is SimCSE. Paper, summary and program disagree (D1, D5, D6), hence ``variant``:

    - ``"paper"``: the above, as the paper means it.
    - ``"literal"``: the formula as a summary of the paper prints it. The positive is missing from the denominator, and
      so is α: weights change nothing. The loss is not bounded by 0 and rewards cosines that are right already;
      with cosines it ends at ``-2/τ + log(negatives)``.
    - ``"code"``: as the authors' program computes it: binary cross-entropy of every column, the mean over all
      ``B (B + K)`` of them, and a weight multiplies the *logit*, so that a masked negative still counts ``e^0 = 1``.
      The program's NaN at ``P = 1`` (D10) is avoided: the logarithms are taken before the exponentials.

    Shapes: ``z1``, ``z2`` ``(B, D)``; ``noise`` ``(K, D)``, the same for every sentence, or ``(B, K, D)``, one
    set for each sentence; ``weights`` ``(B, B)`` or ``(B, B + K)`` in [0, 1], float or bool; result 0-dim.
    Noise and weights are constants: no gradient reaches them. ``temperature`` > 0; ``"paper"`` lies in
    [0, 2/τ + log(B + K)]. Computes in float32, also under autocast; float64 stays float64.

    Raises:
        TypeError: no floating-point tensors, or a temperature that is no number.
        ValueError: other shapes, NaN, infinity, a value out of its range, or ``"literal"`` without any negative.

    >>> z = torch.ones(4, 8)  # all cosines equal: the log of the columns
    >>> float(dclr(z, z, noise=torch.ones(12, 8))), float(torch.tensor(16.0).log())
    (2.772..., 2.772...)
    """
    return _checked_scores(z1, z2, noise, weights, temperature, variant).loss()


def dclr_scores(
    z1: Tensor, z2: Tensor, noise: Tensor | None, weights: Tensor | None, temperature: float, variant: Variant
) -> Scores:
    """Return the scores of :func:`dclr`, ``(B, B + K)``: first views with second views, then with noise; no checks."""
    values, batch = cosines(z1, z2), len(z1)
    if noise is not None and noise.dim() == 3:
        with torch.autocast(z1.device.type, enabled=False):
            anchors = normalize(at_least_float32(z1)).to(values)
            others = normalize(at_least_float32(noise.detach())).to(values)  # (B, K, D)
            values = torch.cat([values, torch.einsum("bd,bkd->bk", anchors, others)], dim=1)
    elif noise is not None:
        values = torch.cat([values, cosines(z1, noise.detach()).to(values)], dim=1)
    log_weights = None
    if weights is not None:
        alpha = torch.ones_like(values, requires_grad=False)  # 1 on positives, and on noise without weights
        alpha[:, : weights.shape[1]] = weights.detach().to(alpha)
        alpha[:, :batch].fill_diagonal_(1.0)
        log_weights = alpha.log()  # D6: log 0 = -inf, truly absent
    positives = torch.arange(batch, device=values.device)
    return Scores(values, positives, temperature, log_weights, REDUCTIONS[variant])


def _checked_scores(
    z1: Tensor, z2: Tensor, noise: Tensor | None, weights: Tensor | None, temperature: float, variant: Variant = "paper"
) -> Scores:
    _validation.choice("variant", variant, get_args(Variant))
    check_temperature(temperature)
    check_vectors({"z1": z1, "z2": z2})
    check_same_shape({"z1": z1, "z2": z2})
    batch = columns = len(z1)
    if noise is not None:
        _validation.tensor("noise", noise, "(K, D) or (B, K, D)")
        of_each = noise.dim() == 3
        check_vectors({"z1": z1, "noise": noise.flatten(0, 1) if of_each else noise})
        if of_each and len(noise) != batch:
            raise ValueError(f"noise has shape {tuple(noise.shape)} for {batch} sentences; give (K, D) or (B, K, D)")
        columns += noise.shape[-2]
    if variant == "literal" and columns < 2:
        raise ValueError("'literal' has no positive in its denominator: one sentence without noise leaves it empty")
    if weights is not None:
        _check_weights(weights, batch, columns)
    return dclr_scores(z1, z2, noise, weights, temperature, variant)


def _check_weights(weights: Tensor, batch: int, columns: int) -> None:
    """Check that α is ``(B, B)`` or ``(B, B + K)``, in [0, 1] outside its diagonal."""
    if not isinstance(weights, Tensor) or weights.is_complex():
        raise TypeError(f"weights is {type(weights).__name__}; pass a real torch.Tensor of shape (B, B)")
    _validation.tensor("weights", weights, "(B, B)")
    if weights.shape not in ((batch, batch), (batch, columns)):
        raise ValueError(
            f"weights has shape {tuple(weights.shape)}; it must be (B, B) = ({batch}, {batch}), or (B, B + K) where "
            "noise is weighed too"
        )
    if may_read(weights):
        alpha = weights.detach().to(torch.float64, copy=True)
        alpha[:, :batch].fill_diagonal_(1.0)
        if not ((alpha >= 0) & (alpha <= 1)).all():
            raise ValueError("weights holds NaN or numbers outside [0, 1]; 0 takes a negative out, 1 retains it")


class Masses(NamedTuple):
    """Softmax mass of positive, in-batch negatives and noise, 0-dim each, averaged over sentences; they sum to 1."""

    positive: Tensor
    in_batch: Tensor
    noise: Tensor


def softmax_mass(
    z1: Tensor, z2: Tensor, *, noise: Tensor | None = None, weights: Tensor | None = None, temperature: float = 0.05
) -> Masses:
    """Compute the softmax mass of positive, in-batch negatives and noise in ``dclr(variant="paper")``.

    The gradient on a negative's logit *is* its share of the softmax: a group with a mass of a millionth
    contributes next to nothing to the gradient.

    Shapes and errors: as for :func:`dclr`; results 0-dim, in [0, 1], without gradient.

    >>> z = torch.ones(4, 8)
    >>> [round(float(mass), 2) for mass in softmax_mass(z, z, noise=torch.ones(12, 8))]
    [0.06, 0.19, 0.75]
    """
    return masses(_checked_scores(z1, z2, noise, weights, temperature))


def masses(scores: Scores) -> Masses:
    """Reduce the scores of :func:`dclr`, of any variant, to :func:`softmax_mass`."""
    shares = _as_paper(scores).shares  # (B, B + K)
    batch = len(shares)
    positive = shares.diagonal()
    others = shares[:, :batch].masked_fill(torch.eye(batch, dtype=torch.bool, device=shares.device), 0.0)
    return Masses(positive.mean(), others.sum(dim=1).mean(), shares[:, batch:].sum(dim=1).mean())


class GradientShares(NamedTuple):
    """Parts of the gradient on the first views, 0-dim each, as shares of its length."""

    noise: Tensor
    masking: Tensor


def gradient_shares(
    z1: Tensor, z2: Tensor, *, noise: Tensor | None = None, weights: Tensor | None = None, temperature: float = 0.05
) -> GradientShares:
    """Compute the shares of noise and of masking in the gradient of ``dclr(variant="paper")`` on ``z1``.

    A sentence is pulled to its positive and pushed from each column by that column's share ``p`` of the softmax::

        ∂ℓ_i/∂z1_i  =  P_i ( Σ_j p_ij z2_j + Σ_k p_ik n_k - z2_i ) / (τ ‖z1_i‖)      all vectors at length 1
                                             ╰── noise ──╯

    with ``P_i`` the projection across ``z1_i``, along which a cosine does not change. ``noise`` is the length of its
    sum over that of the whole, both over the batch. ``masking`` is the length of the change that ``weights`` make,
    over that of the gradient without them. Parts may cancel, so that 1 is no limit.

    Shapes and errors: as for :func:`dclr`; results 0-dim, at least 0, without gradient; 0 if the whole gradient is 0.

    >>> z = torch.eye(4)
    >>> round(float(gradient_shares(z, z, weights=torch.eye(4), temperature=1.0).masking), 2)  # no negative is left
    1.0
    """
    return shares_of_gradient(_checked_scores(z1, z2, noise, weights, temperature), z1, z2, noise)


def shares_of_gradient(scores: Scores, z1: Tensor, z2: Tensor, noise: Tensor | None) -> GradientShares:
    """Reduce the scores of :func:`dclr`, of any variant, to the :func:`gradient_shares` of their vectors."""
    values = scores.values
    with torch.autocast(z1.device.type, enabled=False):
        first, second = (normalize(at_least_float32(z.detach())).to(values) for z in (z1, z2))  # (B, D)
        others = None if noise is None else normalize(at_least_float32(noise.detach())).to(values)
        length = torch.linalg.vector_norm(at_least_float32(z1.detach()), dim=1, keepdim=True).to(values)

        def across(vectors: Tensor) -> Tensor:
            """Component of ``vectors`` orthogonal to ``z1``, divided by the norm of ``z1`` (without 1/τ)."""
            along = (vectors * first).sum(dim=1, keepdim=True) * first
            projected: Tensor = (vectors - along) / length.masked_fill(length == 0, 1.0)  # as normalize() has it
            return projected

        def parts(shares: Tensor) -> tuple[Tensor, Tensor]:
            """Gradient for these softmax weights, and the contribution of noise to it; ``(B, D)`` each."""
            from_noise = torch.zeros_like(first)
            if others is not None:
                form = "bk,bkd->bd" if others.dim() == 3 else "bk,kd->bd"
                from_noise = torch.einsum(form, shares[:, len(first) :], others)
            return across(shares[:, : len(first)] @ second + from_noise - second), across(from_noise)

        whole, from_noise = parts(_as_paper(scores).shares)
        unmasked = whole if scores.log_weights is None else parts(scores.unweighted.detach().softmax(dim=1))[0]
        return GradientShares(_ratio(from_noise, whole), _ratio(whole - unmasked, unmasked))


def instance_weights(
    similarities: Tensor,
    *,
    phi: float = 0.9,
    quantile: float | None = None,
    strict: bool = False,
    noise: Tensor | None = None,
) -> Tensor:
    """Mask false negatives: 0 where the complementary model's cosine reaches the threshold, else 1; diagonal 1.

    ``α_ij = 0 if sim_ij ≥ φ else 1`` (paper §4.2); the released code masks above φ only (``strict=True``). The scale
    of cosines differs between encoders, and even between two poolings of one encoder, so that a φ does not carry over.
    ``quantile`` takes the threshold from the batch instead: 0.95 masks the most similar twentieth of its pairs.
    ``noise`` are the model's cosines of each sentence with each noise vector, masked at the same threshold (D16).

    Shapes: ``(B, B)`` to ``(B, B)``, 0 or 1; with ``noise`` ``(B, K)`` to ``(B, B + K)``. ``phi`` in [-1, 1];
    ``quantile`` in (0, 1) overrides it.

    Raises:
        TypeError, ValueError: similarities are no finite square matrix, phi or quantile is out of range.

    >>> instance_weights(torch.tensor([[1.0, 0.95], [0.2, 1.0]]))
    tensor([[1., 0.],
            [1., 1.]])
    """
    check_vectors({"similarities": similarities})
    _validation.flag("strict", strict)
    size = len(similarities)
    if similarities.shape != (size, size):
        raise ValueError(f"similarities has shape {tuple(similarities.shape)}; it must be (B, B): each with each")
    check_number("phi", phi)
    if not -1 <= phi <= 1:
        raise ValueError(
            f"phi is {shown(phi)}; it is a cosine and must lie in [-1, 1] (the paper's models used 0.85 and 0.9)"
        )
    if quantile is not None:
        check_number("quantile", quantile)
        if not 0 < quantile < 1:
            raise ValueError(
                f"quantile is {shown(quantile)}; it must lie between 0 and 1 (0.95 masks the top twentieth)"
            )
    if noise is not None:
        check_vectors({"noise": noise})
    return masking_weights(similarities, phi, quantile, strict, noise)


def masking_weights(
    similarities: Tensor, phi: float, quantile: float | None, strict: bool, noise: Tensor | None
) -> Tensor:
    """Return :func:`instance_weights`, without its checks."""
    size = len(similarities)
    threshold: float | Tensor = phi
    if quantile is not None and size > 1:  # of all entries outside the diagonal
        negatives = similarities.detach().flatten()[1:].view(size - 1, size + 1)[:, :-1].flatten()
        threshold = negatives.sort().values[min(math.floor(quantile * len(negatives)), len(negatives) - 1)]
    if noise is not None:
        similarities = torch.cat([similarities, noise.to(similarities)], dim=1)  # (B, B + K)
    alike = similarities > threshold if strict else similarities >= threshold
    alike[:, :size] &= ~torch.eye(size, dtype=torch.bool, device=similarities.device)
    return (~alike).to(at_least_float32(similarities))


def _as_paper(scores: Scores) -> Scores:
    """Return the scores with the softmax reduction: the same object, with its cache, if they have it already."""
    return scores if scores.reduction == "softmax" else replace(scores, reduction="softmax")


def _ratio(part: Tensor, whole: Tensor) -> Tensor:
    """Ratio of the two norms; scaled first, because short vectors have gradients whose squares overflow float32."""
    largest = torch.maximum(part.abs().max(), whole.abs().max())
    unit_of_length = largest.masked_fill(largest == 0, 1.0)
    length = (whole / unit_of_length).norm()
    ratio = (part / unit_of_length).norm() / length.masked_fill(length == 0, 1.0)
    return torch.where(length > 0, ratio, torch.zeros_like(length))
