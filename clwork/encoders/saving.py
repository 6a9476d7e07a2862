"""Save an encoder for transformers, sentence-transformers and clwork.

A folder has these files (those in brackets only if the encoder needs them)::

    config.json, model.safetensors, tokenizer files      the transformer, for all three libraries
    modules.json, 1_Pooling/, [2_Dense/], ...            what comes after it, for
    sentence_bert_config.json,                               sentence-transformers
    [config_sentence_transformers.json]
    clwork.json, [head.safetensors]                      pooling and head, for clwork

A TextCNN has no modules: only clwork can load it.
"""

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
from ..disk import DRAFT
from .heads import ACTIVATIONS, DeclaredModules, ProjectionHead
from .pooling import DECLARED, known_pooling

WEIGHTS = "model.safetensors"
META = "clwork.json"
HEAD = "head.safetensors"
MODULES = "modules.json"  # the list of modules in a folder of sentence-transformers
ABOUT = "config_sentence_transformers.json"  # its prompt, and to which width vectors are truncated
MODULES_HEAD: Literal["modules"] = "modules"  # in clwork.json: the folder's modules are the head
TEXT_CNN = "clwork-textcnn"  # the type of a TextCNN, which sentence-transformers lacks
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

    dim: int
    out: int
    activation: str


class Metadata(BaseModel):
    """Content of ``clwork.json``.

    Attributes:
        made_from: name of the pre-trained model.
        pooling, prompt: those of the :class:`.Encoder`.
        head: shape of a ProjectionHead; ``"modules"`` if the folder's modules of
            sentence-transformers are the head; None without a head.
        files: names of all files and folders that clwork wrote, which a later save may replace.
    """

    made_from: str
    pooling: str
    head: HeadSpec | Literal["modules"] | None
    prompt: str = ""
    files: list[str]


def save_encoder(encoder: Encoder, folder: str | Path) -> None:
    """Write the encoder next to ``folder``, then replace the folder in one step.

    So an error or a kill while writing leaves an earlier encoder as it was.
    """
    folder = _validation.path("folder", folder).resolve()
    refuse_foreign_files(folder)
    if not isinstance(encoder.head, ProjectionHead | DeclaredModules | None):
        head_class = type(encoder.head).__name__
        raise TypeError(
            f"a head of type {head_class} cannot be saved; use clwork.encoders.ProjectionHead"
        )
    draft = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}{DRAFT}")
    draft.mkdir(parents=True)
    try:
        _write(encoder, draft)
        _replace(folder, draft)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _replace(folder: Path, draft: Path) -> None:
    """Rename ``draft`` to ``folder``.

    A folder that is not empty cannot be replaced by one rename: the earlier encoder is moved away
    first, and is still there after a kill between the two renames.
    """
    earlier = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(earlier, ignore_errors=True)
    if folder.exists():
        os.rename(folder, earlier)
    os.rename(draft, folder)
    shutil.rmtree(earlier, ignore_errors=True)


def refuse_foreign_files(folder: Path) -> None:
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
    """Write all files of an encoder to an empty folder; ``clwork.json``, the last, lists them."""
    with hub.quiet():
        encoder.backbone.save_pretrained(folder)
        encoder.tokenizer.save_pretrained(folder)

    saved_head: HeadSpec | Literal["modules"] | None = None
    head = encoder.head
    if isinstance(head, ProjectionHead):  # saved even if the pooling skips it
        save_weights(head.state_dict(), folder / HEAD)
        saved_head = HeadSpec(dim=head.dim, out=head.out, activation=head.activation)
    elif encoder.uses_head:
        saved_head = MODULES_HEAD

    if encoder.backbone.config.model_type != TEXT_CNN:
        _write_modules(encoder, folder)

    base_is_folder = Path(encoder.base).is_dir()
    metadata = Metadata(
        # Of a folder the name alone: a path says more about this machine than about the encoder.
        made_from=Path(encoder.base).name if base_is_folder else encoder.base,
        pooling=encoder.pooling,
        head=saved_head,
        prompt=encoder.prompt,
        files=sorted([*(path.name for path in folder.iterdir()), META]),
    )
    (folder / META).write_text(metadata.model_dump_json(indent=1) + "\n", encoding="utf-8")


