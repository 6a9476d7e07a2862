"""The settings of a panel: values, texts, errors, presets, choices of corpus and encoder, and the
settings as text."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from clwork import lab, methods
from clwork.data import Sentences
from clwork.data.sources import SOURCES, CorpusSource
from clwork.lab.page.markup import marked, mathml
from clwork.lab.panel.choices import CorpusChoice, EncoderChoice
from clwork.lab.panel.panel import Panel
from clwork.lab.panel.settings import STEPS, PanelSettings, RunSettings, parsed
from clwork.settings import Field


def field(**changes: Any) -> Field:
    about: dict[str, Any] = {
        "name": "made_up",
        "kind": "float",
        "default": 0.5,
        "help": "Made up.",
        "low": 0.0,
    }
    about |= {"high": 1.0, "unit": "share", "hot": True, "log": False, "choices": None}
    return Field(**{**about, **changes})


TYPED: list[tuple[Field, str, Any]] = [
    (STEPS, "1e3", 1000),
    (STEPS, " 42 ", 42),
    (STEPS, "12.0", 12),
    (STEPS, "0", "out of range"),
    (STEPS, "2.7", "steps=2.7 is float"),
    (STEPS, "27x", "not a number; type a number"),
    (STEPS, "", "not a number"),
    (STEPS, "1e400", "steps=inf"),
    (field(), "0,1", "write a point"),
    (field(), "nan", "out of range"),
    (field(), "0.3", 0.3),
    (field(kind="bool", low=None, high=None), "Yes", True),
    (field(kind="bool", low=None, high=None), "perhaps", "True or False"),
    (field(kind="str", choices=("a", "b"), low=None, high=None), "b", "b"),
    (field(kind="str", choices=("a", "b"), low=None, high=None), "c", "'c'"),
]


def test_a_typed_text_is_parsed_or_refused_with_a_reason() -> None:
    for one, text, expected in TYPED:
        if isinstance(expected, str) and expected != text:
            with pytest.raises((TypeError, ValueError), match=expected):
                parsed(text, one)
        else:
            assert parsed(text, one) == expected, text


def other(one: Field, value: Any) -> Any:
    if one.kind == "bool":
        return not value
    if one.choices is not None:
        return next(choice for choice in one.choices if choice != value)
    if one.kind == "str":
        return "a name with 'quotes' and blanks"
    assert one.low is not None
    assert one.high is not None
    return type(value)((value + one.high) / 2)


def test_settings_of_every_method_reach_the_page_and_are_a_call() -> None:
    for name in methods.names():
        settings = PanelSettings(name)
        about, state, text = settings.about(), settings.state(), settings.text()
        assert json.loads(json.dumps(about)) == about, name
        assert json.loads(json.dumps(state)) == state, name
        assert {one["name"] for one in about["fields"]} | {"steps", "seed"} == set(
            state["controls"]
        ), name
        assert [one["name"] for one in about["fields"] if one["main"]] == list(
            methods.get(name).main_settings
        )
        assert all(one["title"] and "_" not in one["title"] for one in about["fields"]), name
        assert text.startswith(
            f"lab.panel('{name}', seed=0, steps=300, sentences='wikipedia-mini', encoder="
        )
        assert len(text) < 140
        for control in state["controls"]:
            if not state["controls"][control]["off"]:
                settings.set(control, state["controls"][control]["text"])
        assert settings.state() == state, "the shown text is the value"

        settings = PanelSettings(name, RunSettings(seed=7, steps=12))
        settings._replace(
            {one.name: other(one, settings.values[one.name]) for one in settings.fields.values()}
        )
        again: Panel = eval(settings.text(), {"lab": lab})
        assert again.settings.text() == settings.text()
        assert again.config() == pytest.approx(settings.config())
        assert (again.settings.values["seed"], again.settings.values["steps"]) == (7, 12)


def test_presets_and_reset() -> None:
    settings = PanelSettings("dclr")
    presets = [option["value"] for option in settings.about()["presets"]]
    assert settings.preset == "default"
    assert presets == [
        "your own",
        "default",
        "paper",
        "released code",
    ]
    settings.choose_preset("released code")
    config = settings.config()
    assert (config["variant"], config["head"], config["batch_size"]) == ("code", "two", 128)
    assert settings.state()["preset"] == "released code"
    settings.set("temperature", "0.1")
    assert settings.state()["preset"] == "your own"
    settings.choose_preset("your own")
    assert settings.config()["temperature"] == 0.1
    settings.choose_preset("default")
    assert settings.config() == vars(methods.config("dclr"))
    assert settings.preset == "default"
    with pytest.raises(ValueError, match="did you mean 'paper'"):
        settings.choose_preset("papper")


def test_during_a_run_only_hot_settings_change() -> None:
    settings = PanelSettings("simcse")
    settings.is_active = lambda: True
    state = settings.state()["controls"]
    assert state["steps"]["off"]
    assert state["max_length"]["off"]
    assert not state["temperature"]["off"]
    settings.set("temperature", 0.3)
    assert settings.config()["temperature"] == 0.3
    commands: list[Callable[[], Any]] = [
        lambda: settings.set("steps", "5"),
        lambda: settings.set("max_length", "16"),
        lambda: settings.choose_preset("paper"),
        lambda: settings.choose_corpus("own text"),
        lambda: settings.choose_encoder("elsewhere"),
    ]
    for refused in commands:
        with pytest.raises(RuntimeError, match="a run is active"):
            refused()
    with pytest.raises(RuntimeError, match="has no effect now"):
        settings.set("augmentation_rate", "0.3")
    settings.is_active = lambda: False
    settings.set("steps", "5")
    assert settings.values["steps"] == 5


def test_a_setting_without_effect_is_disabled_with_a_reason_and_passed_as_its_default() -> None:
    settings = PanelSettings("simcse")

    def control(name: str) -> dict[str, Any]:
        return dict(settings.state()["controls"][name])

    assert control("augmentation_rate")["off"]
    assert "'crop'" in control("augmentation_rate")["idle"]
    settings.set("augmentation", "crop")
    assert not control("augmentation_rate")["off"]
    assert "augmentation='dropout'" in control("fixed_mask")["idle"]
    assert control("hard_negative_weight")["off"]
    settings.choose_corpus("triplets")
    assert not control("hard_negative_weight")["off"]
    assert "sentences='triplets'" in settings.text()
    dclr = PanelSettings("dclr", config={"noise_scope": "sentence", "phi_quantile": 0.8})
    dclr.set("noise_ratio", "0")
    assert dclr.config()["noise_scope"] == "batch"
    assert dclr.values["noise_scope"] == "sentence"
    methods.config("dclr", "mini", **dclr.config())
    dclr.set("noise_ratio", "1")
    assert dclr.config()["noise_scope"] == "sentence"


def test_settings_at_their_defaults_follow_the_encoder() -> None:
    run_config = methods.config("simcse", "mini", temperature=0.3)
    shown = PanelSettings(
        "simcse", RunSettings(encoder="mini"), {"dropout_hidden": 0.2}, run_config
    )
    assert shown.changed() == {"temperature": 0.3, "dropout_hidden": 0.2}, "the run that is shown"
    settings = PanelSettings("simcse")
    settings.set("temperature", "0.2")
    usual = settings.config()["learning_rate"]
    settings.choose_encoder("elsewhere", place="bert-base-uncased")
    assert (
        settings.config()["learning_rate"]
        == methods.config("simcse", "bert-base-uncased").learning_rate
        != usual
    )
    assert settings.config()["temperature"] == 0.2
    settings.choose_encoder("mini")
    assert settings.config()["learning_rate"] == usual


def labels(chosen: CorpusChoice | EncoderChoice) -> list[str]:
    return [option["label"] for option in chosen.options]


def test_corpora_by_name_by_path_and_from_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = Sentences(["A cat sleeps.", "Rain falls."])
    mine = CorpusSource("mine", "Mine.", lambda: texts, credit="By A.")
    monkeypatch.setitem(SOURCES, "mine", mine)
    assert CorpusChoice("mine").credit == "By A."
    corpus = CorpusChoice()
    assert corpus.read() == "wikipedia-mini"
    assert "CC BY-SA" in corpus.credit
    assert corpus.state()["shown"] == []
    corpus.choose("elsewhere")
    assert corpus.state()["shown"] == ["place"]
    assert corpus.credit == ""
    with pytest.raises(ValueError, match="no corpus is named"):
        corpus.read()
    corpus.choose(place=" user/data ")
    assert corpus.read() == corpus.as_argument == "user/data"
    assert "triplets" not in corpus.option_values
    corpus = CorpusChoice(accepts=("sentences", "triplets"))
    corpus.choose("triplets")
    assert len(corpus.read()) == 240
    assert len(corpus.read()[0]) == 3
    given = [("a", "b", "c")] * 3
    corpus = CorpusChoice(given)
    assert labels(corpus)[0] == "given in the call (3 examples)"
    assert corpus.read() is given
    assert corpus.kind == "triplets"


def test_own_text_is_a_corpus() -> None:
    corpus = CorpusChoice()
    corpus.choose("own text")
    with pytest.raises(ValueError, match="at least 2, one on each line"):
        corpus.read()
    corpus.choose(text="  A cat sleeps.\n\nRain falls.\n")
    assert corpus.read() == ["A cat sleeps.", "Rain falls."]
    assert "2 sentences" in corpus.state()["note"]
    corpus.choose(text="A cat sleeps.\n" * 10_000)
    assert corpus.state()["text"] is None, "too long to be sent back"
    assert len(corpus.read()) == 10_000


def test_an_encoder_by_name_or_by_object() -> None:
    nothing = EncoderChoice(None, "mini")
    nothing.choose("elsewhere")
    with pytest.raises(ValueError, match="no encoder is named"):
        nothing.read()
    assert EncoderChoice("some/encoder", "mini").read() == "some/encoder"
    assert (
        EncoderChoice("textcnn:my.txt", "textcnn:glove-6b-50d", ("mini",)).read()
        == "textcnn:my.txt"
    )
    own = SimpleNamespace(name="mine")
    encoder = EncoderChoice(own, "mini")
    assert encoder.read() is own
    assert encoder.origin is own
    assert labels(encoder) == ["given in the call (mine)", "mini", "a folder or hub name …"]


def test_a_formula_that_cannot_be_converted_is_text_and_markup_stays_text() -> None:
    for latex in (r"\frac", r"\begin{<script>", r"\left( <b>", "x_"):
        for made in (mathml(latex), marked(latex, {"a": latex})):
            assert [element.text for element in ElementTree.fromstring(made)] == [latex]
    assert mathml("") == marked("", {"a": "x"}) == ""
    tags = {"math", "mrow", "mtext", "mo", "mn"}
    for made in (
        mathml(r"\text{<script>&lt;b&gt;</script>} < 1"),
        marked(r"\text{<script>x</script>} < 1", {}),
    ):
        assert {
            element.tag.split("}")[1] for element in ElementTree.fromstring(made).iter()
        } == tags
