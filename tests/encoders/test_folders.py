"""Encoder folders: equal vectors after a reload, replaced in one step, and what is wrong with one that is refused."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from clwork.encoders import Encoder, ProjectionHead, load_encoder
from clwork.encoders.model_files import replaced
from clwork.encoders.pooling import POOLINGS
from clwork.encoders.saving import HEAD

from .conftest import TEXTS, write_tiny

pytestmark = pytest.mark.usefixtures("_limit_duration")

Change = Callable[[Path, Path], object]  # changes a folder; another one next to it must not be read
CONFIG, WEIGHTS, TOKENIZER, SETTINGS = (
    "config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
)
INDEX, OUT = "model.safetensors.index.json", "is a link that leads out of its folder"


def with_head(folder: Path, pooling: str = "cls") -> Encoder:
    raw = load_encoder(folder, pooling="cls_before_pooler", device="cpu")
    head = ProjectionHead(16, 7, generator=torch.Generator().manual_seed(3))
    return Encoder(
        raw.backbone, raw.tokenizer, name="made", pooling=pooling, head=head, first_layer=0
    )


def test_round_trip_is_byte_equal(any_folder: Path, tmp_path: Path) -> None:
    for pooling in POOLINGS:
        encoder = with_head(any_folder, pooling)
        with torch.no_grad():
            for parameter in encoder.parameters():  # weights that differ from those of the file
                parameter.add_(
                    0.01 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(4))
                )
        encoder.save(tmp_path / "saved")
        again = load_encoder(tmp_path / "saved", device="cpu")
        assert again.encode(TEXTS).tobytes() == encoder.encode(TEXTS).tobytes(), pooling
        assert (again.pooling, again.first_layer, again.dim) == (pooling, 0, encoder.dim)
        assert not list(tmp_path.glob(".*"))  # no temporary folder left
        modes = {
            path.suffix: path.stat().st_mode & 0o777 for path in (tmp_path / "saved").iterdir()
        }
        assert (
            modes[".safetensors"] == modes[".json"] and ".bin" not in modes
        )  # whoever may read one may read all


def test_shards_are_loaded(bert_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(bert_folder, tmp_path / "shards")
    tensors = list(load_file(folder / WEIGHTS).items())
    (folder / WEIGHTS).unlink()
    names: dict[str, str] = {}
    for number, part in enumerate((tensors[:7], tensors[7:])):
        save_file(dict(part), folder / f"part-{number}.safetensors", {"format": "pt"})
        names |= {name: f"part-{number}.safetensors" for name, _ in part}
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": names}))
    want = load_encoder(bert_folder, device="cpu").encode(TEXTS).tobytes()
    assert load_encoder(folder, device="cpu").encode(TEXTS).tobytes() == want


def test_the_pooling_belongs_to_the_saved_encoder(bert_folder: Path, tmp_path: Path) -> None:
    load_encoder(bert_folder, pooling="first_last", device="cpu").save(tmp_path / "saved")
    assert load_encoder(tmp_path / "saved").pooling == "first_last"
    with pytest.raises(
        ValueError, match=r"saved with pooling 'first_last'.*with_pooling\('mean'\)"
    ):
        load_encoder(tmp_path / "saved", pooling="mean")


def test_the_pretrained_pooler_is_the_head_of_cls_pooling_only(
    bert_folder: Path, mlm_folder: Path
) -> None:
    assert load_encoder(bert_folder).pooling == "cls_before_pooler"
    trained = load_encoder(bert_folder, pooling="cls", device="cpu")
    assert isinstance(trained.head, ProjectionHead)
    assert load_encoder(bert_folder, pooling="mean").head is None
    assert load_encoder(mlm_folder).head is None
    with pytest.raises(ValueError, match="has none"):
        load_encoder(
            mlm_folder, pooling="cls"
        )  # the pooler would be random: 57 instead of 76 (SimCSE issue 100)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_a_checkpoint_of_simcse_brings_its_head(kind: str, tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / kind, kind)
    want = load_encoder(folder, pooling="cls", device="cpu").encode(TEXTS)
    tensors = {f"{kind}.{name}": part for name, part in load_file(folder / WEIGHTS).items()}
    tensors = {name.replace(f"{kind}.pooler.", "mlp."): part for name, part in tensors.items()}
    save_file(tensors, folder / WEIGHTS, {"format": "pt"})
    assert (
        load_encoder(folder, pooling="cls", device="cpu").encode(TEXTS).tobytes() == want.tobytes()
    )
    assert (
        load_encoder(folder).head is not None
        and load_encoder(folder).pooling == "cls_before_pooler"
    )
    save_file(tensors | {"adapter.weight": torch.ones(2)}, folder / WEIGHTS, {"format": "pt"})
    with pytest.warns(
        UserWarning, match=r"tensors that its model does not use \(1, such as adapter.weight\)"
    ):
        load_encoder(folder)


def test_loading_is_silent_and_leaves_the_random_state(
    any_folder: Path,
    mlm_folder: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    before = torch.get_rng_state()
    with caplog.at_level(logging.WARNING):
        logging.getLogger("transformers").propagate = True
        load_encoder(any_folder)
        load_encoder(mlm_folder, pooling="mean", device="cpu").save(tmp_path / "saved")
        load_encoder(tmp_path / "saved")
        logging.getLogger("transformers").propagate = False
    captured = capfd.readouterr()
    assert captured.out + captured.err + caplog.text == ""
    assert torch.equal(before, torch.get_rng_state())


def test_save_replaces_its_own_folder_only(bert_folder: Path, tmp_path: Path) -> None:
    encoder, saved = with_head(bert_folder), tmp_path / "saved"
    encoder.save(saved)
    encoder.with_pooling("mean").save(saved)  # its own work: replaced, the head's file gone
    assert load_encoder(saved).pooling == "mean" and not (saved / HEAD).exists()
    (saved / "thesis.txt").write_text("years of work")
    with pytest.raises(FileExistsError, match=r"thesis.txt.*another folder"):
        encoder.save(saved)
    with pytest.raises(FileExistsError, match="is a file"):
        encoder.save(saved / "thesis.txt")
    (saved / "thesis.txt").unlink()
    (saved / WEIGHTS).unlink()
    (saved / WEIGHTS).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError, match=r"clwork did not write \(model.safetensors\)"):
        encoder.save(saved)
    (tmp_path / "empty").mkdir()
    encoder.save(tmp_path / "empty")
    shutil.copytree(bert_folder, tmp_path / "model")
    with pytest.raises(FileExistsError, match="another folder"):
        encoder.save(tmp_path / "model")
    for name, target in (("link", tmp_path / "empty"), ("dangling", tmp_path / "gone")):
        (tmp_path / name).symlink_to(target)
        with pytest.raises(
            FileExistsError, match=f"{name} is a link to .*give the path of a folder"
        ):
            encoder.save(tmp_path / name)


def test_a_save_that_fails_or_is_killed_leaves_the_former_encoder(
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
    os.rename(saved, replaced(saved))  # a kill between the two renames
    assert load_encoder(saved, device="cpu").encode(TEXTS).tobytes() == want
    encoder.with_pooling("mean").save(saved)
    assert load_encoder(saved).pooling == "mean" and [path.name for path in tmp_path.iterdir()] == [
        "saved"
    ]


def test_a_head_of_another_class_is_not_silently_dropped(bert_folder: Path, tmp_path: Path) -> None:
    raw = load_encoder(bert_folder, pooling="mean", device="cpu")
    odd = Encoder(
        raw.backbone, raw.tokenizer, name="odd", pooling="mean", head=torch.nn.Linear(16, 16)
    )
    with pytest.raises(TypeError, match="Linear cannot be saved"):
        odd.save(tmp_path / "odd")


def free(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def write(name: str, content: bytes) -> Change:
    return lambda folder, outside: free(folder / name).write_bytes(content)


def edit(name: str, **values: Any) -> Change:
    """Set keys of a JSON file."""
    return lambda folder, outside: (folder / name).write_text(
        json.dumps(
            (json.loads((folder / name).read_text()) if (folder / name).exists() else {}) | values
        )
    )


def weights(alter: Callable[[torch.Tensor], torch.Tensor | None], name: str = WEIGHTS) -> Change:
    """Change the last matrix of a file of weights, or remove it."""

    def change(folder: Path, outside: Path) -> None:
        tensors = load_file(folder / name)
        last = max(key for key in tensors if tensors[key].dim() == 2 and "pooler" not in key)
        altered = alter(tensors.pop(last))
        tensors |= {} if altered is None else {last: altered.clone()}
        save_file(tensors, folder / name, {"format": "pt"})

    return change


def cut(name: str) -> Change:
    return lambda folder, outside: os.truncate(folder / name, (folder / name).stat().st_size // 2)


def pickled(folder: Path, outside: Path) -> None:
    torch.save(load_file(folder / WEIGHTS), folder / "pytorch_model.bin")
    (folder / WEIGHTS).unlink()


def shard(name: str) -> Change:
    def change(folder: Path, outside: Path) -> None:
        shutil.move(folder / WEIGHTS, outside / WEIGHTS)
        (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": {"a": name}}))

    return change


def remove(name: str) -> Change:
    return lambda folder, outside: (folder / name).unlink()


REFUSED: dict[str, list[tuple[Change, str]]] = {  # changes of an encoder that clwork saved with a head
    "only safetensors are loaded": [
        (pickled, r"only pickled weights \(pytorch_model.bin\).*save_pretrained"),
        (shard("model.bin"), "has no model.bin; clwork loads only safetensors"),
    ],
    "no code from elsewhere is run": [
        (edit(CONFIG, model_type="homemade", auto_map={"AutoModel": "evil.Model"}), "homemade.*clwork runs no code"),
        (edit(CONFIG, attn_implementation="someone/kernel"), r"code of the hub as attention \(someone/kernel\)"),
    ],
    "damage is named": [
        (cut(WEIGHTS), "model.safetensors is not a complete safetensors file.*download it again"),
        (cut(HEAD), "head.safetensors does not hold the weights"),
        (write(WEIGHTS, b"version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"),
        (weights(lambda t: t * float("nan")), "hold NaN or infinity.*earlier copy"),
        (weights(lambda t: t * float("nan"), HEAD), "hold NaN or infinity"),
        (weights(lambda t: t[:8]), r"has the shape \(8, .*by config.json"),
        (weights(lambda t: None), "lacks weights of the model, such as encoder.layer.1"),
        (remove(HEAD), "no head.safetensors"),
        (cut(CONFIG), "config.json is damaged JSON .*download it again"),
        (write(CONFIG, b"[]"), "config.json is damaged JSON .it holds a list"),
        (write(CONFIG, b"[" * 100_000), "config.json is damaged JSON"),
        (edit(CONFIG, vocab_size=20), "by config.json"),
        (remove(TOKENIZER), "has no tokenizer: it lacks a vocabulary file"),
        (write(TOKENIZER, b"{"), "cannot be loaded"),
        (edit(SETTINGS, pad_token=None), "has no padding token; set pad_token"),
        (edit("clwork.json", pooling="nope"), "pooling='nope' is not known"),
        (edit("clwork.json", format="1"), "clwork.json is damaged .*format Input should be .*save the encoder again"),
        (edit("clwork.json", format=2), "format 2.*update clwork"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("rule", REFUSED)
def test_a_foreign_folder_is_refused(rule: str, bert_folder: Path, tmp_path: Path) -> None:
    with_head(bert_folder, "mean").save(tmp_path / "good")
    load_encoder(tmp_path / "good", device="cpu")  # guard: the unchanged folder loads
    found = []
    for number, (change, words) in enumerate(REFUSED[rule]):
        folder, outside = tmp_path / str(number) / "folder", tmp_path / str(number) / "outside"
        shutil.copytree(tmp_path / "good", folder)
        outside.mkdir()
        change(folder, outside)
        try:
            load_encoder(folder, device="cpu")
            found.append(f"{words}: loaded")
        except ValueError as error:
            found += (
                []
                if re.search(words, str(error)) and len(str(error)) < 1500
                else [f"{words}: {error}"]
            )
    assert not found, "\n".join(found)


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    for name in (
        "./nowhere",
        "no/such/folder",
        "/nowhere/at/all",
        Path("nowhere"),
        "~/nowhere_clwork",
    ):
        with pytest.raises(FileNotFoundError, match="give a folder, a hub name, or 'mini'"):
            load_encoder(name)
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(ValueError, match=r"no config.json, only notes.txt"):
        load_encoder(tmp_path)


def test_code_in_a_folder_is_not_run(bert_folder: Path, tmp_path: Path) -> None:
    want = load_encoder(bert_folder, pooling="mean", device="cpu").encode(TEXTS).tobytes()
    folder = shutil.copytree(bert_folder, tmp_path / "folder")
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Model: pass\n")
    edit(CONFIG, auto_map={"AutoModel": "evil.Model", "AutoConfig": "evil.Model"})(folder, tmp_path)
    edit(SETTINGS, vocab_file="/etc/passwd", auto_map={"AutoTokenizer": ["evil.Model", None]})(
        folder, tmp_path
    )
    assert load_encoder(folder, pooling="mean", device="cpu").encode(TEXTS).tobytes() == want
    assert not (tmp_path / "ran").exists()


def test_a_model_in_the_hubs_cache_is_found_offline(
    bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files are links into the cache."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    want = load_encoder(bert_folder, device="cpu").encode(TEXTS).tobytes()
    place = tmp_path / "models--someone--tiny" / "snapshots" / ("ab" * 20)
    place.mkdir(parents=True)
    (blobs := place.parents[1] / "blobs").mkdir()
    for number, path in enumerate(sorted(bert_folder.iterdir())):
        shutil.copyfile(path, blobs / f"{number:040x}")
        (place / path.name).symlink_to(Path("..", "..", "blobs", f"{number:040x}"))
    assert load_encoder(place, device="cpu").encode(TEXTS).tobytes() == want
    (refs := place.parents[1] / "refs").mkdir()
    (refs / "main").write_text(place.name)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    cached = load_encoder("someone/tiny", device="cpu")
    assert cached.name == "someone/tiny" and cached.encode(TEXTS).tobytes() == want
    with pytest.raises(
        ConnectionError,
        match="hub cannot be reached, and 'someone/other' is not in this machine's cache",
    ):
        load_encoder("someone/other", device="cpu")


def test_the_encoder_that_was_meant_is_suggested(
    bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run's folder, a misspelt folder by path or by name, and a misspelt bundled encoder; offline."""
    encoder = load_encoder(bert_folder, pooling="mean", device="cpu")
    for name in ("best-3", "encoder", "start"):
        encoder.save(tmp_path / "run" / name)
    encoder.save(tmp_path / "tiny")
    monkeypatch.chdir(tmp_path)
    for given, hint in (
        (tmp_path / "run", f"give a model's folder, such as {tmp_path}/run/encoder$"),
        (tmp_path / "tyni", r"there is no folder .*tyni \(did you mean 'tiny'\?\)"),
        ("tyni", r"the hub cannot be reached.*\(did you mean 'tiny'\?\)"),
        ("mimi", r"the hub cannot be reached.*\(did you mean 'mini'\?\)"),
        ("all-MiniLM-L6", r"the hub cannot be reached.*\(did you mean 'all-MiniLM-L6-v2'\?\)"),
    ):
        with pytest.raises((OSError, ValueError), match=hint):
            load_encoder(given, device="cpu")


