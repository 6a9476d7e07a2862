"""All settings in a line: read by people, restored in full, refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clwork import lab, methods
from clwork.lab.panel.drawer import read, value_of, write

NAMES = methods.names()


@pytest.mark.parametrize("name", NAMES)
def test_an_untouched_panel_needs_few_words_and_comes_back_the_same(name: str) -> None:
    panel = lab.panel(name)
    text = panel.settings_text()
    assert text.startswith(f"{name} seed=0 steps=300 corpus=wikipedia-mini encoder=") and len(text) < 120
    again = lab.panel(name, settings=text)
    assert again.settings_text() == text and again.config() == panel.config()


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_survives_the_way_through_a_text(name: str, tmp_path: Path) -> None:
    """All fields of a kind that can be moved are moved, as far as the rest lets them count."""
    place = str(tmp_path / "my own sentences.txt")
    panel = lab.panel(name, seed=7, steps=12, sentences=place, encoder="some folder/encoder")
    for field in methods.fields(panel.method_class.Config):
        panel.settings.widgets[field.name].value = other(field, panel.settings.value(field.name))
    text, config = panel.settings_text(), panel.config()
    again = lab.panel(name)
    again.apply_settings(text)
    assert again.config() == config and again.settings_text() == text
    assert (again.frame.seed.value, again.frame.steps.value) == (7, 12)
    assert (again.corpus.name, again.encoder.read()) == (place, "some folder/encoder")


def other(field: methods.Field, value: Any) -> Any:
    if field.kind == "bool":
        return not value
    if field.choices is not None:
        return next(choice for choice in field.choices if choice != value)
    if field.kind == "str":
        return "a name with 'quotes' and blanks"
    assert field.low is not None and field.high is not None
    return type(value)((value + field.high) / 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "must begin with the method's name"),
        ("dclr seed=0", "settings of 'dclr'"),
        ("simcse temprature=0.1", "did you mean 'temperature'"),
        ("simcse temperature=hot", "'hot' is no number"),
        ("simcse temperature=0,1", "write a point"),
        ("simcse steps=2.7", "2.7 is no whole number"),
        ("simcse steps=0", "0 is out of range"),
        ("simcse fixed_mask=maybe", "neither yes nor no"),
        ("simcse pooling=clss", "did you mean 'cls'"),
        ("simcse seed=1 seed=2", "set twice"),
        ("simcse temperature", "sets nothing"),
        ("simcse corpus='open", "quotation mark"),
        ("simcse corpus=given", "no text holds the examples"),
        ("simcse encoder=run:/nowhere", "is not known to this kernel"),
        ("simcse augmentation_rate=0.3", "would change nothing"),
        ("simcse " + "x" * 30_000, "letters"),
    ],
)
def test_what_cannot_be_applied_is_told_and_nothing_is_changed(text: str, told: str) -> None:
    panel = lab.panel("simcse", temperature=0.2, seed=4)
    before = panel.settings_text()
    with pytest.raises(ValueError, match=told):
        panel.apply_settings(text)
    assert panel.settings_text() == before
    drawer = panel.inputs.drawer
    drawer.line.value = text
    drawer.take.click()
    assert "role='alert'" in drawer.outcome.value and panel.config()["temperature"] == 0.2


def test_the_box_follows_the_knobs_and_applies_what_is_pasted() -> None:
    panel = lab.panel("simcse")
    drawer = panel.inputs.drawer
    assert drawer.line.value == panel.settings_text()
    panel.settings.widgets["temperature"].slider.value = 0.1
    assert "temperature=0.1" in drawer.line.value
    drawer.line.value = "simcse seed=9 dropout_hidden=0.2"
    drawer.take.click()
    assert panel.config()["dropout_hidden"] == 0.2 and panel.frame.seed.value == 9
    assert panel.config()["temperature"] == 0.05, "what the text leaves out is at its default"
    assert "Applied" in drawer.outcome.value


def test_presets_and_reset() -> None:
    panel = lab.panel("dclr")
    drawer = panel.inputs.drawer
    assert drawer.preset.value == "default" and drawer.preset.options == (
        "your own",
        "default",
        "paper",
        "released code",
    )
    drawer.preset.value = "released code"
    config = panel.config()
    assert (config["variant"], config["head"], config["batch_size"]) == ("code", "two", 128)
    panel.settings.widgets["temperature"].value = 0.1
    assert drawer.preset.value == "your own"
    drawer.reset.click()
    assert panel.config() == vars(methods.config("dclr")) and drawer.preset.value == "default"


def test_the_drawer_is_searched_by_name_and_help() -> None:
    panel = lab.panel("simcse")
    drawer, knobs = panel.inputs.drawer, panel.settings.widgets

    def seen() -> set[str]:
        return {name for name in panel.settings.more if knobs[name].layout.display != "none"}

    assert seen() == set(panel.settings.more)
    drawer.search.value = "gradient"
    assert seen() == {"clip"} and "1 of" in drawer.matches.value
    drawer.search.value = "temperature"
    assert seen() == {"similarity"} and "beside the pictures: temperature τ" in drawer.matches.value
    drawer.search.value = ""
    assert seen() == set(panel.settings.more)


def test_a_line_is_what_a_person_would_write() -> None:
    line = write("simcse", {"seed": 0, "steps": 5, "corpus": "a b.txt", "column": ""}, {"x": 0.1 + 0.2, "y": False})
    assert line == "simcse seed=0 steps=5 corpus='a b.txt' x=0.3 y=no"
    assert read(line, "simcse") == {"seed": "0", "steps": "5", "corpus": "a b.txt", "x": "0.3", "y": "no"}
    about = methods.Field("made_up", "bool", False, "Made up.", None, None, "", False, False, None)
    assert value_of("on", about) is True and value_of("No", about) is False
