"""The force view: the sentences that pull or push a sentence at a step, and the loss formula with numbers."""

from __future__ import annotations

import html
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import methods
from .._validation import Natural, checked, choice, integer
from ..run_folder.stored import RunSource, as_run
from ..training.forces import (
    GRADIENT,
    Pair,
    ScoreGradients,
    StepForces,
    checkpoint_steps,
    differentiate,
    forces_at,
    untrained_step,
)
from ..wording import explain
from .page import markup, standalone
from .page.markup import mathml
from .page.notebook import unsaved
from .page.polling_page import PollingPage, Update

Part = dict[str, Any]
PAIRS_SENT = 20  # positive pairs of a sentence, and other pairs, that are sent to the page
LARGEST_MATRIX = (
    64  # sentences in a matrix; for a larger batch, those with the largest gradients are shown
)
TABLE_ROWS = 8
NO_TABLES = (
    "does not report its loss by pairs, so there is no matrix and no list of pairs. Shown are the loss, its gradient "
    "on each vector of the sentence, and the values that the method records. To show pairs, define the method "
    "forces(views) in the class; see clwork.methods.Forces."
)
NOW = "now, or where it ended"


class ForceSource(NamedTuple):
    """``at`` computes the forces at a step (None: the present one); ``steps`` lists steps with stored weights."""

    at: Callable[[int | None], StepForces]
    steps: Callable[[], list[int]]


def source_of(run: Any, config: dict[str, Any]) -> ForceSource:
    """Make the source for the name of a method, or for a run as :func:`.as_run` accepts it."""
    if isinstance(run, str) and run in methods.names():
        first_step = untrained_step(run, **config)
        return ForceSource(lambda step: differentiate(first_step), list)
    if config:
        raise TypeError(
            f"{', '.join(config)} can only be given with the name of a method; leave it out for a run"
        )
    found = as_run("run", run)
    return ForceSource(lambda step: forces_at(found, step), lambda: checkpoint_steps(found))


@checked()
@unsaved()
def forces(
    run: RunSource, row: Natural | None = None, step: Natural | None = None, **config: Any
) -> ForceView:
    """Show which sentences pull and push a sentence of a batch; to display the view, put it last in a cell.

    A stored step is computed again on a copy, with the same batch and random numbers, and differentiated; the run
    is not affected. ``clwork.start(..., keep_every=50)`` stores more steps. ValueError if the weights of the step are
    not stored or its examples have changed.

    Args:
        run: a run, the result of ``clwork.training.open_run``, or a run's folder; or the name of a method, for the
            first step of an untrained run.
        row: row in the batch of the sentence to begin with; default: the sentence with the largest loss.
        step: number of completed steps; default: the present step, or the last step of a run that has ended.
        config: hyperparameters; only with the name of a method.
    """
    source = source_of(run, config)
    step_forces, steps = source.at(step), source.steps()
    first = (
        hardest(step_forces) if row is None else integer("row", row, 0, len(step_forces.texts) - 1)
    )
    return ForceView(source, step_forces, steps, first, step if step in steps else None)


def hardest(step_forces: StepForces) -> int:
    losses = step_forces.tables[0].losses if step_forces.tables else None
    return 0 if losses is None else int(losses.argmax())


