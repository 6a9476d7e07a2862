"""Runs that nobody trains any more: removing one from disk, and giving one another name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from ..data.writing import is_plain_folder
from ..encoders.saving import META, read_note
from .checkpoints import CHECKPOINT, EARLIER
from .folder import LOCK, POSITIONS, RECIPE, RECORD, SENTENCES, STATE, RunFolder, check_name
from .launch import runs
from .recipe import Recipe

FILES = (STATE, RECORD, POSITIONS, SENTENCES, CHECKPOINT, EARLIER)
KEPT = re.compile(r"kept-\d+\.safetensors")


class Deleted(NamedTuple):
    """What a deletion did: bytes that are free now, and the names of what is not clwork's and was left."""

    bytes: int
    left: list[str]


def delete_run(folder: str | Path) -> Deleted:
    """Remove a run's files from disk for good, and its folder, where nothing else is in it.

    Only files that clwork writes are removed, and only where they are plain files in plain folders: a link, and what
    somebody put beside them, is left.

    Raises:
        FileNotFoundError: the folder holds no run, or is a link to one.
        BusyRunError: it is being trained, here or by another process.
        OSError: the disk refuses.
    """
    with _held(folder) as files:
        mine = _mine(files)
        size = sum((files.path / name).stat().st_size for name in mine)
        for name in mine:
            (files.path / name).unlink()
        for inner in sorted({part for name in mine for part in name.parents if part.parts}, reverse=True):
            with suppress(OSError):  # something else is in it
                (files.path / inner).rmdir()
        size += (files.path / RECIPE).stat().st_size
        (files.path / RECIPE).unlink()  # the last one: what is half gone can still be found and deleted
    (files.path / LOCK).unlink(missing_ok=True)
    with suppress(OSError):
        files.path.rmdir()
    return Deleted(size, sorted(os.listdir(files.path)) if files.path.is_dir() else [])


def rename_run(folder: str | Path, name: str) -> Path:
    """Give a run, and its folder, another name; returns the new folder. Its forks beside it name it anew, too.

    Raises:
        FileNotFoundError: the folder holds no run, or is a link to one.
        ValueError: the name cannot name a folder.
        FileExistsError: something is called so already.
        BusyRunError: it is being trained, here or by another process.
        OSError: the disk refuses.
    """
    check_name(name)
    with _held(folder) as files:
        old, recipe = files.path, Recipe.read(files)
        target = old.with_name(name)
        if os.path.lexists(target):
            raise FileExistsError(f"{target} is there already; give another name")
        former, recipe.name = recipe.name, name
        recipe.write(files)
    try:
        os.rename(old, target)
    except OSError:
        recipe.name = former
        recipe.write(files)
        raise
    for run in runs():  # those that ended in this kernel find their files again
        if run.folder == old:
            run.name, run.recipe.name, run.folder, run.files.path = name, name, target, target
    _name_anew(target.parent, former, name)
    return target


def _name_anew(place: Path, former: str, name: str) -> None:
    """Let the forks of a run that was called ``former`` name it as it is called now."""
    for path in place.iterdir():
        files = RunFolder(path)
        if not is_plain_folder(path) or not files.has(RECIPE):
            continue
        with suppress(ValueError, OSError):  # a damaged one is nobody's fork
            recipe = Recipe.read(files)
            if recipe.parent is not None and recipe.parent.run == former:
                recipe.parent = recipe.parent.model_copy(update={"run": name})
                recipe.write(files)
                for run in runs():
                    if run.folder == files.path:
                        run.recipe.parent = recipe.parent


@contextmanager
def _held(folder: str | Path) -> Iterator[RunFolder]:
    """A run's folder of which we are the only writer."""
    place = Path(folder).expanduser()
    files = RunFolder(place)
    if not is_plain_folder(place) or not files.has(RECIPE):
        raise FileNotFoundError(f"{place} holds no run of its own: it has no {RECIPE}, or is a link")
    files.lock()
    try:
        yield files
    finally:
        files.unlock()


def _mine(files: RunFolder) -> list[Path]:
    """The files of a run that clwork writes, of its encoders those that their notes name; the notes come last."""
    saved: dict[str, set[str]] = {}
    found = []
    for name in files.files():
        top = name.parts[0]
        if len(name.parts) == 1 and (top in FILES or KEPT.fullmatch(top)):
            found.append(name)
        elif len(name.parts) > 1:
            if top not in saved:
                with suppress(ValueError, OSError):
                    saved[top] = set(note.files) if (note := read_note(files.path / top)) is not None else set()
            if name.parts[1] in saved.get(top, ()):
                found.append(name)
    return sorted(found, key=lambda name: name.name == META)
