"""The loop, the background run and its controls, checkpoints."""

from .controls import Controls
from .diverged import DivergedError
from .folder import BusyRunError, RunFolder
from .launch import resume, runs, start, train
from .probe import Probe
from .progress_bar import watch
from .recipe import ChangedError
from .run import Run
from .run_like import RunLike
from .stored import Stored, alike, changed_keys, open_run, stored_runs

__all__ = [
    "BusyRunError",
    "ChangedError",
    "Controls",
    "DivergedError",
    "Probe",
    "Run",
    "RunFolder",
    "RunLike",
    "Stored",
    "alike",
    "changed_keys",
    "open_run",
    "resume",
    "runs",
    "start",
    "stored_runs",
    "train",
    "watch",
]
