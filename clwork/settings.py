"""Settings of methods and runs: checks, sliders, help and file format come from one declaration.

A configuration is a dataclass whose fields are made by :func:`hyper`. From these declarations,
:func:`build` makes a configuration, whose values pydantic checks and converts, and :func:`fields`
lists the settings for panels and error messages::

    @dataclass
    class Mine:
        weight: float = hyper(1.0, "Weight of the second term.", low=0.0, high=20.0)

    fields(Mine)[0].high         # 20.0
    build(Mine, {"weight": 3})   # Mine(weight=3.0)
    build(Mine, {"weight": 21})  # ValueError: weight=21 is out of range; give a number from ...
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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

# LaTeX commands of the Greek letters that end the title of a setting
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
# The types of a setting's value, by the name that Field.kind has.
TYPES: dict[str, type] = {"float": float, "int": int, "bool": bool, "str": str}
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
    "device",
    "processes",
    "run",
    "config",
    "settings",
}
"""Arguments of ``clwork.start`` and ``lab.panel``, which no setting of a method may be called."""


@dataclass(frozen=True)
class Needs:
    """Condition for a setting to have an effect.

    Attributes:
        reason: why the setting has no effect, and the remedy; shown while the condition is not met.
        met: whether a configuration meets the condition.
        examples: kinds of training examples with which the setting has an effect, such as
            ``"triplets"``; empty: with all.
    """

    reason: str
    met: Callable[[Any], bool] = lambda config: True
    examples: tuple[str, ...] = ()


def hyper(default: Any, help: str, **options: Any) -> Any:
    """Declare a setting: a float, an int, a bool, a str, or a ``Literal`` of words; or None.

    Args:
        default: the value if the user sets none; ``dataclasses.MISSING``: it must be set.
        help: one plain sentence, shown next to the slider.
        options: further attributes of :class:`Field`, such as ``low`` and ``high``.

    >>> @dataclass
    ... class Mine:
    ...     weight: float = hyper(1.0, "Weight of the second term.", low=0.0, high=20.0)
    >>> build(Mine, {"weight": 3}).weight
    3.0
    """
    last_word = options.get("title", "").rpartition(" ")[2]
    # The last word may be a symbol, such as the τ of "temperature τ".
    if len(last_word) == 1:
        letter = rf"\{GREEK[last_word]}" if last_word in GREEK else last_word
        options.setdefault("symbol", letter)
    return _declaration(Field(default=default, help=help, **options))


def like(declared: type, name: str, default: Value, **changes: Any) -> Any:
    """Declare setting ``name`` of another class again, with a new default and ``changes``.

    ``changes`` are keyword arguments of :func:`hyper`, such as ``high=10.0``.
    """
    by_name = {setting.name: setting for setting in fields(declared)}
    return _declaration(replace(by_name[name], default=default, **changes))


def _declaration(setting: Field) -> Any:
    """Return the field of a dataclass that declares a setting."""
    # pydantic reads the limits of a field's values from "ge" and "le"
    metadata = {"ge": setting.low, "le": setting.high, "setting": setting}
    return dataclasses.field(default=setting.default, metadata=metadata)


@dataclass(frozen=True)
class Field:
    """A declared setting.

    Attributes:
        name: name of the dataclass's field.
        default: the value if the user sets none.
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
        kind: ``"float"``, ``"int"``, ``"bool"`` or ``"str"``; empty for another type, which has no
            slider.
        choices: the allowed words of a ``Literal``, whose ``kind`` is ``"str"``; otherwise None.
    """

    name: str = ""
    kind: str = ""
    default: Any = None
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
        """Pydantic's checker of a single value."""
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
        """Return the reason why the setting has no effect; empty if it has one.

        Args:
            config: a configuration, or any object that has its values as attributes.
            examples: kind of the training examples; None if it is not known.
        """
        if self.needs is None:
            return ""
        # The kinds of examples for which the setting has an effect; empty if it has with all.
        kinds = self.needs.examples
        suits_examples = examples is None or not kinds or examples in kinds
        has_effect = suits_examples and self.needs.met(config)
        return "" if has_effect else self.needs.reason


