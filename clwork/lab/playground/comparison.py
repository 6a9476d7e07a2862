"""Comparison of sentences by up to three encoders: cosines, odd one out, neighbours, and effects of a changed word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arithmetic import unit_rows
from ...encoders import Encoder
from ...encoders.tokens import Coverage, coverage
from ...encoders.word_embeddings import split_words
from ...metrics.neighbours import odd_one_out
from ...projections import PcaBasis
from ...wording import plural
from ..page import markup
from .sources import Matrix, Side, best, cosines_with, ranks

NAMED = 3  # sentences and words in a warning; the number of further sentences is stated
MOVED = 5  # rows in the table about a changed sentence: the other sentences whose cosines change most
NEIGHBOURS, HITS = 3, 10
DOTS = 2000  # dots of a scatter plot: the first sentences of the shuffled corpus
LONGEST = 2000  # characters; longer texts are cut
PAIRS = 20_000  # random pairs of sentences, whose cosines a cosine is compared with
NONE: Matrix = np.zeros(0, dtype=np.float32)


@dataclass(frozen=True)
class Table:
    """A table of texts with a heading for each row and column."""

    caption: str
    head: list[str]
    rows: list[list[str]]

    def html(self) -> str:
        return markup.table(self.caption, self.head, self.rows)


@dataclass(frozen=True)
class Question:
    """A sentence to search for, the row of the compared sentence that it replaces, if any, and another to compare."""

    text: str
    row: int | None = None
    partner: str = ""


@dataclass
class Comparison:
    """The sentences, their vectors by each encoder, and the vectors of the first sentences of the corpus."""

    texts: Sequence[str]
    sides: Sequence[Side]
    vectors: dict[str, npt.NDArray[np.float32]]
    corpus: Sequence[str] = ()
    searched: dict[str, Matrix] = field(default_factory=dict)
    bases: dict[str, PcaBasis] = field(default_factory=dict)
    fits: int = 0  # number of times that the bases were fitted

    @staticmethod
    def of(texts: Sequence[str], sides: Sequence[Side]) -> Comparison:
        return Comparison(texts, sides, {side.name: side.encoder.encode(texts) for side in sides})

    def cosines(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return the matrix of cosines between the sentences ``(N, N)`` by encoder."""
        units = {name: unit_rows(vectors) for name, vectors in self.vectors.items()}
        return {name: (points @ points.T).astype(np.float32) for name, points in units.items()}

    def warnings(self) -> list[str]:
        read = {side.name: [coverage(side.encoder.tokenizer, text) for text in self.texts] for side in self.sides}
        return unread(self.texts, read)

    def remarks(self) -> list[str]:
        """Name the sentence that is least similar to the others, by encoder; empty for two sentences."""
        lines = []
        for name, matrix in self.vectors.items() if len(self.texts) > 2 else ():
            odd = odd_one_out(matrix)
            figures = f"mean cosine {odd.cosine:.2f} with the others; {odd.others:.2f} among the others"
            alike = odd.others - odd.cosine < 0.005
            which = "none, all are equally similar" if alike else quoted(self.texts[odd.row])
            lines.append(f"Odd one out by {name}: {which} ({figures}).")
        return lines

    def neighbours(self) -> Table:
        """Return the nearest encoded sentences of the corpus for each sentence, by encoder."""
        rows = [[text] for text in self.texts]
        for name, vectors in self.searched.items():
            for row, own in zip(rows, self.vectors[name], strict=True):
                cosines = cosines_with(own, vectors)
                row.append("\n".join(f"{cosines[k]:.2f} {self.corpus[k]}" for k in best(cosines, NEIGHBOURS)))
        head = ["sentence", *(f"{name}, of {plural(len(found), 'sentence')}" for name, found in self.searched.items())]
        return Table("The nearest sentences of the corpus, with their cosines", head, rows)

    def clouds(self) -> list[dict[str, Any]]:
        """Project corpus and compared sentences on the corpus's principal axes, by encoder."""
        clouds = []
        self.fits += 1
        for name, own in self.vectors.items():
            sample = self.searched.get(name, own[:0])[:DOTS]
            fitted = sample if len(sample) >= 3 else own
            if len(fitted) < 3 or fitted.shape[1] < 2:
                continue
            basis = self.bases[name] = PcaBasis.fit(fitted)
            dots, places = (basis.transform(vectors).astype("<f4") for vectors in (sample, own))
            usual = quantiles_of_pairs(sample) if len(sample) >= 3 else []
            of_basis = {"name": name, "share": round(sum(basis.share), 4), "quantiles": usual}
            clouds.append({**of_basis, "dots": dots.tobytes(), "own": places.tobytes()})
        return clouds

    def corpus_texts(self, rows: Sequence[int]) -> dict[str, str]:
        return {str(row): self.corpus[row][:LONGEST] for row in rows if 0 <= row < len(self.corpus)}

    def answer(self, question: Question) -> tuple[dict[str, Any], Table | None]:
        """Return neighbours, coordinates and cosines of a sentence; if it was changed, also a table of the effects."""
        text, row = question.text, question.row
        changed = row is not None and text != self.texts[row]
        vectors, partner = self._vectors_of(text), self._vectors_of(question.partner)
        after = {name: cosines_with(vectors[name], found) for name, found in self.searched.items()}
        before: dict[str, Matrix] = {}
        if row is not None and changed:
            before = {name: cosines_with(self.vectors[name][row], found) for name, found in self.searched.items()}
        columns = _columns(after, before)
        shown = sorted({hit for column in columns for hit in (*column["rows"], *column["gone"])})
        table = self._moves(question, vectors, before, after) if changed else None
        content = {
            "row": -1 if row is None else row,
            "text": text,
            "original": self.texts[row] if row is not None else "",
            "changed": changed,
            "axes": self.fits,
            "pieces": pieces_of(self.sides[0].encoder, text),
            "columns": columns,
            "texts": self.corpus_texts(shown),
            "sides": [self._side(name, vectors[name], partner.get(name), shown) for name in vectors],
            "moved": None if table is None else vars(table),
        }
        return content, table

    def _vectors_of(self, text: str) -> dict[str, npt.NDArray[np.float32]]:
        if text in self.texts:
            return {name: vectors[self.texts.index(text)] for name, vectors in self.vectors.items()}
        return {side.name: side.encoder.encode([text])[0] for side in self.sides} if text else {}

    def _side(self, name: str, vector: Matrix, partner: Matrix | None, shown: Sequence[int]) -> dict[str, Any]:
        """Return coordinates of a sentence and its neighbours, and its cosines to partner and compared sentences."""
        unit = unit_rows(np.concatenate([self.vectors[name], vector[None]]))
        part: dict[str, Any] = {"name": name, "cosines": [round(float(c), 4) for c in unit[:-1] @ unit[-1]]}
        if partner is not None:
            part["pair"] = round(float(cosines_with(vector, unit_rows(partner[None]).astype(np.float32))[0]), 4)
        basis = self.bases.get(name)
        if basis is not None:
            found = self.searched.get(name, self.vectors[name][:0])
            rows = [row for row in shown if row < len(found)]
            places = basis.transform(np.concatenate([vector[None], found[rows]])).round(4).tolist()
            part |= {"at": places[0], "near": {str(row): place for row, place in zip(rows, places[1:], strict=True)}}
        return part

    def _moves(
        self,
        question: Question,
        vectors: Mapping[str, npt.NDArray[np.float32]],
        before: Mapping[str, Matrix],
        after: Mapping[str, Matrix],
    ) -> Table:
        """Return a table of the cosines that change most, and of new and former neighbours."""
        row = question.row
        own = {name: unit_rows(np.concatenate([self.vectors[name], vector[None]])) for name, vector in vectors.items()}
        then = {name: unit[:-1] @ unit[row] for name, unit in own.items()}
        now = {name: unit[:-1] @ unit[-1] for name, unit in own.items()}
        near = [{name: best(part.get(name, NONE), NEIGHBOURS) for name in own} for part in (before, after)]
        rows = [["cosine with the former sentence", *(f"{now[name][row]:.2f}" for name in own)]]
        most = np.max([np.abs(now[name] - then[name]) for name in own], axis=0)
        for k in [int(k) for k in np.argsort(-most, kind="stable") if k != row][:MOVED]:
            pairs = [(then[name][k], now[name][k]) for name in own]
            rows.append([self.texts[k], *(f"{old:.2f} → {new:.2f} ({new - old:+.2f})" for old, new in pairs)])
        for title, (old, new) in (("new neighbours", near), ("former neighbours", near[::-1])):
            texts = [[self.corpus[k] for k in new[name] if k not in old[name]] for name in own]
            rows.append([title, *("\n".join(found) or "none" for found in texts)])
        return Table(f"Effects of the change to “{question.text}”", ["", *own], rows)


