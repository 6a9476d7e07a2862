"""The panel of a method: its settings, its commands, and the run that they control, on one page with the pictures."""

from __future__ import annotations

import html
import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import plotly.graph_objects as go
from IPython.display import DisplayHandle, display

from ... import methods
from ..._validation import Positive, checked, place
from ...columns import History
from ...disk import runs_folder
from ...methods.base import MethodName
from ...recordings import recorded_methods, recording
from ...training import Run, runs
from ...training.examples import a_corpus, an_encoder
from ...training.stored import RunListing, Stored, as_run
from ...training.stored import RunSource as AnyRun
from ...views import curves
from ...wording import explain
from ..page.notebook import executed, has_anywidget, unsaved
from ..page.polling_page import Update
from .compare import (
    RECORDED,
    PreviousRun,
    bands_of,
    changes,
    comparable_runs,
    difference,
    previous_run,
    settings_of,
    source_of,
)
from .dots import TypedSentences, forces_on
from .recorded import checked_recording, umap_layouts
from .run_control import FULL, SLOW, RunControl, measurements
from .run_sources import Part, RecordedSource, RunPage, RunSource, curve_cells
from .settings import DEFAULT, PanelSettings, RunSettings
from .settings import settings_of as run_settings_of

HOW_TO_RUN = (
    "Open the notebook in JupyterLab and run it to train. Where a notebook may not load widgets, as on Kaggle or in "
    "VS Code without a network, its controls are missing: <code>panel.start()</code> and <code>panel.wait()</code> "
    "train without them, and <code>panel.figure()</code> draws the curves."
)
WITHOUT_ANYWIDGET = (
    "Its controls need anywidget, which is not installed: <code>pip install anywidget</code>, then restart the kernel. "
    "<code>panel.start()</code> and <code>panel.wait()</code> train without them."
)


