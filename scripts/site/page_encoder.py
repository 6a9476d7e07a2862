"""The page on which a reader types two sentences: raw and trained encoder run in the browser, without a kernel.

The raw encoder's weights have 8 bits each, the trained encoder's are their differences to these, in 4 bits each.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

import clwork
from clwork.arithmetic import unit_rows
from clwork.encoders import Encoder
from clwork.lab.page.standalone import page
from clwork.lab.playground.comparison import quantiles_of_pairs
from clwork.projections import PcaBasis

MODULE = Path(__file__).with_name("encoder.js")
STEPS, SEED = 150, 0  # of the SimCSE run whose encoder is shown
SENTENCES = 2000  # among which neighbours are searched
EXAMPLES = ("The river is frozen in winter.", "In the cold months ice covers the stream.")
PIECE = 480_000  # characters of a file of weights
TABLES = ("word_embeddings", "position_embeddings", "token_type_embeddings")
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
Floats = NDArray[np.float32]


def trained_encoder(raw: Encoder) -> Encoder:
    """The encoder of a short SimCSE run from ``raw``; takes about a minute on two cores."""
    with TemporaryDirectory() as folder:
        return clwork.train("simcse", encoder=raw, steps=STEPS, seed=SEED, folder=Path(folder) / "run").encoder


def write_page_encoder(folder: Path, raw: Encoder, trained: Encoder, name: str, sentences: list[str]) -> None:
    """Write ``index.html`` and the files of weights that it loads, ``weights-0.js`` and so on."""
    columns = [
        (f"{raw.name}, [CLS]", 0, "cls_before_pooler", raw),
        (f"{raw.name}, mean of first and last layer", 0, "first_last", raw),
        (f"{name}, [CLS]", 1, "cls_before_pooler", trained),
    ]
    order, content = packed(raw, trained)
    text = encoded(content)
    pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
    config: Any = raw.backbone.config
    state = {
        "columns": [
            {"title": title, "encoder": place, "pooling": pooling, **column(encoder.with_pooling(pooling), sentences)}
            for title, place, pooling, encoder in columns
        ],
        "texts": sentences,
        "examples": list(EXAMPLES),
        "shape": {
            "layers": config.num_hidden_layers,
            "heads": config.num_attention_heads,
            "width": config.hidden_size,
            "inner": config.intermediate_size,
            "epsilon": config.layer_norm_eps,
            "pieces": raw.max_length,
            "first": raw.first_layer,
        },
        "vocabulary": vocabulary(raw),
        "order": order,
        "size": len(content),
        "pieces": len(pieces),
    }
    document = page(MODULE, state, "Two sentences, three encoders")
    folder.mkdir(parents=True, exist_ok=True)
    with_files = document.replace("script-src 'unsafe-inline'", "script-src 'unsafe-inline' 'self' file:")
    (folder / "index.html").write_text(with_files, encoding="utf-8")
    for number, piece in enumerate(pieces):
        (folder / f"weights-{number}.js").write_text(f"clworkPiece({number},{json.dumps(piece)})\n", encoding="utf-8")


def column(encoder: Encoder, sentences: list[str]) -> dict[str, Any]:
    """One representation: vectors in 8 bits, the plane of their cloud, cosines of random pairs."""
    rows = unit_rows(encoder.encode(sentences)).astype(np.float32)
    basis = PcaBasis.fit(rows)
    levels, _ = rounded(rows, 127)
    return {
        "vectors": encoded(levels.tobytes()),
        "mean": encoded(basis.centre.astype("<f4").tobytes()),
        "axes": encoded(basis.axes.astype("<f4").tobytes()),
        "share": round(sum(basis.share), 4),
        "quantiles": quantiles_of_pairs(rows),
        "examples": encoded(unit_rows(encoder.encode(list(EXAMPLES))).astype("<f4").tobytes()),
    }


def tensors(encoder: Encoder) -> Iterator[tuple[str, Floats, bool]]:
    """Name, values and whether a row has its own scale, in the order in which the page reads them."""
    state: dict[str, Any] = encoder.backbone.state_dict()
    config: Any = encoder.backbone.config
    names = {name: f"embeddings.{name}.weight" for name in TABLES}
    places = {"norm": "embeddings.LayerNorm"}
    for layer in range(config.num_hidden_layers):
        places |= {f"{layer}.{name}": f"encoder.layer.{layer}.{place}" for name, place in LAYER.items()}
    names |= {f"{name}.{part}": f"{place}.{part}" for name, place in places.items() for part in ("weight", "bias")}
    for name, key in names.items():
        values: Floats = state[key].detach().float().cpu().numpy()
        yield name, values, values.ndim == 2


def packed(raw: Encoder, trained: Encoder) -> tuple[list[dict[str, Any]], bytes]:
    """The order of the tensors, and their bytes, compressed.

    A matrix is rows of 8 bits with a scale for each, then the second encoder's differences to these values, in 4 bits
    with a scale for each row; a vector is 32-bit numbers of both. Numbers are little-endian.
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
    """Integers of ``-most`` to ``most`` and a scale for each row; a row of zeros has scale 0.

    >>> rounded(np.array([[0.5, -1.0]], dtype=np.float32), 127)[0].tolist()
    [[64, -127]]
    """
    scales = np.abs(values).max(axis=1) / most
    safe = np.where(scales > 0, scales, 1)
    return np.round(values / safe[:, None]).astype(np.int8), scales.astype(np.float32)


def in_four_bits(levels: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Two integers of -7 to 7 a byte, the first in the low half; a row of odd width ends with a zero."""
    even = np.pad(levels + 8, ((0, 0), (0, levels.shape[1] % 2))).astype(np.uint8)
    return even[:, ::2] | np.left_shift(even[:, 1::2], np.uint8(4))


def vocabulary(encoder: Encoder) -> dict[str, Any]:
    """The WordPiece vocabulary in the order of its numbers, and its special pieces."""
    tokenizer: Any = encoder.tokenizer
    known = tokenizer.get_vocab()
    special = {name: getattr(tokenizer, f"{name}_token_id") for name in ("cls", "sep", "unk")}
    return {"words": sorted(known, key=known.__getitem__), "special": sorted(tokenizer.all_special_tokens), **special}


def encoded(content: bytes) -> str:
    """Base64."""
    return base64.b64encode(content).decode("ascii")
