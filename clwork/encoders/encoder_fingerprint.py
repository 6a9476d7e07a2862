"""The parts that an encoder's vectors follow from, and their fingerprint in 32 hex digits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import torch
from torch import Tensor, nn


class EncoderLike(Protocol):
    """What saving and fingerprints need of :class:`.Encoder`, which imports both and so cannot be imported here."""

    backbone: nn.Module
    tokenizer: Any
    head: nn.Module | None
    pooling: str
    first_layer: int
    max_length: int
    base: str

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def hidden_dim(self) -> int:
        """Width of a token's vector."""

    @property
    def dim(self) -> int:
        """Width of a sentence's vector."""

    def state_dict(self) -> dict[str, Any]:
        """Weights and stored buffers by name."""

    def named_buffers(self) -> Iterator[tuple[str, Tensor]]:
        """All buffers by name, those too that no file stores."""


# What weights do not tell and vectors depend on, or training does. Few and old names: a release of transformers that
# adds a setting must not make another encoder of the same files.
SETTINGS = (
    "model_type",
    "num_attention_heads",
    "hidden_act",
    "layer_norm_eps",
    "hidden_dropout_prob",
    "attention_probs_dropout_prob",
    "activation",
    "rope_parameters",
    "regions",
    "attention",
    "max_position_embeddings",
)
SPECIAL = ("pad_token_id", "cls_token_id", "sep_token_id", "unk_token_id", "mask_token_id")


def fingerprint(encoder: EncoderLike) -> str:
    """32 hex digits (BLAKE2b) over everything that an encoder's vectors follow from.

    That is: all weights and stored buffers with their names, types and shapes, those of the head too; a TextCNN's word
    vectors; pooling and first layer; the settings of the backbone that shape what its weights do; the tokenizer with
    its whole vocabulary and rules. Not part of it: where the encoder came from, its name, its device, and whether it
    trains.

    Equal encoders have equal fingerprints: the same one loaded twice, saved and loaded, copied, moved to a GPU. One
    other weight, vocabulary entry or pooling gives another. It takes about a second for 400 MB of weights.

    >>> from clwork.encoders import load_encoder
    >>> mini = load_encoder("mini")
    >>> mini.fingerprint() == load_encoder("mini").fingerprint() != mini.with_pooling("max").fingerprint()
    True
    """
    digest = hashlib.blake2b(digest_size=16)
    head: Any = encoder.head
    config: Any = encoder.backbone.config
    about = {
        "version": 1,
        "pooling": encoder.pooling,
        "first_layer": encoder.first_layer,
        "max_length": encoder.max_length,
        "head": getattr(head, "activation", None) if head is None or hasattr(head, "activation") else str(head),
        "settings": {name: getattr(config, name, None) for name in SETTINGS},
    }
    digest.update(json.dumps(about, sort_keys=True, default=str).encode())
    for name, tensor in _tensors(encoder):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    for part in _tokenizer(encoder.tokenizer):
        digest.update(part)
    return digest.hexdigest()


def _tensors(encoder: EncoderLike) -> Iterable[tuple[str, Tensor]]:
    """Weights and stored buffers by name; a TextCNN's word vectors, which no file of it stores, as well."""
    found: dict[str, Tensor] = dict(encoder.state_dict())
    if getattr(encoder.backbone, "constants", False):
        found |= dict(encoder.named_buffers())
    return sorted(found.items())


def _tokenizer(tokenizer: Any) -> Iterable[bytes]:
    """Special ids, and the whole state as the tokenizer itself would write it."""
    special = {name: getattr(tokenizer, name, None) for name in SPECIAL}
    yield json.dumps(special, sort_keys=True).encode()
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        if backend.truncation is not None or backend.padding is not None:  # left behind by a call of the tokenizer
            backend = type(backend).from_str(backend.to_str())
            backend.no_truncation()
            backend.no_padding()
        yield backend.to_str().encode("utf-8", "surrogatepass")
    elif hasattr(tokenizer, "state"):
        yield tokenizer.state()
    else:  # written in Python: its rules are code
        yield f"{type(tokenizer).__name__} {tokenizer.special_tokens_map}".encode()
        yield json.dumps(sorted(tokenizer.get_vocab().items())).encode()
