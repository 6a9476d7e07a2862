"""A user's augmentation, registered in one file, is available wherever clwork offers augmentations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

from clwork import lab, methods
from clwork.augmenters import register_augmentation
from clwork.augmenters.words import AUGMENTATIONS, WordAugmentation
from clwork.encoders import load_encoder
from clwork.methods import fields
from clwork.methods.base import Draws

TEXTS = ["A cat sleeps.", "Rain falls on the roof of a house."]


@pytest.fixture
def own() -> Iterator[None]:
    register_augmentation(WordAugmentation("backwards", lambda tokens, rate, generator: tokens.ids[::-1], rated=False))
    yield
    AUGMENTATIONS.pop("backwards", None)


def test_an_augmentation_is_offered_by_simcse_and_its_panel(own: None) -> None:
    choices = next(field.choices for field in fields(methods.get("simcse").Config) if field.name == "augmentation")
    own_words, of_text = ("delete", "delete_one", "crop", "backwards"), ("synonyms", "eda")
    assert choices == ("dropout", *own_words, *of_text)
    panel = lab.panel("simcse")
    panel.apply_settings("simcse augmentation=backwards")
    assert panel.config()["augmentation"] == "backwards"
    with pytest.raises(ValueError, match=r"augmentation_rate=0.5 has no effect"):
        methods.config("simcse", augmentation="backwards", augmentation_rate=0.5)
    encoder, generator = load_encoder("mini", device="cpu"), torch.Generator()
    config: Any = methods.config("simcse", augmentation="backwards")
    method: Any = methods.get("simcse")(encoder, config, generator)
    tokens = method.tokenize(TEXTS)
    first, second = method.rows(tokens, Draws(generator, generator))
    assert [row[::-1] for row in second] == first


def test_built_in_names_are_refused_and_own_ones_replaced(own: None) -> None:
    for name in ("crop", "dropout", "synonyms"):
        with pytest.raises(ValueError, match=f"there is already an augmentation '{name}'"):
            register_augmentation(WordAugmentation(name, lambda tokens, rate, generator: tokens.ids))
    again = register_augmentation(WordAugmentation("backwards", lambda tokens, rate, generator: tokens.ids))
    assert AUGMENTATIONS["backwards"] is again, "as when a cell runs again"
