"""Configurations check what they are given and say what they would take."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clwork import methods
from clwork.methods.fields import build


@pytest.mark.parametrize("name", methods.names())
def test_every_field_tells_what_a_panel_needs(name: str) -> None:
    for field in methods.fields(methods.get(name).Config):
        assert field.help.endswith("."), field.name
        assert field.check(field.default) == field.default
        if field.kind in ("float", "int"):
            assert field.low is not None and field.high is not None and field.low < field.high
            assert field.low > 0 or not field.log
        if field.choices is not None:
            assert field.kind == "str" and field.default in field.choices


@pytest.mark.parametrize("name", methods.names())
def test_presets_are_valid(name: str) -> None:
    for encoder in methods.get(name).presets:
        assert dataclasses.is_dataclass(methods.config(name, encoder=encoder))


def test_unknown_method_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"simsce.*did you mean 'simcse'"):
        methods.get("simsce")


def test_unknown_hyperparameter_names_the_nearest() -> None:
    with pytest.raises(TypeError, match=r"temprature.*did you mean 'temperature'"):
        methods.config("simcse", temprature=0.1)


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"temperature": 0.0}, ValueError, "out of range"),
        ({"temperature": float("nan")}, ValueError, "out of range"),
        ({"temperature": "0.05"}, TypeError, "is str"),
        ({"batch_size": 1}, ValueError, "from 2 to 4096"),
        ({"batch_size": 64.0}, TypeError, "an int"),
        ({"batch_size": True}, TypeError, "is bool"),
        ({"pooling": "median"}, ValueError, "'cls'"),
        ({"fixed_mask": 1}, TypeError, "True or False"),
    ],
)
def test_bad_values_are_refused_with_the_remedy(values: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        methods.config("simcse", **values)


@given(st.floats(min_value=1e-3, max_value=10.0))
def test_every_value_in_range_is_taken(value: float) -> None:
    assert build(methods.get("simcse").Config, {"temperature": value}).temperature == value


def test_the_mini_encoder_has_a_preset_and_the_paper_keeps_its_default() -> None:
    assert methods.config("simcse", encoder="bert-base-uncased").learning_rate == 3e-5
    assert methods.config("simcse", encoder="mini").learning_rate > 3e-5
    assert methods.config("simcse", encoder="mini", learning_rate=1e-6).learning_rate == 1e-6
