"""Fields of configurations with range, unit, help, and whether they may change while a run goes on."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from .._validation import check_characters, is_finite, is_whole, kind, nearest, shown

C = TypeVar("C")
Value = bool | int | float | str
"""What a hyperparameter can be."""
KINDS: dict[object, str] = {float: "float", int: "int", bool: "bool", str: "str"}
Names = Literal["anything", "an encoder", "nothing"]
RUN_ARGUMENTS = (
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
    "on_row",
    "run",
    "config",
    "settings",
)
"""What ``clwork.start`` and ``lab.panel`` call their own arguments: no hyperparameter can be called so."""


@dataclass(frozen=True)
class Needs:
    """When a hyperparameter has an effect: ``met`` tests the configuration, ``reason`` is shown where it has none.

    ``reason`` names what switches it off and what to set instead, as in ``"only 'crop' has a rate"``. ``examples`` is
    the kinds of examples it is for, where it is not for all.
    """

    reason: str
    met: Callable[[Any], bool] = lambda _: True
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slack:
    """Words for a limit that limits nothing: its value is within its range, and all values beyond it do the same.

    ``reason`` says so, with ``{value:g}`` for the value, as in ``"no input is longer than {value:g} pieces"``. ``part``
    is a column of the record that is 0 then, where there is one: by it a panel sees the slack while a run goes on.
    """

    reason: str
    part: str = ""

    def words(self, value: float, parts: Mapping[str, float] | None = None) -> str:
        """Write the reason, after the number of ``parts`` that shows it.

        >>> Slack("no pair is above φ = {value:g}", "masked_share").words(0.9, {"masked_share": 0.0})
        'masked share 0.000: no pair is above φ = 0.9'
        """
        shown = f"{self.part.replace('_', ' ')} {parts[self.part]:.3f}: " if parts and self.part in parts else ""
        return shown + self.reason.format(value=value)


def hyper(
    default: Value,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    hot: bool = False,
    log: bool = False,
    needs: Needs | None = None,
    slack: Slack | None = None,
    title: str = "",
    symbol: str = "",
    span: tuple[float, float] | None = None,
    names: Names = "anything",
    choices: Callable[[], Iterable[str]] | None = None,
) -> Any:
    """A dataclass field of a method's configuration: a float, an int, a bool, a str, or a ``Literal`` of words.

    Args:
        default: its value unless the user sets it.
        help: one plain sentence, shown beside the slider.
        low: smallest allowed value, included.
        high: largest allowed value, included.
        unit: what the number counts, such as ``"share"`` or ``"pieces"``.
        hot: whether it may be changed while a run goes on.
        log: whether a slider over it should be logarithmic.
        needs: when it has an effect; None: always. Panels grey it out otherwise, and a changed value is refused.
        slack: for a limit that may limit nothing, how to say so; see :class:`Slack`.
        title: what people call it, such as ``"temperature τ"``; default: its name.
        symbol: its sign in the method's formula, in LaTeX.
        span: where a slider over it ends, as far as sane values go; typed values have the whole range.
        names: what a free text is the name of. ``"an encoder"``: what ``PreparationContext.named_encoder`` finds by it
            before the first step, stored in the run's folder under the hyperparameter's name. ``"nothing"``: it is no
            name, but a prompt, say. ``"anything"``: perhaps a file. A run's folder may be a stranger's, so a text that
            may name a file is taken from it only with ``accept_changes=True``.
        choices: gives the words that a str may be, where a registry holds them; asked each time. Settled words are
            better declared as a ``Literal``.
    """
    about: dict[str, Any] = {
        "help": help,
        "low": low,
        "high": high,
        "unit": unit,
        "hot": hot,
        "log": log,
        "needs": needs,
        "slack": slack,
    }
    about |= {"title": title, "symbol": symbol, "span": span, "names": names, "choices": choices}
    return dataclasses.field(default=default, metadata=about)


def like(declared: type, name: str, default: Value, **changes: object) -> Any:
    """Redeclare field ``name`` of another configuration class with a new default and further ``changes``.

    Of a class that inherits the field too, its place among the others stays that of the class that declared it.

    Raises:
        TypeError: the class has no such field, or no field has such a property.
    """
    about = {field.name: field.metadata for field in dataclasses.fields(declared)}
    if name not in about or not changes.keys() <= about[name].keys():
        raise TypeError(f"{declared.__name__} declares no field {name!r} with {', '.join(changes) or 'a default'}")
    return dataclasses.field(default=default, metadata={**about[name], **changes})


@dataclass(frozen=True)
class Field:
    """One hyperparameter as widgets, tables and checks see it; ``kind`` is float, int, bool or str.

    ``names`` is ``"nothing"`` unless it is a free text, see :func:`hyper`.
    """

    name: str
    kind: str
    default: Value
    help: str
    low: float | None
    high: float | None
    unit: str
    hot: bool
    log: bool
    choices: tuple[str, ...] | None
    needs: Needs | None = None
    slack: Slack | None = None
    title: str = ""
    symbol: str = ""
    span: tuple[float, float] | None = None
    names: Names = "nothing"

    @property
    def called(self) -> str:
        """What people call it."""
        return self.title or self.name.replace("_", " ")

    def idle(self, config: object, examples: str | None = None) -> str:
        """Return why this has no effect, given ``config`` and the kind of examples; empty if it has one."""
        if self.needs is None:
            return ""
        suits = examples is None or not self.needs.examples or examples in self.needs.examples
        return "" if suits and self.needs.met(config) else self.needs.reason

    def check(self, value: object) -> Any:
        """Return ``value`` in this field's type.

        Raises:
            TypeError: the value is of another kind.
            ValueError: it is out of range, not finite, not among the choices, or holds what cannot be written down.
        """
        plain: Any = value.item() if isinstance(value, np.generic) else value  # numpy's numbers are numbers
        plain = float(plain) if isinstance(plain, np.floating) else plain  # a long double's item is one again
        if self.kind == "float" and is_whole(plain) and is_finite(plain):
            plain = float(plain)
        if KINDS.get(type(plain)) != self.kind and not (self.kind == "float" and is_whole(plain)):
            raise TypeError(f"{self.name}={shown(value)} is {kind(value)}; give {self._allowed()}")
        if self.choices is not None and plain not in self.choices:
            hint = nearest(plain, self.choices)
            raise ValueError(f"{self.name}={shown(value)} is not known{hint}; give {self._allowed()}")
        if self.kind in ("float", "int"):
            below = self.low is not None and plain < self.low
            above = self.high is not None and plain > self.high
            if below or above or not is_finite(plain):
                raise ValueError(f"{self.name}={shown(value)} is out of range; give {self._allowed()}")
        elif self.kind == "str":
            check_characters(plain, self.name)
        return plain

    def _allowed(self) -> str:
        if self.choices is not None:
            return "one of " + ", ".join(repr(choice) for choice in self.choices)
        if self.kind in ("float", "int"):
            return f"{'an int' if self.kind == 'int' else 'a number'} from {self.low} to {self.high}"
        return "True or False" if self.kind == "bool" else "a word"


def fields(config: object) -> list[Field]:
    """The hyperparameters of a configuration class or instance, in the order they are declared.

    Raises:
        TypeError: one of them was not declared as it has to be; the message has the remedy.
    """
    cls = config if isinstance(config, type) else type(config)
    if not dataclasses.is_dataclass(cls):
        raise TypeError(f"config={shown(config)} is {kind(config)}; give a configuration of a method")
    types = get_type_hints(cls)
    return [_field(f, types[f.name], cls.__name__) for f in dataclasses.fields(cls)]


def _field(declared: dataclasses.Field[Any], type_: object, owner: str) -> Field:
    about = dict(declared.metadata)
    if not str(about.get("help", "")).strip() or declared.default is dataclasses.MISSING:
        raise TypeError(
            f"{owner}.{declared.name} has no default or no description, and panels and tables show both; declare it as "
            f"{declared.name}: float = hyper(0.1, 'What it does.', low=0.0, high=1.0)"
        )
    asked = about.pop("choices", None)
    choices = get_args(type_) if get_origin(type_) is Literal else None
    if asked is not None:
        choices = tuple(dict.fromkeys((declared.default, *asked())))
    type_ = type_ if choices is None else str
    if type_ not in KINDS:
        raise TypeError(
            f"{owner}.{declared.name} is declared as {shown(type_)}; a hyperparameter is a float, int, bool or str, "
            "or a Literal of words"
        )
    if type_ is not str or choices is not None:
        about["names"] = "nothing"
    return Field(name=declared.name, kind=KINDS[type_], default=declared.default, choices=choices, **about)


def check_declared(cls: type) -> None:
    """Check that every hyperparameter of a class has a usable name, a description, and a default within its range.

    Raises:
        TypeError: one is called as an argument of ``clwork.start``, or was not declared as it has to be.
        ValueError: a default is out of range.
    """
    for field in fields(cls):
        if field.name in RUN_ARGUMENTS:
            raise TypeError(
                f"{cls.__name__}.{field.name} could not be set, for clwork.start or lab.panel has an argument of that "
                f"name; call it otherwise, such as {cls.__name__.removesuffix('Config').lower()}_{field.name}"
            )
        for value in (field.default, *(field.span or ())):
            field.check(value)


def check_effect(config: object, values: Mapping[str, object], usual: object, examples: str | None = None) -> None:
    """Refuse ``values`` that have no effect and equal neither the default nor the ``usual`` value.

    ``"none"`` is never refused: switching off what is off already is consistent.

    Raises:
        ValueError: there is one; the message names what switches it off.
    """
    for field in fields(config):
        value = getattr(config, field.name)
        if field.name not in values or value in (field.default, getattr(usual, field.name), "none"):
            continue
        if reason := field.idle(config, examples):
            raise ValueError(f"{field.name}={value!r} would change nothing: {reason}; or leave {field.name} out")


def unknown_name(name: str, known: list[str], what: str) -> str:
    """Write the error for an unknown name: the value seen, the nearest known one, all of them."""
    return f"there is no {what} {shown(name)}{nearest(name, known)}; known: {', '.join(known)}"


def build(config_class: type[C], values: Mapping[str, object]) -> C:
    """A configuration from ``values``, every one checked.

    Raises:
        TypeError: a name is unknown or a value of another kind.
        ValueError: a value is out of range.
    """
    known = {field.name: field for field in fields(config_class)}
    for name in values:
        if name not in known:
            hint = nearest(name, [*known, *RUN_ARGUMENTS])
            raise TypeError(
                f"there is no hyperparameter of {config_class.__name__} called {shown(name)}{hint}; known: "
                f"{', '.join(known)}"
            )
    return config_class(**{name: known[name].check(value) for name, value in values.items()})
