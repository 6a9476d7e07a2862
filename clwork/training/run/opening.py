"""Runs that are not trained here, opened from their folders to be looked at."""

from __future__ import annotations

from ..disk.folder import RunFolder
from ..disk.recipe import Recipe
from ..disk.record import Record
from ..loop.preparation import read_config
from ..loop.probe import Probe
from .run import Run
from .run_view import Left


def as_it_was(recipe: Recipe, files: RunFolder, record: Record, status: str, error: str | None = None) -> Run:
    """A run restored from its last checkpoint: nothing is written, and neither corpus nor start encoder are needed.

    Raises:
        ValueError: this kernel does not know its method, or a file is damaged.
    """
    config, left = read_config(recipe, files), Left(status, error)
    if files.has_checkpoint():
        vectors, meta = files.last_look()
        config = read_config(recipe, files, meta.config)  # controls may have been moved on the way
        probe = None if meta.probe is None else Probe.of(meta.probe, vectors, files.path)
        left = Left(status, error, probe, meta.references)
    return Run(recipe, files, config, record, left)
