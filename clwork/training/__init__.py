"""The loop, the background run and its controls, checkpoints."""

from .controls import Controls
from .launch import resume, runs, start, train, watch
from .probe import Probe
from .run import Run

__all__ = ["Controls", "Probe", "Run", "resume", "runs", "start", "train", "watch"]
