"""The loop, the background run and its controls, checkpoints."""

from .controls import Controls
from .launch import resume, runs, start, train, watch
from .probe import Probe
from .run import Run
from .shelf import Stored, alike, changed_keys, stored_runs

__all__ = [
    "Controls",
    "Probe",
    "Run",
    "Stored",
    "alike",
    "changed_keys",
    "resume",
    "runs",
    "start",
    "stored_runs",
    "train",
    "watch",
]
