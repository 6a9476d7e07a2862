"""The force view: who pulled and who pushed a sentence at a step, with the paper's formula in numbers."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import plotly.graph_objects as go
import traitlets

from ... import methods
from ...checks import choice, whole
from ...edges import at_least, checked
from ...training import ScoreGradients, StepForces, checkpoint_steps, forces_at
from ...training.forces.frozen_step import untrained
from ...training.forces.step_forces import differentiate
from ...training.stored.stored import RunSource, as_run
from ...views import to_svg_image
from ...wording import explain
from ..page import messages, standalone
from ..page.asking_page import AskingPage, News
from ..page.notebook import unsaved
from ..page.widgets import has_anywidget
from . import parts, pictures


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


NOW = "now, or where it ended"


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
    source = source_of(run, config)
    seen, steps = source.at(step), source.steps()
    first = hardest(seen) if row is None else whole("row", row, 0, len(seen.texts) - 1)
    return ForceView(source, seen, steps, first, step if step in steps else None)


def hardest(seen: StepForces) -> int:
    """The sentence with the largest loss."""
    losses = seen.tables[0].losses if seen.tables else None
    return 0 if losses is None else int(losses.argmax())


class ForceView(AskingPage):
    """See :func:`forces`, which makes it.

    Attributes:
        seen: all numbers, see :class:`clwork.training.StepForces`.
    """

    _esm: Any = standalone.MODULES / "forces.js"

    about = traitlets.Dict().tag(sync=True)

    def __init__(self, source: ForceSource, seen: StepForces, steps: list[int], row: int, step: int | None) -> None:
        """Show ``seen``, which is of ``step``; None: of the present one."""
        self._source, self.seen, self._steps = source, seen, steps
        self._row, self._step = row, step
        self._question, self._matrix, self._group = 0, "", 0
        self._versions = {"step": 1, "sentence": 1, "matrix": 1}
        self._state, self._trouble = self._named(), False
        self._wanted, self._computing = False, False
        self._idle = threading.Event()
        super().__init__(about={"now": NOW})

    # --- what can be asked of it ----------------------------------------------------------------------------------

    @property
    def row(self) -> int:
        """The chosen sentence, as a row of the batch."""
        return self._row

    def choose(self, row: int) -> ForceView:
        """Choose a sentence by its row in the batch.

        Raises:
            TypeError, ValueError: there is no such row.
        """
        with self.lock:
            self._row = whole("row", row, 0, len(self.seen.texts) - 1)
            self._changed("sentence", "matrix")
        return self

    def look(self) -> None:
        """Compute the chosen step again, and draw; the sentence stays chosen where the batch still has it."""
        self._compute()
        self._idle.wait()

    def figure(self, name: str = "bars") -> go.Figure:
        """A picture as a static figure: ``"bars"``, ``"matrix"`` or ``"shares"``."""
        drawn = self._drawn()
        return drawn[choice("name", name, list(drawn))].figure

    # --- what the page is sent and asks for -----------------------------------------------------------------------

    def _news(self, known: Mapping[str, Any]) -> News:
        pulse = {"working": self._computing, "sentence": self._state, "trouble": self._trouble, "chosen": self._step}
        news: News = {"pulse": pulse}
        made: dict[str, Callable[[], parts.Part]] = {
            "step": lambda: {**parts.of_step(self.seen), "stops": [*sorted(self._steps), None]},
            "sentence": lambda: parts.of_sentence(self.seen, self._row, self._question),
            "matrix": self._of_matrix,
        }
        for name, make in made.items():
            if known.get(name) != self._versions[name]:
                news[name] = {"version": self._versions[name], **make()}
        return news

    def _of_matrix(self) -> parts.Part:
        if not self.seen.tables:
            return {"values": None}
        return parts.of_matrix(self.seen, self._row, self._question, self._shown_matrix(), self._group)

    def _known_after(self, known: Mapping[str, Any], news: News) -> dict[str, Any]:
        return {**known, **{name: news[name]["version"] for name in self._versions if name in news}}

    def _lively(self) -> bool:
        return self._computing

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {
            "choose": self.choose,
            "question": self._ask_question,
            "matrix": self._show_matrix,
            "group": self._show_group,
            "step": self._go_to,
            "look": self._compute,
        }

    def _ask_question(self, place: int) -> None:
        self._question = whole("place", place, 0, len(self.seen.tables) - 1)
        self._keep_choices()
        self._changed("sentence", "matrix")

    def _show_matrix(self, matrix: str) -> None:
        self._matrix = choice("matrix", matrix, list(self._table().matrices()))
        self._changed("matrix")

    def _show_group(self, place: int) -> None:
        self._group = whole("place", place, 0, len(self._table().groups) - 1)
        self._changed("matrix")

    def _go_to(self, step: int | None) -> None:
        self._step = None if step is None else whole("step", step, 0)
        self._compute()

    def _table(self) -> ScoreGradients:
        if not self.seen.tables:
            raise ValueError(f"{self.seen.title} has no score tables, so no matrix")
        return self.seen.tables[self._question]

    def _shown_matrix(self) -> str:
        names = list(self._table().matrices())
        return self._matrix if self._matrix in names else names[0]

    def _changed(self, *names: str) -> None:
        for name in names:
            self._versions[name] += 1
        if not self._computing:
            self._state, self._trouble = self._named(), False

    # --- computing ------------------------------------------------------------------------------------------------

    def _compute(self) -> None:
        """Compute the chosen step in a thread; what is asked for meanwhile is computed next, the newest alone."""
        with self.lock:
            self._wanted = True
            if self._computing:
                return
            self._computing = True
            self._idle.clear()
            self._state, self._trouble = "Computing …", False
            threading.Thread(target=self._keep_computing, name="clwork forces", daemon=True).start()

    def _keep_computing(self) -> None:
        while self._wanted_step():
            step = self._step
            try:
                seen, steps = self._source.at(step), self._source.steps()
            except Exception as error:  # in words, and what was shown stays
                with self.lock:
                    if not self._wanted:
                        self._state, self._trouble = explain(error), True
                continue
            with self.lock:
                if not self._wanted:
                    self._take_step(seen, steps)

    def _wanted_step(self) -> bool:
        """Whether a step is still to be computed; ends the thread's work where none is."""
        with self.lock:
            wanted = self._wanted and not self._closed.is_set()
            self._wanted = False
            if not wanted:
                self._computing = False
                self._idle.set()
            return wanted

    def _take_step(self, seen: StepForces, steps: list[int]) -> None:
        text = self.seen.texts[self._row]
        self.seen, self._steps = seen, steps
        self._row = seen.texts.index(text) if text in seen.texts else hardest(seen)
        self._keep_choices()
        self._changed("step", "sentence", "matrix")
        self._state, self._trouble = self._named(), False

    def _keep_choices(self) -> None:
        """Question and group stay where there still are such."""
        tables = self.seen.tables
        self._question = self._question if self._question < len(tables) else 0
        self._group = self._group if tables and self._group < len(tables[self._question].groups) else 0

    def _named(self) -> str:
        return f"{self.seen.title}, {self.seen.run}: {self.seen.about}."

    # --- without a page -------------------------------------------------------------------------------------------

    def _drawn(self) -> dict[str, pictures.Picture]:
        with self.lock:
            matrix = self._shown_matrix() if self.seen.tables else None
            return pictures.draw(self.seen, self._row, self._question, matrix, self._group)

    def _page(self) -> str:
        with self.lock:
            seen, row, question = self.seen, self._row, self._question
            lines = "".join(f"<div>$${html.escape(line, quote=False)}$$</div>" for line in seen.formula(row, question))
            drawn = "".join(to_svg_image(p.figure, p.label) for p in self._drawn().values() if p.shown)
            about = messages.failure(pictures.about_sentence(seen, row, question))
            sentence = f"<b>{html.escape(seen.texts[row])}</b><br>{about}"
            state = f"<div role='status'>{messages.failure(self._state)}</div>"
            return f"{state}{sentence}{lines}{drawn}{pictures.table(seen, row, question)}"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and a page for readers without widgets."""
        data, metadata = (super()._repr_mimebundle_(**kwargs) or ({}, {})) if has_anywidget() else ({}, {})
        return {**data, "text/html": self._page(), "text/plain": self._state}, metadata
