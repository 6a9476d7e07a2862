"""Train encoders: runs in the background, their controls, and stored runs."""

from ..run_folder.config import ChangedError
from ..run_folder.files import BusyRunError
from ._audit import audit
from ._sweep import sweep
from .batches import IndexedBatches
from .distributed import ProcessDiedError
from .evaluation import evaluate
from .loop import DivergedError
from .run import Run
from .starting import launch, resume, runs, start, train
from .stored import open_run

__all__ = [
    "BusyRunError",
    "ChangedError",
    "DivergedError",
    "IndexedBatches",
    "ProcessDiedError",
    "Run",
    "audit",
    "evaluate",
    "launch",
    "open_run",
    "resume",
    "runs",
    "start",
    "sweep",
    "train",
]
