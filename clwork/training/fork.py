"""Fork a run: copy configuration, checkpoint and history, and repeat steps where needed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import torch

from .. import _validation
from ..arithmetic import unit_rows
from ..events import Event, events_of
from ..methods import MethodConfig, fields, get
from ..precision import default_device, is_here, resolve, versions
from ..run_folder.config import RunConfig
from ..run_folder.files import BEST, CHECKPOINT, EARLIER, GIVEN, GROWING, at_step
from ..run_folder.folder import RunFolder
from ..run_folder.history import Row, RunHistory
from ..run_folder.positions import Positions, fit_basis
from ..run_folder.schema import MOST_STEPS, Parent
from ..settings import build, check_effect
from .loop import Loop
from .preparation import Progress, Report, RunInputs, ignore, prepare, read_config


class ForkRequest(NamedTuple):
    """Arguments of :meth:`.Run.fork`."""

    step: int | None
    repeat: bool
    steps: int | None
    seed: int | None
    changes: Mapping[str, object]
    examples: Any


def fork_points(parent: RunConfig, files: RunFolder) -> dict[int, str]:
    """Return the checkpoint file of each step at which a fork can begin."""
    points = {}
    for name, meta in files.checkpoints.on_disk().items():
        # A finished run's last checkpoint has no optimizer state, unless keep_every retained it.
        is_retained = name not in (CHECKPOINT, EARLIER)
        if meta.step < parent.steps or is_retained:
            points[meta.step] = name
    return points


def write_fork(
    request: ForkRequest,
    parent: RunConfig,
    parent_files: RunFolder,
    rows: Sequence[Row],
    files: RunFolder,
) -> tuple[RunConfig, MethodConfig, RunHistory, RunInputs]:
    """Check the arguments of a fork and write its folder ``files``; ``rows`` are the parent's.

    The fork begins at the requested step. If that has no checkpoint, the folder gets the last
    checkpoint before it, and :func:`repeat_steps` later does the steps between.
    """
    # The step at which the fork begins, and the checkpoint that it is made from.
    points = fork_points(parent, parent_files)
    begin = max(points, default=0) if request.step is None else request.step
    _check_begin(parent, rows, points, begin, request.repeat)
    base = max(point for point in (0, *points) if point <= begin)
    checkpoint = points[base] if base else None

    # The hyperparameters at that step, and the changes.
    if base < begin:
        settings = settings_at(parent, rows, begin)
    elif checkpoint is None:
        settings = dict(parent.config)
    else:
        # Controls may have changed the values with which the parent began.
        settings = parent_files.checkpoints.of(checkpoint, ())[1].config
    config_class = get(parent.method).Config
    config: MethodConfig = build(config_class, {**settings, **request.changes})
    check_effect(config, request.changes, build(config_class, settings))
    changed: dict[str, Any] = {}
    for name, value in asdict(config).items():
        if value != settings[name]:
            changed[name] = [settings[name], value]
    if begin:
        _check_made_encoders(parent, parent_files, changed)

    # The folder.
    run_config = _forked_config(request, parent, files.path.name, begin, config, changed)
    device = run_config.device or default_device()
    inputs = RunInputs(run_config.encoder, request.examples, device, forked=True)
    history, inputs = _copy_state(run_config, config, parent_files, files, checkpoint, inputs)
    # Written last, since this file makes the folder a run.
    run_config.write(files)
    return run_config, config, history, inputs


def _check_begin(
    parent: RunConfig, rows: Sequence[Row], points: dict[int, str], begin: int, repeat: bool
) -> None:
    """Raise ValueError if a fork cannot begin at step ``begin``."""
    done = rows[-1]["step"] if rows else 0
    if repeat and begin > done:
        raise ValueError(f"{parent.name} has not done step {begin} yet; give a step up to {done}")
    if begin and begin not in points and not repeat:
        known = ", ".join(str(point) for point in sorted({0, *points}))
        raise ValueError(
            f"step={begin} of {parent.name} has no checkpoint; give one of the steps {known}. "
            "clwork.start(..., keep_every=50) retains every 50th, and repeat=True trains the steps "
            "since the last checkpoint again"
        )


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
    steps = request.steps
    if steps is not None:
        steps = _validation.integer("steps", steps, begin + 1, MOST_STEPS)
    elif parent.steps <= begin:
        raise ValueError(
            f"{parent.name} ends at step {parent.steps}; give steps=… above {begin}, where the "
            "fork begins"
        )
    new: dict[str, Any] = {}
    if steps not in (None, parent.steps):
        new["steps"] = steps
        changed = {**changed, "steps": [parent.steps, steps]}
    seed = request.seed
    if seed is not None and _validation.seed(seed) != parent.seed:
        # The weights that no file has stay the parent's.
        new |= {"seed": seed, "first_seed": parent.weights_seed}
        changed = {**changed, "seed": [parent.seed, seed]}
    device = parent.device if is_here(parent.device) else None
    if "precision" in changed:
        precision = resolve(config.precision, device or default_device())
        new |= {"precision": precision.name, "precision_why": precision.why}
    if begin == 0:
        # Otherwise the first steps were done with the parent's versions.
        new["versions"] = versions()
    return replace(
        parent,
        name=name,
        config=asdict(config),
        device=device,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        # A copy, since reading the encoder and the examples adds to it.
        fingerprints=dict(parent.fingerprints),
        parent=Parent(run=parent.name, step=begin, changed=changed),
        **new,
    )


def _copy_state(
    run_config: RunConfig,
    config: MethodConfig,
    parent_files: RunFolder,
    files: RunFolder,
    checkpoint: str | None,
    inputs: RunInputs,
) -> tuple[RunHistory, RunInputs]:
    """Copy what the fork needs of its parent; return its history, and inputs to start it.

    ``checkpoint`` is the parent's file from which the fork continues; None for a start from step 0.
    """
    assert run_config.parent is not None
    begin = run_config.parent.step
    event: Event = {"forked": run_config.parent.model_dump()}
    # Files and folders to copy: first what the caller passed.
    names = {*GIVEN}
    fixed = {field.name for field in fields(config) if not field.hot}
    changes_fixed = bool(fixed & run_config.parent.changed.keys())
    # A fixed setting that is changed at step 0 could change the encoders that the method made, so
    # they are then made again.
    if begin or not changes_fixed:
        names.update(parent_files.made_by_method())

    # A new start from step 0, without history.
    if begin == 0 and checkpoint is None:
        parent_files.copy_parts(files, names)
        return RunHistory(files), replace(inputs, events=(event,))

    # History, positions, and the best encoder that the checkpoint names.
    names.update(GROWING)
    meta = None
    if checkpoint is not None:
        tensors, meta = parent_files.checkpoints.of(checkpoint)
        if meta.best_step is not None:
            names.add(at_step(BEST, meta.best_step))
    parent_files.copy_parts(files, names)
    # The parent's later positions are not the fork's.
    Positions.cut(files, begin)

    # The checkpoint, with the changed settings if it is of the step at which the fork begins.
    # Otherwise repeat_steps continues from it with the parent's settings.
    if meta is not None:
        checkpoint_meta = meta.model_dump()
        if meta.step == begin:
            events = [*meta.events, event]
            checkpoint_meta |= {"config": asdict(config), "events": events}
        files.checkpoints.write(tensors, checkpoint_meta)
    history = RunHistory(files, upto=begin)
    return history, replace(inputs, resume=True, events=tuple(history.faults(begin)))


def repeat_steps(
    run_config: RunConfig,
    files: RunFolder,
    rows: Sequence[Row],
    inputs: RunInputs,
    report: Report = ignore,
) -> None:
    """Do the parent's steps from the checkpoint in the folder to the fork's step again.

    Does nothing if no step is missing. Without a checkpoint, the steps begin at 0. The controls
    move as in ``rows``, the parent's history. Of the measurements only validations are repeated,
    since they choose the best encoder; history and positions have been copied. At the end, the
    fork's checkpoint is written.
    """
    parent = run_config.parent
    start = files.checkpoints.meta().step if files.checkpoints.any() else 0
    if parent is None or start >= parent.step:
        return
    began = time.perf_counter()
    configs = _earlier_configs(run_config, rows)
    loop: Loop | None = None
    for step in range(start + 1, parent.step + 1):
        step_config = configs[step]
        # A fixed setting changes only where an earlier fork began: continue with a new loop.
        if loop is not None and _without_hot(step_config) != _without_hot(loop.run_config):
            loop.save(files)
            loop = None
        if loop is None:
            loop = _repeating_loop(step_config, files, inputs, report, parent.step)
        loop.set_config(step_config.config)
        loop.update()
        loop.validate()
        seconds = time.perf_counter() - began
        work = f"repeating the steps of {parent.run}"
        report(Progress(work, step - start, parent.step - start, seconds))
    assert loop is not None
    loop.set_config(run_config.config)
    event: Event = {"forked": parent.model_dump()}
    loop.save(files, [event])


def _repeating_loop(
    run_config: RunConfig, files: RunFolder, inputs: RunInputs, report: Report, last: int
) -> Loop:
    """Return a loop from the checkpoint, or from step 0; it keeps the positions up to ``last``.

    At step 0, the measurement that defines the axes of the positions is repeated.
    """
    inputs = replace(inputs, resume=files.checkpoints.any())
    config = read_config(run_config, files)
    loop, _ = prepare(run_config, files, config, inputs, report, store=False)
    if not inputs.resume:
        loop.measure()
        assert loop.probe.vectors is not None
        mean_and_axes, _ = fit_basis(unit_rows(loop.probe.vectors))
        basis = torch.from_numpy(mean_and_axes)
        loop.positions = Positions.resumed(files, last, loop.probe, basis)
        loop.validate()
    return loop


def _without_hot(run_config: RunConfig) -> RunConfig:
    """Return the configuration without the hyperparameters that can change during a run."""
    hot = {field.name for field in fields(get(run_config.method).Config) if field.hot}
    fixed = {name: value for name, value in run_config.config.items() if name not in hot}
    return replace(run_config, config=fixed)


def settings_at(run_config: RunConfig, rows: Sequence[Row], step: int) -> dict[str, Any]:
    """Return the hyperparameters in force at a step, with the controls moved up to then.

    ``rows`` are the history of the run. If it is a fork, steps before its begin are its parent's.
    """
    parent = run_config.parent
    begin = 0 if parent is None else parent.step
    if step < begin:
        return dict(_earlier_configs(run_config, rows)[step].config)
    settings = dict(run_config.config)
    for row in rows:
        if begin < row["step"] <= step:
            settings |= _moved(row)
    return settings


def _moved(row: Row) -> dict[str, Any]:
    """Return the new values of the controls that were moved before the row's step."""
    values = {}
    for event in events_of(row):
        for name, (_, new) in event.get("moved", {}).items():
            values[name] = new
    return values


