"""A knob says its real value, takes what is typed as it is meant, and never clamps in silence."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import pytest

from clwork import methods
from clwork.lab.panel.knob import Knob, count, round_step
from clwork.methods import Field


def field(**changes: Any) -> Field:
    about: dict[str, Any] = {"name": "made_up", "kind": "float", "default": 0.5, "help": "Made up.", "low": 0.0}
    about |= {"high": 1.0, "unit": "share", "hot": True, "log": False, "choices": None}
    return Field(**{**about, **changes})


LOG = {"low": 1e-3, "high": 10.0, "log": True}


@pytest.mark.parametrize(
    ("changes", "value", "box", "slider"),
    [
        ({}, 0.5, widgets.Text, widgets.FloatSlider),
        (LOG, 0.05, widgets.Text, widgets.FloatLogSlider),
        ({"kind": "int", "low": 1, "high": 16}, 3, widgets.Text, widgets.IntSlider),
        ({"kind": "int", "low": 2, "high": 4096}, 64, widgets.Text, None),
        ({"kind": "int", "low": 2, "high": 4096, "log": True}, 64, widgets.Text, widgets.FloatLogSlider),
        ({"kind": "bool", "low": None, "high": None}, True, widgets.Checkbox, None),
        ({"kind": "str", "choices": ("a", "b")}, "b", widgets.Dropdown, None),
        ({"kind": "str", "low": None, "high": None}, "free", widgets.Text, None),
        ({"low": None, "high": None}, 3.5, widgets.Text, None),
    ],
)
def test_each_kind_of_field_has_its_widgets(changes: dict[str, Any], value: Any, box: Any, slider: Any) -> None:
    made = Knob(field(**changes), value)
    assert type(made.box) is box and made.value == value
    assert type(made.slider) is (type(None) if slider is None else slider)
    assert made.box.description == "made up" and "Made up." in made.note.value
    assert "clwork-made-up" in made._dom_classes


def test_a_title_stands_in_for_the_name() -> None:
    assert Knob(field(title="temperature τ"), 0.5).box.description == "temperature τ"


def test_a_slider_ends_where_sane_values_do_and_reaches_what_is_typed_beyond() -> None:
    made = Knob(field(**LOG, span=(0.01, 1.0)), 0.05)
    assert (made.slider.min, made.slider.max) == pytest.approx((-2.0, 0.0))
    made.box.value = "5"
    assert made.value == 5.0 and made.slider.value == pytest.approx(5.0) and made.slider.max >= 0.69
    outside = Knob(field(**LOG, span=(0.01, 1.0)), 0.002)
    assert outside.value == 0.002 and outside.slider.value == pytest.approx(0.002)


def test_a_dragged_slider_says_a_round_number_and_a_given_one_every_digit() -> None:
    made = Knob(field(**LOG), 0.05123)
    assert made.value == 0.05123 and made.box.value == "0.05123"
    made.slider.value = 0.05248074602497726
    assert made.value == 0.0525 and made.box.value == "0.0525"
    assert made.slider.value == 0.05248074602497726, "no slider jumps under a hand"


def test_the_last_digits_of_binary_arithmetic_are_never_shown() -> None:
    made = Knob(field(low=1e-7, high=1.0, log=True), 3e-4)
    made.value = 0.00030000000000000003
    assert made.box.value == "0.0003"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("0", "0 is out of range"),
        ("2.7", "2.7 is no whole number"),
        ("27x", "no number"),
        ("", "no number"),
        ("nan", "no whole number"),
        ("1e400", "no whole number"),
        ("1,000", "write a point"),
    ],
)
def test_what_is_typed_wrong_is_told_and_not_taken(typed: str, told: str) -> None:
    steps = count("steps", 300, 1, 10**7, "Optimizer steps.")
    steps.box.value = typed
    assert steps.value == 300 and steps.box.value == typed, "neither clamped nor wiped away"
    assert told in steps.wrong and "from 1 to 10000000" in steps.wrong and "role='alert'" in steps.note.value
    assert "clwork-wrong" in steps._dom_classes
    steps.box.value = "12"
    assert steps.value == 12 and steps.wrong == "" and "clwork-wrong" not in steps._dom_classes


def test_numbers_are_read_as_people_write_them() -> None:
    steps = count("steps", 300, 1, 10**7, "Optimizer steps.")
    for text, value in (("1e3", 1000), (" 42 ", 42), ("+7", 7), ("12.0", 12)):
        steps.box.value = text
        assert steps.value == value and steps.box.value == str(value) and steps.wrong == ""


def test_code_may_set_it_and_is_refused_what_is_out_of_range() -> None:
    made = Knob(field(), 0.5)
    seen: list[float] = []
    made.observe(lambda change: seen.append(change["new"]), names="value")
    made.value = 0.25
    assert made.box.value == "0.25" and made.slider.value == 0.25 and seen == [0.25]
    with pytest.raises(ValueError, match="out of range"):
        made.value = 2.0
    assert made.value == 0.25


def test_an_int_slider_that_doubles_keeps_every_digit() -> None:
    made = Knob(field(kind="int", low=2, high=4096, log=True, span=(8, 4096)), 1536)
    assert made.value == 1536
    made.slider.value = 4096.0
    assert made.value == 4096 and made.box.value == "4096"


def test_a_search_looks_at_name_title_and_help() -> None:
    made = Knob(field(name="augmentation_rate", title="share of words taken", help="What a crop takes away."), 0.5)
    assert all(made.matches(words) for words in ("augmentation_rate", "WORDS taken", "crop", "rate augment"))
    assert not made.matches("dropout")


@pytest.mark.parametrize("name", methods.names())
def test_every_field_of_every_method_makes_a_knob_at_its_value(name: str) -> None:
    for preset in (None, "mini"):
        config = methods.config(name, preset)
        for about in methods.fields(config):
            made = Knob(about, getattr(config, about.name))
            assert made.value == getattr(config, about.name) and made.help_text.endswith(".")
            assert about.called and "_" not in about.called


@pytest.mark.parametrize("least", [0.009, 0.01, 0.03, 0.0011, 7.0, 100.0])
def test_steps_are_round_and_not_below_what_is_asked(least: float) -> None:
    step = round_step(least)
    assert least <= step < 5 * least and f"{step:e}"[0] in "125"
