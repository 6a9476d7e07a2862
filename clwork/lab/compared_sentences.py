"""Some sentences under one encoder or two: their vectors, and what these tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ..encoders import readings
from ..metrics import Neighbours
from ..views import similarity_matrix, similarity_pair
from ..views.style import shortened
from . import playground_words, word_edit
from .compared_encoders import Side
from .encoded_corpus import Corpus, Matrix, nearest_of
from .layout import WIDE

NEIGHBOURS = 3
ALONE = 560  # width of a single matrix


@dataclass
class Compared:
    """What was encoded last; the corpus comes later, and may be encoded in part only."""

    texts: Sequence[str]
    sides: Sequence[Side]
    vectors: dict[str, npt.NDArray[np.float32]]
    corpus: Corpus | None = None
    searched: dict[str, Matrix] = field(default_factory=dict)
    found: dict[str, Neighbours] = field(default_factory=dict)

    @staticmethod
    def of(texts: Sequence[str], sides: Sequence[Side]) -> Compared:
        """Encode the sentences by each encoder."""
        return Compared(texts, sides, {side.name: side.encoder.encode(texts) for side in sides})

    def figure(self) -> go.Figure:
        """The cosines of the sentences with one another: a matrix for each encoder."""
        one, *other = self.vectors.values()
        names = list(self.vectors)
        if other:
            return similarity_pair(one, other[0], self.texts, names=(names[0], names[1]), width=WIDE)
        high = similarity_pair(one, one, self.texts).layout.height
        figure = similarity_matrix(one, self.texts, width=ALONE, height=high)
        return figure.update_layout(title_text=f"cosine similarity, {shortened(names[0], 48)}")

    def words(self) -> str:
        """A warning of what cannot be read, and the odd one out."""
        read = {side.name: readings(side.encoder, self.texts) for side in self.sides}
        return playground_words.unread(self.texts, read) + playground_words.odd_ones(self.texts, self.vectors)

    def look_up(self, side: Side, corpus: Corpus, vectors: Matrix) -> str:
        """Find each sentence's neighbours by one encoder; returns the table of all that were found so far."""
        self.corpus, self.searched[side.name] = corpus, vectors
        self.found[side.name] = nearest_of(self.vectors[side.name], vectors, NEIGHBOURS)
        lengths = {name: len(vectors) for name, vectors in self.searched.items()}
        return playground_words.neighbours(self.texts, corpus.texts, self.found, lengths)

    def move(self, row: int, changed: str) -> str:
        """What moves when sentence ``row`` is ``changed``, as a table.

        Raises:
            ValueError: nothing is changed.
        """
        if not changed or changed == self.texts[row]:
            raise ValueError("the sentence is as it was; change a word of it first")
        moved = {}
        for side in self.sides:
            vector = side.encoder.encode([changed])[0]
            matrix = self.searched.get(side.name, np.zeros((0, len(vector)), dtype=np.float16))
            moved[side.name] = word_edit.movement(self.vectors[side.name], row, vector, matrix)
        texts = self.corpus.texts if self.corpus is not None else []
        return word_edit.table(self.texts, row, changed, moved, texts)
