"""Starting, blocking on, resuming and finding runs."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, ParamSpec, TypeVar

from ... import _validation
from ..._validation import checked
from ...data.sources import DEFAULT, CorpusRef
from ...encoders import Encoder
from ...events import Event, worded
from ...methods import MethodConfig, get
from ...methods import config as make_config
from ..disk.folder import RunFolder
from ..disk.locked_folder import BusyRunError
from ..disk.recipe import Recipe, absolute, keep_encoder, keep_sentences
from ..disk.record import OnRow, Record, Row
from ..disk.run_files import RECORD
from ..distributed import ONE_PROCESS, Processes, local_processes
from ..precision import is_here, resolve, versions
from ..preparation import RunInputs, read_config
from ..probe import Probe
from .arguments import check_listener, check_place, handed, rhythm, source_of, sts_place, taken_up
from .run import RUNS, Ended, Run
from .training_thread import FINISHED

BEAT = 0.25  # seconds between drawings of the bar


def watch(run: Run) -> Run:
    """Show a progress bar until ``run`` ends."""
    from tqdm.auto import tqdm

    rows = run.listen()  # read in this thread: a bar that another thread moves stands still on Colab
    with tqdm(total=run.total_steps, initial=run.step, desc=run.name, unit="step", mininterval=BEAT) as bar:
        try:
            for row in _beats(rows):
                bar.update(max(row.get("step", 0) - bar.n, 0))
                if "loss" in row:
                    bar.set_postfix_str(f"loss {row['loss']:.3f}", refresh=False)
                elif (progress := run.preparing) is not None:
                    bar.set_postfix_str(f"{progress.work}: {progress.done} of {progress.total}")
        except KeyboardInterrupt:
            run.stop()
            run.wait()  # for its checkpoint; a second interrupt leaves it to end by itself
        run.wait()
        bar.update(run.step - bar.n)
    return run


def _beats(rows: SimpleQueue[Row | None]) -> Iterator[Row]:
    """Yield rows as they arrive, and empty ones meanwhile: the bar's clock ticks, and interrupts are handled."""
    while True:
        try:
            row = rows.get(timeout=BEAT)
        except Empty:
            row = {}
        if row is None:
            return
        yield row


P = ParamSpec("P")
R = TypeVar("R")


