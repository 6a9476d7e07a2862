"""What a fork takes from its parent: the recipe, the files of a checkpoint, the record up to there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ... import _validation
from ...methods import MethodConfig, fields, get
from ...methods.hyperparameters import build, check_effect
from ..disk.folder import RunFolder
from ..disk.recipe import Recipe
from ..disk.record import Record
from ..disk.run_files import BEST, CHECKPOINT, EARLIER, at_step, names_of
from ..disk.schema import Moved, Parent
from ..outside import Outside
from ..precision import is_here, resolve, versions
from ..preparation import RunInputs
from .arguments import steps_from


class Fork(NamedTuple):
    """Plan of a fork: its recipe, still without a name, and the parent's checkpoint file; None for step 0."""

    recipe: Recipe
    config: MethodConfig
    file: str | None
    inputs: RunInputs


def fork_points(parent: Recipe, files: RunFolder) -> dict[int, str]:
    """File of each step that a fork can begin at; a finished run's last checkpoint lacks the optimizer's moments."""
    ends = {CHECKPOINT, EARLIER}
    readable = files.checkpoints.on_disk()
    return {meta.step: name for name, meta in readable.items() if name not in ends or meta.step < parent.steps}


def plan_fork(
    parent: Recipe,
    files: RunFolder,
    step: int | None,
    steps: int | None,
    seed: int | None,
    changes: Mapping[str, object],
    examples: Any,
    named: Collection[str],
) -> Fork:
    """Check the arguments of :meth:`.Run.fork` and make the recipe; nothing is written.

    ``parent`` and ``files`` are recipe and folder of the run that is forked; ``named`` needs no fingerprint, see
    :class:`.Outside`.

    Raises:
        TypeError, ValueError: as :meth:`.Run.fork`.
    """
    begins, file = _begins(parent, files, step)
    config = dict(parent.config if file is None else files.checkpoints.of(file)[1].config)  # controls may have moved
    made: MethodConfig = build(get(parent.method).Config, {**config, **changes})
    check_effect(made, changes, build(get(parent.method).Config, config))
    changed = {key: [config[key], value] for key, value in asdict(made).items() if value != config.get(key)}
    recipe = _recipe(parent, begins, made, changed, steps, seed)
    for name in changes:
        recipe.fingerprints.pop(name, None)
    _check_made(parent, files, begins, changed)
    inputs = RunInputs(recipe.encoder, examples, recipe.device or _validation.usual_device(), named=named)
    Outside(recipe, files, named=inputs.names).check()
    return Fork(recipe, made, file, inputs)


def _begins(parent: Recipe, files: RunFolder, step: int | None) -> tuple[int, str | None]:
    """Return the step to fork from and the file of its checkpoint; None for step 0."""
    kept = fork_points(parent, files)
    chosen = max(kept, default=0) if step is None else step
    if chosen and chosen not in kept:
        raise ValueError(
            f"step={chosen} of {parent.name} is not kept; kept are {', '.join(map(str, sorted({0, *kept})))}. "
            "clwork.start(..., keep_every=50) keeps a checkpoint of every 50th step"
        )
    return (chosen, kept[chosen]) if chosen else (0, None)


def _recipe(
    parent: Recipe, step: int, made: MethodConfig, changed: Moved, steps: int | None, seed: int | None
) -> Recipe:
    ends = parent.steps if steps is None else steps_from("steps", steps, step + 1)
    drawn = parent.seed if seed is None else _validation.seed(seed)
    changes = dict(changed)
    changes |= {"steps": [parent.steps, ends]} if ends != parent.steps else {}
    changes |= {"seed": [parent.seed, drawn]} if drawn != parent.seed else {}
    if ends <= step:
        raise ValueError(f"{parent.name} ends at step {ends}: give steps=… beyond step {step}, where the fork begins")
    device = parent.device if is_here(parent.device) else None
    name, why = parent.precision, parent.precision_why
    if "precision" in changed:
        name, why = resolve(made.precision, device or _validation.usual_device())
    return replace(
        parent,
        config=asdict(made),
        steps=ends,
        seed=drawn,
        device=device,
        precision=name,
        precision_why=why,
        versions=parent.versions if step else versions(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        fingerprints=dict(parent.fingerprints),
        first_seed=parent.first_seed if drawn == parent.seed else parent.weights_seed,
        parent=Parent(run=parent.name, step=step, changed=changes),
    )


def _check_made(parent: Recipe, files: RunFolder, step: int, changed: Moved) -> None:
    """Refuse to change what the method made before the first step, such as a judge: it is not made again later."""
    for made in files.made_by_method() if step else ():
        if late := [name for name in changed if name.startswith(made)]:
            raise ValueError(
                f"{late[0]} belongs to what {parent.name} made before its first step, its {made!r}: fork from step "
                "0, where that is made anew"
            )


def fill_fork(fork: Fork, parent: RunFolder, files: RunFolder) -> tuple[Record, RunInputs]:
    """Write a fork's folder, the recipe last; ``fork.recipe`` has its name by now. Returns its record and inputs."""
    recipe, made, file, inputs = fork
    assert recipe.parent is not None
    step, cold = recipe.parent.step, {field.name for field in fields(made) if not field.hot}
    anew = step == 0 and bool(cold & recipe.parent.changed.keys())
    event = {"forked": recipe.parent.model_dump()}
    tops = set(names_of(lambda row: row.given or (row.grows and file is not None)))
    tops |= set(() if anew else parent.made_by_method())
    if file is None:
        parent.copy_parts(files, tops)
        record, inputs = Record(files), replace(inputs, events=(event,))
    else:
        tensors, meta = parent.checkpoints.of(file)
        best = set() if meta.best_step is None else {at_step(BEST, meta.best_step)}
        parent.copy_parts(files, tops | best)
        changes = {"config": asdict(made), "events": [*meta.pending_events(), event]}
        files.checkpoints.write(tensors, meta.model_dump() | changes)
        record = Record(files, upto=step)
        inputs = replace(inputs, resume=True, forked=True, events=tuple(record.faults(step)))
    recipe.write(files)  # the last of all: it makes the folder a run
    return record, inputs
