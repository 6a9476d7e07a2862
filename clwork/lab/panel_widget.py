"""The panel of a method: sliders from its configuration, buttons, live figures, and a verdict in words."""

from __future__ import annotations

import contextlib
from typing import Any

import ipywidgets as widgets
import plotly.graph_objects as go

from .. import methods
from ..methods import MethodConfig, MethodName
from ..training import Run, Stored, runs, start
from ..views import curves, still_image
from . import messages
from .drawing_thread import DrawingThread
from .panel_frame import PanelFrame, busy
from .pickers import CorpusPicker, EncoderPicker
from .pictures.board import Pictures
from .setting_controls import SettingControls
from .unsaved import unsaved


@unsaved()
def panel(
    method: str | None = None,
    *,
    run: Any = None,
    encoder: Any = None,
    sentences: Any = None,
    steps: int = 300,
    seed: int = 0,
    sts: Any = None,
    probe_every: int | None = None,
    **config: Any,
) -> Panel:
    """Make the panel of a method; show it by putting it last in a cell (on Colab: in a later cell than this call).

    Every setting has a widget; arguments give their first values. ``run`` attaches the panel to a run that exists,
    say one whose panel was lost: ``lab.panel(run=clwork.runs()[-1])``. The panel's methods ``start``, ``pause``,
    ``stop`` and ``wait`` do what the buttons do; ``panel.run`` is the run, ``panel.config()`` the settings.

    Args:
        method: one of ``clwork.methods.names()``; default: that of ``run``, else ``"simcse"``.
        run: a run to show and steer, or what :func:`clwork.open_run` gave, to look at.
        encoder: name, folder or encoder to start from; default: the method's.
        sentences: a source's name, or a sequence of examples (triplets, for supervised SimCSE).
        steps: optimizer steps of a run.
        seed: of everything random.
        sts: folder of STS tasks, ``"hub"``, or None for the folder that was remembered.
        probe_every: steps between two looks at the geometry; default: looks follow the clock.
        config: hyperparameters, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: a setting is unknown, of another kind or out of range; ``run`` is of another method.
    """
    run = run.as_run() if isinstance(run, Stored) else run
    name = method or (run.method if run is not None else "simcse")
    if run is not None and run.method != name:
        raise ValueError(f"the run is of method {run.method!r}, the panel of {name!r}: leave the method out")
    corpus, more = CorpusPicker(sentences, methods.get(name).accepts), {"sts": sts, "probe_every": probe_every}
    return Panel(name, run, corpus, encoder, steps if run is None else run.total_steps, seed, more, config)


