"""InfoNCE, the core that the contrastive losses share: which candidate is the anchor's own?"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import checks
from ..arithmetic import at_least_float32, unit
from .checks import check_temperature, check_vectors


def cosine_logits(anchors: Tensor, candidates: Tensor, temperature: float) -> Tensor:
    """``cos(anchor_i, candidate_j) / temperature``, by normalising and one matrix product, outside any autocast.

    Shapes: ``(A, D)``, ``(C, D)`` to ``(A, C)``; float32, or float64 if either input is.
    """
    with torch.autocast(anchors.device.type, enabled=False):
        left, right = unit(at_least_float32(anchors)), unit(at_least_float32(candidates))
        dtype = torch.promote_types(left.dtype, right.dtype)
        return left.to(dtype) @ right.to(dtype).T / temperature  # (A, C)


def info_nce(
    anchors: Tensor,
    candidates: Tensor,
    targets: Tensor | None = None,
    *,
    temperature: float = 0.05,
    log_weights: Tensor | None = None,
) -> Tensor:
    """Mean over anchors of the cross-entropy of finding each anchor's positive among all candidates.

    ``loss = -mean_i log( w_ip e^{cos(a_i, c_p)/τ} / Σ_j w_ij e^{cos(a_i, c_j)/τ} )`` with ``p = targets[i]``
    (van den Oord et al. 2018, eq. 4, with cosine and temperature). The positive is in the denominator.

    Every contrastive loss here is a choice of columns and weights. Extra negatives are more candidates; a candidate
    that an anchor must not see (itself, say) has weight 0, that is ``log_weights = -inf``, and is then truly absent::

                     positives p      hard negatives     noise
        anchor 0   [ P  n  n  n        α  1  1  1        1  1 ]      P  the anchor's positive
        anchor 1   [ n  P  n  n        1  α  1  1        1  1 ]      n  in-batch negatives
        ...

    Shapes: anchors ``(A, D)``, candidates ``(C, D)``, targets ``(A,)`` integers in [0, C) (default: row i belongs to
    candidate i), log_weights broadcastable to ``(A, C)`` (default: zeros); result 0-dim. Computes in float32, also
    under autocast; float64 stays float64.

    Raises:
        TypeError: no floating-point tensors, targets or log_weights that are no tensors, or a temperature that is no
            number.
        ValueError: wrong shapes, an empty batch, NaN or infinity, a target outside [0, C), a positive of weight 0, or a
            temperature that is not above 0.

    >>> same = torch.ones(4, 8)
    >>> float(info_nce(same, same)), float(torch.tensor(4.0).log())  # all cosines equal: log N
    (1.386..., 1.386...)
    """
    check_temperature(temperature)
    check_vectors({"anchors": anchors, "candidates": candidates})
    targets = _checked_targets(targets, anchors, candidates)
    logits = cosine_logits(anchors, candidates, temperature)  # (A, C)
    if log_weights is not None:
        logits = logits + _checked_log_weights(log_weights, logits, targets)
    with torch.autocast(logits.device.type, enabled=False):
        return F.cross_entropy(logits, targets)


def _checked_targets(targets: Tensor | None, anchors: Tensor, candidates: Tensor) -> Tensor:
    """The column of each anchor's positive, ``(A,)``."""
    count, columns = len(anchors), len(candidates)
    if targets is None:
        if columns < count:
            raise ValueError(
                f"{count} anchors but {columns} candidates; without targets, candidate i is anchor i's positive, so "
                f"there must be at least as many: pass targets"
            )
        return torch.arange(count, device=anchors.device)
    checks.tensor("targets", targets, f"({count},)")
    if targets.shape != (count,) or targets.is_floating_point() or targets.is_complex() or targets.dtype == torch.bool:
        raise ValueError(
            f"targets has shape {tuple(targets.shape)} and dtype {targets.dtype}; it must be ({count},) integers: the "
            f"column of each anchor's positive"
        )
    low, high = int(targets.min()), int(targets.max())
    if low < 0 or high >= columns:
        raise ValueError(
            f"targets run from {low} to {high}; with {columns} candidates they must lie in [0, {columns - 1}]"
        )
    return targets.long().to(anchors.device)


def _checked_log_weights(log_weights: Tensor, logits: Tensor, targets: Tensor) -> Tensor:
    """The log weights in the logits' shape and type; -inf (absent) is allowed except on positives."""
    checks.tensor("log_weights", log_weights, "(anchors, candidates)")
    if log_weights.is_complex() or log_weights.dtype == torch.bool:
        raise TypeError(f"log_weights has dtype {log_weights.dtype}; pass logarithms: 0 keeps, -infinity takes out")
    try:
        spread = log_weights.to(logits).expand_as(logits)
    except RuntimeError:
        raise ValueError(
            f"log_weights has shape {tuple(log_weights.shape)}; it must broadcast to (anchors, candidates) = "
            f"{tuple(logits.shape)}"
        ) from None
    if torch.isnan(spread).any() or torch.isposinf(spread).any():
        raise ValueError("log_weights holds NaN or +infinity; use finite numbers, or -infinity for an absent candidate")
    if torch.isneginf(spread.gather(1, targets[:, None])).any():
        raise ValueError("log_weights is -infinity on a positive: without its positive an anchor's loss is infinite")
    return spread
