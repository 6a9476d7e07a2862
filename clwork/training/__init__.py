"""The loop, the background run and its controls, checkpoints."""

from .batches import IndexedBatches
from .disk.folder import Deleted, RunFolder
from .disk.locked_folder import BusyRunError
from .disk.recipe import ChangedError
from .distributed import ProcessDiedError
from .evaluation import evaluate
from .forces.frozen_step import checkpoint_steps
from .forces.step_audit import Audit, Effect, audit
from .forces.step_forces import Pair, ScoreGradients, StepForces, forces_at
from .loop import DivergedError
from .positions import Positions
from .probe import Probe
from .run.controls import Controls
from .run.launching import launch
from .run.run import Run
from .run.start import resume, runs, start, train, watch
from .stored.housekeeping import delete_run, rename_run
from .stored.listing import stored_runs
from .stored.recording import recording_of
from .stored.stored import RunLike, Stored, TreeRow, changed_keys, fork_tree, group_by_recipe, open_run
from .stored.sweep import Sweep, sweep

__all__ = [
    "Audit",
    "BusyRunError",
    "ChangedError",
    "Controls",
    "Deleted",
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
    "Sweep",
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
