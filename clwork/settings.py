"""Settings of methods and runs: checks, sliders, help and file format come from one declaration.

A configuration is a dataclass whose fields are made by :func:`hyper`. Pydantic checks and converts
the values.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import pydantic
from pydantic import ConfigDict, TypeAdapter, ValidationError

from ._validation import kind, nearest, shown

C = TypeVar("C")
Value = bool | int | float | str
"""Type of a setting's value."""

CHECKS = ConfigDict(extra="forbid", allow_inf_nan=False, validate_default=True)
"""How pydantic checks a configuration: no unknown setting, no infinite number, defaults too."""

GREEK = {
    "α": "alpha",
    "β": "beta",
    "η": "eta",
    "κ": "kappa",
    "λ": "lambda",
    "σ": "sigma",
    "τ": "tau",
    "φ": "varphi",
}
TYPES: dict[str, type] = {"float": float, "int": int, "bool": bool, "str": str}
FOR_PYDANTIC = ("ge", "le")
RUN_ARGUMENTS = {
    "method",
    "encoder",
    "sentences",
    "steps",
    "seed",
    "name",
    "folder",
    "sts",
    "probe_every",
    "eval_every",
    "checkpoint_every",
    "keep_every",
    "graph_memory",
    "device",
    "processes",
    "run",
    "config",
    "settings",
}
"""Arguments of ``clwork.start`` and ``lab.panel``, which no setting of a method may be called."""


@dataclass(frozen=True)
class Needs:
    """Condition for a setting to have an effect; ``reason`` is shown while it is not met."""

    reason: str
    met: Callable[[Any], bool] = lambda config: True
    examples: tuple[str, ...] = ()
    """Kinds of training examples with which the setting has an effect; empty: with all."""


def hyper(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    hot: bool = False,
    log: bool = False,
    needs: Needs | None = None,
    title: str = "",
    symbol: str = "",
    span: tuple[float, float] | None = None,
) -> Any:
    """Declare a setting: a float, an int, a bool, a str, or a ``Literal`` of words; or None.

    Args:
        default: the value if the user sets none; ``dataclasses.MISSING``: it must be set.
        help: one plain sentence, shown next to the slider.
        low: smallest allowed value, included.
        high: largest allowed value, included.
        unit: what the number counts, such as ``"share"`` or ``"pieces"``.
        hot: whether it may be changed during a run.
        log: whether a slider over it should be logarithmic.
        needs: condition for the setting to have an effect (None: it always has one). While the
            condition is not met, panels grey the setting out and changed values are rejected.
        title: label, such as ``"temperature τ"``; default: the name.
        symbol: LaTeX symbol in the method's formula; default: the single letter that ends
            ``title``.
        span: smallest and largest value of the slider; typed values may be anywhere in the allowed
            range.

    >>> @dataclass
    ... class Mine:
    ...     weight: float = hyper(1.0, "Weight of the second term.", low=0.0, high=20.0)
    >>> build(Mine, {"weight": 3}).weight
    3.0
    """
    last_word = title.rpartition(" ")[2]
    if not symbol and len(last_word) == 1 and title != last_word:
        symbol = rf"\{GREEK[last_word]}" if last_word in GREEK else last_word
    metadata = {
        # pydantic reads the limits under these names
        "ge": low,
        "le": high,
        "help": help,
        "low": low,
        "high": high,
        "unit": unit,
        "hot": hot,
        "log": log,
        "needs": needs,
        "title": title,
        "symbol": symbol,
        "span": span,
    }
    return dataclasses.field(default=default, metadata=metadata)


def like(declared: type, name: str, default: Value, **changes: Any) -> Any:
    """Declare setting ``name`` of another class again, with a new default and ``changes``."""
    declarations = {field.name: field for field in dataclasses.fields(declared)}
    return hyper(default, **(_described(declarations[name]) | changes))


def _described(declaration: dataclasses.Field[Any]) -> dict[str, Any]:
    """Return the arguments of :func:`hyper` that made a field; none for a plain default."""
    return {key: value for key, value in declaration.metadata.items() if key not in FOR_PYDANTIC}


