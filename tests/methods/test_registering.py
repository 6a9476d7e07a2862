"""Declarations that a method needs to be registered, and how its settings are described."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import torch

import clwork
from clwork import lab, methods
from clwork.methods import Method, MethodConfig, fields, hyper, register
from clwork.methods.registry import REGISTERED
from clwork.settings import RUN_ARGUMENTS


@pytest.fixture(autouse=True)
def _unregister() -> Iterator[None]:
    """Unregister a test's methods after it."""
    methods.names()  # imports all built-in methods
    known = dict(REGISTERED)
    yield
    REGISTERED.clear()
    REGISTERED.update(known)


def method_with(config: type[Any]) -> type[Method[Any]]:
    about = {
        "name": "mine",
        "title": "Mine",
        "paper": "none",
        "notebook": "99_mine",
        "Config": config,
    }
    return type("Mine", (Method,), about)


@pytest.mark.parametrize("name", ["steps", "name", "encoder", "device", "run"])
def test_a_field_named_like_an_argument_of_train_is_refused(name: Any) -> None:
    class MineConfig(MethodConfig):
        pass

    MineConfig.__annotations__[name] = "float"
    setattr(MineConfig, name, hyper(0.5, "What it does.", low=0.0, high=1.0))
    with pytest.raises(
        TypeError, match=rf"MineConfig\.{name} is an argument of .*; rename it, such as mine_{name}"
    ):
        register(method_with(dataclass(kw_only=True)(MineConfig)))
    assert "mine" not in methods.names()


def test_all_arguments_of_the_training_functions_are_reserved() -> None:
    taken = {
        name for door in (clwork.start, lab.panel) for name in inspect.signature(door).parameters
    }
    assert taken <= RUN_ARGUMENTS
    assert "steps" in taken


@dataclass(kw_only=True)
class OutOfRange(MethodConfig):
    weight: float = hyper(2.0, "What it does.", low=0.0, high=1.0)


def test_a_default_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"weight=2\.0 is out of range"):
        register(method_with(OutOfRange))
    assert "mine" not in methods.names()


@dataclass(kw_only=True)
class Fine(MethodConfig):
    way: Literal["up", "down"] = hyper("up", "Where to.")
    other: str = hyper("a", "Any word.")


def test_a_literal_is_a_choice() -> None:
    register(method_with(Fine))
    found = {field.name: field for field in fields(Fine)}
    assert (found["way"].kind, found["way"].choices) == ("str", ("up", "down"))
    assert (found["other"].kind, found["other"].choices) == ("str", None)
    with pytest.raises(ValueError, match=r"way='dwon' is unknown \(did you mean 'down'\?\)"):
        methods.config("mine", way="dwon")


def test_numpys_numbers_are_numbers() -> None:
    for number in (np.float64, np.float32, np.float16):
        config = methods.config("simcse", temperature=number(0.5), batch_size=np.int64(8))
        assert (type(config.temperature), config.temperature) == (float, 0.5)
        assert (type(config.batch_size), config.batch_size) == (int, 8)
    assert methods.config("simcse", temperature=np.int8(1)).temperature == 1.0


@dataclass(kw_only=True)
class Pooled(MethodConfig):
    pooling: Literal["auto", "mean", "max"] = hyper("auto", "How tokens are combined.")


def test_a_setting_named_pooling_is_applied_for_every_method(tiny: Path) -> None:
    mine = method_with(Pooled)
    encoder = clwork.load_encoder(tiny, pooling="mean", device="cpu")
    for chosen, pooling in (("max", "max"), ("auto", "mean")):
        method = mine(encoder, Pooled(pooling=chosen), torch.Generator())  # type: ignore[arg-type]
        assert method.test_encoder().pooling == pooling
