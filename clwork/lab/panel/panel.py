"""The panel of a method: its settings, the buttons that control a run, and the run's pictures."""

from __future__ import annotations

import html
import json
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread
from typing import Any, ClassVar

from ... import data, methods
from ..._validation import choice, integer
from ...data.sources import DEFAULT as DEFAULT_CORPUS
from ...encoders import load_encoder
from ...recordings import recorded_methods, recording
from ...training import Run
from ...training.preparation import build_method
from ...training.run import RunSource as AnyRun
from ...training.run import as_run
from ...training.scores import make_validation
from ...training.starting import view_run
from ...wording import explain
from ..page.notebook import executed, unsaved
from ..page.polling_page import Update
from .compare import (
    PreviousRun,
    changes_since,
    comparable_runs,
    difference,
    previous_run,
    recorded_run,
    settings_at_start,
    source_of,
    why_not_comparable,
)
from .recorded import prepared_recording, umap_layouts
from .run_control import RunControl, measurements
from .run_sources import Part, RecordedSource, RunPage, RunSource, Source, curve_cells
from .settings import PanelSettings, RunSettings, run_settings_of
from .typed_sentences import TypedSentences, forces_on

HOW_TO_RUN = (
    "Open the notebook in JupyterLab and run it to train. Some environments do not load widgets, "
    "such as Kaggle, or VS Code without a network: <code>panel.start()</code> and "
    "<code>panel.wait()</code> train without them, and "
    "<code>clwork.views.overlay(panel.run)</code> draws the curves."
)
CHANGING_COMMANDS = ("set", "preset", "corpus", "encoder")
"""Commands after which the error of an earlier start is no longer shown."""


