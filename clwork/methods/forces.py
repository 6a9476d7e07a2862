"""The score tables of a method's loss, from which the forces on each sentence follow.

A method writes its loss down once more, from scores: for each sentence a row of scores, of its anchor with all
candidates. What pulls and what pushes follows by autograd, the same for every method, see
clwork/training/forces/step_forces.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from ..arithmetic import at_least_float32, unit

# Formulas with a batch's own numbers in them, as LaTeX that MathJax and KaTeX both read.


def number(value: float) -> str:
    r"""A number of four digits, tiny and huge ones as a power of ten.

    >>> number(0.23456), number(-3.2e-7), number(0.0)
    ('0.2346', '-3.2\\cdot 10^{-7}', '0')
    """
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.4g}"
    digits, _, power = f"{value:.3e}".partition("e")
    return rf"{float(digits):.4g}\cdot 10^{{{int(power)}}}"


def words(text: str) -> str:
    r"""Plain words within a formula; whatever LaTeX would read as a sign of its own becomes a space.

    >>> words("noise_gradient")
    '\\text{noise gradient}'
    """
    return rf"\text{{{''.join(' ' if sign in '_{}$%#&^~<>' or sign == chr(92) else sign for sign in text)}}}"


def summed(terms: Mapping[str, float], name: str = r"\mathcal{L}") -> str:
    r"""The whole loss as the sum of its terms, each with its name below.

    >>> summed({"contrast": 0.5})
    '\\mathcal{L} = \\underbrace{0.5}_{\\text{contrast}}'
    """
    parts = [rf"\underbrace{{{number(value)}}}_{{{words(term)}}}" for term, value in terms.items()]
    total = f" = {number(sum(terms.values()))}" if len(parts) > 1 else ""
    return f"{name} = {' + '.join(parts)}{total}"


def added(values: Sequence[str]) -> str:
    """Numbers as a sum, with a minus in place of a plus and a minus.

    >>> added(["0.5", "-0.2"])
    '0.5 - 0.2'
    """
    return " + ".join(values).replace("+ -", "- ")


@dataclass(frozen=True)
class SoftmaxLines:
    """Of a row of a softmax: the formula, its numbers, and what they make of the gradient.

    Attributes:
        formula: the row's loss in the paper's letters.
        logits: ``(B, C)``; ``-inf`` for what is left out.
        positive: ``(B, C)``, one True in each row.
        groups: name and columns of what stands side by side, and whether row i of it is sentence i's.
        temperature: what the scores were divided by.
        share: what the mean of these losses counts in the whole loss.
    """

    formula: str
    logits: Tensor
    positive: Tensor
    groups: Sequence[tuple[str, int, bool]]
    temperature: float
    share: float

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
                told = f"{left} {name}" + (f", {out} left out" if out else "")
                below.append(rf"\underbrace{{e^{{{float(part.logsumexp(0)):.2f}}}}}_{{{words(told)}}}")
        log_p = mine - float(logits.logsumexp(0))
        told = rf"\ell_{{{row + 1}}} = -\log\frac{{e^{{{mine:.2f}}}}}{{{' + '.join(below)}}} = {number(-log_p)}"
        slopes = self._slopes(log_p, float(others.max() - logits.logsumexp(0)))
        return [line for line in (self.formula, told, *slopes) if line]

    def _slopes(self, own: float, hardest: float) -> list[str]:
        """What the loss makes of the positive's score and of the hardest negative's, from the logs of their shares."""
        size, factor = len(self.logits), "" if self.share == 1 else rf"{number(self.share)}\cdot "
        scale = self.share / (self.temperature * size)
        below = rf"{number(self.temperature)}\cdot {size}"
        told = []
        for sign, above, share, slope in (
            ("ii", r"p_{ii} - 1", f"{number(math.exp(own))} - 1", scale * math.expm1(own)),
            ("ij", r"p_{ij}", number(math.exp(hardest)), scale * math.exp(hardest)),
        ):
            name = rf"\frac{{\partial\mathcal{{L}}}}{{\partial s_{{{sign}}}}}"
            told.append(
                rf"{name} = {factor}\frac{{{above}}}{{\tau B}} = {factor}\frac{{{share}}}{{{below}}} = {number(slope)}"
            )
        return [told[0], rf"{told[1]}\ \text{{(its hardest negative)}}"]


Map = Callable[[Tensor], Tensor]


def _as_it_is(vectors: Tensor) -> Tensor:
    return vectors


@dataclass(frozen=True)
class Measure:
    """How near an anchor and a candidate are; larger is nearer.

    Both are mapped, anchors by ``anchor`` and candidates by ``candidate``; the score is the product of the two, or with
    ``distance`` minus the square of their distance.
    """

    name: str
    anchor: Map = _as_it_is
    candidate: Map = _as_it_is
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


COSINE = Measure("cosine", unit, unit)
PRODUCT = Measure("product")


def grouped_cosine(size: int) -> Measure:
    """The mean cosine of groups of ``size`` neighbouring dimensions: each group is brought to length 1 by itself."""

    def groups(vectors: Tensor) -> Tensor:
        apart = vectors.reshape(*vectors.shape[:-1], -1, size)  # (..., M, G)
        return unit(apart).flatten(-2) / math.sqrt(apart.shape[-2])

    return Measure(f"mean cosine of groups of {size}", groups, groups)


@dataclass(frozen=True)
class Candidates:
    """Vectors that anchors meet: one of each sentence of the batch, or vectors of ``nobody``, such as noise.

    Attributes:
        name: what they are, such as ``"view 2"``.
        vectors: ``(B, D)`` in the sentences' order; nobody's ``(K, D)``, or ``(B, K, D)`` of each anchor's own.
        kind: what they are to an anchor that is not theirs, such as ``"in-batch negative"``.
        view: the key of :meth:`Told.view_texts` under which their texts stand; the sentences themselves otherwise.
        nobody: whether no sentence stands behind them.
    """

    name: str
    vectors: Tensor
    kind: str = "in-batch negative"
    view: str = ""
    nobody: bool = False

    @property
    def count(self) -> int:
        """Columns of scores that they take."""
        return self.vectors.shape[-2]


@dataclass(frozen=True)
class Contest:
    """The anchors of a batch's sentences beside all candidates.

    Attributes:
        role: anchors and candidates, such as ``"view 1 looks for view 2"``.
        anchors: ``(B, D)``, row i is sentence i's.
        candidates: side by side they are the C columns.
        measure: what the scores are.
        scores: ``(B, C)``; the terms of the loss are computed from this very tensor.
        positive: ``(B, C)``, True where a candidate is what the anchor looks for.
        counts: ``(B, C)``, False where a pair is no part of the loss.
        weights: ``(B, C)``, each candidate's share of the anchor's softmax, 0 to 1 and 1 in all; None without softmax.
        losses: ``(B,)``, what each sentence adds; their mean is the contest's loss. None where that says nothing.
        own: what ``positive`` candidates are called; another word where they are to be kept away.
        lines: of a row, what stands in the paper with the row's numbers in it, as LaTeX.
    """

    role: str
    anchors: Tensor
    candidates: tuple[Candidates, ...]
    measure: Measure
    scores: Tensor
    positive: Tensor
    counts: Tensor
    weights: Tensor | None = None
    losses: Tensor | None = None
    lines: Callable[[int], Sequence[str]] | None = None
    own: str = "positive"

    @property
    def loss(self) -> Tensor:
        """The mean of the sentences' losses, 0-dim."""
        assert self.losses is not None, f"{self.role}: this contest has no losses yet"
        return self.losses.mean()

    def at_rest(self) -> Contest:
        """The same numbers without what they were computed from, which a graph would keep in memory."""
        still = tuple(replace(group, vectors=group.vectors.detach()) for group in self.candidates)
        losses = None if self.losses is None else self.losses.detach()
        return replace(
            self, anchors=self.anchors.detach(), candidates=still, scores=self.scores.detach(), losses=losses
        )

    def columns(self, index: int) -> slice:
        """The columns of scores that belong to the candidates of that number."""
        start = sum(group.count for group in self.candidates[:index])
        return slice(start, start + self.candidates[index].count)


