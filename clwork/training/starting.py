"""Starting, awaiting, resuming and listing runs."""

from __future__ import annotations

import contextlib
import inspect
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from queue import Empty
from typing import Any, NamedTuple, ParamSpec, TypeVar

from .. import _validation
from .._validation import checked, kind, shown
from ..data.sources import DEFAULT
from ..encoders import Encoder
from ..events import Event, worded
from ..methods import MethodConfig, get
from ..methods import config as make_config
from ..precision import is_here, resolve, versions
from ..run_folder.checkpoints import SEEN
from ..run_folder.config import RunConfig, absolute, keep_encoder, keep_sentences
from ..run_folder.files import EARLIER, END, HISTORY, BusyRunError, run_name
from ..run_folder.folder import RunFolder, check_place
from ..run_folder.history import OnRow, Row, RunHistory
from ..run_folder.schema import MOST_STEPS
from .distributed import ONE_PROCESS, Processes, local_processes
from .examples import read_again, source_of
from .preparation import RunInputs, read_config
from .probe import Probe
from .run import RUNS, Ended, Run
from .thread import FINISHED

BAR_SECONDS = 0.25  # between updates of the progress bar


def watch(run: Run) -> Run:
    """Show a progress bar until ``run`` ends."""
    from tqdm.auto import tqdm

    rows = run.listen()  # read in this thread: Colab does not show a bar that another thread updates
    with tqdm(total=run.total_steps, initial=run.step, desc=run.name, unit="step", mininterval=BAR_SECONDS) as bar:
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
            run.wait()  # for its checkpoint; a second interrupt does not wait
        run.wait()
        bar.update(run.step - bar.n)
    return run


P = ParamSpec("P")
R = TypeVar("R")


