"""DCLR (Zhou, Zhang, Zhao, Wen, ACL 2022, arXiv:2205.00656): weighted and noise negatives."""

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

REDUCTIONS: dict[Variant, Reduction] = {
    "paper": "softmax",
    "code": "binary",
    "literal": "negatives_only",
}


def dclr(
    z1: Tensor,
    z2: Tensor,
    *,
    noise: Tensor | None = None,
    weights: Tensor | None = None,
    temperature: float = 0.05,
    variant: Variant = "paper",
) -> Tensor:
    """InfoNCE between two views, with weighted in-batch negatives and with noise as negatives.

    ``ℓ_i = -log( e^{cos(z1_i, z2_i)/τ} / ( e^{cos(z1_i, z2_i)/τ} + Σ_{j≠i} α_ij e^{cos(z1_i,
    z2_j)/τ} + Σ_k e^{cos(z1_i, n_k)/τ} ) )`` (paper §4.2); the loss is the mean over i. ``weights``
    is α, where 0 removes an in-batch negative and the diagonal is ignored. Noise has weight 1,
    unless ``weights`` has columns for noise (D16)::

                   z2_0   z2_1   z2_2     n_0  n_1
        z1_0    [   P     α_01   α_02      1    1  ]
        z1_1    [  α_10    P     α_12      1    1  ]
        z1_2    [  α_20   α_21    P        1    1  ]

    With all weights 1 and no noise this is SimCSE. ``variant`` selects between sources that
    disagree (D1, D5, D6):

    - ``"paper"``: the formula above, as the paper intends it.
    - ``"literal"``: the formula as printed in a summary of the paper. The denominator lacks the
      positive and α, so weights have no effect. The loss can be negative; its minimum is
      ``-2/τ + log(negatives)``.
    - ``"code"``: the released code. The loss is the binary cross-entropy, averaged over all
      ``B (B + K)`` entries. A weight multiplies the *logit*, so a masked negative still adds
      ``e^0 = 1`` to the denominator. Unlike the released code, the result is finite for ``P = 1``
      (D10).

    Shapes: ``z1``, ``z2`` ``(B, D)``; ``noise`` ``(K, D)``, the same for every sentence, or
    ``(B, K, D)``, one set for each sentence; ``weights`` ``(B, B)`` or ``(B, B + K)`` in [0, 1],
    float or bool; result 0-dim. Noise and weights get no gradient. ``temperature`` > 0; the loss of
    ``"paper"`` lies in [0, 2/τ + log(B + K)]. Computes in at least float32, also under autocast.

    Raises:
        TypeError: an argument is not a floating-point tensor, or the temperature is not a number.
        ValueError: a wrong shape, NaN, infinity, a value out of its range, or ``"literal"`` without
        any negative.

    >>> z = torch.ones(4, 8)  # all cosines equal: the log of the number of columns
    >>> float(dclr(z, z, noise=torch.ones(12, 8))), float(torch.tensor(16.0).log())
    (2.772..., 2.772...)
    """
    return _checked_scores(z1, z2, noise, weights, temperature, variant).loss()


def dclr_scores(
    z1: Tensor,
    z2: Tensor,
    noise: Tensor | None,
    weights: Tensor | None,
    temperature: float,
    variant: Variant,
) -> Scores:
    """Return the scores of :func:`dclr`, ``(B, B + K)``, unchecked: second views, then noise."""
    values, batch = cosines(z1, z2), len(z1)
    # Append the columns of the noise: one set for each sentence (B, K, D), or shared (K, D).
    if noise is not None and noise.dim() == 3:
        with torch.autocast(z1.device.type, enabled=False):
            anchors = normalize(at_least_float32(z1)).to(values)
            others = normalize(at_least_float32(noise.detach())).to(values)  # (B, K, D)
            values = torch.cat([values, torch.einsum("bd,bkd->bk", anchors, others)], dim=1)
    elif noise is not None:
        values = torch.cat([values, cosines(z1, noise.detach()).to(values)], dim=1)
    log_weights = None
    if weights is not None:
        # 1 for positives, and for noise that has no weights
        alpha = torch.ones_like(values, requires_grad=False)
        alpha[:, : weights.shape[1]] = weights.detach().to(alpha)
        alpha[:, :batch].fill_diagonal_(1.0)
        log_weights = alpha.log()  # D6: log 0 = -inf removes the pair
    positives = torch.arange(batch, device=values.device)
    return Scores(values, positives, temperature, log_weights, REDUCTIONS[variant])


