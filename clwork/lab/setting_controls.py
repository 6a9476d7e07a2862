"""Widgets for hyperparameters, one for each field of a method's configuration."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import ipywidgets as widgets

from ..methods import Field

WIDE = "288px"
LABEL = {"description_width": "124px"}
STEPS = 100  # positions of a slider
COARSE = 64  # an int range that spans more than this factor gets a number box: no slider could set it


def knob(field: Field, value: Any) -> widgets.Widget:
    """The widget that suits a field: tick box, drop-down, slider (logarithmic if the field says so) or number box."""
    about = f"{field.help} {_range(field)}".strip()
    common = {
        "description": field.name.replace("_", " "),
        "tooltip": about,
        "style": LABEL,
        "layout": widgets.Layout(width=WIDE),
        "value": value,
    }
    made = _choose(field, value, common)
    made.add_class(f"clwork-{field.name.replace('_', '-')}")
    return made


def _choose(field: Field, value: Any, common: dict[str, Any]) -> widgets.Widget:
    if field.choices is not None:
        return widgets.Dropdown(options=list(field.choices), **common)
    if field.kind == "bool":
        return widgets.Checkbox(indent=False, **common)
    if field.kind == "str" or field.low is None or field.high is None:
        box = {"float": widgets.FloatText, "int": widgets.IntText}.get(field.kind, widgets.Text)
        return box(continuous_update=False, **common)
    low, high = field.low, field.high
    # an arrow key moves a slider by one step; the value is sent when the key or mouse is let go
    if field.kind == "int":
        if high > COARSE * max(low, 1):
            return widgets.BoundedIntText(min=int(low), max=int(high), **common)
        return widgets.IntSlider(min=int(low), max=int(high), continuous_update=False, **common)
    if field.log and low > 0:
        span = math.log10(low), math.log10(high)
        step = (span[1] - span[0]) / STEPS
        common |= {"min": span[0], "max": span[1], "step": step, "readout_format": ".3g"}
        return widgets.FloatLogSlider(continuous_update=False, **common)
    step = round_step((high - low) / STEPS)
    if value and value < low + 5 * step:  # a slider's first few positions are no way to set a value
        if value < (high - low) / STEPS * 0.999:
            return widgets.BoundedFloatText(min=low, max=high, step=value / 10, **common)
        step = round_step(value / 10)  # ten times as many positions are still a slider
    return widgets.FloatSlider(min=low, max=high, step=step, readout_format=".3g", continuous_update=False, **common)


def round_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below ``least``, so that sliders stop at round numbers.

    >>> round_step(0.009), round_step(0.03)
    (0.01, 0.05)
    """
    power = 10.0 ** math.floor(math.log10(least))
    return float(f"{next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least * 0.999):.12g}")


def _range(field: Field) -> str:
    if field.choices is not None or field.low is None or field.high is None:
        return ""
    unit = f" ({field.unit})" if field.unit else ""
    return f"From {field.low:g} to {field.high:g}{unit}."


class SettingControls:
    """All knobs of a configuration, the hot ones apart; ``values()`` is always a valid configuration's values.

    A knob that changes nothing beside the others is greyed out, with the reason as its tooltip.
    """

    def __init__(self, fields: list[Field], config: Any, usual: Mapping[str, Any] | None = None) -> None:
        """Build them with the values of ``config``; ``usual`` are those of an untouched one."""
        self._given = {field.name: getattr(config, field.name) for field in fields}
        self.fields = {field.name: field for field in fields}
        self.widgets = {field.name: knob(field, getattr(config, field.name)) for field in fields}
        self.hot = [field.name for field in fields if field.hot]
        self.cold = [field.name for field in fields if not field.hot]
        self.usual = usual or {field.name: field.default for field in fields}
        self._about = {name: widget.tooltip for name, widget in self.widgets.items()}
        self._frozen = False
        self._examples: str | None = None
        for widget in self.widgets.values():
            widget.observe(lambda _: self._grey(), names="value")
        self._grey()

    def value(self, name: str) -> Any:
        """What a knob says; a moved logarithmic slider says 0.0525, not 0.05248074602497726."""
        widget = self.widgets[name]
        if isinstance(widget, widgets.FloatLogSlider) and widget.value != self._given[name]:
            return float(f"{widget.value:.3g}")
        return widget.value

    def values(self) -> dict[str, Any]:
        """What all knobs say; the usual where one has no effect."""
        idle = self.idle()
        return {name: self.usual[name] if name in idle else self.value(name) for name in self.widgets}

    def idle(self) -> dict[str, str]:
        """The knobs that change nothing as the others stand, each with the reason."""
        said = SimpleNamespace(**{name: self.value(name) for name in self.widgets})
        reasons = {name: field.idle(said, self._examples) for name, field in self.fields.items()}
        return {name: reason for name, reason in reasons.items() if reason}

    def suit(self, examples: str | None) -> None:
        """Take note of the kind of examples; None where it is not known."""
        self._examples = examples
        self._grey()

    def _grey(self) -> None:
        idle = self.idle()
        for name, widget in self.widgets.items():
            widget.disabled = name in idle or (self._frozen and name in self.cold)
            widget.tooltip = f"Changes nothing now: {idle[name]}." if name in idle else self._about[name]

    def show(self, values: Mapping[str, Any]) -> None:
        """Set knobs to ``values``; those that already say so are left alone, lest a slider jumps under a hand."""
        for name, value in values.items():
            if name in self.widgets and self.value(name) != value:
                self._given[name] = value
                self.widgets[name].value = value

    def freeze(self, frozen: bool) -> None:
        """Disable the cold knobs while a run goes on."""
        self._frozen = frozen
        self._grey()

    def on_hot(self, act: Callable[[str], None]) -> None:
        """Call ``act(name)`` whenever a hot knob is moved."""
        for name in self.hot:
            self.widgets[name].observe(lambda _, name=name: act(name), names="value")

    def boxes(self) -> list[widgets.Widget]:
        """Hot knobs first, under their heading; the others folded away."""
        heading = widgets.HTML("<b>moves while it trains</b>")
        for name in self.cold:
            self.widgets[name].layout.width = "256px"  # the fold has a border and padding
        cold = widgets.VBox([self.widgets[name] for name in self.cold])
        folded = widgets.Accordion([cold], titles=("fixed once it runs",), layout=widgets.Layout(width="290px"))
        return [heading, *(self.widgets[name] for name in self.hot), folded]