def fields(config: object) -> list[Field]:
    """Return the settings of a configuration class or instance, in order.

    >>> from clwork.methods import MethodConfig
    >>> fields(MethodConfig)[0].called
    'batch size N'
    """
    return list(_fields(config if isinstance(config, type) else type(config)))


@cache
def _fields(cls: Any) -> tuple[Field, ...]:
    """Return the declared settings, each with name, kind and choices from the class's types."""
    types = get_type_hints(cls)
    settings = []
    for declared in dataclasses.fields(cls):
        type_ = types[declared.name]
        if NoneType in get_args(type_):
            # Of a type such as "int | None", the member that is not None.
            type_ = next(member for member in get_args(type_) if member is not NoneType)
        # The words that a Literal permits.
        words = get_args(type_) if get_origin(type_) is Literal else None
        name_of_type = "str" if words else getattr(type_, "__name__", "")
        # A field that was declared without hyper() has only a name, a type and a default.
        setting = declared.metadata.get("setting", Field(default=declared.default))
        settings.append(
            replace(
                setting,
                name=declared.name,
                kind=name_of_type if name_of_type in TYPES else "",
                choices=words,
            )
        )
    return tuple(settings)


@cache
def adapter(cls: Any) -> TypeAdapter[Any]:
    """Return pydantic's checker and writer of a configuration class."""
    return TypeAdapter(cls)


def build(cls: type[C], values: Mapping[str, object]) -> C:
    """Return a configuration with ``values``, each checked and converted to its field's type.

    Settings without a value have their default, which is checked too.

    Raises:
        TypeError: a setting is unknown, or a value has the wrong type.
        ValueError: a value is out of range, or a setting without default has none.
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
    """Return an error that states setting, value, limit and remedy of pydantic's first finding.

    Args:
        error: pydantic's error for a configuration, or for the value of a single setting.
        known: the settings of the configuration, or the single one.
    """
    first = error.errors(include_url=False)[0]
    # The error of a single value has no location.
    name = str(first["loc"][0]) if first["loc"] else known[0].name
    by_name = {field.name: field for field in known}
    if first["type"] == "unexpected_keyword_argument":
        hint = nearest(name, [*by_name, *RUN_ARGUMENTS])
        return TypeError(f"there is no setting {name!r}{hint}; known: {', '.join(by_name)}")

    field = by_name[name]
    if not field.kind or first["type"] == "missing":
        # There are no limits or words to name. The location may lead into a nested value.
        return ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}")

    value = first["input"]
    wrong = f"{name}={shown(value)}"
    if first["type"] == "literal_error" and isinstance(value, str):
        hint = nearest(value, field.choices or ())
        return ValueError(f"{wrong} is unknown{hint}; give {field.allowed}")
    if first["type"].endswith(WRONG_TYPES):
        return TypeError(f"{wrong} is {kind(value)}; give {field.allowed}")
    return ValueError(f"{wrong} is out of range; give {field.allowed}")


WRONG_TYPES = ("_parsing", "_type", "int_from_float", "literal_error")
"""How pydantic's names of errors end for a value that cannot be converted to the field's type."""


def unknown_name(name: str, known: list[str], what: str) -> str:
    """Return the error message for an unknown name, with the nearest known one."""
    return f"there is no {what} {shown(name)}{nearest(name, known)}; known: {', '.join(known)}"


def check_effect(
    config: object, values: Mapping[str, object], defaults: object, examples: str | None = None
) -> None:
    """Raise ValueError if one of ``values`` has no effect, such as a rate that nothing uses.

    Values that equal a default pass, since a caller may state all of them.

    Args:
        config: the configuration with ``values``.
        values: the settings that the caller has set; only their names are read.
        defaults: the configuration without ``values``.
        examples: kind of the training examples; None if it is not known.
    """
    for field in fields(config):
        if field.name not in values:
            continue
        value = getattr(config, field.name)
        # Two defaults pass: the declared one, and that of ``defaults``, which may be a preset's for
        # an encoder. (A subclass of a method's settings has fields that ``defaults`` lacks.)
        preset = getattr(defaults, field.name, field.default)
        # "none" passes too: it turns a setting off, so it needs no effect.
        if value in (field.default, preset, "none"):
            continue
        if reason := field.idle(config, examples):
            raise ValueError(
                f"{field.name}={value!r} has no effect: {reason}; or leave {field.name} out"
            )
