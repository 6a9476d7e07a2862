"""How SG-BERT's contrast is told to the force view, in each of its four forms."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor
from torch.nn import functional as F

from .force_formulas import number
from .forces import Candidates, Contest, meet, softmax

BASE = r"\ell_i = -\log\frac{e^{\cos(x_i, x_i^+)/\tau}}{\sum_{y\neq x_i} e^{\cos(x_i, y)/\tau}},\quad x, y \in \{c, h\}"
OPT1 = (
    r"\ell_i = -\log\frac{e^{\cos(c_i, h_i)/\tau}}{\sum_j e^{\cos(c_i, h_j)/\tau} + "
    r"\sum_{j\neq i} e^{\cos(c_i, c_j)/\tau}}"
)
OPT2 = r"\ell_i = -\log\frac{e^{\cos(c_i, h_i)/\tau}}{\sum_j e^{\cos(c_i, h_j)/\tau}}"
OPT3 = (
    r"\ell_i = \frac{1}{L}\sum_k -\log\frac{e^{\cos(c_i, h_{ik})/\tau}}{e^{\cos(c_i, h_{ik})/\tau} + "
    r"\sum_{j\neq i}\sum_n e^{\cos(c_i, h_{jn})/\tau}}"
)


def contests(c: Tensor, h: Tensor, form: str, temperature: float, variant: str) -> tuple[Contest, ...]:
    """Who looks for whom; the mean of their losses is :func:`clwork.losses.self_guided`."""
    if form == "opt3":
        return (_all_layers(c, h, temperature),)
    trained = Candidates("trained encoder", c, "other trained vector")
    frozen = Candidates("frozen layer", h, "other frozen vector")
    size, role = len(c), "the trained encoder looks for the frozen layer"
    itself = torch.zeros(size, 2 * size, device=c.device)
    itself.diagonal(offset=size).fill_(-math.inf)  # of the second group: the anchor itself
    if form == "opt2":
        lost = torch.zeros(size, size, device=c.device)
        if variant == "code":  # G4: each anchor has lost its first negative
            lost[1:, 0] = lost[:1, 1:2] = -math.inf
        return (softmax(meet(role, c, frozen), temperature, log_weights=lost, formula=OPT2),)
    if form == "opt1":
        return (softmax(meet(role, c, frozen, trained), temperature, log_weights=itself, formula=OPT1),)
    back = "the frozen layer looks for the trained encoder"
    return (
        softmax(meet(role, c, frozen, trained), temperature, log_weights=itself, share=0.5, formula=BASE),
        softmax(meet(back, h, trained, frozen), temperature, log_weights=itself, share=0.5, formula=BASE),
    )


def _all_layers(c: Tensor, h: Tensor, temperature: float) -> Contest:
    """SG-OPT: a question for each layer of the sentence; its negatives are all layers of all others."""
    size, layers = h.shape[:2]
    names = ["embeddings", *(f"layer {k}" for k in range(1, layers))]
    met = [Candidates(name, h[:, k], "another sentence") for k, name in enumerate(names)]
    found = meet("the trained encoder looks for every frozen layer", c, *met, positives=range(layers))
    logits = found.scores / temperature  # (B, L·B)
    own = logits[found.positive].view(size, layers)  # (B, L)
    rest = logits.masked_fill(found.positive, -math.inf)
    below = rest.logsumexp(dim=1, keepdim=True)  # (B, 1); -inf where there are no others
    losses = F.softplus(below - own).mean(dim=1) if size > 1 else own.sum(dim=1) * 0
    with torch.no_grad():
        found_own = (own - below).sigmoid()  # (B, L), what each question gives its positive
        left = (1 - found_own).mean(dim=1, keepdim=True)
        weights = (rest.softmax(dim=1) if size > 1 else torch.zeros_like(rest)) * left
        weights[found.positive] = (found_own / layers).flatten()
        mine, others, means = own.detach(), below.detach()[:, 0], losses.detach()

    def lines(row: int) -> list[str]:
        hardest = int(mine[row].argmin())
        e, rest_of = f"e^{{{float(mine[row, hardest]):.2f}}}", f"e^{{{float(others[row]):.2f}}}"
        loss = number(float(F.softplus(others[row] - mine[row, hardest])))
        counted = rf"\underbrace{{{rest_of}}}_{{{size - 1}\cdot {layers}\ \text{{layers of others}}}}"
        return [
            OPT3,
            rf"\ell_{{{row + 1}}} = {number(float(means[row]))},\quad \text{{its hardest question, }}k = {hardest}:\ "
            rf"-\log\frac{{{e}}}{{{e} + {counted}}} = {loss}",
        ]

    return replace(found, losses=losses, weights=weights, lines=lines)
