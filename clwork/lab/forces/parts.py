"""What the page of the force view is sent: a step, one sentence of it, and a matrix, as numbers and plain texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...training import Pair, StepForces
from ...training.forces.step_forces import GRADIENT
from ..page.mathml import mathml
from .pictures import about_sentence, cut_out

Part = dict[str, Any]
EACH = 20  # pairs of a sentence: of its own kind, and of the others


def of_step(seen: StepForces) -> Part:
    """A step with the texts of its batch, what each sentence adds to the loss (B,), and the terms of the loss."""
    losses = seen.tables[0].losses if seen.tables else None
    return {
        "title": seen.title,
        "run": seen.run,
        "step": seen.step,
        "texts": list(seen.texts),
        "losses": None if losses is None else losses.astype("<f4").tobytes(),
        "loss": _finite(seen.loss),
        "terms": [[name, _finite(term.value), _finite(term.gradient)] for name, term in seen.terms.items()],
        "questions": [
            {
                "role": table.role,
                "measure": table.measure,
                "matrices": list(table.matrices()),
                "groups": [name for name, _ in table.groups],
            }
            for table in seen.tables
        ],
    }


def of_sentence(seen: StepForces, row: int, question: int) -> Part:
    """One sentence under one question: the formula with its numbers, its strongest pairs, and what each kind does.

    Without tables the pairs are None, and ``parts`` has what the method records of the batch.
    """
    part: Part = {
        "row": row,
        "question": question,
        "formula": [mathml(line, "block") for line in seen.formula(row, question)],
        "about": about_sentence(seen, row, question),
        "pairs": None,
    }
    if not seen.tables:
        lengths = {f"gradient on {name}": float(norms[row]) for name, norms in seen.view_norms.items()}
        parts = [["loss", _finite(seen.loss)], *([name, _finite(value)] for name, value in seen.parts.items())]
        return {**part, "kinds": _named(lengths), "parts": parts}
    table = seen.tables[question]
    pairs, own = table.pairs(row), table.table.own
    shown = [pair for pair in pairs if pair.kind == own][:EACH] + [pair for pair in pairs if pair.kind != own][:EACH]
    several = len({pair.name for pair in pairs}) > 1
    return {
        **part,
        "pairs": [_pair(pair, seen.texts, several) for pair in shown],
        "all": {"count": len(pairs), "norm": _finite(sum(pair.norm for pair in pairs))},
        "kinds": _named(table.by_kind(row)),
    }


def of_matrix(seen: StepForces, row: int, question: int, name: str, group: int) -> Part:
    """A matrix as float32, row by row; a column is named by its row in the batch, or by a text that is not there."""
    table = seen.tables[question]
    part, texts = cut_out(table, row, name, group), table.texts[group]
    same = texts is seen.texts or tuple(texts) == seen.texts
    return {
        "name": name,
        "group": group,
        "gradient": name == GRADIENT,
        "rows": part.rows,
        "columns": part.columns if same else [texts[place] for place in part.columns],
        "of": part.of,
        "values": part.values.astype("<f4").tobytes(),
    }


def _pair(pair: Pair, texts: Sequence[str], several: bool) -> Part:
    """A pair; its text is left out where the page has it, that of a sentence of the batch."""
    known = pair.sentence is not None and pair.text == texts[pair.sentence]
    return {
        "kind": pair.kind,
        "name": pair.name if several and pair.name not in pair.kind else "",
        "row": pair.sentence,
        "text": None if known else pair.text,
        "score": _finite(pair.score),
        "weight": None if pair.weight is None else _finite(pair.weight),
        "gradient": _finite(pair.gradient),
        "pull": _finite(pair.pull),
    }


def _named(lengths: dict[str, float]) -> list[list[Any]]:
    return [[name, _finite(value)] for name, value in lengths.items()]


def _finite(value: float) -> float | None:
    """The number; None for what JSON has no number for."""
    return float(f"{value:.6g}") if math.isfinite(value) else None
