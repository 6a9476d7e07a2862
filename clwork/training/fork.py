"""Fork a run: copy configuration, checkpoint and history into the folder of a new run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from .. import _validation
from ..methods import MethodConfig, get
from ..precision import default_device, is_here, resolve, versions
from ..run_folder.config import MOST_STEPS, Parent, RunConfig
from ..run_folder.files import BEST, CHECKPOINT, GIVEN, GROWING, POSITIONS, at_step
from ..run_folder.folder import RunFolder
from ..run_folder.history import RunHistory
from ..settings import build, check_effect
from .preparation import RunInputs


class ForkRequest(NamedTuple):
    """Arguments of :meth:`.Run.fork`."""

    step: int | None
    steps: int | None
    changes: Mapping[str, object]


def fork_points(parent: RunConfig, files: RunFolder) -> dict[int, str]:
    """Return the checkpoint file of each step at which a fork can begin."""
    points = {}
    for name, meta in files.checkpoints.on_disk().items():
        # A finished run's last checkpoint has no optimizer state, unless keep_every retained it.
        if meta.step < parent.steps or name != CHECKPOINT:
            points[meta.step] = name
    return points


def write_fork(
    request: ForkRequest, parent: RunConfig, parent_files: RunFolder, files: RunFolder
) -> tuple[RunConfig, MethodConfig, RunHistory, RunInputs]:
    """Check the arguments of a fork, write its folder ``files``, and return what its run needs."""
    # The step at which the fork begins, and its checkpoint; None for a new start from step 0.
    points = fork_points(parent, parent_files)
    begin = max(points, default=0) if request.step is None else request.step
    if begin and begin not in points:
        known = ", ".join(str(point) for point in sorted({0, *points}))
        raise ValueError(
            f"step={begin} of {parent.name} has no checkpoint; give one of the steps {known}. "
            "clwork.start(..., keep_every=50) retains every 50th"
        )
    checkpoint = points[begin] if begin else None

    # The hyperparameters at that step, and the changes.
    settings = parent.config
    if checkpoint is not None:
        # Controls may have changed the values with which the parent began.
        settings = parent_files.checkpoints.of(checkpoint, only=())[1].config
    config_class = get(parent.method).Config
    config: MethodConfig = build(config_class, {**settings, **request.changes})
    check_effect(config, request.changes, build(config_class, settings))
    # Old and new value of each hyperparameter that differs.
    changed = {
        name: [settings[name], value]
        for name, value in asdict(config).items()
        if value != settings[name]
    }
    if begin:
        _check_made_encoders(parent, parent_files, changed)

    # The folder.
    run_config = _forked_config(request, parent, files.path.name, begin, config, changed)
    if checkpoint is None:
        parent_files.copy_parts(files, GIVEN)
    else:
        _copy_state(run_config, parent_files, files, checkpoint)
    # Written last, since this file makes the folder a run.
    run_config.write(files)
    assert run_config.parent is not None
    inputs = RunInputs(
        run_config.encoder,
        device=run_config.device or default_device(),
        resume=checkpoint is not None,
        events=({"forked": run_config.parent.model_dump()},),
    )
    return run_config, config, RunHistory(files, upto=begin), inputs


def _check_made_encoders(parent: RunConfig, files: RunFolder, changed: Mapping[str, Any]) -> None:
    """Raise ValueError for a changed setting of an encoder that the method made at its start.

    The name of such a setting begins with that of the encoder's folder: ``complementary_steps`` is
    one of the encoder ``complementary`` of DCLR.
    """
    for made in files.made_by_method():
        for name in changed:
            if name.startswith(made):
                raise ValueError(
                    f"{name} determines the encoder {made!r}, which {parent.name} made before its "
                    "first step; fork from step 0 to make it again"
                )


def _forked_config(
    request: ForkRequest,
    parent: RunConfig,
    name: str,
    begin: int,
    config: MethodConfig,
    changed: dict[str, Any],
) -> RunConfig:
    """Return the configuration of a fork.

    Args:
        request: the arguments of the fork.
        parent: the configuration of the run that is forked.
        name: the name of the fork.
        begin: the step at which it begins.
        config: its hyperparameters.
        changed: old and new value of those that differ from the parent's at that step.
    """
    device = parent.device if is_here(parent.device) else None
    new: dict[str, Any] = {}
    if "precision" in changed:
        precision = resolve(config.precision, device or default_device())
        new |= {"precision": precision.name, "precision_why": precision.why}
    # At least one step is left to train.
    steps = parent.steps if request.steps is None else request.steps
    steps = _validation.integer("steps", steps, begin + 1, MOST_STEPS)
    if steps != parent.steps:
        changed = {**changed, "steps": [parent.steps, steps]}
    if begin == 0:
        # Otherwise the first steps were done with the parent's versions.
        new["versions"] = versions()
    return replace(
        parent,
        name=name,
        config=asdict(config),
        steps=steps,
        device=device,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        # A copy, since reading the encoder and the examples adds to it.
        fingerprints=dict(parent.fingerprints),
        parent=Parent(run=parent.name, step=begin, changed=changed),
        **new,
    )


def _copy_state(
    run_config: RunConfig, parent_files: RunFolder, files: RunFolder, checkpoint: str
) -> None:
    """Copy the parent's ``checkpoint`` with the fork's settings, and the parent's run up to it."""
    tensors, meta = parent_files.checkpoints.of(checkpoint)
    names = {*GIVEN, *GROWING, *parent_files.made_by_method()}
    if meta.best:
        names.add(at_step(BEST, meta.best["step"]))
    parent_files.copy_parts(files, names)
    # The parent's later positions are not the fork's.
    header, *measurements = files.lines(POSITIONS)
    earlier = [row for row in measurements if row["step"] <= meta.step]
    files.write_lines(POSITIONS, [header, *earlier])
    files.checkpoints.write(tensors, meta.model_dump() | {"config": run_config.config})
