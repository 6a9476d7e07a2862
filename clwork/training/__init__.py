"""The loop, the background run and its controls, checkpoints."""

from .as_recording import recording
from .comparing import Replay
from .controls import Controls
from .diverged import DivergedError
from .families import Member, family
from .folder import Deleted, RunFolder
from .forces import StepForces, forces_at
from .housekeeping import delete_run, rename_run
from .launch import resume, runs, start, train
from .locked_folder import BusyRunError
from .moment import steps_at_hand
from .pair_forces import Pair, SeenContest
from .positions import Positions
from .probe import Probe
from .progress_bar import watch
from .recipe import ChangedError
from .replaying import replay
from .run import Run
from .run_like import RunLike
from .stored import Stored, alike, changed_keys, open_run, stored_runs
from .sweeping import Sweep, sweep

__all__ = [
    "BusyRunError",
    "ChangedError",
    "Controls",
    "Deleted",
    "DivergedError",
    "Member",
    "Pair",
    "Positions",
    "Probe",
    "Replay",
    "Run",
    "RunFolder",
    "RunLike",
    "SeenContest",
    "StepForces",
    "Stored",
    "Sweep",
    "alike",
    "changed_keys",
    "delete_run",
    "family",
    "forces_at",
    "open_run",
    "recording",
    "rename_run",
    "replay",
    "resume",
    "runs",
    "start",
    "steps_at_hand",
    "stored_runs",
    "sweep",
    "train",
    "watch",
]
