"""The score tables of a method's loss, from which the forces on each sentence follow, see clwork/training/forces.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from ..arithmetic import at_least_float32, normalize
from ..losses.infonce import Scores

# Formulas with a batch's own numbers in them, as LaTeX that MathJax and KaTeX both read.


def number(value: float) -> str:
    r"""Write a number with four digits, tiny and huge ones as a power of ten."""
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.4g}"
    digits, _, power = f"{value:.3e}".partition("e")
    return rf"{float(digits):.4g}\cdot 10^{{{int(power)}}}"


def words(text: str) -> str:
    r"""Write plain words within a formula; characters that LaTeX gives a meaning become spaces."""
    return rf"\text{{{''.join(' ' if sign in '_{}$%#&^~<>' or sign == chr(92) else sign for sign in text)}}}"


def summed(terms: Mapping[str, float], name: str = r"\mathcal{L}") -> str:
    r"""Write the whole loss as the sum of its terms, each with its name below."""
    parts = [rf"\underbrace{{{number(value)}}}_{{{words(term)}}}" for term, value in terms.items()]
    total = f" = {number(sum(terms.values()))}" if len(parts) > 1 else ""
    return f"{name} = {' + '.join(parts)}{total}"


@dataclass(frozen=True)
class SoftmaxLines:
    """Lines of a row of a softmax: the formula, its numbers, and the gradient by its scores."""

    formula: str  # the row's loss in the paper's letters
    logits: Tensor  # (B, C); -inf for what is left out
    positive: Tensor  # (B, C), one True in each row
    groups: Sequence[tuple[str, int, bool]]  # name and size of each kind of candidate; is its column i sentence i's?
    temperature: float
    share: float  # weight of the mean of these losses in the whole loss

    def __call__(self, row: int) -> list[str]:
        """The lines of one row."""
        logits, own = self.logits[row].double(), self.positive[row]
        others = logits.masked_fill(own, -torch.inf)
        mine = float(logits[own])
        below = [f"e^{{{mine:.2f}}}"]
        start = 0
        for name, count, sentences in self.groups:
            part, start = others[start : start + count], start + count
            absent = part.isneginf()
            if left := int((~absent).sum()):
                out = int(absent.sum()) - int(sentences and absent[row])  # itself, or its positive, is none left out
                count_of = f"{left} {name}" + (f", {out} left out" if out else "")
                below.append(rf"\underbrace{{e^{{{float(part.logsumexp(0)):.2f}}}}}_{{{words(count_of)}}}")
        log_p = mine - float(logits.logsumexp(0))
        numbers = rf"\ell_{{{row + 1}}} = -\log\frac{{e^{{{mine:.2f}}}}}{{{' + '.join(below)}}} = {number(-log_p)}"
        slopes = self._slopes(log_p, float(others.max() - logits.logsumexp(0)))
        return [self.formula, numbers, *slopes]

    def _slopes(self, own: float, hardest: float) -> list[str]:
        """Return the gradient by the positive's score and by the hardest negative's, from the logs of their shares."""
        size, factor = len(self.logits), "" if self.share == 1 else rf"{number(self.share)}\cdot "
        scale = self.share / (self.temperature * size)
        below = rf"{number(self.temperature)}\cdot {size}"
        lines = []
        for sign, above, share, slope in (
            ("ii", r"p_{ii} - 1", f"{number(math.exp(own))} - 1", scale * math.expm1(own)),
            ("ij", r"p_{ij}", number(math.exp(hardest)), scale * math.exp(hardest)),
        ):
            name = rf"\frac{{\partial\mathcal{{L}}}}{{\partial s_{{{sign}}}}}"
            lines.append(
                rf"{name} = {factor}\frac{{{above}}}{{\tau B}} = {factor}\frac{{{share}}}{{{below}}} = {number(slope)}"
            )
        return [lines[0], rf"{lines[1]}\ \text{{(its hardest negative)}}"]


@dataclass(frozen=True)
class Measure:
    """How near two mapped vectors are: their product, or with ``distance`` minus their squared distance."""

    name: str
    anchor: Callable[[Tensor], Tensor] = lambda vectors: vectors
    candidate: Callable[[Tensor], Tensor] = lambda vectors: vectors
    distance: bool = False

    def each(self, anchors: Tensor, candidates: Tensor) -> Tensor:
        """Scores of vectors side by side: ``(..., D)`` and ``(..., D)`` to ``(...)``, sizes of 1 spread."""
        with torch.autocast(anchors.device.type, enabled=False):
            left, right = self.anchor(at_least_float32(anchors)), self.candidate(at_least_float32(candidates))
            return -(left - right).square().sum(dim=-1) if self.distance else (left * right).sum(dim=-1)

    def all(self, anchors: Tensor, candidates: Tensor) -> Tensor:
        """Scores of each with each: ``(B, D)`` and ``(C, D)``, or ``(B, C, D)`` of each anchor's own, to ``(B, C)``."""
        if self.distance or candidates.dim() == 3:
            return self.each(anchors[:, None], candidates)
        with torch.autocast(anchors.device.type, enabled=False):
            left, right = self.anchor(at_least_float32(anchors)), self.candidate(at_least_float32(candidates))
            return left @ right.T


