"""Build the training loop of a run: load its encoder and examples, and make method, probe and validation."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from ..encoders import Encoder, load_encoder
from ..encoders.pooling import known_pooling
from ..events import Event
from ..methods import Method, MethodConfig, get, names
from ..methods.base import PreparationContext
from ..methods.step import ProcessGroup
from ..run_folder.config import RunConfig, read_encoder, read_sentences
from ..run_folder.folder import RunFolder, encoder_of
from ..settings import build
from ..wording import MANY_UNKNOWN, unknown_tokens
from .batches import Batches, IndexedBatches, StreamedBatches, TooFewExamples
from .distributed import Processes
from .false_negatives import InjectedFalseNegatives
from .loop import Loop
from .probe import make_probe
from .validation import make_validation, read_sts

SAMPLE = 2000  # first sentences of a stream, used as its sample
USABLE_SAMPLE = 1000  # examples that estimate the usable share; takes a third of a second


@dataclass(frozen=True)
class RunInputs:
    """Inputs of a run that its recipe does not hold: the caller's objects, the device and options."""

    encoder: str | Encoder
    examples: Any = None  # None: read the recipe's examples
    device: str | None = None
    resume: bool = False
    forked: bool = (
        False  # the checkpoint was copied from another run, so the run was not interrupted
    )
    events: tuple[Event, ...] = ()  # to write into the first row
    processes: Processes = field(default_factory=Processes)  # that train the run


@dataclass(frozen=True)
class Progress:
    """Progress of a preparation: ``done`` of ``total`` parts of ``work``, after ``seconds``."""

    work: str
    done: int
    total: int
    seconds: float


class RunPreparation(PreparationContext):
    """The context of :meth:`.Method.begin` in a run: loads and stores encoders, reports progress."""

    def __init__(
        self,
        files: RunFolder,
        report: Callable[[Progress], None] = lambda progress: None,
        *,
        read_only: bool = False,
    ) -> None:
        self._files, self._report, self._read_only = files, report, read_only
        self._began = time.perf_counter()

    def keep_encoder(
        self, name: str, make: Callable[[], Encoder], device: str | None = None
    ) -> Encoder:
        """Load the encoder stored as ``name``; the first call makes and stores it, unless the folder is read-only."""
        if not self._read_only:
            return self._files.keep_encoder(name, make, device)
        if not self._files.has_folder(name):
            raise FileNotFoundError(
                f"{self._files.path} has no folder {name!r}, an encoder that the method makes before the first step; "
                f"call clwork.resume({str(self._files.path)!r}) to make it again"
            )
        return load_encoder(self._files.path / name, device=device)

    def named_encoder(
        self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]
    ) -> Encoder:
        return read(encoder_of(named) or named)

    def progress(self, work: str, done: int, total: int) -> None:
        self._report(Progress(work, done, total, time.perf_counter() - self._began))


def read_config(
    recipe: RunConfig, files: RunFolder, values: Mapping[str, Any] | None = None
) -> MethodConfig:
    """Return the checked hyperparameters of a stored run: ``values`` (of a checkpoint) if passed, else the recipe's."""
    if recipe.method not in names():
        module = (
            f"the module {recipe.defined_in!r}, which" if recipe.defined_in else "the module that"
        )
        raise ValueError(
            f"{files.path} was trained by the method {recipe.method!r}, which is not part of clwork and not registered "
            f"in this kernel; import your method first ({module} defines and registers it), then resume"
        )
    try:
        made: MethodConfig = build(
            get(recipe.method).Config, recipe.config if values is None else values
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"the run in {files.path} cannot be read: {error}") from error
    return made


def build_method(name: str, encoder: Encoder, config: MethodConfig, seed: int) -> Method[Any]:
    """Build a method around ``encoder``; ``seed`` initialises the weights that are not read from a file."""
    return get(name)(encoder, config, torch.Generator().manual_seed(seed)).to(encoder.device)


def start_encoder(
    recipe: RunConfig, files: RunFolder, given: str | Encoder, device: str | None
) -> Encoder:
    """Return the encoder that a run begins with; the weights that its caller has frozen stay frozen."""
    encoder = read_encoder(given, files, device, recipe.weights_seed)
    parameters = dict(encoder.named_parameters())
    for name in recipe.frozen:
        if name in parameters:  # an encoder that a caller has changed may lack it
            parameters[name].requires_grad_(False)
    return encoder


def rebuild(
    recipe: RunConfig, files: RunFolder, config: MethodConfig, device: str | None = None
) -> Method[Any]:
    """Build the method of a stored run in its initial state, before :meth:`.Method.begin`."""
    start = start_encoder(recipe, files, recipe.encoder, device)
    return build_method(recipe.method, start, config, recipe.weights_seed)


