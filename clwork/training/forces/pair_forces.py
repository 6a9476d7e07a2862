"""The pairs of a score table with the loss's gradient by each: every number that the force view shows of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ...arithmetic import at_least_float32
from ...methods import ScoreTable
from ...renamed import RenamedAttribute

GRADIENT = "gradient by the score"
Matrix = npt.NDArray[np.float32]


def numbers(tensor: Tensor) -> Matrix:
    """A tensor as an array of float32."""
    array: Matrix = tensor.detach().float().cpu().numpy()
    return array


class Pair(NamedTuple):
    """A candidate beside one anchor.

    Attributes:
        kind: ``"positive"``, or what the method calls it.
        name: which vectors it is one of, such as ``"view 2"``.
        sentence: the row of the batch that the candidate is of; None for synthetic candidates, such as noise.
        text: what it was read from.
        score: how near the two are, by the table's measure.
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
class ScoreGradients:
    """A :class:`clwork.methods.ScoreTable` without its graph, and the loss's gradient by its scores, ``(B, C)``."""

    table: ScoreTable
    gradient: Tensor
    texts: tuple[Sequence[str], ...]  # of each group of candidates

    contest = RenamedAttribute("table")
    felt = RenamedAttribute("anchor_gradients")

    @property
    def role(self) -> str:
        """The role of the anchors, such as ``"view 1 looks for view 2"``."""
        return self.table.role

    @property
    def measure(self) -> str:
        """What the scores are."""
        return self.table.measure.name

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Name and number of the candidates that are side by side in the columns."""
        return [(group.name, group.count) for group in self.table.candidates]

    def matrices(self) -> dict[str, Matrix]:
        """Scores, softmax weights where there are any, and gradients, each ``(B, C)``."""
        named = {self.measure: self.table.scores}
        named |= {} if self.table.weights is None else {"softmax weight": self.table.weights}
        return {name: numbers(matrix) for name, matrix in (named | {GRADIENT: self.gradient}).items()}

    @property
    def losses(self) -> Matrix | None:
        """What each sentence adds to the loss, ``(B,)``."""
        return None if self.table.losses is None else numbers(self.table.losses)

    def anchor_gradients(self, row: int) -> Tensor:
        """Split the loss's gradient by sentence ``row``'s anchor into one part for each candidate, ``(C, D)``."""
        table = self.table
        anchor = at_least_float32(table.anchors[row])
        parts: list[Tensor] = []
        for group in table.candidates:
            others = group.vectors if group.vectors.dim() == 2 else group.vectors[row]
            with torch.enable_grad():
                copies = anchor.expand(len(others), -1).clone().requires_grad_()  # (C, D)
                scores = table.measure.each(copies, others)
                parts += torch.autograd.grad(scores.sum(), copies)
        return torch.cat(parts).float() * self.gradient[row][:, None]

    def pairs(self, row: int) -> list[Pair]:
        """The candidates of sentence ``row``'s anchor that take part in the loss, the strongest first."""
        table, kinds = self.table, self._kinds(row)
        scores, gradients, counts = (matrix[row].tolist() for matrix in (table.scores, self.gradient, table.counts))
        norms = self.anchor_gradients(row).norm(dim=1).tolist()
        weights = [None] * len(scores) if table.weights is None else table.weights[row].tolist()
        places = [(g, k) for g, group in enumerate(table.candidates) for k in range(group.count)]
        counted = []
        for column, (g, k) in enumerate(places):
            if counts[column]:
                group = table.candidates[g]
                sentence, text = None if group.synthetic else k, self.texts[g][k]
                measured = scores[column], weights[column], gradients[column], norms[column]
                counted.append(Pair(kinds[column], group.name, sentence, text, *measured))
        return sorted(counted, key=lambda pair: -pair.norm)

    def _kinds(self, row: int) -> list[str]:
        """What each column is to sentence ``row``."""
        kinds = [group.kind for group in self.table.candidates for _ in range(group.count)]
        mine = self.table.positive[row].tolist()
        return [self.table.own if own else kind for own, kind in zip(mine, kinds, strict=True)]

    def by_kind(self, row: int) -> dict[str, float]:
        """Length of the gradient on the anchor from all candidates of a kind together; below 0 where they push."""
        parts, gradient = self.anchor_gradients(row).cpu(), self.gradient[row].cpu()
        counts, kinds, lengths = self.table.counts[row].cpu(), self._kinds(row), {}
        for kind in dict.fromkeys([self.table.own, *kinds]):
            chosen = torch.tensor([name == kind for name in kinds]) & counts
            if chosen.any():
                length = float(parts[chosen].sum(dim=0).norm())
                lengths[kind] = -length if float(gradient[chosen].sum()) > 0 else length
        return lengths