COSINE = Measure("cosine", normalize, normalize)


def grouped_cosine(size: int) -> Measure:
    """The mean cosine of groups of ``size`` neighbouring dimensions: each group is brought to length 1 by itself."""

    def groups(vectors: Tensor) -> Tensor:
        apart = vectors.reshape(*vectors.shape[:-1], -1, size)  # (..., M, G)
        return normalize(apart).flatten(-2) / math.sqrt(apart.shape[-2])

    return Measure(f"mean cosine of groups of {size}", groups, groups)


Lines = Callable[[int], Sequence[str]]
"""Of a row, the paper's formula and the row's numbers in it, as LaTeX."""


@dataclass(frozen=True)
class Candidates:
    """Vectors that anchors are scored with: one of each sentence of the batch, or synthetic ones, such as noise."""

    name: str  # what they are, such as "view 2"
    vectors: Tensor  # (B, D) in the sentences' order; synthetic ones (K, D), or (B, K, D), each anchor's own
    kind: str = "in-batch negative"  # what they are to the anchors of other sentences
    view: str = ""  # the key of Method.view_texts that has their texts; default: the sentences themselves
    synthetic: bool = False  # whether they belong to no sentence

    @property
    def count(self) -> int:
        """Number of their columns in a table."""
        return self.vectors.shape[-2]


@dataclass(frozen=True)
class ScoreTable:
    """The scores of a batch's sentences, each by its anchor, with all candidates."""

    role: str  # anchors and candidates, such as "view 1 retrieves view 2"
    anchors: Tensor  # (B, D), row i is sentence i's
    candidates: tuple[Candidates, ...]  # next to each other they are the C columns
    measure: Measure
    source: Tensor  # the matrix that the loss is computed from, of which this table is a part
    positive: Tensor  # (B, C), True where a candidate is the anchor's positive
    counts: Tensor  # (B, C), False where a pair is no part of the loss
    weights: Tensor | None = None  # (B, C), each candidate's share of the anchor's softmax, 1 in all; None without one
    losses: Tensor | None = None  # (B,), what each sentence adds; their mean is the table's loss
    lines: Lines | None = None
    own: str = "positive"  # name of positive candidates; "negative" where they are to be far
    rows: slice | None = None  # of ``source`` that are this table's; None: all
    order: Tensor | None = None  # the columns of ``source`` that are this table's, one by one; None: all

    @property
    def scores(self) -> Tensor:
        """``(B, C)``; terms of a loss can be computed from it."""
        return part_of(self.source, self.rows, self.order)

    @property
    def loss(self) -> Tensor:
        """The mean of the sentences' losses, 0-dim."""
        assert self.losses is not None, f"{self.role}: this table has no losses"
        return self.losses.mean()

    def gradient(self, loss: Tensor) -> Tensor:
        """Differentiate a loss by the scores, ``(B, C)``; zeros where it does not depend on them."""
        (gradient,) = torch.autograd.grad(loss, self.source, retain_graph=True, allow_unused=True)
        return part_of(torch.zeros_like(self.source) if gradient is None else gradient, self.rows, self.order)

    def detached(self) -> ScoreTable:
        """Return the same numbers without the graph that they were computed by, which takes memory."""
        groups = tuple(replace(group, vectors=group.vectors.detach()) for group in self.candidates)
        losses = None if self.losses is None else self.losses.detach()
        return replace(
            self, anchors=self.anchors.detach(), candidates=groups, source=self.source.detach(), losses=losses
        )

    def columns(self, index: int) -> slice:
        """Return the columns of ``candidates[index]``."""
        start = sum(group.count for group in self.candidates[:index])
        return slice(start, start + self.candidates[index].count)


