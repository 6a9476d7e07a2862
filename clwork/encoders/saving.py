"""Save an encoder for transformers, sentence-transformers and clwork."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
from pydantic import BaseModel
from torch import Tensor

from .. import _validation, hub
from ..disk import DRAFT, disk_errors
from .heads import ACTIVATIONS, DeclaredModules, ProjectionHead
from .pooling import DECLARED, known_pooling

WEIGHTS = "model.safetensors"
META, HEAD, CARD = "clwork.json", "head.safetensors", "README.md"
MODULES = "modules.json"  # the list of modules in a folder of sentence-transformers
ABOUT = "config_sentence_transformers.json"
MODULES_HEAD: Literal["modules"] = "modules"  # in clwork.json: the folder's modules are the head
FORMAT = 1
# The oldest names of sentence-transformers' modules and settings, which every release accepts.
LIBRARY = "sentence_transformers.models"
POOLING_FLAGS = {
    "cls": "pooling_mode_cls_token",
    "mean": "pooling_mode_mean_tokens",
    "max": "pooling_mode_max_tokens",
}
Encoder = Any  # stands for .encoder.Encoder, whose module imports this one


class HeadSpec(BaseModel):
    """Shape of a :class:`.ProjectionHead`."""

    kind: Literal["projection"] = "projection"
    dim: int
    out: int
    activation: str


class Metadata(BaseModel):
    """Content of ``clwork.json``.

    ``made_from`` is the pre-trained model, ``files`` are the names that clwork wrote.
    """

    format: int = FORMAT
    made_from: str
    pooling: str
    first_layer: int
    head: HeadSpec | Literal["modules"] | None
    prompt: str = ""
    files: list[str]


def save_encoder(encoder: Encoder, folder: str | Path) -> None:
    """Write the encoder next to ``folder``, then replace the folder in one step."""
    folder = _validation.path("folder", folder).resolve()
    _refuse_foreign_files(folder)
    if not isinstance(encoder.head, ProjectionHead | DeclaredModules | None):
        kind = type(encoder.head).__name__
        raise TypeError(
            f"a head of type {kind} cannot be saved; use clwork.encoders.ProjectionHead"
        )
    size = sum(weights.nbytes for weights in encoder.state_dict().values())
    with disk_errors(folder, needs=size):
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}{DRAFT}")
        draft.mkdir()
        try:
            _write(encoder, draft)
            _replace(folder, draft)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def replaced(folder: Path) -> Path:
    """Return the path to which a save moves the old encoder, until the new one is in place."""
    return folder.parent / f".{folder.name}.old"


def _replace(folder: Path, draft: Path) -> None:
    """Rename ``draft`` to ``folder``; after a kill in between, the old one is still found."""
    old = replaced(folder)
    if folder.exists():
        shutil.rmtree(old, ignore_errors=True)
        os.rename(folder, old)
    try:
        os.rename(draft, folder)
    except OSError:
        if old.is_dir():
            os.rename(old, folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _refuse_foreign_files(folder: Path) -> None:
    """Raise FileExistsError if the folder holds files that clwork did not write."""
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"{folder} is a file; give the path of a folder")
    metadata = read_metadata(folder)
    written = set() if metadata is None else set(metadata.files)
    present = {path.name for path in folder.iterdir()} if folder.exists() else set()
    foreign = sorted(present - written)
    if foreign:
        raise FileExistsError(
            f"{folder} holds files that clwork did not write ({foreign[0]}); give another folder"
        )


def _write(encoder: Encoder, folder: Path) -> None:
    """Write all files of an encoder; ``clwork.json`` lists them."""
    with hub.quiet():
        encoder.backbone.save_pretrained(folder)
        encoder.tokenizer.save_pretrained(folder)
    head: HeadSpec | Literal["modules"] | None = None
    if isinstance(encoder.head, ProjectionHead):
        save_weights(encoder.head.state_dict(), folder / HEAD)
        shape = encoder.head
        head = HeadSpec(dim=shape.dim, out=shape.out, activation=shape.activation)
    elif encoder.uses_head:
        head = MODULES_HEAD
    is_transformer = not hasattr(encoder.backbone, "constants")  # else a TextCNN
    (folder / CARD).write_text(_card(encoder, is_transformer), encoding="utf-8")
    if is_transformer:
        _write_modules(encoder, folder)
    metadata = Metadata(
        made_from=Path(encoder.base).name if Path(encoder.base).is_dir() else encoder.base,
        pooling=encoder.pooling,
        first_layer=encoder.first_layer,
        head=head,
        prompt=encoder.prompt,
        files=sorted([*(path.name for path in folder.iterdir()), META]),
    )
    (folder / META).write_text(metadata.model_dump_json(indent=1) + "\n", encoding="utf-8")


def write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def save_weights(weights: dict[str, Tensor], path: Path) -> None:
    from safetensors.torch import save_file

    save_file({name: tensor.detach().cpu().contiguous() for name, tensor in weights.items()}, path)


class Module(NamedTuple):
    """A module of sentence-transformers: its class, settings and weights."""

    kind: str
    settings: dict[str, Any]
    weights: dict[str, Tensor]


def _write_modules(encoder: Encoder, folder: Path) -> None:
    """Write the files from which sentence-transformers makes modules that compute equal vectors."""
    pooling = known_pooling(encoder.pooling)
    transformer: dict[str, Any] = {"max_seq_length": encoder.max_length}
    if pooling.needs_all_layers:
        transformer["config_args"] = {"output_hidden_states": True}
    write_json(folder / "sentence_bert_config.json", transformer)
    modules = [] if pooling is DECLARED else _pooling_modules(encoder)
    head = encoder.head if encoder.uses_head else None
    if isinstance(head, ProjectionHead):
        modules.append(_dense_module(head))
    listed = [{"idx": 0, "name": "0", "path": "", "type": f"{LIBRARY}.Transformer"}]
    for kind, settings, weights in modules:
        place = _list_module(listed, folder, f"{LIBRARY}.{kind}")
        write_json(place / "config.json", settings)
        if weights:
            save_weights(weights, place / WEIGHTS)
    truncate_dim = None
    if isinstance(head, DeclaredModules):
        truncate_dim = head.truncate_dim
        for step in head.steps:
            own: Any = step
            kind = f"{type(own).__module__}.{type(own).__name__}"
            own.save(str(_list_module(listed, folder, kind)))
    write_json(folder / MODULES, listed)
    if encoder.prompt or truncate_dim is not None:
        prompts = {"prompts": {"default": encoder.prompt}, "default_prompt_name": "default"}
        write_json(folder / ABOUT, {**prompts, "truncate_dim": truncate_dim})


def _list_module(listed: list[dict[str, Any]], folder: Path, kind: str) -> Path:
    """Append a module to the list; return its new folder."""
    number = len(listed)
    path = folder / f"{number}_{kind.rpartition('.')[2]}"
    path.mkdir()
    listed.append({"idx": number, "name": str(number), "path": path.name, "type": kind})
    return path


def _pooling_modules(encoder: Encoder) -> list[Module]:
    """Return the modules that pool as the encoder does; the first averages layers, if it does."""
    pooling = known_pooling(encoder.pooling)
    width = {"word_embedding_dimension": encoder.hidden_dim}
    modules = []
    if pooling.needs_all_layers:
        count = int(encoder.backbone.config.num_hidden_layers)
        weights = torch.zeros(count + 1, dtype=torch.float32)
        for layer in pooling.indices(count + 1, encoder.first_layer):
            weights[layer] += 1
        settings = {**width, "num_hidden_layers": count, "layer_start": 0}
        modules.append(Module("WeightedLayerPooling", settings, {"layer_weights": weights}))
    flags = {flag: mode == pooling.mode for mode, flag in POOLING_FLAGS.items()}
    return [*modules, Module("Pooling", {**width, **flags}, {})]


def _dense_module(head: ProjectionHead) -> Module:
    """Return a projection head as sentence-transformers' ``Dense``."""
    activation = ACTIVATIONS[head.activation]
    settings = {
        "in_features": head.dim,
        "out_features": head.out,
        "bias": True,
        "activation_function": f"{activation.__module__}.{activation.__name__}",
    }
    weights = {f"linear.{name}": part for name, part in head.dense.named_parameters()}
    return Module("Dense", settings, weights)