def write_json(path: Path, content: object) -> None:
    """Write a file of indented JSON."""
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def save_weights(weights: dict[str, Tensor], path: Path) -> None:
    """Write tensors by name to a file of safetensors."""
    from safetensors.torch import save_file

    save_file({name: tensor.detach().cpu().contiguous() for name, tensor in weights.items()}, path)


class Module(NamedTuple):
    """A module of sentence-transformers: its class, settings and weights."""

    class_name: str
    settings: dict[str, Any]
    weights: dict[str, Tensor]


def _write_modules(encoder: Encoder, folder: Path) -> None:
    """Write the files from which sentence-transformers makes modules that compute equal vectors."""
    pooling = known_pooling(encoder.pooling)
    head = encoder.head if encoder.uses_head else None

    transformer: dict[str, Any] = {"max_seq_length": encoder.max_length}
    if pooling.needs_all_layers:
        transformer["config_args"] = {"output_hidden_states": True}
    write_json(folder / "sentence_bert_config.json", transformer)

    # The modules in the order in which they compute. Those of a folder of sentence-transformers
    # write their own files.
    listed = [{"idx": 0, "name": "0", "path": "", "type": f"{LIBRARY}.Transformer"}]
    modules = [] if pooling is DECLARED else _pooling_modules(encoder)
    if isinstance(head, ProjectionHead):
        modules.append(_dense_module(head))
    for module in modules:
        module_folder = _list_module(listed, folder, f"{LIBRARY}.{module.class_name}")
        write_json(module_folder / "config.json", module.settings)
        if module.weights:
            save_weights(module.weights, module_folder / WEIGHTS)
    if isinstance(head, DeclaredModules):
        for step in head.steps:
            declared: Any = step
            class_name = f"{type(declared).__module__}.{type(declared).__name__}"
            declared.save(str(_list_module(listed, folder, class_name)))
    write_json(folder / MODULES, listed)

    about: dict[str, Any] = {}
    if encoder.prompt:
        about = {"prompts": {"default": encoder.prompt}, "default_prompt_name": "default"}
    if isinstance(head, DeclaredModules):
        about["truncate_dim"] = head.out
    if about:
        write_json(folder / ABOUT, about)


def _list_module(listed: list[dict[str, Any]], folder: Path, class_name: str) -> Path:
    """Append a module to the list; return its new folder, such as ``1_Pooling``."""
    number = len(listed)
    path = folder / f"{number}_{class_name.rpartition('.')[2]}"
    path.mkdir()
    listed.append({"idx": number, "name": str(number), "path": path.name, "type": class_name})
    return path


def _pooling_modules(encoder: Encoder) -> list[Module]:
    """Return the modules that pool as the encoder does; the first averages layers, if it does."""
    pooling = known_pooling(encoder.pooling)
    width = {"word_embedding_dimension": encoder.hidden_dim}
    modules = []
    if pooling.needs_all_layers:
        layers = int(encoder.backbone.config.num_hidden_layers)
        # Layer 0 is the output of the embeddings. A layer that is named twice counts twice, as in
        # a model of one layer.
        weights = torch.zeros(layers + 1, dtype=torch.float32)
        for layer in pooling.layers:
            weights[layer] += 1
        settings = {**width, "num_hidden_layers": layers, "layer_start": 0}
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
    weights = {f"linear.{name}": tensor for name, tensor in head.dense.named_parameters()}
    return Module("Dense", settings, weights)


def read_metadata(folder: Path) -> Metadata | None:
    """Read ``clwork.json``; None without it, or if sentence-transformers saved the folder later.

    That library leaves clwork's file in the folder, which then describes another encoder, but it
    writes its version to ``ABOUT``, as clwork never does.
    """
    path = folder / META
    about = folder / ABOUT
    if not path.is_file():
        return None
    if about.is_file() and "__version__" in about.read_text("utf-8"):
        return None
    return Metadata.model_validate_json(path.read_text("utf-8"))


def read_head(folder: Path, metadata: Metadata) -> ProjectionHead | None:
    """Load the ProjectionHead that :func:`save_encoder` wrote; None if there is no such head."""
    from safetensors.torch import load_file

    shape = metadata.head
    if not isinstance(shape, HeadSpec):
        return None
    head = ProjectionHead(shape.dim, shape.out, shape.activation, generator=torch.Generator())
    head.load_state_dict(load_file(folder / HEAD))
    return head
