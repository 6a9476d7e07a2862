from __future__ import annotations

import threading
from typing import Any

import pytest

from clwork import methods
from clwork.lab.panel.settings import SettingControls


def of(name: str, **values: Any) -> SettingControls:
    config = methods.config(name, "mini", **values)
    usual = vars(methods.config(name, "mini"))
    return SettingControls(methods.fields(config), config, usual, methods.get(name).knobs)


@pytest.mark.parametrize("name", methods.names())
def test_knobs_of_every_method_say_exactly_its_defaults(name: str) -> None:
    config = methods.config(name)
    knobs = SettingControls(methods.fields(config), config)
    assert knobs.values() == vars(config)
    assert set(knobs.hot) == {field.name for field in methods.fields(config) if field.hot}


@pytest.mark.parametrize("name", methods.names())
def test_the_knobs_that_matter_come_first_and_none_is_lost(name: str) -> None:
    knobs = of(name)
    assert 5 <= len(knobs.main) <= 6 and tuple(knobs.main) == methods.get(name).knobs
    assert sorted([*knobs.main, *knobs.more]) == sorted(knobs.fields)


def test_a_method_that_names_none_has_its_first_hot_ones() -> None:
    config = methods.config("simcse")
    assert SettingControls(methods.fields(config), config).main[:2] == ["learning_rate", "weight_decay"]


def test_showing_values_is_nobodys_move() -> None:
    """What code sets on a running run must not be written back as if the reader had moved the knob."""
    knobs = of("simcse")
    moves: list[tuple[str, float]] = []
    knobs.on_hot(lambda *move: moves.append(move))
    knobs.show({"temperature": 0.1})
    assert knobs.values()["temperature"] == 0.1 and moves == []
    knobs.widgets["temperature"].value = 0.2
    assert moves == [("temperature", 0.2)]
    knobs.apply({"temperature": 0.3})
    assert moves == [("temperature", 0.2), ("temperature", 0.3)]


def test_a_picture_drawn_meanwhile_loses_no_move() -> None:
    """The drawing thread may show what the run still has, between the reader's move and its taking effect."""
    knobs = of("simcse")
    moves: list[tuple[str, float]] = []

    def draw(_: object) -> None:
        if threading.current_thread() is threading.main_thread():
            drawing = threading.Thread(target=lambda: knobs.show({"temperature": 0.05}))
            drawing.start()
            drawing.join()

    knobs.widgets["temperature"].observe(draw, names="value")
    knobs.on_hot(lambda *move: moves.append(move))
    knobs.widgets["temperature"].value = 0.2
    assert moves == [("temperature", 0.2)]


def test_freezing_disables_the_cold_ones_only() -> None:
    knobs = of("simcse")
    knobs.freeze(True)
    assert knobs.widgets["max_length"].disabled and not knobs.widgets["temperature"].disabled


def test_a_knob_without_effect_is_grey_and_says_why_until_another_wakes_it() -> None:
    knobs = of("simcse")
    rate, kind, mask = (knobs.widgets[name] for name in ("augmentation_rate", "augmentation", "fixed_mask"))
    about = mask.help_text
    assert (
        rate.disabled
        and "Changes nothing now: " in rate.help_text
        and "'crop'" in rate.note.value.replace("&#x27;", "'")
    )
    assert not mask.disabled
    kind.value = "crop"
    assert not rate.disabled and "Share of words" in rate.help_text
    assert mask.disabled and "set augmentation='dropout'" in mask.help_text
    kind.value = "dropout"
    assert rate.disabled and not mask.disabled and mask.help_text == about


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
    knobs.set_example_kind("sentences")
    assert weight.disabled and "train on triplets" in weight.help_text
    knobs.set_example_kind("triplets")
    assert not weight.disabled


def test_what_differs_from_the_usual_is_told_apart() -> None:
    knobs = of("simcse", temperature=0.1)
    assert knobs.changed() == {"temperature": 0.1}
    knobs.widgets["augmentation"].value = "crop"
    assert knobs.changed() == {"temperature": 0.1, "augmentation": "crop"}
    knobs.apply(knobs.usual)
    assert knobs.changed() == {}


def test_several_that_hang_on_each_other_are_set_at_once() -> None:
    knobs = of("simcse")
    looks: list[dict[str, str]] = []
    knobs.on_change(lambda: looks.append(knobs.idle()))
    knobs.apply({"augmentation": "crop", "augmentation_rate": 0.3})
    assert len(looks) == 1 and "augmentation_rate" not in looks[0]


def test_a_limit_that_limits_nothing_is_grey_until_its_value_changes_and_never_disabled() -> None:
    knobs = of("dclr", weighting="self", phi=0.9, phi_quantile=0.0)
    phi = knobs.widgets["phi"]
    knobs.set_slack({"masked_share": 0.0}, knobs.values())
    assert phi.help_text == (
        "Does nothing at this value: masked share 0.000: no pair is above φ = 0.9 for this encoder."
    )
    assert "clwork-slack" in phi._dom_classes and not phi.disabled and not phi.box.disabled
    knobs.widgets["temperature"].value = 0.1
    assert "clwork-slack" in phi._dom_classes, "another knob's move does not touch it"
    phi.value = 0.8
    assert "clwork-slack" not in phi._dom_classes and phi.help_text == knobs.fields["phi"].help
    phi.value = 0.9
    knobs.set_slack({"masked_share": 0.01}, knobs.values())
    assert "clwork-slack" not in phi._dom_classes


def test_what_is_switched_off_has_no_slack() -> None:
    knobs = of("dclr", weighting="self", phi=0.9, phi_quantile=0.0)
    knobs.set_slack({"masked_share": 0.0}, knobs.values())
    knobs.widgets["weighting"].value = "none"
    phi = knobs.widgets["phi"]
    assert phi.disabled and "clwork-slack" not in phi._dom_classes and "Changes nothing now" in phi.help_text
    assert knobs.limits().keys().isdisjoint({"phi"})