def _checked_scores(
    z1: Tensor,
    z2: Tensor,
    noise: Tensor | None,
    weights: Tensor | None,
    temperature: float,
    variant: Variant = "paper",
) -> Scores:
    """Return :func:`dclr_scores`, after checking the arguments; the errors are those of `dclr`."""
    _validation.choice("variant", variant, get_args(Variant))
    check_temperature(temperature)
    check_vectors({"z1": z1, "z2": z2})
    check_same_shape({"z1": z1, "z2": z2})
    batch = len(z1)
    # The columns of the score matrix are B second views, then K noise vectors.
    columns = batch
    if noise is not None:
        _validation.tensor("noise", noise, "(K, D) or (B, K, D)")
        # (B, K, D): each sentence has its own noise
        has_own_noise = noise.dim() == 3
        rows = noise.flatten(0, 1) if has_own_noise else noise
        check_vectors({"z1": z1, "noise": rows})
        if has_own_noise and len(noise) != batch:
            raise ValueError(
                f"noise has shape {tuple(noise.shape)} for {batch} sentences; "
                "give (K, D) or (B, K, D)"
            )
        columns += noise.shape[-2]
    # The formula as printed sums over the negatives alone, and one column is the positive.
    if variant == "literal" and columns < 2:
        raise ValueError(
            "variant='literal' needs at least one negative; use at least 2 sentences, or noise"
        )
    if weights is not None:
        _check_weights(weights, batch, columns)
    return dclr_scores(z1, z2, noise, weights, temperature, variant)


def _check_weights(weights: Tensor, batch: int, columns: int) -> None:
    """Check that α is ``(B, B)`` or ``(B, B + K)``, in [0, 1] outside its diagonal."""
    if not isinstance(weights, Tensor) or weights.is_complex():
        raise TypeError(
            f"weights is {type(weights).__name__}; pass a real torch.Tensor of shape (B, B)"
        )
    if weights.shape not in ((batch, batch), (batch, columns)):
        raise ValueError(
            f"weights has shape {tuple(weights.shape)}; it must be (B, B) = ({batch}, {batch}), or "
            "(B, B + K) to weight noise too"
        )
    if may_read(weights):
        alpha = weights.detach().to(torch.float64, copy=True)
        alpha[:, :batch].fill_diagonal_(1.0)
        if not ((alpha >= 0) & (alpha <= 1)).all():
            raise ValueError(
                "weights has NaN or values outside [0, 1]; "
                "use 0 to remove a negative, 1 to retain it"
            )


class Masses(NamedTuple):
    """Mean softmax mass of positive, all in-batch negatives and all noise, 0-dim each; sum 1."""

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
    """Compute the softmax mass of positive, in-batch negatives and noise in DCLR's paper variant.

    A negative's mass equals the loss's gradient by its logit, so negatives of tiny mass have almost
    no effect.

    Shapes and errors: as for :func:`dclr`; results 0-dim, in [0, 1], without gradient.

    >>> z = torch.ones(4, 8)
    >>> [round(float(mass), 2) for mass in softmax_mass(z, z, noise=torch.ones(12, 8))]
    [0.06, 0.19, 0.75]
    """
    return masses(_checked_scores(z1, z2, noise, weights, temperature))


def masses(scores: Scores) -> Masses:
    """Return :func:`softmax_mass` of given scores of :func:`dclr`, of any variant."""
    shares = _as_paper(scores).shares  # (B, B + K)
    batch = len(shares)
    positive = shares.diagonal()
    # The in-batch part without its diagonal, which has the positives.
    others = shares[:, :batch].masked_fill(
        torch.eye(batch, dtype=torch.bool, device=shares.device), 0.0
    )
    return Masses(positive.mean(), others.sum(dim=1).mean(), shares[:, batch:].sum(dim=1).mean())


class GradientShares(NamedTuple):
    """Shares of noise and of masking in the norm of the gradient by the first views, 0-dim each."""

    noise: Tensor
    masking: Tensor


def shares_of_gradient(
    scores: Scores, z1: Tensor, z2: Tensor, noise: Tensor | None
) -> GradientShares:
    """Compute the shares of noise and of masking in the gradient of :func:`dclr` by ``z1``.

    With ``p`` the softmax of a row and normalised vectors, the gradient of ``"paper"`` is::

        ∂ℓ_i/∂z1_i  =  P_i ( Σ_j p_ij z2_j + Σ_k p_ik n_k - z2_i ) / (τ ‖z1_i‖)
                                             ╰── noise ──╯

    ``P_i`` projects onto the directions orthogonal to ``z1_i``. ``noise`` is the norm of the noise
    term divided by the norm of the gradient, both over the whole batch. ``masking`` is the norm of
    the change that the weights cause, divided by the norm of the gradient without weights. Terms
    can cancel, so both shares can exceed 1.

    ``scores`` are those of :func:`dclr_scores` for ``z1``, ``z2`` ``(B, D)`` and ``noise``
    ``(K, D)`` or ``(B, K, D)``, of any variant. Results 0-dim, at least 0, without gradient; 0 if
    the gradient is 0.
    """
    values = scores.values

    def unit(vectors: Tensor) -> Tensor:
        """Return vectors of length 1, without gradient, in the number format of the scores."""
        return normalize(at_least_float32(vectors.detach())).to(values)

    with torch.autocast(z1.device.type, enabled=False):
        first = unit(z1)  # (B, D)
        second = unit(z2)  # (B, D)
        others = None if noise is None else unit(noise)
        length = torch.linalg.vector_norm(at_least_float32(z1.detach()), dim=1, keepdim=True)
        length = length.to(values)  # (B, 1)

        def across(vectors: Tensor) -> Tensor:
            """Return the part of ``vectors`` orthogonal to ``z1``, over the norm of ``z1``."""
            along = (vectors * first).sum(dim=1, keepdim=True) * first
            # A zero vector stays zero, since it is divided by 1.
            projected: Tensor = (vectors - along) / length.masked_fill(length == 0, 1.0)
            return projected

        def parts(shares: Tensor) -> tuple[Tensor, Tensor]:
            """Return the gradient for these softmax weights and its noise term, ``(B, D)`` each."""
            from_noise = torch.zeros_like(first)
            if others is not None:
                form = "bk,bkd->bd" if others.dim() == 3 else "bk,kd->bd"
                from_noise = torch.einsum(form, shares[:, len(first) :], others)
            in_batch = shares[:, : len(first)] @ second
            return across(in_batch + from_noise - second), across(from_noise)

        whole, from_noise = parts(_as_paper(scores).shares)
        unmasked = whole
        if scores.log_weights is not None:
            # The parts of the gradient as if no negative were masked.
            unmasked, _ = parts(scores.unweighted.detach().softmax(dim=1))
        return GradientShares(_ratio(from_noise, whole), _ratio(whole - unmasked, unmasked))


