"""The force view: sentences that pull or push a sentence at a step, and the loss with numbers."""

from __future__ import annotations

import html
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from .._validation import choice, integer
from ..run_folder.stored import RunSource, as_run
from ..training.forces import (
    GRADIENT,
    Pair,
    ScoreGradients,
    StepForces,
    checkpoint_steps,
    forces_at,
)
from ..wording import explain
from .page import markup, standalone
from .page.markup import mathml
from .page.notebook import unsaved
from .page.polling_page import PollingPage, Update

Part = dict[str, Any]
PAIRS_SENT = 20
"""Positive pairs of a sentence, and other pairs, that are sent to the page."""
LARGEST_MATRIX = 64
"""Sentences in a matrix; of a larger batch, those with the largest gradients are shown."""
TABLE_ROWS = 8
NO_TABLES = (
    "does not report its loss by pairs, so there is no matrix and no list of pairs. Shown are the "
    "loss, its gradient on each vector of the sentence, and the values that the method records. To "
    "show pairs, define the method forces(views) in the class; see clwork.methods.Forces."
)
NOW = "now, or where it ended"


class ForceSource(NamedTuple):
    """``at(step)`` computes forces (None: the present step); ``steps()`` lists stored steps."""

    at: Callable[[int | None], StepForces]
    steps: Callable[[], list[int]]


@unsaved()
def forces(run: RunSource, row: int | None = None, step: int | None = None) -> ForceView:
    """Show which sentences pull and push a sentence of a batch; put the view last in a cell.

    A stored step is computed again on a copy, with the same batch and random numbers, and
    differentiated; the run is not affected. ``clwork.start(..., keep_every=50)`` stores more steps.

    Args:
        run: a run, the result of :func:`clwork.open_run`, or a run's folder.
        row: row in the batch of the first sentence; default: the one with the largest loss.
        step: number of completed steps; default: the present step, or the last one of a run that
            has ended.

    Raises:
        ValueError: the weights of the step are not stored, or its examples have changed.

    >>> forces(run, row=2).row  # doctest: +SKIP
    2
    """
    shown = as_run("run", run)
    source = ForceSource(lambda step: forces_at(shown, step), lambda: checkpoint_steps(shown))
    seen = source.at(step)
    view = ForceView(source, seen, step)
    return view if row is None else view.choose(row)


def hardest(seen: StepForces) -> int:
    """Return the row of the sentence with the largest loss, 0 if the method has no such losses."""
    losses = seen.tables[0].losses if seen.tables else None
    return 0 if losses is None else int(losses.argmax())


