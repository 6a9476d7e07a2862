"""The panel of a method: a page with its settings, the buttons that control a run, and the run's pictures."""

from __future__ import annotations

import html
import json
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread
from typing import Any

import plotly.graph_objects as go
from IPython.display import DisplayHandle, display

from ... import data, methods
from ..._validation import Positive, checked, path_like
from ...columns import History
from ...data.sources import DEFAULT as DEFAULT_CORPUS
from ...encoders import load_encoder
from ...methods.base import MethodName
from ...recordings import recorded_methods, recording
from ...run_folder.stored import RunSource as AnyRun
from ...run_folder.stored import as_run
from ...training import Run
from ...training.examples import a_corpus, an_encoder
from ...training.starting import live_runs, view_run
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
    moves_of,
    previous_run,
    settings_of,
    source_of,
    unlike,
    with_moves,
)
from .dots import TypedSentences, forces_on
from .recorded import checked_recording, umap_layouts
from .run_control import RunControl, measurements
from .run_sources import Part, RecordedSource, RunPage, RunSource, curve_cells
from .settings import DEFAULT, PanelSettings, RunSettings
from .settings import settings_of as run_settings_of

HOW_TO_RUN = (
    "Open the notebook in JupyterLab and run it to train. Some environments do not load widgets, such as Kaggle, or "
    "VS Code without a network: <code>panel.start()</code> and <code>panel.wait()</code> train without them, and "
    "<code>panel.figure()</code> draws the curves."
)
WITHOUT_ANYWIDGET = (
    "Its controls need anywidget, which is not installed: <code>pip install anywidget</code>, then restart the kernel. "
    "<code>panel.start()</code> and <code>panel.wait()</code> train without them."
)


