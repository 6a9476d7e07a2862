"""A control says its real value, takes what is typed as it is meant, and never clamps in silence."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from clwork import methods
from clwork.lab.settings.control import Control, count, round_step
from clwork.methods import Field


def field(**changes: Any) -> Field:
    about: dict[str, Any] = {"name": "made_up", "kind": "float", "default": 0.5, "help": "Made up.", "low": 0.0}
    about |= {"high": 1.0, "unit": "share", "hot": True, "log": False, "choices": None}
    return Field(**{**about, **changes})


LOG = {"low": 1e-3, "high": 10.0, "log": True}


KINDS: list[tuple[dict[str, Any], Any, str, int | None]] = [
    ({}, 0.5, "float", 0),
    (LOG, 0.05, "float", 10),
    ({"kind": "int", "low": 1, "high": 16}, 3, "int", 0),
    ({"kind": "int", "low": 2, "high": 4096}, 64, "int", None),
    ({"kind": "int", "low": 2, "high": 4096, "log": True}, 64, "int", 2),
    ({"kind": "bool", "low": None, "high": None}, True, "bool", None),
    ({"kind": "str", "choices": ("a", "b")}, "b", "choice", None),
    ({"kind": "str", "low": None, "high": None}, "free", "text", None),
    ({"low": None, "high": None}, 3.5, "float", None),
]


def test_each_kind_of_field_has_its_input() -> None:
    for changes, value, kind, log in KINDS:
        made = Control(field(**changes), value)
        about = made.about()
        assert about["kind"] == kind and made.value == value, changes
        assert (None if about["slider"] is None else about["slider"]["log"]) == log, changes
        assert about["title"] == "made up" and "Made up." in about["help"] and about["name"] == "made_up"
        assert json.loads(json.dumps(about)) == about
    assert Control(field(title="temperature τ", symbol=r"\tau"), 0.5).about()["title"] == "temperature τ"
    assert "<mi>τ</mi>" in Control(field(symbol=r"\tau"), 0.5).about()["symbol"]


def test_bounds_are_in_the_help_only_where_no_slider_shows_them() -> None:
    slid = Control(field(), 0.5).about()
    assert slid["help"] == "Made up." and slid["bounds"] == "0 to 1 (share)" and (slid["low"], slid["high"]) == (0, 1)
    typed = count("steps", 300, 1, 10**7, "Optimizer steps.").about()
    assert typed["help"] == "Optimizer steps. 1 to 10,000,000." and typed["slider"] is None


def test_a_slider_ends_where_sane_values_do_and_reaches_what_it_begins_with() -> None:
    assert Control(field(), 0.5).slider == {"min": 0, "max": 1, "step": 0.01, "log": 0}
    assert Control(field(), 0.02).slider == {"min": 0, "max": 1, "step": 0.002, "log": 0}
    made = Control(field(**LOG, span=(0.01, 1.0)), 0.05)
    assert made.slider == pytest.approx({"min": -2.0, "max": 0.0, "step": 0.02, "log": 10})
    made.type_in("5")
    assert made.value == 5.0 and made.text == "5", "typed beyond the slider"
    outside = Control(field(**LOG, span=(0.01, 1.0)), 0.002)
    assert outside.slider is not None and outside.slider["min"] == pytest.approx(math.log10(0.002))
    assert Control(field(**LOG, span=(0.01, 1.0)), 5.0).slider["max"] == pytest.approx(math.log10(5))  # type: ignore[index]


def test_a_dragged_slider_says_a_round_number_and_a_given_one_every_digit() -> None:
    made = Control(field(**LOG), 0.05123)
    assert made.value == 0.05123 and made.text == "0.05123"
    made.drag(0.05248074602497726)
    assert made.value == 0.0525 and made.text == "0.0525"
    made.drag(10.0000001)
    assert made.value == 10.0 and made.wrong == "", "the end of a slider is inside the bounds"


def test_the_last_digits_of_binary_arithmetic_are_never_shown() -> None:
    made = Control(field(low=1e-7, high=1.0, log=True), 3e-4)
    made.value = 0.00030000000000000003
    assert made.text == "0.0003"
    made.type_in("0.0003")
    assert made.value == 0.00030000000000000003, "what is shown is the value"


WRONG: list[tuple[str, str]] = [
    ("0", "0 is out of range"),
    ("2.7", "2.7 is no whole number"),
    ("27x", "no number"),
    ("", "no number"),
    ("nan", "no whole number"),
    ("1e400", "no whole number"),
    ("1,000", "write a point"),
]


def test_what_is_typed_wrong_is_told_and_not_taken() -> None:
    steps = count("steps", 300, 1, 10**7, "Optimizer steps.")
    for typed, told in WRONG:
        steps.type_in(typed)
        assert steps.value == 300 and steps.text == typed, "neither clamped nor wiped away"
        assert told in steps.wrong and "from 1 to 10000000" in steps.wrong and steps.help_text == steps.wrong, typed
        assert steps.state()["wrong"] == steps.wrong and steps.state()["text"] == typed
    for text, value in (("12", 12), ("1e3", 1000), (" 42 ", 42), ("+7", 7), ("12.0", 12)):
        steps.type_in(text)
        assert steps.value == value and steps.text == str(value), text
        assert steps.wrong == "" and steps.state()["wrong"] == ""


def test_a_choice_and_a_box_are_typed_too() -> None:
    chosen = Control(field(kind="str", choices=("a", "b"), low=None, high=None, default="a"), "a")
    chosen.type_in("b")
    assert chosen.value == "b"
    chosen.type_in("c")
    assert chosen.value == "b" and "'c'" in chosen.wrong
    ticked = Control(field(kind="bool", low=None, high=None, default=False), False)
    ticked.type_in("yes")
    assert ticked.value is True and ticked.text == "yes"
    ticked.type_in("perhaps")
    assert ticked.value is True and "neither yes nor no" in ticked.wrong


def test_code_may_set_it_and_is_refused_what_is_out_of_range() -> None:
    seen: list[float] = []
    made = Control(field(), 0.5, changed=lambda control, moved: seen.append(control.value))
    made.value = 0.25
    made.value = 0.25
    assert made.text == "0.25" and seen == [0.25]
    with pytest.raises(ValueError, match="out of range"):
        made.value = 2.0
    assert made.value == 0.25
    made.type_in("hot")
    made.value = 0.25
    assert made.text == "0.25" and made.wrong == "", "a value set replaces what was typed wrong"


def test_an_int_slider_that_doubles_keeps_every_digit() -> None:
    made = Control(field(kind="int", low=2, high=4096, log=True, span=(8, 4096)), 1536)
    assert made.value == 1536 and made.slider == {"min": 3.0, "max": 12.0, "step": 1.0, "log": 2}
    made.drag(4096.0000001)
    assert made.value == 4096 and made.text == "4096"


def test_a_search_looks_at_name_title_and_help() -> None:
    made = Control(field(name="augmentation_rate", title="share of words taken", help="What a crop takes away."), 0.5)
    assert all(made.matches(words) for words in ("augmentation_rate", "WORDS taken", "crop", "rate augment"))
    assert not made.matches("dropout")


def test_every_field_of_every_method_makes_a_control_at_its_value() -> None:
    for name in methods.names():
        for config in (methods.config(name, None), methods.config(name, "mini")):
            for about in methods.fields(config):
                made, value = Control(about, getattr(config, about.name)), getattr(config, about.name)
                assert made.value == value and made.help_text.endswith("."), (name, about.name)
                made.type_in(made.text)
                assert made.value == value and made.wrong == "", (name, about.name)
                assert made.about()["title"] and "_" not in made.about()["title"]


def test_steps_are_round_and_not_below_what_is_asked() -> None:
    for least in (0.009, 0.01, 0.03, 0.0011, 7.0, 100.0):
        step = round_step(least)
        assert least <= step < 5 * least and f"{step:e}"[0] in "125", least
