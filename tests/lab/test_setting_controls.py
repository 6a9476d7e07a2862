from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import pytest

from clwork import methods
from clwork.lab.setting_controls import SettingControls, knob, round_step
from clwork.methods import Field


def field(**changes: Any) -> Field:
    about: dict[str, Any] = {"name": "made_up", "kind": "float", "default": 0.5, "help": "Made up.", "low": 0.0}
    about |= {"high": 1.0, "unit": "share", "hot": True, "log": False, "choices": None}
    return Field(**{**about, **changes})


@pytest.mark.parametrize(
    ("changes", "value", "kind"),
    [
        ({}, 0.5, widgets.FloatSlider),
        ({"low": 1e-3, "high": 10.0, "log": True}, 0.05, widgets.FloatLogSlider),
        ({"high": 10.0}, 0.1, widgets.FloatSlider),  # λ of SG-BERT: to be dragged, in finer steps
        ({"high": 1000.0}, 1.0, widgets.BoundedFloatText),
        ({"kind": "int", "low": 1, "high": 16}, 3, widgets.IntSlider),
        ({"kind": "int", "low": 2, "high": 4096}, 64, widgets.BoundedIntText),
        ({"kind": "bool", "low": None, "high": None}, True, widgets.Checkbox),
        ({"kind": "str", "choices": ("a", "b")}, "b", widgets.Dropdown),
        ({"kind": "str", "low": None, "high": None}, "free", widgets.Text),
        ({"low": None, "high": None}, 3.5, widgets.FloatText),
    ],
)
def test_each_kind_of_field_has_its_widget(changes: dict[str, Any], value: Any, kind: Any) -> None:
    made: Any = knob(field(**changes), value)
    assert type(made) is kind and made.value == value
    assert made.description == "made up" and "Made up." in made.tooltip
    assert "clwork-made-up" in made._dom_classes


def test_ranges_and_units_reach_the_reader() -> None:
    slider = knob(field(), 0.5)
    assert (slider.min, slider.max) == (0.0, 1.0) and "From 0 to 1 (share)." in slider.tooltip
    log = knob(field(low=1e-3, high=10.0, log=True), 0.05)
    assert (log.min, log.max) == pytest.approx((-3.0, 1.0))


def test_sliders_send_one_value_per_move_not_one_per_pixel() -> None:
    assert knob(field(), 0.5).continuous_update is False


@pytest.mark.parametrize("name", methods.names())
def test_knobs_of_every_method_say_exactly_its_defaults(name: str) -> None:
    config = methods.config(name)
    knobs = SettingControls(methods.fields(config), config)
    assert knobs.values() == vars(config)
    assert set(knobs.hot) == {field.name for field in methods.fields(config) if field.hot}


def test_a_moved_logarithmic_slider_says_a_round_number() -> None:
    knobs = SettingControls([field(low=1e-3, high=10.0, log=True)], type("C", (), {"made_up": 0.05123})())
    assert knobs.values() == {"made_up": 0.05123}, "what was given is kept to the last digit"
    knobs.widgets["made_up"].value = 0.05248074602497726
    assert knobs.values() == {"made_up": 0.0525}


def test_showing_what_a_knob_says_already_does_not_touch_it() -> None:
    knobs = SettingControls([field(low=1e-3, high=10.0, log=True)], type("C", (), {"made_up": 0.05})())
    moves: list[str] = []
    knobs.on_hot(moves.append)
    knobs.widgets["made_up"].value = 0.05248074602497726
    knobs.show({"made_up": 0.0525})
    assert knobs.widgets["made_up"].value == 0.05248074602497726 and moves == ["made_up"]
    knobs.show({"made_up": 0.1})
    assert knobs.values() == {"made_up": 0.1}


def test_freezing_disables_the_cold_ones_only() -> None:
    knobs = SettingControls(
        [field(), field(name="cold_one", hot=False)], type("C", (), {"made_up": 0.5, "cold_one": 0.5})()
    )
    knobs.freeze(True)
    assert knobs.widgets["cold_one"].disabled and not knobs.widgets["made_up"].disabled


@pytest.mark.parametrize("least", [0.009, 0.01, 0.03, 0.0011, 7.0, 100.0])
def test_steps_are_round_and_not_below_what_is_asked(least: float) -> None:
    step = round_step(least)
    assert least <= step < 5 * least and f"{step:e}"[0] in "125"


def of(name: str, **values: Any) -> SettingControls:
    config = methods.config(name, "mini", **values)
    return SettingControls(methods.fields(config), config, vars(methods.config(name, "mini")))


def test_a_knob_without_effect_is_grey_and_says_why_until_another_wakes_it() -> None:
    knobs = of("simcse")
    rate, kind = knobs.widgets["augmentation_rate"], knobs.widgets["augmentation"]
    about = knobs.widgets["fixed_mask"].tooltip
    assert rate.disabled and "Changes nothing now: " in rate.tooltip and "'crop'" in rate.tooltip
    assert not knobs.widgets["fixed_mask"].disabled
    kind.value = "crop"
    assert not rate.disabled and "Share of words" in rate.tooltip
    assert knobs.widgets["fixed_mask"].disabled and "set augmentation='dropout'" in knobs.widgets["fixed_mask"].tooltip
    kind.value = "dropout"
    assert rate.disabled and not knobs.widgets["fixed_mask"].disabled
    assert knobs.widgets["fixed_mask"].tooltip == about


def test_what_a_grey_knob_says_is_not_handed_on() -> None:
    """It would be refused: the reader moved it while it had an effect, and then took the effect away."""
    knobs = of("dclr", noise_scope="sentence", phi_quantile=0.8)
    knobs.widgets["noise_ratio"].value = 0.0
    assert knobs.values()["noise_scope"] == "batch" and knobs.widgets["noise_scope"].value == "sentence"
    assert knobs.values()["beta_rel"] == methods.config("dclr", "mini").beta_rel
    methods.config("dclr", "mini", **knobs.values())
    knobs.widgets["noise_ratio"].value = 1.0
    assert knobs.values()["noise_scope"] == "sentence" and knobs.values()["phi_quantile"] == 0.8


def test_thawing_leaves_grey_what_has_no_effect() -> None:
    knobs = of("simcse")
    knobs.freeze(True)
    assert knobs.widgets["fixed_mask"].disabled and knobs.widgets["augmentation_rate"].disabled
    knobs.freeze(False)
    assert not knobs.widgets["fixed_mask"].disabled and knobs.widgets["augmentation_rate"].disabled


def test_some_knobs_are_for_one_kind_of_examples() -> None:
    knobs = of("simcse")
    weight = knobs.widgets["hard_negative_weight"]
    assert not weight.disabled
    knobs.suit("sentences")
    assert weight.disabled and "train on triplets" in weight.tooltip
    knobs.suit("triplets")
    assert not weight.disabled
