"""The anatomy of a method: one small batch, from sentences to the step that it takes.

The view trains a real run on a handful of sentences, one step at a press, and shows what the loss
sees before the next step: the table of similarities, the softmax of one sentence, who pulls and who
pushes it, and which sentence is nearest to it. Below, a timeline has the forces of a recorded run,
see ``scripts/recorded_runs.py``, and of these steps. All numbers come from the method's own
``forces``.
"""

from __future__ import annotations

import html
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from .. import methods, settings
from .._validation import choice, integer
from ..arithmetic import unit_rows
from ..projections import principal_axes
from ..recordings import recorded_forces
from ..training.forces import GRADIENT, ScoreGradients, StepForces, differentiate
from ..training.frozen_step import FrozenStep, freeze_step
from ..training.run import Run
from ..training.starting import start
from .force_data import finite
from .page import markup, standalone
from .page.markup import mathml
from .page.notebook import executed, unsaved
from .page.polling_page import PollingPage, Update

SENTENCES = (
    "A young wolverine hunts hares in the snow.",
    "A hungry fox catches rabbits at night.",
    "The small village lies on a lake.",
    "An old town on the coast of Norway.",
    "She wrote sad songs for the opera.",
    "He composed slow music for the piano.",
    "The early train leaves the station.",
    "A large ship sails into the harbour.",
)
"""Four pairs of related sentences: who is near whom can be checked by eye.

Each has a word with a synonym and an antonym, which MoCoUTRL needs.
"""
FEWEST = 3
MOST = 12
"""Sentences of a batch; a larger table could not be read."""
LONGEST_RUN = 500
"""Steps; the learning rate does not fall, so the number is only a limit."""
SLIDERS = ("temperature", "dropout_hidden")
"""Settings that the page offers."""
RECORDED_STEPS = 10
"""Steps of a page without a kernel."""
SYNTHETIC_SHOWN = 8
"""Columns shown of candidates that are no sentences, such as noise: those with most weight."""
NEIGHBOURS = 3
FloatRows = npt.NDArray[Any]


@unsaved()
def anatomy(
    method: str = "simcse", sentences: Sequence[str] = SENTENCES, **changes: Any
) -> AnatomyView:
    """Take one batch through a method: table, softmax, loss, pulls and pushes, step, neighbours.

    Press *Step* to train one step; move the temperature to see what it does to the softmax; leave
    sentences out to begin again without them. Below are the forces in each step of a recorded run
    with the method's defaults, and in your steps; click a step to read them. Put the view last in a
    cell.

    Args:
        method: name of a method, see :func:`clwork.methods.names`.
        sentences: 3 to 12 sentences; default: eight, in four related pairs.
        changes: arguments of :func:`clwork.start`, such as ``encoder="mini"``, and settings of the
            method, such as ``temperature=0.1``.

    Raises:
        ValueError: the number of sentences is out of range, or a setting is.

    >>> anatomy("simcse").row  # doctest: +SKIP
    0
    """
    choice("method", method, methods.names())
    texts = list(sentences)
    if not FEWEST <= len(texts) <= MOST:
        raise ValueError(
            f"sentences has {len(texts)} sentences; give {FEWEST} to {MOST}, so that the table of "
            "all pairs can be read"
        )
    return AnatomyView(method, texts, changes)


@dataclass(frozen=True)
class Moment:
    """What the view shows between two steps.

    Attributes:
        forces: the forces of the next step, whose batch is a shuffle of the sentences.
        row_in_batch: of sentence i, its row in that batch.
        cosines: ``(B, B)``, of the test-time vectors of all sentences; the diagonal is 1.
        points: ``(B, 2)``, the vectors in the plane of the first moment.
    """

    forces: StepForces
    row_in_batch: npt.NDArray[np.int64]
    cosines: FloatRows
    points: FloatRows


