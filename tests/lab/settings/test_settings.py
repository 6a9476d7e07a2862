"""All controls of a method together: which have an effect, which are usual, and what moves a run."""

from __future__ import annotations

import threading
from typing import Any

from clwork import methods
from clwork.lab.settings.settings import SettingControls


def of(name: str, **values: Any) -> SettingControls:
    config = methods.config(name, "mini", **values)
    usual = vars(methods.config(name, "mini"))
    return SettingControls(methods.fields(config), config, usual, methods.get(name).knobs)


def test_controls_of_every_method_have_its_defaults_and_its_knobs_come_first() -> None:
    for name in methods.names():
        config, settings = methods.config(name), of(name)
        bare = SettingControls(methods.fields(config), config)
        assert bare.values() == vars(config), name
        assert set(bare.hot) == {field.name for field in methods.fields(config) if field.hot}, name
        assert 5 <= len(settings.main) <= 6 and tuple(settings.main) == methods.get(name).knobs, name
        assert sorted([*settings.main, *settings.more]) == sorted(settings.fields), name
    config = methods.config("simcse")
    assert SettingControls(methods.fields(config), config).main[:2] == ["learning_rate", "weight_decay"]


def test_showing_values_is_nobodys_move() -> None:
    """What code sets on a running run must not be written back as if the reader had moved the knob."""
    settings = of("simcse")
    moves: list[tuple[str, float]] = []
    settings.on_hot(lambda *move: moves.append(move))
    settings.show({"temperature": 0.1})
    assert settings.values()["temperature"] == 0.1 and moves == []
    settings.controls["temperature"].value = 0.2
    assert moves == [("temperature", 0.2)]
    settings.apply({"temperature": 0.3})
    assert moves == [("temperature", 0.2), ("temperature", 0.3)]


def test_a_picture_drawn_meanwhile_loses_no_move() -> None:
    """The drawing thread may show what the run still has, between the reader's move and its taking effect."""
    settings = of("simcse")
    moves: list[tuple[str, float]] = []

    def draw() -> None:
        if threading.current_thread() is threading.main_thread():
            drawing = threading.Thread(target=lambda: settings.show({"temperature": 0.05}))
            drawing.start()
            drawing.join(10)
            assert not drawing.is_alive(), "the lock is held while callbacks run"

    settings.on_hot(lambda *_: draw())
    settings.on_change(draw)
    settings.on_hot(lambda *move: moves.append(move))
    settings.controls["temperature"].value = 0.2
    assert moves == [("temperature", 0.2)]


def test_a_knob_without_effect_is_grey_and_says_why_until_another_wakes_it() -> None:
    settings = of("simcse")
    rate, kind, mask = (settings.controls[name] for name in ("augmentation_rate", "augmentation", "fixed_mask"))
    about = mask.help_text
    assert rate.off and "Changes nothing now: " in rate.help_text and "'crop'" in rate.state()["idle"]
    assert not mask.off
    kind.value = "crop"
    assert not rate.off and "Share of words" in rate.help_text
    assert mask.off and "set augmentation='dropout'" in mask.help_text
    kind.value = "dropout"
    assert rate.off and not mask.off and mask.help_text == about
    settings.freeze(True)
    assert mask.off and rate.off and settings.controls["max_length"].off and not settings.controls["temperature"].off
    settings.freeze(False)
    assert not mask.off and not settings.controls["max_length"].off
    assert rate.off, "thawing leaves off what has no effect"


def test_what_a_grey_knob_says_is_not_handed_on() -> None:
    """It would be refused: the reader moved it while it had an effect, and then took the effect away."""
    settings = of("dclr", noise_scope="sentence", phi_quantile=0.8)
    settings.controls["noise_ratio"].value = 0.0
    assert settings.values()["noise_scope"] == "batch" and settings.controls["noise_scope"].value == "sentence"
    assert settings.values()["beta_rel"] == methods.config("dclr", "mini").beta_rel
    methods.config("dclr", "mini", **settings.values())
    settings.controls["noise_ratio"].value = 1.0
    assert settings.values()["noise_scope"] == "sentence" and settings.values()["phi_quantile"] == 0.8


def test_some_controls_are_for_one_kind_of_examples() -> None:
    settings = of("simcse")
    weight = settings.controls["hard_negative_weight"]
    assert not weight.off
    settings.set_example_kind("sentences")
    assert weight.off and "train on triplets" in weight.help_text
    settings.set_example_kind("triplets")
    assert not weight.off


def test_what_differs_from_the_usual_is_told_apart() -> None:
    settings = of("simcse", temperature=0.1)
    assert settings.changed() == {"temperature": 0.1}
    settings.controls["augmentation"].value = "crop"
    assert settings.changed() == {"temperature": 0.1, "augmentation": "crop"}
    settings.apply(settings.usual)
    assert settings.changed() == {}


def test_several_that_hang_on_each_other_are_set_at_once() -> None:
    settings = of("simcse")
    looks: list[dict[str, str]] = []
    settings.on_change(lambda: looks.append(settings.idle()))
    settings.apply({"augmentation": "crop", "augmentation_rate": 0.3})
    assert len(looks) == 1 and "augmentation_rate" not in looks[0]


def test_a_wrong_text_is_replaced_by_what_is_applied_or_typed() -> None:
    settings = of("simcse")
    tau = settings.controls["temperature"]
    tau.type_in("hot")
    assert settings.wrong() == [tau.wrong] and settings.value("temperature") == 0.05
    settings.apply({"temperature": 0.05})
    assert settings.wrong() == [] and tau.text == "0.05"
    changes: list[int] = []
    moves: list[tuple[str, float]] = []
    settings.on_change(lambda: changes.append(1))
    settings.on_hot(lambda *move: moves.append(move))
    tau.type_in("hot")
    tau.type_in("0.05")
    assert len(changes) == 2 and moves == [], "a change and no move"


def test_threads_that_read_never_see_half_of_a_preset() -> None:
    """Many settings that hang on each other are one change to every other thread."""
    settings = of("simcse")
    pairs = [{"augmentation": "crop", "augmentation_rate": 0.3}, {"augmentation": "dropout", "augmentation_rate": 0.1}]
    seen, done = set(), threading.Event()

    def watch() -> None:
        while not done.is_set():
            with settings.changes:
                seen.add(tuple(settings.value(name) for name in pairs[0]))

    watching = threading.Thread(target=watch)
    settings.apply(pairs[0])
    watching.start()
    for number in range(300):
        settings.apply(pairs[number % 2])
    done.set()
    watching.join(10)
    assert seen <= {tuple(pair.values()) for pair in pairs}
