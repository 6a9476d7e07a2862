"""Score tables of a method's loss, from which clwork/training/forces.py computes all forces.

A :class:`ScoreTable` has a row for each of the B anchors and a column for each of the C candidates,
group after group. With 3 sentences, their second views and 2 noise vectors, it is ``(3, 5)``::

                    candidates[0]: view 2      candidates[1]: noise
    anchor 1        positive  neg.  neg.       neg.  neg.
    anchor 2        neg.  positive  neg.       neg.  neg.
    anchor 3        neg.  neg.  positive       neg.  neg.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from ..arithmetic import at_least_float32, normalize
from ..losses.infonce import Scores

# The characters with a meaning in LaTeX.
LATEX_SIGNS = set(r"_{}$%#&^~<>\ ")


def number(value: float) -> str:
    r"""Format a number for LaTeX with four digits; small and large ones with a power of ten.

    >>> number(0.05), number(123456)
    ('0.05', '1.235\\cdot 10^{5}')
    """
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.4g}"
    digits, _, power = f"{value:.3e}".partition("e")
    return rf"{float(digits):.4g}\cdot 10^{{{int(power)}}}"


def words(text: str) -> str:
    r"""Format plain text within a formula; special characters of LaTeX become spaces."""
    plain = "".join(" " if sign in LATEX_SIGNS else sign for sign in text)
    return rf"\text{{{plain}}}"


def summed(terms: Mapping[str, float]) -> str:
    r"""Format a loss as the sum of its terms, each with its name below; a single one as itself."""
    named = [rf"\underbrace{{{number(value)}}}_{{{words(term)}}}" for term, value in terms.items()]
    total = f" = {number(sum(terms.values()))}" if len(named) > 1 else ""
    return rf"\mathcal{{L}} = {' + '.join(named)}{total}"


Lines = Callable[[int], Sequence[str]]
"""Returns a row's loss in LaTeX, line by line: the paper's formula, and the same with numbers."""


def formula_and_value(formula: str, losses: Tensor) -> Lines:
    """Return lines with the formula and each row's loss, ``(B,)``, without further numbers."""
    values = losses.tolist()
    return lambda row: [formula, rf"\ell_{{{row + 1}}} = {number(values[row])}"]


@dataclass(frozen=True)
class SoftmaxLines:
    """Lines for one row of a softmax: formula, numbers, and the gradients by two of the scores."""

    # The row's loss in the paper's notation.
    formula: str
    # (B, C); -inf for masked candidates
    logits: Tensor
    # (B, C), one True in each row
    positive: Tensor
    # The groups of the C columns: label, size, and whether column i of the group belongs to
    # sentence i.
    groups: Sequence[tuple[str, int, bool]]
    temperature: float
    # The weight of these rows' mean loss in the total loss.
    share: float

    def __call__(self, row: int) -> list[str]:
        """Return the lines of one row."""
        logits = self.logits[row].double()
        is_positive = self.positive[row]
        negatives = logits.masked_fill(is_positive, -torch.inf)

        # The logarithms of two probabilities of the softmax.
        log_total = logits.logsumexp(0)
        log_p = float(logits[is_positive] - log_total)
        log_p_hardest = float(negatives.max() - log_total)

        numerator = f"e^{{{float(logits[is_positive]):.2f}}}"
        denominator = " + ".join([numerator, *self._sums(row, negatives)])
        fraction = rf"\frac{{{numerator}}}{{{denominator}}}"
        loss = rf"\ell_{{{row + 1}}} = -\log{fraction} = {number(-log_p)}"
        return [self.formula, loss, *self._slopes(log_p, log_p_hardest)]

    def _sums(self, row: int, negatives: Tensor) -> list[str]:
        """Return for each group the sum over its negatives, with their number below.

        ``negatives`` are the logits ``(C,)`` of the row, -inf for its positive and masked ones.
        """
        sums = []
        by_group = torch.split(negatives, [size for _, size, _ in self.groups])
        for (name, _, of_sentences), logits in zip(self.groups, by_group, strict=True):
            absent = logits.isneginf()
            counted = int((~absent).sum())
            if not counted:
                continue
            # The sentence's own column is absent too, as the positive, but no mask left it out.
            masked = int(absent.sum()) - int(of_sentences and absent[row])
            label = f"{counted} {name}"
            if masked:
                label += f", {masked} left out"
            log_sum = float(logits.logsumexp(0))
            sums.append(rf"\underbrace{{e^{{{log_sum:.2f}}}}}_{{{words(label)}}}")
        return sums

    def _slopes(self, log_p: float, log_p_hardest: float) -> list[str]:
        """Return the gradients by the scores of positive and hardest negative.

        They are ``share · (p - 1) / (τ B)`` and ``share · p / (τ B)``, where p is the softmax's
        probability of the candidate, given here as its logarithm.
        """
        scale = self.share / (self.temperature * len(self.logits))
        factor = "" if self.share == 1 else rf"{number(self.share)}\cdot "

        def slope(pair: str, numerator: str, log_probability: float, value: float) -> str:
            """Format the probability of a pair and the derivative by its score."""
            probability = f"p_{{{pair}}} = {number(math.exp(log_probability))}"
            derivative = rf"\frac{{\partial\mathcal{{L}}}}{{\partial s_{{{pair}}}}}"
            by_symbols = rf"{factor}\frac{{{numerator}}}{{\tau B}}"
            return rf"{probability},\quad {derivative} = {by_symbols} = {number(scale * value)}"

        # expm1(x) = e^x - 1 is exact also for a probability close to 1.
        of_positive = slope("ii", "p_{ii} - 1", log_p, math.expm1(log_p))
        of_hardest = slope("ij", "p_{ij}", log_p_hardest, math.exp(log_p_hardest))
        return [of_positive, rf"{of_hardest}\ \text{{(its hardest negative)}}"]


