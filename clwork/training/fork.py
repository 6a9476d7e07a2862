"""Plan a fork and copy its parent's configuration, checkpoint and history into its folder."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from .. import _validation
from ..methods import MethodConfig, fields, get
from ..methods.hyperparameters import build, check_effect
from ..precision import is_here, resolve, versions
from ..run_folder.config import RunConfig
from ..run_folder.files import BEST, CHECKPOINT, EARLIER, GIVEN, GROWING, at_step
from ..run_folder.folder import RunFolder
from ..run_folder.history import RunHistory
from ..run_folder.schema import MOST_STEPS, Parent
from .preparation import ExternalResources, RunInputs


class Fork(NamedTuple):
    """Plan of a fork; ``recipe`` still has the parent's name, ``file`` is the parent's checkpoint (None for step 0)."""

    recipe: RunConfig
    config: MethodConfig
    file: str | None
    inputs: RunInputs


def fork_points(parent: RunConfig, files: RunFolder) -> dict[int, str]:
    """Return the checkpoint file of each step at which a fork can begin; not the last step of a finished run."""
    ends = {CHECKPOINT, EARLIER}
    readable = files.checkpoints.on_disk()
    return {meta.step: name for name, meta in readable.items() if name not in ends or meta.step < parent.steps}


def plan_fork(
    parent: RunConfig,
    files: RunFolder,
    step: int | None,
    steps: int | None,
    seed: int | None,
    changes: Mapping[str, object],
    examples: Any,
    named: Collection[str],
) -> Fork:
    """Check the arguments of :meth:`.Run.fork` and return the plan; nothing is written."""
    points = fork_points(parent, files)
    start = max(points, default=0) if step is None else step
    if start and start not in points:
        raise ValueError(
            f"step={start} of {parent.name} has no checkpoint; give one of the steps "
            f"{', '.join(map(str, sorted({0, *points})))}. clwork.start(..., keep_every=50) retains every 50th"
        )
    file = points[start] if start else None
    # the checkpoint's values, which controls may have changed
    config = dict(parent.config if file is None else files.checkpoints.of(file)[1].config)
    made: MethodConfig = build(get(parent.method).Config, {**config, **changes})
    check_effect(made, changes, build(get(parent.method).Config, config))
    changed: dict[str, Any] = {key: [config[key], v] for key, v in asdict(made).items() if v != config.get(key)}
    for name in files.made_by_method() if start else ():
        if late := [key for key in changed if key.startswith(name)]:
            raise ValueError(
                f"{late[0]} determines the encoder {name!r}, which {parent.name} made before its first step; fork from "
                "step 0 to make it again"
            )
    end = parent.steps if steps is None else _validation.integer("steps", steps, start + 1, MOST_STEPS)
    new_seed = parent.seed if seed is None else _validation.seed(seed)
    if end <= start:
        raise ValueError(f"{parent.name} ends at step {end}; give steps=… above {start}, where the fork begins")
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
        fingerprints={name: digest for name, digest in parent.fingerprints.items() if name not in changes},
        first_seed=parent.first_seed if new_seed == parent.seed else parent.weights_seed,
        parent=Parent(run=parent.name, step=start, changed={**changed, **also}),
    )
    inputs = RunInputs(recipe.encoder, examples, device or _validation.usual_device(), named=named)
    ExternalResources(recipe, files, named=inputs.names).check()
    return Fork(recipe, made, file, inputs)


def fill_fork(fork: Fork, parent: RunFolder, files: RunFolder) -> tuple[RunHistory, RunInputs]:
    """Write the folder of a fork; return its history and inputs. ``fork.recipe`` must have the fork's name."""
    recipe, made, file, inputs = fork
    assert recipe.parent is not None
    step, cold = recipe.parent.step, {field.name for field in fields(made) if not field.hot}
    event = {"forked": recipe.parent.model_dump()}
    copied = {*GIVEN}
    if step or not cold & recipe.parent.changed.keys():  # otherwise the method makes its encoders again
        copied |= set(parent.made_by_method())
    if file is None:
        parent.copy_parts(files, copied)
        history, inputs = RunHistory(files), replace(inputs, events=(event,))
    else:
        tensors, meta = parent.checkpoints.of(file)
        copied |= {*GROWING} | (set() if meta.best_step is None else {at_step(BEST, meta.best_step)})
        parent.copy_parts(files, copied)
        changes = {"config": asdict(made), "events": [*meta.pending_events(), event]}
        files.checkpoints.write(tensors, meta.model_dump() | changes)
        history = RunHistory(files, upto=step)
        inputs = replace(inputs, resume=True, forked=True, events=tuple(history.faults(step)))
    recipe.write(files)  # written last, since this file makes the folder a run
    return history, inputs
