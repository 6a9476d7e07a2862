"""Hyperparameters: how configurations declare them, checks of their values, and those that several methods share."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from .._validation import check_characters, is_finite, is_integer, kind, nearest, shown
from .schedule import Schedule

C = TypeVar("C")
Value = bool | int | float | str
"""Type of a hyperparameter's value."""
SHARE: dict[str, Any] = {"low": 0.0, "high": 0.9, "unit": "share", "hot": True}
"""Arguments of :func:`hyper` for the share of words, or of a vector's numbers, that an augmentation removes."""
GREEK = dict(zip("αβηκλστφ", "alpha beta eta kappa lambda sigma tau varphi".split(), strict=True))
KINDS: dict[object, str] = {float: "float", int: "int", bool: "bool", str: "str"}
RUN_ARGUMENTS = (
    "method encoder sentences steps seed name folder sts probe_every eval_every checkpoint_every keep_every "
    "graph_memory device on_row run config settings"
).split()
"""Arguments of ``clwork.start`` and ``lab.panel``, which no hyperparameter may be called."""


@dataclass(frozen=True)
class Needs:
    """Condition for a hyperparameter to have an effect: ``met(config)`` is True. ``reason`` is shown if it is not."""

    reason: str
    met: Callable[[Any], bool] = lambda _: True
    examples: tuple[str, ...] = ()


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
    title: str = "",
    symbol: str = "",
    span: tuple[float, float] | None = None,
    choices: Callable[[], Iterable[str]] | None = None,
) -> Any:
    """Declare a field of a method's configuration: a float, an int, a bool, a str, or a ``Literal`` of words.

    Args:
        default: the value if the user sets none.
        help: one plain sentence, shown next to the slider.
        low: smallest allowed value, included.
        high: largest allowed value, included.
        unit: what the number counts, such as ``"share"`` or ``"pieces"``.
        hot: whether it may be changed during a run.
        log: whether a slider over it should be logarithmic.
        needs: condition for the hyperparameter to have an effect (None: it always has one). While the condition is not
            met, panels grey it out and reject changed values.
        title: label, such as ``"temperature τ"``; default: the name.
        symbol: LaTeX symbol in the method's formula; default: the single letter that ends ``title``.
        span: smallest and largest value of the slider; typed values may be anywhere in the allowed range.
        choices: function that returns the words of a registry; declare fixed words as a ``Literal``.
    """
    letter = title.rpartition(" ")[2] if len(title) > 1 else ""
    if not symbol and len(letter) == 1 and letter.isalpha():
        symbol = rf"\{GREEK[letter]}" if letter in GREEK else letter
    about: dict[str, Any] = {
        "help": help,
        "low": low,
        "high": high,
        "unit": unit,
        "hot": hot,
        "log": log,
    }
    about |= {"needs": needs, "title": title, "symbol": symbol, "span": span}
    return dataclasses.field(default=default, metadata={**about, "choices": choices})


def like(declared: type, name: str, default: Value, **changes: object) -> Any:
    """Redeclare field ``name`` of another configuration class with a new default and other ``changes``."""
    about = {field.name: field.metadata for field in dataclasses.fields(declared)}
    return dataclasses.field(default=default, metadata={**about[name], **changes})


@dataclass(frozen=True)
class Field:
    """A declared hyperparameter; ``kind`` is float, int, bool or str; :func:`hyper` describes the attributes."""

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
    title: str = ""
    symbol: str = ""
    span: tuple[float, float] | None = None

    @property
    def called(self) -> str:
        """The label: the title, or else the name."""
        return self.title or self.name.replace("_", " ")

    def idle(self, config: object, examples: str | None = None) -> str:
        """Return why the field has no effect, given ``config`` and the kind of examples; empty if it has an effect."""
        if self.needs is None:
            return ""
        suits = examples is None or not self.needs.examples or examples in self.needs.examples
        return "" if suits and self.needs.met(config) else self.needs.reason

    def check(self, value: object) -> Any:
        """Return ``value`` converted to this field's type; raise TypeError or ValueError if it is not allowed."""
        plain: Any = (
            value.item() if isinstance(value, np.generic) else value
        )  # numpy scalars are allowed
        plain = (
            float(plain) if isinstance(plain, np.floating) else plain
        )  # np.longdouble.item() is a numpy scalar
        if self.kind == "float" and is_integer(plain) and is_finite(plain):
            plain = float(plain)
        if KINDS.get(type(plain)) != self.kind and not (self.kind == "float" and is_integer(plain)):
            raise TypeError(f"{self.name}={shown(value)} is {kind(value)}; give {self._allowed()}")
        if self.choices is not None and plain not in self.choices:
            hint = nearest(plain, self.choices)
            raise ValueError(f"{self.name}={shown(value)} is unknown{hint}; give {self._allowed()}")
        if self.kind in ("float", "int"):
            below = self.low is not None and plain < self.low
            above = self.high is not None and plain > self.high
            if below or above or not is_finite(plain):
                raise ValueError(
                    f"{self.name}={shown(value)} is out of range; give {self._allowed()}"
                )
        elif self.kind == "str":
            check_characters(plain, self.name)
        return plain

    def _allowed(self) -> str:
        if self.choices is not None:
            return "one of " + ", ".join(repr(choice) for choice in self.choices)
        if self.kind in ("float", "int"):
            return (
                f"{'an int' if self.kind == 'int' else 'a number'} from {self.low} to {self.high}"
            )
        return "True or False" if self.kind == "bool" else "a string"


def fields(config: object) -> list[Field]:
    """Return the hyperparameters of a configuration class or instance, in order; raise TypeError for anything else."""
    cls = config if isinstance(config, type) else type(config)
    if not dataclasses.is_dataclass(cls):
        raise TypeError(f"config={shown(config)} is {kind(config)}; give a method's configuration")
    types = get_type_hints(cls)
    return [_field(f, types[f.name], cls.__name__) for f in dataclasses.fields(cls)]


