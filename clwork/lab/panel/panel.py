"""The panel of a method: its settings, the buttons that control a run, and the run's pictures."""

from __future__ import annotations

import html
import json
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread
from typing import Any, ClassVar

import plotly.graph_objects as go

from ... import data, methods
from ...columns import History
from ...data.sources import DEFAULT as DEFAULT_CORPUS
from ...encoders import load_encoder
from ...recordings import recorded_methods, recording
from ...run_folder.stored import RunSource as AnyRun
from ...run_folder.stored import as_run
from ...training import Run
from ...training.starting import view_run
from ...views import curves
from ...wording import explain
from ..page.notebook import executed, has_anywidget, unsaved
from ..page.polling_page import Update
from .compare import (
    PreviousRun,
    bands_of,
    changes_since,
    comparable_runs,
    default_settings,
    difference,
    previous_run,
    recorded_run,
    settings_of,
    source_of,
    unlike,
)
from .dots import TypedSentences, forces_on
from .recorded import prepared_recording, umap_layout
from .run_control import SLOW, LatestMeasurements, RunControl
from .run_sources import Part, RecordedSource, RunPage, RunSource, curve_cells
from .settings import DEFAULT, PanelSettings, RunSettings
from .settings import settings_of as run_settings_of

HOW_TO_RUN = (
    "Open the notebook in JupyterLab and run it to train. Some environments do not load widgets, "
    "such as Kaggle, or VS Code without a network: <code>panel.start()</code> and "
    "<code>panel.wait()</code> train without them, and <code>panel.figure()</code> draws the "
    "curves."
)
WITHOUT_ANYWIDGET = (
    "Its controls need anywidget, which is not installed: <code>pip install anywidget</code>, then "
    "restart the kernel. <code>panel.start()</code> and <code>panel.wait()</code> train without "
    "them."
)
CHANGES = ("set", "preset", "reset", "corpus", "encoder")
"""Commands after which the error of an earlier start is no longer shown."""


