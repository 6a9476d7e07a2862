"""Hyperparameters that describe themselves: range, unit, help, and whether they may change while a run goes on."""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

KINDS = {float: "float", int: "int", bool: "bool", str: "str"}


def hyper(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    hot: bool = False,
    log: bool = False,
    choices: tuple[str, ...] | None = None,
) -> Any:
    """A dataclass field of a method's configuration.

    Args:
        default: its value where the user says nothing.
        help: one plain sentence, shown beside the slider.
        low: smallest allowed value, included.
        high: largest allowed value, included.
        unit: what the number counts, such as ``"share"`` or ``"pieces"``.
        hot: whether it may be changed while a run goes on.
        log: whether a slider over it should be logarithmic.
        choices: the allowed words, for a text field.
    """
    about = {"help": help, "low": low, "high": high, "unit": unit, "hot": hot, "log": log, "choices": choices}
    return dataclasses.field(default=default, metadata=about)


@dataclass(frozen=True)
class Field:
    """One hyperparameter as widgets, tables and checks see it; ``kind`` is float, int, bool or str."""

    name: str
    kind: str
    default: Any
    help: str
    low: float | None
    high: float | None
    unit: str
    hot: bool
    log: bool
    choices: tuple[str, ...] | None

    def check(self, value: Any) -> Any:
        """Return ``value`` in this field's type.

        Raises:
            TypeError: the value is of another kind.
            ValueError: it is out of range, not finite, or not among the choices.
        """
        if self.kind == "float" and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if KINDS.get(type(value)) != self.kind:
            raise TypeError(f"{self.name}={value!r} is {type(value).__name__}; give {self._allowed()}")
        if self.choices is not None and value not in self.choices:
            raise ValueError(f"{self.name}={value!r} is not known; give {self._allowed()}")
        if isinstance(value, (int, float)) and self.kind in ("float", "int"):
            below = self.low is not None and value < self.low
            above = self.high is not None and value > self.high
            if below or above or not math.isfinite(value):
                raise ValueError(f"{self.name}={value!r} is out of range; give {self._allowed()}")
        return value

    def _allowed(self) -> str:
        if self.choices is not None:
            return "one of " + ", ".join(repr(choice) for choice in self.choices)
        if self.kind in ("float", "int"):
            return f"{'an int' if self.kind == 'int' else 'a number'} from {self.low} to {self.high}"
        return "True or False" if self.kind == "bool" else "a word"


def fields(config: Any) -> list[Field]:
    """The hyperparameters of a configuration class or instance, in the order they are declared."""
    cls = config if isinstance(config, type) else type(config)
    types = get_type_hints(cls)
    return [
        Field(name=f.name, kind=KINDS[types[f.name]], default=f.default, **f.metadata) for f in dataclasses.fields(cls)
    ]


def unknown_name(name: str, known: list[str], what: str) -> str:
    """The sentence that answers a misspelt name: what was seen, the nearest known one, all of them."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"there is no {what} {name!r}{hint}; known: {', '.join(known)}"


def build(config_class: type[Any], values: Mapping[str, Any]) -> Any:
    """A configuration from ``values``, every one checked.

    Raises:
        TypeError: a name is unknown or a value of another kind.
        ValueError: a value is out of range.
    """
    known = {field.name: field for field in fields(config_class)}
    for name in values:
        if name not in known:
            raise TypeError(unknown_name(name, list(known), f"hyperparameter of {config_class.__name__} called"))
    return config_class(**{name: known[name].check(value) for name, value in values.items()})