@dataclass(frozen=True)
class Measure:
    """Similarity of an anchor and a candidate, after a function has mapped each of them.

    Their dot product, or minus their squared distance if ``distance``. The cosine is
    ``Measure("cosine", normalize, normalize)``.

    >>> dot = Measure("dot product")
    >>> dot.all(torch.eye(2), torch.ones(3, 2))
    tensor([[1., 1., 1.],
            [1., 1., 1.]])
    """

    name: str
    anchor: Callable[[Tensor], Tensor] = lambda vectors: vectors
    candidate: Callable[[Tensor], Tensor] = lambda vectors: vectors
    distance: bool = False

    def each(self, anchors: Tensor, candidates: Tensor) -> Tensor:
        """Return the scores of corresponding vectors, ``(..., D)`` twice to ``(...)``."""
        left, right = self._mapped(anchors, candidates)
        if self.distance:
            return -(left - right).square().sum(dim=-1)
        return (left * right).sum(dim=-1)

    def all(self, anchors: Tensor, candidates: Tensor) -> Tensor:
        """Return the scores of all pairs, ``(B, C)``.

        Shapes: anchors ``(B, D)``; candidates ``(C, D)``, or ``(B, C, D)`` if each anchor has
        others.
        """
        if self.distance or candidates.dim() == 3:
            return self.each(anchors[:, None], candidates)
        left, right = self._mapped(anchors, candidates)
        with torch.autocast(anchors.device.type, enabled=False):
            return left @ right.T

    def _mapped(self, anchors: Tensor, candidates: Tensor) -> tuple[Tensor, Tensor]:
        """Map both in float32, also within a forward pass of lower precision."""
        with torch.autocast(anchors.device.type, enabled=False):
            left = self.anchor(at_least_float32(anchors))
            return left, self.candidate(at_least_float32(candidates))


COSINE = Measure("cosine", normalize, normalize)


def grouped_cosine(size: int) -> Measure:
    """Return the measure that averages the cosines of groups of ``size`` dimensions."""

    def unit_groups(vectors: Tensor) -> Tensor:
        """Map ``(..., D)`` such that the dot product is the mean of the M groups' cosines."""
        groups = vectors.reshape(*vectors.shape[:-1], -1, size)  # (..., M, size)
        return normalize(groups).flatten(-2) / math.sqrt(groups.shape[-2])

    return Measure(f"mean cosine of groups of {size}", unit_groups, unit_groups)


