r"""Formulas with a batch's own numbers in them, as LaTeX that MathJax and KaTeX both read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


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