class Panel(RunPage):
    """Returned by :func:`clwork.lab.panel`.

    Attributes:
        method: name of the method.
        settings: the settings of the next run; while a run is active, its controls.
    """

    def __init__(
        self, method: str, run: Run | None, start: RunSettings, config: dict[str, Any]
    ) -> None:
        self.method = method
        self.method_class = methods.get(method)
        self.settings = PanelSettings(method, start, config, None if run is None else run.config)
        self._control = RunControl(self.settings, start.more, self._show)
        self.settings.is_active = self._active
        self._typed = TypedSentences()
        self._measured = LatestMeasurements()
        self._defaults = default_settings(method)
        self._previous: PreviousRun | None = None
        # The run that is drawn: the controlled run may have nothing to draw yet.
        self._drawn: Any = None
        # The run to draw as soon as it has something to draw.
        self._next: RunSource | None = None
        sources = []
        if method in recorded_methods():
            # drawn before the first run, and in grey behind it
            recorded = recording(method)
            self._previous = recorded_run(method, recorded, self._defaults)
            sources = [RecordedSource(prepared_recording(recorded), self._previous.id)]
        about = {**self.settings.about(), "mode": "panel", "curves": curve_cells()}
        super().__init__(sources, about=about)
        if run is not None:
            self._show(run)
        self._compute("bands", lambda: bands_of(method))

    @property
    def run(self) -> Any:
        """The controlled or shown :class:`clwork.Run`; None before the first start."""
        return self._control.run

    def config(self) -> dict[str, Any]:
        """Return the present hyperparameters by name."""
        return self.settings.config()

    def start(self, slowly: bool = False) -> None:
        """Start a run with the present settings, unless one is active.

        Args:
            slowly: whether to train two steps a second.
        """
        if slowly:
            self._control.set_speed(SLOW)
        self._control.start()
        self._push_while_active()

    def current_run(self) -> Run:
        """Return the run, which may still be training.

        Raises:
            RuntimeError: no run was started.
        """
        return self._control.current_run()

    def step(self) -> None:
        """Train the active run, or a new one, for one step and pause it."""
        self._control.step()
        self._push_while_active()

    def pause(self) -> None:
        """Pause the run, or resume a paused one."""
        self._control.pause()

    def stop(self) -> None:
        """End the run after the current step, or stop its preparation."""
        self._control.stop()

    def wait(self, timeout: float | None = None) -> Panel:
        """Block until the run has ended, at most ``timeout`` seconds.

        An error of the run is not raised; the panel shows it.
        """
        self._control.wait(timeout)
        return self

    def figure(self) -> go.Figure:
        """Return the present curves as a static figure, for a report or a page without widgets."""
        run = self.run
        if run is None:
            return curves(History())
        return curves(run.records(), references=run.references, total_steps=run.total_steps)

    def _show(self, run: Run) -> None:
        """Control ``run``. The earlier run stays drawn until ``run`` has something to draw."""
        with self.lock:
            self._control.run = run
            self.settings.run = run if run.alive else None
            self._next = RunSource(run)
            self._draw_next()
        self._push_while_active()

    def _draw_next(self) -> None:
        """Draw the controlled run once it has something to draw; the earlier run becomes grey."""
        coming, before = self._next, self._drawn
        if coming is None or coming.head() is None:
            return
        if before is not None and before.step:
            self._previous = previous_run(before)
        # only the bands do not depend on the drawn run
        self._computed = {name: part for name, part in self._computed.items() if name == "bands"}
        self._drawn = coming.run
        self._next = None
        self.sources = [coming, *self.sources[1:]]

    def _run_status(self) -> Part:
        """Return the run's status. If another run is drawn, the status names it."""
        status, drawn = self._control.state(), self._drawn
        if drawn is not None and (self.run is not drawn or self._control.failed_to_start):
            status["sentence"] += f" The picture shows {drawn.name}, an earlier run."
        return status

    def _active(self) -> bool:
        return self._control.active

    def _update(self, known: Mapping[str, Any]) -> Update:
        self._draw_next()
        news: Update = {"state": self._run_status()}
        news |= lacking({"settings": self.settings.state()}, known)
        try:
            news |= self._run_updates(known)
        except Exception as error:
            # buttons and settings must work even if drawing fails
            news["state"] |= {"sentence": f"Drawing failed: {explain(error)}", "trouble": True}
        return news

    def _run_updates(self, known: Mapping[str, Any]) -> Update:
        """Return the news about the drawn runs, typed sentences and measurements."""
        drawn, previous = self._drawn, self._previous
        if self.run is not None:
            self._typed.follow(self.run)
        news = super()._update(known)
        own_part, *other_parts = news["runs"] or [{}]
        for part in other_parts:
            part["changes"] = difference(self.sources[1], drawn)
        parts = {"typed": self._typed.state()}
        if drawn is not None:
            parts["measurements"] = self._measured.of(drawn)
            if previous is not None:
                self._compare_with_previous(own_part, drawn, previous)
                if known.get("previous") != previous.id:
                    news["previous"] = previous.part
        return news | lacking(parts, known)

    def _compare_with_previous(self, part: Part, drawn: Run, previous: PreviousRun) -> None:
        part["changes"] = changes_since(previous, drawn)
        if "head" in part:
            settings = settings_of(drawn)
            part["head"]["unlike"] = {
                "previous": unlike(previous.settings, settings),
                "band": unlike(self._defaults, settings),
            }

    def _known_after(self, known: Mapping[str, Any], news: Update) -> dict[str, Any]:
        after = super()._known_after(known, news)
        if "previous" in news:
            after["previous"] = news["previous"]["id"]
        return after

    def _do(self, command: Mapping[str, Any]) -> str:
        refused = super()._do(command)
        if not refused and command.get("name") in CHANGES:
            self._control.error = ""
        return refused

    def _compute_umap(self) -> None:
        shown = self.method if self._drawn is None else self._drawn
        self._compute("umap", lambda: umap_layout(prepared_recording(recording(shown))))

    def _forces(self, row: int) -> None:
        run = self._drawn
        if run is None:
            raise RuntimeError(
                "a recorded run has no weights, so its forces cannot be computed: press Start"
            )
        self._compute("forces", lambda: forces_on(run, row))

    def _fork(self, step: int, stop: bool = False) -> None:
        self._control.fork(self._drawn or self.run, step, stop)

    def _list_runs(self) -> None:
        drawn = self.sources[0].id if self.sources else ""
        self._compute("comparable", lambda: comparable_runs(drawn))

    def _compare(self, run: str = "") -> None:
        """Draw the run with this id next to the panel's run; an empty id removes it."""
        if not self.sources:
            raise RuntimeError("there is no run yet to compare with: press Start")
        self.sources = [self.sources[0], *([source_of(run)] if run else [])]

    commands: ClassVar[Mapping[str, Callable[..., object]]] = {
        "start": start,
        "pause": pause,
        "stop": stop,
        "step": step,
        "speed": lambda self, speed: self._control.set_speed(speed),
        "set": lambda self, setting, value: self.settings.set(setting, value),
        "preset": lambda self, choice: self.settings.choose_preset(choice),
        "reset": lambda self: self.settings.choose_preset(DEFAULT),
        "corpus": lambda self, **typed: self.settings.choose_corpus(**typed),
        "encoder": lambda self, **typed: self.settings.choose_encoder(**typed),
        "typed": lambda self, texts: self._typed.write(texts),
        "umap": _compute_umap,
        "forces": _forces,
        "fork": _fork,
        "list_runs": _list_runs,
        "compare": _compare,
    }

    def _static(self) -> tuple[str, str]:
        """Return plain text, and HTML with status and verdict.

        A website may replace the empty element of a recorded run by a player.
        """
        with self.lock:
            self._draw_next()
        title = html.escape(self.method_class.title)
        remedy = HOW_TO_RUN if has_anywidget() else WITHOUT_ANYWIDGET
        page = f"<p><b>{title}</b>: a live panel. {remedy}</p>"
        if self.run is not None:
            page += f"<p>{html.escape(self._run_status()['sentence'])}</p>"
        for source in self.sources[:1]:
            if verdict := source.verdict(-1):
                headline, text = html.escape(verdict["headline"]), html.escape(verdict["text"])
                page += f"<p><b>{headline}</b> at step {verdict['step']}. {text}</p>"
            if isinstance(source, RecordedSource):
                page += f'<div data-clwork-recording="{html.escape(self.method)}"></div>'
        return f"Panel({self.method!r})", page

    def _ipython_display_(self) -> None:
        if not executed() and has_anywidget():
            # daemon threads abort the interpreter at its exit
            Thread(target=warm_up, args=(self.method_class.default_encoder,)).start()
        super()._ipython_display_()


