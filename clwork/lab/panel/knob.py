"""One setting on the page: its title, its value, a slider where that helps, and a line of help."""

from __future__ import annotations

import html
import math
from typing import Any

import ipywidgets as widgets
import traitlets

from ...methods import Field
from ..page.labels import bounds, plain, rounded, typed
from ..page.widgets import FULL, NATURAL

STEPS = 100  # positions of a slider
COARSE = 64  # an int range that spans more than this factor is stepped through by doubling, or typed


class Knob(widgets.VBox):  # type: ignore[misc]
    """A field's widgets. ``value`` is always valid; invalid text stays in the box, with an error below it.

    Attributes:
        value: may be set; observe it for the reader's changes.
        disabled: whether the reader can change it.
        wrong: the error message for what was typed; empty where that is valid.
        box: the widget to type into or choose from.
        slider: below the box; None where none would help.
    """

    value = traitlets.Any()
    disabled = traitlets.Bool(False)
    wrong = traitlets.Unicode("")

    def __init__(self, field: Field, value: Any) -> None:
        self.field = field
        self.slider: Any = _slider(field, value)
        self.box = _box(field, value)
        self.note = widgets.HTML()
        self.note.add_class("clwork-note")
        self._reason, self._slack = "", ""
        self._writing = False
        parts = [self.box, *([self.slider] if self.slider is not None else []), self.note]
        super().__init__(parts, value=value, layout=widgets.Layout(width="100%", overflow="visible"))
        for name in ("clwork-knob", f"clwork-{field.name.replace('_', '-')}"):
            self.add_class(name)
        self.box.observe(lambda change: self._typed(change["new"]), names="value")
        if self.slider is not None:
            self.slider.observe(lambda change: self._dragged(change["new"]), names="value")
        self.observe(lambda _: self._write(), names="value")
        self.observe(lambda _: self._enable(), names="disabled")
        self._show_help()

    @traitlets.validate("value")
    def _checked(self, proposal: Any) -> Any:
        return self.field.check(proposal["value"])

    def explain(self, reason: str) -> None:
        """Show why it has no effect now in place of the help; an empty reason restores the help."""
        self._reason = reason
        (self.add_class if reason else self.remove_class)("clwork-idle")
        self._show_help()

    def explain_slack(self, reason: str) -> None:
        """Show why its value does nothing, which another value may; it stays usable. An empty reason takes it back."""
        if reason != self._slack:
            self._slack = reason
            (self.add_class if reason else self.remove_class)("clwork-slack")
            self._show_help()

    def take_back(self) -> None:
        """Replace invalid text by the value."""
        self._write()

    @property
    def help_text(self) -> str:
        """The line under it, as plain text."""
        if self.wrong:
            return self.wrong
        if self._reason:
            return f"Changes nothing now: {self._reason}."
        if self._slack:
            return f"Does nothing at this value: {self._slack}."
        about = bounds(self.field) if self.slider is None and self.field.choices is None else ""
        return f"{self.field.help} {about[:1].upper()}{about[1:]}".strip() + ("." if about else "")

    def matches(self, words: str) -> bool:
        """Whether name, title or help contain all of ``words``."""
        text = f"{self.field.name} {self.field.called} {self.field.help} {self.field.unit}".lower()
        return all(word in text for word in words.lower().replace("_", " ").split()) or words.lower() in text

    def _typed(self, new: Any) -> None:
        if self._writing:
            return
        number = self.field.kind in ("int", "float")
        if number and new == plain(self.value):  # what is shown is the value, however many digits it has
            self._wrong("")
            return
        try:
            self.value = typed(str(new), self.field) if number else new
        except (TypeError, ValueError) as error:
            self._wrong(str(error))
        else:
            self._write()

    def _dragged(self, new: Any) -> None:
        if not self._writing:
            low, high = float(self.field.low or 0), float(self.field.high or 0)
            self.value = round(new) if self.field.kind == "int" else rounded(float(new), low, high)

    def _write(self) -> None:
        """Update box and slider to the value."""
        before, self._writing = self._writing, True
        try:
            self.box.value = plain(self.value) if isinstance(self.box, widgets.Text) else self.value
            if self.slider is not None:
                _widen(self.slider, self.value)
                if not _shows(self.slider, self.value):
                    self.slider.value = self.value
        finally:
            self._writing = before
        self._wrong("")

    def _wrong(self, message: str) -> None:
        if message != self.wrong:
            self.wrong = message
            (self.add_class if message else self.remove_class)("clwork-wrong")
            self._show_help()

    def _enable(self) -> None:
        for part in (self.box, *([self.slider] if self.slider is not None else [])):
            part.disabled = self.disabled

    def _show_help(self) -> None:
        role = " role='alert'" if self.wrong else ""
        text = f"<span{role}>{html.escape(self.help_text)}</span>"
        if self.note.value != text:
            self.note.value = text


