"""The methods by name: how one is registered, its class, and its configuration."""

from __future__ import annotations

import importlib
import os
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from .._validation import kind, shown
from ..encoders import Encoder
from ..encoders.loading import base_of, is_raw
from ..settings import RUN_ARGUMENTS, Value, build, check_effect, fields, unknown_name
from .base import Method

REGISTERED: dict[str, type[Method[Any]]] = {}
"""The registered methods by name."""
M = TypeVar("M", bound=type[Method[Any]])


def register(method: M) -> M:
    """Class decorator that registers a method under its ``name``, in place of an earlier one.

    Then :func:`names` lists it, and ``clwork.start`` and the panel accept it.

    Raises:
        TypeError: a class variable is missing, or a setting has the name of an argument of
            ``clwork.start``.
        ValueError: the default of a setting is out of its range.

    >>> @register  # doctest: +SKIP
    ... class Mine(Method[MethodConfig]): ...
    """
    for needed in ("name", "title", "paper", "notebook"):
        if not isinstance(getattr(method, needed, None), str):
            raise TypeError(f"{method.__name__} needs a class variable {needed!r} (a str)")
    for setting in fields(method.Config):
        if setting.name in RUN_ARGUMENTS:
            raise TypeError(
                f"{method.Config.__name__}.{setting.name} is an argument of clwork.start or "
                f"lab.panel; rename it, such as {method.name}_{setting.name}"
            )
    # the class's defaults, and each published set of values
    for values in ({}, *method.published.values()):
        build(method.Config, values)
    REGISTERED[method.name] = method
    return method


@cache
def _discover() -> None:
    """Import every module of this package once, so that each can register its method."""
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{__package__}.{module.name}")


def names() -> list[str]:
    """Return the names of all methods, in the order of their notebooks.

    A method of your own is among them once :func:`register` has been called.

    >>> names()
    ['simcse', 'dclr', 'self_guided', 'gclsr', 'mocoutrl']
    """
    _discover()
    # Methods without a notebook come last.
    return sorted(REGISTERED, key=lambda name: REGISTERED[name].notebook or "~")


def get(name: str) -> type[Method[Any]]:
    """Return the class of a method.

    Raises:
        ValueError: there is no method of this name; the message names the most similar one.

    >>> get("dclr").title
    'DCLR'
    """
    known = names()
    if name not in known:
        raise ValueError(unknown_name(str(name), known, "method called"))
    return REGISTERED[name]


def config(name: str, encoder: str | Path | Encoder | None = None, **values: object) -> Any:
    """Return a configuration: the paper's defaults, the preset for ``encoder``, then ``values``.

    The result is a dataclass; :func:`fields` lists each setting with its range, unit and help, and
    whether it may change during a run. An encoder has the preset of its pre-trained model, also
    after training: the mini's if it was trained from the mini. The preset of ``"textcnn"`` applies
    to every ``"textcnn:VECTORS"`` that has no preset of its own. A preset's pooling applies only to
    an encoder that declares none.

    Raises:
        TypeError: a setting is unknown, or a value has the wrong type.
        ValueError: a value is out of range or has no effect, or there is no such method.

    >>> config("simcse", temperature=0.1).temperature
    0.1
    """
    method = get(name)
    if encoder is not None and not isinstance(encoder, str | os.PathLike | Encoder):
        raise TypeError(
            f"encoder is {kind(encoder)} ({shown(encoder)}); give a name, a folder, an Encoder, "
            "or leave it out"
        )
    preset = _preset(method, method.default_encoder if encoder is None else encoder)
    made: Any = build(method.Config, {**preset, **values})
    check_effect(made, values, build(method.Config, preset))
    if isinstance(encoder, Encoder) and hasattr(made, "pooling"):
        # replaces "auto", since the copy that the run makes declares a pooling in any case
        made.pooling = method.pooling_of(encoder, made)
    return made


def _preset(method: type[Method[Any]], encoder: str | Path | Encoder) -> dict[str, Value]:
    """Return the method's values for an encoder that replace the paper's defaults."""
    # such as "mini" or "textcnn:glove-6b-50d", also for an encoder trained from it
    base = base_of(encoder)
    family = base.split(":")[0]
    preset = dict(method.presets.get(base, method.presets.get(family, {})))
    if not is_raw(encoder):
        preset.pop("pooling", None)
    return preset
