"""The panel of a method: its settings, its commands, and the run that they steer, on one page with the pictures."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import plotly.graph_objects as go
from IPython.display import DisplayHandle, display

from ... import methods
from ..._validation import Positive, checked, place
from ...methods import MethodName
from ...recordings import recorded_methods, recording
from ...training import Run, Stored, runs
from ...training.run.arguments import a_corpus, an_encoder
from ...training.stored.stored import RunSource as AnyRun
from ...training.stored.stored import as_run
from ...views import RunColumns, curves
from ...wording import explain
from ..page.notebook import executed, unsaved
from ..page.widgets import has_anywidget
from ..settings.inputs import Inputs
from ..settings.settings import RunSettings
from ..settings.settings import settings_of as all_settings_of
from .bands import bands_of
from .beside import Beside
from .dot_forces import forces_of
from .instrument import Instrument, News, strip_of_curves
from .measured import Measured
from .own_sentences import OwnSentences
from .player_data import player_data, umap_layouts
from .previous import Previous, settings_of
from .sources import Part, RecordedSource, RunSource
from .steering import FULL, SLOWLY, Steering
from .still import still_page


class Panel(Instrument):
    """See :func:`clwork.lab.panel`, which makes it.

    Attributes:
        inputs: all settings.
        beside: the run that is shown beside its own.
    """

    def __init__(self, method: MethodName, run: Run | None, made_of: RunSettings, config: dict[str, Any]) -> None:
        """Take the settings of ``made_of`` and ``config``; nothing is trained yet."""
        self.method, self.method_class = method, methods.get(method)
        of_run = None if run is None else run.config
        self.inputs = Inputs(method, made_of, config, of_run=of_run, busy=lambda: self._steering.at_work)
        self._steering = Steering(self.inputs, dict(made_of.more), self._show)
        self.own, self._previous, self._measured = OwnSentences(), Previous(), Measured()
        self.beside = Beside()
        self._drawn: Any = None  # the run that is drawn; the one that is steered may have nothing to show yet
        self._coming: RunSource | None = None
        self._outputs: list[DisplayHandle] = []  # of outputs in cells run by nbconvert or papermill
        recorded = self._recorded()
        super().__init__([] if recorded is None else [recorded], about=self._about(recorded is not None))
        self.inputs.on_change(self._withdraw)
        self.inputs.on_hot(self._steer)
        self.inputs.encoder.offer(runs())
        if run is not None:
            self._show(run)
        self._make("bands", lambda: bands_of(method))

    @property
    def run(self) -> Any:
        """The run that is steered or shown, a :class:`clwork.Run`; None before the first start."""
        return self._steering.run

    def _recorded(self) -> RecordedSource | None:
        """The method's recorded run, which is shown until there is another; it is also the first one in grey."""
        if self.method not in recorded_methods():
            return None
        given = recording(self.method)
        settings = {"method": self.method, "steps": given["total_steps"], "seed": given["seed"], **given["settings"]}
        name = f"recorded:{self.method}"
        self._previous.become(name, "recorded run", given["rows"], given["total_steps"], settings)
        return RecordedSource(player_data(given), name)

    def _about(self, recorded: bool) -> dict[str, Any]:
        more = {"mode": "panel", "curves": strip_of_curves(), "recorded": recorded, "speeds": [SLOWLY, FULL]}
        return {**self.inputs.about(), **more}

    # --- what can be asked of it ----------------------------------------------------------------------------------

    def config(self) -> dict[str, Any]:
        """The hyperparameters that the settings hold now."""
        return self.inputs.values()

    def settings_text(self) -> str:
        """All settings as one line, which :meth:`apply_settings` takes in any panel of the method."""
        return self.inputs.text()

    @checked()
    def apply_settings(self, text: str) -> None:
        """Set everything as :meth:`settings_text` wrote it; hyperparameters that it leaves out get their defaults.

        Raises:
            ValueError: the text cannot be applied here; the message says why, and nothing is changed.
            RuntimeError: a run goes on.
        """
        self._settle()
        self.inputs.apply(text)

    @checked()
    def start(self, slowly: bool = False) -> None:
        """Start a run with the present settings; returns at once, and does nothing while one is at work.

        ``slowly`` takes two steps a second, so that a reader can steer it while the cells below run.
        """
        self._settle()
        if slowly:
            self._steering.watch()
        self._steering.start()
        self._keep_pushing()

    def current_run(self) -> Run:
        """The run as far as it is: its history may grow while you read.

        Raises:
            RuntimeError: none was started, or it did not start.
        """
        return self._steering.current_run()

    def step(self) -> None:
        """Do one step and hold again: of the run at work, or of a new one."""
        self._settle()
        self._steering.step()
        self._keep_pushing()

    def pause(self) -> None:
        """Pause the run, or resume a paused one."""
        self._steering.pause()

    def stop(self) -> None:
        """End the run after the step in progress, or the preparation that comes before the first."""
        self._steering.stop()

    @checked()
    def wait(self, timeout: float | None = None) -> Panel:
        """Block until the run has ended; an error stays text in the panel."""
        self._steering.wait(timeout)
        self._settle()
        for output in self._outputs:
            output.update(self._repr_mimebundle_()[0], raw=True)  # type: ignore[no-untyped-call]
        return self

    def figure(self) -> go.Figure:
        """The curves so far as a static figure, for a report or a page without widgets."""
        if (run := self.run) is None:
            return curves(RunColumns())
        return curves(run.records(), references=run.references, total_steps=run.total_steps)

    # --- the run that is shown ------------------------------------------------------------------------------------

    def _show(self, run: Run) -> None:
        """Steer another run, and show it as soon as there is anything to show; until then the one before stays."""
        with self.lock:
            self._steering.run, self._coming = run, RunSource(run)
            self._turn()
        self._keep_pushing()

    def _turn(self) -> None:
        """Draw the run that is steered, if it has anything to show; the one before stays in grey, if it did a step."""
        coming, before = self._coming, self._drawn
        if coming is None or coming.head() is None:
            return
        if before is not None and before.step:
            settings = settings_of(before)
            self._previous.become(str(before.folder), before.name, before.records(), before.total_steps, settings)
        self._made = {name: part for name, part in self._made.items() if name == "bands"}  # of no single run
        self._drawn, self.sources, self._coming = coming.run, [coming, *self.sources[1:]], None

    def _pulse(self) -> Part:
        """How the run stands; after a refusal, and of a run without anything to show yet, also what is drawn."""
        pulse, drawn = self._steering.state(), self._drawn
        if drawn is not None and (self.run is not drawn or self._steering.refused):
            pulse["sentence"] += f" What is drawn is {drawn.name}, an earlier run."
        return pulse

    def _settle(self) -> None:
        """Let the settings follow the run: frozen while it is at work, with its controls' values; else free."""
        at_work = self._steering.at_work
        if at_work != self.inputs.frozen:
            self.inputs.freeze(at_work)
            if not at_work:
                self.inputs.encoder.offer(runs())
        if self.run is not None and self.run.alive:
            shown, controls = self.inputs.settings.controls, self.run.controls
            values = {name: getattr(controls, name) for name in self.inputs.settings.hot}
            # what is typed wrong beside a value that holds stays, with its error
            self.inputs.settings.show({name: value for name, value in values.items() if value != shown[name].value})

    def _steer(self, name: str, value: Any) -> None:
        if self.run is not None and self.run.alive:
            setattr(self.run.controls, name, value)

    def _withdraw(self) -> None:
        """Take a refusal back after an input was changed."""
        if not self._steering.at_work:
            self._steering.refusal = ""

    # --- the page -------------------------------------------------------------------------------------------------

    def _lively(self) -> bool:
        return self._steering.at_work

    def _news(self, known: Mapping[str, Any]) -> News:
        self._settle()
        self._turn()
        news: News = {"pulse": self._pulse()}
        if known.get("setup") != self.inputs.version:
            news["setup"] = self.inputs.state()
        try:
            news |= self._of_runs(known)
        except Exception as error:  # buttons and settings stay right whatever happens to a picture
            news["pulse"] |= {"sentence": f"Drawing failed: {explain(error)}", "trouble": True}
        return news

    def _of_runs(self, known: Mapping[str, Any]) -> News:
        """What is drawn and told of runs."""
        run, drawn = self.run, self._drawn
        if run is not None:
            self.own.follow(run)
        self._measured.follow(drawn)
        news = super()._news(known)
        for number, part in enumerate(news["runs"]):
            if "head" in part and number:
                part["head"]["changes"] = self.beside.changes(drawn)
            elif "head" in part and drawn is not None:
                part["head"]["changes"] = self._previous.changes(drawn)
        if self._previous.id and known.get("ghost") != self._previous.id and drawn is not None:
            news["ghost"] = self._previous.state()
        parts = {"own": self.own.state(), "numbers": self._measured.state()}
        for name, part in parts.items():
            if part and known.get(name, 0) != (version := _stamp(part)):
                news[name] = {**part, "version": version}
        return news

    def _known_after(self, known: Mapping[str, Any], news: News) -> dict[str, Any]:
        after = super()._known_after(known, news)
        return after | ({"ghost": news["ghost"]["id"]} if "ghost" in news else {})

    def _do(self, command: Mapping[str, Any], buffers: Any) -> str:
        self._settle()  # a run that has just ended no longer holds the settings
        return super()._do(command, buffers)

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {
            "start": self.start,
            "pause": self.pause,
            "stop": self.stop,
            "step": self.step,
            "speed": lambda speed: self._steering.set_speed(speed),
            "set": lambda setting, value: self.inputs.set(setting, value),
            "preset": lambda choice: self.inputs.choose_preset(choice),
            "reset": self.inputs.reset,
            "apply": self.apply_settings,
            "corpus": self.inputs.choose_corpus,
            "encoder": self.inputs.choose_encoder,
            "own": lambda texts: self.own.write(texts),
            "umap": self._lay_out,
            "forces": self._forces,
            "fork": lambda step=None: self._steering.fork(self._drawn or self.run, step),
            "others": self._list_others,
            "beside": self._compare,
        }

    def _lay_out(self) -> None:
        """Lay the looks so far out by UMAP."""

        def make() -> Part:
            (layout,) = umap_layouts([player_data(recording(self.method if self._drawn is None else self._drawn))])
            return dict(layout)

        self._make("umap", make)

    def _forces(self, row: int) -> None:
        """Compute who pulls and who pushes a dot."""
        run = self._drawn
        if run is None:
            raise RuntimeError("a recorded run has no weights, so no forces: press Start for a run of your own")
        self._make("forces", lambda: forces_of(run, row))

    def _list_others(self) -> None:
        """List the runs that can be shown beside this one."""
        drawn = self.sources[0].id if self.sources else ""
        self._make("others", lambda: self.beside.listed(drawn))

    def _compare(self, run: str = "") -> None:
        """Show the run of this id beside the panel's own, or none."""
        if not self.sources:
            raise RuntimeError("there is no run yet to compare with: press Start")
        self.beside.choose(run)
        self.sources = [self.sources[0], *([] if self.beside.source is None else [self.beside.source])]

    # --- where no script runs -------------------------------------------------------------------------------------

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and a text for readers without widgets (GitHub, nbconvert)."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        with self.lock:
            self._turn()
        pulse = "" if self.run is None else self._pulse()["sentence"]
        return {**data, "text/html": still_page(self.method_class.title, pulse, self.sources)}, metadata

    def _ipython_display_(self) -> None:
        """Where a program runs the cells, or no script can be shown, let :meth:`wait` update the output."""
        if not executed() and has_anywidget():
            raise NotImplementedError  # makes IPython use _repr_mimebundle_
        data, metadata = self._repr_mimebundle_()
        self._outputs.append(display(data, metadata=metadata, raw=True, display_id=True))  # type: ignore[no-untyped-call]


