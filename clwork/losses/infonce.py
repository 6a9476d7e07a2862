"""InfoNCE, and the score matrix that every contrastive loss is computed from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from .. import _validation
from ..arithmetic import at_least_float32, may_read, normalize
from .checks import check_temperature, check_vectors

# With more scores and no weights, the loss is computed in blocks of rows, with this many scores in
# a block.
MOST_SCORES = 2**26
BLOCK_SCORES = 2**24
Reduction = Literal["softmax", "each_positive", "binary", "negatives_only"]


def info_nce(
    anchors: Tensor,
    candidates: Tensor,
    targets: Tensor | None = None,
    *,
    temperature: float = 0.05,
    log_weights: Tensor | None = None,
) -> Tensor:
    """Mean cross-entropy of retrieving each anchor's positive among all candidates.

    ``loss = -mean_i log( w_ip e^{cos(a_i, c_p)/τ} / Σ_j w_ij e^{cos(a_i, c_j)/τ} )`` with
    ``p = targets[i]`` (van den Oord et al. 2018, eq. 4, with cosine and temperature). The positive
    is in the denominator.

    The contrastive losses of this package differ in their candidates (columns) and weights. Weight
    0, that is ``log_weights = -inf``, removes a candidate, such as the anchor itself::

                     positives p      hard negatives     noise
        anchor 0   [ P  n  n  n        α  1  1  1        1  1 ]      P  the anchor's positive
        anchor 1   [ n  P  n  n        1  α  1  1        1  1 ]      n  in-batch negatives
        ...

    Shapes: anchors ``(A, D)``, candidates ``(C, D)``, targets ``(A,)`` integers in [0, C) (default:
    row i belongs to candidate i), log_weights broadcastable to ``(A, C)`` (default: 0); result
    0-dim. Computes in at least float32.

    Raises:
        TypeError: an argument is not a floating-point tensor, or the temperature is not a number.
        ValueError: a wrong shape, NaN, infinity, targets outside [0, C), a positive of weight 0, a
        temperature of 0.

    >>> same = torch.ones(4, 8)
    >>> float(info_nce(same, same)), float(torch.tensor(4.0).log())  # all cosines equal: log N
    (1.386..., 1.386...)
    """
    return info_nce_scores(
        anchors, candidates, targets, temperature=temperature, log_weights=log_weights
    ).loss()


def info_nce_scores(
    anchors: Tensor,
    candidates: Tensor,
    targets: Tensor | None = None,
    *,
    temperature: float = 0.05,
    log_weights: Tensor | None = None,
) -> Scores:
    """Return the :class:`Scores` of :func:`info_nce`, with its arguments and errors."""
    check_temperature(temperature)
    check_vectors({"anchors": anchors, "candidates": candidates})
    targets = _checked_targets(targets, anchors, candidates)
    if log_weights is None:
        return cosine_scores(anchors, candidates, targets, temperature=temperature)
    values = cosines(anchors, candidates)  # (A, C)
    log_weights = _checked_log_weights(log_weights, values, targets)
    return Scores(values, targets, temperature, log_weights)


def cosine_scores(
    anchors: Tensor,
    candidates: Tensor,
    targets: Tensor | None = None,
    *,
    temperature: float,
    log_weights: Tensor | None = None,
) -> Scores:
    """Compute the cosines of all anchors with all candidates, as the scores of a loss.

    For losses that have checked their arguments: nothing is checked here.

    Args:
        anchors: vectors ``(A, D)``, of any length.
        candidates: vectors ``(C, D)``, of any length.
        targets: the column of each anchor's positive, ``(A,)``; None: the diagonal, that is,
            candidate i is the positive of anchor i.
        temperature: divides the cosines.
        log_weights: ``(A, C)``, added to the cosines over temperature; None: all 0. Only scores
            without weights may be computed in blocks, see :class:`ScoresInBlocks`.
    """
    if targets is None:
        targets = torch.arange(len(anchors), device=anchors.device)
    if log_weights is None and len(anchors) * len(candidates) > MOST_SCORES:
        return ScoresInBlocks(anchors, candidates, targets, temperature)
    values = cosines(anchors, candidates)  # (A, C)
    if log_weights is not None:
        # This converts them to the device and number format of the cosines.
        log_weights = log_weights.to(values)
    return Scores(values, targets, temperature, log_weights)


@dataclass(frozen=True)
class Scores:
    """Score matrix of A anchors with C candidates, from which losses and softmax shares follow.

    Attributes:
        values: ``(A, C)`` similarities, such as cosines.
        targets: ``(A,)``, the column of each anchor's positive; or ``(A, P)`` if it has several.
        temperature: divides the values.
        log_weights: ``(A, C)``, added to the values over temperature; -inf removes a candidate;
            None: all 0.
        reduction: how the scores of an anchor become its loss. ``"softmax"``: cross-entropy of the
            positive among all candidates. ``"each_positive"``: the same for each of several
            positives, among the negatives. ``"binary"``: binary cross-entropy of each candidate's
            softmax share; here weights multiply the logits. ``"negatives_only"``: cross-entropy
            without weights, and without the positive in the denominator.
    """

    values: Tensor
    targets: Tensor
    temperature: float
    log_weights: Tensor | None = None
    reduction: Reduction = "softmax"

    @cached_property
    def unweighted(self) -> Tensor:
        """Values over temperature, ``(A, C)``."""
        return self.values / self.temperature

    @cached_property
    def logits(self) -> Tensor:
        """Weighted values over temperature, ``(A, C)``."""
        if self.log_weights is None or self.reduction == "negatives_only":
            return self.unweighted
        if self.reduction == "binary":
            return self.unweighted * self.log_weights.exp()
        return self.unweighted + self.log_weights

    @cached_property
    def positive(self) -> Tensor:
        """``(A, C)``, True where a candidate is a positive of its anchor."""
        mask = torch.zeros_like(self.values, dtype=torch.bool, requires_grad=False)
        return mask.scatter_(1, self.targets.reshape(len(mask), -1), True)

    @property
    def counted(self) -> Tensor:
        """``(A, C)``, False where a pair is masked out of the loss."""
        return ~torch.isneginf(self.logits.detach())

    def loss(self) -> Tensor:
        """Return the mean loss over anchors, 0-dim, computed outside autocast."""
        with torch.autocast(self.values.device.type, enabled=False):
            if self.reduction == "softmax":
                return F.cross_entropy(self.logits, self.targets)
            return self._terms().mean()

    def losses(self) -> Tensor:
        """Return the loss of each anchor, ``(A,)``."""
        with torch.autocast(self.values.device.type, enabled=False):
            return self._terms().flatten(1).mean(dim=1)

    @cached_property
    def shares(self) -> Tensor:
        """Softmax of each row, ``(A, C)``, no gradient; for P positives the mean of P of them."""
        logits = self.logits.detach()
        if self.reduction == "negatives_only":
            return logits.masked_fill(self.positive, -math.inf).softmax(dim=1)
        if self.reduction != "each_positive":
            return logits.softmax(dim=1)
        # One softmax for each of the P positives, whose candidates are this positive and all
        # negatives: the positive has the share e^own / (e^own + e^below), which is the sigmoid of
        # own - below, and the negatives divide the rest as in a softmax of their own.
        own, below = self._positives_and_negatives(logits)
        of_positives = (own - below).sigmoid()  # (A, P)
        rest = logits.masked_fill(self.positive, -math.inf)
        negatives = torch.zeros_like(rest) if self._no_negatives else rest.softmax(dim=1)
        shares = negatives * (1 - of_positives).mean(dim=1, keepdim=True)
        return shares.scatter(1, self.targets, of_positives / of_positives.shape[1])

    def detached(self) -> Scores:
        """Return the same scores, detached from the autograd graph."""
        return Scores(
            self.values.detach(), self.targets, self.temperature, self.log_weights, self.reduction
        )

    def _terms(self) -> Tensor:
        """Return the terms whose mean is the loss: ``(A, 1)``, ``(A, P)`` or ``(A, C)``."""
        if self.reduction == "softmax":
            return F.cross_entropy(self.logits, self.targets, reduction="none")[:, None]
        if self.reduction == "binary":
            return _binary(self.logits, self.positive)
        if self.reduction == "negatives_only":
            # -log( e^own / Σ over negatives )
            own = self.logits.gather(1, self.targets[:, None])
            negatives = self.logits.masked_fill(self.positive, -math.inf)
            return negatives.logsumexp(dim=1, keepdim=True) - own
        # "each_positive": -log( e^own / (e^own + e^below) ) = softplus(below - own). Without
        # negatives it is 0, but as a multiple of own, so that it still has a gradient (of 0).
        own, below = self._positives_and_negatives(self.logits)
        return own * 0 if self._no_negatives else F.softplus(below - own)

    @property
    def _no_negatives(self) -> bool:
        """Whether all candidates are positives, so that the loss is constant 0."""
        return self.targets.shape[-1] == self.values.shape[1]

    def _positives_and_negatives(self, logits: Tensor) -> tuple[Tensor, Tensor]:
        """Return the positives' logits, ``(A, P)``, and the log-sum of negatives, ``(A, 1)``."""
        below = logits.masked_fill(self.positive, -math.inf).logsumexp(dim=1, keepdim=True)
        return logits.gather(1, self.targets), below