@dataclass(frozen=True)
class Forces:
    """A batch's loss, told by contests and terms.

    Attributes:
        contests: who meets whom; their scores carry the terms.
        terms: by name, 0-dim and differentiable; their sum is the loss.
    """

    contests: tuple[Contest, ...]
    terms: Mapping[str, Tensor]


class Told:
    """What a method may tell of itself for :func:`clwork.lab.forces`; without it the view shows what holds for all."""

    def forces(self, views: dict[str, Tensor]) -> Forces | None:
        """The loss of these views from scores, see :class:`Forces`; None: it is not told."""
        return None

    def view_texts(self, examples: Sequence[Any], batch: Sequence[Any], draws: Any) -> dict[str, list[str]]:
        """What a view was read from where that is not the sentence itself: by name, a text for each row of the batch.

        ``examples`` are those of the batch as they came, ``batch`` what ``tokenize`` made of them, ``draws`` fresh
        ones of the same step, so that what is drawn here is what ``embed`` drew.
        """
        return {}


def read_back(encoder: Any, rows: Sequence[Sequence[int]]) -> list[str]:
    """The texts that rows of token ids stand for, as near as the encoder's tokenizer can tell."""
    return [str(encoder.tokenizer.decode(list(ids), skip_special_tokens=True)) for ids in rows]


