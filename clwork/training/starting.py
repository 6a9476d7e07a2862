"""Start and resume runs: ``clwork.start``, ``clwork.train`` and ``clwork.resume``."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from .. import _validation
from .._validation import kind, shown
from ..data.sources import DEFAULT
from ..encoders import Encoder
from ..methods import config as make_config
from ..methods import get
from ..methods.base import frozen_by_method
from ..precision import default_device, is_here, resolve, versions
from ..run_folder.checkpoints import SEEN
from ..run_folder.config import RunConfig, absolute, keep_encoder, keep_sentences
from ..run_folder.files import END, run_name
from ..run_folder.folder import RunFolder
from ..run_folder.history import RunHistory
from ..run_folder.stored import RunLike, Stored
from ..settings import build
from .distributed import split_batch
from .preparation import RunInputs, read_config, source_of
from .probe import Probe
from .run import RUNS, Ended, Run
from .thread import FINISHED

# Time between two updates of the progress bar.
BAR_SECONDS = 0.25


def start(
    method: str,
    *,
    encoder: str | Path | Encoder | None = None,
    sentences: Any = None,
    steps: int = RunConfig.steps,
    seed: int = 0,
    name: str | None = None,
    folder: str | Path | None = None,
    sts: str | Path | None = None,
    probe_every: int | None = None,
    eval_every: int | None = None,
    checkpoint_every: int = RunConfig.checkpoint_every,
    keep_every: int | None = None,
    graph_memory: int = RunConfig.graph_memory,
    device: str | None = None,
    processes: int = 1,
    **settings: Any,
) -> Run:
    """Train in the background and return at once.

    Args:
        method: one of :func:`clwork.methods.names`.
        encoder: an argument of :func:`clwork.load_encoder`, or an encoder, which is copied;
            default: the method's.
        sentences: a sequence of examples, or an argument of :func:`clwork.data.sentences`; default:
            wikipedia-mini. SimCSE also trains on tuples of sentences, such as those of
            :func:`clwork.data.triplets`.
        steps: optimizer steps, at least 1.
        seed: seed of all random numbers; on a CPU, runs with equal seeds are equal.
        name: name of the run; default: the method and a number.
        folder: folder for the run; default: ``clwork-runs/NAME`` in the working directory, or under
            ``CLWORK_RUNS``.
        sts: folder of STS tasks, ``"hub"``, or None for the folder given to
            :func:`clwork.data.remember_sts`. Without STS data, the column ``silver`` has Spearman ×
            100 with a strong encoder's cosines on 500 pairs of ``wikipedia-mini``, for any corpus.
            These scores are not human labels and select no checkpoint.
        probe_every: steps between measurements of the geometry, which do not affect the weights;
            default: chosen such that measurements take about 1.4 % of the time, or up to 20 %
            (about 20 points) in a run below 200 steps.
        eval_every: steps between validations, besides start and end; default: a quarter of
            ``steps``, at least 20.
        checkpoint_every: steps between checkpoints; one is also written at every pause and at the
            end.
        keep_every: steps between checkpoints that are retained for :meth:`Run.fork`, each as large
            as three encoders; default: none are retained. A run in progress always has its last
            checkpoint.
        graph_memory: MiB per process that a step in micro-batches may use to retain activations for
            the backward pass in addition to those of one micro-batch. The others are computed
            twice; the result is the same.
        device: a PyTorch device such as ``"cuda"``; default: a GPU if there is one.
        processes: number of processes that train the run; set by ``torchrun -m clwork run.toml``.
        settings: hyperparameters of the method, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: a hyperparameter or argument is unknown, of another type or out of
            range.
        FileNotFoundError: the file of sentences or the folder of STS tasks does not exist.
        FileExistsError: the folder is not empty.
        OSError: the folder cannot be written.

    >>> run = clwork.start("simcse", temperature=0.1)  # doctest: +SKIP
    """
    # Check the arguments; nothing is written yet.
    if encoder is None:
        encoder = get(method).default_encoder
    config = make_config(method, encoder=encoder, **settings)
    # This may set config.micro_batch, so it precedes the run configuration.
    split_batch(config, processes)
    if name is not None:
        run_name("name", name)
    device = _validation.device(device)
    training_device = device or default_device()
    precision = resolve(config.precision, training_device)
    corpus, examples = source_of(DEFAULT if sentences is None else sentences)
    first_encoder = encoder if isinstance(encoder, Encoder) else absolute(encoder)

    # Make the run configuration, which checks the other arguments.
    run_config = build(
        RunConfig,
        {
            # Known once the folder is made.
            "name": "",
            "encoder": "",
            "method": method,
            "sentences": corpus,
            "config": asdict(config),
            "steps": steps,
            "seed": seed,
            "sts": _sts_source(sts),
            "probe_every": probe_every,
            # The default, set below, needs the number of steps that build checks.
            "eval_every": 1 if eval_every is None else eval_every,
            "checkpoint_every": checkpoint_every,
            "keep_every": keep_every,
            "graph_memory": graph_memory,
            "device": device,
            "defined_in": get(method).__module__,
            "versions": versions(),
            "precision": precision.name,
            "precision_why": precision.why,
            "frozen": _frozen_by_caller(first_encoder),
        },
    )
    if eval_every is None:
        # Four validations per run, but not after every few steps of a short one.
        run_config = replace(run_config, eval_every=max(20, run_config.steps // 4))
    if processes > 1 and run_config.defined_in == "__main__":
        raise ValueError(
            f"the method {method!r} is defined in this script, which other processes cannot "
            "import; move its class to a separate file and import that"
        )

    # Make the folder, with copies of what cannot be read again.
    with RunFolder.new(method, name, folder) as files:
        run_config = replace(
            run_config, name=files.path.name, encoder=keep_encoder(first_encoder, files)
        )
        if examples is not None:
            run_config = replace(run_config, sentences=keep_sentences(examples, files))
        # Written last, since this file makes the folder a run.
        run_config.write(files)
        inputs = RunInputs(first_encoder, examples, training_device, processes=processes)
        run = Run(run_config, files, config, RunHistory(files), inputs)
    return run.start()


def train(
    method: str,
    *,
    encoder: str | Path | Encoder | None = None,
    sentences: Any = None,
    steps: int = RunConfig.steps,
    seed: int = 0,
    name: str | None = None,
    folder: str | Path | None = None,
    sts: str | Path | None = None,
    probe_every: int | None = None,
    eval_every: int | None = None,
    checkpoint_every: int = RunConfig.checkpoint_every,
    keep_every: int | None = None,
    graph_memory: int = RunConfig.graph_memory,
    device: str | None = None,
    **settings: Any,
) -> Run:
    """Train with a progress bar and return the finished run; arguments as for :func:`start`.

    An interrupt (Ctrl-C, the stop button) stops the run after the step in progress, with a
    checkpoint, and returns it. The run's error is raised.

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
        **settings,
    )
    try:
        return watch(run)
    except KeyboardInterrupt:
        # A second interrupt, or one before the bar was shown: do not wait for the checkpoint.
        run.stop()
        raise


