"""The panel's drawer: presets, the less important knobs with a search, and all settings as one line of text."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from ...checks import nearest, shown
from ...methods import Field, MethodConfig
from ...methods.hyperparameters import build
from ...wording import explain
from ..page import messages
from ..page.labels import plain, typed
from ..page.widgets import FULL, NATURAL, button
from .settings import SettingControls

OWN = ("seed", "steps", "corpus", "column", "encoder")  # settings that are no hyperparameters, in this order
LONGEST = 20_000  # letters; more is no line of settings
YES, NO = ("yes", "true", "on"), ("no", "false", "off")


def write(method: str, own: Mapping[str, Any], changed: Mapping[str, Any]) -> str:
    """Format the line: the method, the settings of every run, and the hyperparameters that differ from their defaults.

    >>> write("simcse", {"seed": 0, "steps": 300, "corpus": "my file.txt"}, {"temperature": 0.1, "fixed_mask": True})
    "simcse seed=0 steps=300 corpus='my file.txt' temperature=0.1 fixed_mask=yes"
    """
    pairs = {**{name: own[name] for name in OWN if own.get(name) not in (None, "")}, **changed}
    return " ".join([method, *(f"{name}={shlex.quote(plain(value))}" for name, value in pairs.items())])


def read(text: str, method: str) -> dict[str, str]:
    """Parse a line into its settings, by name, as text.

    Raises:
        ValueError: not such a line, one of another method, or one that names a setting twice.

    >>> read("simcse seed=3 temperature=0.1", "simcse")
    {'seed': '3', 'temperature': '0.1'}
    """
    if len(text) > LONGEST:
        raise ValueError(f"this text has {len(text):,} letters; settings are one line of at most {LONGEST:,}")
    try:
        first, *rest = shlex.split(text) or [""]
    except ValueError as error:
        raise ValueError(f"a quotation mark is not closed in {shown(text, 80)} ({error})") from None
    if not first or "=" in first:
        raise ValueError(f"the text must begin with the method's name: {method} seed=0 …")
    if first != method:
        raise ValueError(
            f"these are settings of {shown(first)}, and this is the panel of {method!r}; open lab.panel({first!r}) and "
            "apply them there"
        )
    settings: dict[str, str] = {}
    for word in rest:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{shown(word)} sets nothing; write name=value, and quote a value that has blanks")
        if name in settings:
            raise ValueError(f"{name} is set twice, to {shown(settings[name])} and to {shown(value)}; leave one out")
        settings[name] = value
    return settings


def values(settings: Mapping[str, str], fields: Mapping[str, Field]) -> dict[str, Any]:
    """The hyperparameters among the parsed settings, checked and converted.

    Raises:
        ValueError: a name is unknown, or a value is of another kind or out of range.
    """
    known = [*OWN, *fields]
    for name in settings:
        if name not in known:
            raise ValueError(f"there is no setting {shown(name)}{nearest(name, known)}; known: {', '.join(known)}")
    return {name: value_of(settings[name], field) for name, field in fields.items() if name in settings}


def value_of(text: str, field: Field) -> Any:
    """Parse ``text`` as a value of ``field``.

    Raises:
        ValueError: another kind, or out of range.
    """
    if field.kind in ("int", "float"):
        return typed(text, field)
    if field.kind == "bool":
        if text.lower() not in YES + NO:
            raise ValueError(f"{field.name}={text} is neither yes nor no")
        return text.lower() in YES
    try:
        return field.check(text)
    except TypeError as error:
        raise ValueError(str(error)) from error


YOURS = "your own"
DEFAULT = "default"


class SettingsDrawer:
    """The drawer's widgets, and the row of presets above the main knobs.

    Attributes:
        preset: a drop-down of published settings; ``your own`` once they were changed.
        search: text that the knobs below it must match.
        line: the settings as text; ``take`` applies what was pasted there.
    """

    def __init__(
        self,
        settings: SettingControls,
        published: Mapping[str, Mapping[str, Any]],
        config_class: type[MethodConfig],
        text: Callable[[], str],
        apply: Callable[[str], None],
    ) -> None:
        """Create them; ``text()`` returns the line of settings, ``apply(line)`` applies one or raises."""
        self._settings, self._published, self._text, self._apply = settings, published, text, apply
        self._config = config_class
        self._choosing = False
        names = [YOURS, DEFAULT, *published]
        self.preset = widgets.Dropdown(
            options=names,
            value=DEFAULT,
            description="settings",
            style=NATURAL,
            layout=widgets.Layout(**FULL),
            tooltip="default: what suits this encoder; the others: as published, for BERT-base.",
        )
        self.preset.add_class("clwork-preset")
        self.preset.observe(lambda change: self._choose(change["new"]), names="value")
        self.reset = button("Reset", "Every setting back to its default.", "reset", self.back)
        self.search = widgets.Text(placeholder="search settings …", layout=widgets.Layout(**FULL))
        self.search.add_class("clwork-search")
        self.search.observe(lambda _: self._find(), names="value")
        self.matches = widgets.HTML()
        self.line = widgets.Textarea(rows=3, layout=widgets.Layout(**FULL), continuous_update=False)
        self.line.add_class("clwork-settings-text")
        about = "Copy this line: it holds the method, seed, steps, corpus, encoder, and all that differs from defaults."
        self.copy = button("Copy", about, "copy", self.refresh)
        self.take = button("Apply", "Take over the settings of the line above.", "apply", self._take)
        self.outcome = widgets.HTML()
        self.outcome.add_class("clwork-settings-said")
        settings.on_change(self.refresh)
        self._find()

    def head(self) -> list[widgets.Widget]:
        """The row above the main knobs."""
        return [widgets.HBox([self.preset, self.reset], layout=widgets.Layout(width="100%", align_items="center"))]

    def boxes(self) -> list[widgets.Widget]:
        """The drawer's content."""
        others = [self._settings.widgets[name] for name in self._settings.more]
        label = widgets.HTML("<b>These settings as a text</b>: copy it, or paste one and apply it.")
        buttons = widgets.HBox([self.copy, self.take])
        return [self.search, self.matches, *others, label, self.line, buttons, self.outcome]

    def refresh(self) -> None:
        """Update the line and the preset's name from the knobs."""
        self.line.value = self._text()
        self._name()

    def freeze(self, frozen: bool) -> None:
        """Disable presets and *Apply* while a run is at work."""
        self.preset.disabled = self.reset.disabled = self.take.disabled = frozen

    def back(self) -> None:
        """Set every knob to the encoder's default."""
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
        equal = [name for name in names if name != YOURS and dict(self._values(name)) == now]
        self._choosing = True
        try:
            self.preset.value = equal[0] if equal else YOURS
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
        shown_elsewhere = [knob.field.called for knob in main if words and knob.matches(words)]
        text = f"{count} of {len(self._settings.more)} settings" if words else f"{count} more settings"
        text += f"; beside the pictures: {', '.join(shown_elsewhere)}" if shown_elsewhere else ""
        self.matches.value = f"<span class='clwork-faint'>{messages.failure(text)}</span>"

    def _take(self) -> None:
        try:
            self._apply(self.line.value)
        except (TypeError, ValueError, RuntimeError) as error:
            self.outcome.value = f"<div role='alert'>{messages.wrong(explain(error))}</div>"
        else:
            self.outcome.value = "<div role='status'>Applied.</div>"
            self.refresh()
