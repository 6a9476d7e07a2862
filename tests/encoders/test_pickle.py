"""An encoder that is pickled and read again, in this process or a new one, has equal vectors."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from clwork.encoders import Encoder, load_encoder, textcnn

from .conftest import TEXTS, with_head, write_tiny

KINDS = [
    "bert",
    "roberta",
    "distilbert",
    "textcnn",
    "with head",
    "electra",
    "camembert",
    "xlm-roberta",
]


def of_kind(kind: str, folder: Path) -> Encoder:
    if kind == "textcnn":
        return textcnn(filters=2, device="cpu")
    if kind == "with head":
        return with_head(write_tiny(folder))
    return load_encoder(write_tiny(folder, kind), pooling="cls_before_pooler", device="cpu")


@pytest.mark.parametrize("kind", KINDS)
def test_a_pickle_has_equal_vectors(kind: str, tmp_path: Path) -> None:
    encoder = of_kind(kind, tmp_path)
    right, stream = encoder.encode(TEXTS), io.BytesIO()
    encoder.hidden_states(
        encoder.collate([[1, 2]])
    )  # transformers adds hooks that pickle cannot write
    torch.save(encoder, stream)
    stream.seek(0)
    for read in (pickle.loads(pickle.dumps(encoder)), torch.load(stream, weights_only=False)):
        assert (read.encode(TEXTS) == right).all()
        assert read.fingerprint() == encoder.fingerprint()
        assert read.pooling == encoder.pooling
        assert read.raw == encoder.raw
        with torch.no_grad():
            next(iter(read.layers.parameters())).zero_()
        assert (encoder.encode(TEXTS) == right).all(), "the copy has its own layers"


def test_a_new_process_reads_it(tmp_path: Path) -> None:
    """It has loaded no encoder, so nothing has made the attention known there."""
    encoder = of_kind("bert", tmp_path)
    (tmp_path / "pickled").write_bytes(pickle.dumps(encoder))
    code = "import pickle, sys, numpy; e = pickle.load(open(sys.argv[1], 'rb')); "
    code += "numpy.save(sys.argv[2], e.encode(['a cat']))"
    subprocess.run(
        [sys.executable, "-c", code, tmp_path / "pickled", tmp_path / "found.npy"],
        check=True,
        timeout=60,
    )
    np.testing.assert_allclose(
        np.load(tmp_path / "found.npy"), encoder.encode(["a cat"]), atol=1e-5
    )
