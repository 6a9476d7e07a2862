"""Encoder folders of unknown origin: safetensors only, no remote code, nothing outside, and damage is named."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from clwork.encoders import Encoder, ProjectionHead, load_encoder

from .conftest import TEXTS

pytestmark = pytest.mark.usefixtures("nothing_hangs")

Change = Callable[[Path, Path], object]  # of a folder, with another next to it that must stay unread
CONFIG, WEIGHTS, TOKENIZER, SETTINGS = "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"
HEAD, INDEX, OUT = "head.safetensors", "model.safetensors.index.json", "is a link that leads out of its folder"


def free(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def write(name: str, content: bytes) -> Change:
    return lambda folder, outside: free(folder / name).write_bytes(content)


def edit(name: str, **values: Any) -> Change:
    """Set keys of a JSON file."""
    return lambda folder, outside: (folder / name).write_text(
        json.dumps((json.loads((folder / name).read_text()) if (folder / name).exists() else {}) | values)
    )


def weights(alter: Callable[[torch.Tensor], torch.Tensor], name: str = WEIGHTS) -> Change:
    """Change the last matrix of a file of weights."""

    def change(folder: Path, outside: Path) -> None:
        tensors = load_file(folder / name)
        last = max(key for key in tensors if tensors[key].dim() == 2)
        save_file(tensors | {last: alter(tensors[last]).clone()}, folder / name, {"format": "pt"})

    return change


def cut(name: str) -> Change:
    return lambda folder, outside: os.truncate(folder / name, (folder / name).stat().st_size // 2)


def link_out(name: str) -> Change:
    """Move a file, or a new one, out of the folder and put a link in its place."""

    def change(folder: Path, outside: Path) -> None:
        target = outside / Path(name).name
        target.write_bytes((folder / name).read_bytes() if (folder / name).exists() else b"{}")
        free(folder / name).symlink_to(target)

    return change


def pickled(folder: Path, outside: Path) -> None:
    torch.save(load_file(folder / WEIGHTS), folder / "pytorch_model.bin")
    (folder / WEIGHTS).unlink()


def shard(name: str) -> Change:
    def change(folder: Path, outside: Path) -> None:
        shutil.move(folder / WEIGHTS, outside / WEIGHTS)
        (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": {"a": name}}))

    return change


def fifo(name: str) -> Change:
    return lambda folder, outside: os.mkfifo(free(folder / name))


REFUSED: dict[str, list[tuple[Change, str]]] = {  # of an encoder that clwork saved with a head
    "only safetensors are loaded": [(pickled, "safetensors"), (shard("model.bin"), "'model.bin'; shards are plain")],
    "no code from elsewhere is run": [
        (edit(CONFIG, model_type="homemade", auto_map={"AutoModel": "evil.Model"}), "homemade.*without running code"),
        (edit(CONFIG, attn_implementation="someone/kernel"), "attn_implementation='someone/kernel': code"),
        (edit(SETTINGS, tokenizer_class="BertModel"), "'BertModel' as its tokenizer's class"),
    ],
    "nothing outside is read": [
        *((link_out(name), "leads out of its folder") for name in (CONFIG, WEIGHTS, TOKENIZER, "vocab.txt", HEAD)),
        *((link_out(name), "leads out of its folder") for name in ("clwork.json", "1_Pooling/config.json")),
        *((fifo(name), f"{name} is no regular file.*remove") for name in (CONFIG, WEIGHTS, TOKENIZER, "clwork.json")),
        (shard("../outside/model.safetensors"), "shards are plain"),
        (shard("/etc/passwd"), "'/etc/passwd'; shards are plain"),
        (edit("clwork.json", files=["../../thesis.txt"]), "clwork.json is damaged .files.0: not a plain file name"),
        (edit(CONFIG, transformers_weights="../outside/a.safetensors"), "'transformers_weights'"),
        (edit(SETTINGS, init_inputs=["/etc/passwd"]), "init_inputs.*files elsewhere"),
        (lambda folder, outside: free(folder / CONFIG).symlink_to("/dev/zero"), OUT),
    ],
    "damage is named": [
        (cut(WEIGHTS), "model.safetensors is no whole safetensors file.*download it again"),
        (cut(HEAD), "head.safetensors is no whole safetensors file"),
        (write(WEIGHTS, b"version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"),
        (weights(lambda t: t * float("nan")), "hold NaN or infinity.*a copy"),
        (weights(lambda t: t * float("nan"), HEAD), "hold NaN or infinity"),
        (weights(lambda t: t[:8]), r"of shape \(8, .*config.json describes"),
        (edit(CONFIG, vocab_size=10**10), "vocab_size=10000000000"),
        (cut(CONFIG), "config.json is damaged JSON .*from its source again"),
        (write(CONFIG, b"[]"), "config.json is damaged JSON .it holds a list"),
        (write(CONFIG, b"[" * 100_000), "config.json is damaged JSON"),
        (edit(CONFIG, is_decoder=True), "is a decoder.*give an encoder"),
        (lambda folder, outside: (folder / TOKENIZER).unlink(), "has no tokenizer: no file of it holds words"),
        (write(TOKENIZER, b"{"), "cannot be loaded"),
        (edit(SETTINGS, pad_token=None), "has no padding token; give an encoder"),
        (edit("clwork.json", pooling="nope"), "clwork.json is damaged .pooling"),
        (edit("clwork.json", format="1"), "clwork.json is damaged .format"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("rule", REFUSED)
def test_a_foreign_folder_is_refused(rule: str, bert_folder: Path, tmp_path: Path) -> None:
    raw = load_encoder(bert_folder, pooling="cls_before_pooler", device="cpu")
    head = ProjectionHead(16, 7, generator=torch.Generator().manual_seed(3))
    Encoder(raw.backbone, raw.tokenizer, name="x", pooling="mean", head=head).save(tmp_path / "good")
    load_encoder(tmp_path / "good", device="cpu")  # guard: the unchanged folder loads
    (canary := tmp_path / "canary").write_text("x")
    os.utime(canary, (1e9, 2e9))
    assert canary.read_text() and canary.stat().st_atime != 1e9, "guard: reading a file shows in its access time"
    found = []
    for number, (change, words) in enumerate(REFUSED[rule]):
        folder, outside = tmp_path / str(number) / "folder", tmp_path / str(number) / "outside"
        shutil.copytree(tmp_path / "good", folder)
        outside.mkdir()
        change(folder, outside)
        for path in outside.iterdir():
            os.utime(path, (1e9, 2e9))
        try:
            load_encoder(folder, device="cpu")
            found.append(f"{words}: loaded")
        except ValueError as error:
            found += [] if re.search(words, str(error)) and len(str(error)) < 1500 else [f"{words}: {error}"]
        found += [f"{words}: {path} was read" for path in outside.iterdir() if path.stat().st_atime != 1e9]
    assert not found, "\n".join(found)


def test_code_that_a_folder_brings_is_not_run(bert_folder: Path, tmp_path: Path) -> None:
    want = load_encoder(bert_folder, pooling="mean", device="cpu").encode(TEXTS).tobytes()
    folder = shutil.copytree(bert_folder, tmp_path / "folder")
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Model: pass\n")
    edit(CONFIG, auto_map={"AutoModel": "evil.Model", "AutoConfig": "evil.Model"}, dtype="load")(folder, tmp_path)
    edit(SETTINGS, vocab_file="/etc/passwd", auto_map={"AutoTokenizer": ["evil.Model", None]})(folder, tmp_path)
    assert load_encoder(folder, pooling="mean", device="cpu").encode(TEXTS).tobytes() == want
    assert not (tmp_path / "ran").exists()


def test_links_inside_a_folder_and_into_the_hubs_cache_are_followed(bert_folder: Path, tmp_path: Path) -> None:
    want = load_encoder(bert_folder, device="cpu").encode(TEXTS).tobytes()
    place = tmp_path / "models--someone--tiny" / "snapshots" / ("ab" * 20)
    place.mkdir(parents=True)
    (blobs := place.parents[1] / "blobs").mkdir()
    for number, path in enumerate(sorted(bert_folder.iterdir())):
        shutil.copyfile(path, blobs / f"{number:040x}")
        (place / path.name).symlink_to(Path("..", "..", "blobs", f"{number:040x}"))
    assert load_encoder(place, device="cpu").encode(TEXTS).tobytes() == want
    shutil.copyfile(bert_folder / CONFIG, tmp_path / CONFIG)
    free(place / CONFIG).symlink_to(tmp_path / CONFIG)
    with pytest.raises(ValueError, match="leads out of its folder"):
        load_encoder(place, device="cpu")
