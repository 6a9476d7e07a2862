"""What a report shows of one sentence: three figures, a sentence about it, and a table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ...training import ScoreGradients, StepForces
from ...training.forces.step_forces import GRADIENT
from ...views import around, force_bars, force_matrix, force_shares
from ..page import messages

BARS, MATRIX, SHARES, HIGH = 640, 480, 330, 470  # at least, on the page
ROWS = 8  # of the table
UNTOLD = (
    "does not tell its loss pair by pair, so no matrix and no single pairs are shown. What holds for every method is "
    "shown: the loss, its gradient on each vector of the sentence, and what the method records. To tell more, give the "
    "class a method forces(views), see clwork.methods.Forces."
)


class Picture(NamedTuple):
    """A figure with its name for screen readers; one that has nothing to show stays hidden."""

    figure: go.Figure
    label: str
    shown: bool = True


def draw(seen: StepForces, row: int, question: int, matrix: str | None = None, group: int = 0) -> dict[str, Picture]:
    """The figures of one sentence and one question of the loss."""
    terms = {name: (term.value, term.gradient) for name, term in seen.terms.items()}
    text = seen.texts[row]
    if not seen.tables:
        kinds = {f"gradient on {name}": float(norms[row]) for name, norms in seen.view_norms.items()}
        shares = force_shares(terms, kinds, width=SHARES, height=HIGH)
        empty = force_bars([], width=BARS)
        return {
            "bars": Picture(empty, "Nothing to show", False),
            "matrix": Picture(
                force_matrix(np.zeros((1, 1)), [text], 0, width=MATRIX, height=HIGH), "Nothing to show", False
            ),
            "shares": Picture(shares, "Terms of the loss, and the gradient on each vector of the sentence"),
        }
    scores = seen.tables[question]
    bars = force_bars(scores.pairs(row), measure=scores.measure, width=BARS)
    shares = force_shares(terms, scores.by_kind(row), width=SHARES, height=HIGH)
    return {
        "bars": Picture(bars, f"Who pulls and who pushes: {text}"),
        "matrix": Picture(
            _matrix(seen, scores, row, matrix or scores.measure, group), "Each anchor with each candidate"
        ),
        "shares": Picture(shares, "Share of each term, and of each kind of candidate"),
    }


def _matrix(seen: StepForces, scores: ScoreGradients, row: int, name: str, group: int) -> go.Figure:
    part = cut_out(scores, row, name, group)
    texts, own = scores.texts[group], scores.table.candidates[group].name
    left_out = (
        f": the {len(part.rows)} of {part.of} sentences that matter most here" if len(part.rows) < part.of else ""
    )
    return force_matrix(
        part.values,
        [seen.texts[place] for place in part.rows],
        part.rows.index(row),
        name=name,
        gradient=name == GRADIENT,
        columns=[texts[place] for place in part.columns],
        title=f"{name}, {own}{left_out}",
        width=MATRIX,
        height=HIGH,
    )


class MatrixPart(NamedTuple):
    """A matrix of one group's columns, ``(rows, columns)``; ``of`` is the number of sentences in the batch."""

    values: npt.NDArray[np.float32]
    rows: list[int]
    columns: list[int]
    of: int


def cut_out(scores: ScoreGradients, row: int, name: str, group: int) -> MatrixPart:
    """The part of a matrix to show: of a large batch, the sentences with the largest gradients on the chosen one."""
    own, matrices = scores.table.candidates[group], scores.matrices()
    values = matrices[name][:, scores.table.columns(group)]
    rows = around(row, matrices[GRADIENT][:, scores.table.columns(0 if own.synthetic else group)])
    columns = rows if not own.synthetic else sorted((-values[row]).argsort(kind="stable")[: len(rows)].tolist())
    return MatrixPart(values[rows][:, columns], rows, columns, len(values))


def about_sentence(seen: StepForces, row: int, question: int) -> str:
    """Its question, its loss and its gradients; or why a method's pairs are not shown."""
    if not seen.tables:
        return f"{seen.title} {UNTOLD}"
    scores = seen.tables[question]
    gradients = ", ".join(f"{name} {norms[row]:.3g}" for name, norms in seen.view_norms.items())
    losses, rank = scores.losses, ""
    if losses is not None:
        place = int((losses > losses[row]).sum()) + 1
        rank = f" It adds {losses[row]:.4g} to the mean of {losses.mean():.4g}, place {place} of {len(losses)}."
    return f"{scores.role}.{rank} Gradient on its vectors: {gradients}."


def table(seen: StepForces, row: int, question: int) -> str:
    """Positives and the strongest others with their numbers; without scores, the parts of the loss."""
    if not seen.tables:
        rows = [["loss", f"{seen.loss:.5g}"], *([name, f"{value:.5g}"] for name, value in seen.parts.items())]
        return messages.table("What the method records of this batch", ["part", "value"], rows)
    scores = seen.tables[question]
    pairs = scores.pairs(row)
    own = scores.table.own
    first = [pair for pair in pairs if pair.kind == own][:ROWS]
    others = [pair for pair in pairs if pair.kind != own][: max(1, ROWS - len(first))]
    head = ["who it is", "text", scores.measure, "softmax weight", "∂loss/∂score", "gradient"]
    rows = [
        [
            pair.kind.replace(" ", "\xa0").replace("-", "\u2011"),
            pair.text,
            f"{pair.score:.4f}",
            "" if pair.weight is None else f"{pair.weight:.3g}",
            f"{pair.gradient:+.3g}",
            f"{'pull' if pair.pull > 0 else 'push'}\xa0{pair.norm:.3g}" if pair.norm else "0",
        ]
        for pair in (*first, *others)
    ]
    caption = f"The {own} and the strongest others" if first else "The strongest"
    return messages.table(caption, head, rows)
