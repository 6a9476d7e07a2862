from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

import clwork
from clwork import lab
from clwork.lab.panel.corpus_picker import CorpusPicker
from clwork.lab.panel.encoder_picker import EncoderPicker


def test_the_offline_corpus_is_the_default_and_its_licence_is_named() -> None:
    picker = CorpusPicker()
    assert picker.read() == "wikipedia-mini" and "CC BY-SA" in picker.source_note
    assert picker.place.layout.display == "none"


def test_another_place_is_asked_for_only_when_chosen(tmp_path: Path) -> None:
    picker = CorpusPicker()
    picker.choice.value = "elsewhere"
    assert picker.place.layout.display == "flex" and picker.source_note == ""
    with pytest.raises(ValueError, match="no corpus is named"):
        picker.read()
    picker.place.value = " user/data "
    assert picker.read() == "user/data"
    table = tmp_path / "table.csv"
    table.write_text("number,text\n" + "\n".join(f"{i},A sentence with number {i} in it." for i in range(5)) + "\n")
    picker.place.value, picker.column.value = str(table), "text"
    assert next(iter(picker.read())) == "A sentence with number 0 in it."


def test_examples_given_in_the_call_come_first() -> None:
    triplets = [("a", "b", "c")] * 3
    picker = CorpusPicker(triplets)
    assert picker.choice.options[0][0] == "given in the call (3 examples)" and picker.read() is triplets
    assert CorpusPicker("user/data").read() == "user/data"


def test_an_encoder_by_name_by_object_or_from_an_earlier_run() -> None:
    assert EncoderPicker(None, "mini").read() == "mini"
    assert EncoderPicker("some/encoder", "mini").read() == "some/encoder"
    own = SimpleNamespace(name="mine")
    picker = EncoderPicker(own, "mini")
    assert picker.read() is own and picker.origin is own
    validated = SimpleNamespace(name="one", folder="runs/one", best={"step": 1})
    picker.offer([validated, SimpleNamespace(name="two", folder="runs/two", best={})])
    assert [label for label, _ in picker.choice.options] == [
        "given in the call (mine)",
        "mini",
        "best of one",
        "a folder or hub name …",
    ]
    assert picker.read() is own, "offering more changes no choice"
    picker.choice.value, picker.place.value = "elsewhere", "some/encoder"
    chosen: list[str] = []
    picker.on_choice(lambda: chosen.append(picker.choice.value))
    picker.offer([validated, SimpleNamespace(name="three", folder="runs/three", best={"step": 1})])
    assert picker.read() == "some/encoder" and picker.place.layout.display == "flex" and chosen == []
    picker.offer([])
    assert picker.read() == "some/encoder" and chosen == []


def test_triplets_are_offered_where_the_method_takes_them() -> None:
    assert "triplets" not in [value for _, value in CorpusPicker().choice.options]
    picker = CorpusPicker(accepts=("sentences", "triplets"))
    picker.choice.value = "triplets"
    assert len(picker.read()) == 240 and len(picker.read()[0]) == 3 and picker.source_note == ""


def test_presets_follow_the_encoder_even_where_it_is_a_folder(tmp_path: Path) -> None:
    own = clwork.load_encoder("mini", device="cpu")
    own.save(tmp_path / "run" / "best")
    panel = lab.panel("simcse", encoder="bert-base-uncased", learning_rate=2e-5)
    assert panel.config()["learning_rate"] == 2e-5
    panel = lab.panel("simcse")
    preset = panel.config()["learning_rate"]
    panel.encoder.choice.value = "elsewhere"
    panel.encoder.place.value = "bert-base-uncased"
    assert panel.config()["learning_rate"] != preset
    panel.encoder.place.value = str(tmp_path / "run" / "best")
    assert panel.config()["learning_rate"] == preset
    panel.encoder.place.value = "bert-base-uncased"
    panel.encoder.offer([SimpleNamespace(name="one", folder=tmp_path / "run", best={"step": 1})])
    panel.encoder.choice.value = f"run:{tmp_path / 'run'}"
    assert panel.config()["learning_rate"] == preset


def test_nothing_typed_is_said_in_words() -> None:
    picker = EncoderPicker(None, "mini")
    picker.choice.value = "elsewhere"
    with pytest.raises(ValueError, match="no encoder is named"):
        picker.read()


def test_a_method_may_offer_more_encoders() -> None:
    picker = EncoderPicker(None, "textcnn:glove-6b-50d", ("textcnn:mini", "mini"))
    assert [label for label, _ in picker.choice.options] == [
        "textcnn:glove-6b-50d",
        "textcnn:mini",
        "mini",
        "a folder or hub name …",
    ]
    assert picker.read() == "textcnn:glove-6b-50d"
    picker.choice.value = "textcnn:mini"
    assert picker.read() == picker.origin == "textcnn:mini"
    assert EncoderPicker("mini", "textcnn:glove-6b-50d", ("mini",)).choice.value == "mini"
    file = EncoderPicker("textcnn:my.vec", "textcnn:glove-6b-50d", ("mini",))
    assert file.choice.value == "elsewhere" and file.read() == "textcnn:my.vec"


def test_own_text_is_a_corpus() -> None:
    picker = CorpusPicker()
    picker.choice.value = "own text"
    assert picker.text.layout.display == "flex" and picker.place.layout.display == "none"
    with pytest.raises(ValueError, match="at least 2, one a line"):
        picker.read()
    picker.text.value = "  A cat sleeps.\n\nRain falls.\n"
    assert picker.read() == ["A cat sleeps.", "Rain falls."] and "2 sentences" in picker.note.value
    assert picker.kind == "sentences" and picker.source_note == ""


def test_an_uploaded_file_is_read_like_any_other() -> None:
    picker = CorpusPicker()
    picker.choice.value = "upload"
    with pytest.raises(ValueError, match="no file was uploaded"):
        picker.read()
    rows = "\n".join(f"{i},A sentence with number {i} in it.,even" for i in range(5))
    about = {"type": "text/csv", "last_modified": datetime.now(UTC)}
    content = f"number,text,topic\n{rows}\n".encode()
    picker.file.value = ({"name": "mine.csv", "size": len(content), "content": content, **about},)
    read = picker.read()
    assert read[0] == "A sentence with number 0 in it." and read.labels == ["even"] * 5
    assert read.source == {"source": "list"}, "the run keeps the sentences: the file has no place of its own"
    assert "mine.csv" in picker.note.value
    picker.column.value = "nothing"
    with pytest.raises(ValueError, match=r"mine\.csv") as caught:
        picker.read()
    assert "/tmp" not in str(caught.value)
