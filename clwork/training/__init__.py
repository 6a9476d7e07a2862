"""Train encoders: runs in the background, their controls, and stored runs."""

from .batches import IndexedBatches
from .run import Run
from .starting import resume, start, train
from .stored import open_run, runs

__all__ = [
    "IndexedBatches",
    "Run",
    "open_run",
    "resume",
    "runs",
    "start",
    "train",
]
