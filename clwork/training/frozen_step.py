"""A copy of a step of a run: its method, its batch and its random numbers."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from ..methods import Method
from ..precision import default_device, is_here
from ..run_folder.config import RunConfig
from ..run_folder.folder import RunFolder
from ..wording import plural
from .preparation import RunInputs, prepare, read_config
from .run import RUNS, Run, RunSource, as_run


@dataclass(frozen=True)
class FrozenStep:
    """A copy of everything that a step depends on.

    Attributes:
        run_config: the run configuration.
        method: the method, with the weights after ``step`` steps.
        examples: the examples of the batch; ``batch`` has their tokens.
        step: number of the step from 0, which determines its random numbers.
        about: describes the step in a sentence.
    """

    run_config: RunConfig
    method: Method[Any]
    examples: list[Any]
    batch: list[Any]
    step: int
    about: str


def checkpoint_steps(run: RunSource) -> list[int]:
    """List the steps whose weights can be read, latest first: those on disk, and step 0."""
    files = RunFolder(as_run("run", run).folder)
    return sorted(_weights_by_step(files, RunConfig.read(files)), reverse=True)


def _weights_by_step(files: RunFolder, run_config: RunConfig) -> dict[int, str | None]:
    """Return the checkpoint file of each step; None for initial weights, which can be made again.

    A fork from a later step has no initial weights.
    """
    by_step: dict[int, str | None] = {}
    if run_config.parent is None or run_config.parent.step == 0:
        by_step[0] = None
    for name, meta in files.checkpoints.on_disk().items():
        by_step[meta.step] = name
    return by_step


def freeze_step(run: RunSource, step: int | None) -> FrozenStep:
    """Copy a step from a live run of this kernel, else from the run's folder.

    ``step`` None is the next step of a live run, or the step after the latest checkpoint.
    """
    folder = as_run("run", run).folder
    for live in RUNS:
        if live.alive and live.folder == folder:
            frozen = _from_memory(live, step)
            if frozen is not None:
                return frozen
    return _from_folder(RunFolder(folder), step)


def _from_memory(run: Run, step: int | None) -> FrozenStep | None:
    """Copy the next step of a live run; None if the run has just ended or is at another step."""
    with run.training.step_lock:
        loop = run.training.loop
        if loop is None:
            raise RuntimeError(
                f"{run.name} is {run.status} and has no weights yet; wait for its first step"
            )
        if run.training.released or step not in (None, loop.step):
            return None
        method = copy.deepcopy(loop.method)
        examples, batch = loop.batches.ahead(loop.step)
        about = (
            f"step {loop.step + 1} of {loop.total}, the next one: its batch and draws, at the "
            "present weights"
        )
        return FrozenStep(loop.run_config, method, examples, batch, loop.step, about)


def _from_folder(files: RunFolder, step: int | None) -> FrozenStep:
    """Rebuild the step that follows a checkpoint; ``step`` None: the latest checkpoint."""
    # The file with the weights of the step; None stands for the initial weights.
    run_config = RunConfig.read(files)
    by_step = _weights_by_step(files, run_config)
    step = max(by_step, default=0) if step is None else step
    if step not in by_step:
        known = ", ".join(str(number) for number in sorted(by_step)) or "none"
        raise ValueError(
            f"{run_config.name} has no weights of step {step}; give one of the stored steps "
            f"({known}) or leave step out. clwork.start(..., keep_every=50) stores a checkpoint of "
            "every 50th step"
        )
    checkpoint_file = by_step[step]

    # Build the run's loop with these weights; nothing is written.
    device = run_config.device if is_here(run_config.device) else default_device()
    is_trained = checkpoint_file is not None
    inputs = RunInputs(run_config.encoder, device=device, resume=is_trained)
    config = read_config(run_config, files)
    loop, _ = prepare(
        run_config,
        files,
        config,
        inputs,
        owns_folder=False,
        checkpoint_file=checkpoint_file,
    )

    # Say which step it is, as text.
    where = f"from the checkpoint of step {step}" if is_trained else "at the initial weights"
    about = f"step {step + 1} of {loop.total}, {where}"
    if step >= loop.total:
        steps = plural(loop.total, "step")
        about = f"after the last of {steps}, with the batch that would come next"
    batch = loop.batches.batch(step)
    return FrozenStep(run_config, loop.method, loop.batches.latest, batch, step, about)