class ForceView(PollingPage):
    """Returned by :func:`forces`.

    Attributes:
        seen: the forces of the shown step.
        row: row of the chosen sentence in the batch.
    """

    _esm = standalone.module("forces")

    def __init__(self, source: ForceSource, seen: StepForces, step: int | None) -> None:
        self.seen = seen
        self.row = hardest(seen)
        self._source = source
        self._steps = source.steps()
        # the chosen stop; None is the present step
        self._step = step if step in self._steps else None
        self._question = 0
        self._matrix = ""
        self._group = 0
        self._versions = {"step": 1, "sentence": 1, "matrix": 1}
        self._status, self._trouble = self._named(), False
        self._wanted = False
        self._computing = False
        self._idle = threading.Event()
        super().__init__(about={"now": NOW})

    def choose(self, row: int) -> ForceView:
        """Choose the sentence in a row of the batch."""
        with self.lock:
            self.row = integer("row", row, 0, len(self.seen.texts) - 1)
            self._changed("sentence", "matrix")
        return self

    def refresh(self) -> None:
        """Compute the chosen step again; the chosen sentence stays if the new batch has it."""
        self._compute()
        self._idle.wait()

    def _update(self, known: Mapping[str, Any]) -> Update:
        status = {
            "working": self._computing,
            "sentence": self._status,
            "trouble": self._trouble,
            "chosen": self._step,
        }
        parts: dict[str, Callable[[], Part]] = {
            "step": self._step_part,
            "sentence": lambda: sentence_part(self.seen, self.row, self._question),
            "matrix": self._matrix_part,
        }
        news: Update = {"status": status}
        for name, part in parts.items():
            if known.get(name) != self._versions[name]:
                news[name] = {"version": self._versions[name], **part()}
        return news

    def _step_part(self) -> Part:
        return {**step_part(self.seen), "stops": [*sorted(self._steps), None]}

    def _matrix_part(self) -> Part:
        if not self.seen.tables:
            return {"values": None}
        return matrix_part(self.seen, self.row, self._question, self._matrix, self._group)

    def _active(self) -> bool:
        return self._computing

    def _choose_question(self, place: int) -> None:
        # raises for a question that the step does not have
        _ = self.seen.tables[place]
        self._question = place
        self._group = 0
        self._changed("sentence", "matrix")

    def _choose_matrix(self, matrix: str) -> None:
        known = list(self.seen.tables[self._question].matrices())
        self._matrix = choice("matrix", matrix, known)
        self._changed("matrix")

    def _choose_group(self, place: int) -> None:
        # raises for a group that the question does not have
        _ = self.seen.tables[self._question].groups[place]
        self._group = place
        self._changed("matrix")

    def _choose_step(self, step: int | None) -> None:
        self._step = step
        self._compute()

    def _compute(self) -> None:
        """Compute the chosen step in a thread; of requests meanwhile only the newest is done."""
        with self.lock:
            self._wanted = True
            if self._computing:
                return
            self._computing = True
            self._idle.clear()
            self._status, self._trouble = "Computing …", False
            threading.Thread(target=self._compute_until_idle, name="clwork forces").start()

    commands: ClassVar[Mapping[str, Callable[..., object]]] = {
        "choose": choose,
        "question": _choose_question,
        "matrix": _choose_matrix,
        "group": _choose_group,
        "step": _choose_step,
        "compute": _compute,
    }

    def _changed(self, *names: str) -> None:
        for name in names:
            self._versions[name] += 1
        if not self._computing:
            self._status, self._trouble = self._named(), False

    def _compute_until_idle(self) -> None:
        while True:
            with self.lock:
                if not self._wanted or self._closed.is_set():
                    self._computing = False
                    self._idle.set()
                    return
                self._wanted = False
                step = self._step
            try:
                seen, steps = self._source.at(step), self._source.steps()
            except Exception as error:
                # The page shows the error next to the previous step.
                with self.lock:
                    self._status, self._trouble = explain(error), True
                continue
            with self.lock:
                if not self._wanted:
                    self._show(seen, steps)

    def _show(self, seen: StepForces, steps: list[int]) -> None:
        """Show another step; keep sentence, question and group if the step has them."""
        text = self.seen.texts[self.row]
        self.row = seen.texts.index(text) if text in seen.texts else hardest(seen)
        self.seen = seen
        self._steps = steps
        if self._question >= len(seen.tables):
            self._question = 0
        if not seen.tables or self._group >= len(seen.tables[self._question].groups):
            self._group = 0
        self._changed("step", "sentence", "matrix")
        self._status, self._trouble = self._named(), False

    def _named(self) -> str:
        return f"{self.seen.title}, {self.seen.run}: {self.seen.about}."

    def _static(self) -> tuple[str, str]:
        """Return the chosen sentence's formula with numbers, and a table of its strongest pairs."""
        with self.lock:
            seen, row, question = self.seen, self.row, self._question
            status = f"<div role='status'>{markup.failure(self._status)}</div>"
            about = markup.failure(about_sentence(seen, row, question))
            sentence = f"<b>{html.escape(seen.texts[row])}</b><br>{about}"
            formula = ""
            for line in seen.formula(row, question):
                formula += f"<div>$${html.escape(line, quote=False)}$$</div>"
            return self._status, f"{status}{sentence}{formula}{pairs_table(seen, row, question)}"


def step_part(seen: StepForces) -> Part:
    """Return the page's data of a step: texts, each sentence's loss (B,), terms of the loss."""
    losses = seen.tables[0].losses if seen.tables else None
    terms = [
        [name, _finite(term.value), _finite(term.gradient)] for name, term in seen.terms.items()
    ]
    return {
        "title": seen.title,
        "run": seen.run,
        "step": seen.step,
        "texts": list(seen.texts),
        "losses": None if losses is None else losses.astype("<f4").tobytes(),
        "loss": _finite(seen.loss),
        "terms": terms,
        "questions": [_question(table) for table in seen.tables],
    }


def _question(table: ScoreGradients) -> Part:
    return {
        "role": table.role,
        "measure": table.measure,
        "matrices": list(table.matrices()),
        "groups": [name for name, _ in table.groups],
    }


def sentence_part(seen: StepForces, row: int, question: int) -> Part:
    """Return a sentence's formula with numbers, its strongest pairs and its gradients."""
    part: Part = {
        "row": row,
        "question": question,
        "formula": [mathml(line, "block") for line in seen.formula(row, question)],
        "about": about_sentence(seen, row, question),
        "pairs": None,
    }
    if not seen.tables:
        norms = {f"gradient on {name}": float(of[row]) for name, of in seen.view_norms.items()}
        values = {"loss": seen.loss, **seen.parts}
        return {**part, "kinds": _listed(norms), "parts": _listed(values)}
    table = seen.tables[question]
    positives, others = _pairs_of(table, row)
    has_names = len({pair.name for pair in (*positives, *others)}) > 1
    shown = [*positives[:PAIRS_SENT], *others[:PAIRS_SENT]]
    norm = sum(pair.norm for pair in (*positives, *others))
    return {
        **part,
        "pairs": [_pair(pair, seen.texts, has_names) for pair in shown],
        "all": {"count": len(positives) + len(others), "norm": _finite(norm)},
        "kinds": _listed(table.by_kind(row)),
    }


