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
        # The last checkpoint of a finished run has no optimizer state.
        if meta.step < parent.steps or name not in (CHECKPOINT, EARLIER):
            points[meta.step] = name
    return points


def write_fork(
    request: ForkRequest,
    parent: RunConfig,
    parent_files: RunFolder,
    rows: Sequence[Row],
    files: RunFolder,
) -> tuple[RunConfig, MethodConfig, RunHistory, RunInputs]:
    """Check the arguments of a fork and write its folder ``files``; ``rows`` are the parent's."""
    points = fork_points(parent, parent_files)
    begin = max(points, default=0) if request.step is None else request.step
    _check_begin(parent, rows, points, begin, request.repeat)
    base = max(point for point in (0, *points) if point <= begin)
    file = points[base] if base else None
    if base < begin:
        settings = settings_at(parent, rows, begin)
    elif file is None:
        settings = dict(parent.config)
    else:  # controls may have changed the values
        settings = parent_files.checkpoints.of(file, ())[1].config
    kind = get(parent.method).Config
    config: MethodConfig = build(kind, {**settings, **request.changes})
    check_effect(config, request.changes, build(kind, settings))
    changed: dict[str, Any] = {}
    for name, value in asdict(config).items():
        if value != settings[name]:
            changed[name] = [settings[name], value]
    if begin:
        _check_made_encoders(parent, parent_files, changed)
    run_config = _forked_config(request, parent, files.path.name, begin, config, changed)
    device = run_config.device or default_device()
    inputs = RunInputs(run_config.encoder, request.examples, device, forked=True)
    history, inputs = _copy_state(run_config, config, parent_files, files, file, inputs)
    run_config.write(files)  # written last, since this file makes the folder a run
    return run_config, config, history, inputs


def _check_begin(
    parent: RunConfig, rows: Sequence[Row], points: dict[int, str], begin: int, repeat: bool
) -> None:
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
    """Raise ValueError for a changed setting of an encoder that the method made at its start."""
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
    """Return the configuration of a fork; ``changed`` are old and new hyperparameters."""
    steps = request.steps
    seed = request.seed
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
    if seed is not None and _validation.seed(seed) != parent.seed:
        new |= {"seed": seed, "first_seed": parent.weights_seed}
        changed = {**changed, "seed": [parent.seed, seed]}
    device = parent.device if is_here(parent.device) else None
    if "precision" in changed:
        precision = resolve(config.precision, device or default_device())
        new |= {"precision": precision.name, "precision_why": precision.why}
    if begin == 0:
        new["versions"] = versions()
    return replace(
        parent,
        name=name,
        config=asdict(config),
        device=device,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        fingerprints=dict(parent.fingerprints),
        parent=Parent(run=parent.name, step=begin, changed=changed),
        **new,
    )


def _copy_state(
    run_config: RunConfig,
    config: MethodConfig,
    parent: RunFolder,
    files: RunFolder,
    file: str | None,
    inputs: RunInputs,
) -> tuple[RunHistory, RunInputs]:
    """Copy what the fork needs of its parent, from whose checkpoint ``file`` it continues."""
    assert run_config.parent is not None
    begin = run_config.parent.step
    event: Event = {"forked": run_config.parent.model_dump()}
    fixed = {field.name for field in fields(config) if not field.hot}
    copied = {*GIVEN}
    if begin or not fixed & run_config.parent.changed.keys():
        copied.update(parent.made_by_method())  # otherwise the method makes its encoders again
    if begin == 0 and file is None:
        parent.copy_parts(files, copied)
        return RunHistory(files), replace(inputs, events=(event,))
    copied.update(GROWING)
    meta = None
    if file is not None:
        tensors, meta = parent.checkpoints.of(file)
        if meta.best_step is not None:
            copied.add(at_step(BEST, meta.best_step))
    parent.copy_parts(files, copied)
    Positions.cut(files, begin)  # the parent's later positions are not the fork's
    if meta is not None:
        about = meta.model_dump()
        if meta.step == begin:  # otherwise repeat_steps does the steps between
            about |= {"config": asdict(config), "events": [*meta.events, event]}
        files.checkpoints.write(tensors, about)
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

    Does nothing if no step is missing. Without a checkpoint they begin at step 0. The controls move
    as in ``rows``. Of the measurements only validations are repeated, since they choose the best
    encoder; history and positions have been copied. At the end, the fork's checkpoint is written.
    """
    parent = run_config.parent
    begun = time.perf_counter()
    start = files.checkpoints.meta().step if files.checkpoints.any() else 0
    if parent is None or start >= parent.step:
        return
    configs = _earlier_configs(run_config, rows)
    loop: Loop | None = None
    for step in range(start + 1, parent.step + 1):
        now = configs[step]
        if loop is None or _without_hot(now) != _without_hot(loop.run_config):
            if loop is not None:  # an earlier fork began here
                loop.save(files)
            loop = _repeating_loop(now, files, inputs, report, parent.step)
        for name, value in now.config.items():
            setattr(loop.method.config, name, value)
        loop.update()
        loop.validate()
        seconds = time.perf_counter() - begun
        work = f"repeating the steps of {parent.run}"
        report(Progress(work, step - start, parent.step - start, seconds))
    assert loop is not None
    for name, value in run_config.config.items():
        setattr(loop.method.config, name, value)
    event: Event = {"forked": parent.model_dump()}
    loop.save(files, [event])


def _repeating_loop(
    run_config: RunConfig, files: RunFolder, inputs: RunInputs, report: Report, last: int
) -> Loop:
    """Return a loop from the checkpoint, or from step 0; it keeps the positions up to ``last``."""
    inputs = replace(inputs, resume=files.checkpoints.any())
    config = read_config(run_config, files)
    loop, _ = prepare(run_config, files, config, inputs, report, store=False)
    if not inputs.resume:
        loop.measure()
        assert loop.probe.vectors is not None
        basis = torch.from_numpy(fit_basis(unit_rows(loop.probe.vectors))[0])
        loop.positions = Positions.resumed(files, last, loop.probe, basis)
        loop.validate()
    return loop


def _without_hot(run_config: RunConfig) -> RunConfig:
    """Return the configuration without the hyperparameters that can change during a run."""
    hot = {field.name for field in fields(get(run_config.method).Config) if field.hot}
    fixed = {name: value for name, value in run_config.config.items() if name not in hot}
    return replace(run_config, config=fixed)


def settings_at(run_config: RunConfig, rows: Sequence[Row], step: int) -> dict[str, Any]:
    """Return the hyperparameters in force at a step, with the controls moved up to then."""
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

    It goes back from the fork and undoes what the rows record: moved controls and earlier forks.
    """
    parent = run_config.parent
    assert parent is not None
    config = _undo(run_config, parent.changed)
    configs = {}
    for row in reversed(rows):
        if row["step"] > parent.step:
            continue
        configs[row["step"]] = config
        for event in reversed(events_of(row)):
            config = _undo(config, event.get("moved", {}))
            if "forked" in event:
                config = _undo(config, event["forked"]["changed"])
    return configs


def _undo(run_config: RunConfig, changed: Mapping[str, Sequence[Any]]) -> RunConfig:
    """Return the configuration with the old values of ``changed`` settings."""
    settings = dict(run_config.config)
    others: dict[str, Any] = {}
    for name, (old, _) in changed.items():
        if name in ("steps", "seed"):
            others[name] = old
        else:
            settings[name] = old
    if "precision" in changed:
        device = run_config.device or default_device()
        precision = resolve(str(settings["precision"]), device)
        others |= {"precision": precision.name, "precision_why": precision.why}
    return replace(run_config, config=settings, **others)
