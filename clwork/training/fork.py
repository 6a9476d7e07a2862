"""Plan a fork and copy its parent's configuration, checkpoint and history into its folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import torch

from .. import _validation
from ..arithmetic import unit_rows
from ..events import Event, events_of
from ..methods import MethodConfig, fields, get
from ..precision import is_here, resolve, versions
from ..run_folder.config import RunConfig
from ..run_folder.files import BEST, CHECKPOINT, EARLIER, GIVEN, GROWING, at_step
from ..run_folder.folder import RunFolder
from ..run_folder.history import Row, RunHistory
from ..run_folder.positions import Positions, fit_basis
from ..run_folder.schema import MOST_STEPS, Parent
from ..settings import build, check_effect
from .preparation import Progress, RunInputs, prepare, read_config


class Fork(NamedTuple):
    """Plan of a fork; ``recipe`` still has the parent's name, ``file`` is the parent's checkpoint (None for step 0).

    If ``repeats``, the checkpoint is of a step before the fork, and :func:`repeat_steps` does the steps between again.
    """

    recipe: RunConfig
    config: MethodConfig
    file: str | None
    inputs: RunInputs
    repeats: bool


class Stage(NamedTuple):
    """Steps of one recipe; ``recipe`` has the hyperparameters before the first of them, ``end`` is the last step."""

    recipe: RunConfig
    end: int


def stages(recipe: RunConfig, rows: Iterable[Row], start: int) -> list[Stage]:
    """Return the stages from ``start`` to the step at which the fork ``recipe`` begins, oldest first.

    There are several if the fork's parent is itself a fork that began after ``start``. ``rows`` is their history.
    """
    assert recipe.parent is not None
    end, now, found = recipe.parent.step, _before(recipe, recipe.parent.changed), list[Stage]()
    inside = (row for row in rows if start < row["step"] <= recipe.parent.step)
    for event in reversed([event for row in inside for event in events_of(row)]):
        if "moved" in event:
            now = _before(now, event["moved"])
        elif "forked" in event and event["forked"]["step"] > start:
            found.append(Stage(now, end))
            end, now = event["forked"]["step"], _before(now, event["forked"]["changed"])
    found = [Stage(now, end), *reversed(found)]
    return [one for place, one in enumerate(found) if place == 0 or one.end > found[place - 1].end]


def _before(recipe: RunConfig, changed: Mapping[str, Sequence[Any]]) -> RunConfig:
    """Return the recipe with the old values of ``changed`` settings."""
    old = {name: values[0] for name, values in changed.items()}
    own: dict[str, Any] = {name: old.pop(name) for name in ("steps", "seed") if name in old}
    if "precision" in old:
        chosen = resolve(old["precision"], recipe.device or _validation.usual_device())
        own |= {"precision": chosen[0], "precision_why": chosen[1]}
    return replace(recipe, config={**recipe.config, **old}, **own)


def settings_at(recipe: RunConfig, rows: Iterable[Row], step: int) -> dict[str, Any]:
    """Return the hyperparameters in force at a step: those of the recipe, with the controls moved up to the step."""
    begin = 0 if recipe.parent is None else recipe.parent.step
    if step < begin:
        return dict(stages(recipe, rows, step)[0].recipe.config)
    inside = (row for row in rows if begin < row["step"] <= step)
    moves = (event["moved"] for row in inside for event in events_of(row) if "moved" in event)
    return {**recipe.config, **{name: new for moved in moves for name, (_, new) in moved.items()}}


def fork_points(parent: RunConfig, files: RunFolder) -> dict[int, str]:
    """Return the checkpoint file of each step at which a fork can begin; not the last step of a finished run."""
    ends = {CHECKPOINT, EARLIER}
    readable = files.checkpoints.on_disk()
    return {
        meta.step: name
        for name, meta in readable.items()
        if name not in ends or meta.step < parent.steps
    }


def plan_fork(
    parent: RunConfig,
    files: RunFolder,
    rows: Sequence[Row],
    step: int | None,
    repeat: bool,
    steps: int | None,
    seed: int | None,
    changes: Mapping[str, object],
    examples: Any,
) -> Fork:
    """Check the arguments of :meth:`.Run.fork` and return the plan; nothing is written."""
    points = fork_points(parent, files)
    start = max(points, default=0) if step is None else step
    done = rows[-1]["step"] if rows else 0
    if repeat and start > done:
        raise ValueError(f"{parent.name} has not done step {start} yet; give a step up to {done}")
    if start and start not in points and not repeat:
        raise ValueError(
            f"step={start} of {parent.name} has no checkpoint; give one of the steps "
            f"{', '.join(map(str, sorted({0, *points})))}. clwork.start(..., keep_every=50) retains every 50th, and "
            "repeat=True trains the steps since the last checkpoint again"
        )
    base = max(one for one in (0, *points) if one <= start)
    file = points[base] if base else None
    # the checkpoint's values, which controls may have changed
    stored = parent.config if file is None else files.checkpoints.of(file)[1].config
    config = dict(stored) if base == start else settings_at(parent, rows, start)
    made: MethodConfig = build(get(parent.method).Config, {**config, **changes})
    check_effect(made, changes, build(get(parent.method).Config, config))
    changed: dict[str, Any] = {
        key: [config[key], v] for key, v in asdict(made).items() if v != config.get(key)
    }
    for name in files.made_by_method() if start else ():
        if late := [key for key in changed if key.startswith(name)]:
            raise ValueError(
                f"{late[0]} determines the encoder {name!r}, which {parent.name} made before its first step; fork from "
                "step 0 to make it again"
            )
    end = (
        parent.steps
        if steps is None
        else _validation.integer("steps", steps, start + 1, MOST_STEPS)
    )
    new_seed = parent.seed if seed is None else _validation.seed(seed)
    if end <= start:
        raise ValueError(
            f"{parent.name} ends at step {end}; give steps=… above {start}, where the fork begins"
        )
    device = parent.device if is_here(parent.device) else None
    precision: Any = parent.precision, parent.precision_why
    if "precision" in changed:
        precision = resolve(made.precision, device or _validation.usual_device())
    also: dict[str, Any] = {"steps": [parent.steps, end]} if end != parent.steps else {}
    also |= {"seed": [parent.seed, new_seed]} if new_seed != parent.seed else {}
    recipe = replace(
        parent,
        config=asdict(made),
        steps=end,
        seed=new_seed,
        device=device,
        precision=precision[0],
        precision_why=precision[1],
        versions=parent.versions if start else versions(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        fingerprints={
            name: digest for name, digest in parent.fingerprints.items() if name not in changes
        },
        first_seed=parent.first_seed if new_seed == parent.seed else parent.weights_seed,
        parent=Parent(run=parent.name, step=start, changed={**changed, **also}),
    )
    inputs = RunInputs(recipe.encoder, examples, device or _validation.usual_device())
    return Fork(recipe, made, file, inputs, base < start)


def fill_fork(fork: Fork, parent: RunFolder, files: RunFolder) -> tuple[RunHistory, RunInputs]:
    """Write the folder of a fork; return its history and inputs. ``fork.recipe`` must have the fork's name."""
    recipe, made, file, inputs, repeats = fork
    assert recipe.parent is not None
    step, cold = recipe.parent.step, {field.name for field in fields(made) if not field.hot}
    event = {"forked": recipe.parent.model_dump()}
    copied = {*GIVEN}
    if (
        step or not cold & recipe.parent.changed.keys()
    ):  # otherwise the method makes its encoders again
        copied |= set(parent.made_by_method())
    if file is None and not repeats:
        parent.copy_parts(files, copied)
        history, inputs = RunHistory(files), replace(inputs, events=(event,))
    else:
        tensors, meta = ({}, None) if file is None else parent.checkpoints.of(file)
        copied |= {*GROWING} | (
            {at_step(BEST, meta.best_step)} if meta and meta.best_step is not None else set()
        )
        parent.copy_parts(files, copied)
        Positions.cut(files, step)  # the parent's later positions are not the fork's
        if meta is not None:
            changes = (
                {}
                if repeats
                else {"config": asdict(made), "events": [*meta.pending_events(), event]}
            )
            files.checkpoints.write(tensors, meta.model_dump() | changes)
        history = RunHistory(files, upto=step)
        inputs = replace(inputs, resume=True, forked=True, events=tuple(history.faults(step)))
    recipe.write(files)  # written last, since this file makes the folder a run
    return history, inputs