def test_a_decoder_is_recognised_by_what_it_computes(tmp_path: Path) -> None:
    for kind in ("bert", "gpt2"):
        folder = write_tiny(tmp_path / kind, kind)
        if kind == "bert":
            load_encoder(folder, device="cpu")  # guard
            edit(CONFIG, is_decoder=True)(folder, tmp_path)
        with pytest.raises(
            ValueError,
            match="is a decoder, whose tokens do not attend to later ones; use an encoder",
        ):
            load_encoder(folder, device="cpu")


def test_a_tokenizer_that_cuts_on_the_left_is_refused_also_in_a_plain_folder(
    tmp_path: Path,
) -> None:
    folder = write_tiny(tmp_path / "tiny")
    for pooling in (None, "mean"):
        load_encoder(folder, pooling=pooling, device="cpu")  # guard
    edit("tokenizer_config.json", truncation_side="left")(folder, tmp_path)
    for pooling in (None, "mean"):
        with pytest.raises(ValueError, match=r"cuts long texts on the left \(truncation_side\)"):
            load_encoder(folder, pooling=pooling, device="cpu")


def test_the_files_are_not_blamed_for_the_program_s_state(
    bert_folder: Path, tmp_path: Path
) -> None:
    torch.set_default_device("meta")
    try:
        with pytest.raises(
            RuntimeError,
            match=r"because PyTorch's default device is 'meta'; call torch\.set_default",
        ):
            load_encoder(bert_folder, device="cpu")
    finally:
        torch.set_default_device("cpu")
    code = "import sys, clwork; clwork.load_encoder(sys.argv[1], device='cpu')"
    done = subprocess.run(
        [sys.executable, "-OO", "-c", code, bert_folder], capture_output=True, text=True, timeout=60
    )
    assert (
        "because Python removes docstrings" in done.stderr and "copy or download" not in done.stderr
    ), done.stderr
