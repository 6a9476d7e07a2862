"""Some sentences by one encoder or two: cosines, the odd one out, neighbours, and what a changed word moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import torch

from ...arithmetic import normalize, unit_rows
from ...encoders import Reading, readings
from ...metrics.neighbours import Neighbours, nearest, odd_one_out
from ...projections import PcaBasis
from ...views import similarity_matrix, similarity_pair
from ...views.style import shortened
from ...wording import plural
from ..page import messages
from ..page.widgets import WIDE
from .compared_encoders import Side
from .corpus_search import SearchedVectors
from .encoded_corpus import Corpus, Matrix

NAMED = 3  # sentences and words; of more, their number is given
MOVED = 5  # other sentences in the table of a changed one: those that move most
NEIGHBOURS = 3
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Table:
    """A table of texts: its first column and its head are headings."""

    caption: str
    head: list[str]
    rows: list[list[str]]

    def parts(self) -> dict[str, Any]:
        """For the page."""
        return {"caption": self.caption, "head": self.head, "rows": self.rows}

    def html(self) -> str:
        """For pages without scripts."""
        return messages.table(self.caption, self.head, self.rows)


def quoted(text: str, length: int = 90) -> str:
    """A sentence in quotation marks, cut where it is long.

    >>> quoted("a < b")
    '“a < b”'
    """
    return f"“{text if len(text) <= length else text[: length - 1].rstrip() + '…'}”"


def odd_ones(texts: Sequence[str], vectors: Mapping[str, npt.NDArray[Any]]) -> list[str]:
    """By each encoder, which sentence is least like the others; nothing for two sentences."""
    if len(texts) < 3:
        return []
    lines = []
    for name, matrix in vectors.items():
        odd = odd_one_out(matrix)
        figures = f"mean cosine {odd.cosine:.2f} to the others, which have {odd.others:.2f} among themselves"
        alike = odd.others - odd.cosine < 0.005
        which = f"none, all are equally alike ({figures})" if alike else f"{quoted(texts[odd.row])} ({figures})"
        lines.append(f"Odd one out by {name}: {which}.")
    return lines


def token_coverage(texts: Sequence[str], read: Mapping[str, Sequence[Reading]]) -> list[str]:
    """Warnings of words outside the vocabularies, the worst sentences first; encoders that agree share one."""
    names: dict[tuple[Reading, ...], list[str]] = {}
    for name, of_texts in read.items():
        names.setdefault(tuple(of_texts), []).append(name)
    warnings = []
    for of_texts, who in names.items():
        worst = sorted((k for k in range(len(texts)) if of_texts[k].share), key=lambda k: -of_texts[k].share)
        if not worst:
            continue
        lines = [_of_one(texts[k], of_texts[k]) for k in worst[:NAMED]]
        if len(worst) > NAMED:
            lines.append(f"and parts of {len(worst) - NAMED} more")
        warnings.append(f"{' and '.join(who)} cannot read {'; '.join(lines)}.")
    return warnings


def _of_one(text: str, reading: Reading) -> str:
    if not reading.pieces:
        return f"anything of {quoted(text, 60)}: its vector says nothing"
    words = ", ".join(word[:20] for word in reading.words[:NAMED])
    more = " …" if len(reading.words) > NAMED else ""
    named = f" ({words}{more})" if words else ""
    return f"{100 * reading.share:.0f} % of {quoted(text, 60)}{named}"


def neighbours(
    texts: Sequence[str], corpus: Sequence[str], nearest: Mapping[str, Neighbours], searched: Mapping[str, int]
) -> Table:
    """Each sentence's nearest sentences in the corpus, by each encoder."""
    rows = []
    for row, text in enumerate(texts):
        cells = [
            "\n".join(f"{c:.2f} {corpus[k]}" for k, c in zip(near.rows[row], near.cosines[row], strict=True))
            for near in nearest.values()
        ]
        rows.append([text, *cells])
    head = ["sentence", *(f"{name}, of {plural(searched[name], 'sentence')}" for name in nearest)]
    return Table("The nearest sentences of the corpus, with their cosines", head, rows)


def _nearest_of(asked: Vectors, vectors: Matrix) -> Neighbours:
    """The nearest of the vectors, ``NEIGHBOURS`` where there are so many; none where nothing is encoded yet."""
    if not len(vectors):
        return Neighbours(np.zeros((len(asked), 0), dtype=np.int64), np.zeros((len(asked), 0)))
    return nearest(asked, vectors, k=min(NEIGHBOURS, len(vectors)))


ALONE = 560  # width of a single matrix