def watch(run: Run) -> Run:
    """Show a progress bar until ``run`` ends; return the run, or raise its error.

    An interrupt stops the run, and waits until its checkpoint is written.
    """
    from tqdm.auto import tqdm

    # Updated in this thread, because Colab does not show a bar that another thread updates.
    bar = tqdm(total=run.total_steps, initial=run.step, desc=run.name, unit="step")
    with bar:
        try:
            while run.alive:
                run.wait(BAR_SECONDS)
                _show_progress(run, bar)
        except KeyboardInterrupt:
            run.stop()
        run.wait()
        _show_progress(run, bar)
    return run


def _show_progress(run: Run, bar: Any) -> None:
    """Update the bar: steps done, the latest loss, or the progress of a preparation."""
    # The last row, if there is one.
    for row in run.records(-1):
        if "loss" in row:
            bar.set_postfix_str(f"loss {row['loss']:.3f}", refresh=False)
    if (progress := run.preparing) is not None:
        bar.set_postfix_str(f"{progress.work}: {progress.done} of {progress.total}")
    bar.update(run.step - bar.n)


def _frozen_by_caller(encoder: str | Encoder) -> list[str]:
    """Return the names of the parameters that the caller has frozen; ValueError if all are.

    Parameters that another run's method has frozen do not count, nor has a named encoder any.
    """
    if not isinstance(encoder, Encoder):
        return []
    by_method = {id(parameter) for parameter in frozen_by_method(encoder)}
    # Names by identity, because a tensor cannot be compared with "in".
    frozen = {}
    for name, parameter in encoder.named_parameters():
        if not parameter.requires_grad and id(parameter) not in by_method:
            frozen[id(parameter)] = name
    is_all_frozen = all(id(parameter) in frozen for parameter in encoder.backbone.parameters())
    if frozen and is_all_frozen:
        raise ValueError(
            f"all weights of the encoder {encoder.name!r} are frozen (requires_grad=False), so "
            "nothing would be trained; call encoder.requires_grad_(True), and for the last layers "
            "alone give trained_layers= to SimCSE"
        )
    return list(frozen.values())