class ScoresInBlocks(Scores):
    """Cosines of so many pairs that the loss is computed in blocks of anchors, to save memory.

    Each block is computed a second time for its gradient. The matrix of all pairs, ``values``, is
    built only if it is read.
    """

    anchors: Tensor  # (A, D)
    candidates: Tensor  # (C, D)

    def __init__(
        self, anchors: Tensor, candidates: Tensor, targets: Tensor, temperature: float
    ) -> None:
        """Keep the vectors in place of their scores; shapes as for :func:`cosine_scores`.

        Two fields of :class:`Scores` are not set. ``values`` is the property below, which computes
        the cosines when they are read. ``log_weights`` stays None, its default, because only scores
        without weights are computed in blocks.
        """
        own = {
            "anchors": anchors,
            "candidates": candidates,
            "targets": targets,
            "temperature": temperature,
        }
        # Scores is a frozen dataclass: it raises an error for assignments such as
        # ``self.anchors = anchors``, but not for entries of the dictionary of its attributes.
        self.__dict__.update(own)

    @cached_property
    def values(self) -> Tensor:
        """Cosines, ``(A, C)``."""
        return cosines(self.anchors, self.candidates)

    def loss(self) -> Tensor:
        """Return the mean loss over anchors, 0-dim, as :meth:`Scores.loss`, block by block."""
        with torch.autocast(self.anchors.device.type, enabled=False):
            left, right = _unit_vectors(self.anchors, self.candidates)
            # The number of anchors in a block.
            size = max(1, BLOCK_SCORES // len(right))
            blocks = [slice(start, start + size) for start in range(0, len(left), size)]
            # PyTorch's checkpoint stores no scores for the backward pass, but computes them again.
            compute = partial(
                checkpoint, _block_loss, use_reentrant=False, preserve_rng_state=False
            )
            sums = [
                compute(left[rows], right, self.targets[rows], self.temperature) for rows in blocks
            ]
            return torch.stack(sums).sum() / len(left)


def _block_loss(anchors: Tensor, candidates: Tensor, targets: Tensor, temperature: float) -> Tensor:
    """Return the sum of the cross-entropies of a block's anchors, 0-dim; all vectors have length 1.

    Shapes: anchors ``(A, D)``, candidates ``(C, D)``, targets ``(A,)``.
    """
    logits = anchors @ candidates.T / temperature  # (A, C)
    own = logits.gather(1, targets[:, None])  # the positives' logits, (A, 1)
    # F.cross_entropy would round the loss of such long rows to 3e-6 in float32.
    return (logits.logsumexp(dim=1, keepdim=True) - own).sum()


def cosines(anchors: Tensor, candidates: Tensor) -> Tensor:
    """Cosines of ``(A, D)`` with ``(C, D)``: ``(A, C)`` in float32 or float64, outside autocast."""
    with torch.autocast(anchors.device.type, enabled=False):
        left, right = _unit_vectors(anchors, candidates)
        return left @ right.T  # (A, C)


def _unit_vectors(anchors: Tensor, candidates: Tensor) -> tuple[Tensor, Tensor]:
    """Scale both to length 1, in the wider of their two number formats, at least float32."""
    left, right = normalize(at_least_float32(anchors)), normalize(at_least_float32(candidates))
    dtype = torch.promote_types(left.dtype, right.dtype)
    return left.to(dtype), right.to(dtype)


def concatenated(*vectors: Tensor) -> Tensor:
    """Concatenate rows ``(A, D)``, ``(C, D)``, … in float32 or float64, outside autocast."""
    with torch.autocast(vectors[0].device.type, enabled=False):
        return torch.cat([at_least_float32(each) for each in vectors])


def _binary(logits: Tensor, positive: Tensor) -> Tensor:
    """Return ``-( y log P + (1 - y) log(1 - P) )`` of each pair; P: softmax, y: is positive."""
    log_p = logits.log_softmax(dim=1)  # (A, C)
    # log(1 - P) by log1p(-P) is accurate for P ≤ ½. Only the largest entry of a row can exceed ½;
    # its 1 - P is the sum of the other entries' P, the rest.
    largest = (
        torch.zeros_like(positive).scatter_(1, logits.argmax(dim=1, keepdim=True), True) & ~positive
    )
    rest = logits.masked_fill(largest, -math.inf).logsumexp(dim=1) - logits.logsumexp(dim=1)  # (A,)
    # Entries whose log1p is not used get -1, an arbitrary number below 0: P = 1 would give -inf,
    # and NaN as its gradient.
    small = torch.log1p(-log_p.masked_fill(largest | positive, -1.0).exp())
    log_not = torch.where(largest, rest[:, None], small)  # log(1 - P); not used on the positives
    return -torch.where(positive, log_p, log_not)  # (A, C)


def _checked_targets(targets: Tensor | None, anchors: Tensor, candidates: Tensor) -> Tensor:
    """Return the column of each anchor's positive, ``(A,)``; None stands for the diagonal.

    Raises:
        TypeError: the targets are no tensor.
        ValueError: they have another shape or type, or lie outside [0, C).
    """
    count, columns = len(anchors), len(candidates)
    if targets is None:
        if columns < count:
            raise ValueError(
                f"{count} anchors but {columns} candidates; pass targets, or at least {count} "
                "candidates, of which the first are the anchors' positives in order"
            )
        return torch.arange(count, device=anchors.device)
    _validation.tensor("targets", targets, f"({count},)")
    if (
        targets.shape != (count,)
        or targets.is_floating_point()
        or targets.is_complex()
        or targets.dtype == torch.bool
    ):
        raise ValueError(
            f"targets has shape {tuple(targets.shape)} and dtype {targets.dtype}; it must be "
            f"({count},) integers: the column of each anchor's positive"
        )
    # Not read during a step on a GPU, since reading a value would wait for all its computations.
    low, high = (int(targets.min()), int(targets.max())) if may_read(targets) else (0, 0)
    if low < 0 or high >= columns:
        raise ValueError(
            f"targets run from {low} to {high}; with {columns} candidates they must lie in [0, "
            f"{columns - 1}]"
        )
    return targets.long().to(anchors.device)


def _checked_log_weights(log_weights: Tensor, values: Tensor, targets: Tensor) -> Tensor:
    """Return the log weights in the values' shape and type; -inf is allowed except on positives."""
    _validation.tensor("log_weights", log_weights, "(anchors, candidates)")
    if log_weights.is_complex() or log_weights.dtype == torch.bool:
        raise TypeError(
            f"log_weights has dtype {log_weights.dtype}; pass logarithms (0 for weight 1, "
            "-infinity for 0)"
        )
    try:
        spread = log_weights.to(values).expand_as(values)
    except RuntimeError:
        raise ValueError(
            f"log_weights has shape {tuple(log_weights.shape)}; it must broadcast to (anchors, "
            f"candidates) = {tuple(values.shape)}"
        ) from None
    if not may_read(spread):
        return spread
    if torch.isnan(spread).any() or torch.isposinf(spread).any():
        raise ValueError(
            "log_weights has NaN or +infinity; "
            "use finite numbers, or -infinity to remove a candidate"
        )
    if torch.isneginf(spread.gather(1, targets[:, None])).any():
        raise ValueError(
            "log_weights is -infinity for a positive, so the loss is infinite; "
            "use a finite number there"
        )
    return spread
