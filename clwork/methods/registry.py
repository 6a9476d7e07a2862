"""Lookup of methods by name: their classes and configurations."""

from __future__ import annotations

import importlib
import os
import pkgutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from .._validation import kind, shown
from ..encoders import Encoder
from ..encoders.loading import base_of, is_raw
from ..settings import build, check_effect, unknown_name
from .base import REGISTERED, Method
from .hyperparameters import MethodConfig

if TYPE_CHECKING:
    from .dclr import DCLRConfig
    from .gclsr import GCLSRConfig
    from .mocoutrl import MoCoUTRLConfig
    from .self_guided import SelfGuidedConfig
    from .simcse import SimCSEConfig


@cache
def _discover() -> None:
    """Import every module of this package once, so that each can register its method."""
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{__package__}.{module.name}")


def names() -> list[str]:
    """Return the names of all methods, in the order of their notebooks."""
    _discover()
    return sorted(REGISTERED, key=lambda name: REGISTERED[name].notebook)


def get(name: str) -> type[Method[Any]]:
    """Return the class of method ``name``; raise ValueError if there is none, TypeError if it is not a str."""
    if not isinstance(name, str):
        raise TypeError(
            f"method is {kind(name)} ({shown(name)}); give its name, one of {', '.join(names())}"
        )
    _discover()
    if name not in REGISTERED:
        raise ValueError(unknown_name(name, names(), "method called"))
    return REGISTERED[name]


EncoderChoice = str | Path | Encoder | None


@overload
def config(
    name: Literal["simcse"], encoder: EncoderChoice = None, **values: object
) -> SimCSEConfig: ...
@overload
def config(
    name: Literal["dclr"], encoder: EncoderChoice = None, **values: object
) -> DCLRConfig: ...
@overload
def config(
    name: Literal["self_guided"], encoder: EncoderChoice = None, **values: object
) -> SelfGuidedConfig: ...
@overload
def config(
    name: Literal["gclsr"], encoder: EncoderChoice = None, **values: object
) -> GCLSRConfig: ...
@overload
def config(
    name: Literal["mocoutrl"], encoder: EncoderChoice = None, **values: object
) -> MoCoUTRLConfig: ...
@overload
def config(name: str, encoder: EncoderChoice = None, **values: object) -> MethodConfig: ...
def config(name: str, encoder: EncoderChoice = None, **values: object) -> MethodConfig:
    """Return a configuration of method ``name``: the paper's defaults, the preset for ``encoder``, then ``values``.

    An encoder has the preset of its pre-trained model, also after training: the mini's if it was trained from the mini.
    The preset of ``"textcnn"`` applies to every ``"textcnn:VECTORS"`` that has no separate preset. A preset's pooling
    applies only to an encoder that declares none.

    Raises:
        TypeError: a hyperparameter is unknown, or a value has the wrong type.
        ValueError: a value is out of range or has no effect, or there is no such method.

    >>> config("simcse", temperature=0.1).temperature
    0.1
    """
    method = get(name)
    if encoder is not None and not isinstance(encoder, str | os.PathLike | Encoder):
        raise TypeError(
            f"encoder is {kind(encoder)} ({shown(encoder)}); give a name, a folder, an Encoder, or leave it out"
        )
    chosen = method.default_encoder if encoder is None else encoder
    base = base_of(chosen)
    preset = dict(method.presets.get(base, method.presets.get(base.split(":")[0], {})))
    if not is_raw(chosen):
        preset.pop("pooling", None)
    made: Any = build(method.Config, {**preset, **values})
    check_effect(made, values, build(method.Config, preset))
    if isinstance(encoder, Encoder) and hasattr(made, "pooling"):
        made.pooling = method.pooling_of(
            encoder, made
        )  # a run's copy of the encoder declares its pooling
    return made  # type: ignore[no-any-return]