class Panel(RunPage):
    """Returned by :func:`clwork.lab.panel`; ``settings`` are those of the next run."""

    def __init__(
        self, method: MethodName, run: Run | None, start: RunSettings, config: dict[str, Any]
    ) -> None:
        self.method, self.method_class = method, methods.get(method)
        self.settings = PanelSettings(method, start, config, None if run is None else run.config)
        self._control = RunControl(self.settings, dict(start.more), self._show)
        self._typed = TypedSentences()
        self._previous: PreviousRun | None = None
        self._measured: tuple[Any, int, Part] = (
            None,
            0,
            {},
        )  # (folder, alive) of the run, rows read, measurements
        self._drawn: Any = (
            None  # the run that is drawn; the controlled run may have nothing to draw yet
        )
        self._next: RunSource | None = None  # the run to draw as soon as it has something to draw
        self._outputs: list[DisplayHandle] = []  # outputs of cells run by nbconvert or papermill
        default = self.method_class.default_encoder
        usual = {"method": method, "encoder": default, "sentences": DEFAULT_CORPUS}
        self._usual: dict[str, Any] = {**usual, **vars(methods.config(method, default))}
        sources = []
        if (
            method in recorded_methods()
        ):  # the recorded run is drawn before the first run, and in grey behind it
            recorded = recording(method)
            own = {
                **self._usual,
                "steps": recorded["total_steps"],
                "seed": recorded["seed"],
                **recorded["settings"],
            }
            rows, steps = recorded["rows"], recorded["total_steps"]
            self._previous = previous_run(RECORDED + method, "recorded run", rows, steps, own)
            sources = [RecordedSource(checked_recording(recorded), self._previous.id)]
        about = {"mode": "panel", "curves": curve_cells()}
        super().__init__(sources, about={**self.settings.about(), **about})
        self.settings.offer(live_runs())
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

    def settings_text(self) -> str:
        """Return all settings as one line, which :meth:`apply_settings` accepts in any panel of the method."""
        return self.settings.text()

    @checked()
    def apply_settings(self, text: str) -> None:
        """Apply a line from :meth:`settings_text`. An invalid line raises ValueError, an active run RuntimeError."""
        self._sync_settings()
        self.settings.apply(text)
        self._control.error = ""

    @checked()
    def start(self, slowly: bool = False) -> None:
        """Start a run with the present settings unless one is active; ``slowly`` trains two steps a second."""
        self._sync_settings()
        if slowly:
            self._control.slow_down()
        self._control.start()
        self._push_while_active()

    def current_run(self) -> Run:
        """Return the run, which may still be training; RuntimeError if none was started."""
        return self._control.current_run()

    def step(self) -> None:
        """Train the active run, or a new one, for one step and pause it."""
        self._sync_settings()
        self._control.step()
        self._push_while_active()

    def pause(self) -> None:
        """Pause the run, or resume a paused one."""
        self._control.pause()

    def stop(self) -> None:
        """End the run after the current step, or stop its preparation."""
        self._control.stop()

    @checked()
    def wait(self, timeout: float | None = None) -> Panel:
        """Block until the run has ended, at most ``timeout`` seconds. An error is not raised; the panel shows it."""
        self._control.wait(timeout)
        self._sync_settings()
        for output in self._outputs:
            output.update(self._repr_mimebundle_()[0], raw=True)  # type: ignore[no-untyped-call]
        return self

    def figure(self) -> go.Figure:
        """Return the present curves as a static figure, for a report or a page without widgets."""
        if (run := self.run) is None:
            return curves(History())
        return curves(run.records(), references=run.references, total_steps=run.total_steps)

    def _show(self, run: Run) -> None:
        """Control ``run``. The previous run stays drawn until ``run`` has something to draw."""
        with self.lock:
            self._control.run, self._next = run, RunSource(run)
            self._draw_next()
        self._push_while_active()

    def _draw_next(self) -> None:
        """Draw the controlled run once it has something to draw; a previous run that made a step becomes grey."""
        coming, before = self._next, self._drawn
        if coming is None or coming.head() is None:
            return
        if before is not None and before.step:
            rows, settings = list(before.records()), settings_of(before)
            told = str(before.folder), before.name, rows, before.total_steps, settings
            self._previous = previous_run(*told, moves_of(before))
        # only the bands do not depend on the drawn run
        self._computed = {name: part for name, part in self._computed.items() if name == "bands"}
        self._drawn, self.sources, self._next = coming.run, [coming, *self.sources[1:]], None

    def _sync_settings(self) -> None:
        """Update the settings from the run: an active run freezes them, and they show the values of its controls."""
        active, settings = self._control.active, self.settings
        if active != settings.frozen:
            settings.freeze(active)
            if not active:
                settings.offer(live_runs())
        if self._control.alive:
            settings.show({name: getattr(self.run.controls, name) for name in settings.hot})

    def _run_status(self) -> Part:
        """Return the run's status. If another run is drawn, the status names it."""
        status, drawn = self._control.state(), self._drawn
        if drawn is not None and (self.run is not drawn or self._control.failed_to_start):
            status["sentence"] += f" The picture shows {drawn.name}, an earlier run."
        return status

    def _active(self) -> bool:
        return self._control.active

    def _update(self, known: Mapping[str, Any]) -> Update:
        self._sync_settings()
        self._draw_next()
        news: Update = {"state": self._run_status()}
        if known.get("settings") != self.settings.version:
            news["settings"] = self.settings.state()
        try:
            news |= self._run_updates(known)
        except Exception as error:  # buttons and settings must work even if drawing fails
            news["state"] |= {"sentence": f"Drawing failed: {explain(error)}", "trouble": True}
        return news

    def _run_updates(self, known: Mapping[str, Any]) -> Update:
        drawn, previous = self._drawn, self._previous
        if self.run is not None:
            self._typed.follow(self.run)
        news = super()._update(known)
        for number, part in enumerate(news["runs"]):
            if number:
                part["changes"] = difference(self.sources[1], drawn)
            elif drawn is not None and previous is not None:
                now = settings_of(drawn)
                moved = {"this run": moves_of(drawn), "the previous one": previous.moves}
                part["changes"] = with_moves(changes(previous.settings, now), moved)
                if "head" in part:
                    unalike = {
                        "previous": unlike(previous.settings, now),
                        "band": unlike(self._usual, now),
                    }
                    part["head"]["unlike"] = unalike
        if previous is not None and drawn is not None and known.get("previous") != previous.id:
            news["previous"] = previous.part
        for name, part in {
            "typed": self._typed.state(),
            "measurements": self._measurements(drawn),
        }.items():
            stamp = zlib.crc32(json.dumps(part, sort_keys=True, default=repr).encode())
            if part and known.get(name, 0) != stamp:
                news[name] = {**part, "version": stamp}
        return news

    def _measurements(self, run: Run | None) -> Part:
        """Return the measurements of a run. They are computed again after each probe and at the end of the run."""
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

    def _do(self, command: Mapping[str, Any]) -> str:
        self._sync_settings()  # unfreezes the settings if the run has just ended
        return super()._do(command)

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        settings = self.settings
        return {
            "start": self.start,
            "pause": self.pause,
            "stop": self.stop,
            "step": self.step,
            "speed": self._control.set_speed,
            "set": self._set,
            "preset": self._clearing_error(lambda choice: settings.choose_preset(choice)),
            "reset": self._clearing_error(lambda: settings.choose_preset(DEFAULT)),
            "apply": self.apply_settings,
            "corpus": self._clearing_error(settings.choose_corpus),
            "encoder": self._clearing_error(settings.choose_encoder),
            "typed": self._typed.write,
            "umap": self._compute_umap,
            "forces": self._forces,
            "fork": lambda step, stop=False: self._control.fork(
                self._drawn or self.run, step, stop
            ),
            "list_runs": self._list_runs,
            "compare": self._compare,
        }

    def _set(self, setting: str, value: Any) -> None:
        now = self.settings.set(setting, value)
        self._control.error = ""
        if self._control.alive:
            setattr(self.run.controls, setting, now)

    def _clearing_error(self, act: Callable[..., object]) -> Callable[..., object]:
        """Wrap a command so that it also clears the error of the last start."""

        def command(**arguments: Any) -> None:
            act(**arguments)
            self._control.error = ""

        return command

    def _compute_umap(self) -> None:
        def compute() -> Part:
            shown = self.method if self._drawn is None else self._drawn
            (layout,) = umap_layouts([checked_recording(recording(shown))])
            return layout

        self._compute("umap", compute)

    def _forces(self, row: int) -> None:
        run = self._drawn
        if run is None:
            raise RuntimeError(
                "a recorded run has no weights, so its forces cannot be computed: press Start"
            )
        self._compute("forces", lambda: forces_on(run, row))

    def _list_runs(self) -> None:
        drawn = self.sources[0].id if self.sources else ""
        self._compute("comparable", lambda: comparable_runs(drawn))

    def _compare(self, run: str = "") -> None:
        """Draw the run with this id next to the panel's run; an empty id removes the compared run."""
        if not self.sources:
            raise RuntimeError("there is no run yet to compare with: press Start")
        self.sources = [self.sources[0], *([source_of(run)] if run else [])]

    def _static(self) -> tuple[str, str]:
        """Return plain text, and HTML with status and verdict; a website may replace the empty element by a player."""
        with self.lock:
            self._draw_next()
        title = html.escape(self.method_class.title)
        page = f"<p><b>{title}</b>: a live panel. {HOW_TO_RUN if has_anywidget() else WITHOUT_ANYWIDGET}</p>"
        if self.run is not None:
            page += f"<p>{html.escape(self._run_status()['sentence'])}</p>"
        for source in self.sources[:1]:
            if verdict := source.verdict(-1):
                step, headline, text = (
                    html.escape(str(verdict[part])) for part in ("step", "headline", "text")
                )
                page += f"<p><b>{headline}</b> at step {step}. {text}</p>"
            if isinstance(source, RecordedSource):
                page += f'<div data-clwork-recording="{html.escape(self.method)}"></div>'
        return f"Panel({self.method!r})", page

    def _ipython_display_(self) -> None:
        """Display an output that :meth:`wait` can update if a program runs the cells or scripts cannot be shown."""
        if not executed() and has_anywidget():
            Thread(
                target=warm_up, args=(self.method_class.default_encoder,)
            ).start()  # daemons abort at exit
            raise NotImplementedError  # makes IPython use _repr_mimebundle_
        data, metadata = self._repr_mimebundle_()
        self._outputs.append(display(data, metadata=metadata, raw=True, display_id=True))  # type: ignore[no-untyped-call]


