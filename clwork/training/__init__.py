"""Train encoders: runs in the background, their controls, and stored runs."""

from ..run_folder.config import ChangedError
from ..run_folder.files import BusyRunError
from ._audit import audit
from ._sweep import sweep
from .batches import IndexedBatches
from .distributed import ProcessDiedError
from .evaluation import evaluate
from .forces import forces_at
from .loop import DivergedError
from .run import Run
from .starting import launch, resume, runs, start, train, watch
from .stored import delete_run, open_run, rename_run, stored_runs

__all__ = [
    "BusyRunError",
    "ChangedError",
    "DivergedError",
    "IndexedBatches",
    "ProcessDiedError",
    "Run",
    "audit",
    "delete_run",
    "evaluate",
    "forces_at",
    "launch",
    "open_run",
    "rename_run",
    "resume",
    "runs",
    "start",
    "stored_runs",
    "sweep",
    "train",
    "watch",
]
