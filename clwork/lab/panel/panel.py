"""The panel of a method: its controls, buttons, live figures, and a verdict in words."""

from __future__ import annotations

import contextlib
import html
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
import plotly.graph_objects as go
from IPython.display import DisplayHandle, display

from ... import methods
from ...edges import at_least, checked, place
from ...methods import MethodName
from ...methods.hyperparameters import build
from ...training import Run, Stored, Sweep, runs, start, sweep
from ...training.run.arguments import a_corpus, an_encoder
from ...training.stored.stored import RunSource, as_run
from ...views import curves, svg_image
from ...wording import explain, plural
from ..page import messages, posters
from ..page.drawing_thread import DrawingThread
from ..page.notebook import executed, unsaved
from .corpus_picker import CorpusPicker
from .encoder_picker import EncoderPicker
from .frame import PanelFrame, busy
from .heartbeat import Heartbeat
from .inputs import PanelInputs
from .pictures.pictures import Pictures, recording_of
from .settings import RunSettings, settings_of
from .slack_watch import SlackWatch
from .sweep_queue import SweepBox


class Panel(widgets.VBox):  # type: ignore[misc]
    """See :func:`clwork.lab.panel`, which makes it."""

    run: Any  # a Run, or None before the first start; Any, so that callers may write panel.run.history
    _reporting: DrawingThread | None = None  # shows the run's state four times a second; ends after the drawing
    _drawing: DrawingThread | None = None  # draws pictures, as often as they may cost
    _stopping = False  # stop() was called before the run existed

    def __init__(self, method: MethodName, run: Run | None, made_of: RunSettings, config: dict[str, Any]) -> None:
        """Create all widgets, with the settings of ``made_of`` and ``config``; nothing is trained yet."""
        self.method, self.run, self._more = method, None, dict(made_of.more)
        self._drawn: Run | None = None  # the run whose pictures are on the page
        self._outputs: list[DisplayHandle] = []  # of outputs in cells run by nbconvert or papermill
        self.method_class = methods.get(method)
        self.corpus = CorpusPicker(made_of.sentences, self.method_class.accepts, made_of.column)
        self.encoder = EncoderPicker(made_of.encoder, self.method_class.default_encoder, self.method_class.encoders)
        if run is None:
            values = methods.config(method, self.encoder.origin, **config)
        else:
            values = build(self.method_class.Config, {**vars(run.config), **config})
        self.inputs = PanelInputs(self.method_class, values, self.corpus, self.encoder, self._at_work)
        self.settings = self.inputs.settings
        acts = {"start": self.start, "pause": self.pause, "stop": self.stop}
        self.frame, self.pictures, self.heartbeat = (
            PanelFrame(acts, made_of.steps, made_of.seed),
            Pictures(recording_of(method)),
            Heartbeat(),
        )
        self.queue = SweepBox(self.settings.fields, self._queued, self._at_work)
        drawer = [*self.inputs.drawer.boxes(), *self.queue.boxes()]
        regions = {
            "head": [self.heartbeat.box, *self.inputs.head.boxes()],
            "sources": self.inputs.sources(),
            "drawer": drawer,
        }
        super().__init__(self.frame.rows(self.inputs.boxes(), self.pictures.boxes, **regions))
        self.add_class("clwork-panel")
        self.inputs.begin(self.frame.steps, self.frame.seed)
        self.inputs.on_change(lambda: self.frame.withdraw(self.run))
        self.settings.on_hot(self._steer)
        self.slack = SlackWatch(self.inputs, lambda: self.run)
        self.inputs.on_change(self.slack.changed)
        self.encoder.offer(runs())
        if run is not None:
            self.run = run
            self._watch()
        self.slack.changed()

    def _at_work(self) -> bool:
        """Whether a run is at work or starting."""
        return busy(self.run) or (self.run is None and self._watching)

    @property
    def _watching(self) -> bool:
        """Whether a run is launched or shown, up to its last picture."""
        return self._reporting is not None and self._reporting.going

    def config(self) -> dict[str, Any]:
        """The hyperparameters that the widgets hold now."""
        return self.settings.values()

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
        self.inputs.apply(text)

    def start(self) -> None:
        """Start a run with the present settings; returns at once, and does nothing while one is at work."""
        if busy(self.run) or self._watching:
            return
        if wrong := self.inputs.wrong():
            self.frame.refuse(messages.failed(" ".join(f"{sentence}." for sentence in wrong), self._drawn))
            return
        if self.queue.alive:
            self.frame.refuse(messages.failed("A queue of runs is at work: stop it, or wait for its end.", self._drawn))
            return
        self._stopping = False
        self.frame.launch()
        self.inputs.freeze(True)
        self.run = None
        self._watch(self._launched)

    def _queued(self, values: dict[str, list[Any]], seeds: int) -> Sweep:
        """Start a queue with the controls' other settings."""
        sources = {"encoder": self.encoder.read(), "sentences": self.corpus.read(), **self._more}
        return sweep(self.method, seeds=seeds, steps=self.frame.steps.value, **sources, **{**self.config(), **values})

    def pause(self) -> None:
        """Pause the run, or resume a paused one."""
        if self.run is not None:
            (self.run.resume if self.run.status == "paused" else self.run.pause)()
            self._request_redraw()

    def stop(self) -> None:
        """End the run after the step in progress, or the preparation that comes before the first."""
        self._stopping = True
        if self.run is not None:
            self.run.stop()
            self._request_redraw()

    @checked()
    def wait(self, timeout: float | None = None) -> Panel:
        """Block until the run has ended and its end is drawn; an error stays text in the panel."""
        if self._reporting is not None:
            self._reporting.wait(timeout)
        for output in self._outputs:
            output.update(self._repr_mimebundle_(), raw=True)  # type: ignore[no-untyped-call]
        return self

    def _request_redraw(self) -> None:
        """Redraw at once, without waiting for the drawing interval."""
        if self._drawing is not None and self._reporting is not None:
            self._drawing.request_redraw()
            self._reporting.wake()

    def _watch(self, begin: Callable[[], bool] = lambda: True) -> None:
        """Start the two drawing threads, of state and of pictures; ``begin`` starts the run."""
        self._judged, self._seen, self._refusal = -1, (False, -1, True), ""
        self._drawing = DrawingThread(self._draw, self._report, begin)
        self._reporting = DrawingThread(self._show_state, self._report)
        self._drawing.start()
        self._reporting.start()

    def _report(self, error: Exception) -> None:
        self.frame.announce(messages.failure(f"Drawing failed: {explain(error)}"))

    def _launched(self) -> bool:
        """Start the run; imports and reading a table may take seconds, hence not in the button's callback."""
        steps, seed = self.frame.steps.value, self.frame.seed.value
        try:
            sources = {"encoder": self.encoder.read(), "sentences": self.corpus.read(), **self._more}
            run = start(self.method, steps=steps, seed=seed, **sources, **self.config())
        except Exception as error:
            self._refusal = messages.failed(explain(error), self._drawn)
            return False
        # knobs do not follow the run yet: some may have been moved since the configuration was read
        self._request_redraw()
        self.run = run
        if self._stopping:
            run.stop()
        now = self.config()
        with contextlib.suppress(RuntimeError):  # it has ended already
            for name in self.settings.hot:
                setattr(run.controls, name, now[name])
        self._clear()
        return True

    def _clear(self) -> None:
        self.pictures.clear()
        self.frame.verdict.value = self.frame.numbers.value = ""

    def _show_state(self) -> bool:
        """Show the run's state, and wake the drawing if needed; return whether to call this again."""
        drawing = self._drawing is not None and self._drawing.going  # read first: if False, this drawing is final
        more = drawing or busy(self.run)
        self.heartbeat.beat(more, "" if self.run is None else str(self.run.folder))
        if not more:
            self._rest()
            return False
        if self.run is not None:
            self.frame.show(self.run, more)
            self._wake()
            if self.run.alive:
                self.inputs.freeze(True)
                self._follow_controls()
        return True

    def _wake(self) -> None:
        """Wake the drawing thread at the first record, after each look, and at the end."""
        assert self._drawing is not None
        probe = self.run.probe
        seen = bool(self.run.records(-1)), -1 if probe is None else probe.vectors_step, bool(self.run.alive)
        if seen != self._seen:
            self._seen = seen
            self._drawing.wake()

    def _follow_controls(self) -> None:
        """Update the knobs from the run's controls, except while the reader moves one."""
        if self._drawing is None or not self._drawing.redraw_requested:
            self.settings.show({name: getattr(self.run.controls, name) for name in self.settings.hot})

    def _draw(self) -> bool:
        """Draw what is new; return whether to call this again."""
        alive = bool(self.run.alive)  # read first: if False, what is drawn below is final
        try:
            if self.pictures.draw(self.run) or not alive:
                self.frame.show_numbers(self.run, self.pictures.tracks)
            if self.run.records(-1):
                self._drawn = self.run
            self.inputs.head.shown.value = messages.drawn_run(self.run, self._drawn)
            self._judge()
            self.slack.follow(self.run)
        except Exception as error:  # the buttons must stay right whatever happens to a picture
            self.frame.numbers.value = f"Drawing failed. {messages.failure(explain(error))}"
        return alive

    def _judge(self) -> None:
        probe = self.run.probe
        if probe is None or probe.vectors is None or probe.vectors_step == self._judged:
            return
        step = probe.vectors_step
        self.frame.verdict.value = messages.verdict(self.run.diagnosis(), step)
        self._judged = step

    def _rest(self) -> None:
        """Enable all settings after the run has ended."""
        self.encoder.offer(runs())
        self.inputs.freeze(False)
        if self._refusal:
            self.run = self._drawn  # whose pictures are still there
            self.frame.refuse(self._refusal)
        else:
            self.frame.show(self.run)

    def _steer(self, name: str, value: Any) -> None:
        if busy(self.run):
            try:
                setattr(self.run.controls, name, value)
                self._request_redraw()
            except (TypeError, ValueError, RuntimeError) as error:
                self.frame.announce(messages.failure(str(error)))

    def figure(self) -> go.Figure:
        """The curves so far as a static figure, for a report or a page without widgets."""
        known = {} if (run := self.run) is None else {"references": run.references, "total_steps": run.total_steps}
        return curves(self.pictures.tracks, **known)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget, and a text and a poster for readers without widgets (GitHub, nbconvert)."""
        name, previous = self.method_class.title, self.pictures.previous
        page = f"<p><b>{html.escape(name)}</b>: a live panel. Open the notebook in JupyterLab and run it to train.</p>"
        if self.run is not None:
            page += f"<p>{messages.state(self.run)}</p>{self.frame.verdict.value}"
        elif previous.name:
            page += f"<p>Shown: a recorded run of {plural(previous.total, 'step')} that comes with clwork.</p>"
        if self.run is not None or previous.name:
            drawn = (self.pictures.sentences.drawn, self.pictures.curves.drawn, self.pictures.plane.drawn)
            page += svg_image(
                posters.of_run(*(picture.figure() for picture in drawn)), f"{name}: sentences, curves and plane"
            )
        return {**super()._repr_mimebundle_(**kwargs), "text/html": page}

    def _ipython_display_(self) -> None:
        """Where a program runs the cells, display it so that :meth:`wait` can update the output."""
        if not executed():
            raise NotImplementedError  # makes IPython use _repr_mimebundle_
        self._outputs.append(display(self._repr_mimebundle_(), raw=True, display_id=True))  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Take the panel off the page; its run goes on, and ``lab.panel(run=…)`` shows it again."""
        for thread in (self._drawing, self._reporting):
            if thread is not None:
                thread.end()
        self.slack.close()
        super().close()


@checked(encoder=an_encoder, sentences=a_corpus, sts=place, steps=at_least(1), probe_every=at_least(1))
@unsaved()
def panel(
    method: str | None = None,
    *,
    run: RunSource | None = None,
    encoder: Any = None,
    sentences: Any = None,
    steps: int | None = None,
    seed: int | None = None,
    sts: Any = None,
    probe_every: int | None = None,
    settings: str | None = None,
    **config: Any,
) -> Panel:
    """Make the panel of a method; show it by putting it last in a cell (on Colab: in a later cell than this call).

    Every setting has a widget; arguments give their first values. ``run`` attaches the panel to a run that exists,
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
    made_of = settings_of(run) if run is not None else RunSettings()
    arguments = {"encoder": encoder, "sentences": sentences, "steps": steps, "seed": seed}
    chosen = {name: getattr(made_of, name) if value is None else value for name, value in arguments.items()}
    column = made_of.column if sentences is None else ""
    more = {**made_of.more, **{k: v for k, v in {"sts": sts, "probe_every": probe_every}.items() if v is not None}}
    made = Panel(name, run, RunSettings(**chosen, column=column, more=more), config)
    if settings is not None:
        made.apply_settings(settings)
    return made
