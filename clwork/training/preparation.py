"""Put a run together before its first step: read encoder and examples, build method and loop.

:func:`prepare` does this, with a new run as with one that resumes from a checkpoint. A method may
train a second model meanwhile, and reports its :class:`Progress`. (The warm-up of the learning rate
is part of the training, and in ``methods/schedule.py``.)
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from .. import data
from ..data.sources import CorpusRef, checked_examples, file_path, named
from ..encoders import Encoder
from ..events import Event
from ..methods import Method, MethodConfig, get, names
from ..methods.base import PreparationContext
from ..methods.step import ProcessGroup
from ..run_folder.config import RunConfig, fingerprint, read_encoder, read_sentences
from ..run_folder.folder import RunFolder, encoder_of
from ..settings import build
from .batches import make_batches
from .loop import Loop
from .probe import make_probe
from .scores import make_validation, read_sts


@dataclass(frozen=True)
class RunInputs:
    """What a run needs besides its configuration: objects of the caller, device and options.

    Attributes:
        encoder: the encoder to copy, or its name.
        examples: the examples; None reads those that the configuration names.
        device: a PyTorch device; None: the default device.
        resume: whether the folder has a checkpoint to continue from.
        events: events to write into the first row.
        processes: number of processes that train the run.
    """

    encoder: str | Encoder
    examples: Any = None
    device: str | None = None
    resume: bool = False
    events: tuple[Event, ...] = ()
    processes: int = 1


@dataclass(frozen=True)
class Progress:
    """Progress of a preparation: ``done`` of ``total`` parts of ``work``, after ``seconds``."""

    work: str
    done: int
    total: int
    seconds: float


Report = Callable[[Progress], None]


def ignore(progress: Progress) -> None:
    """Report no progress."""


class RunPreparation(PreparationContext):
    """The context of :meth:`.Method.begin` in a run: stores encoders, reports progress."""

    def __init__(self, files: RunFolder, report: Report = ignore) -> None:
        self._files = files
        self._report = report
        self._began = time.perf_counter()

    def keep_encoder(
        self, name: str, make: Callable[[], Encoder], device: str | None = None
    ) -> Encoder:
        """Load the encoder stored as ``name``; the first call makes and stores it."""
        return self._files.keep_encoder(name, make, device)

    def encoder_of(self, named: str) -> str | Path:
        """Return the folder of the encoder of the run called ``named``, or the name itself."""
        return encoder_of(named) or named

    def progress(self, work: str, done: int, total: int) -> None:
        """Report that ``done`` of ``total`` parts of ``work`` are finished."""
        self._report(Progress(work, done, total, time.perf_counter() - self._began))


def source_of(sentences: Any) -> tuple[CorpusRef, Any]:
    """Separate the argument ``sentences`` of a run into a reference and examples.

    A run stores the reference of a source that can be read again: a name, a file, or sentences that
    know their source. The examples are then None, since they are read at the start of the run.
    Other examples are checked and returned with an empty reference.
    """
    if isinstance(sentences, str | os.PathLike):
        source = {"source": str(sentences)}
        if not named(sentences) and file_path(sentences) is not None:
            # Read here, so that an error about the file is raised before the run begins.
            source = data.sentences(sentences).source
        return CorpusRef(source), None
    examples = checked_examples(sentences)
    if isinstance(examples, Mapping):
        return CorpusRef(dict(examples)), None
    return CorpusRef(), examples


def read_config(
    run_config: RunConfig, files: RunFolder, values: Mapping[str, Any] | None = None
) -> MethodConfig:
    """Return the hyperparameters of a stored run.

    They are those with which it began, or ``values``, those of a checkpoint, which controls may
    have changed.
    """
    if run_config.method not in names():
        raise ValueError(
            f"{files.path} was trained by the method {run_config.method!r}, which is not part of "
            "clwork and not registered in this kernel; import your method first, then resume"
        )
    if values is None:
        values = run_config.config
    config: MethodConfig = build(get(run_config.method).Config, values)
    return config


def build_method(name: str, encoder: Encoder, config: MethodConfig, seed: int) -> Method[Any]:
    """Build a method around ``encoder``; ``seed`` initialises weights that no file has."""
    generator = torch.Generator().manual_seed(seed)
    return get(name)(encoder, config, generator).to(encoder.device)


def prepare(
    run_config: RunConfig,
    files: RunFolder,
    config: MethodConfig,
    inputs: RunInputs,
    report: Report = ignore,
    owns_folder: bool = True,
    checkpoint_file: str | None = None,
) -> tuple[Loop, list[Event]]:
    """Build the loop of a run, restored from its checkpoint on resume.

    Also returns the events of the checkpoint that are not yet in a row of the history; none for a
    new run.

    Args:
        run_config: the run configuration.
        files: the run's folder.
        config: the method's hyperparameters; a checkpoint replaces their values.
        inputs: objects of the caller, device and options.
        report: called with the progress of the method's preparation.
        owns_folder: whether this process trains the run. Then the configuration is written, and
            recorded positions after the checkpoint are removed. Otherwise the run is only viewed,
            or trained by another process, and only encoders that the method makes are written.
        checkpoint_file: name of the checkpoint's file; None: the newest checkpoint.
    """
    # Read encoder and examples. Their fingerprints, stored with the configuration, tell a reader of
    # the folder later what they were.
    encoder = read_encoder(inputs.encoder, files, inputs.device, run_config.seed)
    examples = inputs.examples
    if examples is None:
        examples = read_sentences(run_config.sentences, files)
    digests = {"encoder": fingerprint(encoder), "sentences": fingerprint(examples)}
    run_config.fingerprints.update(digests)
    if owns_folder:
        run_config.write(files)

    # Build the method, which may train an encoder of its own before the first step. The events of
    # the batches, such as many unknown tokens, belong to the row of step 0.
    method = build_method(run_config.method, encoder, config, run_config.seed)
    batches, sentences, first_events = make_batches(method, examples, run_config.seed)
    began = time.perf_counter()
    method.begin(batches.batch, RunPreparation(files, report))
    begin_seconds = time.perf_counter() - began

    # Build the measurements and the loop. Before the first step, the loop also scores the encoder
    # as loaded, for a reference line.
    sts = read_sts(run_config.sts)
    loop = Loop(
        method,
        batches,
        make_probe(sentences, sts.get("stsb")),
        make_validation(sts),
        run_config,
        files,
        begin_seconds=begin_seconds,
        first_events=first_events,
        loaded=encoder,
    )
    events = loop.load(owns_folder, checkpoint_file) if inputs.resume else []
    return loop, events


def follow_first_process(
    processes: ProcessGroup, device: str, stopping: Callable[[], bool]
) -> None:
    """Do the steps of process 0's run in this process, too; write nothing.

    This process receives the orders of process 0, one after the other. The first order is the run's
    folder, whose checkpoint this process loads. Each further order is the hyperparameters of the
    next step. The last order is None.

    ``stopping()`` is whether this process requests the end of the run. In each step, all processes
    add up their requests. If there is one, process 0 ends the run after the step.
    """
    folder = processes.share_order()
    if folder is None:
        # The last order is also the first one, since process 0 has no step to do.
        return
    files = RunFolder(folder)
    run_config = RunConfig.read(files)
    config = read_config(run_config, files, files.checkpoints.meta().config)
    inputs = RunInputs(run_config.encoder, device=device, resume=True)
    loop, _ = prepare(run_config, files, config, inputs, owns_folder=False)
    loop.processes = processes
    loop.stopping = stopping
    while (hyperparameters := processes.share_order()) is not None:
        loop.set_config(hyperparameters)
        loop.update()
