"""Encoder folders: equal vectors after a reload, replaced in one step, errors of loading."""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from clwork.encoders import load_encoder
from clwork.encoders.pooling import POOLINGS
from clwork.encoders.saving import HEAD

from .conftest import TEXTS, with_head

pytestmark = pytest.mark.usefixtures("_limit_duration")

Change = Callable[[Path], object]  # changes a folder
CONFIG, WEIGHTS = "config.json", "model.safetensors"


def test_round_trip_is_byte_equal(any_folder: Path, tmp_path: Path) -> None:
    for pooling in POOLINGS:
        encoder = with_head(any_folder, pooling)
        with torch.no_grad():
            for parameter in encoder.parameters():  # weights that differ from those of the file
                noise = torch.randn(parameter.shape, generator=torch.Generator().manual_seed(4))
                parameter.add_(0.01 * noise)
        encoder.save(tmp_path / "saved")
        again = load_encoder(tmp_path / "saved", device="cpu")
        assert again.encode(TEXTS).tobytes() == encoder.encode(TEXTS).tobytes(), pooling
        assert (again.pooling, again.dim) == (pooling, encoder.dim)
        assert not list(tmp_path.glob(".*"))  # no temporary folder left


def test_another_pooling_drops_the_head_that_was_saved(bert_folder: Path, tmp_path: Path) -> None:
    with_head(bert_folder, "first_last").save(tmp_path / "saved")
    assert load_encoder(tmp_path / "saved").pooling == "first_last"
    mean = load_encoder(tmp_path / "saved", pooling="mean", device="cpu")
    want = load_encoder(bert_folder, pooling="mean", device="cpu").encode(TEXTS)
    assert mean.encode(TEXTS).tobytes() == want.tobytes()


def test_a_plain_model_has_no_head(bert_folder: Path) -> None:
    """A pooler without weights would be random: 57 instead of 76 (SimCSE issue 100)."""
    plain = load_encoder(bert_folder)
    assert (plain.pooling, plain.head) == ("cls_before_pooler", None)
    with pytest.raises(ValueError, match="has none; use 'cls_before_pooler'"):
        load_encoder(bert_folder, pooling="cls")


