"""An encoder on disk: the transformer's own format, and beside it pooling and head, for clwork and for others."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import checks
from ..data.writing import disk_errors, exchange
from .files import inside
from .heads import ProjectionHead
from .interop import is_modules_folder, write_modules
from .leftovers import OLD, own_name, sweep
from .library_messages import quiet
from .parts import Parts
from .weights import Shape, check_finite, fit, open_weights

if TYPE_CHECKING:
    from .schemas import HeadSpec, Note

META = "clwork.json"
HEAD = "head.safetensors"


def save_encoder(encoder: Parts, folder: str | Path) -> None:
    """Write weights (float32 safetensors), tokenizer, pooling and head; ``load_encoder`` gives equal vectors back.

    So does ``SentenceTransformer(folder)``, and ``AutoModel.from_pretrained(folder)`` gives equal hidden states. What
    those cannot express, such as a TextCNN, is not written for them; the folder's README.md says why.

    The folder appears whole or not at all: it is written beside its place and renamed. An encoder that clwork saved
    there before is replaced. Nothing is written through a link: a link in the folder's place is refused, and the
    folder beside is made anew. What a killed save has left beside the place is swept away.

    Raises:
        FileExistsError: the folder holds files that clwork did not write, or a link is in its place.
        TypeError: the head is not a ProjectionHead, or ``folder`` no path.
        ValueError: the folder lies inside the one that the encoder was loaded from.
        DiskError: the disk refused; an encoder that was there is still as it was.
    """
    folder = _place(checks.path("folder", folder))
    checks.beside("folder", folder, Path(encoder.name).resolve(), "holds the encoder itself")
    head = encoder.head
    if head is not None and not isinstance(head, ProjectionHead):
        raise TypeError(f"a head of type {type(head).__name__} cannot be saved; use clwork.encoders.ProjectionHead")
    with disk_errors(folder, needs=sum(weights.nbytes for weights in encoder.state_dict().values())):
        folder.parent.mkdir(parents=True, exist_ok=True)
        sweep(folder)
        _refuse_foreign(folder)
        fresh = own_name(folder)
        fresh.mkdir()  # fails where anything is, were it a link
        try:
            _write(encoder, head, fresh)
            _swap(fresh, folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


def _place(folder: Path) -> Path:
    """The folder's place, links on the way to it followed, but not itself a link."""
    if folder.name in ("", ".."):
        return folder.resolve()
    place = folder.parent.resolve() / folder.name
    if place.is_symlink():
        raise FileExistsError(f"{place} is a link to {os.readlink(place)}; give the name of a folder itself")
    return place


def _refuse_foreign(folder: Path) -> None:
    """Only a missing or empty folder, or one with nothing but what clwork wrote, may be replaced."""
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


def _write(encoder: Parts, head: ProjectionHead | None, folder: Path) -> None:
    from safetensors.torch import save_file

    from .schemas import FORMAT

    backbone: Any = encoder.backbone
    with quiet():
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
    for path in folder.rglob("*.safetensors"):  # safetensors writes them readable by their owner alone
        shutil.copymode(folder / META, path)


def _swap(fresh: Path, folder: Path) -> None:
    """Put ``fresh`` in the place of ``folder``, which stays in the place of ``fresh`` where the system exchanges both.

    Elsewhere there is a moment without either; a kill then leaves the old one beside, which :func:`.recover` puts back.
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
    """What clwork noted beside a saved encoder; None for folders of other origin.

    Raises:
        ValueError: the note is damaged, of a newer format, or no regular file of the folder.
    """
    path = inside(folder, META)
    if path is None:
        return None
    from .schemas import Note, read_as

    return read_as(Note, path)


def read_head(folder: Path, spec: HeadSpec | None) -> ProjectionHead | None:
    """The saved head, or None where there was none.

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