def prepare(
    recipe: RunConfig,
    files: RunFolder,
    config: MethodConfig,
    given: RunInputs,
    report: Callable[[Progress], None] = lambda progress: None,
    store: bool = True,
) -> tuple[Loop, list[Event]]:
    """Build the loop of a recipe, restored from its checkpoint on resume; return the loop and events to record.

    If ``store``, the recipe is written with the fingerprints of what was read, and the recorded positions up to the
    checkpoint; otherwise nothing is written, except encoders that the method makes.
    """
    start = start_encoder(recipe, files, given.encoder, given.device)
    examples = read_sentences(recipe.sentences, files) if given.examples is None else given.examples
    changes = [*recipe.changes("encoder", start), *recipe.changes("sentences", examples)]
    if store:
        recipe.write(files)
    method = build_method(recipe.method, start, config, recipe.weights_seed)
    batches, known, first_events = make_batches(method, examples, config.batch_size, recipe.seed)
    _check_first_batch(batches, first_events)
    started = time.perf_counter()
    method.begin(batches.batch, RunPreparation(files, report))
    took = time.perf_counter() - started
    sts = read_sts(recipe.sts)
    loop = Loop(
        method,
        batches,
        make_probe(known, sts.get("stsb")),
        make_validation(known, sts),
        recipe,
        files,
        begin_seconds=took,
        first_events=[*pooling_events(method, start), *first_events],
        loaded=start,
    )
    return loop, changes + (loop.load(files, store) if given.resume else [])


def _check_first_batch(batches: Batches, events: list[Event]) -> None:
    """Raise ValueError if the corpus has fewer different examples than a batch; name unknown tokens as the cause."""
    try:
        batches.ahead(0)
    except TooFewExamples as error:
        for event in events:
            if "unknown" in event:
                raise TooFewExamples(f"{unknown_tokens(event['unknown'])} ({error})") from None
        raise


def pooling_events(method: Method[Any], start: Encoder) -> list[Event]:
    """Return an event if the pooling was chosen by ``"auto"``, or is not that of the encoder as loaded."""
    auto = getattr(method.config, "pooling", "") == "auto"
    trained, loaded = (
        known_pooling(encoder.pooling).raw for encoder in (method.test_encoder(), start)
    )
    loaded = f"{loaded} and a head" if start.uses_head else loaded
    if not auto and trained == loaded:
        return []
    return [
        {"pooling": {"trained": trained, "loaded": loaded, "auto": auto, "declared": not start.raw}}
    ]


def make_batches(
    method: Method[Any], examples: Sequence[Any] | Iterable[Any], size: int, seed: int
) -> tuple[Batches, Sequence[str], list[Event]]:
    """Return the batches, the sentences for probe and validation, and events with the shares used and repeated."""
    if isinstance(examples, Sequence):
        method.kind = method.check_examples(examples)
        return (
            indexed_batches(method, examples, size, seed),
            _sentences_of(examples),
            _shares(method, examples),
        )
    head = list(islice(examples, SAMPLE))
    if not head:
        raise ValueError(
            "the streamed source returned no example; check its name, split and column"
        )
    method.kind = method.check_examples(head)
    _injected(method, (), size, seed)  # raises ValueError, since a stream has no groups
    limit = method.config.max_length
    batches = StreamedBatches(
        examples, size, seed, method.tokenize, usable=method.usable(), max_length=limit
    )
    return batches, _sentences_of(head), _shares(method, head)


def indexed_batches(
    method: Method[Any], examples: Sequence[Any], size: int, seed: int
) -> IndexedBatches:
    """Make the batches of a method whose attribute ``kind`` (the kind of its examples) is set."""
    injected = _injected(method, examples, size, seed)
    return IndexedBatches(
        examples, size, seed, method.tokenize, method.usable(), injected, method.config.max_length
    )


def _injected(
    method: Method[Any], examples: Sequence[Any], size: int, seed: int
) -> InjectedFalseNegatives | None:
    share = getattr(method.config, "same_group", 0.0)
    return (
        InjectedFalseNegatives(examples, getattr(examples, "groups", None), share, size, seed)
        if share
        else None
    )


def _sentences_of(examples: Sequence[Any]) -> Sequence[str]:
    return examples if isinstance(examples[0], str) else [example[0] for example in examples]


def _shares(method: Method[Any], examples: Sequence[Any]) -> list[Event]:
    """Return events with the shares of usable examples, of unknown tokens, and of examples that repeat another one."""
    events: list[Event] = []
    if (usable := method.usable()) is not None:
        sample = examples[:: max(1, len(examples) // USABLE_SAMPLE)][:USABLE_SAMPLE]
        used = [usable(tokens) for tokens in method.tokenize(list(sample))]
        events.append({"usable": sum(used) / len(used)})
    sentences = _sentences_of(examples)
    if (unknown := method.encoder.unknown_share(sentences)) >= MANY_UNKNOWN:
        events.append({"unknown": unknown})
    texts = (
        " ".join(example) if isinstance(example, tuple) else str(example) for example in examples
    )
    share = len({" ".join(text.split()).casefold() for text in texts}) / len(examples)
    return [*events, {"repeated": 1 - share}] if share < 1 else events


def train_along(processes: ProcessGroup, device: str, stopping: Callable[[], bool]) -> None:
    """Train the run of process 0 from its checkpoint, with its controls; nothing is written.

    Once ``stopping()``, all processes know it from the sums of the next step, and process 0 ends the run after it.
    """
    run = processes.order()
    files = RunFolder(run["folder"])
    recipe = RunConfig.read(files)
    if recipe.method not in names():
        importlib.import_module(run["module"])
    config = read_config(recipe, files, files.checkpoints.meta().config)
    inputs = RunInputs(recipe.encoder, device=device, resume=True)
    loop, _ = prepare(recipe, files, config, inputs, store=False)
    loop.processes, loop.stopping = processes, stopping
    while (values := processes.order()) is not None:
        for name, value in values.items():
            setattr(loop.method.config, name, value)
        loop.update()
