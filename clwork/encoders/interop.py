"""What ``sentence-transformers`` reads beside a saved transformer, so that it gives the same vectors.

clwork writes these files and reads none of them: its own loading goes by ``clwork.json`` alone. They are in the oldest
form that ``sentence-transformers`` knows, which every release reads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .heads import ProjectionHead
from .parts import Parts
from .pooling import needs_all_layers

CARD = "README.md"
CONFIG, WEIGHTS = "config.json", "model.safetensors"
LIBRARY = "sentence_transformers.models"
MODES = {"cls": "cls_token", "cls_before_pooler": "cls_token", "max": "max_tokens"}  # all others: a mean over tokens
ACTIVATIONS = {
    "tanh": "torch.nn.modules.activation.Tanh",
    "gelu": "torch.nn.modules.activation.GELU",
    "relu": "torch.nn.modules.activation.ReLU",
    "none": "torch.nn.modules.linear.Identity",
}
FOLDERS = {"1_Pooling", "2_Dense", "1_WeightedLayerPooling", "2_Pooling", "3_Dense"}


class Module(NamedTuple):
    """One step of a ``SentenceTransformer`` after the transformer: its class, its settings and its weights."""

    kind: str
    settings: dict[str, Any]
    weights: dict[str, Tensor]


def reason_against(encoder: Parts) -> str | None:
    """Why ``sentence-transformers`` could not give the encoder's vectors; None where it can."""
    from transformers import PreTrainedModel

    if not isinstance(encoder.backbone, PreTrainedModel):
        return f"it is a {type(encoder.backbone).__name__}, a kind of model that neither of them has"
    sides = {getattr(encoder.tokenizer, f"{what}_side", "right") for what in ("padding", "truncation")}
    if sides != {"right"}:
        return "its tokenizer pads or cuts on the left, where clwork does so on the right"
    backend = getattr(encoder.tokenizer, "backend_tokenizer", None)
    if backend is not None and any(backend.encode("a").type_ids):
        return "its tokenizer numbers segments from 1 on, and clwork gives the model none"
    return None


def modules(encoder: Parts) -> Iterator[Module]:
    """The steps after the transformer, in their order.

    Raises:
        ValueError: the encoder is of a kind that ``sentence-transformers`` cannot express.
    """
    reason = reason_against(encoder)
    if reason is not None:
        raise ValueError(f"encoder {encoder.name!r} cannot be written for sentence-transformers: {reason}; use clwork")
    width = encoder.hidden_dim
    if needs_all_layers(encoder.pooling):
        backbone: Any = encoder.backbone
        count = int(backbone.config.num_hidden_layers)
        first = count - 1 if encoder.pooling == "last2" else encoder.first_layer
        weights = torch.zeros(count + 1 - first)  # a mean of two layers' means is the mean of the layers' mean
        weights[0] += 1
        weights[-1] += 1
        about = {"word_embedding_dimension": width, "num_hidden_layers": count, "layer_start": first}
        yield Module("WeightedLayerPooling", about, {"layer_weights": weights})
    chosen = MODES.get(encoder.pooling, "mean_tokens")
    flags = {f"pooling_mode_{mode}": mode == chosen for mode in ("cls_token", "mean_tokens", "max_tokens")}
    yield Module("Pooling", {"word_embedding_dimension": width, **flags}, {})
    head = encoder.head
    if isinstance(head, ProjectionHead) and encoder.pooling != "cls_before_pooler":
        sizes = {"in_features": head.dim, "out_features": head.out, "bias": True}
        parts = {f"linear.{name}": part.detach().cpu().contiguous() for name, part in head.dense.named_parameters()}
        yield Module("Dense", sizes | {"activation_function": ACTIVATIONS[head.activation]}, parts)


def write_modules(encoder: Parts, folder: Path) -> None:
    """Write ``modules.json``, a folder for each step, and a card; where the vectors would differ, the card alone."""
    reason = reason_against(encoder)
    (folder / CARD).write_text(_card(encoder, reason), encoding="utf-8")
    if reason is not None:
        return
    layers = {"config_args": {"output_hidden_states": True}} if needs_all_layers(encoder.pooling) else {}
    _write_json(folder / "sentence_bert_config.json", {"max_seq_length": encoder.max_length, **layers})
    listed = [{"idx": 0, "name": "0", "path": "", "type": f"{LIBRARY}.Transformer"}]
    for number, (kind, settings, weights) in enumerate(modules(encoder), start=1):
        place = folder / f"{number}_{kind}"
        place.mkdir()
        _write_json(place / CONFIG, settings)
        if weights:
            _save(weights, place / WEIGHTS)
        listed.append({"idx": number, "name": str(number), "path": place.name, "type": f"{LIBRARY}.{kind}"})
    _write_json(folder / "modules.json", listed)


def is_modules_folder(entry: os.DirEntry[str]) -> bool:
    """Whether a folder of a saved encoder is one that :func:`write_modules` makes, and holds nothing else."""
    if entry.name not in FOLDERS or not entry.is_dir(follow_symlinks=False):
        return False
    inner = list(os.scandir(entry.path))
    return all(file.name in (CONFIG, WEIGHTS) and file.is_file(follow_symlinks=False) for file in inner)


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _save(weights: dict[str, Tensor], path: Path) -> None:
    from safetensors.torch import save_file

    save_file(weights, path)


def _card(encoder: Parts, reason: str | None) -> str:
    head = "without a head" if encoder.dim == encoder.hidden_dim and encoder.head is None else "through its head"
    if encoder.pooling == "cls_before_pooler":
        head = "before any head"
    about = f"Sentences become {encoder.dim} numbers: pooling `{encoder.pooling}`, {head}.\n"
    own = '    import clwork\n\n    clwork.load_encoder("this folder").encode(["a sentence"])\n'
    if reason is not None:
        also = f"`sentence-transformers` and `transformers` cannot load this encoder: {reason}.\n"
    else:
        also = (
            "The same vectors from `sentence-transformers`:\n\n"
            "    from sentence_transformers import SentenceTransformer\n\n"
            '    SentenceTransformer("this folder").encode(["a sentence"])\n\n'
            "`transformers.AutoModel` loads the model beneath: hidden states, before pooling and head.\n"
        )
    library = "clwork" if reason else "sentence-transformers"
    front = f"---\nlibrary_name: {library}\npipeline_tag: sentence-similarity\n---\n"
    return f"{front}\n# A sentence encoder, saved by clwork\n\n{about}\n{own}\n{also}"
