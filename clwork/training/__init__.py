"""Train encoders: runs in the background, their controls, and stored runs."""

from ..run_folder.folder import BusyRunError
from .batches import IndexedBatches
from .divergence import DivergedError
from .run import Run
from .starting import resume, start, train
from .stored import open_run, runs

__all__ = [
    "BusyRunError",
    "DivergedError",
    "IndexedBatches",
    "Run",
    "open_run",
    "resume",
    "runs",
    "start",
    "train",
]
