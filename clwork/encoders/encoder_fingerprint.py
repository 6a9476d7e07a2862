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
        """Name in messages."""

    @property
    def hidden_dim(self) -> int:
        """Width of a token's vector."""

    @property
    def dim(self) -> int:
        """Width of a sentence's vector."""

    def state_dict(self) -> dict[str, Any]:
        """Weights and stored buffers by name."""

    def named_buffers(self) -> Iterator[tuple[str, Tensor]]:
        """All buffers by name, including those that are not stored."""


# Settings that vectors or training depend on and weights do not show. Few and old names: a setting that a later
# release of transformers adds must not change the fingerprint of the same files.
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
    """Hash everything that an encoder's vectors follow from to 32 hex digits (BLAKE2b).

    That is: all weights and stored buffers with their names, types and shapes, those of the head too; a TextCNN's word
    vectors; pooling and first layer; the settings of the backbone that shape what its weights do; the tokenizer with
    its whole vocabulary and rules. Origin, name, device and training mode are not part of it.

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
    """List weights and stored buffers by name; also a TextCNN's word vectors, which it does not store."""
    tensors: dict[str, Tensor] = dict(encoder.state_dict())
    if getattr(encoder.backbone, "constants", False):
        tensors |= dict(encoder.named_buffers())
    return sorted(tensors.items())


def _tokenizer(tokenizer: Any) -> Iterable[bytes]:
    """Yield special ids and the whole state as the tokenizer itself serializes it."""
    special = {name: getattr(tokenizer, name, None) for name in SPECIAL}
    yield json.dumps(special, sort_keys=True).encode()
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        if backend.truncation is not None or backend.padding is not None:  # left by another caller
            backend = type(backend).from_str(backend.to_str())
            backend.no_truncation()
            backend.no_padding()
        yield backend.to_str().encode("utf-8", "surrogatepass")
    elif hasattr(tokenizer, "state"):
        yield tokenizer.state()
    else:  # written in Python: its rules are code
        yield f"{type(tokenizer).__name__} {tokenizer.special_tokens_map}".encode()
        yield json.dumps(sorted(tokenizer.get_vocab().items())).encode()
