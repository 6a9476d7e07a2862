"""The loop, the background run and its controls, stored runs."""

from ..run_folder.config import ChangedError
from ..run_folder.files import BusyRunError
from ..run_folder.folder import RunFolder
from ._sweep import sweep
from .batches import IndexedBatches
from .controls import Controls
from .distributed import ProcessDiedError
from .evaluation import evaluate
from .forces.frozen_step import checkpoint_steps
from .forces.step_audit import Audit, Effect, audit
from .forces.step_forces import Pair, ScoreGradients, StepForces, forces_at
from .loop import DivergedError
from .positions import Positions
from .probe import Probe
from .run import Run
from .starting import launch, resume, runs, start, train, watch
from .stored import (
    RunLike,
    Stored,
    TreeRow,
    changed_keys,
    delete_run,
    fork_tree,
    group_by_recipe,
    open_run,
    recording_of,
    rename_run,
    stored_runs,
)

__all__ = [
    "Audit",
    "BusyRunError",
    "ChangedError",
    "Controls",
    "DivergedError",
    "Effect",
    "IndexedBatches",
    "Pair",
    "Positions",
    "Probe",
    "ProcessDiedError",
    "Run",
    "RunFolder",
    "RunLike",
    "ScoreGradients",
    "StepForces",
    "Stored",
    "TreeRow",
    "audit",
    "changed_keys",
    "checkpoint_steps",
    "delete_run",
    "evaluate",
    "forces_at",
    "fork_tree",
    "group_by_recipe",
    "launch",
    "open_run",
    "recording_of",
    "rename_run",
    "resume",
    "runs",
    "start",
    "stored_runs",
    "sweep",
    "train",
    "watch",
]