class Panel(RunPage):
    """Returned by :func:`clwork.lab.panel`.

    Up to three runs are on the page. The *controlled* run obeys the buttons. The *drawn* run is in
    the picture; it is the controlled one as soon as that has something to draw, and an earlier run
    or a recorded one until then. The *previous* run is behind it in grey.

    Attributes:
        method: name of the method.
        settings: the settings of the next run; while a run is active, its controls.

    >>> shown = panel("simcse", steps=100)
    >>> shown.settings.set("temperature", 0.1)
    >>> shown.settings.values["steps"], shown.config()["temperature"]
    (100, 0.1)
    """

    def __init__(
        self, method: str, run: Run | None, start: RunSettings, config: dict[str, Any]
    ) -> None:
        """Show ``run``, or else the method's recorded run, until a new run is started.

        Args:
            method: name of the method.
            run: the run to show; None: the recorded run.
            start: seed, steps, encoder and corpus of a new run.
            config: hyperparameters of a new run that differ from those of ``run`` or the defaults.
        """
        self.method = method
        self.method_class = methods.get(method)
        run_config = None if run is None else run.config
        self.settings = PanelSettings(method, start, config, run_config)
        self._control = RunControl(self.settings, start.more, self._show)
        self.settings.is_active = self._active
        self._typed = TypedSentences()

        # It is None while a recorded run is drawn.
        self._drawn: Any = None
        self._previous: PreviousRun | None = None
        # The controlled run, until it has something to draw; then None.
        self._next: RunSource | None = None
        sources: list[Source] = []
        if method in recorded_methods():
            # The recorded run is drawn before the first run, and in grey behind it.
            recorded = prepared_recording(recording(method))
            self._previous = recorded_run(method, recorded)
            sources = [RecordedSource(recorded, self._previous.id)]

        about = {**self.settings.about(), "mode": "panel", "curves": curve_cells()}
        super().__init__(sources, about=about)
        if run is not None:
            self._show(run)

    @property
    def run(self) -> Any:
        """The controlled or shown :class:`clwork.Run`; None before the first start."""
        return self._control.run

    def config(self) -> dict[str, Any]:
        """Return the present hyperparameters by name."""
        return self.settings.config()

    def start(self) -> None:
        """Start a run with the present settings, unless one is active."""
        self._control.start()
        self._push_while_active()

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
        coming = self._next
        earlier = self._drawn
        if coming is None or coming.head() is None:
            return
        # A run without a step has no curves to draw in grey.
        if earlier is not None and earlier.step:
            self._previous = previous_run(earlier)
        # The UMAP layout, the forces and the list of runs are those of the earlier run.
        self._computed = {}
        self._drawn = coming.run
        self._next = None
        self.sources = [coming, *self.sources[1:]]

    def _run_status(self) -> Part:
        """Return the controlled run's status; it says so if the drawn run is another one."""
        status = self._control.state()
        drawn = self._drawn
        if drawn is not None and (self.run is not drawn or self._control.failed_to_start):
            status["sentence"] += f" The picture shows {drawn.name}, an earlier run."
        return status

    def _active(self) -> bool:
        """Whether the kernel must push, and settings that are not hot are fixed."""
        return self._control.active

    def _update(self, known: Mapping[str, Any]) -> Update:
        """Return the parts that the page lacks; ``known`` has the versions of those it has."""
        self._draw_next()
        news: Update = {"state": self._run_status()}
        news |= lacking({"settings": self.settings.state()}, known)
        try:
            news |= self._run_updates(known)
        except Exception as error:
            # Buttons and settings must work even if drawing fails.
            news["state"] |= {"sentence": f"Drawing failed: {explain(error)}", "trouble": True}
        return news

    def _run_updates(self, known: Mapping[str, Any]) -> Update:
        """Return the news about the drawn runs, typed sentences and measurements."""
        if self.run is not None:
            self._typed.follow(self.run)
        news = super()._update(known)
        news["runs"] = [
            part | self._comparison(source, part)
            for source, part in zip(self.sources, news["runs"], strict=True)
        ]
        parts = {"typed": self._typed.state()}
        if self._drawn is not None:
            parts["measurements"] = measurements(self._drawn)
            previous = self._previous
            # The grey curves of a run never change, so the run's id also serves as their version.
            if previous is not None and known.get("previous") != previous.id:
                news["previous"] = previous.part
        return news | lacking(parts, known)

    def _comparison(self, source: Source, part: Part) -> Part:
        """Return what to add to a run's ``part``: how the run differs from another one.

        The drawn run is compared with the previous run, and a run next to it with the drawn run.
        """
        drawn = self._drawn
        previous = self._previous
        if source is not self.sources[0]:
            return {"changes": difference(source, drawn)}
        if drawn is None or previous is None:
            return {}
        comparison: Part = {"changes": changes_since(previous, drawn)}
        if "head" in part:
            # The page draws no grey curve that cannot be compared.
            why = why_not_comparable(previous.settings, settings_at_start(drawn))
            comparison["head"] = part["head"] | {"unlike": {"previous": why}}
        return comparison

    def _known_after(self, known: Mapping[str, Any], news: Update) -> dict[str, Any]:
        """Return what the page knows after it has received ``news``."""
        after = super()._known_after(known, news)
        if "previous" in news:
            after["previous"] = news["previous"]["id"]
        return after

    def _do(self, command: Mapping[str, Any]) -> str:
        """Execute a command of the page; return the error as text, empty if there is none."""
        error = super()._do(command)
        if not error and command.get("name") in CHANGING_COMMANDS:
            self._control.error = ""
        return error

    # The commands of the page that need more than one line.

    def _compute_umap(self) -> None:
        """Lay out all runs of the page by UMAP."""
        shown = self.sources
        self._compute("umap", lambda: umap_layouts([source.recording for source in shown]))

    def _forces(self, row: int) -> None:
        """Compute the forces on sentence ``row`` of the probe."""
        run = self._drawn
        if run is None:
            raise RuntimeError(
                "a recorded run has no weights, so its forces cannot be computed: press Start"
            )
        self._compute("forces", lambda: forces_on(run, row))

    def _fork(self, step: int, stop: bool = False) -> None:
        """Fork the drawn run at ``step``; end an active run only if ``stop``."""
        self._control.fork(self._drawn or self.run, step, stop)

    def _list_runs(self) -> None:
        """List the runs that can be drawn next to the drawn one."""
        drawn_id = self.sources[0].id if self.sources else ""
        self._compute("comparable", lambda: comparable_runs(drawn_id))

    def _compare(self, run: str | bool = "") -> None:
        """Draw the run with this id next to the panel's run, or the grey one if ``run`` is True.

        An empty id removes it.
        """
        # A grey run can be chosen only if it is behind a run of the reader.
        previous = self._previous.id if self._drawn and self._previous else ""
        other = str(previous if run is True else run or "")
        if not self.sources or (run and not other):
            raise RuntimeError("there is no run yet to compare with: press Start")
        # An unknown id raises an error here, and the page keeps what it draws.
        beside = [source_of(other)] if other else []
        self.sources = [self.sources[0], *beside]

    commands: ClassVar[Mapping[str, Callable[..., object]]] = {
        "start": start,
        "pause": pause,
        "stop": stop,
        "step": step,
        "speed": lambda self, speed: self._control.set_speed(speed),
        "set": lambda self, setting, value: self.settings.set(setting, value),
        "preset": lambda self, choice: self.settings.choose_preset(choice),
        "corpus": lambda self, **typed: self.settings.choose_corpus(**typed),
        "encoder": lambda self, **typed: self.settings.choose_encoder(**typed),
        "typed": lambda self, texts: self._typed.write(texts),
        "umap": _compute_umap,
        "forces": _forces,
        "fork": _fork,
        "list_runs": _list_runs,
        "compare": _compare,
        "type": lambda self, text: self._typed.write([*self._typed.texts, text]),
        # These two only check a value: the page itself moves, see PollingPage.act.
        "scrub": lambda _, step: integer("scrub", step, 0),
        "view": lambda _, view: choice("view", view, ("pca", "umap")),
    }
    actions: ClassVar[Mapping[str, str]] = {
        "start": "",
        "step": "",
        "fork": "step",
        "compare": "run",
        "type": "text",
        "scrub": "step",
        "view": "view",
    }

    def known_actions(self) -> list[str]:
        """Return the names of what a lesson's sentence may do with the panel."""
        return [*self.actions, *self.settings.values]

    def _static(self) -> tuple[str, str]:
        """Return plain text, and HTML with status and verdict, for readers without widgets.

        A website may replace the empty element of a recorded run by a player.
        """
        with self.lock:
            self._draw_next()
        title = html.escape(self.method_class.title)
        page = f"<p><b>{title}</b>: a live panel. {HOW_TO_RUN}</p>"
        if self.run is not None:
            page += f"<p>{html.escape(self._run_status()['sentence'])}</p>"
        # The loop is empty for a method without a recording, before its first run.
        for source in self.sources[:1]:
            # Step -1 stands for a reader who knows no verdict yet.
            if verdict := source.verdict(known_step=-1):
                headline = html.escape(verdict["headline"])
                text = html.escape(verdict["text"])
                page += f"<p><b>{headline}</b> at step {verdict['step']}. {text}</p>"
            if isinstance(source, RecordedSource):
                page += f'<div data-clwork-recording="{html.escape(self.method)}"></div>'
        return f"Panel({self.method!r})", page

    def _ipython_display_(self) -> None:
        """Display the panel; for a reader in a notebook, prepare for *Start* meanwhile."""
        if not executed():
            # Not as a daemon: a daemon thread that still runs at exit may abort the interpreter.
            Thread(target=warm_up, args=(self.method,)).start()
        super()._ipython_display_()


