"""What encoders answer to one sentence: its hits in the corpus, side by side, and how a changed word moves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arithmetic import unit_rows
from ...projections import PcaBasis
from .compared_encoders import Side
from .compared_sentences import NEIGHBOURS, Compared, Table, movement, movements
from .corpus_search import Cosines, SearchedVectors, best, rank

HITS = 10
DOTS = 2000  # of a cloud, a fair sample, as the corpus is shuffled; its axes are theirs
LONGEST = 2000  # letters of a text that are sent
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Question:
    """A sentence to look up.

    Attributes:
        text: as it is now.
        row: which of the compared sentences it was; None for a new one.
    """

    text: str
    row: int | None = None


@dataclass
class Answers:
    """Answers one question after the other about a comparison; keeps what does not change between them."""

    compared: Compared
    _before: dict[tuple[str, int, int], Cosines] = field(default_factory=dict)

    def of(self, question: Question) -> tuple[dict[str, Any], Table | None]:
        """Columns of hits, places in the clouds and cosines to the compared sentences, for the page; what moves."""
        now, text, row = self.compared, question.text, question.row
        changed = row is not None and text != now.texts[row]
        vectors = {side.name: self._vector(side, question, changed) for side in now.sides}
        asked = [(name, now.searched[name], vector) for name, vector in vectors.items() if name in now.searched]
        after = {name: searched.cosines(vector) for name, searched, vector in asked}
        before = {name: self._cosines_before(name, row) for name in after} if row is not None and changed else {}
        columns = _columns(after, before)
        shown = sorted({hit for column in columns for hit in (*column["rows"], *column["gone"])})
        table = self.moves(question, vectors, before, after) if changed else None
        content = {
            "row": -1 if row is None else row,
            "text": text,
            "original": now.texts[row] if row is not None else "",
            "changed": changed,
            "axes": now.fits,
            "columns": columns,
            "texts": self.texts(shown),
            "sides": [self._side(name, vectors[name], shown) for name in vectors],
            "moved": None if table is None else table.parts(),
        }
        return content, table

    def texts(self, rows: Sequence[int]) -> dict[str, str]:
        """Sentences of the corpus by their rows; the longest are cut."""
        corpus = self.compared.corpus.texts if self.compared.corpus is not None else []
        return {str(row): corpus[row][:LONGEST] for row in rows if 0 <= row < len(corpus)}

    def moves(
        self,
        question: Question,
        vectors: Mapping[str, Vectors],
        before: Mapping[str, Cosines],
        after: Mapping[str, Cosines],
    ) -> Table:
        """The table of what moves when a compared sentence is changed."""
        now, row = self.compared, question.row
        assert row is not None
        none = np.zeros(0, dtype=np.float32)
        moved = {
            name: movement(
                now.vectors[name],
                row,
                vector,
                best(before.get(name, none), NEIGHBOURS),
                best(after.get(name, none), NEIGHBOURS),
            )
            for name, vector in vectors.items()
        }
        return movements(now.texts, row, question.text, moved, now.corpus.texts if now.corpus is not None else [])

    def _vector(self, side: Side, question: Question, changed: bool) -> Vectors:
        if question.row is not None and not changed:
            vector: Vectors = self.compared.vectors[side.name][question.row]
            return vector
        vector = side.encoder.encode([question.text])[0]
        return vector

    def _cosines_before(self, name: str, row: int) -> Cosines:
        """Those of a compared sentence; kept for the one that was asked for last."""
        searched = self.compared.searched[name]
        key = (name, row, len(searched))
        if key not in self._before:
            self._before = {kept: value for kept, value in self._before.items() if kept[0] != name}
            self._before[key] = searched.cosines(self.compared.vectors[name][row])
        return self._before[key]

    def _side(self, name: str, vector: Vectors, shown: Sequence[int]) -> dict[str, Any]:
        """Where the sentence and the hits are in an encoder's cloud, and its cosines to the compared sentences."""
        own = self.compared.vectors[name]
        unit = unit_rows(np.concatenate([own, vector[None]]))
        part: dict[str, Any] = {"name": name, "cosines": [round(float(c), 4) for c in unit[:-1] @ unit[-1]]}
        basis = self.compared.bases.get(name)
        if basis is not None:
            searched = self.compared.searched.get(name)
            rows = [row for row in shown if searched is not None and row < len(searched)]
            near = searched.rows(rows) if searched is not None and rows else np.zeros((0, len(vector)), np.float32)
            places = basis.transform(np.concatenate([vector[None], near])).round(4).tolist()
            part |= {"at": places[0], "near": {str(row): place for row, place in zip(rows, places[1:], strict=True)}}
        return part


def _columns(after: Mapping[str, Cosines], before: Mapping[str, Cosines]) -> list[dict[str, Any]]:
    """A column of hits by each encoder; a changed sentence under one encoder has one as it was, and one as it is."""
    if len(after) == 1 and before:
        ((name, now),), (then,) = after.items(), before.values()
        return [
            _column("as it was", len(now), then, now, None, past=True),
            _column(f"as it is now, {name}", len(now), now, then, None),
        ]
    names = list(after)
    others = dict(zip(names, reversed(names), strict=True)) if len(names) == 2 else {}
    return [
        _column(name, len(now), now, after[others[name]] if others else None, before.get(name))
        for name, now in after.items()
    ]


def _column(
    title: str, searched: int, here: Cosines, there: Cosines | None, then: Cosines | None, past: bool = False
) -> dict[str, Any]:
    """The nearest rows by ``here``, with ranks by ``there``, the other column, and by ``then``, before a change."""
    rows = best(here, HITS)
    left = [row for row in best(then, HITS) if row not in rows] if then is not None else []
    return {
        "title": title,
        "past": past,
        "searched": searched,
        "rows": rows,
        "cosines": [round(float(here[row]), 4) for row in rows],
        "there": None if there is None else [rank(there, row) for row in rows],
        "then": None if then is None else [rank(then, row) for row in rows],
        "gone": left,
        "gone_to": [rank(here, row) for row in left],
    }


def clouds(compared: Compared) -> list[dict[str, Any]]:
    """By each encoder, the dots of the corpus on two axes of their own, and the compared sentences among them.

    Keeps the axes in ``compared.bases``; an encoder with fewer than three vectors has no cloud.
    """
    made = []
    compared.fits += 1
    for name, own in compared.vectors.items():
        searched = compared.searched.get(name)
        sample = np.asarray(searched.vectors[:DOTS], dtype=np.float32) if searched is not None else own[:0]
        fitted = sample if len(sample) >= 3 else own
        if len(fitted) < 3 or fitted.shape[1] < 2:
            continue
        basis = compared.bases[name] = PcaBasis.fit(fitted)
        dots, places = (basis.transform(vectors).astype("<f4") for vectors in (sample, own))
        share = round(sum(basis.share), 4)
        made.append({"name": name, "share": share, "dots": dots.tobytes(), "own": places.tobytes()})
    return made


def grown(searched: SearchedVectors | None) -> int:
    """How many dots of a cloud there would be."""
    return 0 if searched is None else min(len(searched), DOTS)
