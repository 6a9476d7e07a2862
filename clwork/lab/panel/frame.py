"""The panel's head, buttons, bar and lines of text: where they are, and what they show of a run.

Sizes and places are in ``panel.css``, by the names of classes: the panel is one screen where there is room for one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from ... import columns
from ...methods import Field, Method
from ...training import Run
from ...views import RunColumns
from ..page import messages
from ..page.labels import plain
from ..page.widgets import button
from .knob import count
from .pictures.picture import Place


class PanelHead:
    """The top of a panel: the method, its paper, its formula with the knobs' values, and which run is shown.

    Attributes:
        title: the method's name, with a link to its paper.
        formula: its loss, typeset.
        values: the formula's symbols with their values.
        shown: which run is drawn below.
    """

    def __init__(self, method: type[Method[Any]]) -> None:
        paper = html.escape(method.paper, quote=True)
        link = f"<a href='{paper}' target='_blank' rel='noreferrer'>paper</a>"
        self.title = widgets.HTML(f"<h3 class='clwork-title'>{html.escape(method.title)}</h3> {link}")
        self.formula = widgets.HTMLMath(f"${method.formula}$" if method.formula else "")
        self.values, self.shown = widgets.HTMLMath(), widgets.HTML()
        for name in ("title", "formula", "values", "shown"):
            getattr(self, name).add_class(f"clwork-{name}")

    def boxes(self) -> list[widgets.Widget]:
        """The head's rows, in order."""
        formula = widgets.HBox([self.formula, self.values])
        formula.add_class("clwork-formula-line")
        return [widgets.HBox([self.title, self.shown]), formula]

    def show(self, fields: Mapping[str, Field], values: Mapping[str, Any], idle: Mapping[str, str]) -> None:
        """Show the values of the formula's symbols, except those without effect."""
        formula = self.formula.value
        signs = {name: field.symbol for name, field in fields.items() if field.symbol and name not in idle}
        shown = sorted((place(sign, formula), name) for name, sign in signs.items())
        text = " ".join(f"${signs[name]} = {plain(values[name])}$" for at, name in shown if at >= 0)
        if self.values.value != text:
            self.values.value = text


def place(symbol: str, formula: str) -> int:
    r"""The index of a symbol in a formula, -1 if it is absent; letters of a command's name do not count.

    >>> place("N", r"\sum_{j=1}^{N} x"), place(r"\tau", r"x/\tau"), place("m", r"\sum")
    (12, 2, -1)
    """
    plain_text = re.sub(r"\\(text|mathrm|operatorname)\{[^}]*\}", lambda match: " " * len(match[0]), formula)
    before = "" if symbol.startswith("\\") else r"(?<![A-Za-z\\])"
    match = re.search(before + re.escape(symbol) + r"(?![A-Za-z])", plain_text)
    return match.start() if match else -1


STYLES = [Path(__file__).with_name(name) for name in ("panel.css", "knob.css")]


def busy(run: Run | None) -> bool:
    """Whether a run of this kernel is at work, so that the panel steers it."""
    return run is not None and run.alive


def region(name: str, children: Sequence[widgets.Widget], kind: type[widgets.Box] = widgets.VBox) -> widgets.Box:
    """A part of the panel, with the class ``clwork-NAME``; an empty one takes no room."""
    made = kind(list(children))
    made.add_class(f"clwork-{name}")
    if not children:
        made.add_class("clwork-empty")
    return made


