"""Save an encoder: the transformer's own format, with pooling and head for clwork and for sentence-transformers."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

from ... import _validation
from ...disk import disk_errors, exchange
from ..backbones import suppress_transformers_logs
from ..encoder_fingerprint import EncoderLike
from ..heads import ProjectionHead
from ..pooling import known_pooling
from .files import inside
from .leftovers import OLD, own_name, remove_stale_temp_dirs
from .weights import Shape, check_finite, fit, open_weights

if TYPE_CHECKING:
    from .schemas import HeadSpec, Note

# Files for ``sentence-transformers``, in the oldest form, which every release reads. clwork itself reads only META.
CARD = "README.md"
CONFIG, WEIGHTS = "config.json", "model.safetensors"
LIBRARY = "sentence_transformers.models"
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


def reason_against(encoder: EncoderLike) -> str | None:
    """Return why ``sentence-transformers`` cannot compute the encoder's vectors; None if it can."""
    from transformers import PreTrainedModel

    if not isinstance(encoder.backbone, PreTrainedModel):
        return f"it is a {type(encoder.backbone).__name__}, a kind of model that neither of them has"
    if known_pooling(encoder.pooling).mode is None:
        return f"neither of them has its pooling {encoder.pooling!r}"
    sides = {getattr(encoder.tokenizer, f"{what}_side", "right") for what in ("padding", "truncation")}
    if sides != {"right"}:
        return "its tokenizer pads or cuts on the left, where clwork does so on the right"
    backend = getattr(encoder.tokenizer, "backend_tokenizer", None)
    if backend is not None and any(backend.encode("a").type_ids):
        return "its tokenizer numbers segments from 1 on, and clwork gives the model none"
    return None


def modules(encoder: EncoderLike) -> Iterator[Module]:
    """Yield the steps after the transformer, in order.

    Raises:
        ValueError: ``sentence-transformers`` cannot express the encoder.
    """
    reason = reason_against(encoder)
    if reason is not None:
        raise ValueError(f"encoder {encoder.name!r} cannot be written for sentence-transformers: {reason}; use clwork")
    width, pooling = encoder.hidden_dim, known_pooling(encoder.pooling)
    if pooling.needs_all_layers:
        backbone: Any = encoder.backbone
        count = int(backbone.config.num_hidden_layers)
        layers = pooling.indices(count + 1, encoder.first_layer)
        first = min(layers)
        weights = torch.zeros(count + 1 - first)
        for layer in layers:
            weights[layer - first] += 1
        about = {"word_embedding_dimension": width, "num_hidden_layers": count, "layer_start": first}
        yield Module("WeightedLayerPooling", about, {"layer_weights": weights})
    flags = {f"pooling_mode_{mode}": mode == pooling.mode for mode in ("cls_token", "mean_tokens", "max_tokens")}
    yield Module("Pooling", {"word_embedding_dimension": width, **flags}, {})
    head = encoder.head
    if isinstance(head, ProjectionHead) and pooling.head != "aside":
        sizes = {"in_features": head.dim, "out_features": head.out, "bias": True}
        parts = {f"linear.{name}": part.detach().cpu().contiguous() for name, part in head.dense.named_parameters()}
        yield Module("Dense", sizes | {"activation_function": ACTIVATIONS[head.activation]}, parts)


def write_modules(encoder: EncoderLike, folder: Path) -> None:
    """Write ``modules.json``, a folder for each step, and a card; only the card if the vectors would differ."""
    reason = reason_against(encoder)
    (folder / CARD).write_text(_card(encoder, reason), encoding="utf-8")
    if reason is not None:
        return
    layers = {"config_args": {"output_hidden_states": True}} if known_pooling(encoder.pooling).needs_all_layers else {}
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
    """Whether a folder holds only what :func:`write_modules` writes."""
    if entry.name not in FOLDERS or not entry.is_dir(follow_symlinks=False):
        return False
    inner = list(os.scandir(entry.path))
    return all(file.name in (CONFIG, WEIGHTS) and file.is_file(follow_symlinks=False) for file in inner)


def _write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _save(weights: dict[str, Tensor], path: Path) -> None:
    from safetensors.torch import save_file

    save_file(weights, path)


def _card(encoder: EncoderLike, reason: str | None) -> str:
    head = "without a head" if encoder.dim == encoder.hidden_dim and encoder.head is None else "through its head"
    if known_pooling(encoder.pooling).head == "aside":
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


META = "clwork.json"
HEAD = "head.safetensors"


