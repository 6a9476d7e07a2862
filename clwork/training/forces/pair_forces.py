"""The pairs of a contest with what the loss does to each: every number that the force view shows of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ...arithmetic import at_least_float32
from ...methods import Contest

GRADIENT = "gradient by the score"
Matrix = npt.NDArray[np.float32]


def numbers(tensor: Tensor) -> Matrix:
    """A tensor as an array of float32."""
    found: Matrix = tensor.detach().float().cpu().numpy()
    return found


class Pair(NamedTuple):
    """A candidate as one anchor meets it.

    Attributes:
        kind: ``"positive"``, or what the method calls it.
        name: which vectors it is one of, such as ``"view 2"``.
        sentence: row of the batch that the candidate stands for; None for synthetic candidates, such as noise.
        text: what it was read from.
        score: how near the two are, by the contest's measure.
        weight: its share of the softmax; None without one.
        gradient: of the loss by the score: below 0 it pulls, above 0 it pushes.
        norm: length of the part of the anchor's gradient that comes from this pair.
    """

    kind: str
    name: str
    sentence: int | None
    text: str
    score: float
    weight: float | None
    gradient: float
    norm: float

    @property
    def pull(self) -> float:
        """The norm, below 0 where the pair pushes."""
        return -self.norm if self.gradient > 0 else self.norm


@dataclass(frozen=True)
class SeenContest:
    """A :class:`clwork.methods.Contest` at rest, and the loss's gradient by its scores, ``(B, C)`` as they are."""

    contest: Contest
    gradient: Tensor
    texts: tuple[Sequence[str], ...]  # of each group of candidates

    @property
    def role(self) -> str:
        """The role of the anchors, such as ``"view 1 looks for view 2"``."""
        return self.contest.role

    @property
    def measure(self) -> str:
        """What the scores are."""
        return self.contest.measure.name

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Name and number of the candidates that stand side by side in the columns."""
        return [(group.name, group.count) for group in self.contest.candidates]

    def matrices(self) -> dict[str, Matrix]:
        """Scores, softmax weights where there are any, and gradients, each ``(B, C)``."""
        weights = self.contest.weights
        found = {self.measure: self.contest.scores}
        found |= {} if weights is None else {"softmax weight": weights}
        return {name: numbers(matrix) for name, matrix in (found | {GRADIENT: self.gradient}).items()}

    @property
    def losses(self) -> Matrix | None:
        """What each sentence adds to the loss, ``(B,)``."""
        return None if self.contest.losses is None else numbers(self.contest.losses)

    def felt(self, row: int) -> Tensor:
        """The gradient of the loss by sentence ``row``'s anchor, pair by pair: ``(C, D)``; their sum is the whole."""
        contest = self.contest
        anchor = at_least_float32(contest.anchors[row])
        parts: list[Tensor] = []
        for group in contest.candidates:
            others = group.vectors if group.vectors.dim() == 2 else group.vectors[row]
            with torch.enable_grad():
                copies = anchor.expand(len(others), -1).clone().requires_grad_()  # (C, D)
                scores = contest.measure.each(copies, others)
                parts += torch.autograd.grad(scores.sum(), copies)
        return torch.cat(parts).float() * self.gradient[row][:, None]

    def pairs(self, row: int) -> list[Pair]:
        """Whom sentence ``row``'s anchor meets in the loss, the strongest first."""
        contest, kinds = self.contest, self._kinds(row)
        scores, gradients, counts = (m[row].tolist() for m in (contest.scores, self.gradient, contest.counts))
        norms = self.felt(row).norm(dim=1).tolist()
        weights = [None] * len(scores) if contest.weights is None else contest.weights[row].tolist()
        columns = [(g, k) for g, group in enumerate(contest.candidates) for k in range(group.count)]
        found = []
        for column, (g, k) in enumerate(columns):
            group = contest.candidates[g]
            felt = scores[column], weights[column], gradients[column], norms[column]
            found.append(Pair(kinds[column], group.name, None if group.nobody else k, self.texts[g][k], *felt))
        kept = [pair for pair, counted in zip(found, counts, strict=True) if counted]
        return sorted(kept, key=lambda pair: -pair.norm)

    def _kinds(self, row: int) -> list[str]:
        """What each column is to sentence ``row``."""
        kinds = [group.kind for group in self.contest.candidates for _ in range(group.count)]
        mine = self.contest.positive[row].tolist()
        return [self.contest.own if own else kind for own, kind in zip(mine, kinds, strict=True)]

    def by_kind(self, row: int) -> dict[str, float]:
        """The length of what all candidates of a kind do to the anchor together; below 0 where they push."""
        felt, gradient, counts = self.felt(row).cpu(), self.gradient[row].cpu(), self.contest.counts[row].cpu()
        named, total = self._kinds(row), {}
        for kind in dict.fromkeys([self.contest.own, *named]):
            chosen = torch.tensor([name == kind for name in named]) & counts
            if chosen.any():
                length = float(felt[chosen].sum(dim=0).norm())
                total[kind] = -length if float(gradient[chosen].sum()) > 0 else length
        return total