def lacking(parts: Mapping[str, Part], known: Mapping[str, Any]) -> Update:
    """Return the parts that differ from the page's.

    A part's version is a checksum of its content, so that a reply holds a part only after a change.
    """
    news = {}
    for name, part in parts.items():
        # JSON has no bytes, so their repr is taken.
        content = json.dumps(part, sort_keys=True, default=repr)
        version = zlib.crc32(content.encode())
        if known.get(name) != version:
            news[name] = {**part, "version": version}
    return news


def warm_up(method: str) -> None:
    """Import transformers, read the default corpus and score the untrained encoder for *Start*.

    They take seconds. The scores are those of a run at the default settings.
    """
    # Errors are ignored here, because Start reports an encoder or corpus that cannot be read.
    with suppress(Exception):
        data.sentences(DEFAULT_CORPUS)
        loaded = load_encoder(methods.get(method).default_encoder)
        validation = make_validation({})
        validation.measure_untrained(loaded)
        trained = build_method(method, loaded, methods.config(method), 0)
        validation.measure_untrained(trained.test_encoder())


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
    keep_every: int | None = None,
    **config: Any,
) -> Panel:
    """Make the panel of a method; to display it, put it last in a cell.

    Every setting has a control; the arguments are initial values. The methods ``start``, ``pause``
    and ``stop`` do the same as the buttons; ``wait`` blocks until the run ends; ``panel.run`` is
    the run.

    Args:
        method: one of ``clwork.methods.names()``; default: the method of ``run``, else
            ``"simcse"``.
        run: a run to show and control; or a run's folder or the result of
            :func:`clwork.open_run`, to show only.
        encoder: encoder to start from, or its name or folder; default: the method's encoder.
        sentences: name of a corpus, or a sequence of examples.
        steps: optimizer steps of a run; default 300.
        seed: seed of all random numbers; default 0.
        sts: folder of STS tasks, ``"hub"``, or None for the last folder used.
        probe_every: steps between two measurements of the geometry; default: chosen by elapsed
            time.
        keep_every: steps between checkpoints that are retained, so that a run that has ended can
            be forked there; default: none, so that its forks begin at step 0.
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
    # The arguments change the settings of the run, or the defaults.
    start = start.changed_by(
        {"sts": sts, "probe_every": probe_every, "keep_every": keep_every},
        encoder=encoder,
        sentences=sentences,
        steps=steps,
        seed=seed,
    )
    return Panel(name, chosen_run, start, config)


def _method_named(method: str | None, run: Run | None) -> str:
    """Return the name of a method that was given by name or by its run."""
    if run is None:
        return method or "simcse"
    if method not in (None, run.method):
        raise ValueError(
            f"the run's method is {run.method!r}, not {method!r}: leave the method out"
        )
    return run.method