@dataclass(frozen=True)
class Field:
    """A declared setting. ``kind`` is float, int, bool or str; :func:`hyper` describes the rest."""

    name: str
    kind: str
    default: Any
    help: str = ""
    low: float | None = None
    high: float | None = None
    unit: str = ""
    hot: bool = False
    log: bool = False
    choices: tuple[str, ...] | None = None
    needs: Needs | None = None
    title: str = ""
    symbol: str = ""
    span: tuple[float, float] | None = None

    @property
    def called(self) -> str:
        """The label: the title, or else the name."""
        return self.title or self.name.replace("_", " ")

    @property
    def allowed(self) -> str:
        """The allowed values, as text for an error message."""
        if self.choices is not None:
            return "one of " + ", ".join(map(repr, self.choices))
        if self.kind == "bool":
            return "True or False"
        if self.kind == "str":
            return "a string"
        return f"{'an int' if self.kind == 'int' else 'a number'} from {self.low} to {self.high}"

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        limits = pydantic.Field(ge=self.low, le=self.high)
        type_: Any = TYPES[self.kind]
        if self.choices is not None:
            type_ = Literal[self.choices]
        return TypeAdapter(Annotated[type_, limits], config=CHECKS)

    def refuse_bool(self, value: object) -> None:
        """Raise TypeError for a bool where a number is wanted: pydantic would read True as 1."""
        if self.kind in ("int", "float") and isinstance(value, bool | np.bool_):
            raise TypeError(f"{self.name}={shown(value)} is {kind(value)}; give {self.allowed}")

    def check(self, value: object) -> Any:
        """Return ``value`` converted to this field's type.

        Raises:
            TypeError: the value has the wrong type.
            ValueError: the value is out of range or not one of the allowed words.
        """
        self.refuse_bool(value)
        try:
            return self._adapter.validate_python(value)
        except ValidationError as error:
            raise plain_error(error, [self]) from None

    def idle(self, config: object, examples: str | None = None) -> str:
        """Return why the field has no effect with ``config`` and these examples; else ``""``."""
        if self.needs is None:
            return ""
        suits = examples is None or not self.needs.examples or examples in self.needs.examples
        return "" if suits and self.needs.met(config) else self.needs.reason


def fields(config: object) -> list[Field]:
    """Return the settings of a configuration class or instance, in order."""
    return list(_fields(config if isinstance(config, type) else type(config)))


@cache
def _fields(cls: Any) -> tuple[Field, ...]:
    types = get_type_hints(cls)
    found = []
    for declared in dataclasses.fields(cls):
        type_ = types[declared.name]
        if NoneType in get_args(type_):
            type_ = next(part for part in get_args(type_) if part is not NoneType)
        words = get_args(type_) if get_origin(type_) is Literal else None
        name_of_type = "str" if words else getattr(type_, "__name__", "")
        found.append(
            Field(
                name=declared.name,
                kind=name_of_type if name_of_type in TYPES else "",
                default=declared.default,
                choices=words,
                **_described(declared),
            )
        )
    return tuple(found)


@cache
def adapter(cls: Any) -> TypeAdapter[Any]:
    """Return pydantic's checker and writer of a configuration class."""
    return TypeAdapter(cls)


def build(cls: type[C], values: Mapping[str, object]) -> C:
    """Return a configuration with ``values``, each checked and converted to its field's type.

    Raises:
        TypeError: a setting is unknown, or a value has the wrong type.
        ValueError: a value is out of range.
    """
    known = fields(cls)
    for field in known:
        field.refuse_bool(values.get(field.name))
    try:
        made: C = adapter(cls).validate_python(values)  # type: ignore[arg-type]
    except ValidationError as error:
        raise plain_error(error, known) from None
    return made


def plain_error(error: ValidationError, known: Sequence[Field]) -> TypeError | ValueError:
    """Return an error that states setting, value, limit and remedy of pydantic's first finding."""
    first = error.errors(include_url=False)[0]
    # the error of a single value has no location
    name = str(first["loc"][0]) if first["loc"] else known[0].name
    by_name = {field.name: field for field in known}
    if first["type"] == "unexpected_keyword_argument":
        hint = nearest(name, [*by_name, *RUN_ARGUMENTS])
        return TypeError(f"there is no setting {name!r}{hint}; known: {', '.join(by_name)}")
    field, value = by_name[name], first["input"]
    if not field.kind or first["type"] == "missing":
        return ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
    wrong = f"{name}={shown(value)}"
    if first["type"] == "literal_error" and isinstance(value, str):
        hint = nearest(value, field.choices or ())
        return ValueError(f"{wrong} is unknown{hint}; give {field.allowed}")
    if first["type"] in WRONG_TYPES:
        return TypeError(f"{wrong} is {kind(value)}; give {field.allowed}")
    return ValueError(f"{wrong} is out of range; give {field.allowed}")


WRONG_TYPES = {
    "bool_parsing",
    "bool_type",
    "float_parsing",
    "float_type",
    "int_from_float",
    "int_parsing",
    "int_type",
    "literal_error",
    "string_type",
}
"""Pydantic's names for a value that cannot be converted to the field's type."""


def unknown_name(name: str, known: list[str], what: str) -> str:
    """Return the error message for an unknown name, with the nearest known one."""
    return f"there is no {what} {shown(name)}{nearest(name, known)}; known: {', '.join(known)}"


def check_effect(
    config: object, values: Mapping[str, object], defaults: object, examples: str | None = None
) -> None:
    """Raise ValueError for one of ``values`` that has no effect, unless it equals a default."""
    for field in fields(config):
        value = getattr(config, field.name)
        # A subclass of a method's settings has fields that the defaults lack.
        default = getattr(defaults, field.name, field.default)
        is_default = value in (field.default, default, "none")
        if field.name not in values or is_default:
            continue
        if reason := field.idle(config, examples):
            raise ValueError(
                f"{field.name}={value!r} has no effect: {reason}; or leave {field.name} out"
            )
