"""Runs that are not trained here, opened from their folders to be looked at."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...methods import get, names
from ...methods.hyperparameters import build
from ..disk.folder import RunFolder
from ..disk.recipe import Recipe
from ..disk.record import Record
from ..loop.probe import Probe
from .run import Run
from .run_view import Left


def as_it_was(recipe: Recipe, files: RunFolder, record: Record, status: str, error: str | None = None) -> Run:
    """A run restored from its last checkpoint: nothing is written, and neither corpus nor start encoder are needed.

    Raises:
        ValueError: this kernel does not know its method, or a file is damaged.
    """
    check_known(recipe, files.path)
    values, left = read_config(recipe.method, recipe.config, files), Left(status, error)
    if files.has_checkpoint():
        vectors, meta = files.last_look()
        values = read_config(recipe.method, meta.config, files)  # controls may have been moved on the way
        probe = None if meta.probe is None else Probe.of(meta.probe, vectors, files.path)
        left = Left(status, error, probe, meta.references)
    return Run(recipe, files, values, record, left)


def read_config(method: str, values: Mapping[str, Any], files: RunFolder) -> Any:
    """A configuration from a run's file: each value is checked, but not whether all go together, as when it began.

    Raises:
        ValueError: a value is out of range or of another kind, or this clwork knows no such hyperparameter.
    """
    try:
        return build(get(method).Config, values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the run in {files.path} cannot be read: {error}") from error


def check_known(recipe: Recipe, place: Path) -> None:
    """A stored run's method is registered in this kernel.

    Raises:
        ValueError: it is not; the message names the module to import.
    """
    if recipe.method not in names():
        module = f"the module {recipe.defined_in!r}, which" if recipe.defined_in else "the module that"
        raise ValueError(
            f"{place} was trained by the method {recipe.method!r}, which is none of clwork's own and is not registered "
            f"in this kernel: import your method first ({module} defines and registers it), then resume"
        )
