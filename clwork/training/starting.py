"""Start, watch, resume and list the runs of this kernel."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from queue import Empty
from typing import Any, NamedTuple

from .. import _validation
from .._validation import checked, kind, shown
from ..data.sources import DEFAULT
from ..encoders import Encoder
from ..events import Event, event_text
from ..methods import MethodConfig, get
from ..methods import config as make_config
from ..methods.base import frozen_by_method
from ..precision import is_here, resolve, versions
from ..run_folder.checkpoints import SEEN
from ..run_folder.config import RunConfig, absolute, keep_encoder, keep_sentences
from ..run_folder.files import EARLIER, END, HISTORY, BusyRunError, run_name
from ..run_folder.folder import RunFolder, check_place
from ..run_folder.history import OnRow, Row, RunHistory
from ..run_folder.schema import MOST_STEPS
from ..run_folder.stored import RunLike, Stored
from .distributed import Processes
from .examples import read_again, source_of
from .preparation import RunInputs, read_config
from .probe import Probe
from .run import RUNS, Ended, Run
from .thread import FINISHED

STEPS = 300
CHECKPOINT_EVERY = 200
GRAPH_MEMORY = 1024  # MiB
BAR_SECONDS = 0.25  # between two updates of the progress bar


def watch(run: Run) -> Run:
    """Show a progress bar until ``run`` ends."""
    from tqdm.auto import tqdm

    rows = (
        run.listen()
    )  # read in this thread: Colab does not show a bar that another thread updates
    with tqdm(
        total=run.total_steps, initial=run.step, desc=run.name, unit="step", mininterval=BAR_SECONDS
    ) as bar:
        try:
            row: Row | None = {}
            while row is not None:
                bar.update(max(row.get("step", 0) - bar.n, 0))
                if "loss" in row:
                    bar.set_postfix_str(f"loss {row['loss']:.3f}", refresh=False)
                elif (progress := run.preparing) is not None:
                    bar.set_postfix_str(f"{progress.work}: {progress.done} of {progress.total}")
                try:  # with a timeout, so that interrupts are handled
                    row = rows.get(timeout=BAR_SECONDS)
                except Empty:
                    row = {}
        except KeyboardInterrupt:
            run.stop()
            run.wait()  # until its checkpoint is written; a second interrupt ends this wait
        run.wait()
        bar.update(run.step - bar.n)
    return run


class Plan(NamedTuple):
    """Checked arguments of :func:`start`; ``recipe.name`` is still empty."""

    recipe: RunConfig
    config: MethodConfig
    encoder: str | Encoder
    examples: Any
    name: str | None
    folder: str | Path | None
    on_row: OnRow | None


def plan_run(
    method: str,
    *,
    encoder: str | Path | Encoder | None = None,
    sentences: Any = None,
    steps: int = STEPS,
    seed: int = 0,
    name: str | None = None,
    folder: str | Path | None = None,
    sts: str | Path | None = None,
    probe_every: int | None = None,
    eval_every: int | None = None,
    checkpoint_every: int = CHECKPOINT_EVERY,
    keep_every: int | None = None,
    graph_memory: int = GRAPH_MEMORY,
    device: str | None = None,
    on_row: OnRow | None = None,
    **settings: Any,
) -> Plan:
    """Check the arguments of :func:`start` and make the run's configuration; nothing is written."""
    if isinstance(encoder, str) and not encoder.strip():
        raise ValueError(
            f"encoder={shown(encoder)} is blank; give a name or a folder, or leave it out"
        )
    chosen = encoder if encoder is not None else get(method).default_encoder
    values = make_config(method, encoder=chosen, **settings)
    if name is not None:
        run_name("name", name)
    if folder is not None:
        check_place(folder)
    _check_listener(on_row)
    steps = _validation.integer("steps", steps, 1, MOST_STEPS)
    place = _validation.device(device)
    precision: Any = resolve(values.precision, place or _validation.usual_device())
    origin = chosen if isinstance(chosen, Encoder) else absolute(chosen)
    reference, examples = source_of(DEFAULT if sentences is None else sentences)
    recipe = RunConfig(
        name="",
        method=method,
        encoder="" if isinstance(origin, Encoder) else origin,
        sentences=reference,
        config=asdict(values),
        seed=_validation.seed(seed),
        sts=_sts_place(sts),
        device=place,
        defined_in=get(method).__module__,
        versions=versions(),
        precision=precision[0],
        precision_why=precision[1],
        steps=steps,
        probe_every=_interval("probe_every", probe_every),
        eval_every=_interval("eval_every", eval_every) or usual_eval_every(steps),
        checkpoint_every=_validation.integer("checkpoint_every", checkpoint_every, 1, MOST_STEPS),
        keep_every=_interval("keep_every", keep_every),
        graph_memory=_validation.integer("graph_memory", graph_memory, 0, MOST_STEPS),
        frozen=_frozen(origin) if isinstance(origin, Encoder) else [],
    )
    return Plan(recipe, values, origin, examples, name, folder, on_row)