def quantiles_of_pairs(unit: Matrix) -> list[float]:
    """Return the 0th to 100th percentile of the cosines of random pairs of unit vectors."""
    drawn = np.random.default_rng(0).integers(len(unit), size=(2, PAIRS))
    drawn = drawn[:, drawn[0] != drawn[1]]
    cosines = np.einsum("nd,nd->n", unit[drawn[0]], unit[drawn[1]])
    return [round(float(value), 4) for value in np.quantile(cosines, np.linspace(0, 1, 101))]


def pieces_of(encoder: Encoder, text: str) -> list[str]:
    """Return the tokens of a text, without special tokens; words for an encoder of words."""
    tokenizer = encoder.tokenizer
    return list(tokenizer.tokenize(text)) if hasattr(tokenizer, "tokenize") else split_words(text)


def quoted(text: str, length: int = 90) -> str:
    return f"“{text if len(text) <= length else text[: length - 1].rstrip() + '…'}”"


def unread(texts: Sequence[str], read: Mapping[str, Sequence[Coverage]]) -> list[str]:
    """Return warnings about words outside the vocabularies, worst sentences first; encoders that agree share one."""
    names: dict[tuple[Coverage, ...], list[str]] = {}
    for name, of_texts in read.items():
        names.setdefault(tuple(of_texts), []).append(name)
    warnings = []
    for of_texts, encoders in names.items():
        worst = sorted((k for k in range(len(texts)) if of_texts[k].share), key=lambda k: -of_texts[k].share)
        lines = []
        for k in worst[:NAMED]:
            reading = of_texts[k]
            words = ", ".join(word[:20] for word in reading.words[:NAMED])
            more = " …" if len(reading.words) > NAMED else ""
            part = f"{100 * reading.share:.0f} % of {quoted(texts[k], 60)}" + (f" ({words}{more})" if words else "")
            nothing = f"any word of {quoted(texts[k], 60)}, so its vector is meaningless"
            lines.append(part if reading.pieces else nothing)
        lines += [f"and parts of {len(worst) - NAMED} more"] if len(worst) > NAMED else []
        warnings += [f"{' and '.join(encoders)} cannot read {'; '.join(lines)}."] if lines else []
    return warnings