def same_arguments_as(model: Callable[P, Any]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Decorator: to ``help``, editors and type checkers the function has the arguments of ``model``.

    >>> def start(method: str, *, steps: int = 300) -> None: ...
    >>> @same_arguments_as(start)
    ... def train(*given, **named): ...
    >>> print(inspect.signature(train))
    (method: 'str', *, steps: 'int' = 300)
    """

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
        folder: where to keep it; default: ``clwork-runs/NAME`` in the working directory, or under ``CLWORK_RUNS``.
        sts: folder of STS tasks, ``"hub"``, or None for the folder given to :func:`clwork.data.remember_sts`. Without
            any, the column ``silver`` scores the run: Spearman × 100 with a strong encoder's cosines on 500 pairs of
            ``wikipedia-mini``, whatever the run trains on. It is a model's opinion, and chooses nothing.
        probe_every: steps between looks at the geometry; default: looks follow the clock and take about 1.4 % of the
            time, in a run below 200 steps up to 20 % for about 20 points. The weights are the same either way.
        eval_every: steps between validations; default a quarter of ``steps``, at least 20; start and end always.
        checkpoint_every: steps between checkpoints; one is also written at every pause and at the end.
        keep_every: steps between checkpoints that are kept for good, for :meth:`Run.fork`: each has the size of three
            encoders; default: none, a run has its last two while it trains.
        device: such as ``"cuda"``; default: a GPU where there is one.
        on_row: called with each row of the record once it is written, in order, in a thread of its own: however slow
            it is, no step waits for it. When it raises, its traceback is printed, it is not called again, the run
            goes on, and :meth:`Run.wait` raises the error at the end. The row is the record's own: do not change it.
        config: hyperparameters, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: a hyperparameter or argument is unknown, of another kind or out of range.
        FileNotFoundError: the file of sentences or the folder of STS tasks is not there.
        FileExistsError: the folder holds something already.
        DiskError: the disk refuses.
    """
    asked = check_start(
        method,
        encoder,
        sentences,
        steps,
        seed,
        name,
        folder,
        sts,
        probe_every,
        eval_every,
        checkpoint_every,
        keep_every,
        device,
        on_row,
        config,
    )
    with RunFolder.new(method, name, folder) as files:
        run = written(method, asked, files, on_row)
    return run.start()


class Asked(NamedTuple):
    """The arguments of :func:`start`, checked and completed: ``rest`` is copied into the recipe."""

    origin: str | Encoder
    values: MethodConfig
    source: CorpusRef
    given: Any
    rest: dict[str, Any]


def check_start(
    method: str,
    encoder: Any,
    sentences: Any,
    steps: object,
    seed: object,
    name: object,
    folder: Any,
    sts: Any,
    probe_every: object,
    eval_every: object,
    checkpoint_every: object,
    keep_every: object,
    device: Any,
    on_row: object,
    config: Mapping[str, Any],
) -> Asked:
    """Check the arguments of :func:`start`, and write nothing; raises as it does."""
    chosen = encoder if encoder is not None else get(method).default_encoder
    check_place(encoder, name, folder)
    values = make_config(method, encoder=chosen, **config)
    rest = rhythm(steps, probe_every, eval_every, checkpoint_every, keep_every)
    rest |= {"seed": _validation.seed(seed), "device": _validation.device(device), "sts": sts_place(sts)}
    check_listener(on_row)
    origin = chosen if isinstance(chosen, Encoder) else absolute(chosen)
    source, examples = source_of(DEFAULT if sentences is None else sentences)
    return Asked(origin, values, source, examples, rest)


def written(
    method: str, asked: Asked, files: RunFolder, on_row: OnRow | None, together: Processes = ONE_PROCESS
) -> Run:
    """Make a run; write its recipe, and save encoders and sentences passed as objects into its folder."""
    device = asked.rest["device"] or _validation.usual_device()
    recipe = Recipe(
        name=files.path.name,
        method=method,
        encoder=keep_encoder(asked.origin, files),
        sentences=asked.source if asked.given is None else keep_sentences(asked.given, files),
        config=dataclasses.asdict(asked.values),
        defined_in=get(method).__module__,
        **asked.rest,
        **_machine(device, asked.values),
    )
    recipe.write(files)
    inputs = RunInputs(asked.origin, asked.given, device, accept_changes=True, processes=together)
    return Run(recipe, files, asked.values, Record(files), inputs, on_row=on_row)


def _machine(device: str, config: MethodConfig) -> dict[str, Any]:
    name, why = resolve(config.precision, device)
    return {"precision": name, "precision_why": why, "versions": versions()}


@same_arguments_as(start)
def train(*given: Any, **named: Any) -> Run:
    """Train with a progress bar and return when done; its arguments are those of :func:`start`, described there.

    An interrupt (the notebook's stop button, Ctrl-C) ends it after the step in progress, with a checkpoint, and the
    stopped run is returned.

    Raises:
        Exception: whatever made the run fail; its folder keeps the last checkpoint.
    """
    run = start(*given, **named)
    try:
        return watch(run)
    except KeyboardInterrupt:  # a second one, or one before the bar was there
        run.stop()
        raise


@checked(folder=taken_up)
def resume(
    folder: str | Path,
    *,
    sentences: Any = None,
    device: str | None = None,
    accept_changes: bool = False,
    background: bool = False,
    on_row: OnRow | None = None,
    processes: int = 1,
) -> Run:
    """Resume a run from its last checkpoint; on the same kind of CPU, as if never interrupted.

    This is for runs that have ended, read from their folder; to continue a paused one, call :meth:`Run.resume`.
    A record that lacks steps or has damaged lines, as after a crash of the machine, gives a warning and an event.

    A finished run is opened to be looked at: neither its corpus nor a folder that can be written is needed. One that is
    being trained elsewhere can be looked at with :func:`open_run`.

    Args:
        folder: the run's folder, or a copy that :meth:`Run.save` made.
        sentences: as for :func:`start`; needed only where the run could not store its examples (a stream of your own).
        device: such as ``"cpu"``; default: that of the run where it is here, else what is.
        accept_changes: go on although corpus, encoder or whatever else the run names outside its folder is no longer
            what it began with, or ``run.json`` has no fingerprint of it; the record notes it.
        background: return at once instead of showing a progress bar.
        on_row: called with each row from now on, see :func:`start`.
        processes: how many train it from now on, see :func:`launch`; any number, whatever it was before. Batches, their
            order and all draws are the same.

    Raises:
        TypeError: ``folder`` is no place, but a run, say; ``accept_changes`` is neither True nor False.
        FileNotFoundError: the folder holds no run, or no checkpoint yet.
        BusyRunError: it is being trained, in this kernel or by another process.
        TypeError, ValueError: corpus or encoder have changed since, a file is damaged, or nothing can be trained on
            ``sentences``.
    """
    return resume_by(local_processes(processes), folder, sentences, device, accept_changes, background, on_row)


def resume_by(
    together: Processes,
    folder: str | Path,
    sentences: Any = None,
    device: str | None = None,
    accept_changes: bool = False,
    background: bool = False,
    on_row: OnRow | None = None,
) -> Run:
    """Resume a run that these processes train, see :func:`resume`."""
    check_listener(on_row)
    examples = handed(sentences)
    files = RunFolder(folder)
    recipe, record = Recipe.read(files), Record(files)
    if _has_ended(files, recipe, record):
        _warn(files, record.faults(recipe.steps))
        RUNS.append(opened := as_it_was(recipe, files, record, FINISHED))
        return opened
    config = read_config(recipe, files)
    together.split_batch(dataclasses.replace(config))
    files.lock()
    try:
        step = files.checkpoints.meta().step
        where = (
            _validation.device(device or (recipe.device if is_here(recipe.device) else None))
            or _validation.usual_device()
        )
        record = Record(files, upto=step)
        faults = tuple(record.faults(step))
        about: dict[str, Any] = {"accept_changes": accept_changes, "events": faults, "processes": together}
        inputs = RunInputs(recipe.encoder, examples, where, resume=True, **about)
        run = Run(recipe, files, config, record, inputs, on_row=on_row)
        _warn(files, faults)
    except BaseException:
        files.unlock()
        raise
    run.start()
    return run if background else watch(run)


def _warn(files: RunFolder, faults: Sequence[Event]) -> None:
    if faults:
        words = "; ".join(map(worded, faults))
        warnings.warn(f"{files.path / RECORD}: {words}; neither weights nor later steps depend on it", stacklevel=4)


def as_it_was(recipe: Recipe, files: RunFolder, record: Record, status: str, error: str | None = None) -> Run:
    """Open a run as its last checkpoint left it: nothing is written, and neither corpus nor start encoder are needed.

    Raises:
        ValueError: this kernel does not know its method, or a file is damaged.
    """
    config, ended = read_config(recipe, files), Ended(status, error)
    if files.checkpoints.any():
        vectors, meta = files.checkpoints.last_look()
        config = read_config(recipe, files, meta.config)  # controls may have been moved on the way
        probe = None if meta.probe is None else Probe.of(meta.probe, vectors, files.path)
        ended = Ended(status, error, probe, meta.references)
    return Run(recipe, files, config, record, ended)


def _has_ended(files: RunFolder, recipe: Recipe, record: Record) -> bool:
    """Whether the run reached its last step and saved its encoder: then there is nothing left to do.

    The status of one that was killed in between is corrected.
    """
    rows = record.rows(-1)
    if not rows or rows[0]["step"] < recipe.steps or not files.encoders.has_last() or files.busy():
        return False
    state = files.state()
    if state is None or state.status == FINISHED:
        return True
    if files.checkpoints.any() and files.checkpoints.meta().step < recipe.steps:
        return False
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