class Panel(RunPage):
    """See :func:`clwork.lab.panel`, which makes it; ``settings`` are those of the next run."""

    def __init__(self, method: MethodName, run: Run | None, start: RunSettings, config: dict[str, Any]) -> None:
        self.method, self.method_class = method, methods.get(method)
        self.settings = PanelSettings(method, start, config, None if run is None else run.config)
        self._control = RunControl(self.settings, dict(start.more), self._show)
        self._typed = TypedSentences()
        self._previous: PreviousRun | None = None
        self._measured: tuple[Any, int, Part] = (None, 0, {})  # what is measured, rows of its record, measurements
        self._listing = RunListing(runs_folder())
        self._drawn: Any = None  # the run that is drawn; the one that is controlled may have nothing to show yet
        self._next: RunSource | None = None  # is drawn as soon as it has anything to show
        self._outputs: list[DisplayHandle] = []  # of outputs in cells run by nbconvert or papermill
        sources = []
        if method in recorded_methods():  # drawn until there is a run, and then the first one in grey
            recorded = recording(method)
            own = {"method": method, "steps": recorded["total_steps"], "seed": recorded["seed"], **recorded["settings"]}
            rows, steps = recorded["rows"], recorded["total_steps"]
            self._previous = previous_run(RECORDED + method, "recorded run", rows, steps, own)
            sources = [RecordedSource(checked_recording(recorded), self._previous.id)]
        about = {"mode": "panel", "curves": curve_cells(), "recorded": bool(sources), "speeds": [SLOW, FULL]}
        super().__init__(sources, about={**self.settings.about(), **about})
        self.settings.offer(runs())
        if run is not None:
            self._show(run)
        self._compute("bands", lambda: bands_of(method))

    @property
    def run(self) -> Any:
        """The run that is controlled or shown, a :class:`clwork.Run`; None before the first start."""
        return self._control.run

    def config(self) -> dict[str, Any]:
        """The hyperparameters that the settings have now."""
        return self.settings.config()

    def settings_text(self) -> str:
        """All settings as one line, which :meth:`apply_settings` takes in any panel of the method."""
        return self.settings.text()

    @checked()
    def apply_settings(self, text: str) -> None:
        """Set everything as :meth:`settings_text` wrote it; ValueError, without a change, or RuntimeError in a run."""
        self._settle()
        self.settings.apply(text)
        self._control.error = ""

    @checked()
    def start(self, slowly: bool = False) -> None:
        """Start a run with the present settings, if none is active; ``slowly`` takes two steps a second."""
        self._settle()
        if slowly:
            self._control.slow_down()
        self._control.start()
        self._push_while_active()

    def current_run(self) -> Run:
        """The run so far: its history may grow while you read; RuntimeError if none was started."""
        return self._control.current_run()

    def step(self) -> None:
        """Do one step and pause: of the active run, or of a new one."""
        self._settle()
        self._control.step()
        self._push_while_active()

    def pause(self) -> None:
        """Pause the run, or resume a paused one."""
        self._control.pause()

    def stop(self) -> None:
        """End the run after the step in progress, or the preparation that comes before the first."""
        self._control.stop()

    @checked()
    def wait(self, timeout: float | None = None) -> Panel:
        """Block until the run has ended, at most ``timeout`` seconds; an error stays text in the panel."""
        self._control.wait(timeout)
        self._settle()
        for output in self._outputs:
            output.update(self._repr_mimebundle_()[0], raw=True)  # type: ignore[no-untyped-call]
        return self

    def figure(self) -> go.Figure:
        """The curves so far as a static figure, for a report or a page without widgets."""
        if (run := self.run) is None:
            return curves(History())
        return curves(run.records(), references=run.references, total_steps=run.total_steps)

    def _show(self, run: Run) -> None:
        """Control another run, and draw it as soon as there is anything to show; until then the one before stays."""
        with self.lock:
            self._control.run, self._next = run, RunSource(run)
            self._draw_next()
        self._push_while_active()

    def _draw_next(self) -> None:
        """Draw the run that is controlled, if it has anything to show; the one before turns grey, if it did a step."""
        coming, before = self._next, self._drawn
        if coming is None or coming.head() is None:
            return
        if before is not None and before.step:
            rows, settings = list(before.records()), settings_of(before)
            self._previous = previous_run(str(before.folder), before.name, rows, before.total_steps, settings)
        self._computed = {name: part for name, part in self._computed.items() if name == "bands"}  # of no single run
        self._drawn, self.sources, self._next = coming.run, [coming, *self.sources[1:]], None

    def _settle(self) -> None:
        """Let the settings follow the run: frozen while it is active, with the values of its controls; else free."""
        active, settings = self._control.active, self.settings
        if active != settings.frozen:
            settings.freeze(active)
            if not active:
                settings.offer(runs())
        if self._control.alive:
            settings.show({name: getattr(self.run.controls, name) for name in settings.hot})

    def _run_status(self) -> Part:
        """The run's status; after a failed start, and of a run without anything to show yet, also what is drawn."""
        status, drawn = self._control.state(), self._drawn
        if drawn is not None and (self.run is not drawn or self._control.failed_to_start):
            status["sentence"] += f" What is drawn is {drawn.name}, an earlier run."
        return status

    def _active(self) -> bool:
        return self._control.active

    def _update(self, known: Mapping[str, Any]) -> Update:
        self._settle()
        self._draw_next()
        news: Update = {"state": self._run_status()}
        if known.get("settings") != self.settings.version:
            news["settings"] = self.settings.state()
        try:
            news |= self._of_runs(known)
        except Exception as error:  # buttons and settings stay right whatever happens to a picture
            news["state"] |= {"sentence": f"Drawing failed: {explain(error)}", "trouble": True}
        return news

    def _of_runs(self, known: Mapping[str, Any]) -> Update:
        drawn, previous = self._drawn, self._previous
        if self.run is not None:
            self._typed.follow(self.run)
        news = super()._update(known)
        for number, part in enumerate(news["runs"]):
            if "head" in part and number:
                part["head"]["changes"] = difference(self.sources[1], drawn)
            elif "head" in part and drawn is not None and previous is not None:
                part["head"]["changes"] = changes(previous.settings, settings_of(drawn))
        if previous is not None and drawn is not None and known.get("previous") != previous.id:
            news["previous"] = previous.part
        for name, part in {"typed": self._typed.state(), "measurements": self._measurements(drawn)}.items():
            stamp = zlib.crc32(json.dumps(part, sort_keys=True, default=repr).encode())
            if part and known.get(name, 0) != stamp:
                news[name] = {**part, "version": stamp}
        return news

    def _measurements(self, run: Run | None) -> Part:
        """The measurements of a run, computed again after each probe and at its end."""
        if run is None:
            return {}
        of, (before, seen, part) = (run.folder, run.alive), self._measured
        new = run.records(seen if before and before[0] == run.folder else 0)
        if before != of or any("alignment" in row for row in new):
            part = measurements(run)
        self._measured = of, (seen if before and before[0] == run.folder else 0) + len(new), part
        return part

    def _known_after(self, known: Mapping[str, Any], news: Update) -> dict[str, Any]:
        after = super()._known_after(known, news)
        return after | ({"previous": news["previous"]["id"]} if "previous" in news else {})

    def _do(self, command: Mapping[str, Any], buffers: Any) -> str:
        self._settle()  # a run that has just ended no longer freezes the settings
        return super()._do(command, buffers)

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        settings = self.settings
        return {
            "start": self.start,
            "pause": self.pause,
            "stop": self.stop,
            "step": self.step,
            "speed": self._control.set_speed,
            "set": self._set,
            "preset": self._changing(lambda choice: settings.choose_preset(choice)),
            "reset": self._changing(lambda: settings.choose_preset(DEFAULT)),
            "apply": self.apply_settings,
            "corpus": self._changing(settings.choose_corpus),
            "encoder": self._changing(settings.choose_encoder),
            "typed": self._typed.write,
            "umap": self._lay_out,
            "forces": self._forces,
            "fork": lambda step=None: self._control.fork(self._drawn or self.run, step),
            "list_runs": self._list_runs,
            "compare": self._compare,
        }

    def _set(self, setting: str, value: Any) -> None:
        now = self.settings.set(setting, value)
        self._control.error = ""
        if self._control.alive:
            setattr(self.run.controls, setting, now)

    def _changing(self, act: Callable[..., object]) -> Callable[..., object]:
        """A command after which the error of the last start is no longer shown."""

        def command(**arguments: Any) -> None:
            act(**arguments)
            self._control.error = ""

        return command

    def _lay_out(self) -> None:

        def compute() -> Part:
            shown = self.method if self._drawn is None else self._drawn
            (layout,) = umap_layouts([checked_recording(recording(shown))])
            return layout

        self._compute("umap", compute)

    def _forces(self, row: int) -> None:
        run = self._drawn
        if run is None:
            raise RuntimeError("a recorded run has no weights, so no forces: press Start for a run of your own")
        self._compute("forces", lambda: forces_on(run, row))

    def _list_runs(self) -> None:
        drawn = self.sources[0].id if self.sources else ""
        self._compute("comparable", lambda: comparable_runs(self._listing, drawn))

    def _compare(self, run: str = "") -> None:
        """Draw the run of this id next to the panel's own; without an id none."""
        if not self.sources:
            raise RuntimeError("there is no run yet to compare with: press Start")
        self.sources = [self.sources[0], *([source_of(run)] if run else [])]

    def _static(self) -> tuple[str, str]:
        """The status and verdict; an element named after the recorded run marks where a player may go."""
        with self.lock:
            self._draw_next()
        title = html.escape(self.method_class.title)
        page = f"<p><b>{title}</b>: a live panel. {HOW_TO_RUN if has_anywidget() else WITHOUT_ANYWIDGET}</p>"
        if self.run is not None:
            page += f"<p>{html.escape(self._run_status()['sentence'])}</p>"
        for source in self.sources[:1]:
            if verdict := source.verdict(-1):
                step, headline, text = (html.escape(str(verdict[part])) for part in ("step", "headline", "text"))
                page += f"<p><b>{headline}</b> at step {step}. {text}</p>"
            if isinstance(source, RecordedSource):
                page += f'<div data-clwork-recording="{html.escape(self.method)}"></div>'
        return f"Panel({self.method!r})", page

    def _ipython_display_(self) -> None:
        """Where a program runs the cells, or no script can be shown, let :meth:`wait` update the output."""
        if not executed() and has_anywidget():
            raise NotImplementedError  # makes IPython use _repr_mimebundle_
        data, metadata = self._repr_mimebundle_()
        self._outputs.append(display(data, metadata=metadata, raw=True, display_id=True))  # type: ignore[no-untyped-call]


