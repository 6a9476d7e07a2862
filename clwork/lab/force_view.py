"""The force view: sentences that pull or push a sentence at a step, and the loss with numbers.

A step has a score table for each *question* that its loss asks, such as "view 1 retrieves view 2".
``question`` is the index of the table that is shown.
"""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from .._validation import integer
from ..training.forces import StepForces, forces_at
from ..training.frozen_step import checkpoint_steps
from ..training.run import RunSource, as_run
from ..wording import explain
from .force_data import (
    PageData,
    about_sentence,
    hardest,
    pairs_table,
    sentence_part,
    step_part,
)
from .page import markup, standalone
from .page.notebook import unsaved
from .page.polling_page import PollingPage, Update

NOW = "now, or where it ended"
"""Label of the present step in the page's menu of steps."""


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
    view = ForceView(as_run("run", run), step)
    return view if row is None else view.choose(row)


class ForceView(PollingPage):
    """Returned by :func:`forces`.

    A step is computed in a thread, because the kernel must answer the page meanwhile. All
    attributes are read and written while ``lock`` is held.

    Attributes:
        seen: the forces of the shown step.
        row: row of the chosen sentence in the batch.
    """

    _esm = standalone.module("forces")

    def __init__(self, run: RunSource, step: int | None) -> None:
        self.seen = forces_at(run, step)
        self.row = hardest(self.seen)
        self._run = run
        self._stored_steps = checkpoint_steps(run)
        # The entry of the menu of steps that is chosen: a stored step, or None, the present step.
        self._step = step if step in self._stored_steps else None
        # Index of the shown score table: the first one of the step.
        self._question = 0
        # A part of the page's data is sent again when its version has increased.
        self._versions = {"step": 1, "sentence": 1}
        self._status = self._description()
        self._status_is_error = False
        # Whether a step was requested that the thread has not begun.
        self._requested = False
        self._computing = False
        # Last, since the page may send a request at once, and the reply reads the above.
        super().__init__(about={"now": NOW})

    def choose(self, row: int) -> ForceView:
        """Choose the sentence in a row of the batch."""
        with self.lock:
            self.row = integer("row", row, 0, len(self.seen.texts) - 1)
            self._changed("sentence")
        return self

    def _update(self, known: Mapping[str, Any]) -> Update:
        """Return the status, and each part of the data of which the page has another version."""
        status = {
            "working": self._computing,
            "sentence": self._status,
            "trouble": self._status_is_error,
            "chosen": self._step,
        }
        make_part: dict[str, Callable[[], PageData]] = {
            "step": self._step_part,
            "sentence": lambda: sentence_part(self.seen, self.row, self._question),
        }
        update: Update = {"status": status}
        for name, version in self._versions.items():
            if known.get(name) != version:
                update[name] = {"version": version, **make_part[name]()}
        return update

    def _step_part(self) -> PageData:
        """Return the shown step, and the steps that the reader can choose."""
        # The last stop is the present step, for which None stands.
        stops = [*sorted(self._stored_steps), None]
        return {**step_part(self.seen), "stops": stops}

    def _active(self) -> bool:
        """Whether a step is being computed, so that the page waits for its result."""
        return self._computing

    # The page calls the following methods by the names in ``commands``; the keys of its messages
    # are the names of their arguments ("place" is an index).

    def _choose_question(self, place: int) -> None:
        """Show the score table with the index ``place``."""
        # This raises an IndexError if the step has no such table.
        _ = self.seen.tables[place]
        self._question = place
        self._changed("sentence")

    def _choose_step(self, step: int | None) -> None:
        """Compute the forces of a stored step; None: the present step."""
        self._step = step
        self._compute()

    def _compute(self) -> None:
        """Compute the chosen step in a thread; of requests meanwhile only the newest is done."""
        with self.lock:
            self._requested = True
            if self._computing:
                # The running thread sees the request when it has finished its step.
                return
            self._computing = True
            self._set_status("Computing …")
            threading.Thread(target=self._compute_until_idle, name="clwork forces").start()

    commands: ClassVar[Mapping[str, Callable[..., object]]] = {
        "choose": choose,
        "question": _choose_question,
        "step": _choose_step,
    }

    def _changed(self, *parts: str) -> None:
        """Send these parts of the page's data with the next reply."""
        for name in parts:
            self._versions[name] += 1
        if not self._computing:
            # This replaces the error of an earlier command.
            self._set_status(self._description())

    def _set_status(self, text: str, is_error: bool = False) -> None:
        """Set the status line of the page."""
        self._status = text
        self._status_is_error = is_error

    def _compute_until_idle(self) -> None:
        """Compute the requested step until no request is left; runs in a thread."""
        while True:
            with self.lock:
                if not self._requested or self._closed.is_set():
                    self._computing = False
                    return
                self._requested = False
                step = self._step
            # The lock is free while a step is computed, so that the kernel can answer the page.
            try:
                step_forces = forces_at(self._run, step)
                stored_steps = checkpoint_steps(self._run)
            except Exception as error:
                # The page shows the error next to the previous step.
                with self.lock:
                    self._set_status(explain(error), is_error=True)
                continue
            with self.lock:
                # A newer request replaces this result.
                if not self._requested:
                    self._show(step_forces, stored_steps)

    def _show(self, step_forces: StepForces, stored_steps: list[int]) -> None:
        """Show another step; keep sentence and question if the step has them."""
        text = self.seen.texts[self.row]
        texts = step_forces.texts
        self.row = texts.index(text) if text in texts else hardest(step_forces)
        self.seen = step_forces
        self._stored_steps = stored_steps

        if self._question >= len(step_forces.tables):
            self._question = 0
        self._changed("step", "sentence")
        self._set_status(self._description())

    def _description(self) -> str:
        """Describe the shown step, for the status line."""
        return f"{self.seen.title}, {self.seen.run}: {self.seen.about}."

    def _static(self) -> tuple[str, str]:
        """Return the chosen sentence's formula with numbers, and a table of its strongest pairs."""
        with self.lock:
            row = self.row
            question = self._question
            status = f"<div role='status'>{markup.escaped(self._status)}</div>"
            about = markup.escaped(about_sentence(self.seen, row, question))
            sentence = f"<b>{html.escape(self.seen.texts[row])}</b><br>{about}"
            formula = markup.latex(self.seen.formula(row, question))
            pairs = pairs_table(self.seen, row, question)
            return self._status, f"{status}{sentence}{formula}{pairs}"
