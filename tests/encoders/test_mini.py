"""The encoder that the package carries."""

from __future__ import annotations

import json

import numpy as np
import pytest

from clwork import hub as hub_client
from clwork.encoders import load_encoder
from clwork.encoders.disk.files import MINI


def test_the_bundled_encoder_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> bool:
        raise AssertionError("the bundled encoder asked for the network")

    monkeypatch.setattr(hub_client, "reachable", never)
    encoder = load_encoder(device="cpu")
    assert (encoder.name, encoder.dim, encoder.pooling, encoder.head) == ("mini", 256, "mean", None)
    vectors = encoder.encode(["The cat sat on the mat.", "a cat is sitting on a mat", "The treaty was signed in 1648."])
    assert np.isfinite(vectors).all()
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert cosines[0, 1] > cosines[0, 2] and cosines[0, 1] > cosines[1, 2]


def test_it_is_small_and_without_pickles() -> None:
    assert (MINI / "model.safetensors").stat().st_size <= 12_000_000
    assert {path.suffix for path in MINI.iterdir()} <= {".json", ".md", ".safetensors"}
    config = json.loads((MINI / "config.json").read_text(encoding="utf-8"))
    assert (config["num_hidden_layers"], config["hidden_size"], config["vocab_size"]) == (4, 256, 8192)


def test_its_raw_cls_has_no_head_to_go_through() -> None:
    with pytest.raises(ValueError, match="'cls_before_pooler' for the raw"):
        load_encoder("mini", pooling="cls")
    assert load_encoder("mini", pooling="cls_before_pooler").dim == 256
