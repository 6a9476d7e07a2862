"""Score tables of a method's loss; clwork/training/forces.py computes the force on each sentence from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from ..arithmetic import at_least_float32, normalize
from ..losses.infonce import Scores

# Formulas with the numbers of a batch, as LaTeX for MathJax and KaTeX.


def number(value: float) -> str:
    r"""Format a number with four digits; use a power of ten for small and large ones."""
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.4g}"
    digits, _, power = f"{value:.3e}".partition("e")
    return rf"{float(digits):.4g}\cdot 10^{{{int(power)}}}"


def words(text: str) -> str:
    r"""Format plain text within a formula; special characters of LaTeX become spaces."""
    return rf"\text{{{''.join(' ' if sign in '_{}$%#&^~<>' or sign == chr(92) else sign for sign in text)}}}"


def summed(terms: Mapping[str, float], name: str = r"\mathcal{L}") -> str:
    r"""Format a loss as the sum of its terms, each with its name below."""
    parts = [rf"\underbrace{{{number(value)}}}_{{{words(term)}}}" for term, value in terms.items()]
    total = f" = {number(sum(terms.values()))}" if len(parts) > 1 else ""
    return f"{name} = {' + '.join(parts)}{total}"


@dataclass(frozen=True)
class SoftmaxLines:
    """Formula lines for one row of a softmax: the loss, the loss with numbers, and its gradient by the scores."""

    formula: str  # the row's loss in the paper's notation
    logits: Tensor  # (B, C); -inf for masked candidates
    positive: Tensor  # (B, C), one True in each row
    groups: Sequence[
        tuple[str, int, bool]
    ]  # candidates: name, count, whether column i belongs to sentence i
    temperature: float
    share: float  # weight of these rows' mean loss in the total loss

    def __call__(self, row: int) -> list[str]:
        """Return the lines of one row."""
        logits, own = self.logits[row].double(), self.positive[row]
        others = logits.masked_fill(own, -torch.inf)
        mine = float(logits[own])
        below = [f"e^{{{mine:.2f}}}"]
        start = 0
        for name, count, sentences in self.groups:
            part, start = others[start : start + count], start + count
            absent = part.isneginf()
            if left := int((~absent).sum()):
                out = int(absent.sum()) - int(
                    sentences and absent[row]
                )  # the sentence's own column is not masked
                count_of = f"{left} {name}" + (f", {out} left out" if out else "")
                below.append(
                    rf"\underbrace{{e^{{{float(part.logsumexp(0)):.2f}}}}}_{{{words(count_of)}}}"
                )
        log_p = mine - float(logits.logsumexp(0))
        numbers = rf"\ell_{{{row + 1}}} = -\log\frac{{e^{{{mine:.2f}}}}}{{{' + '.join(below)}}} = {number(-log_p)}"
        slopes = self._slopes(log_p, float(others.max() - logits.logsumexp(0)))
        return [self.formula, numbers, *slopes]

    def _slopes(self, own: float, hardest: float) -> list[str]:
        """Return formulas of the gradient by the scores of positive and hardest negative, from their log shares."""
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
    """Similarity of two mapped vectors: their dot product, or with ``distance`` their negative squared distance."""

    name: str
    anchor: Callable[[Tensor], Tensor] = lambda vectors: vectors
    candidate: Callable[[Tensor], Tensor] = lambda vectors: vectors
    distance: bool = False

    def each(self, anchors: Tensor, candidates: Tensor) -> Tensor:
        """Return the scores of corresponding vectors, ``(..., D)`` and ``(..., D)`` to ``(...)``, with broadcasting."""
        with torch.autocast(anchors.device.type, enabled=False):
            left, right = (
                self.anchor(at_least_float32(anchors)),
                self.candidate(at_least_float32(candidates)),
            )
            return (
                -(left - right).square().sum(dim=-1)
                if self.distance
                else (left * right).sum(dim=-1)
            )

    def all(self, anchors: Tensor, candidates: Tensor) -> Tensor:
        """Return the scores of all pairs, ``(B, C)``; candidates ``(C, D)``, or ``(B, C, D)`` for each anchor's own."""
        if self.distance or candidates.dim() == 3:
            return self.each(anchors[:, None], candidates)
        with torch.autocast(anchors.device.type, enabled=False):
            left, right = (
                self.anchor(at_least_float32(anchors)),
                self.candidate(at_least_float32(candidates)),
            )
            return left @ right.T


COSINE = Measure("cosine", normalize, normalize)


def grouped_cosine(size: int) -> Measure:
    """Return the measure that averages the cosines of groups of ``size`` neighbouring dimensions."""

    def groups(vectors: Tensor) -> Tensor:
        apart = vectors.reshape(*vectors.shape[:-1], -1, size)  # (..., M, G)
        return normalize(apart).flatten(-2) / math.sqrt(apart.shape[-2])

    return Measure(f"mean cosine of groups of {size}", groups, groups)


Lines = Callable[[int], Sequence[str]]
"""Function that returns a row's loss in LaTeX: the paper's formula and the same with numbers."""