class Panel(widgets.VBox):  # type: ignore[misc]
    """See :func:`panel`, which makes it."""

    run: Any  # a Run; None before the first start, which those who write panel.run.history need not ask
    _drawing: DrawingThread | None = None

    def __init__(
        self,
        method: MethodName,
        run: Run | None,
        corpus: CorpusPicker,
        encoder: Any,
        steps: int,
        seed: int,
        more: dict[str, Any],
        config: dict[str, Any],
    ) -> None:
        """Build all widgets; nothing is trained yet."""
        self.method, self.corpus, self.run, self._more = method, corpus, None, more
        self.method_class = methods.get(method)
        self.encoder = EncoderPicker(encoder, self.method_class.default_encoder, self.method_class.encoders)
        values = run.config if run is not None else methods.config(method, self.encoder.origin, **config)
        shared = {field.name for field in methods.fields(MethodConfig)}
        fields = sorted(methods.fields(self.method_class.Config), key=lambda f: f.name in shared)
        self.settings = SettingControls(fields, values, vars(methods.config(method, self.encoder.origin)))
        acts = {"start": self.start, "pause": self.pause, "stop": self.stop}
        self.frame, self.pictures = PanelFrame(acts, steps, seed), Pictures()
        main, more = (
            [self.settings.widgets[name] for name in names] for names in (self.settings.main, self.settings.more)
        )
        rows = self.frame.rows([corpus, self.encoder, *main], self.pictures.boxes, drawer=more)
        super().__init__(rows)
        self.add_class("clwork-panel")
        self.settings.on_hot(self._steer)
        self.settings.suit(corpus.kind)
        corpus.choice.observe(lambda _: self.settings.suit(corpus.kind), names="value")
        for control in (self.encoder.choice, self.encoder.place):
            control.observe(self._follow_encoder, names="value")
        self.encoder.offer(runs())
        if run is not None:
            self.run = run
            self._watch()

    def config(self) -> dict[str, Any]:
        """The hyperparameters as the widgets say them now."""
        return self.settings.values()

    def start(self) -> None:
        """Begin a run with the present settings; returns at once, and does nothing while one is going on."""
        if not busy(self.run) and (self._drawing is None or not self._drawing.going):
            self.frame.start.disabled = True
            self.frame.say("Starting …")
            self.run = None
            self._watch()

    def pause(self) -> None:
        """Hold the run, or let a held one go on."""
        if self.run is not None:
            (self.run.resume if self.run.status == "paused" else self.run.pause)()

    def stop(self) -> None:
        """End the run after the step in progress."""
        if self.run is not None:
            self.run.stop()

    def wait(self, timeout: float | None = None) -> Panel:
        """Block until the run has ended and its end is drawn; an error stays text in the panel."""
        if self._drawing is not None:
            self._drawing.wait(timeout)
        return self

    def _watch(self) -> None:
        self.pictures.clear()
        self._judged = -1
        self._drawing = DrawingThread(
            self._draw, lambda error: self.frame.say(messages.failure(f"Drawing failed: {error}"))
        )
        self._drawing.start()

    def _launched(self) -> bool:
        """Start the run; imports and reading a table may take seconds, hence not in the button's callback."""
        self.settings.freeze(True)
        steps, seed = self.frame.steps.value, self.frame.seed.value
        try:
            sources = {"encoder": self.encoder.read(), "sentences": self.corpus.read(), **self._more}
            self.run = start(self.method, steps=steps, seed=seed, **sources, **self.config())
        except Exception as error:
            self._rest()
            self.frame.say(messages.failed(error))
            return False
        now = self.config()
        with contextlib.suppress(RuntimeError):  # it has ended already
            for name in self.settings.hot:  # what was moved since the configuration was read
                setattr(self.run.controls, name, now[name])
        return True

    def _draw(self) -> bool:
        """One look at the run; returns whether there will be more to see."""
        if self.run is None and not self._launched():
            return False
        alive = bool(self.run.alive)  # asked first: what is drawn below is then the last word
        try:
            if self.pictures.draw(self.run) or not alive:
                self.frame.tell(self.run, self.pictures.tracks)
            self._judge()
        except Exception as error:  # the buttons must stay right whatever happens to a picture
            self.frame.numbers.value = f"Drawing failed. {messages.failure(str(error))}"
        self.frame.show(self.run)
        self.settings.freeze(alive)
        if alive:
            self.settings.show({name: getattr(self.run.controls, name) for name in self.settings.hot})
        else:
            self._rest()
        return alive

    def _judge(self) -> None:
        probe = self.run.probe
        if probe is None or probe.vectors is None or probe.vectors_step == self._judged:
            return
        step = probe.vectors_step
        self.frame.verdict.value = messages.verdict(self.run.diagnosis(), step)
        self._judged = step

    def _rest(self) -> None:
        """The run has ended: settings are free again, all as the reader left them."""
        self.settings.freeze(False)
        self.encoder.offer(runs())
        self.frame.show(self.run)

    def _steer(self, name: str) -> None:
        if busy(self.run):
            try:
                setattr(self.run.controls, name, self.settings.value(name))
            except (TypeError, ValueError, RuntimeError) as error:
                self.frame.say(messages.failure(str(error)))

    def _follow_encoder(self, _: Any) -> None:
        """Settings that still say the former encoder's default move to the new one's."""
        new = vars(methods.config(self.method, self.encoder.origin))
        now = self.config()
        self.settings.show({name: new[name] for name in new if now.get(name) == self.settings.usual.get(name)})
        self.settings.usual = new

    def figure(self) -> go.Figure:
        """The curves so far as a static figure, for a report or a page without widgets."""
        known = {} if (run := self.run) is None else {"references": run.references, "total_steps": run.total_steps}
        return curves(self.pictures.tracks, **known)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget, and beside it a text and a still picture for readers that run no widgets (GitHub, nbconvert)."""
        name = self.method_class.title
        title = f"<p><b>{name}</b>: a live panel. Open the notebook in JupyterLab and run it to train.</p>"
        page = f"{title}<p>{messages.state(self.run)}</p>{still_image(self.figure(), 'The curves so far')}"
        return {**super()._repr_mimebundle_(**kwargs), "text/html": page}

    def close(self) -> None:
        """Take the panel away; its run goes on, and ``lab.panel(run=…)`` shows it again."""
        if self._drawing is not None:
            self._drawing.end()
        super().close()
