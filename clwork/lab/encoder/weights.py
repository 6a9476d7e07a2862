"""Two BERT encoders in few bytes: one in 8 bits a weight, the other as its difference to it in 4 bits a weight."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers.models import WordPiece

from ..._validation import shown
from ...encoders import Encoder

Floats = NDArray[np.float32]
LAYER = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm2": "output.LayerNorm",
}
TABLES = ("word_embeddings", "position_embeddings", "token_type_embeddings")
PIECE = 480_000  # bytes of text of a piece: a kernel's line takes one at a time


def check_encoder(encoder: Encoder) -> None:
    """Check that the page can run an encoder.

    Raises:
        ValueError: another architecture than BERT's with GELU, or another tokenizer than lower-case WordPiece.
    """
    config: Any = encoder.backbone.config
    kind, activation = getattr(config, "model_type", None), getattr(config, "hidden_act", None)
    if kind != "bert" or activation != "gelu":
        raise ValueError(
            f"encoder {encoder.name!r} is of type {kind!r} with activation {activation!r}; the page computes BERT's "
            "with 'gelu', such as 'mini' and what was trained from it"
        )
    backend = getattr(encoder.tokenizer, "backend_tokenizer", None)
    normalizer = getattr(backend, "normalizer", None)
    if not isinstance(getattr(backend, "model", None), WordPiece) or not getattr(normalizer, "lowercase", False):
        raise ValueError(f"the tokenizer of {encoder.name!r} is no lower-case WordPiece, which the page reads alone")


def check_pair(raw: Encoder, trained: Encoder) -> None:
    """Check that the second encoder can be told as a difference to the first.

    Raises:
        ValueError: other shapes or another vocabulary.
    """
    check_encoder(raw)
    check_encoder(trained)
    shapes = [[(name, table.shape) for name, table, _ in tensors(one)] for one in (raw, trained)]
    if shapes[0] != shapes[1] or raw.tokenizer.get_vocab() != trained.tokenizer.get_vocab():
        raise ValueError(
            f"{trained.name!r} has other layers or another vocabulary than {raw.name!r}; give a run that started from "
            f"it, or its start as raw={trained.base!r}"
        )


def tensors(encoder: Encoder) -> Iterator[tuple[str, Floats, bool]]:
    """Name, values and whether a row is worth a scale of its own, in the order in which the page reads them."""
    state: dict[str, Any] = encoder.backbone.state_dict()

    def taken(name: str) -> Floats:
        values: Floats = state[name].detach().float().cpu().numpy()
        return values

    for name in TABLES:
        yield name, taken(f"embeddings.{name}.weight"), True
    for part in ("weight", "bias"):
        yield f"norm.{part}", taken(f"embeddings.LayerNorm.{part}"), False
    config: Any = encoder.backbone.config
    for layer in range(config.num_hidden_layers):
        for name, place in LAYER.items():
            for part in ("weight", "bias"):
                values = taken(f"encoder.layer.{layer}.{place}.{part}")
                yield f"{layer}.{name}.{part}", values, values.ndim == 2


def packed(raw: Encoder, trained: Encoder) -> tuple[list[dict[str, Any]], bytes]:
    """The order of the tensors, and their bytes, compressed.

    A matrix is rows of 8 bits with a scale for each, then the second encoder's differences to what these rows stand
    for, in 4 bits with a scale for each; a vector is 32-bit numbers of both. Numbers are little-endian.
    """
    order, content = list[dict[str, Any]](), list[bytes]()
    for (name, first, is_matrix), (_, second, _) in zip(tensors(raw), tensors(trained), strict=True):
        rows, columns = first.shape if is_matrix else (1, first.size)
        order.append({"name": name, "rows": rows, "columns": columns, "matrix": is_matrix})
        if not is_matrix:
            content += [first.astype("<f4").tobytes(), second.astype("<f4").tobytes()]
            continue
        levels, scales = rounded(first, 127)
        differences, steps = rounded(second - levels * scales[:, None], 7)
        content += [scales.astype("<f4").tobytes(), levels.tobytes(), steps.astype("<f4").tobytes()]
        content.append(in_four_bits(differences).tobytes())
    return order, gzip.compress(b"".join(content), 9, mtime=0)


def rounded(values: Floats, most: int) -> tuple[NDArray[np.int8], Floats]:
    """Whole numbers of ``-most`` to ``most`` and a scale for each row; a row of zeros has scale 0.

    >>> rounded(np.array([[0.5, -1.0]], dtype=np.float32), 127)[0].tolist()
    [[64, -127]]
    """
    scales = np.abs(values).max(axis=1) / most
    safe = np.where(scales > 0, scales, 1)
    return np.round(values / safe[:, None]).astype(np.int8), scales.astype(np.float32)


def in_four_bits(levels: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Two whole numbers of -7 to 7 a byte, the first in the low half; a row of odd width ends with a zero."""
    even = np.pad(levels + 8, ((0, 0), (0, levels.shape[1] % 2))).astype(np.uint8)
    return even[:, ::2] | np.left_shift(even[:, 1::2], np.uint8(4))


def pieces(content: bytes) -> list[str]:
    """Base64 in pieces, each of a whole number of bytes."""
    text = base64.b64encode(content).decode("ascii")
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


def shape(encoder: Encoder) -> dict[str, Any]:
    """What the page has to know of an encoder besides its weights."""
    config: Any = encoder.backbone.config
    return {
        "layers": config.num_hidden_layers,
        "heads": config.num_attention_heads,
        "width": config.hidden_size,
        "inner": config.intermediate_size,
        "epsilon": config.layer_norm_eps,
        "pieces": encoder.max_length,
        "first": encoder.first_layer,
    }


def vocabulary(encoder: Encoder) -> dict[str, Any]:
    """The WordPiece vocabulary in the order of its numbers, and its special pieces."""
    tokenizer: Any = encoder.tokenizer
    known = tokenizer.get_vocab()
    special = {name: getattr(tokenizer, f"{name}_token_id") for name in ("cls", "sep", "unk")}
    words = sorted(known, key=known.__getitem__)
    if [known[word] for word in words] != list(range(len(words))):
        raise ValueError(f"the vocabulary of {shown(encoder.name)} has gaps in its numbers; save it anew")
    return {"words": words, "aside": sorted(tokenizer.all_special_tokens), **special}
