"""All settings of a page: commands and refusals, the line of text, presets, the search, and what the page gets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import clwork
from clwork import methods
from clwork.lab.settings.inputs import Inputs
from clwork.lab.settings.settings import RunSettings
from clwork.lab.settings.settings_text import read, value_of, write


def test_settings_of_every_method_reach_the_page_and_survive_a_text(tmp_path: Path) -> None:
    """All fields of a kind that can be moved are moved, as far as the rest lets them count."""
    for name in methods.names():
        inputs = Inputs(name)
        about, state, text = inputs.about(), inputs.state(), inputs.text()
        assert json.loads(json.dumps(about)) == about and json.loads(json.dumps(state)) == state, name
        assert {field["name"] for field in about["fields"]} == set(state["controls"]), name
        assert [field["name"] for field in about["fields"] if field["main"]] == list(methods.get(name).knobs)
        assert text.startswith(f"{name} seed=0 steps=300 corpus=wikipedia-mini encoder=") and len(text) < 120
        again = Inputs(name)
        again.apply(text)
        assert again.text() == text and again.values() == inputs.values(), name

        place = str(tmp_path / "my own sentences.txt")
        inputs = Inputs(name, RunSettings(seed=7, steps=12, sentences=place, encoder="some folder/encoder"))
        for field in methods.fields(inputs.method.Config):
            inputs.settings.controls[field.name].value = other(field, inputs.settings.value(field.name))
        text, config = inputs.text(), inputs.values()
        again = Inputs(name)
        again.apply(text)
        assert again.values() == config and again.text() == text, name
        assert (again.seed.value, again.steps.value) == (7, 12)
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


WRONG: list[tuple[str, str]] = [
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
    ("simcse encoder=bert-base-uncased corpus=given", "no text holds the examples"),
    ("simcse encoder=run:/nowhere", "is not known to this kernel"),
    ("simcse augmentation_rate=0.3", "would change nothing"),
    ("simcse " + "x" * 30_000, "letters"),
]


def test_what_cannot_be_applied_is_told_and_nothing_is_changed() -> None:
    inputs = Inputs("simcse", RunSettings(seed=4), {"temperature": 0.2, "learning_rate": 3e-5})
    before = inputs.state()
    for text, told in WRONG:
        with pytest.raises(ValueError, match=told):
            inputs.apply(text)
        assert {**inputs.state(), "version": before["version"]} == before, text


def test_the_line_follows_the_controls_and_applies_what_is_pasted() -> None:
    inputs = Inputs("simcse")
    assert inputs.state()["line"] == inputs.text()
    inputs.set("temperature", 0.1)
    assert "temperature=0.1" in inputs.state()["line"]
    inputs.apply("simcse seed=9 dropout_hidden=0.2")
    assert inputs.values()["dropout_hidden"] == 0.2 and inputs.seed.value == 9
    assert inputs.values()["temperature"] == 0.05, "what the text leaves out is at its default"
    line = write("simcse", {"seed": 0, "corpus": "a b.txt", "column": ""}, {"x": 0.1 + 0.2, "y": False})
    assert line == "simcse seed=0 corpus='a b.txt' x=0.3 y=no"
    assert read(line, "simcse") == {"seed": "0", "corpus": "a b.txt", "x": "0.3", "y": "no"}
    about = methods.Field("made_up", "bool", False, "Made up.", None, None, "", False, False, None)
    assert value_of("on", about) is True and value_of("No", about) is False


def test_presets_and_reset() -> None:
    inputs = Inputs("dclr")
    assert inputs.preset == "default"
    assert [option["value"] for option in inputs.about()["presets"]] == [
        "your own",
        "default",
        "paper",
        "released code",
    ]
    inputs.choose_preset("released code")
    config = inputs.values()
    assert (config["variant"], config["head"], config["batch_size"]) == ("code", "two", 128)
    assert inputs.state()["preset"] == "released code"
    inputs.set("temperature", "0.1")
    assert inputs.state()["preset"] == "your own"
    inputs.choose_preset("your own")
    assert inputs.values()["temperature"] == 0.1
    inputs.reset()
    assert inputs.values() == vars(methods.config("dclr")) and inputs.preset == "default"
    with pytest.raises(ValueError, match="did you mean 'paper'"):
        inputs.choose_preset("papper")
    inputs = Inputs("simcse", RunSettings(encoder="bert-base-uncased"))
    assert inputs.preset == "default", "for BERT-base the encoder's default is what the paper has"
    inputs.choose_preset("paper")
    assert inputs.state()["preset"] == "paper", "of two equal presets the chosen one is shown"
    inputs.reset()
    assert inputs.state()["preset"] == "default"


def test_the_drawer_is_searched_by_name_and_help() -> None:
    inputs = Inputs("simcse")
    everything = inputs.settings.more
    assert inputs.search("") == (everything, f"{len(everything)} more settings")
    assert inputs.search("gradient") == (["clip", "micro_batch"], f"2 of {len(everything)} settings")
    names, sentence = inputs.search("temperature")
    assert names == ["similarity"] and "beside the pictures: temperature τ" in sentence


def test_what_is_set_reaches_the_page_with_a_new_version() -> None:
    inputs = Inputs("simcse")
    changes: list[int] = []
    moves: list[tuple[str, float]] = []
    inputs.on_change(lambda: changes.append(1))
    inputs.on_hot(lambda *move: moves.append(move))
    before = inputs.state()
    assert inputs.state() is before, "nothing changed"
    inputs.set("temperature", "0.2")
    inputs.set("steps", "12")
    inputs.set("fixed_mask", "yes")
    now = inputs.state()
    assert now["version"] > before["version"] and len(changes) == 3 and moves == [("temperature", 0.2)]
    assert now["controls"]["temperature"]["text"] == "0.2" and now["steps"]["text"] == "12"
    assert inputs.values()["fixed_mask"] is True and inputs.preset == "your own"
    inputs.set("seed", "many")
    assert "no number" in inputs.state()["seed"]["wrong"] and inputs.wrong() == [inputs.seed.wrong]
    assert inputs.seed.value == 0 and len(changes) == 4
    with pytest.raises(ValueError, match="did you mean 'temperature'"):
        inputs.set("temprature", "1")


def test_each_command_is_answered_with_the_state_so_that_no_page_shows_what_was_not_taken() -> None:
    inputs = Inputs("simcse")
    versions = [inputs.state()["version"]]
    inputs.set("steps", "300.0")
    versions.append(inputs.state()["version"])
    assert inputs.state()["steps"]["text"] == "300"
    inputs.freeze(True)
    versions.append(inputs.state()["version"])
    with pytest.raises(RuntimeError):
        inputs.set("steps", "5")
    versions.append(inputs.state()["version"])
    with pytest.raises(RuntimeError):
        inputs.choose_corpus("own text")
    versions.append(inputs.state()["version"])
    assert len(set(versions)) == 5


def test_a_run_at_work_leaves_the_hot_ones_alone() -> None:
    working: list[bool] = []
    inputs = Inputs("simcse", busy=lambda: bool(working))
    working.append(True)
    inputs.freeze(True)
    state = inputs.state()
    assert state["frozen"] and state["steps"]["off"] and state["seed"]["off"]
    assert state["controls"]["max_length"]["off"] and not state["controls"]["temperature"]["off"]
    inputs.set("temperature", 0.3)
    assert inputs.values()["temperature"] == 0.3
    commands: list[Callable[[], None]] = [
        lambda: inputs.set("steps", "5"),
        lambda: inputs.set("max_length", "16"),
        lambda: inputs.choose_preset("paper"),
        inputs.reset,
        lambda: inputs.apply("simcse seed=5"),
        lambda: inputs.choose_corpus("own text"),
        lambda: inputs.choose_encoder("elsewhere"),
    ]
    for refused in commands:
        with pytest.raises(RuntimeError, match="a run goes on"):
            refused()
    with pytest.raises(RuntimeError, match="Changes nothing now"):
        inputs.set("augmentation_rate", "0.3")
    working.clear()
    inputs.freeze(False)
    inputs.set("steps", "5")
    assert inputs.steps.value == 5 and not inputs.state()["frozen"]


def test_settings_follow_the_encoder_where_they_were_at_its_defaults() -> None:
    of_run = methods.config("simcse", "mini", temperature=0.3)
    shown = Inputs("simcse", RunSettings(encoder="mini"), {"dropout_hidden": 0.2}, of_run=of_run)
    assert shown.settings.changed() == {"temperature": 0.3, "dropout_hidden": 0.2}, "the run that is shown"
    inputs = Inputs("simcse")
    assert inputs.preset == "default"
    inputs.set("temperature", "0.2")
    usual = inputs.values()["learning_rate"]
    inputs.choose_encoder("elsewhere", place="bert-base-uncased")
    assert inputs.values()["learning_rate"] == methods.config("simcse", "bert-base-uncased").learning_rate != usual
    assert inputs.values()["temperature"] == 0.2
    inputs.choose_encoder("mini")
    assert inputs.values()["learning_rate"] == usual
    inputs.set("learning_rate", "2e-5")
    inputs.choose_encoder("elsewhere")
    assert inputs.values()["learning_rate"] == 2e-5


def test_presets_follow_the_encoder_even_where_it_is_a_folder(tmp_path: Path) -> None:
    own = clwork.load_encoder("mini", device="cpu")
    own.save(tmp_path / "run" / "best")
    inputs = Inputs("simcse", RunSettings(encoder="bert-base-uncased"), {"learning_rate": 2e-5})
    assert inputs.values()["learning_rate"] == 2e-5
    inputs = Inputs("simcse")
    preset = inputs.values()["learning_rate"]
    inputs.choose_encoder("elsewhere", place="bert-base-uncased")
    assert inputs.values()["learning_rate"] != preset
    inputs.choose_encoder(place=str(tmp_path / "run" / "best"))
    assert inputs.values()["learning_rate"] == preset
    inputs.choose_encoder(place="bert-base-uncased")
    inputs.encoder.offer([SimpleNamespace(name="one", folder=tmp_path / "run", best={"step": 1})])
    inputs.choose_encoder(f"run:{tmp_path / 'run'}")
    assert inputs.values()["learning_rate"] == preset
    inputs.encoder.offer([])
    assert inputs.encoder.choice == "mini" and inputs.state()["encoder"]["choice"] == "mini"


def test_the_kind_of_examples_switches_what_needs_others() -> None:
    inputs = Inputs("simcse")
    assert inputs.state()["controls"]["hard_negative_weight"]["off"]
    inputs.choose_corpus("triplets")
    assert not inputs.state()["controls"]["hard_negative_weight"]["off"]
    assert "corpus=triplets" in inputs.state()["line"]
