"""Fingerprints are equal for equal encoders, whatever their source, and for no others."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from clwork.encoders import Encoder, ProjectionHead, load_encoder


def made(folder: Path, **other: Any) -> Encoder:
    raw = load_encoder(folder, pooling="cls_before_pooler", device="cpu")
    head = ProjectionHead(16, 7, generator=torch.Generator().manual_seed(3))
    shape: dict[str, Any] = {"pooling": "mean", "head": head}
    return Encoder(raw.backbone, raw.tokenizer, name="made", **(shape | other))


def test_equal_encoders_have_one_fingerprint(
    any_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = made(any_folder)
    want = encoder.fingerprint()
    assert len(want) == 32
    assert int(want, 16) > 0
    encoder.save(tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    monkeypatch.chdir(tmp_path)
    loaded = [load_encoder(name, device="cpu") for name in (tmp_path / "one", "two")]
    loaded[1].save("three")
    others = [
        *loaded,
        load_encoder("three", device="cpu"),
        made(any_folder),
        copy.deepcopy(encoder),
    ]
    assert {other.fingerprint() for other in others} == {want}
    encoder.tokenizer(
        ["a text"], max_length=9, truncation=True, padding="max_length"
    )  # leaves a setting behind
    assert encoder.train().fingerprint() == want


def one_weight(encoder: Encoder) -> Encoder:
    weight = next(encoder.backbone.parameters())
    with torch.no_grad():
        weight.view(-1)[5] = torch.nextafter(weight.view(-1)[5], torch.tensor(torch.inf))
    return encoder


def other_activation(encoder: Encoder) -> Encoder:
    head = ProjectionHead(16, 7, "relu", generator=torch.Generator().manual_seed(3))
    return Encoder(encoder.backbone, encoder.tokenizer, name="made", pooling="mean", head=head)


def half(encoder: Encoder) -> Encoder:
    return encoder.half()


CHANGES: dict[str, Callable[[Encoder], Encoder]] = {
    "a weight": one_weight,
    "the head's activation": other_activation,
    "no head": lambda e: e.without_head("mean"),
    "the pooling": lambda e: Encoder(
        e.backbone, e.tokenizer, name="made", pooling="max", head=e.head
    ),
    "the precision": half,
}


def test_each_change_of_an_encoder_changes_the_fingerprint(
    bert_folder: Path, tmp_path: Path
) -> None:
    found = {"none": made(bert_folder).fingerprint()}
    found |= {name: change(made(bert_folder)).fingerprint() for name, change in CHANGES.items()}
    in_files: dict[str, Callable[[Path, Path], None]] = {
        "a word": lambda folder, _: replace_word(folder, '"cat"', '"kat"'),
        "a rule": lambda folder, _: replace_word(folder, '"lowercase": true', '"lowercase": false'),
    }
    for name, change in in_files.items():
        folder = shutil.copytree(bert_folder, tmp_path / name)
        change(folder, tmp_path)
        found[name] = made(folder).fingerprint()
    assert len(set(found.values())) == len(found), found


def replace_word(folder: Path, old: str, new: str) -> None:
    text = (folder / "tokenizer.json").read_text()
    assert old in text
    (folder / "tokenizer.json").write_text(text.replace(old, new))