def _pairs_of(table: ScoreGradients, row: int) -> tuple[list[Pair], list[Pair]]:
    """Return the positive pairs of a sentence and the others, strongest first."""
    pairs, own = table.pairs(row), table.table.own
    positives = [pair for pair in pairs if pair.kind == own]
    return positives, [pair for pair in pairs if pair.kind != own]


def _pair(pair: Pair, texts: Sequence[str], has_names: bool) -> Part:
    """Return a pair for the page, without a text of the batch, which the page has."""
    is_known = pair.sentence is not None and pair.text == texts[pair.sentence]
    return {
        "kind": pair.kind,
        "name": pair.name if has_names and pair.name not in pair.kind else "",
        "row": pair.sentence,
        "text": None if is_known else pair.text,
        "score": _finite(pair.score),
        "weight": None if pair.weight is None else _finite(pair.weight),
        "gradient": _finite(pair.gradient),
        "pull": _finite(pair.pull),
    }


def _listed(values: Mapping[str, float]) -> list[Any]:
    return [[name, _finite(value)] for name, value in values.items()]


def _finite(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None


def matrix_part(seen: StepForces, row: int, question: int, name: str, group: int) -> Part:
    """Return a group's columns of a matrix as float32, of a large batch the strongest rows."""
    table = seen.tables[question]
    candidates, matrices = table.table.candidates[group], table.matrices()
    if name not in matrices:
        name = next(iter(matrices))
    values = matrices[name][:, table.table.columns(group)]
    # Synthetic candidates are no sentences, so the first group selects the rows.
    strongest_in = table.table.columns(0 if candidates.synthetic else group)
    rows = columns = strongest_rows(row, matrices[GRADIENT][:, strongest_in])
    if candidates.synthetic:
        largest = (-values[row]).argsort(kind="stable")[: len(rows)]
        columns = sorted(largest.tolist())
    texts = table.texts[group]
    is_batch = tuple(texts) == seen.texts
    return {
        "name": name,
        "group": group,
        "gradient": name == GRADIENT,
        "rows": rows,
        "columns": columns if is_batch else [texts[column] for column in columns],
        "of": len(values),
        "values": values[rows][:, columns].astype("<f4").tobytes(),
    }


def strongest_rows(row: int, matrix: npt.NDArray[Any], most: int = LARGEST_MATRIX) -> list[int]:
    """Return sorted sentences: ``row`` and those with the largest entries of its row (B, C)."""
    size = len(matrix)
    if size <= most:
        return list(range(size))
    strength = np.abs(matrix[row, :size])
    strength[row] = np.inf
    return sorted(np.argsort(-strength, kind="stable")[:most].tolist())


def about_sentence(seen: StepForces, row: int, question: int) -> str:
    """Describe role, loss and gradients of a sentence, or say why pairs are not shown."""
    if not seen.tables:
        return f"{seen.title} {NO_TABLES}"
    table = seen.tables[question]
    text = f"{table.role}."
    losses = table.losses
    if losses is not None:
        rank = int((losses > losses[row]).sum()) + 1
        mean = f"mean {losses.mean():.4g}"
        text += f" Its loss is {losses[row]:.4g} ({mean}), rank {rank} of {len(losses)}."
    gradients = ", ".join(f"{name} {norms[row]:.3g}" for name, norms in seen.view_norms.items())
    return f"{text} Gradient on its vectors: {gradients}."


def pairs_table(seen: StepForces, row: int, question: int) -> str:
    """Return an HTML table of the strongest pairs, or of the values that the method records."""
    if not seen.tables:
        rows = [[name, f"{value:.5g}"] for name, value in {"loss": seen.loss, **seen.parts}.items()]
        caption = "Values that the method records for this batch"
        return markup.table(caption, ["part", "value"], rows)
    table = seen.tables[question]
    positives, others = _pairs_of(table, row)
    shown = positives[:TABLE_ROWS]
    shown += others[: max(1, TABLE_ROWS - len(shown))]
    caption = "The strongest pairs"
    if positives:
        caption = f"The {table.table.own} and the strongest other pairs"
    head = ["kind", "text", table.measure, "softmax weight", "∂loss/∂score", "gradient"]
    return markup.table(caption, head, [_pair_cells(pair) for pair in shown])


def _pair_cells(pair: Pair) -> list[str]:
    direction = "pull" if pair.pull > 0 else "push"
    return [
        # without line breaks
        pair.kind.replace(" ", "\xa0").replace("-", "\u2011"),
        pair.text,
        f"{pair.score:.4f}",
        "" if pair.weight is None else f"{pair.weight:.3g}",
        f"{pair.gradient:+.3g}",
        f"{direction}\xa0{pair.norm:.3g}" if pair.norm else "0",
    ]
