"""Save an encoder in the format of transformers, with files for clwork and sentence-transformers."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from pathlib import Path
from typing import Any, Literal

import torch
from pydantic import BaseModel, ConfigDict, PositiveInt
from torch import Tensor

from .. import _validation
from ..disk import DRAFT, disk_errors, is_plain_file, is_plain_folder
from .heads import ACTIVATIONS, DeclaredModules, ProjectionHead
from .model_files import (
    MODULES,
    WEIGHTS,
    loading_errors,
    read_json,
    read_weights,
    replaced,
    suppress_transformers_logs,
)
from .pooling import DECLARED, KNOWN, known_pooling

META, HEAD, CARD = "clwork.json", "head.safetensors", "README.md"
ABOUT = "config_sentence_transformers.json"
MODULES_HEAD: Literal["modules"] = "modules"  # in clwork.json: the folder's modules are the head
FORMAT = 1
# The oldest module names of sentence-transformers, which every release accepts. clwork itself reads only META.
LIBRARY = "sentence_transformers.models"
Encoder = Any  # stands for .encoder.Encoder, whose module imports this one


class HeadSpec(BaseModel):
    """Shape of a :class:`.ProjectionHead`."""

    model_config = ConfigDict(strict=True, extra="forbid")

    kind: Literal["projection"]
    dim: PositiveInt
    out: PositiveInt
    activation: Literal["tanh", "gelu", "relu", "none"]


class Metadata(BaseModel):
    """Content of ``clwork.json``; ``made_from`` is the pre-trained model, ``files`` lists what clwork wrote."""

    model_config = ConfigDict(strict=True, extra="forbid")

    format: int
    made_from: str
    pooling: str
    first_layer: int
    head: HeadSpec | Literal["modules"] | None
    prompt: str = ""
    files: list[str]


def save_encoder(encoder: Encoder, folder: str | Path) -> None:
    folder, head = _validation.path("folder", folder), encoder.head
    if folder.name in ("", ".."):
        folder = folder.resolve()
    folder = folder.parent.resolve() / folder.name
    if folder.is_symlink():
        raise FileExistsError(
            f"{folder} is a link to {os.readlink(folder)}; give the path of a folder, not of a link"
        )
    _validation.not_inside(
        "folder", folder, Path(encoder.name).resolve(), "holds the encoder itself"
    )
    if head is not None and not isinstance(head, ProjectionHead | DeclaredModules):
        raise TypeError(
            f"a head of type {type(head).__name__} cannot be saved; use clwork.encoders.ProjectionHead"
        )
    draft, old = folder.parent / f".{folder.name}.{uuid.uuid4().hex[:8]}{DRAFT}", replaced(folder)
    with disk_errors(
        folder, needs=sum(weights.nbytes for weights in encoder.state_dict().values())
    ):
        folder.parent.mkdir(parents=True, exist_ok=True)
        _refuse_foreign(folder)
        draft.mkdir()
        try:
            _write(encoder, draft)
            if folder.exists():
                if old.is_dir():
                    shutil.rmtree(old)
                os.rename(
                    folder, old
                )  # load_encoder also reads this folder, in case the process is killed here
            try:
                os.rename(draft, folder)
            except OSError:
                if old.is_dir():
                    os.rename(old, folder)
                raise
            shutil.rmtree(old, ignore_errors=True)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _refuse_foreign(folder: Path) -> None:
    """Raise FileExistsError if the folder holds files that clwork did not write."""
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"{folder} is a file; give the path of a folder")
    metadata = read_metadata(folder)
    own = set() if metadata is None else set(metadata.files)
    for path in sorted(folder.iterdir()) if folder.exists() else ():
        inner = list(path.iterdir()) if is_plain_folder(path) else [path]
        if path.name not in own or not all(map(is_plain_file, inner)):
            raise FileExistsError(
                f"{folder} holds files that clwork did not write ({path.name}); give another folder"
            )


def _write(encoder: Encoder, folder: Path) -> None:
    with suppress_transformers_logs():
        encoder.backbone.save_pretrained(folder)
        encoder.tokenizer.save_pretrained(folder)
    head = encoder.head
    described: object = None
    if isinstance(head, DeclaredModules):
        described = MODULES_HEAD if encoder.uses_head else None
    elif head is not None:
        save_weights(head.state_dict(), folder / HEAD)
        described = {
            "kind": "projection",
            "dim": head.dim,
            "out": head.out,
            "activation": head.activation,
        }
    reason = reason_against(encoder)
    (folder / CARD).write_text(_card(encoder, reason), encoding="utf-8")
    if reason is None:
        _write_modules(encoder, folder)
    meta = {
        "format": FORMAT,
        "made_from": Path(encoder.base).name if Path(encoder.base).is_dir() else encoder.base,
        "pooling": encoder.pooling,
        "first_layer": encoder.first_layer,
        "head": described,
        "files": sorted([*(path.name for path in folder.iterdir()), META]),
    }
    if encoder.prompt:
        meta["prompt"] = encoder.prompt
    write_json(folder / META, meta)
    for path in folder.rglob(
        "*.safetensors"
    ):  # safetensors makes files that only their owner can read
        shutil.copymode(folder / META, path)


def write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def save_weights(weights: dict[str, Tensor], path: Path) -> None:
    from safetensors.torch import save_file

    save_file({name: tensor.detach().cpu().contiguous() for name, tensor in weights.items()}, path)


def reason_against(encoder: Encoder) -> str | None:
    """Return why ``sentence-transformers`` cannot compute the encoder's vectors; None if it can."""
    from transformers import PreTrainedModel

    if isinstance(encoder.head, DeclaredModules) and encoder.uses_head:
        return None  # loading has compared the vectors
    if not isinstance(encoder.backbone, PreTrainedModel):
        return f"it is a {type(encoder.backbone).__name__}, which only clwork implements"
    if getattr(encoder.backbone, "sees_padding", False):
        return "padding, which sentence-transformers adds, changes its vectors"
    sides = {
        getattr(encoder.tokenizer, f"{what}_side", "right") for what in ("padding", "truncation")
    }
    if sides != {"right"}:
        return "its tokenizer pads or cuts on the left, clwork on the right"
    backend = getattr(encoder.tokenizer, "backend_tokenizer", None)
    if backend is not None and any(backend.encode("a").type_ids):
        return "its tokenizer returns segment ids above 0, which clwork does not pass to the model"
    return None


