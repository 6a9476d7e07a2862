"""The force view: who pulled and who pushed a sentence at a step, with the paper's formula in numbers."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ... import methods
from ...checks import choice, whole
from ...edges import at_least, checked
from ...training import StepForces, checkpoint_steps, forces_at
from ...training.forces.frozen_step import untrained
from ...training.forces.step_forces import differentiate
from ...training.stored.stored import RunSource, as_run
from ...views import to_svg_image
from ...wording import explain
from ..page.live_figure import LiveFigure
from ..page.notebook import unsaved
from ..page.widgets import LABEL, Board, button
from . import pictures as force_pictures


class ForceSource(NamedTuple):
    """``at`` computes a step, None for the present one; ``steps`` lists those whose weights are kept."""

    at: Callable[[int | None], StepForces]
    steps: Callable[[], list[int]]


def source_of(run: Any, config: dict[str, Any]) -> ForceSource:
    """Make the source for a method's name, or for anything that :func:`.as_run` accepts.

    Raises:
        TypeError, FileNotFoundError: as :func:`.as_run`; hyperparameters for what is no method.
    """
    if isinstance(run, str) and run in methods.names():
        first_step = untrained(run, **config)
        return ForceSource(lambda step: differentiate(first_step), list)
    if config:
        raise TypeError(
            f"{', '.join(config)} can only be given with the name of a method, such as lab.forces('simcse'); a run has "
            "its settings"
        )
    found = as_run("run", run)
    return ForceSource(lambda step: forces_at(found, step), lambda: checkpoint_steps(found))


NOW, AT_ONCE = "now, or where it ended", -1  # not None, which a drop-down treats as no choice
LISTED = 90  # letters of a sentence in the list


@checked(row=at_least(0), step=at_least(0))
@unsaved()
def forces(run: RunSource, row: int | None = None, step: int | None = None, **config: Any) -> ForceView:
    """Show who pulls and who pushes a sentence of a batch; show the view by putting it last in a cell.

    A run's step is computed once more on a copy, with the step's own batch and random draws, and differentiated; the
    run itself is not affected. Available are the present step of a run that trains in this kernel, paused or not, the
    steps of its checkpoints (``clwork.start(..., keep_every=50)`` keeps more of them) and the start. Shown is the step
    that follows: its loss is that of the next row of the history.

    Args:
        run: a run, one opened by ``clwork.training.open_run``, or a run's folder; or a method's name, for the first
            step that it would do: nothing need be trained.
        row: the sentence to begin with, by its row in the batch; default: the one with the largest loss.
        step: steps done; default: the present one, or the last of a run that has ended.
        config: hyperparameters, with a method's name only.

    Raises:
        TypeError: no run, a recording, which has no weights, or hyperparameters beside a run.
        RuntimeError: it has not begun.
        FileNotFoundError: no run lies there, or it kept no checkpoint.
        ValueError: no weights of that step are kept, its examples are gone or have changed, or the batch has no such
            row.
    """
    return ForceView(source_of(run, config), row, step)


class ForceView(Board):
    """See :func:`forces`, which makes it.

    Attributes:
        seen: all numbers, see :class:`clwork.training.StepForces`.
        sentences: the list of the batch's sentences; its value is the chosen row.
    """

    def __init__(self, source: ForceSource, row: int | None, step: int | None) -> None:
        self._source, self._reading = source, False
        self.seen: StepForces = source.at(step)
        if row is not None:
            row = whole("row", row, 0, len(self.seen.texts) - 1)
        self._make_controls()
        self.state, self.formula = widgets.HTML(), widgets.HTMLMath()
        self.note, self.table = widgets.HTML(), widgets.HTML()
        self.formula.add_class("clwork-formula")
        first = self._first() if row is None else row
        self._pictures = force_pictures.draw(self.seen, first, 0)
        self.drawn = {name: LiveFigure(p.figure, p.label, stretches=True) for name, p in self._pictures.items()}
        self._lay_out("forces", self._parts())
        self._offer(first)
        self.step.value = step if step in dict(self.step.options).values() else AT_ONCE
        self._show()
        self.filter.observe(lambda _: self._find(), names="value")
        for control in (self.sentences, self.question, self.matrix, self.group):
            control.observe(lambda _: self._show(), names="value")
        self.step.observe(lambda _: self.look(), names="value")
        self.place.observe(lambda _: self._go_to(), names="value")

    def _make_controls(self) -> None:
        def wide(size: str = "auto") -> dict[str, Any]:  # a layout each: one that is hidden must not hide others
            return {"layout": widgets.Layout(width=size), "style": LABEL}

        about = "The list keeps the sentences that hold these words."
        self.filter = widgets.Text(placeholder="words of a sentence", description="find", tooltip=about, **wide())
        about = "Sentences of the batch with what each adds to the loss, the largest first."
        self.sentences = widgets.Select(rows=9, tooltip=about, layout=widgets.Layout(width="auto"))
        about = "The place in the list; arrow keys move."
        self.place = widgets.IntSlider(1, 1, 1, description="place in the list", tooltip=about, **wide())
        about = "Which of the loss's questions is asked of the sentence."
        self.question = widgets.Dropdown(description="question", tooltip=about, **wide())
        about = "What the cells of the matrix show."
        self.matrix = widgets.Dropdown(description="matrix of", tooltip=about, **wide("280px"))
        about = "Whom the rows of the matrix meet."
        self.group = widgets.Dropdown(description="columns", tooltip=about, **wide("245px"))
        about = "Weights are kept of the present step and of checkpoints."
        self.step = widgets.Dropdown(description="step", tooltip=about, **wide("350px"))
        self.again = button("Look again", "Take the run's present step.", "again", self.look)
        named = {"find": self.filter, "sentence": self.sentences, "place": self.place, "question": self.question}
        for name, control in (named | {"matrix": self.matrix, "columns": self.group, "step": self.step}).items():
            control.add_class(f"clwork-{name}")

    def _parts(self) -> list[widgets.Widget]:
        """From top to bottom; rows wrap where the page is narrow."""

        def beside(pixels: int, **more: str) -> widgets.Layout:
            return widgets.Layout(flex=f"1 1 {pixels}px", min_width="0", **more)

        self.formula.layout, self.table.layout = beside(400, overflow="auto"), beside(force_pictures.MATRIX)
        choose = [self.filter, self.sentences, self.place, self.question]
        top = [widgets.VBox(choose, layout=beside(360, max_width="640px")), self.formula]
        self.drawn["matrix"].box.layout.flex = "0 0 auto"  # it stands in a column
        heads = widgets.HBox([self.matrix, self.group], layout=widgets.Layout(flex_flow="row wrap"))
        grid = widgets.VBox([heads, self.drawn["matrix"].box], layout=beside(force_pictures.MATRIX))
        below = [self.drawn["bars"].box, self.drawn["shares"].box, grid, self.table]
        flow = widgets.Layout(flex_flow="row wrap", grid_gap="6px")
        rows = [widgets.HBox(row, layout=flow) for row in ([self.step, self.again], top, below)]
        return [rows[0], self.state, rows[1], self.note, rows[2]]

    @property
    def row(self) -> int:
        """The chosen sentence, as a row of the batch."""
        return self._row

    def choose(self, row: int) -> ForceView:
        """Choose a sentence by its row in the batch.

        Raises:
            TypeError, ValueError: there is no such row.
        """
        self.filter.value, self.sentences.value = "", whole("row", row, 0, len(self.seen.texts) - 1)
        return self

    def look(self) -> None:
        """Compute the chosen step again, and draw; the sentence stays chosen where the batch still has it."""
        if self._reading:
            return
        text = self.seen.texts[self.row]
        self._announce("Computing …")
        try:
            self.seen = self._source.at(None if self.step.value == AT_ONCE else self.step.value)
        except Exception as error:  # in words, and what was shown stays
            self._announce(explain(error))
            return
        self._offer(self.seen.texts.index(text) if text in self.seen.texts else self._first())
        self._show()

    def figure(self, name: str = "bars") -> go.Figure:
        """A picture as a static figure: ``"bars"``, ``"matrix"`` or ``"shares"``."""
        return self._pictures[choice("name", name, list(self._pictures))].figure

    def _find(self) -> None:
        """List the sentences with these words; redraw only if the chosen one is not among them."""
        before = self.row
        self._offer(before)
        if self.row != before:
            self._show()

    def _go_to(self) -> None:
        if not self._reading and self.sentences.options:
            self.sentences.value = self.sentences.options[self.place.value - 1][1]

    def _first(self) -> int:
        losses = self.seen.tables[0].losses if self.seen.tables else None
        return 0 if losses is None else int(losses.argmax())

    def _offer(self, row: int) -> None:
        """List sentences that contain the words searched for, questions, matrices and steps."""
        self._reading = True
        try:
            losses = self.seen.tables[0].losses if self.seen.tables else None
            order = range(len(self.seen.texts)) if losses is None else (-losses).argsort(kind="stable").tolist()
            words = self.filter.value.strip().lower()
            rows = [place for place in order if words in self.seen.texts[place].lower()]
            self.sentences.options = [(self._label(place, losses), place) for place in rows]
            self.sentences.value = row if row in rows else (rows[0] if rows else None)
            _refill(self.question, [(seen.role, place) for place, seen in enumerate(self.seen.tables)])
            _refill(
                self.step,
                [(NOW, AT_ONCE), *((f"after step {s}" if s else "at the start", s) for s in self._source.steps())],
            )
            self.place.max = max(1, len(rows))
            self._row = row if self.sentences.value is None else self.sentences.value
        finally:
            self._reading = False
        self._offer_matrices()

    def _label(self, row: int, losses: npt.NDArray[np.floating[Any]] | None) -> str:
        text = self.seen.texts[row]
        cut = text if len(text) <= LISTED else text[:LISTED] + "…"
        return cut if losses is None else f"{losses[row]:.3g} · {cut}"

    def _offer_matrices(self) -> None:
        """Offer what the matrix can show of the chosen question."""
        self._reading = True
        try:
            seen = self.seen.tables[self.question.value or 0] if self.seen.tables else None
            _refill(self.matrix, list(seen.matrices()) if seen else [])
            groups = [(name, place) for place, (name, _) in enumerate(seen.groups)] if seen else []
            _refill(self.group, groups)
        finally:
            self._reading = False

    def _show(self) -> None:
        if self._reading:
            return
        if self.sentences.value is not None:
            self._row = self.sentences.value
            self._reading, self.place.value = True, 1 + self.sentences.index
            self._reading = False
        self._offer_matrices()
        at = self.question.value or 0
        self._pictures = force_pictures.draw(self.seen, self.row, at, self.matrix.value, self.group.value or 0)
        for name, picture in self._pictures.items():
            self.drawn[name].replace(picture.figure)
            self.drawn[name].box.layout.height = f"{picture.figure.layout.height}px"
            self.drawn[name].box.layout.display = "flex" if picture.shown else "none"
        for control in (self.question, self.matrix, self.group):
            control.layout.display = "flex" if len(control.options) > 1 else "none"
        lines = self.seen.formula(self.row, at)
        self.formula.value = "".join(f"<div>$${html.escape(line, quote=False)}$$</div>" for line in lines)
        self.note.value = force_pictures.about_sentence(self.seen, self.row, at)
        self.table.value = force_pictures.table(self.seen, self.row, at)
        self._announce(f"{self.seen.title}, {self.seen.run}: {self.seen.about}.")

    def _page(self) -> str:
        pictures = "".join(to_svg_image(p.figure, p.label) for p in self._pictures.values() if p.shown)
        return f"{self.state.value}{self.note.value}{self.formula.value}{pictures}{self.table.value}"


def _refill(control: widgets.Dropdown, options: list[Any]) -> None:
    """Set a drop-down's options; the choice stays if it is among them."""
    if list(control.options) != options:
        chosen, values = control.value, [option[1] if isinstance(option, tuple) else option for option in options]
        control.options = options
        control.value = chosen if chosen in values else (values[0] if values else None)
