"""SimCSE (Gao, Yao, Chen, EMNLP 2021, arXiv:2104.08821): the loss of both its unsupervised and supervised form."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .checks import check_same_shape, check_temperature, check_vectors, check_weight
from .infonce import Scores, concatenated, info_nce_scores


def simcse(
    z1: Tensor,
    z2: Tensor,
    hard_negatives: Tensor | None = None,
    *,
    temperature: float = 0.05,
    hard_negative_weight: float = 1.0,
) -> Tensor:
    """Find each sentence's second view among all second views (and all hard negatives) of the batch.

    Unsupervised (paper eq. 1): ``ℓ_i = -log( e^{cos(z1_i, z2_i)/τ} / Σ_j e^{cos(z1_i, z2_j)/τ} )``.
    Supervised (eq. 5 and 8): the denominator becomes ``Σ_j ( e^{cos(z1_i, z2_j)/τ} + α^[i=j] e^{cos(z1_i, n_j)/τ} )``
    with ``α = hard_negative_weight`` on the sentence's *own* hard negative only; all other hard negatives of the batch
    weigh 1. Both are means over i, in one direction (z1 looks for z2)::

                  z2_0 z2_1 z2_2     n_0  n_1  n_2
        z1_0    [  P    n    n        α    1    1  ]
        z1_1    [  n    P    n        1    α    1  ]
        z1_2    [  n    n    P        1    1    α  ]

    ``α = 0`` takes the own hard negative out. (The authors' command line takes log α: their 0 is our 1.)

    Shapes: ``z1``, ``z2``, ``hard_negatives`` all ``(B, D)``, or ``hard_negatives`` ``(H·B, D)``: the first of each
    sentence, then the second of each (Table 7 adds neutral ones); result 0-dim. Lengths do not matter, only directions;
    with ``temperature`` > 0 the result then lies in [0, 2/τ + log 2B] for α ≤ 1 (and H = 1), and is log B
    (or log 2B) where all cosines are equal. Computes in float32, also under autocast; float64 stays float64.

    Raises:
        TypeError: no floating-point tensors, or an option that is no number.
        ValueError: shapes that are not all equal and (B, D), an empty batch, NaN or infinity, a temperature that is not
            above 0, a negative weight.

    >>> z = torch.eye(64)  # every sentence on an axis of its own: solved
    >>> f"{simcse(z.double(), z.double()):.3g}"  # log(1 + 63 e^-20)
    '1.3e-07'
    """
    return simcse_scores(
        z1,
        z2,
        hard_negatives,
        temperature=temperature,
        hard_negative_weight=hard_negative_weight,
    ).loss()


def simcse_scores(
    z1: Tensor,
    z2: Tensor,
    hard_negatives: Tensor | None = None,
    *,
    temperature: float = 0.05,
    hard_negative_weight: float = 1.0,
) -> Scores:
    """Return the scores of :func:`simcse`: ``(B, B)``, or ``(B, (1 + H)·B)`` with hard negatives behind second views.

    Raises:
        TypeError, ValueError: as :func:`simcse`.
    """
    check_temperature(temperature)
    check_weight("hard_negative_weight", hard_negative_weight)
    views = {"z1": z1, "z2": z2}
    if hard_negatives is not None:
        views["hard_negatives"] = hard_negatives
    check_vectors(views)
    several = 0 if hard_negatives is None else len(hard_negatives) // len(z1)  # H
    if hard_negatives is not None and len(hard_negatives) == several * len(z1):
        views["hard_negatives"] = hard_negatives[: len(z1)]
    check_same_shape(views)
    candidates, log_weights = z2, None
    if hard_negatives is not None:
        candidates = concatenated(z2, hard_negatives)  # ((1 + H)·B, D)
        log_weights = _own_weight(len(z1), several, hard_negative_weight, z1)  # (B, (1 + H)·B)
    return info_nce_scores(z1, candidates, temperature=temperature, log_weights=log_weights)


def _own_weight(count: int, several: int, weight: float, like: Tensor) -> Tensor:
    """Log weights of the columns: log α where a row meets a hard negative of its own, 0 (weight 1) elsewhere."""
    dtype = torch.float64 if like.dtype == torch.float64 else torch.float32  # not float16, where log α would be coarse
    log_weights = torch.zeros(count, (1 + several) * count, device=like.device, dtype=dtype)
    for block in range(several):
        own = log_weights.diagonal(offset=(1 + block) * count)
        own.fill_(math.log(weight) if weight > 0 else -math.inf)
    return log_weights