def instance_weights(
    similarities: Tensor,
    *,
    phi: float = 0.9,
    quantile: float | None = None,
    strict: bool = False,
    noise: Tensor | None = None,
) -> Tensor:
    """Return weights that mask false negatives, by their cosines in a complementary model.

    ``α_ij = 0 if sim_ij ≥ φ else 1`` (paper §4.2); the released code masks above φ only
    (``strict=True``). The scale of cosines differs between encoders and poolings, so a φ chosen for
    one does not suit another. ``quantile`` computes the threshold from the batch instead: 0.95
    masks the most similar 5 % of its pairs. ``noise`` has the model's cosines of each sentence with
    each noise vector; the same threshold masks noise vectors (D16).

    Shapes: ``(B, B)`` to ``(B, B)``, 0 or 1, diagonal 1; with ``noise`` ``(B, K)`` to
    ``(B, B + K)``. ``phi`` in [-1, 1]; ``quantile`` in (0, 1) overrides ``phi``.

    Raises:
        TypeError, ValueError: similarities is not a finite square matrix, or phi or quantile is out
        of range.

    >>> instance_weights(torch.tensor([[1.0, 0.95], [0.2, 1.0]]))
    tensor([[1., 0.],
            [1., 1.]])
    """
    check_vectors({"similarities": similarities})
    _validation.flag("strict", strict)
    size = len(similarities)
    if similarities.shape != (size, size):
        raise ValueError(
            f"similarities has shape {tuple(similarities.shape)}; it must be square: (B, B)"
        )
    check_number("phi", phi)
    if not -1 <= phi <= 1:
        raise ValueError(
            f"phi is {shown(phi)}; it is a cosine and must lie in [-1, 1] (the paper's models used "
            "0.85 and 0.9)"
        )
    if quantile is not None:
        check_number("quantile", quantile)
        if not 0 < quantile < 1:
            raise ValueError(
                f"quantile is {shown(quantile)}; "
                "it must lie between 0 and 1 (0.95 masks the top 5 %)"
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
    # The quantile of all entries outside the diagonal. In the flat matrix, a diagonal entry is
    # followed by B others: without the very first, rows of B + 1 entries end in a diagonal one.
    if quantile is not None and size > 1:
        negatives = similarities.detach().flatten()[1:].view(size - 1, size + 1)[:, :-1].flatten()
        threshold = negatives.sort().values[
            min(math.floor(quantile * len(negatives)), len(negatives) - 1)
        ]
    if noise is not None:
        similarities = torch.cat([similarities, noise.to(similarities)], dim=1)  # (B, B + K)
    alike = similarities > threshold if strict else similarities >= threshold
    # A sentence is never a false negative of itself.
    alike[:, :size] &= ~torch.eye(size, dtype=torch.bool, device=similarities.device)
    return (~alike).to(at_least_float32(similarities))


def _as_paper(scores: Scores) -> Scores:
    """Return the scores with the softmax reduction; if they have it, unchanged with their cache."""
    return scores if scores.reduction == "softmax" else replace(scores, reduction="softmax")


def _ratio(part: Tensor, whole: Tensor) -> Tensor:
    """Return the ratio of two norms; scaled, as squares of large gradients overflow float32."""
    largest = torch.maximum(part.abs().max(), whole.abs().max())
    scale = largest.masked_fill(largest == 0, 1.0)
    length = (whole / scale).norm()
    ratio = (part / scale).norm() / length.masked_fill(length == 0, 1.0)
    return torch.where(length > 0, ratio, torch.zeros_like(length))
