"""All inputs of a panel together: corpus, encoder, steps, seed and hyperparameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from ... import methods
from ...data.sources import DEFAULT
from ...methods import Method, MethodConfig
from . import drawer
from .corpus_picker import CorpusPicker
from .drawer import SettingsDrawer
from .encoder_picker import EncoderPicker
from .frame import PanelHead
from .knob import Knob
from .settings import SettingControls


class PanelInputs:
    """The panel's controls, whose values *Start* trains with.

    Attributes:
        corpus: what to train on; ``encoder`` what to start from; ``settings`` the hyperparameters.
        steps: of a run; ``seed`` of everything random.
        head: title and formula; ``drawer`` presets, other knobs and the line of settings.
    """

    def __init__(
        self,
        method: type[Method[Any]],
        config: MethodConfig,
        corpus: CorpusPicker,
        encoder: EncoderPicker,
        busy: Callable[[], bool],
    ) -> None:
        """Create the controls; while ``busy()`` they show the settings of the run at work."""
        self.method, self.corpus, self.encoder, self._busy = method, corpus, encoder, busy
        self.steps: Knob
        self.seed: Knob
        shared = {field.name for field in methods.fields(MethodConfig)}
        fields = sorted(methods.fields(method.Config), key=lambda f: f.name in shared)
        usual = vars(methods.config(method.name, encoder.origin))
        self.settings = SettingControls(fields, config, usual, method.knobs)
        self.head = PanelHead(method)
        self.drawer = SettingsDrawer(self.settings, method.published, method.Config, self.text, self.apply)
        self.settings.on_change(self._show_values)
        self.settings.set_example_kind(corpus.kind)
        corpus.choice.observe(lambda _: self._follow_corpus(), names="value")
        encoder.on_choice(self.follow_encoder)

    def begin(self, steps: Knob, seed: Knob) -> None:
        """Add the two numbers, which are elsewhere on the page, and show all values."""
        self.steps, self.seed = steps, seed
        for part in (steps, seed, self.corpus.place, self.corpus.column):
            part.observe(lambda _: self.drawer.refresh(), names="value")
        self._show_values()
        self.drawer.refresh()

    def on_change(self, act: Callable[[], object]) -> None:
        """Call ``act()`` after any input was changed or corrected."""
        for knob in (*self.settings.widgets.values(), self.steps, self.seed):
            knob.observe(lambda _: act(), names=["value", "wrong"])
        for control in (*self.corpus.controls, *self.encoder.controls):
            control.observe(lambda _: act(), names="value")

    def boxes(self) -> list[widgets.Widget]:
        """The main knobs: the left column."""
        return [self.settings.widgets[name] for name in self.settings.main]

    def sources(self) -> list[widgets.Widget]:
        """Corpus, encoder and presets: the row above the knobs."""
        return [self.corpus, self.encoder, *self.drawer.head()]

    def wrong(self) -> list[str]:
        """Error messages of what was typed."""
        return [*(knob.wrong for knob in (self.steps, self.seed) if knob.wrong), *self.settings.wrong()]

    def freeze(self, frozen: bool) -> None:
        """Leave only hot knobs enabled while a run is at work."""
        self.settings.freeze(frozen)
        self.corpus.freeze(frozen)
        self.encoder.freeze(frozen)
        self.drawer.freeze(frozen)
        self.steps.disabled = self.seed.disabled = frozen
        if not frozen:
            self.follow_encoder()

    def follow_encoder(self) -> None:
        """Move settings from the former encoder's defaults to the new one's; not while a run is at work."""
        if self._busy():
            return
        new = vars(methods.config(self.method.name, self.encoder.origin))
        if new != self.settings.usual:
            now, old = self.settings.values(), self.settings.usual
            self.settings.usual = new
            self.settings.show({name: new[name] for name in new if now.get(name) == old.get(name)})
        self._show_values()
        self.drawer.refresh()

    def text(self) -> str:
        """All settings as one line, see :func:`.drawer.write`."""
        own = {"seed": self.seed.value, "steps": self.steps.value, "corpus": self.corpus.name}
        own |= {"column": self.corpus.column.value.strip(), "encoder": self.encoder.text}
        return drawer.write(self.method.name, own, self.settings.changed())

    def apply(self, text: str) -> None:
        """Apply a line of settings, all or nothing; what it leaves out goes back to its default.

        Raises:
            ValueError: the line cannot be applied here; the message says why.
            RuntimeError: a run goes on.
        """
        if self._busy():
            raise RuntimeError("a run goes on with the settings shown: stop it, then apply others")
        parsed = drawer.read(text, self.method.name)
        fields = self.settings.fields
        numbers = {
            knob: drawer.value_of(parsed[name], knob.field)
            for name, knob in (("steps", self.steps), ("seed", self.seed))
            if name in parsed
        }
        values = drawer.values(parsed, fields)
        before = self.text()
        try:
            self.encoder.write(parsed.get("encoder", self.method.default_encoder))
            methods.config(self.method.name, self.encoder.origin, **values)  # all of them together
            self.corpus.write(parsed.get("corpus", DEFAULT), parsed.get("column", ""))
        except (TypeError, ValueError):
            self.encoder.write(drawer.read(before, self.method.name)["encoder"])
            raise
        self.settings.usual = vars(methods.config(self.method.name, self.encoder.origin))
        self.settings.apply({**self.settings.usual, **values})
        for knob, value in numbers.items():
            knob.value = value

    def _follow_corpus(self) -> None:
        self.settings.set_example_kind(self.corpus.kind)
        self._show_values()
        self.drawer.refresh()

    def _show_values(self) -> None:
        settings = self.settings
        now = {name: settings.value(name) for name in settings.fields}
        self.head.show(settings.fields, now, settings.idle())
