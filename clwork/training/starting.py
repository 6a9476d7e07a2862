"""Start and resume runs: ``clwork.start``, ``clwork.train`` and ``clwork.resume``."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from .. import _validation
from .._validation import shown
from ..data.sources import DEFAULT
from ..encoders import Encoder
from ..methods import config as make_config
from ..methods import get
from ..precision import default_device, is_here, resolve, versions
from ..run_folder.config import MOST_STEPS, RunConfig, absolute, keep_encoder, keep_sentences
from ..run_folder.files import END
from ..run_folder.folder import RunFolder
from ..run_folder.history import RunHistory
from ..settings import build
from .distributed import split_batch
from .preparation import RunInputs, read_config, source_of
from .run import RUNS, Run
from .stored import FINISHED, Stored

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
    device: str | None = None,
    processes: int = 1,
    **settings: Any,
) -> Run:
    """Train in the background and return at once.

    Args:
        method: one of :func:`clwork.methods.names`.
        encoder: an argument of :func:`clwork.load_encoder`, or an encoder, which is copied, and
            whose weights are all trained; default: the method's. To train only some of its layers
            set ``trained_layers`` of SimCSE.
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
            ``steps``, at least 20. 0: no validation, and no :meth:`Run.best_encoder`.
        checkpoint_every: steps between checkpoints; one is also written at every pause and at the
            end.
        keep_every: steps between checkpoints that are retained for :meth:`Run.fork`, each as large
            as three encoders; default: none are retained. A run in progress always has its last
            checkpoint.
        device: a PyTorch device such as ``"cuda"``; default: a GPU if there is one.
        processes: number of processes that train the run; set by ``torchrun -m clwork run.toml``.
        settings: hyperparameters of the method, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: a hyperparameter or argument is unknown, of another type or out of
            range, or the encoder has frozen weights.
        FileNotFoundError: the file of sentences or the folder of STS tasks does not exist.
        FileExistsError: the folder is not empty.
        OSError: the folder cannot be written.

    >>> run = clwork.start("simcse", temperature=0.1)  # doctest: +SKIP
    """
    # Check the arguments; nothing is written yet.
    if encoder is None:
        encoder = get(method).default_encoder
    config = make_config(method, encoder=encoder, **settings)
    # Each process needs a part of the batch. This may set config.micro_batch, so it comes before
    # the run configuration, which stores the hyperparameters.
    split_batch(config, processes)
    device = _validation.device(device)
    training_device = device or default_device()
    precision = resolve(config.precision, training_device)
    corpus, examples = source_of(DEFAULT if sentences is None else sentences)
    first_encoder = _trainable(encoder) if isinstance(encoder, Encoder) else absolute(encoder)
    steps = _validation.integer("steps", steps, 1, MOST_STEPS)
    if eval_every is None:
        # Four validations per run, but not after every few steps of a short one.
        eval_every = max(20, steps // 4)

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
            "eval_every": eval_every,
            "checkpoint_every": checkpoint_every,
            "keep_every": keep_every,
            "device": device,
            "versions": versions(),
            "precision": precision.name,
            "precision_why": precision.why,
        },
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
        device=device,
        **settings,
    )
    try:
        return watch(run)
    except KeyboardInterrupt:
        # A second interrupt, or one before the bar was shown: do not wait for the checkpoint.
        run.stop()
        raise


def watch(run: Run, shared_bar: Any = None) -> Run:
    """Show a progress bar until ``run`` ends; return the run, or raise its error.

    An interrupt stops the run, and waits until its checkpoint is written. The steps are added to
    ``shared_bar``, if it is given; such a bar counts the steps of several runs and stays open.
    """
    from tqdm.auto import tqdm

    # Updated in this thread, because Colab does not show a bar that another thread updates.
    bar = shared_bar
    if bar is None:
        bar = tqdm(total=run.total_steps, initial=run.step, desc=run.name, unit="step")
    # Steps of other runs, which a shared bar has counted.
    before = bar.n - run.step
    try:
        while run.alive:
            run.wait(BAR_SECONDS)
            _show_progress(run, bar, before)
    except KeyboardInterrupt:
        run.stop()
    try:
        run.wait()
        _show_progress(run, bar, before)
    finally:
        if shared_bar is None:
            bar.close()
    return run


def _show_progress(run: Run, bar: Any, before: int) -> None:
    """Update the bar: steps done, and as text the latest loss or the progress of a preparation.

    ``before`` is the number of steps that the bar had counted before this run: of other runs.
    """
    # A list with the last row; empty before the first row is recorded.
    for row in run.records(since=-1):
        # The row of step 0 has no loss.
        if "loss" in row:
            # Without refresh, since the update below draws the bar.
            bar.set_postfix_str(f"loss {row['loss']:.3f}", refresh=False)
    if (progress := run.preparing) is not None:
        bar.set_postfix_str(f"{progress.work}: {progress.done} of {progress.total}")
    # A bar takes the number of new steps; it has counted bar.n.
    bar.update(before + run.step - bar.n)


def _trainable(encoder: Encoder) -> Encoder:
    """Return the encoder; ValueError if the caller has frozen weights, which would be trained."""
    for name, parameter in encoder.named_parameters():
        if not parameter.requires_grad:
            raise ValueError(
                f"{name} of the encoder {encoder.name!r} is frozen (requires_grad=False), but a "
                "run trains all weights; call encoder.requires_grad_(True), and to train the last "
                "layers alone use SimCSE with trained_layers="
            )
    return encoder


def _sts_source(sts: str | Path | None) -> str | None:
    """Return the argument ``sts`` as stored: None, "hub", or an absolute path."""
    if sts in (None, "hub"):
        return sts
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
    stored = Stored(folder)
    files = stored.files
    run_config = stored.run_config
    # Otherwise the last step was done, but its encoder is not saved.
    is_saved = (files.path / END).is_dir()
    if stored.status == FINISHED and is_saved:
        run = _opened(stored)
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


def view_run(run: Run | Stored) -> Run:
    """Return the live run if this kernel trains it, else a run opened at its last checkpoint."""
    if isinstance(run, Run):
        return run
    for live in RUNS:
        if live.alive and live.folder == run.folder:
            return live
    return _opened(Stored(run.folder))


def _opened(stored: Stored) -> Run:
    """Open a run at its last checkpoint; needs neither the corpus nor the start encoder."""
    config = read_config(stored.run_config, stored.files, stored.config)
    return Run(stored.run_config, stored.files, config, stored.columns, stored)