def part_of(matrix: Tensor, rows: slice | None, order: Tensor | None) -> Tensor:
    """Select rows, and columns in an order; the matrix itself where nothing is selected."""
    matrix = matrix if rows is None else matrix[rows]
    return matrix if order is None else matrix[:, order]


@dataclass(frozen=True)
class Forces:
    """A batch's loss, split into score tables and terms: by name, 0-dim and differentiable; their sum is the loss."""

    tables: tuple[ScoreTable, ...]  # the terms depend on their scores
    terms: Mapping[str, Tensor]


def read_back(encoder: Any, rows: Sequence[Sequence[int]]) -> list[str]:
    """Decode rows of token ids to texts."""
    return [str(encoder.tokenizer.decode(list(ids), skip_special_tokens=True)) for ids in rows]


def score_table(
    role: str,
    anchors: Tensor,
    *candidates: Candidates,
    measure: Measure = COSINE,
    positives: Sequence[int] = (0,),
    only_own: bool = False,
    own: str = "positive",
) -> ScoreTable:
    """Score anchors with candidates, of which those numbered ``positives`` hold the anchor's own in its own row.

    With ``only_own`` no other pair is a part of the loss: the other scores are only shown.

    >>> z = torch.eye(3)
    >>> score_table("z retrieves z", z, Candidates("view 2", z)).scores.shape
    torch.Size([3, 3])
    """
    scores = torch.cat([measure.all(anchors, group.vectors) for group in candidates], dim=1)  # (B, C)
    itself = torch.eye(len(anchors), dtype=torch.bool, device=anchors.device)  # (B, B)
    none = [torch.zeros_like(scores[:, : group.count], dtype=torch.bool) for group in candidates]
    positive = torch.cat([itself if index in positives else none[index] for index in range(len(candidates))], dim=1)
    counts = positive.clone() if only_own else torch.ones_like(positive)
    alone = [itself if group.vectors is anchors else none[index] for index, group in enumerate(candidates)]
    counts &= ~torch.cat(alone, dim=1)  # an anchor is not its own candidate
    return ScoreTable(role, anchors, candidates, measure, scores, positive, counts, own=own)


def loss_table(
    role: str,
    scores: Scores,
    anchors: Tensor,
    *candidates: Candidates,
    rows: slice | None = None,
    order: Tensor | None = None,
    share: float = 1.0,
    formula: str,
) -> ScoreTable:
    """Make the table of a loss from its scores, or of those rows and columns of them that belong to these vectors."""
    logits, positive = part_of(scores.logits.detach(), rows, order), part_of(scores.positive, rows, order)
    groups = [
        (f"{group.kind} vectors" if group.synthetic else f"{group.kind}s", group.count, not group.synthetic)
        for group in candidates
    ]
    return ScoreTable(
        role,
        anchors,
        candidates,
        COSINE,
        scores.values,
        positive,
        counts=part_of(scores.counted, rows, order),
        weights=part_of(scores.shares, rows, order),
        losses=part_of(scores.losses(), rows, None),
        lines=SoftmaxLines(formula, logits, positive, groups, scores.temperature, share),
        rows=rows,
        order=order,
    )
