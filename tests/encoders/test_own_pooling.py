"""A pooling and an augmentation of one's own, each registered by one file, wherever clwork offers a choice of them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clwork import lab, methods
from clwork.augmenters import WordAugmentation, register_augmentation
from clwork.augmenters.text import AUGMENTATIONS
from clwork.encoders import Pooling, load_encoder, register_pooling
from clwork.encoders.pooling import KNOWN
from clwork.methods import fields
from clwork.methods.base import Draws

MODULE = """
from clwork.augmenters import WordAugmentation, register_augmentation
from clwork.encoders import Pooling, register_pooling

register_pooling(Pooling("last_token", lambda states, mask: states[range(len(states)), mask.sum(1) - 1]))
register_augmentation(WordAugmentation("backwards", lambda tokens, rate, generator: tokens.ids[::-1], rated=False))
"""
TEXTS = ["A cat sleeps.", "Rain falls on the roof of a house."]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "own_pooling_module.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("own_pooling_module")
    yield
    sys.modules.pop("own_pooling_module")
    KNOWN.pop("last_token", None)
    AUGMENTATIONS.pop("backwards", None)


def choices(method: str, name: str) -> tuple[str, ...]:
    return next(field.choices or () for field in fields(methods.get(method).Config) if field.name == name)


def test_a_pooling_is_loaded_saved_and_loaded_again(own: None, tmp_path: Path) -> None:
    encoder = load_encoder("mini", pooling="last_token", device="cpu")
    want = encoder.encode(TEXTS)
    assert np.abs(want - load_encoder("mini", device="cpu").encode(TEXTS)).max() > 0.01
    assert (0, "last_token") in encoder.layer_grid(TEXTS)
    encoder.save(tmp_path / "saved")
    assert load_encoder(tmp_path / "saved", device="cpu").encode(TEXTS).tobytes() == want.tobytes()
    assert not (tmp_path / "saved" / "modules.json").exists(), "others would take it for a mean"
    del KNOWN["last_token"]
    with pytest.raises(ValueError, match=r"pooling: not one of .*import what registers it"):
        load_encoder(tmp_path / "saved", device="cpu")


@pytest.mark.parametrize(
    ("method", "built_in"),
    [("simcse", ("cls", "mean", "first_last", "last2", "max")), ("mocoutrl", ("mean", "cls_before_pooler", "max"))],
)
def test_a_pooling_is_offered_by_methods_and_their_panels(own: None, method: str, built_in: tuple[str, ...]) -> None:
    assert choices(method, "pooling") == (*built_in, "last_token")
    made: Any = methods.config(method, pooling="last_token")
    assert made.pooling == "last_token"
    panel = lab.panel(method)
    panel.inputs.set("pooling", "last_token")
    assert panel.config()["pooling"] == "last_token"
    del KNOWN["last_token"]
    with pytest.raises(ValueError, match=r"pooling='last_token' is not known; give one of"):
        methods.config(method, pooling="last_token")


def test_an_augmentation_is_offered_by_simcse_and_its_panel(own: None) -> None:
    own_words, of_text = ("delete", "delete_one", "crop", "backwards"), ("synonyms", "eda")
    assert choices("simcse", "augmentation") == ("dropout", *own_words, *of_text)
    panel = lab.panel("simcse")
    panel.inputs.set("augmentation", "backwards")
    assert panel.config()["augmentation"] == "backwards"
    with pytest.raises(ValueError, match=r"augmentation_rate=0.5 would change nothing"):
        methods.config("simcse", augmentation="backwards", augmentation_rate=0.5)
    encoder, generator = load_encoder("mini", device="cpu"), torch.Generator()
    config: Any = methods.config("simcse", augmentation="backwards")
    method: Any = methods.get("simcse")(encoder, config, generator)
    tokens = method.tokenize(TEXTS)
    first, second = method.rows(tokens, Draws(generator, generator))
    assert [row[::-1] for row in second] == first


def test_names_that_clwork_brings_are_refused_and_own_ones_replaced(own: None) -> None:
    for name in ("crop", "dropout", "synonyms"):
        with pytest.raises(ValueError, match=f"there is an augmentation '{name}' already"):
            register_augmentation(WordAugmentation(name, lambda tokens, rate, generator: tokens.ids))
    again = register_augmentation(WordAugmentation("backwards", lambda tokens, rate, generator: tokens.ids))
    assert AUGMENTATIONS["backwards"] is again, "as when a cell runs again"
    with pytest.raises(ValueError, match="there is a pooling 'mean' already"):
        register_pooling(Pooling("mean", KNOWN["max"].function))
    assert register_pooling(Pooling("last_token", KNOWN["max"].function)) is KNOWN["last_token"]
