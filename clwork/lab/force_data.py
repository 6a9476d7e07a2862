"""What the force view shows of a step: data for its page, and tables for readers without widgets.

A *question* is the index of a score table in ``StepForces.tables``, such as "view 1 retrieves
view 2".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..training.forces import Pair, ScoreGradients, StepForces
from .page import markup
from .page.markup import mathml

# Data that the JavaScript of the page receives; may contain bytes.
PageData = dict[str, Any]
PAIRS_SENT = 20
"""Positive pairs of a sentence, and other pairs, that are sent to the page."""
TABLE_ROWS = 8
"""Pairs in the table for readers without widgets."""


def hardest(step_forces: StepForces) -> int:
    """Return the row of the sentence with the largest loss, 0 if the method has no such losses."""
    losses = step_forces.tables[0].losses
    return 0 if losses is None else int(losses.argmax())


def step_part(step_forces: StepForces) -> PageData:
    """Return the page's data of a step: texts, losses, and the questions.

    ``losses`` are the sentences' losses, float32 ``(B,)`` as bytes; None if there are none.
    """
    losses = step_forces.tables[0].losses
    return {
        "title": step_forces.title,
        "run": step_forces.run,
        "step": step_forces.step,
        "texts": list(step_forces.texts),
        "losses": None if losses is None else losses.astype("<f4").tobytes(),
        "questions": [
            {"role": table.role, "measure": table.measure} for table in step_forces.tables
        ],
    }


def sentence_part(step_forces: StepForces, row: int, question: int) -> PageData:
    """Return the page's data of the sentence in ``row`` of the batch.

    ``formula`` has its numbers, as MathML; ``pairs`` are its strongest pairs, own candidates
    first; ``all`` describes all pairs; ``kinds`` are the gradient's norms by kind of candidate, as
    pairs, because a list has an order also in JavaScript.
    """
    table = step_forces.tables[question]
    own_pairs, other_pairs = _own_and_other_pairs(table, row)
    all_pairs = own_pairs + other_pairs
    # The name of a group is shown only if there are several.
    has_names = len({pair.name for pair in all_pairs}) > 1
    sent = own_pairs[:PAIRS_SENT] + other_pairs[:PAIRS_SENT]
    norm = sum(pair.norm for pair in all_pairs)
    return {
        "row": row,
        "question": question,
        "formula": [mathml(line, "block") for line in step_forces.formula(row, question)],
        "about": about_sentence(step_forces, row, question),
        "pairs": [_pair(pair, step_forces.texts, has_names) for pair in sent],
        "all": {"count": len(all_pairs), "norm": finite(norm)},
        "kinds": [[kind, finite(value)] for kind, value in table.by_kind(row).items()],
    }


def _own_and_other_pairs(table: ScoreGradients, row: int) -> tuple[list[Pair], list[Pair]]:
    """Return a sentence's pairs with its own candidates, and its other pairs, strongest first.

    Own candidates are its positives, or negatives if the loss pushes them away.
    """
    own_kind = table.table.own
    pairs = table.pairs(row)
    own_pairs = [pair for pair in pairs if pair.kind == own_kind]
    other_pairs = [pair for pair in pairs if pair.kind != own_kind]
    return own_pairs, other_pairs


def _pair(pair: Pair, texts: Sequence[str], has_names: bool) -> PageData:
    """Return a pair for the page; without its text if that is in the batch, which the page has.

    ``texts`` are those of the batch; ``has_names`` adds the name of the candidate's group.
    """
    is_known = pair.sentence is not None and pair.text == texts[pair.sentence]
    return {
        "kind": pair.kind,
        "name": pair.name if has_names and pair.name not in pair.kind else "",
        "row": pair.sentence,
        "text": None if is_known else pair.text,
        "score": finite(pair.score),
        "weight": None if pair.weight is None else finite(pair.weight),
        "gradient": finite(pair.gradient),
        "pull": finite(pair.pull),
    }


def finite(value: float) -> float | None:
    """Round a number to 6 digits; None for NaN and infinity, which JSON lacks."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def about_sentence(step_forces: StepForces, row: int, question: int) -> str:
    """Describe role, loss and gradients of a sentence."""
    table = step_forces.tables[question]
    text = f"{table.role}."
    losses = table.losses
    if losses is not None:
        rank = int((losses > losses[row]).sum()) + 1
        mean = f"mean {losses.mean():.4g}"
        text += f" Its loss is {losses[row]:.4g} ({mean}), rank {rank} of {len(losses)}."
    gradients = ", ".join(
        f"{name} {norms[row]:.3g}" for name, norms in step_forces.view_norms.items()
    )
    return f"{text} Gradient on its vectors: {gradients}."


def pairs_table(step_forces: StepForces, row: int, question: int) -> str:
    """Return an HTML table of the strongest pairs."""
    table = step_forces.tables[question]
    own_pairs, other_pairs = _own_and_other_pairs(table, row)
    shown = own_pairs[:TABLE_ROWS]
    # At least one other pair is shown, also if the sentence has many own candidates.
    shown += other_pairs[: max(1, TABLE_ROWS - len(shown))]
    caption = "The strongest pairs"
    if own_pairs:
        caption = f"The {table.table.own} and the strongest other pairs"
    head = ["kind", "text", table.measure, "softmax weight", "∂loss/∂score", "gradient"]
    return markup.table(caption, head, [_pair_cells(pair) for pair in shown])


def _pair_cells(pair: Pair) -> list[str]:
    """Return a pair's row in the table of :func:`pairs_table`."""
    direction = "pull" if pair.pull > 0 else "push"
    return [
        # This space and this hyphen allow no line break.
        pair.kind.replace(" ", "\xa0").replace("-", "\u2011"),
        pair.text,
        f"{pair.score:.4f}",
        "" if pair.weight is None else f"{pair.weight:.3g}",
        f"{pair.gradient:+.3g}",
        f"{direction}\xa0{pair.norm:.3g}" if pair.norm else "0",
    ]
