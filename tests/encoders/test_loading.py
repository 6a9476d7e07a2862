from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path

import pytest
import torch

from clwork.encoders import POOLINGS, Encoder, ProjectionHead, load_encoder
from clwork.encoders.disk import saving

from .conftest import TEXTS


def with_head(folder: Path, pooling: str = "cls") -> Encoder:
    raw = load_encoder(folder, pooling="cls_before_pooler", device="cpu")
    head = ProjectionHead(16, 7, generator=torch.Generator().manual_seed(3))
    return Encoder(raw.backbone, raw.tokenizer, name="made", pooling=pooling, head=head, first_layer=0)


def test_round_trip_is_byte_equal(any_folder: Path, tmp_path: Path) -> None:
    for pooling in POOLINGS:
        encoder = with_head(any_folder, pooling)
        with torch.no_grad():
            for parameter in encoder.parameters():  # weights that no file has seen
                parameter.add_(0.01 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(4)))
        encoder.save(tmp_path / "saved")
        again = load_encoder(tmp_path / "saved", device="cpu")
        assert again.encode(TEXTS).tobytes() == encoder.encode(TEXTS).tobytes(), pooling
        assert (again.pooling, again.first_layer, again.dim) == (pooling, 0, encoder.dim)
        assert not list(tmp_path.glob(".*"))  # no temporary folder left
        modes = {path.suffix: path.stat().st_mode & 0o777 for path in (tmp_path / "saved").iterdir()}
        assert modes[".safetensors"] == modes[".json"] and ".bin" not in modes  # whoever may read one may read all


