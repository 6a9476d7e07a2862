"""A run that goes on from another one's checkpoint, as it is or with something changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from ... import checks
from ...edges import checked
from ...methods import fields, get
from ...methods.hyperparameters import build, check_effect
from ...renamed import RenamedAttribute
from ..disk.folder import RunFolder, run_name
from ..disk.recipe import Recipe
from ..disk.record import Record
from ..disk.run_files import BEST, CHECKPOINT, EARLIER, at_step, names_of
from ..disk.schema import Moved, Parent
from ..loop.outside import Outside
from ..loop.precision import is_here, resolve, versions
from ..loop.preparation import RunInputs
from .arguments import handed
from .run_view import RunView
from .termination import register


class Forking(RunView):
    """The part of :class:`.Run` that makes further runs of it."""

    recipe: Recipe
    _over: bool

    def checkpoint_steps(self) -> list[int]:
        """The steps that :meth:`fork` takes: 0, from where all is done again, and those of the checkpoints on disk.

        A run keeps its last two checkpoints until it is finished, and for good those that ``keep_every`` asked for.
        """
        return sorted({0, *self._kept()})

    steps_kept = RenamedAttribute("checkpoint_steps")

    @checked(name=run_name)
    def fork(
        self,
        step: int | None = None,
        *,
        steps: int | None = None,
        seed: int | None = None,
        name: str | None = None,
        folder: str | Path | None = None,
        sentences: Any = None,
        **changes: Any,
    ) -> Self:
        """Go on from a step of this run in a run of its own, in the background; this one is left as it is.

        Without changes it does what this run did, on a CPU bit for bit. Its folder begins with this run's record up to
        the step, and its recipe names its parent.

        Args:
            step: one of :meth:`checkpoint_steps`; default: where a run that is alive is now, else the latest.
            steps: at which step it ends; a learning rate with a schedule then follows the new length.
            seed: of batches, dropout and all else that is drawn after the step; the weights are the parent's.
            name: of the run; default: method and number.
            folder: where to keep it, as for :func:`clwork.start`.
            sentences: the examples again; needed only where this run was opened from its folder, which could not keep
                them (a stream of your own).
            changes: hyperparameters, hot or not, as long as the model keeps its shape.

        Raises:
            ValueError: the step is not kept, the folder lies inside this run's, or a value is out of range or would
                change nothing.
            TypeError: a hyperparameter is unknown or a value of another kind.
            FileExistsError: the folder holds something already.
            FileNotFoundError: this run was deleted or renamed.
            DiskError: the disk refuses.

        >>> longer = run.fork(200, temperature=0.1)  # doctest: +SKIP
        """
        examples = handed(sentences)
        if examples is None and isinstance(self._given, RunInputs):
            examples = self._given.examples
        if folder is not None:
            checks.beside("folder", Path(folder).resolve(), self.folder, "holds its parent")
        with self._between:
            self.files.check_there()
            begins, file = self._chosen(step)
            config = self._config_at(file)
            made = build(get(self.method).Config, {**config, **changes})
            check_effect(made, changes, build(get(self.method).Config, config))
            changed = {key: [config[key], value] for key, value in asdict(made).items() if value != config.get(key)}
            recipe = self._recipe(begins, made, changed, steps, seed)
            for given_now in changes:
                recipe.fingerprints.pop(given_now, None)
            self._check_made(begins, changed)
            named = frozenset(self.recipe.outside() if self.alive else changes)  # what lives has been through this
            given = RunInputs(recipe.encoder, examples, recipe.device or checks.usual_device(), named=named)
            Outside(recipe, self.files, named=given.names).check()
            with RunFolder.new(self.method, name, folder) as files:
                run = self._child(replace(recipe, name=files.path.name), files, made, file, given)
        forked: Self = register(run).start()
        return forked

    def _checkpoint(self, whole: bool = True) -> None:
        """Write a checkpoint of this moment."""
        raise NotImplementedError

    def _kept(self) -> dict[int, str]:
        """File of each step that can be gone on from; the checkpoint of a finished run has no moments."""
        ends = {CHECKPOINT, EARLIER}
        found = self.files.on_disk()
        return {meta.step: name for name, meta in found.items() if name not in ends or meta.step < self.recipe.steps}

    def _chosen(self, step: int | None) -> tuple[int, str | None]:
        """The step to fork from, and the file of its checkpoint; None for step 0, which is begun again."""
        wanted = None if step is None else checks.whole("step", step, 0)
        if self.alive and not self._over and self._loop is not None and 0 < self._loop.step < self.total_steps:
            if wanted in (None, self._loop.step):
                self._checkpoint()
        kept = self._kept()
        chosen = max(kept, default=0) if wanted is None else wanted
        if chosen and chosen not in kept:
            raise ValueError(
                f"step={chosen} of {self.name} is not kept; kept are {', '.join(map(str, self.checkpoint_steps()))}. "
                "clwork.start(..., keep_every=50) keeps a checkpoint of every 50th step"
            )
        return (chosen, kept[chosen]) if chosen else (0, None)

    def _config_at(self, file: str | None) -> dict[str, Any]:
        """The configuration in force there: controls may have been moved on the way."""
        return dict(self.recipe.config if file is None else self.files.checkpoint_of(file)[1].config)

    def _recipe(self, step: int, made: Any, changed: Moved, steps: int | None, seed: int | None) -> Recipe:
        parent = self.recipe
        ends = parent.steps if steps is None else checks.whole("steps", steps, step + 1)
        drawn = parent.seed if seed is None else checks.seed(seed)
        told = dict(changed)
        told |= {"steps": [parent.steps, ends]} if ends != parent.steps else {}
        told |= {"seed": [parent.seed, drawn]} if drawn != parent.seed else {}
        if ends <= step:
            raise ValueError(f"{self.name} ends at step {ends}: give steps=… beyond step {step}, where the fork begins")
        device = parent.device if is_here(parent.device) else None
        name, why = parent.precision, parent.precision_why
        if "precision" in changed:
            name, why = resolve(made.precision, device or checks.usual_device())
        return replace(
            parent,
            config=asdict(made),
            steps=ends,
            seed=drawn,
            device=device,
            precision=name,
            precision_why=why,
            versions=parent.versions if step else versions(name),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            fingerprints=dict(parent.fingerprints),
            first_seed=parent.first_seed if drawn == parent.seed else parent.weights_seed,
            parent=Parent(run=parent.name, step=step, changed=told),
        )

    def _check_made(self, step: int, changed: Mapping[str, Any]) -> None:
        """What the method made before the first step, such as a judge, is not made again on the way."""
        for made in self.files.made_by_method() if step else ():
            if late := [name for name in changed if name.startswith(made)]:
                raise ValueError(
                    f"{late[0]} belongs to what {self.name} made before its first step, its {made!r}: fork from step "
                    "0, where that is made anew"
                )

    def _child(self, recipe: Recipe, files: RunFolder, made: Any, file: str | None, given: RunInputs) -> Any:
        """The new run, its folder filled."""
        assert recipe.parent is not None
        step, cold = recipe.parent.step, {field.name for field in fields(made) if not field.hot}
        anew = step == 0 and bool(cold & recipe.parent.changed.keys())
        event = {"forked": recipe.parent.model_dump()}
        tops = set(names_of(lambda row: row.given or (row.grows and file is not None)))
        tops |= set(() if anew else self.files.made_by_method())
        if file is None:
            self.files.copy_parts(files, tops)
            record, given = Record(files), replace(given, told=(event,))
        else:
            tensors, meta = self.files.checkpoint_of(file)
            best = set() if meta.best_step is None else {at_step(BEST, meta.best_step)}
            self.files.copy_parts(files, tops | best)
            changes = {"config": asdict(made), "events": [*meta.told(), event]}
            files.write_checkpoint(tensors, meta.model_dump() | changes)
            record = Record(files, upto=step)
            given = replace(given, resume=True, forked=True, told=tuple(record.faults(step)))
        recipe.write(files)  # the last of all: it makes the folder a run
        make: Any = type(self)  # Run, whose module this one cannot import
        return make(recipe, files, made, record, given)