def test_loading_is_silent_and_leaves_the_random_state(
    any_folder: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    before = torch.get_rng_state()
    with caplog.at_level(logging.WARNING):
        logging.getLogger("transformers").propagate = True
        load_encoder(any_folder, device="cpu").save(tmp_path / "saved")
        load_encoder(tmp_path / "saved")
        logging.getLogger("transformers").propagate = False
    captured = capfd.readouterr()
    assert captured.out + captured.err + caplog.text == ""
    assert torch.equal(before, torch.get_rng_state())


def test_save_replaces_its_own_folder_only(bert_folder: Path, tmp_path: Path) -> None:
    encoder, saved = with_head(bert_folder), tmp_path / "saved"
    encoder.save(saved)
    encoder.with_pooling("mean").save(saved)  # its own work: replaced, the head's file gone
    assert load_encoder(saved).pooling == "mean"
    assert not (saved / HEAD).exists()
    (saved / "thesis.txt").write_text("years of work")
    with pytest.raises(FileExistsError, match=r"thesis.txt.*another folder"):
        encoder.save(saved)
    with pytest.raises(FileExistsError, match="is a file"):
        encoder.save(saved / "thesis.txt")
    (tmp_path / "empty").mkdir()
    encoder.save(tmp_path / "empty")
    shutil.copytree(bert_folder, tmp_path / "model")
    with pytest.raises(FileExistsError, match="another folder"):
        encoder.save(tmp_path / "model")


def test_a_save_that_fails_leaves_the_former_encoder(
    bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, saved = with_head(bert_folder), tmp_path / "saved"
    encoder.save(saved)
    want = encoder.encode(TEXTS).tobytes()

    def full(*args: object, **kwargs: object) -> None:
        raise OSError("No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space left"):
        patch.setattr(encoder.tokenizer, "save_pretrained", full)
        encoder.save(saved)
    assert load_encoder(saved, device="cpu").encode(TEXTS).tobytes() == want
    assert [path.name for path in tmp_path.iterdir()] == ["saved"]
    os.rename(saved, tmp_path / ".saved.old")  # a kill between the two renames
    encoder.with_pooling("mean").save(saved)
    assert load_encoder(saved).pooling == "mean"
    assert [path.name for path in tmp_path.iterdir()] == ["saved"]


def test_a_head_of_another_class_is_not_silently_dropped(bert_folder: Path, tmp_path: Path) -> None:
    raw = load_encoder(bert_folder, pooling="mean", device="cpu")
    odd = raw.with_head(torch.nn.Linear(16, 16), "mean")
    with pytest.raises(TypeError, match="Linear cannot be saved"):
        odd.save(tmp_path / "odd")


def edit(name: str, **values: Any) -> Change:
    """Set keys of a JSON file."""

    def change(folder: Path) -> None:
        path = folder / name
        content = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(content | values))

    return change


def remove(name: str) -> Change:
    return lambda folder: (folder / name).unlink()


def cut(name: str) -> Change:
    return lambda folder: os.truncate(folder / name, (folder / name).stat().st_size // 2)


def pickled(folder: Path) -> None:
    torch.save(load_file(folder / WEIGHTS), folder / "pytorch_model.bin")
    (folder / WEIGHTS).unlink()


def without_a_matrix(folder: Path) -> None:
    tensors = load_file(folder / WEIGHTS)
    tensors.pop("encoder.layer.1.output.dense.weight")
    save_file(tensors, folder / WEIGHTS, {"format": "pt"})


def without_vocabulary(folder: Path) -> None:
    """Leave what a BERT tokenizer of transformers would be made from, without any word."""
    (folder / "tokenizer.json").unlink()
    edit("tokenizer_config.json", tokenizer_class="BertTokenizer")(folder)


# Changes of an encoder that clwork saved with a head; the last words are those of the libraries.
REFUSED: list[tuple[Change, str]] = [
    (pickled, r"no weights in safetensors.*unpickling can run any code.*save_pretrained"),
    (without_a_matrix, "lacks weights of its model, such as encoder.layer.1.output"),
    (without_vocabulary, "no vocabulary, such as tokenizer.json"),
    (edit(CONFIG, model_type="homemade", auto_map={"AutoModel": "evil.Model"}), "homemade"),
    (edit("clwork.json", pooling="mena"), r"pooling='mena' is not known \(did you mean 'mean'"),
    (cut(WEIGHTS), ""),
    (cut(HEAD), ""),
    (cut(CONFIG), ""),
    (edit(CONFIG, vocab_size=20), ""),
]


def test_a_folder_with_a_fault_is_refused(bert_folder: Path, tmp_path: Path) -> None:
    with_head(bert_folder, "mean").save(tmp_path / "good")
    load_encoder(tmp_path / "good", device="cpu")  # guard: the unchanged folder loads
    for number, (change, words) in enumerate(REFUSED):
        folder = shutil.copytree(tmp_path / "good", tmp_path / str(number))
        change(folder)
        with pytest.raises(Exception, match=words or None):
            load_encoder(folder, device="cpu")


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    for name in ("./nowhere", "no/such/folder", "/nowhere/at/all", "~/nowhere_clwork"):
        with pytest.raises(FileNotFoundError, match=r"there is no folder .*(nowhere|such/folder)"):
            load_encoder(name)
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(ValueError, match="has no weights in safetensors"):
        load_encoder(tmp_path)


def test_code_in_a_folder_is_not_run(bert_folder: Path, tmp_path: Path) -> None:
    want = load_encoder(bert_folder, pooling="mean", device="cpu").encode(TEXTS).tobytes()
    folder = shutil.copytree(bert_folder, tmp_path / "folder")
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Model: pass\n")
    edit(CONFIG, auto_map={"AutoModel": "evil.Model", "AutoConfig": "evil.Model"})(folder)
    tokenizer = {"AutoTokenizer": ["evil.Model", None]}
    edit("tokenizer_config.json", vocab_file="/etc/passwd", auto_map=tokenizer)(folder)
    assert load_encoder(folder, pooling="mean", device="cpu").encode(TEXTS).tobytes() == want
    assert not (tmp_path / "ran").exists()


def test_a_model_in_the_hubs_cache_is_found_offline(
    bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files are links into the cache; a misspelt name gets the nearest bundled one."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    want = load_encoder(bert_folder, device="cpu").encode(TEXTS).tobytes()
    place = tmp_path / "models--someone--tiny" / "snapshots" / ("ab" * 20)
    place.mkdir(parents=True)
    (blobs := place.parents[1] / "blobs").mkdir()
    for number, path in enumerate(sorted(bert_folder.iterdir())):
        shutil.copyfile(path, blobs / f"{number:040x}")
        (place / path.name).symlink_to(Path("..", "..", "blobs", f"{number:040x}"))
    (refs := place.parents[1] / "refs").mkdir()
    (refs / "main").write_text(place.name)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    cached = load_encoder("someone/tiny", device="cpu")
    assert cached.name == "someone/tiny"
    assert cached.encode(TEXTS).tobytes() == want
    absent = "hub cannot be reached, and 'someone/other' is not in this machine's cache"
    with pytest.raises(ConnectionError, match=absent):
        load_encoder("someone/other", device="cpu")
    for name, bundled in (("mimi", "mini"), ("all-MiniLM-L6", "all-MiniLM-L6-v2")):
        with pytest.raises(ConnectionError, match=rf"did you mean '{bundled}'\?"):
            load_encoder(name, device="cpu")