def same_arguments_as(model: Callable[P, Any]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Decorator: to ``help``, editors and type checkers the function has the arguments of ``model``."""

    def decorate(function: Callable[..., R]) -> Callable[P, R]:
        own = inspect.signature(function).return_annotation
        function.__signature__ = inspect.signature(model).replace(return_annotation=own)  # type: ignore[attr-defined]
        return function

    return decorate


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
    keep_every: int | None = None,
    device: str | None = None,
    on_row: OnRow | None = None,
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
        folder: where to store it; default: ``clwork-runs/NAME`` in the working directory, or under ``CLWORK_RUNS``.
        sts: folder of STS tasks, ``"hub"``, or None for the folder given to :func:`clwork.data.remember_sts`. Without
            any, the column ``silver`` scores the run: Spearman × 100 with a strong encoder's cosines on 500 pairs of
            ``wikipedia-mini``, whatever the run trains on. It is a model's opinion, and selects no checkpoint.
        probe_every: steps between measurements of the geometry; default: as many as take about 1.4 % of the time, in a
            run below 200 steps up to 20 % for about 20 points. The weights are the same either way.
        eval_every: steps between validations; default a quarter of ``steps``, at least 20; start and end always.
        checkpoint_every: steps between checkpoints; one is also written at every pause and at the end.
        keep_every: steps between checkpoints that are retained for :meth:`Run.fork`, each of the size of three
            encoders; default: none, a run has its last two while it trains.
        device: such as ``"cuda"``; default: a GPU where there is one.
        on_row: called with each row of the history once it is written, in order, in its own thread, so that no step
            waits for it. When it raises, its traceback is printed, it is not called again, the run continues, and
            :meth:`Run.wait` raises the error at the end. Do not change the row.
        config: hyperparameters, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: a hyperparameter or argument is unknown, of another type or out of range.
        FileNotFoundError: the file of sentences or the folder of STS tasks is not there.
        FileExistsError: the folder holds something already.
        DiskError: the disk refuses.
    """
    return begin(ONE_PROCESS, locals())


class Plan(NamedTuple):
    """A run that can begin: its configuration, still without a name, and the objects that the caller passed."""

    recipe: RunConfig
    config: MethodConfig
    encoder: str | Encoder
    examples: Any


def plan_run(given: Mapping[str, Any]) -> Plan:
    """Check the arguments of :func:`start`, by name, and make the run's configuration; nothing is written."""
    method, encoder, sentences = given["method"], given["encoder"], given["sentences"]
    if isinstance(encoder, str) and not encoder.strip():
        raise ValueError(f"encoder={shown(encoder)} is blank; give a name or a folder, or leave it out")
    chosen = encoder if encoder is not None else get(method).default_encoder
    values = make_config(method, encoder=chosen, **given["config"])
    if given["name"] is not None:
        run_name("name", given["name"])
    if given["folder"] is not None:
        check_place(given["folder"])
    _check_listener(given["on_row"])
    steps: dict[str, Any] = {}
    for argument in ("steps", "probe_every", "eval_every", "checkpoint_every", "keep_every"):
        steps[argument] = value = given[argument]
        if value is not None or argument in ("steps", "checkpoint_every"):
            steps[argument] = _validation.whole(argument, value, 1, MOST_STEPS)
    if steps["eval_every"] is None:
        steps["eval_every"] = usual_eval_every(steps["steps"])
    place = _validation.device(given["device"])
    precision: Any = resolve(values.precision, place or _validation.usual_device())
    origin = chosen if isinstance(chosen, Encoder) else absolute(chosen)
    reference, examples = source_of(DEFAULT if sentences is None else sentences)
    recipe = RunConfig(
        name="",
        method=method,
        encoder="" if isinstance(origin, Encoder) else origin,
        sentences=reference,
        config=asdict(values),
        seed=_validation.seed(given["seed"]),
        sts=_sts_place(given["sts"]),
        device=place,
        defined_in=get(method).__module__,
        versions=versions(),
        precision=precision[0],
        precision_why=precision[1],
        **steps,
    )
    return Plan(recipe, values, origin, examples)


def begin(together: Processes, arguments: Mapping[str, Any]) -> Run:
    """Start a run that these processes train; ``arguments`` are those of :func:`start`."""
    plan = plan_run(arguments)
    if together.size > 1 and get(plan.recipe.method).__module__ == "__main__":
        raise ValueError(
            f"the method {plan.recipe.method!r} is defined in this notebook or script, which other processes cannot "
            "import; move its class to a separate file and import that"
        )
    together.split_batch(plan.config)
    with RunFolder.new(plan.recipe.method, arguments["name"], arguments["folder"]) as files:
        recipe = replace(
            plan.recipe,
            name=files.path.name,
            encoder=keep_encoder(plan.encoder, files),
            sentences=plan.recipe.sentences if plan.examples is None else keep_sentences(plan.examples, files),
            config=asdict(plan.config),
        )
        recipe.write(files)
        device = recipe.device or _validation.usual_device()
        inputs = RunInputs(plan.encoder, plan.examples, device, accept_changes=True, processes=together)
        run = Run(recipe, files, plan.config, RunHistory(files), inputs, on_row=arguments["on_row"])
    return run.start()


def usual_eval_every(steps: int) -> int:
    """Default of ``eval_every``: four validations per run, at least 20 steps apart."""
    return max(20, steps // 4)


def _check_listener(on_row: object) -> None:
    if on_row is not None and not callable(on_row):
        raise TypeError(f"on_row={shown(on_row)} is {kind(on_row)}; give a function of one row, or leave it out")


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


@same_arguments_as(start)
def train(*given: Any, **named: Any) -> Run:
    """Train with a progress bar and return when done; arguments as for :func:`start`. An error of the run is raised.

    An interrupt (Ctrl-C, the stop button) ends and returns it after the step in progress, with a checkpoint.

    >>> run = clwork.train("simcse", steps=300)  # doctest: +SKIP
    """
    run = start(*given, **named)
    try:
        return watch(run)
    except KeyboardInterrupt:  # a second one, or one before the bar was there
        run.stop()
        raise


def launch(*given: Any, processes: int = 2, **named: Any) -> Run:
    """Train a run by several processes of this machine, in the background; returns at once.

    This process is number 0: it alone reads the corpus and writes, and the run is paused, controlled, forked and
    resumed like any other. The others are new interpreters that train their parts of each batch, each on its own GPU if
    the run is on GPUs. The run equals, except for rounding, one of a single process with ``micro_batch`` at
    ``batch_size / processes``. If a process dies, the run fails with an error that names it; :func:`resume` continues
    with any number of ``processes``, 2 to 64, this one included. All else is as for :func:`start`.
    """
    return begin(local_processes(_validation.whole("processes", processes, 2)), arguments_of_start(*given, **named))


def arguments_of_start(*given: Any, **named: Any) -> dict[str, Any]:
    """Arguments of :func:`start` by name, with its defaults."""
    bound = inspect.signature(start).bind(*given, **named)
    bound.apply_defaults()
    return bound.arguments


def _resumable(name: str, folder: object) -> Path:
    if not isinstance(folder, str | os.PathLike):
        raise TypeError(
            f"{name}={shown(folder)} is {kind(folder)}; give a run's folder, such as run.folder. A run of this kernel "
            "that is only paused continues by run.resume()"
        )
    return _validation.path(name, folder)


@checked(folder=_resumable)
def resume(
    folder: str | Path,
    *,
    sentences: Any = None,
    device: str | None = None,
    accept_changes: bool = False,
    background: bool = False,
    on_row: OnRow | None = None,
    processes: Any = 1,
) -> Run:
    """Resume a run from its last checkpoint; on the same kind of CPU, as if never interrupted.

    To continue a paused run, call :meth:`Run.resume`; to show one that is trained elsewhere, :func:`open_run`. A
    finished run is opened to be shown: neither its corpus nor a folder that can be written is needed. A history that
    lacks steps or has damaged lines, as after a crash of the machine, gives a warning and an event.

    Args:
        folder: the run's folder, or a copy that :meth:`Run.save` made.
        sentences: as for :func:`start`; needed only where the run could not store its examples (a stream of your own).
        device: such as ``"cpu"``; default: that of the run where it is here, else what is.
        accept_changes: continue although corpus, encoder or whatever else the run names outside its folder is no longer
            what it began with, or ``run.json`` has no fingerprint of it; the history records the change.
        background: return at once instead of showing a progress bar.
        on_row: called with each row from now on, see :func:`start`.
        processes: how many train it from now on, see :func:`launch`; any number, whatever it was before. Batches, their
            order and all draws are the same.

    Raises:
        FileNotFoundError: the folder holds no run, or no checkpoint yet.
        BusyRunError: it is being trained, in this kernel or by another process.
        ValueError: corpus or encoder have changed since, or a file is damaged.
    """
    _check_listener(on_row)
    examples = read_again(sentences)
    together = processes if isinstance(processes, Processes) else local_processes(processes)
    files = RunFolder(folder)
    recipe, history = RunConfig.read(files), RunHistory(files)
    if _is_finished(files, recipe, history):
        _warn(files, history.faults(recipe.steps))
        RUNS.append(opened := as_it_was(recipe, files, history, FINISHED))
        return opened
    config = read_config(recipe, files)
    together.split_batch(replace(config))
    files.lock()
    try:
        step = files.checkpoints.meta().step
        known = _validation.device(device or (recipe.device if is_here(recipe.device) else None))
        history = RunHistory(files, upto=step)
        inputs = RunInputs(
            recipe.encoder,
            examples,
            known or _validation.usual_device(),
            resume=True,
            accept_changes=accept_changes,
            events=tuple(history.faults(step)),
            processes=together,
        )
        run = Run(recipe, files, config, history, inputs, on_row=on_row)
        _warn(files, inputs.events)
    except BaseException:
        files.unlock()
        raise
    run.start()
    return run if background else watch(run)


def _warn(files: RunFolder, faults: Iterable[Event]) -> None:
    if faults:
        text = "; ".join(map(worded, faults))
        warnings.warn(f"{files.path / HISTORY}: {text}; neither weights nor later steps depend on it", stacklevel=4)


def as_it_was(recipe: RunConfig, files: RunFolder, history: RunHistory, status: str, error: str | None = None) -> Run:
    """Open a run as its last checkpoint left it; nothing is written, and no corpus and no start encoder is needed."""
    config, ended = read_config(recipe, files), Ended(status, error)
    if files.checkpoints.any():
        tensors, meta = files.checkpoints.read((SEEN,))
        config = read_config(recipe, files, meta.config)  # controls may have moved
        probe = None if meta.probe is None else Probe.from_checkpoint(meta.probe, tensors.get(SEEN), files.path)
        ended = Ended(status, error, probe, meta.references)
    return Run(recipe, files, config, history, ended)


def _is_finished(files: RunFolder, recipe: RunConfig, history: RunHistory) -> bool:
    """Whether the run reached its last step and saved its encoder: then there is nothing left to do."""
    if not history.rows or history.last_step < recipe.steps or not files.has_folder(END) or files.busy():
        return False
    state = files.state()
    if state is None or state.status == FINISHED:
        return True
    if files.has(EARLIER) or (files.checkpoints.any() and files.checkpoints.meta().step < recipe.steps):
        return False  # the last checkpoint, and the encoder before it, are not written yet
    with contextlib.suppress(OSError, BusyRunError):  # a folder that cannot be written stays as it is
        files.lock()
        try:
            files.write_state(FINISHED, recipe.steps)
        finally:
            files.unlock()
    return True


def runs() -> list[Run]:
    """All runs of this kernel in the order they were started, whether or not a widget still shows them."""
    return list(RUNS)
