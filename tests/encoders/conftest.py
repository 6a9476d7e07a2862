"""Tiny encoders with random weights and a tokenizer of a few words, written as folders of
transformers.
"""

from __future__ import annotations

import functools
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch

import clwork
from clwork.encoders import Encoder, ProjectionHead

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS += [
    *"abcdefghijklmnopqrstuvwxyz.,!?'",
    *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"),
]
WORDS += ["the", "cat", "sat", "on", "mat", "dog", "ran", "far", "##ther"]
TEXTS = [
    "the cat sat on the mat",
    "a dog ran",
    "",
    "the dog ran further and farther than the cat, the mat and me!",
    "dog",
]
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
}
WIDTH = 32  # of the small encoder's vectors
_SMALL = TemporaryDirectory(prefix="clwork-small-")  # goes away with the interpreter


def write_tokenizer(folder: Path, **special: str) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    fast: Any = PreTrainedTokenizerFast
    backend = Tokenizer(
        models.WordPiece(vocab={w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]")
    )
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
    } | special
    fast(
        tokenizer_object=backend, mask_token="[MASK]", model_max_length=1000, **names
    ).save_pretrained(folder)


def tiny_config(kind: str) -> Any:
    import transformers

    shared: dict[str, Any] = {"vocab_size": len(WORDS), "pad_token_id": 0}
    if kind == "distilbert":
        return transformers.DistilBertConfig(
            dim=16, n_layers=2, n_heads=2, hidden_dim=32, max_position_embeddings=24, **shared
        )
    return transformers.AutoConfig.for_model(kind, max_position_embeddings=24, **SIZES, **shared)


def write_tiny(folder: Path, kind: str = "bert", auto: str = "AutoModel", seed: int = 0) -> Path:
    import transformers

    torch.manual_seed(seed)
    model = getattr(transformers, auto).from_config(tiny_config(kind))
    _spread(model).save_pretrained(folder)
    write_tokenizer(folder)
    return folder


def _spread(model: Any) -> Any:
    """Enlarge the weights: at BERT's standard deviation of 0.02 all vectors are similar."""
    for name, parameter in model.named_parameters():
        if name.endswith("weight") and parameter.ndim == 2:
            torch.nn.init.normal_(parameter, std=0.3)
    return model


def with_head(folder: Path, pooling: str = "cls", out: int = 7) -> Encoder:
    """Load the transformer of a folder, and give it a head that is not near zero."""
    raw = clwork.load_encoder(folder, pooling="cls_before_pooler", device="cpu")
    head = ProjectionHead(16, out, generator=torch.Generator().manual_seed(3))
    torch.nn.init.normal_(head.dense.weight, std=0.3, generator=torch.Generator().manual_seed(4))
    return raw.with_head(head, pooling).eval()


@functools.cache
def small_encoder() -> str:
    """The folder of an encoder with mini's vocabulary and a twentieth of its weights: a step takes
    about 10 ms.
    """
    import transformers

    folder = Path(_SMALL.name)
    tokenizer: Any = clwork.load_encoder("mini", device="cpu").tokenizer
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        pad_token_id=0,
    )
    _spread(transformers.BertForMaskedLM(config)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session", params=["bert", "roberta", "distilbert"])
def any_folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny(tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(scope="session")
def bert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny(tmp_path_factory.mktemp("bert"))