class ForceView(PollingPage):
    """Returned by :func:`forces`."""

    _esm = standalone.module("forces")

    def __init__(
        self, source: ForceSource, seen: StepForces, steps: list[int], row: int, step: int | None
    ) -> None:
        self._source, self.seen, self._steps = source, seen, steps
        self._row, self._step = row, step
        self._question, self._matrix, self._group = 0, "", 0
        self._versions = {"step": 1, "sentence": 1, "matrix": 1}
        self._state, self._trouble = self._named(), False
        self._wanted, self._computing = False, False
        self._idle = threading.Event()
        super().__init__(about={"now": NOW})

    @property
    def row(self) -> int:
        return self._row

    def choose(self, row: int) -> ForceView:
        with self.lock:
            self._row = integer("row", row, 0, len(self.seen.texts) - 1)
            self._changed("sentence", "matrix")
        return self

    def refresh(self) -> None:
        """Compute the chosen step again. If the new batch has the chosen sentence, it stays chosen."""
        self._compute()
        self._idle.wait()

    def _update(self, known: Mapping[str, Any]) -> Update:
        status = {
            "working": self._computing,
            "sentence": self._state,
            "trouble": self._trouble,
            "chosen": self._step,
        }
        news: Update = {"status": status}
        made: dict[str, Callable[[], Part]] = {
            "step": lambda: {**step_part(self.seen), "stops": [*sorted(self._steps), None]},
            "sentence": lambda: sentence_part(self.seen, self._row, self._question),
            "matrix": lambda: matrix_part(
                self.seen, self._row, self._question, self._matrix, self._group
            ),
        }
        for name, make in made.items():
            if known.get(name) != self._versions[name]:
                news[name] = {"version": self._versions[name], **make()}
        return news

    def _active(self) -> bool:
        return self._computing

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {
            "choose": self.choose,
            "question": self._choose_table,
            "matrix": self._choose_matrix,
            "group": self._choose_group,
            "step": self._choose_step,
            "compute": self._compute,
        }

    def _choose_table(self, place: int) -> None:
        self._question, self._group = integer("place", place, 0, len(self.seen.tables) - 1), 0
        self._changed("sentence", "matrix")

    def _choose_matrix(self, matrix: str) -> None:
        self._matrix = choice("matrix", matrix, list(self._table().matrices()))
        self._changed("matrix")

    def _choose_group(self, place: int) -> None:
        self._group = integer("place", place, 0, len(self._table().groups) - 1)
        self._changed("matrix")

    def _choose_step(self, step: int | None) -> None:
        self._step = None if step is None else integer("step", step, 0)
        self._compute()

    def _table(self) -> ScoreGradients:
        if not self.seen.tables:
            raise ValueError(
                f"{self.seen.title} has no score tables, so there is no matrix to choose"
            )
        return self.seen.tables[self._question]

    def _changed(self, *names: str) -> None:
        for name in names:
            self._versions[name] += 1
        if not self._computing:
            self._state, self._trouble = self._named(), False

    def _compute(self) -> None:
        """Compute the chosen step in a thread; of the requests received meanwhile, only the newest is computed."""
        with self.lock:
            self._wanted = True
            if self._computing:
                return
            self._computing = True
            self._idle.clear()
            self._state, self._trouble = "Computing …", False
            threading.Thread(target=self._compute_until_idle, name="clwork forces").start()

    def _compute_until_idle(self) -> None:
        while True:
            with self.lock:
                if not self._wanted or self._closed.is_set():
                    self._computing = False
                    self._idle.set()
                    return
                self._wanted, step = False, self._step
            try:
                seen, steps, error = self._source.at(step), self._source.steps(), None
            except Exception as failure:  # the page shows the error and the previous step
                seen, steps, error = self.seen, self._steps, failure
            with self.lock:
                if self._wanted:
                    continue
                if error is None:
                    text = self.seen.texts[self._row]
                    self.seen, self._steps = seen, steps
                    self._row = seen.texts.index(text) if text in seen.texts else hardest(seen)
                    self._question = self._question if self._question < len(seen.tables) else 0
                    groups = seen.tables[self._question].groups if seen.tables else ()
                    self._group = self._group if self._group < len(groups) else 0
                    self._changed("step", "sentence", "matrix")
                self._state, self._trouble = (
                    (self._named(), False) if error is None else (explain(error), True)
                )

    def _named(self) -> str:
        return f"{self.seen.title}, {self.seen.run}: {self.seen.about}."

    def _static(self) -> tuple[str, str]:
        """Return the chosen sentence's formula with numbers, and a table of its strongest pairs."""
        with self.lock:
            seen, row, question = self.seen, self._row, self._question
            lines = "".join(
                f"<div>$${html.escape(line, quote=False)}$$</div>"
                for line in seen.formula(row, question)
            )
            about = markup.failure(about_sentence(seen, row, question))
            sentence = f"<b>{html.escape(seen.texts[row])}</b><br>{about}"
            state = f"<div role='status'>{markup.failure(self._state)}</div>"
            return self._state, f"{state}{sentence}{lines}{pairs_table(seen, row, question)}"


