"""A hash of everything that determines an encoder's vectors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from .copies import tensor_bytes

# Settings that vectors or training depend on, in addition to weights. The list is fixed: a setting
# that a later release of transformers adds must not change the fingerprint of the same files.
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
Encoder = Any  # stands for .encoder.Encoder, whose module imports this one


def fingerprint(encoder: Encoder) -> str:
    """Return the hash, BLAKE2b as 32 hex digits; :meth:`.Encoder.fingerprint` describes it."""
    digest = hashlib.blake2b(digest_size=16)

    # Settings. A ProjectionHead is described by its activation, another head by its text.
    head = encoder.head
    head_text = None
    if head is not None:
        head_text = getattr(head, "activation", str(head))
    settings = {
        "version": 1,
        "pooling": encoder.pooling,
        "first_layer": 1,  # of the pooling first_last
        "max_length": encoder.max_length,
        "head": head_text,
        "settings": {name: getattr(encoder.backbone.config, name, None) for name in SETTINGS},
    }
    if encoder.prompt:  # only then, so that fingerprints without a prompt stay those of version 1
        settings["prompt"] = encoder.prompt
    digest.update(json.dumps(settings, sort_keys=True, default=str).encode())

    # Weights and buffers of backbone and head.
    tensors = dict(encoder.state_dict())
    if getattr(encoder.backbone, "constants", False):  # a TextCNN's word vectors are not saved
        tensors.update(encoder.named_buffers())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor_bytes(tensor))

    for state in _tokenizer_state(encoder.tokenizer):
        digest.update(state)
    return digest.hexdigest()


def _tokenizer_state(tokenizer: Any) -> Iterator[bytes]:
    """Yield the ids of the special tokens, then the tokenizer's vocabulary and rules."""
    special = {name: getattr(tokenizer, name, None) for name in SPECIAL}
    yield json.dumps(special, sort_keys=True).encode()
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        # A copy, since a call of the tokenizer may have left truncation or padding on.
        backend = type(backend).from_str(backend.to_str())
        backend.no_truncation()
        backend.no_padding()
        yield backend.to_str().encode("utf-8", "surrogatepass")
    elif hasattr(tokenizer, "state"):  # a WordTokenizer
        yield tokenizer.state()
    else:  # a tokenizer written in Python, whose rules are code
        yield json.dumps(sorted(tokenizer.get_vocab().items())).encode()
