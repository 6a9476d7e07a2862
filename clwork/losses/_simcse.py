"""SimCSE (Gao, Yao, Chen, EMNLP 2021, arXiv:2104.08821): unsupervised and supervised loss."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .checks import check_same_shape, check_temperature, check_vectors, check_weight
from .infonce import Scores, concatenated, cosine_scores


def simcse(
    z1: Tensor,
    z2: Tensor,
    hard_negatives: Tensor | None = None,
    *,
    temperature: float = 0.05,
    hard_negative_weight: float = 1.0,
) -> Tensor:
    """Mean cross-entropy of retrieving each sentence's second view among all, and hard negatives.

    Unsupervised (paper eq. 1): ``ℓ_i = -log( e^{cos(z1_i, z2_i)/τ} / Σ_j e^{cos(z1_i, z2_j)/τ} )``.
    Supervised (eq. 5 and 8): the denominator becomes
    ``Σ_j ( e^{cos(z1_i, z2_j)/τ} + α^[i=j] e^{cos(z1_i, n_j)/τ} )`` with
    ``α = hard_negative_weight`` on the sentence's *own* hard negative only; all other hard
    negatives have weight 1. Both are means over i, in one direction (z1 is the anchor, z2 the
    candidate)::

                  z2_0 z2_1 z2_2     n_0  n_1  n_2
        z1_0    [  P    n    n        α    1    1  ]
        z1_1    [  n    P    n        1    α    1  ]
        z1_2    [  n    n    P        1    1    α  ]

    ``α = 0`` removes the own hard negative. (The authors' command line expects log α; its default 0
    is α = 1.)

    Shapes: ``z1`` and ``z2`` are ``(B, D)``, and the result is 0-dim. ``hard_negatives`` are
    ``(B, D)``, or ``(H·B, D)`` for H of each sentence: the first ones of all sentences, then the
    second ones, and so on. (Table 7 adds neutral sentences as second ones.)

    Range: without hard negatives, the result lies in [0, 2/τ + log B], and is log B if all cosines
    are equal. With one for each sentence and α ≤ 1, it lies in [0, 2/τ + log 2B], and is log 2B if
    all cosines are equal and α = 1.

    Only the directions of the vectors matter. The loss is computed in at least float32, also under
    autocast.

    Args:
        z1: the first views, the anchors.
        z2: the second views.
        hard_negatives: None for the unsupervised loss.
        temperature: τ, above 0.
        hard_negative_weight: α, at least 0.

    Raises:
        TypeError: a tensor is not floating-point, or an option is not a number.
        ValueError: a wrong shape, an empty batch, NaN, infinity, or an option out of its range.

    >>> z = torch.eye(64)  # every sentence on a separate axis
    >>> f"{simcse(z.double(), z.double()):.3g}"  # log(1 + 63 e^-20)
    '1.3e-07'
    """
    check_temperature(temperature)
    check_weight("hard_negative_weight", hard_negative_weight)
    views = {"z1": z1, "z2": z2}
    if hard_negatives is not None:
        views["hard_negatives"] = hard_negatives
    check_vectors(views)
    if hard_negatives is not None and len(hard_negatives) % len(z1) == 0:
        # H for each sentence are H blocks of B rows, of which one must have the shape of z1.
        views["hard_negatives"] = hard_negatives[: len(z1)]
    check_same_shape(views)
    return simcse_scores(z1, z2, hard_negatives, temperature, hard_negative_weight).loss()


def simcse_scores(
    z1: Tensor,
    z2: Tensor,
    hard_negatives: Tensor | None,
    temperature: float,
    hard_negative_weight: float,
) -> Scores:
    """Return the scores of :func:`simcse`, ``(B, B)`` or ``(B, (1 + H)·B)``, without checks."""
    if hard_negatives is None:
        return cosine_scores(z1, z2, temperature=temperature)
    candidates, count = concatenated(z2, hard_negatives), len(z1)  # ((1 + H)·B, D)
    if hard_negative_weight == 1:
        return cosine_scores(z1, candidates, temperature=temperature)
    # float16 would round log α.
    dtype = torch.float64 if z1.dtype == torch.float64 else torch.float32
    log_weights = torch.zeros(count, len(candidates), device=z1.device, dtype=dtype)
    # A sentence's own hard negatives get log α. They are the diagonal of each block of B columns
    # after those of z2.
    for start in range(count, len(candidates), count):
        log_weights.diagonal(offset=start).fill_(
            math.log(hard_negative_weight) if hard_negative_weight else -math.inf
        )
    return cosine_scores(z1, candidates, temperature=temperature, log_weights=log_weights)