def _frozen(encoder: Encoder) -> list[str]:
    """Return the names of the parameters that are not to be trained; ValueError if these are all."""
    ours = set(map(id, frozen_by_method(encoder)))
    frozen = {
        name: own
        for name, own in encoder.named_parameters()
        if not own.requires_grad and id(own) not in ours
    }
    if frozen and set(map(id, encoder.backbone.parameters())) <= set(map(id, frozen.values())):
        raise ValueError(
            f"all weights of the encoder {encoder.name!r} are frozen (requires_grad=False), so nothing would be "
            "trained; call encoder.requires_grad_(True), and for the last layers alone give trained_layers= to SimCSE"
        )
    return list(frozen)


def _interval(argument: str, value: object) -> int | None:
    return None if value is None else _validation.integer(argument, value, 1, MOST_STEPS)


def begin(processes: Processes, plan: Plan) -> Run:
    """Create the planned run's folder and start the run on ``processes``."""
    if processes.size > 1 and get(plan.recipe.method).__module__ == "__main__":
        raise ValueError(
            f"the method {plan.recipe.method!r} is defined in this notebook or script, which other processes cannot "
            "import; move its class to a separate file and import that"
        )
    processes.split_batch(plan.config)
    with RunFolder.new(plan.recipe.method, plan.name, plan.folder) as files:
        recipe = replace(
            plan.recipe,
            name=files.path.name,
            encoder=keep_encoder(plan.encoder, files),
            sentences=plan.recipe.sentences
            if plan.examples is None
            else keep_sentences(plan.examples, files),
            config=asdict(plan.config),
        )
        recipe.write(files)
        device = recipe.device or _validation.usual_device()
        inputs = RunInputs(plan.encoder, plan.examples, device, processes=processes)
        run = Run(recipe, files, plan.config, RunHistory(files), inputs, on_row=plan.on_row)
    return run.start()


def start(
    method: str,
    *,
    encoder: str | Path | Encoder | None = None,
    sentences: Any = None,
    steps: int = STEPS,
    seed: int = 0,
    name: str | None = None,
    folder: str | Path | None = None,
    sts: str | Path | None = None,
    probe_every: int | None = None,
    eval_every: int | None = None,
    checkpoint_every: int = CHECKPOINT_EVERY,
    keep_every: int | None = None,
    graph_memory: int = GRAPH_MEMORY,
    device: str | None = None,
    on_row: OnRow | None = None,
    **settings: Any,
) -> Run:
    """Train in the background and return at once.

    Args:
        method: one of :func:`clwork.methods.names`.
        encoder: an argument of :func:`clwork.load_encoder`, or an encoder, which is copied; default: the method's.
        sentences: a sequence of examples, or an argument of :func:`clwork.data.sentences`; default: wikipedia-mini.
            SimCSE also trains on tuples of sentences, such as those of :func:`clwork.data.triplets`.
        steps: optimizer steps, at least 1.
        seed: seed of all random numbers; on a CPU, runs with equal seeds are equal.
        name: name of the run; default: the method and a number.
        folder: folder for the run; default: ``clwork-runs/NAME`` in the working directory, or under ``CLWORK_RUNS``.
        sts: folder of STS tasks, ``"hub"``, or None for the folder given to :func:`clwork.data.remember_sts`. Without
            STS data, the column ``silver`` has Spearman × 100 with a strong encoder's cosines on 500 pairs of
            ``wikipedia-mini``, for any corpus. These scores are not human labels and select no checkpoint.
        probe_every: steps between measurements of the geometry, which do not affect the weights; default: chosen such
            that measurements take about 1.4 % of the time, or up to 20 % (about 20 points) in a run below 200 steps.
        eval_every: steps between validations, besides start and end; default: a quarter of ``steps``, at least 20.
        checkpoint_every: steps between checkpoints; one is also written at every pause and at the end.
        keep_every: steps between checkpoints that are retained for :meth:`Run.fork`, each as large as three encoders;
            default: none are retained. A run in progress always has its last two checkpoints.
        graph_memory: MiB per process that a step in micro-batches may use to retain activations for the backward pass
            in addition to those of one micro-batch. The others are computed twice; the result is the same.
        device: a PyTorch device such as ``"cuda"``; default: a GPU if there is one.
        on_row: function called with each row of the history once the row is written, in order, in a separate thread,
            so that no step waits. If the function raises, its traceback is printed, it is not called again, the run
            continues, and :meth:`Run.wait` raises the error at the end. Do not change the row.
        settings: hyperparameters of the method, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: a hyperparameter or argument is unknown, of another type or out of range.
        FileNotFoundError: the file of sentences or the folder of STS tasks does not exist.
        FileExistsError: the folder is not empty.
        DiskError: the folder cannot be written.
    """
    plan = plan_run(
        method,
        encoder=encoder,
        sentences=sentences,
        steps=steps,
        seed=seed,
        name=name,
        folder=folder,
        sts=sts,
        probe_every=probe_every,
        eval_every=eval_every,
        checkpoint_every=checkpoint_every,
        keep_every=keep_every,
        graph_memory=graph_memory,
        device=device,
        on_row=on_row,
        **settings,
    )
    return begin(Processes(), plan)


