"""A run that is stopped and resumed has the losses and the weights of an uninterrupted one, for every method."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import clwork

from ..encoders.conftest import write_tiny
from ..encoders.test_textcnn import write_vectors
from ..runs import stop_at, weights

CORPUS = [f"the {a} {b} ran {c}" for a in ("big", "hot", "poor") for b in ("cat", "dog", "mat") for c in ("far", "on")]
SHORT: dict[str, Any] = {"steps": 8, "batch_size": 4, "learning_rate": 1e-3, "probe_every": 50, "eval_every": 50}
GCLSR: dict[str, Any] = {"projector": 32, "predictor": 8, "group_dim": 8, "regions": "1,1,1,2,3,4", "filters": 5}
SWITCHES = {"text_augmentation": "eda", "attention": "always", "unknown_words": "resampled", "symmetric": False}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("dclr", {"complementary_steps": 3, "phi_quantile": 0.8}),
    ("self_guided", {"form": "opt1", "frozen_dropout": True}),
    ("gclsr", GCLSR | SWITCHES | {"changed_views": "first"}),
    ("mocoutrl", {"momentum": 0.5}),
]
NIGHTLY: list[tuple[str, dict[str, Any]]] = [
    ("dclr", {"weighting": "self", "phi": 0.5, "noise_scope": "sentence", "augmentation": "token_cutoff"}),
    ("dclr", {"variant": "code", "complementary_steps": 2, "precision": "bfloat16"}),
    ("self_guided", {"form": "base", "precision": "bfloat16"}),
    ("gclsr", GCLSR | {"attention": "always", "precision": "bfloat16", "schedule": "linear"}),
    ("mocoutrl", {"perturb": "coord_std", "precision": "bfloat16", "token_loss": "hinge"}),
]


@pytest.mark.parametrize(
    ("method", "values"), [*CASES, *(pytest.param(*case, marks=pytest.mark.nightly) for case in NIGHTLY)]
)
def test_resumed_equals_uninterrupted(method: str, values: dict[str, Any], tmp_path: Path) -> None:
    encoder: Any = write_tiny(tmp_path / "tiny")
    if method == "gclsr":  # by a name, so that the filters come from the run's seed
        vocabulary = sorted({word for sentence in CORPUS for word in sentence.split()})[:-1]  # "the" is unknown
        path = write_vectors(tmp_path / "few.txt", vocabulary)
        encoder = f"textcnn:{path}"

    def start(name: str) -> clwork.Run:
        settings = SHORT | values
        return clwork.start(method, encoder=encoder, sentences=CORPUS, device="cpu", name=name, **settings)

    whole, cut = start("whole").wait(), stop_at(start("cut"), 3)
    assert (cut.status, cut.step) == ("stopped", 3)
    resumed = clwork.resume(cut.folder)
    assert resumed.step == 8
    expected, found = weights(whole), weights(resumed)
    assert expected.keys() == found.keys()
    assert all(torch.equal(expected[name], found[name]) for name in expected)
    assert (resumed.history["loss"].dropna() == whole.history["loss"].dropna()).all()
    if method == "mocoutrl":  # the guards: what follows the weights, or holds them, has moved
        words = expected["encoder.backbone.embeddings.word_embeddings.weight"]
        assert not torch.equal(expected["dictionary.table"], words)
    if method == "self_guided":
        assert whole.history["distance"].iloc[-1] > 0
    if method == "gclsr":
        assert any("running_mean" in name for name in expected)