def save_encoder(encoder: EncoderLike, folder: str | Path) -> None:
    """Write weights (float32 safetensors), tokenizer, pooling and head; ``load_encoder`` gives equal vectors back.

    So does ``SentenceTransformer(folder)``, and ``AutoModel.from_pretrained(folder)`` gives equal hidden states. For
    encoders that they cannot express, such as a TextCNN, their files are left out; README.md gives the reason.

    The save is atomic: the folder is written beside its place and renamed. An encoder that clwork saved there is
    replaced. A link in the folder's place is refused. Leftovers of killed saves beside the place are removed.

    Raises:
        FileExistsError: the folder holds files that clwork did not write, or a link is in its place.
        TypeError: the head is not a ProjectionHead, or ``folder`` no path.
        ValueError: the folder lies inside the one that the encoder was loaded from.
        DiskError: the disk refuses; the former encoder stays as it is.
    """
    folder = _place(_validation.path("folder", folder))
    _validation.not_inside("folder", folder, Path(encoder.name).resolve(), "holds the encoder itself")
    head = encoder.head
    if head is not None and not isinstance(head, ProjectionHead):
        raise TypeError(f"a head of type {type(head).__name__} cannot be saved; use clwork.encoders.ProjectionHead")
    with disk_errors(folder, needs=sum(weights.nbytes for weights in encoder.state_dict().values())):
        folder.parent.mkdir(parents=True, exist_ok=True)
        remove_stale_temp_dirs(folder)
        _refuse_foreign(folder)
        fresh = own_name(folder)
        fresh.mkdir()  # fails if anything is there, even a link
        try:
            _write(encoder, head, fresh)
            _swap(fresh, folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


def _place(folder: Path) -> Path:
    """Resolve the links on the way to the folder; refuse a link in its own place."""
    if folder.name in ("", ".."):
        return folder.resolve()
    place = folder.parent.resolve() / folder.name
    if place.is_symlink():
        raise FileExistsError(f"{place} is a link to {os.readlink(place)}; give the name of a folder itself")
    return place


def _refuse_foreign(folder: Path) -> None:
    """Refuse to replace a folder that holds anything but what clwork wrote."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FileExistsError(f"{folder} is a file; give the name of a folder")
    note = read_note(folder)
    own = set() if note is None else set(note.files)
    foreign = sorted(
        entry.name
        for entry in os.scandir(folder)
        if entry.name not in own or not (entry.is_file(follow_symlinks=False) or is_modules_folder(entry))
    )
    if foreign:
        named = ", ".join(foreign[:3])
        raise FileExistsError(f"{folder} holds files that are not a saved encoder's ({named}); give another folder")


def _write(encoder: EncoderLike, head: ProjectionHead | None, folder: Path) -> None:
    from safetensors.torch import save_file

    from .schemas import FORMAT

    backbone: Any = encoder.backbone
    with suppress_transformers_logs():
        backbone.save_pretrained(folder)
        encoder.tokenizer.save_pretrained(folder)
    if head is not None:
        tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in head.state_dict().items()}
        save_file(tensors, folder / HEAD)
    write_modules(encoder, folder)
    meta = {
        "format": FORMAT,
        "made_from": Path(encoder.base).name if Path(encoder.base).is_dir() else encoder.base,
        "pooling": encoder.pooling,
        "first_layer": encoder.first_layer,
        "head": None if head is None else head.spec(),
        "files": sorted([*(path.name for path in folder.iterdir()), META]),
    }
    (folder / META).write_text(json.dumps(meta, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    for path in folder.rglob("*.safetensors"):  # safetensors lets only the owner read them
        shutil.copymode(folder / META, path)


def _swap(fresh: Path, folder: Path) -> None:
    """Exchange ``fresh`` and ``folder``, atomically where the system can.

    Elsewhere a kill between two renames leaves the old folder beside, which :func:`.recover` restores.
    """
    if not folder.exists():
        os.rename(fresh, folder)
        return
    if exchange(fresh, folder):
        return
    old = fresh.with_name(fresh.name + OLD)
    os.rename(folder, old)
    try:
        os.rename(fresh, folder)
    except OSError:
        os.rename(old, folder)
        raise
    shutil.rmtree(old)


def read_note(folder: Path) -> Note | None:
    """Read ``clwork.json`` of a saved encoder; None for folders of other origin.

    Raises:
        ValueError: the note is damaged, of a newer format, or no regular file of the folder.
    """
    path = inside(folder, META)
    if path is None:
        return None
    from .schemas import Note, read_as

    return read_as(Note, path)


def read_head(folder: Path, spec: HeadSpec | None) -> ProjectionHead | None:
    """Load the saved head; None if there was none.

    Raises:
        ValueError: the head's weights are missing, damaged, not finite or of another shape.
    """
    if spec is None:
        return None
    path = inside(folder, HEAD)
    if path is None:
        raise ValueError(f"the head of the encoder in {folder} is missing (no {HEAD}); save the encoder again")
    weights = open_weights([path])
    wanted: dict[str, Shape] = {"dense.weight": (spec.out, spec.dim), "dense.bias": (spec.out,)}
    fit(path, weights.shapes, wanted)
    head = ProjectionHead.from_spec(spec.model_dump())
    head.load_state_dict({name: part[...] for name, part in weights.slices.items()})
    check_finite(path, head.state_dict().items())
    return head
