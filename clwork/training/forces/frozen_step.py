"""A run held still at a step: a copy of its method, and the batch and draws that come next."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from ..._validation import usual_device
from ...data.sources import check_examples, sentences
from ...encoders import load_encoder
from ...methods import Method, get
from ...methods import config as make_config
from ...methods.base import PreparationContext
from ...run_folder.checkpoints import restore_method
from ...run_folder.config import RunConfig
from ...run_folder.folder import RunFolder
from ...wording import plural
from ..outside import Outside
from ..precision import is_here, resolve
from ..preparation import RunPreparation, build_method, make_batches, read_config, rebuild
from ..run import Run
from ..starting import runs
from ..stored import RunLike, RunSource, as_run

FEWEST = 2  # examples of a batch


@dataclass(frozen=True)
class FrozenStep:
    """A copy of all that a step is computed from, apart from the run.

    Attributes:
        method: a copy, at the weights of ``step`` steps done.
        examples: those of the batch, not tokenised.
        batch: the same, tokenised.
        step: steps done; draws are those of the step after.
        about: a sentence that names the step.
    """

    run: str
    method: Method[Any]
    examples: list[Any]
    batch: list[Any]
    step: int
    total: int
    seed: int
    precision: str
    about: str


def freeze_step(run: RunLike, step: int | None = None) -> FrozenStep:
    """Freeze a run after ``step`` steps; default: the present step, or where the run ended.

    Weights are those of a run that is trained here, or of a checkpoint; other steps have none.

    Raises:
        RuntimeError: the run has not begun.
        FileNotFoundError: it kept no checkpoint.
        ValueError: there is no checkpoint of that step; its examples cannot be read again, or have changed.
    """
    live = next((known for known in runs() if known.alive and known.folder == run.folder), None)
    present = None if live is None else _present(live, step)
    return present or _kept(RunFolder(run.folder), step)


def with_batch(held: FrozenStep, examples: Sequence[Any]) -> FrozenStep:
    """Replace the step's batch by other examples, with the step's own draws.

    Raises:
        TypeError: no examples, see :func:`clwork.data.sources.check_examples`.
        ValueError: fewer than two, or of another kind than those of the step's own batch.
    """
    given = list(check_examples(examples))
    if len(given) < FEWEST:
        raise ValueError(f"a batch of {plural(len(given), 'example')} has nobody to push; give at least {FEWEST}")
    own = held.examples[0]
    if any(isinstance(example, str) is not isinstance(own, str) for example in given):
        taught = "sentences" if isinstance(own, str) else f"tuples of {len(own)} sentences"
        raise ValueError(f"{held.run} trains on {taught}, and these are something else; give examples of that kind")
    about = f"{plural(len(given), 'chosen sentence')} as a batch, at the weights after step {held.step}"
    return replace(held, examples=given, batch=held.method.tokenize(given), about=about)


def checkpoint_steps(run: RunSource) -> list[int]:
    """List the steps whose weights the run's folder holds, latest first: checkpoints, and the start itself.

    :meth:`.Run.checkpoint_steps` lists those that a fork can begin at.

    Raises:
        FileNotFoundError, ValueError: the folder holds no run, or a damaged one; or as :func:`.as_run`.
    """
    files = RunFolder(as_run("run", run).folder)
    return sorted(_files(files, RunConfig.read(files)), reverse=True)


def _files(files: RunFolder, recipe: RunConfig) -> dict[int, str | None]:
    """Return the file of each step; None for step 0 where that is made from the recipe again."""
    files_by_step: dict[int, str | None] = {meta.step: name for name, meta in files.checkpoints.on_disk().items()}
    return files_by_step if recipe.parent is not None and recipe.parent.step else {0: None, **files_by_step}


def _present(run: Run, step: int | None) -> FrozenStep | None:
    """Freeze a run that is at work here between two steps; None where it has just ended, or is at another step."""
    with run.training.between:
        loop = run.training.loop
        if loop is None:
            raise RuntimeError(
                f"{run.name} has not begun ({run.status}): there are no weights to look at; wait for its first step"
            )
        if run.training.released or step not in (None, loop.step):
            return None
        done, held = loop.step, loop.batches.ahead(loop.step)
        about = f"step {done + 1} of {loop.total}, the next one: its batch and draws at the weights of now"
        if held is None and not loop.batches.latest:
            raise RuntimeError(f"{run.name} reads a stream, which cannot be read ahead; wait for its first step")
        if held is None:
            done -= 1
            latest = loop.batches.latest
            held = latest, loop.method.tokenize(latest)
            about = (
                f"the batch and draws of step {done + 1} at the weights after it: a stream cannot be read ahead, so "
                "these sentences have been learnt from already"
            )
        copied = copy.deepcopy(loop.method)
        return FrozenStep(run.name, copied, *held, done, loop.total, loop.seed, run.recipe.precision, about)


def _kept(files: RunFolder, step: int | None) -> FrozenStep:
    """Freeze a checkpoint, read as a resumed run reads it; nothing is written."""
    recipe = RunConfig.read(files)
    outside = Outside(recipe, files)
    outside.check()
    at, tensors, values = _weights(files, recipe, step)
    device = recipe.device if is_here(recipe.device) else usual_device()
    method = rebuild(recipe, outside, read_config(recipe, files, values), device=device)
    if at < recipe.steps:
        where = "at the weights it begins with" if tensors is None else f"from the checkpoint of step {at}"
        about = f"step {at + 1} of {recipe.steps}, {where}"
    else:
        about = f"after the last of {plural(recipe.steps, 'step')}: the batch that would have come next"
    context = RunPreparation(files, outside, read_only=True)
    held = next_batch(method, outside.examples(), recipe.seed, context, at, tensors)
    return FrozenStep(recipe.name, method, *held, at, recipe.steps, recipe.seed, recipe.precision, about)


def next_batch(
    method: Method[Any],
    examples: Sequence[Any] | Iterable[Any],
    seed: int,
    context: PreparationContext,
    step: int = 0,
    tensors: Mapping[str, torch.Tensor] | None = None,
) -> tuple[list[Any], list[Any]]:
    """Prepare ``method``, load ``tensors`` into it, and return the examples after ``step``, raw and tokenised."""
    batches, _, _ = make_batches(method, examples, method.config.batch_size, seed)
    method.begin(batches.batch, context)
    if tensors is not None:
        restore_method(method, tensors)
    batch = batches.batch(step)
    return batches.latest, batch


def _weights(
    files: RunFolder, recipe: RunConfig, step: int | None
) -> tuple[int, dict[str, torch.Tensor] | None, Mapping[str, Any]]:
    """A step whose weights are kept, by default the latest: its number, its tensors, the configuration in force."""
    if step is None:
        tensors, meta = files.checkpoints.read()
        return meta.step, tensors, meta.config
    known = _files(files, recipe)
    if step not in known:
        raise ValueError(
            f"{recipe.name} keeps no weights of step {step}: kept are {', '.join(map(str, sorted(known))) or 'none'}, "
            "and the present step of a run that is trained in this kernel; give one of these, or leave step out. "
            "clwork.start(..., keep_every=50) keeps a checkpoint of every 50th step"
        )
    file = known[step]
    if file is None:
        return 0, None, recipe.config
    tensors, meta = files.checkpoints.of(file)
    return meta.step, tensors, meta.config


STEPS = 300  # as clwork.start has it
SEED = 0


def untrained(method: str, **config: Any) -> FrozenStep:
    """Freeze ``clwork.start(method, **config)`` before its first step, at seed 0, without any training.

    The method's preparation (:meth:`.Method.begin`) runs here too, and may take long.

    Raises:
        TypeError, ValueError: no such method, or a hyperparameter is unknown, of another kind or out of range.
    """
    kind, device = get(method), usual_device()
    if strange := config.keys() & {"encoder", "name"}:
        raise TypeError(f"{', '.join(sorted(strange))} cannot be given here; give hyperparameters of {method} alone")
    values = make_config(method, encoder=kind.default_encoder, **config)
    encoder = load_encoder(kind.default_encoder, device=device, seed=SEED)
    made = build_method(method, encoder, values, SEED)
    held = next_batch(made, sentences(), SEED, PreparationContext())
    return FrozenStep(
        "no run yet",
        made,
        *held,
        0,
        STEPS,
        SEED,
        resolve(values.precision, device).name,
        "the first step, at the method's own settings and seed 0; nothing has been trained",
    )
