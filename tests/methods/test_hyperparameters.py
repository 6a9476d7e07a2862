"""Configurations validate their values; errors list the accepted ones."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from clwork import methods
from clwork.augmenters.words import AUGMENTATIONS
from clwork.encoders.pooling import KNOWN
from clwork.methods.hyperparameters import RawPooling, TrainedPooling
from clwork.methods.simcse import SimCSEConfig
from clwork.settings import build

IDLE: list[tuple[str, dict[str, Any], str]] = [
    ("simcse", {"fixed_mask": True, "augmentation": "crop"}, "set augmentation='dropout'"),
    ("simcse", {"augmentation_rate": 0.5}, "set augmentation='delete', 'crop'"),
    ("dclr", {"phi": 0.5, "phi_quantile": 0.9}, "phi_quantile replaces it"),
    ("dclr", {"phi": 0.5, "weighting": "none"}, "nothing is masked"),
    ("dclr", {"phi_quantile": 0.9, "variant": "literal"}, "nothing is masked"),
    ("dclr", {"noise_scope": "sentence", "noise_ratio": 0.0}, "set noise_ratio above 0"),
    ("dclr", {"beta_rel": 1.0, "noise_steps": 0}, "set noise_ratio and noise_steps"),
    ("dclr", {"complementary": "a run", "weighting": "self"}, "no complementary model is used"),
    ("dclr", {"complementary": "a run", "complementary_steps": 9}, "no SimCSE is trained first"),
    ("self_guided", {"variant": "code"}, "set form='opt2'"),
    ("self_guided", {"lam": 0.0, "reg_reduce": "mean"}, "set lam above 0"),
    ("gclsr", {"augmented": 0.0, "background_mode": "code"}, "set augmented above 0"),
    ("gclsr", {"augmented": 0.0, "changed_views": "first"}, "neither view is changed"),
    ("mocoutrl", {"lam": 1.0, "perturb": "radial"}, "set lam below 1"),
    ("mocoutrl", {"token_loss": "code", "perturb": "radial"}, "another token_loss than 'code'"),
    ("mocoutrl", {"lam": 0.0, "long_loss": "literal"}, "set lam above 0"),
]


@pytest.mark.parametrize(("name", "values", "reason"), IDLE)
def test_a_value_that_would_change_nothing_is_refused_with_the_reason(
    name: Any, values: Any, reason: Any
) -> None:
    with pytest.raises(ValueError, match=rf"has no effect: .*{reason}.*; or leave \w+ out"):
        methods.config(name, "bert-base-uncased", **values)


@pytest.mark.parametrize("name", methods.names())
def test_defaults_and_presets_are_accepted_with_all_other_values(name: Any) -> None:
    """Every choice and both ends of every range, with all other values passed explicitly."""
    for encoder in (None, "bert-base-uncased", *methods.get(name).presets):
        usual = vars(methods.config(name, encoder))
        assert vars(methods.config(name, encoder, **usual)) == usual
        for field in methods.fields(methods.get(name).Config):
            ends = [end for end in (field.low, field.high) if end is not None]
            others = field.choices or ((False, True) if field.kind == "bool" else ends)
            for value in others if field.kind != "int" else map(int, others):
                made = build(methods.get(name).Config, usual | {field.name: value})
                if not field.idle(made):
                    methods.config(name, encoder, **usual | {field.name: value})


def test_a_value_that_another_value_enables_is_accepted() -> None:
    assert (
        methods.config("simcse", augmentation="crop", augmentation_rate=0.5).augmentation_rate
        == 0.5
    )
    assert methods.config("dclr", "mini", phi_quantile=0.0, phi=0.5).phi == 0.5
    assert methods.config("dclr", "mini", noise_ratio=0.0).beta_rel > 0, (
        "a preset's value may be idle"
    )
    assert methods.config("mocoutrl", token_loss="code", perturb="none").perturb == "none", (
        "off is off"
    )


def test_choices_name_all_poolings_and_augmentations() -> None:
    choices = {setting.name: setting.choices for setting in methods.fields(SimCSEConfig)}
    with_head = {name for name, pooling in KNOWN.items() if pooling.head != "skipped"}
    without_head = {name for name, pooling in KNOWN.items() if pooling.head != "needed"}
    assert set(get_args(TrainedPooling)) == {"auto", *with_head}
    assert set(get_args(RawPooling)) == {"auto", *without_head}
    assert set(choices["augmentation"] or ()) == {"dropout", "synonyms", *AUGMENTATIONS}