def _stamp(part: Part) -> int:
    """A number that changes with the part."""
    return zlib.crc32(json.dumps(part, sort_keys=True, default=repr).encode())


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

    Every setting has a control; arguments give their first values. ``run`` attaches the panel to a run that exists,
    say one whose panel was lost: ``lab.panel(run=clwork.runs()[-1])``; all settings are then that run's, and *Start*
    begins another with them. The panel's methods ``start``, ``pause``, ``stop`` and ``wait`` do what the buttons do;
    ``panel.run`` is the run, ``panel.config()`` the hyperparameters, ``panel.settings_text()`` all settings in a line.

    Args:
        method: one of ``clwork.methods.names()``; default: that of ``run``, else ``"simcse"``.
        run: a run to show and steer; or what :func:`clwork.open_run` gave, or a run's folder, to look at.
        encoder: name, folder or encoder to start from; default: the method's.
        sentences: a source's name, or a sequence of examples (triplets, for supervised SimCSE).
        steps: optimizer steps of a run; default 300.
        seed: of everything random; default 0.
        sts: folder of STS tasks, ``"hub"``, or None for the folder that was remembered.
        probe_every: steps between two looks at the geometry; default: looks follow the clock.
        settings: a line that ``panel.settings_text()`` gave; it is applied last.
        config: hyperparameters, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: a setting is unknown, of another kind or out of range; ``run`` is of another method.
    """
    if run is not None:
        run = as_run("run", run)
        run = run.as_run() if isinstance(run, Stored) else run
    name = method if method is not None else (run.method if run is not None else "simcse")
    if run is not None and run.method != name:
        raise ValueError(f"the run is of method {run.method!r}, the panel of {name!r}: leave the method out")
    if run is not None and run.alive and (config or settings):
        raise ValueError(f"{run.name} goes on with its own settings: move its sliders, or run.controls, or stop it")
    made_of = all_settings_of(run) if run is not None else RunSettings()
    arguments = {"encoder": encoder, "sentences": sentences, "steps": steps, "seed": seed}
    chosen = {name: getattr(made_of, name) if value is None else value for name, value in arguments.items()}
    column = made_of.column if sentences is None else ""
    more = {**made_of.more, **{k: v for k, v in {"sts": sts, "probe_every": probe_every}.items() if v is not None}}
    made = Panel(name, run, RunSettings(**chosen, column=column, more=more), config)
    if settings is not None:
        made.apply_settings(settings)
    return made