def usual_eval_every(steps: int) -> int:
    """Default of ``eval_every``: four validations per run, at least 20 steps apart."""
    return max(20, steps // 4)


def _check_listener(on_row: object) -> None:
    if on_row is not None and not callable(on_row):
        raise TypeError(
            f"on_row={shown(on_row)} is {kind(on_row)}; give a function of a row, or leave it out"
        )


def _sts_place(sts: object) -> str | None:
    if sts is None or (isinstance(sts, str) and sts == "hub"):
        return sts
    remedy = "give a folder of STS tasks, 'hub', or leave it out"
    if not isinstance(sts, str | os.PathLike):
        raise TypeError(f"sts={shown(sts)} is {kind(sts)}; {remedy}")
    folder = _validation.path("sts", sts).resolve()
    if not folder.is_dir():
        raise FileNotFoundError(f"sts={shown(str(sts), 200)} is no folder; {remedy}")
    return str(folder)


def train(
    method: str,
    *,
    encoder: str | Path | Encoder | None = None,
    sentences: Any = None,
    steps: int = STEPS,
    seed: int = 0,
    name: str | None = None,
    folder: str | Path | None = None,
    sts: str | Path | None = None,
    probe_every: int | None = None,
    eval_every: int | None = None,
    checkpoint_every: int = CHECKPOINT_EVERY,
    keep_every: int | None = None,
    graph_memory: int = GRAPH_MEMORY,
    device: str | None = None,
    on_row: OnRow | None = None,
    **settings: Any,
) -> Run:
    """Train with a progress bar and return the finished run; arguments as for :func:`start`. Raises the run's error.

    An interrupt (Ctrl-C, the stop button) stops the run after the step in progress, with a checkpoint, and returns it.

    >>> run = clwork.train("simcse", steps=300)  # doctest: +SKIP
    """
    run = start(
        method,
        encoder=encoder,
        sentences=sentences,
        steps=steps,
        seed=seed,
        name=name,
        folder=folder,
        sts=sts,
        probe_every=probe_every,
        eval_every=eval_every,
        checkpoint_every=checkpoint_every,
        keep_every=keep_every,
        graph_memory=graph_memory,
        device=device,
        on_row=on_row,
        **settings,
    )
    try:
        return watch(run)
    except KeyboardInterrupt:  # a second interrupt, or one before the bar was shown
        run.stop()
        raise


def _resumable(name: str, folder: object) -> Path:
    if not isinstance(folder, str | os.PathLike):
        raise TypeError(
            f"{name}={shown(folder)} is {kind(folder)}; give a run's folder, such as run.folder. To continue a paused "
            "run of this kernel, call run.resume()"
        )
    return _validation.path(name, folder)


@checked(folder=_resumable)
def resume(
    folder: str | Path,
    *,
    sentences: Any = None,
    device: str | None = None,
    background: bool = False,
    on_row: OnRow | None = None,
) -> Run:
    """Resume a run from its last checkpoint. On the same kind of CPU, the result is that of an uninterrupted run.

    To continue a paused run, call :meth:`Run.resume`; to view a run that is trained elsewhere, :func:`open_run`. A
    finished run is only opened, which needs neither its corpus nor write access to its folder. If the history lacks
    steps or has damaged lines, for example after a crash of the machine, a warning is given and an event recorded.

    Args:
        folder: the run's folder, or a copy made by :meth:`Run.save`.
        sentences: as for :func:`start`; needed only if the run could not store its examples (a stream of your own).
        device: a PyTorch device such as ``"cpu"``; default: the run's device if this machine has it.
        background: return at once instead of showing a progress bar.
        on_row: function called with each new row, see :func:`start`.

    Raises:
        FileNotFoundError: the folder holds no run, or no checkpoint yet.
        BusyRunError: the run is being trained, in this kernel or by another process.
        ValueError: a file is damaged.

    Warns:
        UserWarning: the corpus or the encoder has changed since the run began, or the history is damaged.
    """
    _check_listener(on_row)
    run = begin_again(Processes(), Path(folder), read_again(sentences), device, on_row)
    only_opened = run.training.inputs is None
    return run if background or only_opened else watch(run)


def begin_again(
    processes: Processes,
    folder: Path,
    examples: Any = None,
    device: str | None = None,
    on_row: OnRow | None = None,
) -> Run:
    """Start a stored run from its last checkpoint on ``processes``; a finished run is only opened."""
    files = RunFolder(folder)
    recipe, history = RunConfig.read(files), RunHistory(files)
    if _is_finished(files, recipe, history):
        _warn(files, history.faults(recipe.steps))
        RUNS.append(opened := as_it_was(recipe, files, history, FINISHED))
        return opened
    config = read_config(recipe, files)
    processes.split_batch(replace(config))
    files.lock()
    try:
        step = files.checkpoints.meta().step
        known = _validation.device(device or (recipe.device if is_here(recipe.device) else None))
        begin = (
            0 if recipe.parent is None else recipe.parent.step
        )  # a fork may have to repeat its parent's steps
        history = RunHistory(files, upto=max(step, begin))
        inputs = RunInputs(
            recipe.encoder,
            examples,
            known or _validation.usual_device(),
            resume=True,
            events=tuple(history.faults(step)),
            processes=processes,
        )
        run = Run(recipe, files, config, history, inputs, on_row=on_row)
        _warn(files, inputs.events)
    except BaseException:
        files.unlock()
        raise
    return run.start()


def _warn(files: RunFolder, faults: Iterable[Event]) -> None:
    if faults:
        text = "; ".join(map(event_text, faults))
        warnings.warn(
            f"{files.path / HISTORY}: {text}; neither weights nor later steps depend on it",
            stacklevel=4,
        )


def view_run(run: RunLike) -> Run:
    """Return the live run if this kernel trains it, else a run for viewing at its last checkpoint."""
    if isinstance(run, Run):
        return run
    for live in RUNS:
        if live.alive and live.folder == run.folder:
            return live
    stored = Stored(run.folder)
    history = RunHistory(stored.files)
    return as_it_was(stored.recipe, stored.files, history, stored.status, stored.error)


def as_it_was(
    recipe: RunConfig, files: RunFolder, history: RunHistory, status: str, error: str | None = None
) -> Run:
    """Open a run at its last checkpoint without writing; needs neither the corpus nor the start encoder."""
    config, ended = read_config(recipe, files), Ended(status, error)
    if files.checkpoints.any():
        tensors, meta = files.checkpoints.read((SEEN,))
        config = read_config(recipe, files, meta.config)  # controls may have changed values
        probe = (
            None
            if meta.probe is None
            else Probe.from_checkpoint(meta.probe, tensors.get(SEEN), files.path)
        )
        ended = Ended(status, error, probe, meta.references)
    return Run(recipe, files, config, history, ended)


def _is_finished(files: RunFolder, recipe: RunConfig, history: RunHistory) -> bool:
    """Whether the run reached its last step and saved its encoder, so that nothing is left to do."""
    if (
        not history.rows
        or history.last_step < recipe.steps
        or not files.has_folder(END)
        or files.busy()
    ):
        return False
    state = files.state()
    if state is None or state.status == FINISHED:
        return True
    if files.has(EARLIER) or (
        files.checkpoints.any() and files.checkpoints.meta().step < recipe.steps
    ):
        return False  # the last checkpoint, or the encoder saved before it, is not written yet
    with contextlib.suppress(OSError, BusyRunError):  # a read-only folder stays unchanged
        files.lock()
        try:
            files.write_state(FINISHED, recipe.steps)
        finally:
            files.unlock()
    return True


def live_runs() -> list[Run]:
    """Return all runs of this kernel in the order of their start, also those that no widget shows."""
    return list(RUNS)