def step_part(seen: StepForces) -> Part:
    """Return the page's data of a step: texts of its batch, each sentence's loss (B,), and the terms of the loss."""
    losses = seen.tables[0].losses if seen.tables else None
    return {
        "title": seen.title,
        "run": seen.run,
        "step": seen.step,
        "texts": list(seen.texts),
        "losses": None if losses is None else losses.astype("<f4").tobytes(),
        "loss": _finite(seen.loss),
        "terms": [
            [name, _finite(term.value), _finite(term.gradient)] for name, term in seen.terms.items()
        ],
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


def sentence_part(seen: StepForces, row: int, question: int) -> Part:
    """Return a sentence's formula with numbers, its strongest pairs and gradients, by score table ``question``."""
    part: Part = {
        "row": row,
        "question": question,
        "formula": [mathml(line, "block") for line in seen.formula(row, question)],
        "about": about_sentence(seen, row, question),
        "pairs": None,
    }
    if not seen.tables:
        kinds = [
            [f"gradient on {name}", _finite(float(norms[row]))]
            for name, norms in seen.view_norms.items()
        ]
        parts = [
            [name, _finite(value)] for name, value in {"loss": seen.loss, **seen.parts}.items()
        ]
        return {**part, "kinds": kinds, "parts": parts}
    table = seen.tables[question]
    pairs = sorted(
        table.pairs(row), key=lambda pair: pair.kind != table.table.own
    )  # stable: stays sorted by strength
    count = sum(pair.kind == table.table.own for pair in pairs)
    several = len({pair.name for pair in pairs}) > 1
    sent = [*pairs[: min(count, PAIRS_SENT)], *pairs[count : count + PAIRS_SENT]]
    return {
        **part,
        "pairs": [_pair(pair, seen.texts, several) for pair in sent],
        "all": {"count": len(pairs), "norm": _finite(sum(pair.norm for pair in pairs))},
        "kinds": [[name, _finite(value)] for name, value in table.by_kind(row).items()],
    }


def matrix_part(seen: StepForces, row: int, question: int, name: str, group: int) -> Part:
    """Return a group's columns of a matrix as float32 in row order; of a large batch only :func:`strongest_rows`."""
    if not seen.tables:
        return {"values": None}
    table, texts = seen.tables[question], seen.tables[question].texts[group]
    own, matrices = table.table.candidates[group], table.matrices()
    name = name if name in matrices else next(iter(matrices))
    values = matrices[name][:, table.table.columns(group)]
    gradients = matrices[GRADIENT][:, table.table.columns(0 if own.synthetic else group)]
    rows = strongest_rows(row, gradients)
    columns = (
        rows
        if not own.synthetic
        else sorted((-values[row]).argsort(kind="stable")[: len(rows)].tolist())
    )
    same = texts is seen.texts or tuple(texts) == seen.texts
    return {
        "name": name,
        "group": group,
        "gradient": name == GRADIENT,
        "rows": rows,
        "columns": columns if same else [texts[place] for place in columns],
        "of": len(values),
        "values": values[rows][:, columns].astype("<f4").tobytes(),
    }


def strongest_rows(row: int, matrix: npt.NDArray[Any], most: int = LARGEST_MATRIX) -> list[int]:
    """Return sorted indices of sentences to show: ``row`` and the largest entries of its row in ``matrix`` (B, C)."""
    size = len(matrix)
    if size <= most:
        return list(range(size))
    strength = np.abs(matrix[row, :size])
    strength[row] = np.inf
    return sorted(np.argsort(-strength, kind="stable")[:most].tolist())


def about_sentence(seen: StepForces, row: int, question: int) -> str:
    """Describe role, loss and gradients of a sentence, or explain why a method's pairs are not shown."""
    if not seen.tables:
        return f"{seen.title} {NO_TABLES}"
    table = seen.tables[question]
    gradients = ", ".join(f"{name} {norms[row]:.3g}" for name, norms in seen.view_norms.items())
    losses, rank = table.losses, ""
    if losses is not None:
        place = int((losses > losses[row]).sum()) + 1
        rank = f" Its loss is {losses[row]:.4g} (mean {losses.mean():.4g}), rank {place} of {len(losses)}."
    return f"{table.role}.{rank} Gradient on its vectors: {gradients}."


def pairs_table(seen: StepForces, row: int, question: int) -> str:
    """Return an HTML table of the strongest pairs; if the step has no score tables, of the values in ``seen.parts``."""
    if not seen.tables:
        rows = [
            ["loss", f"{seen.loss:.5g}"],
            *([name, f"{value:.5g}"] for name, value in seen.parts.items()),
        ]
        return markup.table(
            "Values that the method records for this batch", ["part", "value"], rows
        )
    table = seen.tables[question]
    own = [pair for pair in table.pairs(row) if pair.kind == table.table.own]
    others = [pair for pair in table.pairs(row) if pair.kind != table.table.own]
    shown = own[:TABLE_ROWS] + others[: max(1, TABLE_ROWS - len(own))]
    head = ["kind", "text", table.measure, "softmax weight", "∂loss/∂score", "gradient"]
    rows = [
        [
            pair.kind.replace(" ", "\xa0").replace("-", "\u2011"),
            pair.text,
            f"{pair.score:.4f}",
            "" if pair.weight is None else f"{pair.weight:.3g}",
            f"{pair.gradient:+.3g}",
            f"{'pull' if pair.pull > 0 else 'push'}\xa0{pair.norm:.3g}" if pair.norm else "0",
        ]
        for pair in shown
    ]
    caption = (
        f"The {table.table.own} and the strongest other pairs" if own else "The strongest pairs"
    )
    return markup.table(caption, head, rows)


def _pair(pair: Pair, texts: Sequence[str], several: bool) -> Part:
    """Return a pair for the page; the text of a sentence of the batch is omitted because the page has it."""
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


def _finite(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None