def _card(encoder: Encoder, is_transformer: bool) -> str:
    """Return the model card."""
    library = "sentence-transformers" if is_transformer else "clwork"
    others = "`SentenceTransformer(folder)` returns the same vectors, `AutoModel` the same states."
    if not is_transformer:
        others = "`sentence-transformers` and `transformers` cannot load a TextCNN of clwork."
    return (
        f"---\nlibrary_name: {library}\npipeline_tag: sentence-similarity\n---\n\n"
        f"# A sentence encoder of clwork: pooling `{encoder.pooling}`, {encoder.dim} numbers\n\n"
        f'    clwork.load_encoder("this folder").encode(["a sentence"])\n\n{others}\n'
    )


def read_metadata(folder: Path) -> Metadata | None:
    """Read ``clwork.json``; None without it, or if sentence-transformers saved the folder later."""
    path, about = folder / META, folder / ABOUT
    if not path.is_file() or (about.is_file() and "__version__" in about.read_text("utf-8")):
        return None
    return Metadata.model_validate_json(path.read_text("utf-8"))


def read_head(folder: Path, metadata: Metadata) -> ProjectionHead | None:
    """Load the head that :func:`save_encoder` wrote."""
    from safetensors.torch import load_file

    shape = metadata.head
    if not isinstance(shape, HeadSpec):
        return None
    head = ProjectionHead(shape.dim, shape.out, shape.activation, generator=torch.Generator())
    head.load_state_dict(load_file(folder / HEAD))
    return head
