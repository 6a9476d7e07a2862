"""How DCLR's loss is told to the force view: its softmax with noise and with negatives left out, in all variants."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from ..losses.dclr_loss import binary, without_positive
from ..losses.distillation_loss import divergence
from .force_formulas import number
from .forces import Candidates, Contest, Forces, meet, softmax

PAPER = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}{e^{\cos(z_i, z'_i)/\tau} + "
    r"\sum_{j\neq i}\alpha_{ij} e^{\cos(z_i, z'_j)/\tau} + \sum_k e^{\cos(z_i, n_k)/\tau}}"
)
RETOLD = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}{\sum_{j\neq i} e^{\cos(z_i, z'_j)/\tau} + "
    r"\sum_k e^{\cos(z_i, n_k)/\tau}}"
)
RELEASED = (
    r"\ell_i = -\frac{1}{B+K}\Bigl(\log P_{ii} + \sum_{j\neq i}\log(1 - P_{ij})\Bigr),\quad "
    r"P_{ij} = \frac{e^{\alpha_{ij} s_{ij}/\tau}}{\sum_k e^{\alpha_{ik} s_{ik}/\tau}}"
)


def told(
    config: Any, z1: Tensor, z2: Tensor, noise: Tensor | None, weights: Tensor | None, alike: Tensor | None
) -> Forces:
    """The loss from scores; ``weights`` as :func:`clwork.losses.dclr` takes them, ``alike`` where it is distilled."""
    met = [Candidates("view 2", z2, view="z2")]
    if noise is not None:
        met.append(Candidates("noise", noise, "noise", nobody=True))
    found = meet("view 1 looks for view 2", z1, *met)
    alpha = torch.ones_like(found.scores, requires_grad=False)  # (B, B + K)
    if weights is not None:
        alpha[:, : weights.shape[1]] = weights.to(alpha)
    if config.variant == "paper":
        found = softmax(found, config.temperature, log_weights=alpha.log(), formula=PAPER)
    else:
        found = (_released if config.variant == "code" else _retold)(found, alpha, config.temperature)
    terms = {"contrast": found.loss}
    if alike is not None:
        logits = found.scores[:, found.columns(0)] / config.temperature
        terms["distillation"] = config.distill_weight * divergence(logits, alike, config.temperature).mean()
    return Forces((found,), terms)


def _released(found: Contest, alpha: Tensor, temperature: float) -> Contest:
    """Binary cross-entropy: a weight of 0 makes a logit 0; the pair keeps a share of the softmax and is not moved."""
    logits = found.scores / temperature * alpha
    losses, p = binary(logits).mean(dim=1), logits.detach().softmax(dim=1)
    values = losses.detach().tolist()

    def lines(row: int) -> list[str]:
        own = f"P_{{ii}} = {number(float(p[row, row]))}"
        return [RELEASED, rf"\ell_{{{row + 1}}} = {number(values[row])},\quad {own}"]

    return replace(found, losses=losses, weights=p, lines=lines)


def _retold(found: Contest, _: Tensor, temperature: float) -> Contest:
    """The positive is not in the denominator, and nothing is left out."""
    logits = found.scores / temperature
    losses = without_positive(logits)
    below = logits.detach().masked_fill(found.positive, -math.inf)  # (B, C)
    mine, others = logits.detach()[found.positive].tolist(), below.logsumexp(dim=1).tolist()

    def lines(row: int) -> list[str]:
        ratio = rf"\frac{{e^{{{mine[row]:.2f}}}}}{{e^{{{others[row]:.2f}}}}}"
        return [RETOLD, rf"\ell_{{{row + 1}}} = -\log{ratio} = {number(others[row] - mine[row])}"]

    return replace(found, losses=losses, weights=below.softmax(dim=1), lines=lines)