class Bench:
    """A paused run on a few sentences: look at its next step, change a setting, do the step."""

    def __init__(self, method: str, texts: list[str], changes: Mapping[str, Any]) -> None:
        self.texts = texts
        chosen: dict[str, Any] = {
            "steps": LONGEST_RUN,
            # Nothing is measured during this run: the view itself looks at every step.
            "probe_every": LONGEST_RUN,
            "eval_every": LONGEST_RUN,
            "schedule": "constant",
            "warmup": 0.0,
            "folder": Path(tempfile.mkdtemp(prefix="clwork-anatomy-")) / "run",
            **changes,
        }
        self.run: Run = start(method, sentences=self.texts, batch_size=len(texts), **chosen)
        self.run.pause()
        self._wait_until_ready()
        # Mean and two directions of the first vectors, which fix the plane of all later ones.
        self._plane: tuple[FloatRows, FloatRows] | None = None

    def _wait_until_ready(self) -> None:
        """Wait until the weights are loaded; raise the run's error if it failed."""
        while self.run.training.loop is None or self.run.status != "paused":
            if not self.run.alive:
                # This returns at once if the run was stopped, and raises the error of a failed one.
                self.run.wait()
            time.sleep(0.02)

    def look(self) -> Moment:
        """Compute the forces of the next step, with the settings as the controls have them now."""
        frozen = self._next_step()
        forces = differentiate(frozen)
        # The batch is a shuffle of the sentences. Each is found by its text, since no two examples
        # of a batch are equal (see IndexedBatches).
        row_in_batch = np.array([forces.texts.index(text) for text in self.texts])
        vectors = unit_rows(frozen.method.test_encoder().encode(self.texts))
        return Moment(forces, row_in_batch, vectors @ vectors.T, self._points(vectors))

    def _next_step(self) -> FrozenStep:
        """Return a copy of the run's next step, with the settings as the controls have them now.

        A moved control changes the run's own settings only when the step begins, so the settings of
        the copy are changed here.
        """
        frozen = freeze_step(self.run, step=None)
        controls = self.run.controls
        for name in dir(controls):
            setattr(frozen.method.config, name, getattr(controls, name))
        return frozen

    def _points(self, vectors: FloatRows) -> FloatRows:
        """Return vectors ``(B, D)`` in the plane of the first principal directions, ``(B, 2)``.

        The first call fixes the plane, so that points move only if their vectors do.
        """
        if self._plane is None:
            centre = vectors.mean(axis=0)
            directions, _ = principal_axes(vectors - centre, 2)
            self._plane = centre, directions
        centre, directions = self._plane
        points: FloatRows = (vectors - centre) @ directions.T
        return points

    def close(self) -> None:
        """End the run and remove its folder, which nobody asked for."""
        self.run.stop()
        # A failed run has shown its error, and must not keep the view from beginning again.
        with suppress(Exception):
            self.run.wait()
        shutil.rmtree(self.run.folder.parent, ignore_errors=True)


def force_by_kind(table: ScoreGradients) -> dict[str, float]:
    """Return by kind of candidate the mean force on an anchor, Σ|∂loss/∂score| over its pairs.

    The losses here are means over the batch, so the sum over all pairs is this mean. For a softmax
    it is its share divided by the temperature.
    """
    scores = table.table
    # (anchors, candidates); 0 for pairs that the loss leaves out.
    gradient = np.abs(table.matrices()[GRADIENT]) * scores.counts.cpu().numpy()
    positive = scores.positive.cpu().numpy()
    forces = {scores.own: float(gradient[positive].sum())}
    # The negatives of each group of candidates; groups of one kind are added up.
    for index, group in enumerate(scores.candidates):
        columns = scores.columns(index)
        others = gradient[:, columns][~positive[:, columns]].sum()
        forces[group.kind] = forces.get(group.kind, 0.0) + float(others)
    # JSON has no infinity, and more digits than these cannot be seen.
    return {kind: float(f"{force:.4g}") for kind, force in forces.items() if 0 < force < np.inf}


