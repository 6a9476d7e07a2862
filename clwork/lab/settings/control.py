"""One setting: its value, the text that shows it, what was typed wrong, and why it has no effect now."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...methods import Field
from ..page.labels import bounds, plain, rounded
from ..page.mathml import mathml
from .changes import Changes
from .settings_text import value_of

STEPS = 100  # positions of a slider
COARSE = 64  # an int range that spans more than this factor is stepped through by doubling, or typed
NUMBERS = ("int", "float")


class Control:
    """A field with a value that is always valid; invalid text is kept beside it, with an error.

    Attributes:
        field: what it sets.
        text: as the page shows it: the value, or what was typed wrong.
        wrong: the error message for what was typed; empty where that is valid.
        idle: why it has no effect now; empty if it has one.
        off: whether the reader can not change it now.
        slider: ends and step in *positions*: ``log ** position`` is the value, where ``log`` is 0 the position is. None
            where no slider helps.
    """

    def __init__(
        self,
        field: Field,
        value: Any,
        changes: Changes | None = None,
        changed: Callable[[Control, bool], object] = lambda control, moved: None,
    ) -> None:
        """Create it; ``changed(self, moved)`` is called under the lock after its value (moved) or its error changed."""
        self.field = field
        self._value = field.check(value)
        self.text, self.wrong = plain(self._value), ""
        self.idle, self.off = "", False
        self.slider = slider_of(field, self._value)
        self._changes, self._changed = changes or Changes(), changed

    @property
    def value(self) -> Any:
        """May be set.

        Raises:
            TypeError, ValueError: the new value is of another kind, or out of range.
        """
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        checked = self.field.check(value)
        with self._changes:
            moved = checked != self._value
            self._value = checked
            self._write(plain(checked), "", moved)

    def type_in(self, text: str) -> None:
        """Take what the reader typed or chose; an invalid text stays, with its error, and the value stays too."""
        with self._changes:
            if text == plain(self._value):  # what is shown is the value, however many digits it has
                self._write(text, "", False)
                return
            try:
                value = value_of(text, self.field)
            except (TypeError, ValueError) as error:
                self._write(text, str(error), False)
            else:
                self.value = value

    def drag(self, value: float) -> None:
        """Take a slider's value, rounded to three digits inside the bounds; of a whole number to the next one."""
        low, high = self.field.low, self.field.high
        if self.field.kind == "float" and low is not None and high is not None:
            value = rounded(value, low, high)
        self.type_in(plain(round(value) if self.field.kind == "int" and math.isfinite(value) else value))

    def mark(self, *, idle: str, off: bool) -> None:
        """Set why it has no effect, and whether the reader can change it."""
        if (idle, off) != (self.idle, self.off):
            with self._changes:
                self.idle, self.off = idle, off
                self._changes.note()

    def state(self) -> dict[str, Any]:
        """What the page shows of it: text, switch and sentences, plain text all of them."""
        return {
            "text": self.text,
            "wrong": self.wrong,
            "idle": f"Changes nothing now: {self.idle}." if self.idle else "",
            "off": self.off,
        }

    def about(self) -> dict[str, Any]:
        """What never changes: name, title, symbol (MathML), kind, help, unit, choices, slider and bounds.

        ``help`` names the bounds where there is no slider that shows them. ``low`` and ``high`` limit what is typed.
        """
        field = self.field
        kind = field.kind if field.kind != "str" else "text" if field.choices is None else "choice"
        return {
            "name": field.name,
            "title": field.called,
            "symbol": mathml(field.symbol),
            "kind": kind,
            "help": self._help,
            "unit": field.unit,
            "hot": field.hot,
            "choices": None if field.choices is None else list(field.choices),
            "slider": self.slider,
            "bounds": bounds(field),
            "low": field.low,
            "high": field.high,
        }

    @property
    def help_text(self) -> str:
        """The line under it: its error, else why it has no effect, else its help."""
        shown = self.state()
        return self.wrong or shown["idle"] or self._help

    @property
    def _help(self) -> str:
        about = bounds(self.field) if self.slider is None and self.field.choices is None else ""
        return f"{self.field.help} {about[:1].upper()}{about[1:]}".strip() + ("." if about else "")

    def matches(self, words: str) -> bool:
        """Whether name, title or help contain all of ``words``."""
        text = f"{self.field.name} {self.field.called} {self.field.help} {self.field.unit}".lower()
        return all(word in text for word in words.lower().replace("_", " ").split()) or words.lower() in text

    def _write(self, text: str, wrong: str, moved: bool) -> None:
        """Show ``text``; pass on that the value or the error changed."""
        corrected = wrong != self.wrong
        if moved or corrected or text != self.text:
            self.text, self.wrong = text, wrong
            self._changes.note()
        if moved or corrected:
            self._changed(self, moved)


def count(name: str, value: int, low: int, high: int, about: str, **arguments: Any) -> Control:
    """A control for a whole number that is not a hyperparameter, such as the steps of a run."""
    return Control(Field(name, "int", value, about, low, high, "", False, False, None), value, **arguments)


def slider_of(field: Field, value: float) -> dict[str, float] | None:
    """A slider over the field's usual range, wide enough for ``value``; None where a number is better typed.

    >>> slider_of(Field("x", "float", 0.05, "X.", 0.001, 10, "", True, True, None), 0.05)
    {'min': -3.0, 'max': 1.0, 'step': 0.04, 'log': 10}
    """
    if field.kind not in NUMBERS or field.low is None or field.high is None:
        return None
    low, high = field.span or (field.low, field.high)
    log, step = 0, 1.0
    if field.kind == "int":
        if high > COARSE * max(low, 1):
            if not field.log or low <= 0:
                return None
            log = 2
    elif field.log and low > 0:
        log = 10
        step = math.log10(high / low) / STEPS
    else:
        step = round_step((high - low) / STEPS)
        if value and 0 < value - low < 5 * step:  # a slider's first few positions are no way to set a value
            step = min(step, round_step(value / 10))
    first, last, at = (_position(x, log) for x in (low, high, value))
    return {"min": min(first, at), "max": max(last, at), "step": step, "log": log}


def _position(value: float, log: int) -> float:
    return {0: float, 2: math.log2, 10: math.log10}[log](value)


def round_step(least: float) -> float:
    """Round ``least`` up to 1, 2 or 5 times a power of ten.

    >>> round_step(0.009), round_step(0.03)
    (0.01, 0.05)
    """
    power = 10.0 ** math.floor(math.log10(least))
    return float(f"{next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least * 0.999):.12g}")