def repeat_steps(
    recipe: RunConfig,
    files: RunFolder,
    rows: Sequence[Row],
    given: RunInputs,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Do the parent's steps from the checkpoint in the folder to the fork's step again; write the fork's checkpoint.

    Without a checkpoint they begin at step 0. The controls move as in ``rows``. Only validations are repeated as well,
    since they choose the best encoder; history and positions have been copied. Does nothing if no step is missing.
    """
    parent, begun = recipe.parent, time.perf_counter()
    start = files.checkpoints.meta().step if files.checkpoints.any() else 0
    if parent is None or start >= parent.step:
        return
    moves: dict[int, dict[str, Any]] = {}  # by step: the values to which its controls were moved
    for row in rows:
        for moved in (event["moved"] for event in events_of(row) if "moved" in event):
            moves.setdefault(row["step"], {}).update(
                {name: new for name, (_, new) in moved.items()}
            )
    todo = stages(recipe, rows, start)
    for (stage, end), after in zip(todo, [*(one.recipe for one in todo[1:]), recipe], strict=True):
        inputs = replace(given, resume=files.checkpoints.any())
        loop, _ = prepare(stage, files, read_config(stage, files), inputs, report, store=False)
        config = loop.method.config
        if not inputs.resume:
            loop.measure()
            assert loop.probe.vectors is not None
            basis = torch.from_numpy(fit_basis(unit_rows(loop.probe.vectors))[0])
            loop.positions = Positions.resumed(files, parent.step, loop.probe, basis)
            loop.validate()
        while loop.step < end:
            for name, value in moves.get(loop.step + 1, {}).items():
                setattr(config, name, value)
            loop.update()
            loop.validate()
            done, seconds = loop.step - start, time.perf_counter() - begun
            report(
                Progress(f"repeating the steps of {parent.run}", done, parent.step - start, seconds)
            )
        for name, value in after.config.items():
            setattr(config, name, value)
        events: list[Event] = [{"forked": parent.model_dump()}] if after is recipe else []
        loop.save(files, events)