def lacking(parts: Mapping[str, Part], known: Mapping[str, Any]) -> Update:
    """Return the parts that differ from the page's, with a checksum as their version."""
    news = {}
    for name, part in parts.items():
        content = json.dumps(part, sort_keys=True, default=repr)
        version = zlib.crc32(content.encode())
        if known.get(name) != version:
            news[name] = {**part, "version": version}
    return news


def warm_up(encoder: str) -> None:
    """Import transformers and read the default corpus, which takes seconds, before *Start*."""
    # Start reports an encoder or corpus that cannot be read
    with suppress(Exception):
        load_encoder(encoder)
        data.sentences(DEFAULT_CORPUS)


@unsaved()
def panel(
    method: str | None = None,
    *,
    run: AnyRun | None = None,
    encoder: Any = None,
    sentences: Any = None,
    steps: int | None = None,
    seed: int | None = None,
    sts: Any = None,
    probe_every: int | None = None,
    **config: Any,
) -> Panel:
    """Make the panel of a method; to display it, put it last in a cell.

    Every setting has a control; the arguments are initial values. The methods ``start``, ``pause``
    and ``stop`` do the same as the buttons; ``wait`` blocks until the run ends; ``panel.run`` is
    the run.

    Args:
        method: one of ``clwork.methods.names()``, or its title, such as "SG-BERT"; default: the
            method of ``run``, else ``"simcse"``.
        run: a run to show and control; or a run's folder or the result of
            :func:`clwork.open_run`, to show only.
        encoder: encoder to start from, or its name or folder; default: the method's encoder.
        sentences: name of a corpus, or a sequence of examples.
        steps: optimizer steps of a run; default 300.
        seed: seed of all random numbers; default 0.
        sts: folder of STS tasks, ``"hub"``, or None for the last folder used.
        probe_every: steps between two measurements of the geometry; default: chosen by elapsed
            time.
        config: hyperparameters, see :func:`clwork.methods.config`.

    Raises:
        TypeError: a setting is unknown or of the wrong type.
        ValueError: a setting is out of range, or ``run`` is of another method or active.

    >>> panel("simcse", temperature=0.1).config()["temperature"]
    0.1
    """
    chosen_run = None if run is None else view_run(as_run("run", run))
    name = _method_named(method, chosen_run)
    start = RunSettings()
    if chosen_run is not None:
        if chosen_run.alive and config:
            raise ValueError(
                f"{chosen_run.name} is active, so its settings are fixed: change run.controls, "
                "or stop the run"
            )
        start = run_settings_of(chosen_run)
    start = start.changed_by(
        sts, probe_every, encoder=encoder, sentences=sentences, steps=steps, seed=seed
    )
    return Panel(name, chosen_run, start, config)


def _method_named(method: str | None, run: Run | None) -> str:
    """Return the name of a method that was given by name, by title, or by its run."""
    default = "simcse" if run is None else run.method
    if method is None:
        return default
    by_title = {methods.get(name).title.lower(): name for name in methods.names()}
    name = by_title.get(method.lower(), method)
    if run is not None and run.method != name:
        raise ValueError(f"the run's method is {run.method!r}, not {name!r}: leave the method out")
    return name