@dataclass(frozen=True)
class Candidates:
    """Vectors that anchors are compared with: one per sentence of the batch, or synthetic vectors, such as noise."""

    name: str  # such as "view 2"
    vectors: Tensor  # (B, D) in the sentences' order; if synthetic, (K, D), or (B, K, D) with K for each anchor
    kind: str = "in-batch negative"  # their role for the anchors of other sentences
    view: str = ""  # key of their texts in Method.view_texts; default: the sentences
    synthetic: bool = False  # True if they belong to no sentence

    @property
    def count(self) -> int:
        """Number of columns of these candidates in a table."""
        return self.vectors.shape[-2]


@dataclass(frozen=True)
class ScoreTable:
    """Scores of a batch's anchors, one per sentence, with all candidates."""

    role: str  # such as "view 1 retrieves view 2"
    anchors: Tensor  # (B, D), row i of sentence i
    candidates: tuple[Candidates, ...]  # concatenated, they are the C columns
    measure: Measure
    source: Tensor  # the score matrix of the loss; this table is a part of it
    positive: Tensor  # (B, C), True where a candidate is the anchor's positive
    counts: Tensor  # (B, C), False for pairs that the loss leaves out
    weights: Tensor | None = (
        None  # (B, C), the anchor's softmax over candidates; None if the loss has no softmax
    )
    losses: Tensor | None = None  # (B,), loss of each sentence; their mean is the table's loss
    lines: Lines | None = None
    own: str = (
        "positive"  # name of an anchor's own candidates; "negative" if the loss pushes them away
    )
    rows: slice | None = None  # this table's rows of ``source``; None: all
    order: Tensor | None = None  # this table's columns of ``source``, in order; None: all

    @property
    def scores(self) -> Tensor:
        """Scores, ``(B, C)``, attached to the autograd graph."""
        return part_of(self.source, self.rows, self.order)

    @property
    def loss(self) -> Tensor:
        """Mean loss of the sentences, 0-dim."""
        assert self.losses is not None, f"{self.role}: this table has no losses"
        return self.losses.mean()

    def gradient(self, loss: Tensor) -> Tensor:
        """Differentiate a loss by the scores, ``(B, C)``; 0 for scores that the loss does not depend on."""
        (gradient,) = torch.autograd.grad(loss, self.source, retain_graph=True, allow_unused=True)
        return part_of(
            torch.zeros_like(self.source) if gradient is None else gradient, self.rows, self.order
        )

    def detached(self) -> ScoreTable:
        """Return the table detached from the autograd graph, which releases memory."""
        groups = tuple(replace(group, vectors=group.vectors.detach()) for group in self.candidates)
        losses = None if self.losses is None else self.losses.detach()
        return replace(
            self,
            anchors=self.anchors.detach(),
            candidates=groups,
            source=self.source.detach(),
            losses=losses,
        )

    def columns(self, index: int) -> slice:
        """Return the columns of ``candidates[index]``."""
        start = sum(group.count for group in self.candidates[:index])
        return slice(start, start + self.candidates[index].count)


def part_of(matrix: Tensor, rows: slice | None, order: Tensor | None) -> Tensor:
    """Return the given rows of a matrix, with its columns in the given order; None selects all."""
    matrix = matrix if rows is None else matrix[rows]
    return matrix if order is None else matrix[:, order]


@dataclass(frozen=True)
class Forces:
    """A batch's loss as score tables and named terms: differentiable 0-dim tensors whose sum is the loss."""

    tables: tuple[ScoreTable, ...]  # the terms are functions of their scores
    terms: Mapping[str, Tensor]


def decode_rows(encoder: Any, rows: Sequence[Sequence[int]]) -> list[str]:
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
    """Score anchors with candidates; for each c in ``positives``, row i of ``candidates[c]`` is anchor i's positive.

    With ``only_own`` the loss consists of the positive pairs only; the other scores are for display.

    >>> z = torch.eye(3)
    >>> score_table("z retrieves z", z, Candidates("view 2", z)).scores.shape
    torch.Size([3, 3])
    """
    scores = torch.cat(
        [measure.all(anchors, group.vectors) for group in candidates], dim=1
    )  # (B, C)
    itself = torch.eye(len(anchors), dtype=torch.bool, device=anchors.device)  # (B, B)
    none = [torch.zeros_like(scores[:, : group.count], dtype=torch.bool) for group in candidates]
    positive = torch.cat(
        [itself if index in positives else none[index] for index in range(len(candidates))], dim=1
    )
    counts = positive.clone() if only_own else torch.ones_like(positive)
    alone = [
        itself if group.vectors is anchors else none[index]
        for index, group in enumerate(candidates)
    ]
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
    """Return the table of a loss's scores, or of those ``rows`` and columns (in this ``order``)."""
    logits, positive = (
        part_of(scores.logits.detach(), rows, order),
        part_of(scores.positive, rows, order),
    )
    groups = [
        (
            f"{group.kind} vectors" if group.synthetic else f"{group.kind}s",
            group.count,
            not group.synthetic,
        )
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