@dataclass(frozen=True)
class Candidates:
    """Vectors that anchors are compared with: one per sentence, or synthetic ones such as noise.

    >>> Candidates("view 2", torch.zeros(8, 312), view="z2").count
    8
    """

    # A name such as "view 2".
    name: str
    # (B, D) in the sentences' order; if synthetic, (K, D), or (B, K, D) with K for each anchor
    vectors: Tensor
    # The candidates' role for the anchors of other sentences.
    kind: str = "in-batch negative"
    # The key of the candidates' texts in Method.view_texts; empty if these are the sentences.
    view: str = ""
    # Whether the candidates belong to no sentence.
    synthetic: bool = False

    @property
    def count(self) -> int:
        """Number of columns of these candidates in a table."""
        return self.vectors.shape[-2]


@dataclass(frozen=True)
class ScoreTable:
    """Scores of a batch's B anchors, one per sentence, with all C candidates.

    Several tables can be parts of one score matrix of the loss, ``source``: ``rows`` and ``order``
    say which rows and columns of it a table has.
    """

    # What the anchors do, such as "view 1 retrieves view 2".
    role: str
    # (B, D), row i of sentence i
    anchors: Tensor
    # The vectors of the candidates, group after group, are the C columns.
    candidates: tuple[Candidates, ...]
    measure: Measure
    # The score matrix of the loss, of which this table is a part.
    source: Tensor
    # (B, C), True where a candidate is the anchor's positive
    positive: Tensor
    # (B, C), False for pairs that the loss leaves out
    counts: Tensor
    # (B, C), the anchor's softmax over candidates; None if the loss has no softmax
    weights: Tensor | None = None
    # (B,), loss of each sentence; their mean is the table's loss
    losses: Tensor | None = None
    lines: Lines | None = None
    # What an anchor's own candidates are called; "negative" if the loss pushes them away.
    own: str = "positive"
    # This table's rows of ``source``; None for all.
    rows: slice | None = None
    # This table's columns of ``source``, in order; None for all, as they are.
    order: Tensor | None = None

    @property
    def scores(self) -> Tensor:
        """Scores, ``(B, C)``, attached to the autograd graph."""
        return part_of(self.source, self.rows, self.order)

    def gradient(self, loss: Tensor) -> Tensor:
        """Differentiate a loss by the scores, ``(B, C)``; 0 for scores without effect."""
        # The graph contains only the whole matrix, so the loss is differentiated by that, and the
        # part of this table is cut out of the gradient.
        (gradient,) = torch.autograd.grad(loss, self.source, retain_graph=True, allow_unused=True)
        if gradient is None:
            gradient = torch.zeros_like(self.source)
        return part_of(gradient, self.rows, self.order)

    def detached(self) -> ScoreTable:
        """Return the table detached from the autograd graph, which releases memory.

        The other tensors have no graph: ``positive`` and ``counts`` are masks, and ``weights`` are
        computed from detached scores.
        """
        return replace(
            self,
            anchors=self.anchors.detach(),
            candidates=tuple(
                replace(group, vectors=group.vectors.detach()) for group in self.candidates
            ),
            source=self.source.detach(),
            losses=None if self.losses is None else self.losses.detach(),
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
    """A batch's loss as score tables and as named terms.

    Attributes:
        tables: score tables, attached to the autograd graph.
        terms: differentiable functions of the tables' scores, 0-dim, by name; their sum is the
            loss.

    >>> table = score_table("z retrieves z", torch.eye(3), Candidates("view 2", torch.eye(3)))
    >>> forces = Forces((table,), {"contrast": -table.scores.diagonal().mean()})
    """

    tables: tuple[ScoreTable, ...]
    terms: Mapping[str, Tensor]


def decode_rows(encoder: Any, rows: Sequence[Sequence[int]]) -> list[str]:
    """Decode rows of token ids to texts."""
    return [str(encoder.tokenizer.decode(list(ids), skip_special_tokens=True)) for ids in rows]


def score_table(
    role: str,
    anchors: Tensor,
    *candidates: Candidates,
    measure: Measure = COSINE,
    only_own: bool = False,
    own: str = "positive",
) -> ScoreTable:
    """Score anchors with candidates; row i of the first candidates is the positive of anchor i.

    Args:
        role: what the anchors do, such as ``"view 1 retrieves view 2"``.
        anchors: ``(B, D)``, row i of sentence i.
        candidates: the columns, group after group.
        measure: the similarity that the loss uses.
        only_own: whether the loss consists of the pairs of anchor i and its positive only; the
            other scores are for display.
        own: name of an anchor's own candidate; ``"negative"`` if the loss pushes it away.

    >>> z = torch.eye(3)
    >>> score_table("z retrieves z", z, Candidates("view 2", z)).scores.shape
    torch.Size([3, 3])
    """
    scores = [measure.all(anchors, group.vectors) for group in candidates]  # (B, C) together
    diagonal = torch.eye(len(anchors), dtype=torch.bool, device=anchors.device)  # (B, B)
    all_false = [torch.zeros_like(block, dtype=torch.bool) for block in scores]
    positive = torch.cat([diagonal, *all_false[1:]], dim=1)
    # If the candidates are the anchors themselves, an anchor is not its own candidate.
    excluded = [
        diagonal if group.vectors is anchors else none
        for group, none in zip(candidates, all_false, strict=True)
    ]
    counts = positive if only_own else ~torch.cat(excluded, dim=1)
    source = torch.cat(scores, dim=1)
    return ScoreTable(role, anchors, candidates, measure, source, positive, counts, own=own)


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
    """Return the table of a loss's scores, with its losses, softmax and lines.

    Args:
        role: what the anchors do.
        scores: the scores of the loss, ``(R, S)``.
        anchors: the B anchors of these rows.
        candidates: the C columns, group after group.
        rows: the rows of ``scores`` that belong to these anchors; None: all.
        order: ``(C,)``, the columns of ``scores`` in the candidates' order; None: all, as they are.
        share: weight of these rows' mean loss in the total loss.
        formula: a row's loss in LaTeX.
    """
    losses = part_of(scores.losses(), rows, order=None)
    positive = part_of(scores.positive, rows, order)
    lines: Lines = formula_and_value(formula, losses)
    if scores.reduction == "softmax":
        logits = part_of(scores.logits.detach(), rows, order)
        groups = []
        for group in candidates:
            label = f"{group.kind} vectors" if group.synthetic else f"{group.kind}s"
            groups.append((label, group.count, not group.synthetic))
        lines = SoftmaxLines(formula, logits, positive, groups, scores.temperature, share)
    return ScoreTable(
        role,
        anchors,
        candidates,
        measure=COSINE,
        source=scores.values,
        positive=positive,
        counts=part_of(scores.counted, rows, order),
        weights=part_of(scores.shares, rows, order),
        losses=losses,
        lines=lines,
        rows=rows,
        order=order,
    )


def both_directions(
    roles: tuple[str, str],
    scores: Scores,
    first: Candidates,
    second: Candidates,
    *others: Candidates,
    share: float = 1.0,
    formula: str,
) -> tuple[ScoreTable, ScoreTable]:
    """Return the two tables of a loss whose anchors are ``first`` and ``second``.

    Its scores have B rows of each, and in the same order the columns, then those of ``others``. A
    table begins with the columns of its positives.

    Args:
        roles: what the anchors of ``first`` do, and those of ``second``.
        scores: the scores of the loss, ``(2B, C)``.
        first: the first B anchors, which are candidates too.
        second: the other B anchors; row i of each belongs to sentence i.
        others: candidates that are no anchors.
        share: weight of the loss in the total loss; each half has half of it.
        formula: a row's loss in LaTeX.
    """
    # The anchors of ``first`` have their positives in ``second``. So the columns of their table are
    # in another order: those of ``second``, then those of ``first``, then the others.
    size = first.count
    second_first = torch.arange(scores.values.shape[1], device=first.vectors.device)
    second_first[: 2 * size] = second_first[: 2 * size].roll(size)
    of_first = loss_table(
        roles[0],
        scores,
        first.vectors,
        second,
        first,
        *others,
        rows=slice(size),
        order=second_first,
        share=share / 2,
        formula=formula,
    )
    # The anchors of ``second`` have theirs in ``first``, and the columns in the scores' own order.
    of_second = loss_table(
        roles[1],
        scores,
        second.vectors,
        first,
        second,
        *others,
        rows=slice(size, None),
        share=share / 2,
        formula=formula,
    )
    return of_first, of_second