@dataclass
class Compared:
    """Vectors of the last comparison; neighbours in the corpus are added later, perhaps of a part of it."""

    texts: Sequence[str]
    sides: Sequence[Side]
    vectors: dict[str, npt.NDArray[np.float32]]
    corpus: Corpus | None = None
    searched: dict[str, SearchedVectors] = field(default_factory=dict)
    found: dict[str, Neighbours] = field(default_factory=dict)
    bases: dict[str, PcaBasis] = field(default_factory=dict)
    fits: int = 0  # how often the bases were made

    @staticmethod
    def of(texts: Sequence[str], sides: Sequence[Side]) -> Compared:
        """Encode the sentences by each encoder."""
        return Compared(texts, sides, {side.name: side.encoder.encode(texts) for side in sides})

    def figure(self) -> go.Figure:
        """The cosines of the sentences with one another: a matrix for each encoder."""
        first, *others = self.vectors.values()
        names = list(self.vectors)
        if others:
            return similarity_pair(first, others[0], self.texts, names=(names[0], names[1]), width=WIDE)
        high = similarity_pair(first, first, self.texts).layout.height
        figure = similarity_matrix(first, self.texts, width=ALONE, height=high)
        return figure.update_layout(title_text=f"cosine similarity, {shortened(names[0], 48)}")

    def cosines(self) -> dict[str, npt.NDArray[np.float32]]:
        """The cosine of each sentence with each other ``(N, N)``, by encoder."""
        units = {name: unit_rows(vectors) for name, vectors in self.vectors.items()}
        return {name: (points @ points.T).astype(np.float32) for name, points in units.items()}

    def warnings(self) -> list[str]:
        """What the vocabularies cannot read."""
        return token_coverage(self.texts, {side.name: readings(side.encoder, self.texts) for side in self.sides})

    def remarks(self) -> list[str]:
        """The odd one out, by each encoder."""
        return odd_ones(self.texts, self.vectors)

    def look_up(self, side: Side, corpus: Corpus, vectors: Matrix) -> Table:
        """Find each sentence's neighbours by one encoder; return the table of all encoders so far."""
        self.corpus, self.searched[side.name] = corpus, SearchedVectors(vectors)
        self.found[side.name] = _nearest_of(self.vectors[side.name], vectors)
        lengths = {name: len(vectors) for name, vectors in self.searched.items()}
        return neighbours(self.texts, corpus.texts, self.found, lengths)


@dataclass(frozen=True)
class Movement:
    """How one encoder moves a changed sentence.

    Attributes:
        itself: cosine of the sentence before the change and after it.
        before: its cosine to each sentence, itself included, before the change.
        after: the same after it.
        come: rows of the corpus that became its nearest neighbours.
        gone: rows that no longer are.
    """

    itself: float
    before: npt.NDArray[np.float64]
    after: npt.NDArray[np.float64]
    come: list[int]
    gone: list[int]


def movement(vectors: Vectors, row: int, changed: Vectors, before: Sequence[int], after: Sequence[int]) -> Movement:
    """How sentence ``row`` moves among ``vectors`` ``(N, D)`` to ``changed`` ``(D,)``.

    ``before`` and ``after`` are the rows of its nearest sentences in the corpus.
    """
    points = normalize(torch.from_numpy(np.concatenate([vectors, changed[None]])).double()).numpy()
    then, now = points[:-1] @ points[row], points[:-1] @ points[-1]
    come, gone = [k for k in after if k not in before], [k for k in before if k not in after]
    return Movement(float(now[row]), then, now, come, gone)


def movements(
    texts: Sequence[str], row: int, changed: str, moved: Mapping[str, Movement], corpus: Sequence[str]
) -> Table:
    """Cosines to the sentences that moved most, and neighbours that came and went."""
    most = np.max([np.abs(move.after - move.before) for move in moved.values()], axis=0)
    others = [int(k) for k in np.argsort(-most, kind="stable") if k != row][:MOVED]
    rows = [["cosine to what it was", *(f"{move.itself:.2f}" for move in moved.values())]]
    for k in others:
        cells = [
            f"{move.before[k]:.2f} → {move.after[k]:.2f} ({move.after[k] - move.before[k]:+.2f})"
            for move in moved.values()
        ]
        rows.append([texts[k], *cells])
    for what, chosen in (("neighbours that came", "come"), ("neighbours that went", "gone")):
        rows.append([what, *("\n".join(corpus[k] for k in getattr(m, chosen)) or "none" for m in moved.values())])
    return Table(f"What moves with “{changed}”", ["", *moved], rows)