def _field(declared: dataclasses.Field[Any], type_: object, owner: str) -> Field:
    about = dict(declared.metadata)
    if not str(about.get("help", "")).strip() or declared.default is dataclasses.MISSING:
        raise TypeError(
            f"{owner}.{declared.name} lacks a default or a description; declare it as {declared.name}: float = "
            "hyper(0.1, 'What it does.', low=0.0, high=1.0)"
        )
    registered = about.pop("choices", None)
    choices = get_args(type_) if get_origin(type_) is Literal else None
    if registered is not None:
        choices = tuple(dict.fromkeys((declared.default, *registered())))
    type_ = type_ if choices is None else str
    if type_ not in KINDS:
        raise TypeError(
            f"{owner}.{declared.name} is declared as {shown(type_)}; a hyperparameter is a float, int, bool or str, "
            "or a Literal of words"
        )
    return Field(
        name=declared.name, kind=KINDS[type_], default=declared.default, choices=choices, **about
    )


def check_declared(cls: type) -> None:
    """Check every hyperparameter of a class: its name is not reserved, it has a description and a valid default."""
    for field in fields(cls):
        if field.name in RUN_ARGUMENTS:
            raise TypeError(
                f"{cls.__name__}.{field.name} is an argument of clwork.start or lab.panel; rename it, such as "
                f"{cls.__name__.removesuffix('Config').lower()}_{field.name}"
            )
        for value in (field.default, *(field.span or ())):
            field.check(value)


def check_effect(
    config: object, values: Mapping[str, object], usual: object, examples: str | None = None
) -> None:
    """Raise ValueError for ``values`` that have no effect, unless they equal the default or the ``usual`` value."""
    for field in fields(config):
        value = getattr(config, field.name)
        if field.name not in values or value in (field.default, getattr(usual, field.name), "none"):
            continue
        if reason := field.idle(config, examples):
            raise ValueError(
                f"{field.name}={value!r} has no effect: {reason}; or leave {field.name} out"
            )


def unknown_name(name: str, known: list[str], what: str) -> str:
    """Return the error message for an unknown name, with the nearest known one."""
    return f"there is no {what} {shown(name)}{nearest(name, known)}; known: {', '.join(known)}"


def build(config_class: type[C], values: Mapping[str, object]) -> C:
    """Return a configuration with ``values``, after checking each."""
    known = {field.name: field for field in fields(config_class)}
    for name in values:
        if name not in known:
            hint = nearest(name, [*known, *RUN_ARGUMENTS])
            raise TypeError(
                f"there is no hyperparameter of {config_class.__name__} called {shown(name)}{hint}; known: "
                f"{', '.join(known)}"
            )
    return config_class(**{name: known[name].check(value) for name, value in values.items()})


@dataclass(kw_only=True)
class MethodConfig:
    """Hyperparameters that every method has; each method's configuration inherits them."""

    batch_size: int = hyper(
        64,
        "Sentences per step; every sentence is a negative of the others.",
        low=2,
        high=32_768,
        log=True,
        title="batch size N",
        span=(8, 512),
    )
    learning_rate: float = hyper(
        3e-5,
        "Peak step size of the optimizer.",
        low=1e-7,
        high=1.0,
        unit="per step",
        hot=True,
        log=True,
        title="learning rate η",
        span=(1e-6, 1e-2),
    )
    schedule: Schedule = hyper(
        "linear", "Decay of the learning rate after warm-up.", title="learning-rate schedule"
    )
    warmup: float = hyper(
        0.0,
        "Share of the steps in which the learning rate rises.",
        low=0.0,
        high=0.9,
        unit="share",
        title="warm-up",
    )
    weight_decay: float = hyper(
        0.0, "AdamW's weight decay.", low=0.0, high=1.0, hot=True, span=(0.0, 0.1)
    )
    clip: float = hyper(
        1.0,
        "Gradients with a larger norm are scaled down to this norm.",
        low=1e-3,
        high=1e6,
        unit="norm",
        log=True,
        title="gradient clip",
        span=(0.1, 100.0),
    )
    max_length: int = hyper(
        32,
        "Longest input in training; longer ones are cut off. Does not apply at test.",
        low=4,
        high=512,
        unit="pieces",
        title="longest input",
        span=(8, 128),
    )
    precision: Literal["auto", "float32", "bfloat16", "float16"] = hyper(
        "auto",
        "Number format of the encoder's forward pass; auto: bfloat16 if the device supports it, else float16 with a "
        "scaled loss on a GPU and float32 on a CPU.",
    )
    micro_batch: int = hyper(
        0,
        "Examples per forward pass, to save memory; 0: the whole batch. The gradient is that of the whole batch.",
        low=0,
        high=4096,
        unit="examples",
        title="micro-batch",
        span=(0, 256),
    )


@dataclass(kw_only=True)
class Temperature:
    """Hyperparameter of losses with a softmax over cosines."""

    temperature: float = hyper(
        0.05,
        "Divides the cosines; if small, only the hardest negatives have an effect.",
        low=1e-3,
        high=10.0,
        hot=True,
        log=True,
        title="temperature τ",
        span=(0.01, 1.0),
    )


@dataclass(kw_only=True)
class DropoutRates:
    """Hyperparameters of methods that train a transformer with dropout."""

    dropout_hidden: float = hyper(
        0.1, "Dropout on embeddings and layer outputs.", **SHARE, title="dropout p", span=(0.0, 0.5)
    )
    dropout_attention: float = hyper(
        0.1, "Dropout on attention weights.", **SHARE, title="dropout on attention", span=(0.0, 0.6)
    )
