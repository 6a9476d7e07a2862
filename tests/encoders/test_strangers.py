"""Folders from strangers: refused with cause and remedy, and nothing outside of them is read or changed."""

from __future__ import annotations

import json
import os
import re
import shutil
import traceback
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers.models.qwen2.tokenization_qwen2 import PRETOKENIZE_REGEX

from clwork.encoders import Encoder, ProjectionHead, base_of, load_encoder, textcnn
from clwork.encoders.disk.vocabulary import check_rules

from .conftest import TEXTS, write_tiny
from .hostile import HOSTILE, HOSTILE_SAVED, HOSTILE_TEXTCNN, Change, damage, edit
from .test_textcnn import write_vectors

pytestmark = pytest.mark.usefixtures("nothing_hangs")

Seen = dict[str, tuple[bytes, float, float]]


@pytest.fixture(scope="module")
def kinds(bert_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("kinds")
    raw = load_encoder(bert_folder, pooling="cls_before_pooler", device="cpu")
    head = ProjectionHead(16, 7, generator=torch.Generator().manual_seed(3))
    Encoder(raw.backbone, raw.tokenizer, name="x", pooling="first_last", head=head, first_layer=0).save(base / "saved")
    vectors = write_vectors(base / "few.txt")
    textcnn(str(vectors), regions=(1, 2), filters=3, device="cpu").save(base / "textcnn")
    return {"plain": bert_folder, "saved": base / "saved", "textcnn": base / "textcnn"}


def seen(outside: Path) -> Seen:
    """Contents and times of the files that nobody may touch; looking at them does not count."""
    found: Seen = {}
    for path in sorted(outside.iterdir()):
        before = path.stat()
        found[path.name] = (path.read_bytes(), before.st_mtime, before.st_atime)
        os.utime(path, (before.st_atime, before.st_mtime))
    return found


def lay_out(outside: Path) -> Seen:
    """Last read long ago, so that any reading shows."""
    (outside / "canary.txt").write_text("years of work")
    for path in outside.iterdir():
        os.utime(path, (1e9, path.stat().st_mtime))
    return seen(outside)


def refuse(folder: Path, outside: Path, change: Change, words: str) -> None:
    load_encoder(folder, device="cpu")  # not vacuous: before the change it loads
    outside.mkdir()
    change(folder, outside)
    before = lay_out(outside)
    with pytest.raises(ValueError, match=words) as caught:
        load_encoder(folder, device="cpu")
    assert seen(outside) == before
    said = str(caught.value)
    assert len(said) < 1500 and "report above" not in said and re.search(r"[;.] \w", said)  # cause; remedy


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_folder(name: str, kinds: dict[str, Path], tmp_path: Path) -> None:
    refuse(shutil.copytree(kinds["plain"], tmp_path / "folder"), tmp_path / "outside", *HOSTILE[name])


@pytest.mark.parametrize("name", HOSTILE_SAVED)
def test_a_hostile_saved_encoder(name: str, kinds: dict[str, Path], tmp_path: Path) -> None:
    refuse(shutil.copytree(kinds["saved"], tmp_path / "folder"), tmp_path / "outside", *HOSTILE_SAVED[name])


@pytest.mark.parametrize("name", HOSTILE_TEXTCNN)
def test_a_hostile_textcnn(name: str, kinds: dict[str, Path], tmp_path: Path) -> None:
    refuse(shutil.copytree(kinds["textcnn"], tmp_path / "folder"), tmp_path / "outside", *HOSTILE_TEXTCNN[name])


@pytest.mark.parametrize("kind", ["plain", "saved", "textcnn"])
def test_random_damage(kind: str, kinds: dict[str, Path], tmp_path: Path) -> None:
    """Whatever breaks: an encoder that gives finite vectors, or an error of our own."""
    random, outcomes = Random(f"damage {kind}"), {"loaded": 0, "refused": 0}
    for number in range(40):
        folder = shutil.copytree(kinds[kind], tmp_path / str(number))
        done = damage(folder, random)
        try:
            assert np.isfinite(load_encoder(folder, device="cpu").encode(TEXTS)).all(), done
            outcomes["loaded"] += 1
        except (ValueError, FileNotFoundError) as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            assert type(error) in (ValueError, FileNotFoundError) and "/clwork/" in last.filename, (done, error)
            outcomes["refused"] += 1
    assert outcomes["refused"] > 5, outcomes


def test_vectors_elsewhere_are_compared_and_not_shown(kinds: dict[str, Path], tmp_path: Path) -> None:
    """A TextCNN names its vectors; a name that leads to something else tells the reader of the error nothing of it."""
    folder = shutil.copytree(kinds["textcnn"], tmp_path / "folder")
    (tmp_path / "diary.txt").write_text("dear diary today was\n")
    edit("config.json", vectors=str(tmp_path / "diary.txt"))(folder, tmp_path)
    with pytest.raises(ValueError, match=r"diary\.txt.* holds none; put the file") as caught:
        load_encoder(folder, device="cpu")
    assert "today" not in str(caught.value) and caught.value.__cause__ is None


def test_the_canary_would_tell(tmp_path: Path) -> None:
    before = lay_out(tmp_path)
    (tmp_path / "canary.txt").read_text()
    assert seen(tmp_path) != before


def test_what_only_sounds_bad_changes_nothing(bert_folder: Path, tmp_path: Path) -> None:
    """Settings that clwork does not follow are left out where that is all there is to it."""
    want = load_encoder(bert_folder, pooling="mean", device="cpu").encode(TEXTS).tobytes()
    folder = shutil.copytree(bert_folder, tmp_path / "folder")
    evil = f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Model: pass\n"
    (folder / "evil.py").write_text(evil)
    harmless = {"auto_map": {"AutoModel": "evil.Model", "AutoConfig": "evil.Model"}, "return_dict": False}
    harmless |= {"dtype": "load", "torchscript": True, "attn_implementation": "flash_attention_2", "kernel_config": 1}
    edit("config.json", **harmless)(folder, tmp_path)
    edit("tokenizer_config.json", vocab_file="/etc/passwd", tokenizer_file="/nowhere")(folder, tmp_path)
    again = load_encoder(folder, pooling="mean", device="cpu")
    assert again.encode(TEXTS).tobytes() == want and not (tmp_path / "ran").exists()


def test_links_inside_of_the_folder_are_followed(bert_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(bert_folder, tmp_path / "folder")
    (folder / "files").mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        shutil.move(folder / name, folder / "files" / name)
        (folder / name).symlink_to(Path("files") / name)
    (tmp_path / "by_link").symlink_to(folder)  # the name that the user gives may be a link
    want = load_encoder(bert_folder, device="cpu").encode(TEXTS).tobytes()
    assert load_encoder(tmp_path / "by_link", device="cpu").encode(TEXTS).tobytes() == want


def snapshot(cache: Path, model: Path) -> Path:
    """A model as the hub's client keeps it: links of a snapshot to blobs."""
    kept = cache / "models--someone--tiny"
    place = kept / "snapshots" / ("ab" * 20)
    for folder in (place, kept / "blobs", kept / "refs"):
        folder.mkdir(parents=True)
    (kept / "refs" / "main").write_text("ab" * 20)
    for number, path in enumerate(sorted(model.iterdir())):
        blob = kept / "blobs" / f"{number:040x}"
        shutil.copyfile(path, blob)
        (place / path.name).symlink_to(Path("..", "..", "blobs", blob.name))
    return place


def test_a_snapshot_of_the_hubs_cache_by_path(bert_folder: Path, tmp_path: Path) -> None:
    place = snapshot(tmp_path, bert_folder)
    want = load_encoder(bert_folder, device="cpu").encode(TEXTS).tobytes()
    assert load_encoder(place, device="cpu").encode(TEXTS).tobytes() == want
    other = tmp_path / "models--someone--other" / "blobs"
    other.mkdir(parents=True)
    shutil.copyfile(bert_folder / "config.json", other / "config.json")
    (place / "config.json").unlink()
    (place / "config.json").symlink_to(other / "config.json")
    with pytest.raises(ValueError, match="leads out of its folder"):
        load_encoder(place, device="cpu")


def test_a_model_of_the_hubs_cache_by_name(bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    place = snapshot(tmp_path, bert_folder)
    want = load_encoder(bert_folder, device="cpu")
    again = load_encoder("someone/tiny", device="cpu")
    assert again.encode(TEXTS).tobytes() == want.encode(TEXTS).tobytes() and again.base == "someone/tiny"
    (place / "tokenizer.json").unlink()
    with pytest.raises(ValueError, match=r"someone/tiny has no tokenizer"):
        load_encoder("someone/tiny", device="cpu")


def test_shards(bert_folder: Path, tmp_path: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    AutoModel.from_pretrained(bert_folder).save_pretrained(tmp_path, max_shard_size="8KB")
    AutoTokenizer.from_pretrained(bert_folder).save_pretrained(tmp_path)
    assert len(list(tmp_path.glob("model-*.safetensors"))) > 2
    want = load_encoder(bert_folder, device="cpu").encode(TEXTS).tobytes()
    assert load_encoder(tmp_path, device="cpu").encode(TEXTS).tobytes() == want
    shard = sorted(tmp_path.glob("model-*.safetensors"))[0]
    shutil.move(shard, tmp_path.parent / f"{tmp_path.name}.safetensors")
    shard.symlink_to(tmp_path.parent / f"{tmp_path.name}.safetensors")
    with pytest.raises(ValueError, match="leads out of its folder"):
        load_encoder(tmp_path, device="cpu")


def test_names_of_the_kind_that_older_checkpoints_have(bert_folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(bert_folder, tmp_path / "old")
    tensors = {f"bert.{name}": tensor for name, tensor in load_file(folder / "model.safetensors").items()}
    tensors["bert.embeddings.position_ids"] = torch.arange(24)[None]  # a buffer that was once stored
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    want = load_encoder(bert_folder, pooling="cls", device="cpu").encode(TEXTS).tobytes()
    assert load_encoder(folder, pooling="cls", device="cpu").encode(TEXTS).tobytes() == want


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        (None, TypeError, "name is text or a path, got None"),
        (5, TypeError, "got 5 .int"),
        (b"mini", TypeError, "bytes"),
        ("", ValueError, "is no name of an encoder"),
        (" ", ValueError, "is no name of an encoder"),
        ("a\0b", ValueError, "is no name of an encoder"),
    ],
)
def test_what_is_no_name(name: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        load_encoder(name)


def test_a_file_or_a_broken_link_in_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(FileNotFoundError, match="is a file, no folder; give a folder"):
        load_encoder(tmp_path / "file")
    with pytest.raises(FileNotFoundError, match="is a link that leads nowhere, no folder"):
        load_encoder(tmp_path / "circle")


@pytest.mark.parametrize(
    ("device", "error", "words"),
    [
        ("nope", ValueError, "device='nope' cannot be used"),
        (5, TypeError, "device=5"),
        ("cuda:99", ValueError, "here"),
        ("meta", ValueError, "device='meta' holds no numbers"),
    ],
)
def test_a_device_that_is_none(device: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        load_encoder("mini", device=device)


@pytest.mark.parametrize(
    ("seed", "error", "words"),
    [
        ("x", TypeError, "seed='x'"),
        (1.5, TypeError, "seed=1.5"),
        (True, TypeError, "seed=True"),
        (1 << 70, ValueError, "seed=.* is out of range; give an int from 0 to 4294967295"),
    ],
)
def test_a_seed_that_is_none(seed: Any, error: type[Exception], words: str, tmp_path: Path) -> None:
    vectors = write_vectors(tmp_path / "few.txt")
    with pytest.raises(error, match=words):
        load_encoder(f"textcnn:{vectors}", seed=seed)


def test_numpys_numbers_are_numbers(tmp_path: Path) -> None:
    vectors = str(write_vectors(tmp_path / "few.txt"))
    made = textcnn(vectors, regions=np.array([1, 2]), filters=np.int32(3), seed=np.int64(4), device="cpu")  # type: ignore[arg-type]
    same = textcnn(vectors, regions=(1, 2), filters=3, seed=4, device="cpu")
    assert made.encode(TEXTS).tobytes() == same.encode(TEXTS).tobytes()
    made.save(tmp_path / "saved")
    assert load_encoder(tmp_path / "saved", device="cpu").fingerprint() == made.fingerprint()


def test_base_of_a_strangers_folder(bert_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(bert_folder, tmp_path / "folder")
    os.mkfifo(folder / "clwork.json")
    with pytest.raises(ValueError, match="FIFO"):
        base_of(folder)


def test_a_new_tiny_model_is_no_stranger(tmp_path: Path) -> None:
    """The table above refuses the change that was made, not small models as such."""
    for kind in ("bert", "roberta", "distilbert"):
        assert np.isfinite(load_encoder(write_tiny(tmp_path / kind, kind), pooling="mean").encode(TEXTS)).all()


def test_rules_of_published_tokenizers_are_run() -> None:
    """As ALBERT, RoBERTa, Llama, Qwen, XLM-R and BERT have them, by the library's own classes."""
    normal, before, after, back = normalizers, pre_tokenizers, processors, decoders
    albert = [normal.Replace("``", '"'), normal.Replace("''", '"'), normal.NFKD(), normal.StripAccents()]
    albert += [normal.Lowercase(), normal.Replace(Regex(" {2,}"), " ")]
    known: list[dict[str, Any]] = [
        {"normalizer": normal.Sequence(albert), "pre_tokenizer": before.Metaspace(), "decoder": back.Metaspace()},
        {"pre_tokenizer": before.ByteLevel(), "post_processor": after.ByteLevel(), "decoder": back.ByteLevel()},
        {
            "normalizer": normal.Sequence([normal.Prepend("▁"), normal.Replace(" ", "▁")]),
            "decoder": back.Sequence([back.Replace("▁", " "), back.ByteFallback(), back.Fuse(), back.Strip(" ", 1, 0)]),
        },
        {
            "normalizer": normal.NFC(),
            "pre_tokenizer": before.Sequence(
                [before.Split(Regex(PRETOKENIZE_REGEX), "isolated"), before.ByteLevel(use_regex=False)]
            ),
        },
        {
            "pre_tokenizer": before.Sequence([before.WhitespaceSplit(), before.Punctuation(), before.Digits()]),
            "post_processor": after.RobertaProcessing(("</s>", 2), ("<s>", 0)),
        },
        {
            "normalizer": normal.BertNormalizer(),
            "pre_tokenizer": before.BertPreTokenizer(),
            "post_processor": after.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)]),
            "decoder": back.WordPiece(),
        },
    ]
    for parts in known:
        made = Tokenizer(models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
        for name, part in parts.items():
            setattr(made, name, part)
        check_rules(json.loads(made.to_str()), Path("tokenizer.json"))