def meet(
    role: str,
    anchors: Tensor,
    *candidates: Candidates,
    measure: Measure = COSINE,
    positives: Sequence[int] = (0,),
    only_own: bool = False,
    own: str = "positive",
) -> Contest:
    """Score anchors with candidates, of which those numbered ``positives`` hold the anchor's own in its own row.

    With ``only_own`` no other pair is a part of the loss: the other scores are there to be looked at.

    >>> z = torch.eye(3)
    >>> meet("z looks for z", z, Candidates("view 2", z)).scores.shape
    torch.Size([3, 3])
    """
    scores = torch.cat([measure.all(anchors, group.vectors) for group in candidates], dim=1)  # (B, C)
    itself = torch.eye(len(anchors), dtype=torch.bool, device=anchors.device)  # (B, B)
    none = [torch.zeros_like(scores[:, : group.count], dtype=torch.bool) for group in candidates]
    positive = torch.cat([itself if index in positives else none[index] for index in range(len(candidates))], dim=1)
    counts = positive.clone() if only_own else torch.ones_like(positive)
    alone = [itself if group.vectors is anchors else none[index] for index, group in enumerate(candidates)]
    counts &= ~torch.cat(alone, dim=1)  # an anchor is no candidate of its own
    return Contest(role, anchors, candidates, measure, scores, positive, counts, own=own)


def softmax(
    contest: Contest, temperature: float, *, log_weights: Tensor | None = None, share: float = 1.0, formula: str = ""
) -> Contest:
    """The contest with the cross-entropy of finding the positive, one in each row, among all that counts.

    ``log_weights`` ``(B, C)`` are added to ``scores / temperature``; -inf takes a candidate out. ``share`` is what the
    mean of the losses counts in the whole loss, for the formula's last line; ``formula`` its first.
    """
    logits = contest.scores / temperature
    counts = contest.counts
    if log_weights is not None:
        logits, counts = logits + log_weights.to(logits), counts & ~torch.isneginf(log_weights).to(counts.device)
    losses = F.cross_entropy(logits, contest.positive.int().argmax(dim=1), reduction="none")  # (B,)
    told = replace(contest, counts=counts, losses=losses, weights=logits.detach().softmax(dim=1))
    groups = [
        (f"{group.kind} vectors" if group.nobody else f"{group.kind}s", group.count, not group.nobody)
        for group in contest.candidates
    ]
    lines = SoftmaxLines(formula, logits.detach(), contest.positive, groups, temperature, share)
    return replace(told, lines=lines)