def _write_modules(encoder: Encoder, folder: Path) -> None:
    """Write the files from which sentence-transformers makes the modules that compute the encoder's vectors."""
    pooling, head = known_pooling(encoder.pooling), encoder.head if encoder.uses_head else None
    limits: dict[str, Any] = {"max_seq_length": encoder.max_length}
    if pooling.needs_all_layers:
        limits["config_args"] = {"output_hidden_states": True}
    write_json(folder / "sentence_bert_config.json", limits)
    listed = [{"idx": 0, "name": "0", "path": "", "type": f"{LIBRARY}.Transformer"}]

    def place_for(kind: str) -> Path:
        number = len(listed)
        place = folder / f"{number}_{kind.rpartition('.')[2]}"
        place.mkdir()
        listed.append({"idx": number, "name": str(number), "path": place.name, "type": kind})
        return place

    width = {"word_embedding_dimension": encoder.hidden_dim}
    if pooling.needs_all_layers and pooling is not DECLARED:
        about, weights = _weighted_layers(encoder)
        place = place_for(f"{LIBRARY}.WeightedLayerPooling")
        write_json(place / "config.json", width | about)
        save_weights({"layer_weights": weights}, place / WEIGHTS)
    if pooling is not DECLARED:
        flags = {
            f"pooling_mode_{known.mode}": known.mode == pooling.mode for known in KNOWN.values()
        }
        write_json(place_for(f"{LIBRARY}.Pooling") / "config.json", width | flags)
    if isinstance(head, ProjectionHead):
        place = place_for(f"{LIBRARY}.Dense")
        kind = ACTIVATIONS[head.activation]
        sizes = {"in_features": head.dim, "out_features": head.out, "bias": True}
        write_json(
            place / "config.json",
            sizes | {"activation_function": f"{kind.__module__}.{kind.__name__}"},
        )
        save_weights(
            {f"linear.{name}": part for name, part in head.dense.named_parameters()},
            place / WEIGHTS,
        )
    truncate_dim = None
    if isinstance(head, DeclaredModules):
        truncate_dim = head.truncate_dim
        steps: Any = head.steps
        for step in steps:
            kind = type(step)
            step.save(str(place_for(f"{kind.__module__}.{kind.__name__}")))
    write_json(folder / MODULES, listed)
    if encoder.prompt or truncate_dim is not None:
        prompts = {"prompts": {"default": encoder.prompt}, "default_prompt_name": "default"}
        write_json(folder / ABOUT, prompts | {"truncate_dim": truncate_dim})


def _weighted_layers(encoder: Encoder) -> tuple[dict[str, int], Tensor]:
    """Return settings and weights with which ``WeightedLayerPooling`` averages the pooling's layers."""
    count = int(encoder.backbone.config.num_hidden_layers)
    layers = known_pooling(encoder.pooling).indices(count + 1, encoder.first_layer)
    start = min(layers)
    weights = torch.zeros(count + 1 - start, dtype=torch.float32)
    for layer in layers:
        weights[layer - start] += 1
    return {"num_hidden_layers": count, "layer_start": start}, weights


def _card(encoder: Encoder, reason: str | None) -> str:
    other = f"`sentence-transformers` and `transformers` cannot load this encoder: {reason}.\n"
    if reason is None:
        other = "`SentenceTransformer(folder)` returns the same vectors, `AutoModel` the same hidden states.\n"
    library = "clwork" if reason else "sentence-transformers"
    return (
        f"---\nlibrary_name: {library}\npipeline_tag: sentence-similarity\n---\n\n"
        f"# A sentence encoder, saved by clwork: pooling `{encoder.pooling}`, {encoder.dim} numbers\n\n"
        f'    clwork.load_encoder("this folder").encode(["a sentence"])\n\n{other}'
    )


def read_metadata(folder: Path) -> Metadata | None:
    """Read ``clwork.json`` of a saved encoder; None if sentence-transformers was the last to save the folder."""
    path, about = folder / META, folder / ABOUT
    if not path.is_file() or (about.is_file() and "__version__" in read_json(about)):
        return None
    stored = read_json(path)
    if isinstance(stored.get("format"), int) and stored["format"] > FORMAT:
        raise ValueError(
            f"{path} has format {stored['format']}, newer than {FORMAT}; update clwork"
        )
    with loading_errors(str(path), "is damaged", "save the encoder again"):
        return Metadata.model_validate(stored)


def read_head(folder: Path, metadata: Metadata) -> ProjectionHead | None:
    spec = metadata.head
    if not isinstance(spec, HeadSpec):
        return None
    if not (folder / HEAD).is_file():
        raise ValueError(
            f"the head of the encoder in {folder} is missing (no {HEAD}); save the encoder again"
        )
    head = ProjectionHead(spec.dim, spec.out, spec.activation, generator=torch.Generator())
    read_weights(head, folder / HEAD)
    return head
