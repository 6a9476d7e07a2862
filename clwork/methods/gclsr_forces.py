"""How GCLSR's loss is told to the force view: a pull towards the other view, each group of dimensions by itself."""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor

from .force_formulas import added, number
from .forces import Candidates, Contest, grouped_cosine, meet


def prediction(p: str, z: str, predicted: Tensor, target: Tensor, size: int) -> Contest:
    """One half of the loss: ``predicted`` (B, D), named ``p``, is pulled to ``target``, named ``z``."""
    measure, role = grouped_cosine(size), f"view {p[1:]} predicts view {z[1:]}"
    found = meet(
        role, predicted, Candidates(f"projection of view {z[1:]}", target, "another sentence"),
        measure=measure, only_own=True,
    )  # fmt: skip
    losses = -found.scores.diagonal()
    groups = predicted.shape[1] // size
    product = measure.anchor(predicted.detach().float()) * measure.candidate(target.detach().float())  # (B, D)
    cosines = product.reshape(-1, groups, size).sum(dim=-1) * groups  # (B, M)

    def lines(row: int) -> list[str]:
        i, own = row + 1, cosines[row].tolist()
        shown = [number(value) for value in own[:3]] + ([r"\dots"] if groups > 4 else [])
        shown += [number(value) for value in own[max(3, groups - 1) :]]
        inner = rf"\cos(p_{{{p[1:]},ig}}, \mathrm{{sg}}(z_{{{z[1:]},ig}}))"
        return [
            rf"\ell_i = -\frac{{1}}{{M}}\sum_{{g=1}}^{{M}} {inner},\quad M = {groups}",
            rf"\ell_{{{i}}} = -\frac{{{added(shown)}}}{{{groups}}} = {number(-sum(own) / groups)}",
            r"\frac{\partial\mathcal{L}}{\partial \cos(p_{ig}, z_{ig})} = -\frac{1}{2 B M} = "
            rf"-\frac{{1}}{{2\cdot {len(cosines)}\cdot {groups}}} = {number(-1 / (2 * len(cosines) * groups))}"
            r"\ \text{, the same for every group}",
        ]

    return replace(found, losses=losses, lines=lines)