def test_a_half_precision_folder_is_loaded_and_saved_in_float32(bert_folder: Path, tmp_path: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    AutoModel.from_pretrained(bert_folder).half().save_pretrained(tmp_path / "half")
    AutoTokenizer.from_pretrained(bert_folder).save_pretrained(tmp_path / "half")
    encoder = load_encoder(tmp_path / "half", pooling="mean", device="cpu")
    assert {p.dtype for p in encoder.parameters()} == {torch.float32}
    encoder.save(tmp_path / "saved")
    assert load_encoder(tmp_path / "saved").encode(TEXTS).tobytes() == encoder.encode(TEXTS).tobytes()


def test_representation_belongs_to_the_saved_encoder(bert_folder: Path, tmp_path: Path) -> None:
    load_encoder(bert_folder, pooling="first_last", device="cpu").save(tmp_path / "saved")
    assert load_encoder(tmp_path / "saved").pooling == "first_last"
    assert load_encoder(tmp_path / "saved", pooling="first_last").pooling == "first_last"
    with pytest.raises(ValueError, match=r"saved with pooling 'first_last'.*with_pooling\('mean'\)"):
        load_encoder(tmp_path / "saved", pooling="mean")


def test_the_pretrained_pooler_is_the_head_of_cls_only(bert_folder: Path, mlm_folder: Path) -> None:
    assert load_encoder(bert_folder).pooling == "cls_before_pooler"
    trained = load_encoder(bert_folder, pooling="cls", device="cpu")
    assert isinstance(trained.head, ProjectionHead)
    assert load_encoder(bert_folder, pooling="mean").head is None
    assert load_encoder(mlm_folder).head is None
    with pytest.raises(ValueError, match="has none"):
        load_encoder(mlm_folder, pooling="cls")  # the pooler would be random: 57 instead of 76 (SimCSE issue 100)


def test_loading_is_silent_and_leaves_the_random_state(
    mlm_folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    before = torch.get_rng_state()
    with caplog.at_level(logging.WARNING):
        logging.getLogger("transformers").propagate = True
        load_encoder(mlm_folder, pooling="mean", device="cpu").save(tmp_path / "saved")
        load_encoder(tmp_path / "saved")
        logging.getLogger("transformers").propagate = False
    captured = capfd.readouterr()
    assert captured.out + captured.err + caplog.text == ""
    assert torch.equal(before, torch.get_rng_state())


def test_a_sentence_transformers_folder_says_its_pooling(bert_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(bert_folder, tmp_path / "st")
    (folder / "1_Pooling").mkdir()
    for config, want in (
        ({"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}, "mean"),
        ({"pooling_mode": "max"}, "max"),
        ({"pooling_mode": "cls"}, "cls_before_pooler"),
    ):
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))
        assert load_encoder(folder).pooling == want
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode": "lasttoken"}))
    with pytest.raises(ValueError, match=r"lasttoken.*name a pooling yourself"):
        load_encoder(folder)


# --- what cannot be loaded ------------------------------------------------------------------------------------------


def test_pickles_are_refused(bert_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(bert_folder, tmp_path / "pickled")
    torch.save({}, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ValueError, match=r"only pickled weights \(pytorch_model.bin\).*save_pretrained"):
        load_encoder(folder)


def test_code_from_the_folder_is_never_run(bert_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(bert_folder, tmp_path / "remote")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "homemade", "auto_map": {"AutoConfig": "evil.Config", "AutoModel": "evil.Model"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Config: pass\nclass Model: pass\n")
    with pytest.raises(ValueError, match="clwork never does"):
        load_encoder(folder)
    assert not (tmp_path / "ran").exists()


def test_a_missing_folder() -> None:
    for name in ("./nowhere", "no/such/folder", "/nowhere/at/all", Path("nowhere"), "~/nowhere_clwork"):
        with pytest.raises(FileNotFoundError, match="give a folder, a hub name, or 'mini'"):
            load_encoder(name)


def test_a_folder_that_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(ValueError, match=r"no config.json \(it has: notes.txt\)"):
        load_encoder(tmp_path)


def test_weights_that_are_missing_are_not_drawn_at_random(bert_folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(bert_folder, tmp_path / "torn")
    tensors = load_file(folder / "model.safetensors")
    save_file({k: v for k, v in tensors.items() if "layer.1." not in k}, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ValueError, match=r"lacks weights of its own model, such as encoder.layer.1"):
        load_encoder(folder)


# --- what must not be overwritten -----------------------------------------------------------------------------------


def test_save_replaces_its_own_folder_only(bert_folder: Path, tmp_path: Path) -> None:
    encoder = with_head(bert_folder)
    encoder.save(tmp_path / "saved")
    other = encoder.with_pooling("mean")
    other.save(tmp_path / "saved")  # its own work: replaced, the head's file gone
    assert load_encoder(tmp_path / "saved").pooling == "mean" and not (tmp_path / "saved" / saving.HEAD).exists()
    (tmp_path / "saved" / "thesis.txt").write_text("years of work")
    with pytest.raises(FileExistsError, match=r"thesis.txt.*another folder"):
        encoder.save(tmp_path / "saved")
    with pytest.raises(FileExistsError, match="is a file"):
        encoder.save(tmp_path / "saved" / "thesis.txt")
    (tmp_path / "foreign").mkdir()
    encoder.save(tmp_path / "foreign")  # empty: fine
    shutil.copytree(bert_folder, tmp_path / "model")
    with pytest.raises(FileExistsError, match="another folder"):
        encoder.save(tmp_path / "model")


def test_a_save_that_fails_leaves_what_was_there(
    bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = with_head(bert_folder)
    encoder.save(tmp_path / "saved")
    want = encoder.encode(TEXTS).tobytes()

    def full(*args: object, **kwargs: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(encoder.tokenizer, "save_pretrained", full)
    with pytest.raises(OSError, match="No space left"):
        encoder.save(tmp_path / "saved")
    monkeypatch.undo()
    assert load_encoder(tmp_path / "saved", device="cpu").encode(TEXTS).tobytes() == want
    assert [path.name for path in tmp_path.iterdir()] == ["saved"]


def test_a_head_of_another_class_is_not_silently_dropped(bert_folder: Path, tmp_path: Path) -> None:
    raw = load_encoder(bert_folder, pooling="mean", device="cpu")
    odd = Encoder(raw.backbone, raw.tokenizer, name="odd", pooling="mean", head=torch.nn.Linear(16, 16))
    with pytest.raises(TypeError, match="Linear cannot be saved"):
        odd.save(tmp_path / "odd")