class AnatomyView(PollingPage):
    """Returned by :func:`anatomy`.

    Attributes:
        row: the chosen sentence.
        question: index of the shown score table.
    """

    _esm = standalone.module("anatomy")

    def __init__(self, method: str, texts: list[str], changes: dict[str, Any]) -> None:
        self.row = 0
        self.question = 0
        self._method = methods.get(method)
        self._all_texts = texts
        self._kept = [True] * len(texts)
        self._changes = changes
        self._version = 0
        self._begin()
        super().__init__(
            about={
                "title": self._method.title,
                "formula": mathml(self._method.formula, "block"),
                "forces": recorded_forces(method),
            }
        )

    def _begin(self) -> None:
        """Start a run on the sentences that are kept, from the untrained encoder."""
        texts = list(compress(self._all_texts, self._kept))
        self._bench = Bench(self._method.name, texts, self._changes)
        # Forces by kind after each step so far, for the bands below the picture.
        self._timeline: list[dict[str, float]] = []
        try:
            self._first = self._bench.look()
        except ValueError:
            # The method does not report its loss by pairs.
            self._bench.close()
            raise
        self._set(self._first)

    def _set(self, moment: Moment) -> None:
        """Show a moment, and add its forces to the timeline."""
        self._moment = moment
        self._version += 1
        # After a sentence was left out, the chosen row may be past the end of the batch.
        self.row = min(self.row, len(self._bench.texts) - 1)
        # Entry i of the timeline is that of step i: a moved setting replaces the last one.
        del self._timeline[moment.forces.step :]
        self._timeline.append(force_by_kind(moment.forces.tables[0]))

    # The page calls the following methods by the names in ``commands``; the keys of its messages
    # are the names of their arguments.

    def choose(self, row: int) -> AnatomyView:
        """Choose a sentence of the batch; ``row`` counts the sentences that are kept."""
        self.row = integer("row", row, 0, len(self._bench.texts) - 1)
        self._version += 1
        return self

    def step(self, count: int = 1) -> AnatomyView:
        """Train ``count`` steps."""
        for _ in range(integer("count", count, 1, 50)):
            self._bench.run.step_once()
            self._set(self._bench.look())
        return self

    def set(self, setting: str, value: float) -> AnatomyView:
        """Change a setting of :data:`SLIDERS`; the next step uses it."""
        setattr(self._bench.run.controls, setting, value)
        self._changes[setting] = value
        self._set(self._bench.look())
        return self

    def keep(self, row: int, kept: bool) -> AnatomyView:
        """Keep a sentence in the batch, or leave it out if ``kept`` is False; begin again.

        ``row`` counts all sentences, also those left out; that of :meth:`choose` does not.
        """
        changed = [*self._kept]
        changed[integer("row", row, 0, len(changed) - 1)] = bool(kept)
        if sum(changed) < FEWEST:
            raise ValueError(f"a batch needs {FEWEST} sentences here; take another one back first")
        self._kept = changed
        self.restart()
        return self

    def restart(self) -> AnatomyView:
        """Begin again from the untrained encoder."""
        self._bench.close()
        self._begin()
        return self

    def ask(self, question: int) -> AnatomyView:
        """Show the score table number ``question`` of the loss."""
        self.question = integer("question", question, 0, len(self._moment.forces.tables) - 1)
        self._version += 1
        return self

    commands: ClassVar[Mapping[str, Callable[..., object]]] = {
        "choose": choose,
        "step": step,
        "set": set,
        "keep": keep,
        "restart": restart,
        "ask": ask,
    }
    actions: ClassVar[Mapping[str, str]] = {"step": "count", "choose": "row", "restart": ""}

    def known_actions(self) -> list[str]:
        """Return the names of what a lesson's sentence may do with the view."""
        return [*self.actions, *dir(self._bench.run.controls)]

    def _update(self, known: Mapping[str, Any]) -> Update:
        """Return the moment, unless the page has it."""
        # All data change together, so they are one part with one version.
        if known.get("moment") == self._version:
            return {}
        return {"moment": {"version": self._version, **self.moment_part()}}

    def moment_part(self) -> dict[str, Any]:
        """Return the page's data of the present moment."""
        moment = self._moment
        forces = moment.forces
        table = forces.tables[self.question]
        losses = table.losses
        return {
            "step": forces.step,
            "texts": self._all_texts,
            "kept": self._kept,
            "row": self.row,
            "settings": self._sliders(),
            "loss": finite(forces.loss),
            "questions": [table.role for table in forces.tables],
            "question": self.question,
            "measure": table.measure,
            "groups": self._groups(table),
            # In the order of the sentences; None if the table has no losses.
            "losses": losses if losses is None else _finite(losses[moment.row_in_batch]),
            "formula": [mathml(line, "block") for line in self._formula()],
            "pulls": self._pulls(table),
            "points": np.round(moment.points, 4).tolist(),
            "first": self._ranking(self._first),
            "now": self._ranking(moment),
            "timeline": [*self._timeline],
        }

    def _formula(self) -> list[str]:
        """Return the loss of the chosen sentence in LaTeX; its index is that of the sentence."""
        batch_row = int(self._moment.row_in_batch[self.row])
        lines = self._moment.forces.formula(batch_row, self.question)
        index_in_batch, index = rf"\ell_{{{batch_row + 1}}}", rf"\ell_{{{self.row + 1}}}"
        return [line.replace(index_in_batch, index) for line in lines]

    def _sliders(self) -> list[dict[str, Any]]:
        """Return the settings of :data:`SLIDERS` that the method has, as the page offers them."""
        controls = self._bench.run.controls
        sliders = []
        for field in settings.fields(self._method.Config):
            if field.name in SLIDERS:
                # A field's span is the useful part of its range.
                low, high = field.span or (field.low, field.high)
                sliders.append(
                    {
                        "name": field.name,
                        "title": field.called,
                        "low": low,
                        "high": high,
                        "log": field.log,
                        "value": getattr(controls, field.name),
                    }
                )
        return sliders

    def _groups(self, table: ScoreGradients) -> list[dict[str, Any]]:
        """Return each group of candidates with its part of all matrices, (sentences, columns).

        A group has a column for each sentence, in the sentences' order. Of vectors that belong to
        no sentence, such as noise, it has those with the largest gradients, largest first.
        """
        row_in_batch = self._moment.row_in_batch
        matrices = table.matrices()
        weights = matrices.get("softmax weight")
        scores = table.table
        counts = scores.counts.cpu().numpy()
        positive = scores.positive.cpu().numpy()
        groups = []
        for index, candidates in enumerate(scores.candidates):
            columns = np.arange(counts.shape[1])[scores.columns(index)]
            if candidates.synthetic:
                strength = np.abs(matrices[GRADIENT][:, columns]).sum(axis=0)
                columns = columns[np.argsort(-strength, kind="stable")[:SYNTHETIC_SHOWN]]
            else:
                columns = columns[row_in_batch]
            cells = np.ix_(row_in_batch, columns)
            groups.append(
                {
                    "name": candidates.name,
                    "synthetic": candidates.synthetic,
                    "count": candidates.count,
                    "score": np.round(matrices[table.measure][cells], 4).tolist(),
                    "counts": counts[cells].tolist(),
                    "positive": positive[cells].tolist(),
                    "weight": None if weights is None else [_finite(row) for row in weights[cells]],
                }
            )
        return groups

    def _pulls(self, table: ScoreGradients) -> list[dict[str, Any]]:
        """Return who pulls and pushes the chosen sentence, strongest first.

        A pair names a sentence by its row in the batch, and the page by its number.
        """
        row_in_batch = self._moment.row_in_batch
        # The inverse of the shuffle.
        sentence_of_row = np.argsort(row_in_batch).tolist()
        return [
            {
                "group": pair.name,
                "row": None if pair.sentence is None else sentence_of_row[pair.sentence],
                "text": pair.text,
                "pull": finite(pair.pull),
            }
            for pair in table.pairs(int(row_in_batch[self.row]))
        ]

    def _ranking(self, moment: Moment) -> list[tuple[int, float | None]]:
        """Return the nearest sentences of the chosen one: pairs of sentence and cosine."""
        cosines = moment.cosines[self.row].copy()
        # A sentence is no neighbour of itself.
        cosines[self.row] = -np.inf
        nearest = np.argsort(-cosines, kind="stable")[:NEIGHBOURS].tolist()
        return [(sentence, finite(cosines[sentence])) for sentence in nearest]

    def _static(self) -> tuple[str, str]:
        """Return the loss of the chosen sentence with its numbers, and its nearest sentences.

        Where a program runs the notebook, such as for a site, return a page that replays ten steps.
        """
        with self.lock:
            forces = self._moment.forces
            if executed():
                return f"{self._method.title}, recorded", self._recorded_page()
            text = self._bench.texts[self.row]
            formula = markup.latex(self._formula())
            rows = [
                [self._bench.texts[sentence], f"{cosine:.3f}"]
                for sentence, cosine in self._ranking(self._moment)
            ]
            nearest = markup.table("Nearest sentences", ["sentence", "cosine"], rows)
            summary = f"{self._method.title}, step {forces.step}: loss {forces.loss:.4g}"
            page = f"<b>{html.escape(summary)}</b><br>{html.escape(text)}{formula}{nearest}"
            return summary, page

    def _recorded_page(self) -> str:
        """Return a frame that replays the first steps without a kernel."""
        moments = [self.moment_part()]
        for _ in range(RECORDED_STEPS):
            self.step()
            moments.append(self.moment_part())
        self.restart()
        document = standalone.page("anatomy", {"about": {**self.about, "recorded": moments}})
        return standalone.iframe(document, 1200, f"Anatomy of {self._method.title}")

    def close(self) -> None:
        """Remove the widget, and end its run."""
        self._bench.close()
        super().close()


def _finite(values: FloatRows) -> list[float | None]:
    """Return numbers for JSON, rounded; None for NaN and infinity."""
    return [finite(value) for value in values.tolist()]
