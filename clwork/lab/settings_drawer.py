"""Everything that is not in view at once: presets, all other knobs with a search, and the settings as a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from ..methods.hyperparameters import build
from ..wording import explain
from . import messages
from .buttons import button
from .knob import FULL, NATURAL
from .setting_controls import SettingControls

YOURS = "your own"
DEFAULT = "default"


class SettingsDrawer:
    """Widgets beside the main knobs.

    Attributes:
        preset: a drop-down of the settings that others have; says ``your own`` once they were changed.
        search: text that the knobs below it must match.
        text: the settings as one line; ``apply`` takes over what was pasted there.
    """

    def __init__(
        self,
        settings: SettingControls,
        published: Mapping[str, Mapping[str, Any]],
        config_class: type[Any],
        text: Callable[[], str],
        apply: Callable[[str], None],
    ) -> None:
        """Build them; ``text()`` gives the line of settings, ``apply(line)`` takes one over or says why it cannot."""
        self._settings, self._published, self._text, self._apply = settings, published, text, apply
        self._config = config_class
        self._choosing = False
        names = [YOURS, DEFAULT, *published]
        self.preset = widgets.Dropdown(
            options=names, value=DEFAULT, description="settings", style=NATURAL, layout=widgets.Layout(**FULL),
            tooltip="default: what suits this encoder; the others: as published, for BERT-base.",
        )  # fmt: skip
        self.preset.add_class("clwork-preset")
        self.preset.observe(lambda change: self._choose(change["new"]), names="value")
        self.reset = button("Reset", "Every setting back to its default.", "reset", self.back)
        self.search = widgets.Text(placeholder="search settings …", layout=widgets.Layout(**FULL))
        self.search.add_class("clwork-search")
        self.search.observe(lambda _: self._find(), names="value")
        self.found = widgets.HTML()
        self.line = widgets.Textarea(rows=3, layout=widgets.Layout(**FULL), continuous_update=False)
        self.line.add_class("clwork-settings-text")
        about = "Copy this line: it holds the method, seed, steps, corpus, encoder, and all that differs from defaults."
        self.copy = button("Copy", about, "copy", self.refresh)
        self.take = button("Apply", "Take over the settings of the line above.", "apply", self._take)
        self.said = widgets.HTML()
        self.said.add_class("clwork-settings-said")
        settings.on_change(self.refresh)
        self._find()

    def head(self) -> list[widgets.Widget]:
        """What stands over the main knobs."""
        return [widgets.HBox([self.preset, self.reset], layout=widgets.Layout(width="100%", align_items="center"))]

    def boxes(self) -> list[widgets.Widget]:
        """What the drawer holds."""
        others = [self._settings.widgets[name] for name in self._settings.more]
        label = widgets.HTML("<b>These settings as a text</b>: copy it, or paste one and apply it.")
        buttons = widgets.HBox([self.copy, self.take])
        return [self.search, self.found, *others, label, self.line, buttons, self.said]

    def refresh(self) -> None:
        """The line and the preset's name as the knobs stand."""
        self.line.value = self._text()
        self._name()

    def freeze(self, frozen: bool) -> None:
        """While a run goes on nothing can be taken over as a whole."""
        self.preset.disabled = self.reset.disabled = self.take.disabled = frozen

    def back(self) -> None:
        """Every setting back to the default that suits the encoder."""
        self._settings.apply(self._settings.usual)
        self.refresh()

    def _values(self, name: str) -> Mapping[str, Any]:
        return self._settings.usual if name == DEFAULT else vars(build(self._config, self._published[name]))

    def _choose(self, name: str) -> None:
        if not self._choosing and name != YOURS:
            self._settings.apply(self._values(name))

    def _name(self) -> None:
        now = {name: self._settings.value(name) for name in self._settings.widgets}
        at = self.preset.value
        names = [at, DEFAULT, *self._published]
        fitting = [name for name in names if name != YOURS and dict(self._values(name)) == now]
        self._choosing = True
        try:
            self.preset.value = fitting[0] if fitting else YOURS
        finally:
            self._choosing = False

    def _find(self) -> None:
        words = self.search.value.strip()
        count = 0
        for name in self._settings.more:
            knob = self._settings.widgets[name]
            fits = not words or knob.matches(words)
            knob.layout.display = None if fits else "none"
            count += fits
        main = [self._settings.widgets[name] for name in self._settings.main]
        there = [knob.field.called for knob in main if words and knob.matches(words)]
        told = f"{count} of {len(self._settings.more)} settings" if words else f"{count} more settings"
        told += f"; beside the pictures: {', '.join(there)}" if there else ""
        self.found.value = f"<span class='clwork-faint'>{messages.failure(told)}</span>"

    def _take(self) -> None:
        try:
            self._apply(self.line.value)
        except (TypeError, ValueError, RuntimeError) as error:
            self.said.value = f"<div role='alert'>{messages.wrong(explain(error))}</div>"
        else:
            self.said.value = "<div role='status'>Applied.</div>"
            self.refresh()
