"""Starting, blocking on, resuming and finding runs."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import importlib.metadata
from pathlib import Path
from typing import Any

import torch

from .. import checks
from ..encoders import Encoder
from ..methods import config as make_config
from ..methods import get, names
from ..methods.fields import build
from .arguments import check_place, rhythm, source_of, sts_place
from .loop import CHECKPOINT
from .precision import resolve
from .recipe import Recipe, keep_encoder, keep_sentences, new_folder
from .run import Run

_RUNS: list[Run] = []


def start(
    method: str,
    *,
    encoder: str | Path | Encoder | None = None,
    sentences: Any = None,
    steps: int = 300,
    seed: int = 0,
    name: str | None = None,
    folder: str | Path | None = None,
    sts: str | Path | None = None,
    probe_every: int | None = None,
    eval_every: int | None = None,
    checkpoint_every: int = 200,
    device: str | None = None,
    **config: Any,
) -> Run:
    """Train in the background and return at once.

    Args:
        method: one of :func:`clwork.methods.names`.
        encoder: what :func:`clwork.load_encoder` takes, or an encoder, which is copied and never
            changed; default: the method's.
        sentences: a sequence of examples, or what :func:`clwork.data.sentences` takes; default ``"wikipedia-mini"``.
        steps: optimizer steps, at least 1.
        seed: of everything random; equal seeds give equal runs on a CPU.
        name: of the run; default: method and number.
        folder: where to keep it; default: ``clwork-runs/NAME`` in the working directory, or under ``CLWORK_RUNS``.
        sts: folder of STS tasks, ``"hub"``, or None for the folder given to :func:`clwork.data.remember_sts`.
        probe_every: steps between looks at the geometry; default: looks follow the clock and take about 2.5 % of the
            time, in a run below 200 steps up to 10 % for about 20 points. The weights are the same either way.
        eval_every: steps between validations; default a quarter of ``steps``.
        checkpoint_every: steps between checkpoints; one is also written at every pause and at the end.
        device: such as ``"cuda"``; default: a GPU where there is one.
        config: hyperparameters, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: a hyperparameter or argument is unknown, of another kind or out of range.
        FileNotFoundError: the file of sentences or the folder of STS tasks is not there.
        FileExistsError: the folder holds something already.
    """
    chosen = encoder if encoder is not None else get(method).default_encoder
    values = make_config(method, encoder=chosen, **config)
    counts = rhythm(steps, probe_every, eval_every, checkpoint_every)
    seed, device, sts = checks.seed(seed), checks.device(device), sts_place(sts)
    check_place(encoder, name, folder)
    source, given = source_of("wikipedia-mini" if sentences is None else sentences)
    place = new_folder(method, name, folder)
    recipe = Recipe(
        name=place.name,
        method=method,
        encoder=keep_encoder(chosen, place),
        sentences=source if given is None else keep_sentences(given, place),
        config=dataclasses.asdict(values),
        seed=seed,
        sts=sts,
        defined_in=get(method).__module__,
        **counts,
        **_machine(device, values.precision),
    )
    recipe.write(place)
    return _launch(Run(recipe, place, values, chosen if isinstance(chosen, Encoder) else recipe.encoder, given))


def _machine(device: str | None, wish: str) -> dict[str, Any]:
    """What a recipe tells of the machine: its device, the arithmetic chosen there, and whose code runs."""
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    name, why = resolve(wish, device)
    versions = {package: importlib.metadata.version(package) for package in ("torch", "transformers")}
    return {"device": device, "precision": name, "precision_why": why, "versions": versions}


def train(method: str, **arguments: Any) -> Run:
    """Train with a progress bar and return when done; arguments as for :func:`start`.

    An interrupt (the notebook's stop button, Ctrl-C) ends it after the step in progress, with a checkpoint, and the
    stopped run is returned.

    Raises:
        Exception: whatever made the run fail; its folder keeps the last checkpoint.
    """
    return watch(start(method, **arguments))


def watch(run: Run) -> Run:
    """Show a progress bar until ``run`` ends."""
    from tqdm.auto import tqdm

    with tqdm(total=run.total_steps, desc=run.name, unit="step") as bar:
        try:
            while run.alive:
                run.wait(0.2)
                bar.update(run.step - bar.n)
                rows = run.records(-1)
                if rows and "loss" in rows[-1]:
                    bar.set_postfix_str(f"loss {rows[-1]['loss']:.3f}", refresh=False)
        except KeyboardInterrupt:
            run.stop()
        run.wait()
        bar.update(run.step - bar.n)
    return run


def resume(folder: str | Path, *, sentences: Any = None, background: bool = False) -> Run:
    """Take up a run where its last checkpoint left it; on a CPU it goes on bit for bit as if never interrupted.

    A finished run is opened, and has no step left to do.

    Args:
        folder: the run's folder, or a copy that :meth:`Run.save` made.
        sentences: needed only where the run's examples could not be stored (a stream that is not clwork's).
        background: return at once instead of showing a progress bar.

    Raises:
        FileNotFoundError: the folder holds no run, or no checkpoint yet.
        ValueError: the corpus has changed since, or the run is alive in this kernel.
    """
    place = Path(folder)
    recipe = Recipe.read(place)
    if any(run.alive and run.folder.resolve() == place.resolve() for run in _RUNS):
        raise ValueError(f"{place} is being trained in this kernel; find it with clwork.runs()")
    if not (place / CHECKPOINT).exists():
        raise FileNotFoundError(f"{place} has no {CHECKPOINT}: the run ended before its first; start it anew")
    check_known(recipe, place)
    values = build(get(recipe.method).Config, recipe.config)  # checked when it began; a run can always be resumed
    run = _launch(Run(recipe, place, values, recipe.encoder, sentences, resume=True))
    return run if background else watch(run)


def check_known(recipe: Recipe, place: Path) -> None:
    """A stored run's method is registered in this kernel.

    Raises:
        ValueError: it is not; the message names the module to import.
    """
    if recipe.method not in names():
        module = f"the module {recipe.defined_in!r}, which" if recipe.defined_in else "the module that"
        raise ValueError(
            f"{place} was trained by the method {recipe.method!r}, which is none of clwork's own and is not registered "
            f"in this kernel: import your method first ({module} defines and registers it), then resume"
        )


def runs() -> list[Run]:
    """All runs of this kernel in the order they were started, whether or not a widget still shows them."""
    return list(_RUNS)


def _launch(run: Run) -> Run:
    _RUNS.append(run)
    return run.start()


@atexit.register
def _stop_all() -> None:
    """Let runs write their checkpoint when the interpreter ends."""
    for run in _RUNS:
        if run.alive:
            run.stop()
    for run in _RUNS:
        with contextlib.suppress(Exception):
            run.wait(10)
