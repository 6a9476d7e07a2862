"""GCLSR (Wang, Zhang, Lei, Peng, Appl. Sci. 2023, 13(17), 9873): SimSiam's loss by group."""

from __future__ import annotations

import torch
from torch import Tensor

from .. import _validation
from .._validation import shown
from ..arithmetic import at_least_float32, normalize
from .checks import check_same_shape, check_vectors, check_whole


def gclsr(
    p1: Tensor,
    z2: Tensor,
    p2: Tensor,
    z1: Tensor,
    *,
    group_dim: int = 16,
    stop_gradient: bool = True,
) -> Tensor:
    """Minus the mean cosine, by group of dimensions, of predictions with the other's projection.

    ``ℓ = -½ mean_{i,g} cos(p1_ig, sg(z2_ig)) - ½ mean_{i,g} cos(p2_ig, sg(z1_ig))`` over sentences
    i and groups g of ``group_dim`` neighbouring dimensions (paper §3.3). The journal's page prints
    the equations without the minus sign, the norms and the views' numbers (C2), and mentions the
    stop-gradient ``sg`` only under related work (C3); the released code has all of them. "Grouping
    size 16" means 16 dimensions per group here, not 16 groups (C11)::

        p1_i  [ g0: 16 numbers | g1: 16 numbers | ... ]
                 cos               cos                    one cosine per group, then their mean
        z2_i  [ g0: 16 numbers | g1: 16 numbers | ... ]

    One group, ``group_dim`` = D, is SimSiam (Chen & He 2021). There are no negatives, so the
    formula itself does not prevent collapse; the stop-gradient together with the predictor does.

    Shapes: all four ``(B, D)``, D a multiple of ``group_dim``; result 0-dim in [-1, 1], -1 best.
    Only the direction of each group matters; a group of zeros has cosine 0. Computes in at least
    float32, also under autocast.

    ``p1`` and ``p2`` are the predictions of views 1 and 2; ``z1`` and ``z2`` are their projections,
    the targets. ``stop_gradient=False`` also differentiates the targets, which leads to collapse
    (for demonstrations).

    Raises:
        TypeError: an argument is not a floating-point tensor, or ``group_dim`` is not an int.
        ValueError: a wrong shape, an empty batch, NaN, infinity, or a ``group_dim`` that does not
        divide D.

    >>> p, z = torch.tensor([[1.0, 0.0, 5.0, 0.0]]), torch.tensor([[1.0, 0.0, 0.0, 5.0]])
    >>> gclsr(p, z, p, z, group_dim=2)  # one group agrees, the other is orthogonal
    tensor(-0.5000)
    >>> gclsr(p, z, p, z, group_dim=4)  # as one group, the longer half dominates
    tensor(-0.0385)
    """
    views = {"p1": p1, "z2": z2, "p2": p2, "z1": z1}
    check_vectors(views)
    check_same_shape(views)
    width = p1.shape[1]
    check_whole("group_dim", group_dim)
    if group_dim < 1 or width % group_dim:
        raise ValueError(
            f"group_dim is {shown(group_dim)}; it must divide the vectors' width {width} ({width} "
            "makes one group)"
        )
    _validation.flag("stop_gradient", stop_gradient)
    return grouped_loss(p1, z2, p2, z1, group_dim, stop_gradient)


def grouped_loss(
    p1: Tensor, z2: Tensor, p2: Tensor, z1: Tensor, group_dim: int, stop_gradient: bool
) -> Tensor:
    """Return :func:`gclsr`, without its checks."""
    if stop_gradient:
        z1, z2 = z1.detach(), z2.detach()
    return -(_grouped_cosine(p1, z2, group_dim) + _grouped_cosine(p2, z1, group_dim)) / 2


def _grouped_cosine(p: Tensor, z: Tensor, group_dim: int) -> Tensor:
    """Return the cosine between the groups of p and z, averaged over sentences and groups."""
    with torch.autocast(p.device.type, enabled=False):
        # (B, D) to M groups of G numbers, (B, M, G), each of unit length
        left, right = (
            normalize(at_least_float32(x).reshape(len(x), -1, group_dim)) for x in (p, z)
        )
        return (left * right).sum(dim=-1).mean()  # (B, M, G) -> (B, M) -> 0-dim