@checked(encoder=an_encoder, sentences=a_corpus, sts=place)
@unsaved()
def panel(
    method: str | None = None,
    *,
    run: AnyRun | None = None,
    encoder: Any = None,
    sentences: Any = None,
    steps: Positive | None = None,
    seed: int | None = None,
    sts: Any = None,
    probe_every: Positive | None = None,
    settings: str | None = None,
    **config: Any,
) -> Panel:
    """Make the panel of a method; show it by putting it last in a cell.

    Every setting has a control; arguments give their first values. The methods ``start``, ``pause``, ``stop`` and
    ``wait`` do what the buttons do; ``panel.run`` is the run. TypeError or ValueError for a setting that is unknown, of
    another type or out of range, or a ``run`` of another method.

    Args:
        method: one of ``clwork.methods.names()``; default: that of ``run``, else ``"simcse"``.
        run: a run to show and control; or what :func:`clwork.open_run` returned, or a run's folder, to show.
        encoder: name, folder or encoder to start from; default: the method's.
        sentences: a source's name, or a sequence of examples.
        steps: optimizer steps of a run; default 300.
        seed: of everything random; default 0.
        sts: folder of STS tasks, ``"hub"``, or None for the folder that was remembered.
        probe_every: steps between two measurements of the geometry; default: they follow the clock.
        settings: a line that ``panel.settings_text()`` returned; it is applied last.
        config: hyperparameters, see :func:`clwork.methods.config`.
    """
    if run is not None:
        run = as_run("run", run)
        run = run.as_run() if isinstance(run, Stored) else run
    name = method if method is not None else (run.method if run is not None else "simcse")
    if run is not None and run.method != name:
        raise ValueError(f"the run is of method {run.method!r}, the panel of {name!r}: leave the method out")
    if run is not None and run.alive and (config or settings):
        raise ValueError(f"{run.name} is active with its own settings: move its sliders, or run.controls, or stop it")
    usual = run_settings_of(run) if run is not None else RunSettings()
    arguments = {"encoder": encoder, "sentences": sentences, "steps": steps, "seed": seed}
    chosen = {name: getattr(usual, name) if value is None else value for name, value in arguments.items()}
    more = {**usual.more, **{k: v for k, v in {"sts": sts, "probe_every": probe_every}.items() if v is not None}}
    column = usual.column if sentences is None else ""
    made = Panel(name, run, RunSettings(**chosen, column=column, more=more), config)
    if settings is not None:
        made.apply_settings(settings)
    return made
