r"""How MoCoUTRL's two losses are told to the force view: sentences in a softmax, exchanged words by their distance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor

from ..arithmetic import unit
from ..losses.mocoutrl_loss import MARGIN
from .force_formulas import number
from .forces import PRODUCT, Candidates, Contest, Measure, meet, softmax

NTXENT = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z_i^+)/\tau}}{\sum_{x\neq z_i} e^{\cos(z_i, x)/\tau}},"
    r"\quad x \in \{z, z^+, z^-\}"
)
ANTONYMS = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z_i^+)/\tau}}{e^{\cos(z_i, z_i^+)/\tau} + "
    r"\sum_j e^{\cos(z_i, z_j^-)/\tau}}"
)
PRINTED = r"\ell_i = -\log\frac{e^{z_i\cdot z_i^+/\tau}}{\sum_j e^{z_i\cdot z_j^-/\tau}}"


def sentences(
    anchor: Tensor, positive: Tensor, negative: Tensor, form: str, temperature: float, share: float
) -> list[Contest]:
    """Contests of :func:`clwork.losses.long_span`, which is the mean of their losses; ``share`` is what it counts."""
    original = Candidates("original", anchor, "other original")
    synonym = Candidates("synonym's sentence", positive, "other synonym's sentence", "positive")
    antonym = Candidates("antonym's sentence", negative, "antonym's sentence", "negative")
    there = "the original looks for its synonym's sentence"
    size = len(anchor)
    if form == "literal":
        return [_printed(meet(there, anchor, synonym, antonym, measure=PRODUCT), temperature)]
    if form == "antonym_only":
        hidden = torch.zeros(size, 2 * size, device=anchor.device)
        hidden[:, :size].masked_fill_(~torch.eye(size, dtype=torch.bool, device=anchor.device), -math.inf)
        found = meet(there, anchor, synonym, antonym)
        return [softmax(found, temperature, log_weights=hidden, share=share, formula=ANTONYMS)]
    itself = torch.zeros(size, 3 * size, device=anchor.device)
    itself.diagonal(offset=size).fill_(-math.inf)  # the second group is that of the anchors
    back = "the synonym's sentence looks for its original"
    return [
        softmax(found, temperature, log_weights=itself, share=share / 2, formula=NTXENT)
        for found in (meet(there, anchor, synonym, original, antonym), meet(back, positive, original, synonym, antonym))
    ]


def _printed(found: Contest, temperature: float) -> Contest:
    """Eq. 6 as printed: dot products, and the positive is not in the denominator."""
    size = len(found.scores)
    logits = found.scores / temperature
    mine, below = logits[:, :size].diagonal(), logits[:, size:]  # (B,), (B, B)
    others = below.logsumexp(dim=1)
    counts = found.positive.clone()
    counts[:, size:] = True
    weights = torch.cat([torch.zeros_like(below), below.detach().softmax(dim=1)], dim=1)
    own, rest = mine.detach().tolist(), others.detach().tolist()

    def lines(row: int) -> list[str]:
        ratio = rf"\frac{{e^{{{own[row]:.2f}}}}}{{e^{{{rest[row]:.2f}}}}}"
        return [PRINTED, rf"\ell_{{{row + 1}}} = -\log{ratio} = {number(rest[row] - own[row])}"]

    return replace(found, losses=others - mine, counts=counts, weights=weights, lines=lines)


def words(views: Mapping[str, Tensor], form: str) -> tuple[list[Contest], Tensor]:
    """The contests of :func:`clwork.losses.token_level`, and from their scores its value."""
    if form == "code":
        return _released(views)
    near = Measure("minus squared distance", distance=True)
    if form != "literal":
        near = replace(near, anchor=unit)
    label = Candidates("the word's entry in the dictionary", views["token_label"], "another word's entry")
    found = [
        meet(
            f"the {word} beside the original word", views[f"token_{which}"], label, measure=near, only_own=True, own=own
        )
        for word, which, own in (("synonym", "positive", "positive"), ("antonym", "negative", "negative"))
    ]
    close, far = (-contest.scores.diagonal() for contest in found)  # squared distances, (N,) each
    width = views["token_label"].shape[1]
    losses = (MARGIN + close - far).clamp_min(0) if form == "hinge" else close - far
    losses = losses / (width if form in ("mse_mean", "literal") else 1)
    gap = _Gap(close.detach(), far.detach(), losses.detach())
    return [replace(contest, losses=losses, lines=gap) for contest in found], losses.mean()


class _Gap:
    """The words' loss of a row, with its two distances."""

    def __init__(self, close: Tensor, far: Tensor, losses: Tensor) -> None:
        self._rows = list(zip(close.tolist(), far.tolist(), losses.tolist(), strict=True))

    def __call__(self, row: int) -> list[str]:
        close, far, loss = self._rows[row]
        near, apart = (rf"\lVert e_i - w_i^{sign}\rVert^2" for sign in "+-")
        return [
            rf"{near} = {number(close)},\quad {apart} = {number(far)}",
            rf"{near} - {apart} = {number(close - far)},\quad \ell_{{{row + 1}}} = {number(loss)}",
        ]


def _released(views: Mapping[str, Tensor]) -> tuple[list[Contest], Tensor]:
    """As released: one mean squared error, in which the antonym's *opposite* is pulled to an entry."""
    near = Measure("minus squared distance", distance=True)
    opposite = Measure("minus squared distance of its opposite", torch.neg, distance=True)
    entry = "the word's entry in the dictionary"
    pairs = (
        ("synonym", "token_positive", "positive_label", near),
        ("antonym", "token_negative", "negative_label", opposite),
        ("original word", "token_anchor", "token_label", near),
    )
    found = [
        meet(
            f"the {word} beside its entry", views[out], Candidates(entry, views[label], "another word's entry"),
            measure=measure, only_own=True,
        )
        for word, out, label, measure in pairs
    ]  # fmt: skip
    width = views["token_label"].shape[1]
    told = [replace(contest, losses=-contest.scores.diagonal() / width) for contest in found]
    return told, torch.stack([contest.loss for contest in told]).mean()
