"""What the playground says of sentences and their vectors, as HTML."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

from ..encoders import Reading
from ..metrics import Neighbours, odd_one_out
from ..wording import plural
from . import messages

TOLD = 3  # sentences and words that are named; of more, their number


def quoted(text: str, length: int = 90) -> str:
    """A sentence in quotation marks, cut where it is long, escaped.

    >>> quoted("a < b")
    '“a &lt; b”'
    """
    cut = text if len(text) <= length else text[: length - 1].rstrip() + "…"
    return f"“{html.escape(cut)}”"


def odd_ones(texts: Sequence[str], vectors: Mapping[str, npt.NDArray[Any]]) -> str:
    """By each encoder, which sentence is least like the others; nothing of two sentences, or where all are alike."""
    if len(texts) < 3:
        return ""
    told = []
    for name, found in vectors.items():
        odd = odd_one_out(found)
        who = f"<b>Odd one out</b> by {html.escape(name)}: "
        figures = f"mean cosine {odd.cosine:.2f} to the others, which have {odd.others:.2f} among themselves"
        if odd.others - odd.cosine < 0.005:
            told.append(f"{who}none, all are equally alike ({figures}).")
        else:
            told.append(f"{who}{quoted(texts[odd.row])} ({figures}).")
    return "".join(f"<div style='line-height:1.5'>{line}</div>" for line in told)


def unread(texts: Sequence[str], read: Mapping[str, Sequence[Reading]]) -> str:
    """A warning of what vocabularies cannot read, the worst sentences first; one for encoders with one vocabulary."""
    names: dict[tuple[Reading, ...], list[str]] = {}
    for name, readings in read.items():
        names.setdefault(tuple(readings), []).append(html.escape(name))
    told = []
    for readings, who in names.items():
        worst = sorted((k for k in range(len(texts)) if readings[k].share), key=lambda k: -readings[k].share)
        if not worst:
            continue
        lines = [_of_one(texts[k], readings[k]) for k in worst[:TOLD]]
        if len(worst) > TOLD:
            lines.append(f"and parts of {len(worst) - TOLD} more")
        told.append(f"<b>{' and '.join(who)} cannot read</b> {'; '.join(lines)}.")
    border = f"border-left:4px solid {messages.BAD};padding-left:8px;line-height:1.5"
    return "".join(f"<div style='{border}'>{line}</div>" for line in told)


def _of_one(text: str, reading: Reading) -> str:
    if not reading.pieces:
        return f"anything of {quoted(text, 60)}: its vector says nothing"
    words = ", ".join(html.escape(word[:20]) for word in reading.words[:TOLD])
    more = " …" if len(reading.words) > TOLD else ""
    named = f" ({words}{more})" if words else ""
    return f"{100 * reading.share:.0f} % of {quoted(text, 60)}{named}"


def neighbours(
    texts: Sequence[str], corpus: Sequence[str], found: Mapping[str, Neighbours], searched: Mapping[str, int]
) -> str:
    """A table: for each sentence its nearest sentences of the corpus, by each encoder."""
    rows = []
    for row, text in enumerate(texts):
        cells = [
            "\n".join(f"{c:.2f} {corpus[k]}" for k, c in zip(near.rows[row], near.cosines[row], strict=True))
            for near in found.values()
        ]
        rows.append([text, *cells])
    head = ["sentence", *(f"{name}, of {plural(searched[name], 'sentence')}" for name in found)]
    return messages.table("The nearest sentences of the corpus, with their cosines", head, rows)