def _earlier_configs(run_config: RunConfig, rows: Sequence[Row]) -> dict[int, RunConfig]:
    """Return the configuration in force at each step up to the one at which this fork begins.

    Goes back from the fork and undoes what the rows record: moved controls and earlier forks.
    """
    parent = run_config.parent
    assert parent is not None
    config = _undo(run_config, parent.changed)
    configs = {}
    for row in reversed(rows):
        if row["step"] > parent.step:
            continue
        configs[row["step"]] = config
        # The events of a row happened before its step.
        for event in reversed(events_of(row)):
            config = _undo(config, event.get("moved", {}))
            if "forked" in event:
                config = _undo(config, event["forked"]["changed"])
    return configs


def _undo(run_config: RunConfig, changed: Mapping[str, Sequence[Any]]) -> RunConfig:
    """Return the configuration with the old values of settings, given as name: (old, new).

    ``steps`` and ``seed`` are settings of the run, all others are hyperparameters of the method.
    """
    settings = dict(run_config.config)
    of_run: dict[str, Any] = {}
    for name, (old, _) in changed.items():
        if name in ("steps", "seed"):
            of_run[name] = old
        else:
            settings[name] = old
    if "precision" in changed:
        # The run also stores what the setting "auto" means on its device.
        device = run_config.device or default_device()
        precision = resolve(str(settings["precision"]), device)
        of_run |= {"precision": precision.name, "precision_why": precision.why}
    return replace(run_config, config=settings, **of_run)
