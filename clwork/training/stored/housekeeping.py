"""Delete and rename runs that are not being trained."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..._validation import checked
from ...disk import is_plain_folder
from ..disk.folder import Deleted, RunFolder, folders, run_name, sweep_runs
from ..disk.recipe import Recipe
from ..disk.run_files import RECIPE
from ..run.start import runs


@checked()
def delete_run(folder: str | Path) -> Deleted:
    """Remove a run's files from disk for good, and its folder, where nothing else is in it.

    Only files that clwork writes are removed, and only where they are plain files in plain folders: a link, and what
    somebody put beside them, is left. A killed deletion is completed by the next one.

    Raises:
        FileNotFoundError: the folder holds no run, or is a link to one.
        BusyRunError: it is being trained, here or by another process.
        DiskError: the disk refuses.
    """
    place = Path(folder)
    taken_up = sweep_runs(place.parent, place.name)
    if taken_up is not None and not RunFolder(place).has(RECIPE):
        return taken_up
    with _held(place) as files:
        return files.remove()


@checked(name=run_name)
def rename_run(folder: str | Path, name: str) -> Path:
    """Rename a run and its folder; return the new folder. Its forks beside it refer to the new name.

    Raises:
        FileNotFoundError: the folder holds no run, or is a link to one.
        ValueError: the name cannot name a folder.
        FileExistsError: something already has this name.
        BusyRunError: it is being trained, here or by another process.
        DiskError: the disk refuses.
    """
    with _held(folder) as files:
        old, recipe = files.path, Recipe.read(files)
        target = old.with_name(name)
        if os.path.lexists(target):
            raise FileExistsError(f"{target} is there already; give another name")
        former, recipe.name = recipe.name, name
        recipe.write(files)
        try:
            files.move(target)  # under the lock: no writer can start in between
        except OSError:
            recipe.name = former
            recipe.write(files)
            raise
    for run in runs():  # for those that ended in this kernel
        if run.folder == old:
            run.name, run.recipe.name, run.folder, run.files.path = name, name, target, target
    _rename_parent(target.parent, former, name)
    return target


def _rename_parent(place: Path, former: str, name: str) -> None:
    for path in folders(place):
        if not (files := RunFolder(path)).has(RECIPE):
            continue
        with suppress(ValueError, OSError):  # a damaged run counts as no fork
            recipe = Recipe.read(files)
            if recipe.parent is not None and recipe.parent.run == former:
                recipe.parent = recipe.parent.model_copy(update={"run": name})
                recipe.write(files)
                for run in runs():
                    if run.folder == files.path:
                        run.recipe.parent = recipe.parent


@contextmanager
def _held(folder: str | Path) -> Iterator[RunFolder]:
    place = Path(folder)
    files = RunFolder(place)
    if not is_plain_folder(place) or not files.has(RECIPE):
        raise FileNotFoundError(f"{place} holds no run of its own: it has no {RECIPE}, or is a link")
    files.lock()
    try:
        yield files
    finally:
        files.unlock()