def count(name: str, value: int, low: int, high: int, about: str) -> Knob:
    """A knob for a whole number that is not a hyperparameter, such as the steps of a run."""
    return Knob(Field(name, "int", value, about, low, high, "", False, False, None), value)


def _box(field: Field, value: Any) -> widgets.Widget:
    about = bounds(field)
    common: dict[str, Any] = {"description": field.called, "style": NATURAL, "layout": widgets.Layout(**FULL)}
    common |= {"tooltip": f"{field.name}: {field.help}" + (f" From {about}." if about else "")}
    if field.choices is not None:
        return widgets.Dropdown(options=list(field.choices), value=value, **common)
    if field.kind == "bool":
        return widgets.Checkbox(value=value, indent=False, **common)
    # sent when Enter is pressed or the box is left, not at every letter
    return widgets.Text(value=plain(value), continuous_update=False, **common)


def _slider(field: Field, value: Any) -> widgets.Widget | None:
    """A slider over the field's usual range; None where a number is better typed."""
    if field.kind not in ("int", "float") or field.low is None or field.high is None:
        return None
    low, high = field.span or (field.low, field.high)
    # an arrow key moves a slider by one step; the value is sent when the key or mouse is let go
    common: dict[str, Any] = {"readout": False, "continuous_update": False, "layout": widgets.Layout(**FULL)}
    if field.kind == "int":
        if high <= COARSE * max(low, 1):
            made: widgets.Widget = widgets.IntSlider(value=max(low, min(value, high)), min=low, max=high, **common)
        elif field.log and low > 0:
            made = widgets.FloatLogSlider(
                value=max(low, min(value, high)), base=2, min=math.log2(low), max=math.log2(high), step=1, **common
            )
        else:
            return None
    elif field.log and low > 0:
        ends = math.log10(low), math.log10(high)
        common |= {"min": ends[0], "max": ends[1], "step": (ends[1] - ends[0]) / STEPS}
        made = widgets.FloatLogSlider(value=max(low, min(value, high)), **common)
    else:
        step = round_step((high - low) / STEPS)
        if value and 0 < value - low < 5 * step:  # a slider's first few positions are no way to set a value
            step = min(step, round_step(value / 10))
        made = widgets.FloatSlider(value=max(low, min(value, high)), min=low, max=high, step=step, **common)
    _widen(made, value)
    made.value = value
    if isinstance(made, widgets.FloatLogSlider):
        made.add_class(f"clwork-base-{made.base:g}")  # for pulse.js, which shows the value, not its logarithm
    return made


def _widen(slider: widgets.Widget, value: float) -> None:
    """Extend a slider's range to ``value``, which may have been typed."""
    at = math.log(value, slider.base) if isinstance(slider, widgets.FloatLogSlider) else value
    slider.min, slider.max = min(slider.min, at), max(slider.max, at)


def _shows(slider: widgets.Widget, value: float) -> bool:
    """Whether the slider is at the position nearest to ``value``; moving it would make it jump while it is dragged."""
    return math.isclose(slider.value, value, rel_tol=5e-3) or slider.value == value


def round_step(least: float) -> float:
    """Round ``least`` up to 1, 2 or 5 times a power of ten.

    >>> round_step(0.009), round_step(0.03)
    (0.01, 0.05)
    """
    power = 10.0 ** math.floor(math.log10(least))
    return float(f"{next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least * 0.999):.12g}")