def _columns(after: Mapping[str, Matrix], before: Mapping[str, Matrix]) -> list[dict[str, Any]]:
    """Return a column for each encoder, compared with the next one; for one encoder and a changed sentence, two."""
    if len(after) == 1 and before:
        ((name, now),), (then,) = after.items(), before.values()
        return [_column("before the change", then, now, None, past=True), _column(f"now, {name}", now, then, None)]
    names = list(after)
    others = dict(zip(names, [*names[1:], names[-2]], strict=True)) if len(names) > 1 else {}
    return [_column(n, now, after[others[n]] if others else None, before.get(n)) for n, now in after.items()]


def _column(title: str, here: Matrix, there: Matrix | None, then: Matrix | None, past: bool = False) -> dict[str, Any]:
    """Return the rows nearest by cosines ``here``, with their ranks by ``there`` (the other column) and ``then``."""
    rows = best(here, HITS)
    left = [row for row in best(then, HITS) if row not in rows] if then is not None else []
    return {
        "title": title,
        "past": past,
        "searched": len(here),
        "rows": rows,
        "cosines": [round(float(here[row]), 4) for row in rows],
        "there": None if there is None else ranks(there, rows),
        "then": None if then is None else ranks(then, rows),
        "gone": left,
        "gone_to": ranks(here, left),
    }
