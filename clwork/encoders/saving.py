"""An encoder on disk: the transformer's own format, and beside it what makes it clwork's: pooling and head."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from pathlib import Path
from typing import Any

from .encoder import Encoder
from .heads import ProjectionHead
from .quiet import quiet

META = "clwork.json"
HEAD = "head.safetensors"
FORMAT = 1


def save_encoder(encoder: Encoder, folder: str | Path) -> None:
    """Write weights (float32 safetensors), tokenizer, pooling and head; ``load_encoder`` gives equal vectors back.

    The folder appears whole or not at all: it is written beside its place and renamed. An encoder that clwork saved
    there before is replaced.

    Raises:
        FileExistsError: the folder holds files that clwork did not write.
        TypeError: the head is not a ProjectionHead.
    """
    folder = Path(folder).expanduser().resolve()
    head = encoder.head
    if head is not None and not isinstance(head, ProjectionHead):
        raise TypeError(f"a head of type {type(head).__name__} cannot be saved; use clwork.encoders.ProjectionHead")
    _refuse_foreign(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}")
    try:
        _write(encoder, head, fresh)
        _swap(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _refuse_foreign(folder: Path) -> None:
    """Only a missing or empty folder, or one with nothing but what clwork wrote, may be replaced."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FileExistsError(f"{folder} is a file; give the name of a folder")
    present = {path.name for path in folder.iterdir()}
    foreign = present - set(read_meta(folder).get("files", [])) if META in present else present
    if foreign:
        named = ", ".join(sorted(foreign)[:3])
        raise FileExistsError(f"{folder} holds files that are not a saved encoder's ({named}); give another folder")


def _write(encoder: Encoder, head: ProjectionHead | None, folder: Path) -> None:
    from safetensors.torch import save_file

    backbone: Any = encoder.backbone
    with quiet():
        backbone.save_pretrained(folder)
        encoder.tokenizer.save_pretrained(folder)
    if head is not None:
        tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in head.state_dict().items()}
        save_file(tensors, folder / HEAD)
    meta = {
        "format": FORMAT,
        "made_from": Path(encoder.base).name if Path(encoder.base).is_dir() else encoder.base,
        "pooling": encoder.pooling,
        "first_layer": encoder.first_layer,
        "head": None if head is None else head.spec(),
        "files": sorted([*(path.name for path in folder.iterdir()), META]),
    }
    (folder / META).write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
    for path in folder.glob("*.safetensors"):  # safetensors writes them readable by their owner alone
        shutil.copymode(folder / META, path)


def _swap(fresh: Path, folder: Path) -> None:
    """Put ``fresh`` in the place of ``folder``; if that fails the old one is put back."""
    if not folder.exists():
        os.rename(fresh, folder)
        return
    old = fresh.with_name(fresh.name + ".old")
    os.rename(folder, old)
    try:
        os.rename(fresh, folder)
    except OSError:
        os.rename(old, folder)
        raise
    shutil.rmtree(old)


def read_meta(folder: Path) -> dict[str, Any]:
    """What clwork noted beside a saved encoder; an empty dict for folders of other origin.

    Raises:
        ValueError: the note is damaged, or of a newer format.
    """
    path = folder / META
    if not path.exists():
        return {}
    try:
        meta = json.loads(path.read_text(encoding="utf-8"))
        known = meta["format"] <= FORMAT
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is damaged ({error}); save the encoder again") from error
    if not known:
        raise ValueError(f"{path} has format {meta['format']}, this clwork reads up to {FORMAT}: update clwork")
    return dict(meta)


def read_head(folder: Path, spec: dict[str, Any] | None) -> ProjectionHead | None:
    """The saved head, or None where there was none.

    Raises:
        ValueError: the head's weights are missing or of another shape.
    """
    if spec is None:
        return None
    from safetensors.torch import load_file

    head = ProjectionHead.from_spec(spec)
    try:
        head.load_state_dict(load_file(folder / HEAD))
    except (OSError, RuntimeError) as error:
        raise ValueError(f"the head of the encoder in {folder} cannot be read: {error}; save it again") from error
    return head