def _sts_source(sts: str | Path | None) -> str | None:
    """Return the argument ``sts`` as stored: None, "hub", or an absolute path."""
    if sts is None:
        return None
    if sts == "hub":
        return "hub"
    folder = _validation.path("sts", sts).resolve()
    if not folder.is_dir():
        raise FileNotFoundError(
            f"sts={shown(str(sts), 200)} is no folder; give a folder of STS tasks, 'hub', or leave "
            "it out"
        )
    return str(folder)


def resume(
    folder: str | Path,
    *,
    device: str | None = None,
    background: bool = False,
    processes: int = 1,
) -> Run:
    """Resume a run from its last checkpoint.

    On the same kind of CPU, the result is that of an uninterrupted run. To continue a paused run,
    call :meth:`Run.resume`; to view a run that is trained elsewhere, :func:`open_run`. A finished
    run is only opened, which needs neither its corpus nor write access to its folder.

    Args:
        folder: the run's folder, or a copy made by :meth:`Run.save`.
        device: a PyTorch device such as ``"cpu"``; default: the run's device if this machine has
            it.
        background: return at once instead of showing a progress bar.
        processes: as for :func:`start`.

    Raises:
        FileNotFoundError: the folder holds no run, or no checkpoint yet.
        BusyRunError: the run is being trained, in this kernel or by another process.

    >>> run = clwork.resume("clwork-runs/simcse-001")  # doctest: +SKIP
    """
    if not isinstance(folder, str | os.PathLike):
        raise TypeError(
            f"folder={shown(folder)} is {kind(folder)}; give a run's folder, such as run.folder. "
            "To continue a paused run of this kernel, call run.resume()"
        )
    files = RunFolder(folder)
    run_config = RunConfig.read(files)
    history = RunHistory(files)
    if _is_finished(files, run_config, history):
        run = _opened(run_config, files, history, FINISHED)
        RUNS.append(run)
        return run

    # Read and checked before the folder is locked.
    config = read_config(run_config, files)
    if device is None and is_here(run_config.device):
        device = run_config.device
    device = _validation.device(device) or default_device()

    files.lock()
    # From here on, an error must unlock the folder; a started run does so at its end.
    try:
        step = files.checkpoints.meta().step
        history = RunHistory(files, upto=step)
        inputs = RunInputs(
            run_config.encoder,
            device=device,
            resume=True,
            events=({"resumed": step},),
            processes=processes,
        )
        run = Run(run_config, files, config, history, inputs)
    except BaseException:
        files.unlock()
        raise
    run.start()
    return run if background else watch(run)


def view_run(run: RunLike) -> Run:
    """Return the live run if this kernel trains it, else a run opened at its last checkpoint."""
    if isinstance(run, Run):
        return run
    for live in RUNS:
        if live.alive and live.folder == run.folder:
            return live
    stored = Stored(run.folder)
    history = RunHistory(stored.files)
    return _opened(stored.run_config, stored.files, history, stored.status, stored.error)


def _opened(
    run_config: RunConfig,
    files: RunFolder,
    history: RunHistory,
    status: str,
    error: str | None = None,
) -> Run:
    """Open a run at its last checkpoint; needs neither the corpus nor the start encoder."""
    if not files.checkpoints.any():
        config = read_config(run_config, files)
        return Run(run_config, files, config, history, Ended(status, error))
    tensors, meta = files.checkpoints.read((SEEN,))
    # Controls may have changed the values with which the run began.
    config = read_config(run_config, files, meta.config)
    probe = None
    if meta.probe is not None:
        probe = Probe.from_checkpoint(meta.probe, tensors.get(SEEN), files.path)
    ended = Ended(status, error, probe, meta.references)
    return Run(run_config, files, config, history, ended)


def _is_finished(files: RunFolder, run_config: RunConfig, history: RunHistory) -> bool:
    """Whether the run did its last step and saved its encoder, so that nothing is left to do."""
    if history.last_step < run_config.steps:
        return False
    # A process that still has the lock may be writing the last checkpoint.
    is_saved = (files.path / END).is_dir() and not files.busy()
    return is_saved and files.state().status == FINISHED


def live_runs() -> list[Run]:
    """Return all runs of this kernel, in the order of their start."""
    return list(RUNS)
