"""The methods that are known, found by name."""

from __future__ import annotations

import importlib
import os
import pkgutil
from pathlib import Path
from typing import Any, TypeVar

from ..checks import kind, shown
from ..encoders import Encoder, base_of
from .base import Method
from .hyperparameters import build, check_declared, check_effect, fields, unknown_name

_KNOWN: dict[str, type[Method[Any]]] = {}
M = TypeVar("M", bound=type[Method[Any]])


def register(method: M) -> M:
    """Class decorator: make a method known by its ``name``; a later class of the same name replaces the earlier.

    Raises:
        TypeError: a class variable that panels and tables need is missing, or a hyperparameter has no description, or
            the name of an argument of ``clwork.start``.
        ValueError: a hyperparameter's default is out of its own range.
    """
    for needed in ("name", "title", "paper", "notebook"):
        if not isinstance(getattr(method, needed, None), str):
            raise TypeError(f"{method.__name__} needs a class variable {needed!r} (a str) to be registered")
    check_declared(method.Config)
    if strange := set(method.knobs) - {field.name for field in fields(method.Config)}:
        raise TypeError(f"{method.__name__}.knobs names {', '.join(sorted(strange))}: no hyperparameters of its own")
    for values in method.published.values():
        build(method.Config, values)
    _KNOWN[method.name] = method
    return method


def _discover() -> None:
    """Import every module of this package once, so that each can register its method."""
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{__package__}.{module.name}")


def names() -> list[str]:
    """Names of all methods, in the order of their notebooks."""
    _discover()
    return sorted(_KNOWN, key=lambda name: _KNOWN[name].notebook)


def get(name: str) -> type[Method[Any]]:
    """The method called ``name``.

    Raises:
        TypeError: no name was given.
        ValueError: there is none; the message lists those there are.
    """
    if not isinstance(name, str):
        raise TypeError(f"method is {kind(name)} ({shown(name)}); give its name, one of {', '.join(names())}")
    _discover()
    if name not in _KNOWN:
        raise ValueError(unknown_name(name, names(), "method called"))
    return _KNOWN[name]


def config(name: str, encoder: str | Path | Encoder | None = None, **values: Any) -> Any:
    """The configuration of method ``name``: the paper's defaults, then the preset for ``encoder``, then ``values``.

    Presets are kept by what an encoder descends from: the mini's are used for a trained and saved mini too. Those of
    ``"textcnn"`` serve every ``"textcnn:VECTORS"`` that has none of its own.

    Raises:
        TypeError: a name is unknown or a value of another kind.
        ValueError: a value is out of range, or changes nothing because another one switches it off; no such method.

    >>> config("simcse", temperature=0.1).temperature
    0.1
    """
    method = get(name)
    if encoder is not None and not isinstance(encoder, str | os.PathLike | Encoder):
        raise TypeError(
            f"encoder is {kind(encoder)} ({shown(encoder)}); give a name, a folder, an Encoder, or leave it out"
        )
    base = base_of(method.default_encoder if encoder is None else encoder)
    preset = method.presets.get(base, method.presets.get(base.split(":")[0], {}))
    made = build(method.Config, {**preset, **values})
    check_effect(made, values, build(method.Config, preset))
    return made