def warm_up(encoder: str) -> None:
    """Import transformers and read the usual corpus, which takes seconds, before the reader presses Start."""
    with suppress(Exception):  # Start reports an encoder or corpus that cannot be read
        load_encoder(encoder)
        data.sentences(DEFAULT_CORPUS)


@checked(encoder=an_encoder, sentences=a_corpus, sts=path_like)
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
    """Make the panel of a method; to display it, put it last in a cell.

    Every setting has a control; the arguments are initial values. The methods ``start``, ``pause`` and ``stop`` do the
    same as the buttons; ``wait`` blocks until the run ends; ``panel.run`` is the run. TypeError or ValueError for a
    setting that is unknown, of the wrong type or out of range, or for a ``run`` of another method.

    Args:
        method: one of ``clwork.methods.names()``, or its title, such as "SG-BERT"; default: the method of ``run``, else
            ``"simcse"``.
        run: a run to show and control; or a run's folder or the result of :func:`clwork.open_run`, to show only.
        encoder: encoder to start from, or its name or folder; default: the method's encoder.
        sentences: name of a corpus, or a sequence of examples.
        steps: optimizer steps of a run; default 300.
        seed: seed of all random numbers; default 0.
        sts: folder of STS tasks, ``"hub"``, or None for the last folder used.
        probe_every: steps between two measurements of the geometry; default: chosen by elapsed time.
        settings: a line from ``panel.settings_text()``; it overrides the other arguments.
        config: hyperparameters, see :func:`clwork.methods.config`.
    """
    if run is not None:
        run = view_run(as_run("run", run))
    by_title = {methods.get(one).title.lower(): one for one in methods.names()}
    usual_method = "simcse" if run is None else run.method
    name = usual_method if method is None else by_title.get(str(method).lower(), method)
    if run is not None and run.method != name:
        raise ValueError(f"the run's method is {run.method!r}, not {name!r}: leave the method out")
    if run is not None and run.alive and (config or settings):
        raise ValueError(
            f"{run.name} is active, so its settings are fixed: change run.controls, or stop the run"
        )
    usual = run_settings_of(run) if run is not None else RunSettings()
    arguments = {"encoder": encoder, "sentences": sentences, "steps": steps, "seed": seed}
    chosen = {
        name: getattr(usual, name) if value is None else value for name, value in arguments.items()
    }
    more = {
        **usual.more,
        **{k: v for k, v in {"sts": sts, "probe_every": probe_every}.items() if v is not None},
    }
    column = usual.column if sentences is None else ""
    made = Panel(name, run, RunSettings(**chosen, column=column, more=more), config)
    if settings is not None:
        made.apply_settings(settings)
    return made