class PanelFrame:
    """The panel's widgets besides settings and pictures; ``acts`` maps a button's name to its callback."""

    def __init__(self, acts: Mapping[str, Callable[[], object]], steps: int, seed: int) -> None:
        about = "Hold after the step in progress; press again to go on."
        self.start = button("Start", "Train with these settings.", "start", acts["start"], "success")
        self.pause = button("Pause", about, "pause", acts["pause"])
        self.stop = button("Stop", "End after the step in progress. All settings stay.", "stop", acts["stop"])
        self.steps = count("steps", steps, 1, 10**7, "Optimizer steps of a run.")
        self.seed = count("seed", seed, 0, 2**32 - 1, "Of everything random: equal seeds, equal runs on a CPU.")
        self.more = widgets.ToggleButton(description="All settings", tooltip="Every other setting, with a search.")
        self.more.add_class("clwork-more")
        self.more.observe(lambda change: self._open(change["new"]), names="value")
        self.bar = widgets.IntProgress(0, min=0, max=1)
        self.bar.add_class("clwork-progress")
        self.state, self.left, self.numbers, self.verdict = (
            self._line(name) for name in ("state", "left", "numbers", "verdict")
        )
        self.drawer = region("drawer", ())
        self._refused = False
        self.show(None)

    @staticmethod
    def _line(name: str) -> widgets.HTML:
        made = widgets.HTML()
        made.add_class(f"clwork-{name}")
        return made

    def rows(
        self,
        knobs: Sequence[widgets.Widget],
        boxes: Callable[[Place], list[widgets.Widget]],
        *,
        head: Sequence[widgets.Widget] = (),
        sources: Sequence[widgets.Widget] = (),
        drawer: Sequence[widgets.Widget] = (),
    ) -> list[widgets.Widget]:
        """Place everything: one screen, and the numbers and other pictures below it.

        Args:
            knobs: the left column, which scrolls.
            boxes: the pictures' boxes of a place, as ``pictures.py`` lists them.
            head: title, paper and formula, on top.
            sources: encoder, corpus and presets: a row under the buttons.
            drawer: all other settings, beside the knobs; *All settings* in the bar opens and shuts it.
        """
        self.drawer = region("drawer", drawer)
        more = [self.more] if drawer else []
        bar = [self.start, self.pause, self.stop, *more, self.steps, self.seed, self.bar, self.left]
        stage = region(
            "stage",
            [
                region("masthead", head),
                region("bar", bar, widgets.HBox),
                region("sources", sources, widgets.HBox),
                self.state,
                region("knobs", knobs),
                self.drawer,
                region("hero", boxes("hero")),
                region("side", boxes("side")),
                self.verdict,
            ],
            widgets.Box,
        )
        style = widgets.HTML(f"<style>{''.join(sheet.read_text(encoding='utf-8') for sheet in STYLES)}</style>")
        style.layout.display = "none"
        return [style, stage, self.numbers, *boxes("foot")]

    def _open(self, opened: bool) -> None:
        (self.drawer.add_class if opened else self.drawer.remove_class)("clwork-open")

    def announce(self, sentence: str) -> None:
        """Put one sentence under the buttons; screen readers announce it."""
        text = f"<div role='status'>{sentence}</div>"
        if self.state.value != text:
            self.state.value = text

    def launch(self) -> None:
        """Show that a run is starting: *Stop* is enabled, and progress is reset."""
        self._refused = False
        self.start.disabled, self.stop.disabled = True, False
        self._progress(None)
        self.announce("Starting …")

    def refuse(self, sentence: str) -> None:
        """Show why nothing started, until an input is changed."""
        self._refused = True
        self._buttons(None, False)
        self._progress(None)
        self.announce(sentence)

    def withdraw(self, run: Run | None) -> None:
        """Take a refusal back after an input was changed, and show ``run`` again."""
        if self._refused:
            self.show(run)

    def show(self, run: Run | None, more: bool = False) -> None:
        """Update buttons, bar and sentence to the run's state; ``more``: its last pictures are not drawn yet."""
        self._refused = False
        self._buttons(run, more)
        self._progress(run)
        self.announce(messages.ending(run) if run is not None and more and not busy(run) else messages.state(run))

    def _buttons(self, run: Run | None, more: bool) -> None:
        going = busy(run)
        self.start.disabled = going or more
        self.pause.disabled = self.stop.disabled = not going
        self.pause.description = "Resume" if run is not None and run.status == "paused" else "Pause"

    def _progress(self, run: Run | None) -> None:
        """Update bar and time, which are always of the same run."""
        self.bar.max, self.bar.value = (1, 0) if run is None else (run.total_steps, run.step)
        style = {"finished": "success", "failed": "danger"}
        self.bar.bar_style = "" if run is None else style.get(run.status, "")
        self.left.value = "" if run is None else messages.time_left(run)

    def show_numbers(self, run: Run, tracks: RunColumns) -> None:
        """Show the latest measurements as text."""
        share = tracks.last("probe_share")
        text = messages.numbers({name: tracks.last(name) for name in columns.shown("numbers")})
        text += f" · watching takes {100 * share:.1f} % of the time" if share is not None else ""
        self.numbers.value = f"{text}{messages.measured_on(run.probe, tracks)} · {messages.arithmetic(run)}"
