"""From a recipe to a loop that is ready to step: encoder, examples, method, probe and validation."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from ...encoders import Encoder
from ...events import Event
from ...methods import Method, get
from ..disk.folder import RunFolder
from ..disk.recipe import Recipe
from .batches import Batches, IndexedBatches, StreamedBatches
from .loop import Loop
from .outside import Outside
from .probe import make_probe
from .validation import make_validation

# How far a method's preparation is, and how it is ended: what :class:`clwork.methods.base.Keeper` asks of a run.


class StoppedEarlyError(Exception):
    """The run was stopped while its method made ready: there is no step to go back to, and nothing has failed."""


@dataclass(frozen=True)
class Progress:
    """``done`` of ``total`` parts of ``work``, which took so many ``seconds``."""

    work: str
    done: int
    total: int
    seconds: float


class PreparationProgress:
    """Keeps the latest of it for those who look at the run, and ends the preparation once ``stop`` is set."""

    def __init__(self, stop: threading.Event) -> None:
        self.now: Progress | None = None
        self._stop = stop

    def tell(self, progress: Progress) -> None:
        """Take note.

        Raises:
            StoppedEarlyError: the run is being stopped.
        """
        self.now = progress
        if self._stop.is_set():
            raise StoppedEarlyError


class PreparedFolder:
    """A run's folder, as a method sees it while it makes ready."""

    def __init__(self, files: RunFolder, progress: PreparationProgress, outside: Outside | None = None) -> None:
        """Without ``outside``, whatever is named is named by the reader."""
        self._files, self._progress, self._outside = files, progress, outside
        self._began = time.perf_counter()

    def keep_encoder(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """See :meth:`.RunFolder.keep_encoder`."""
        return self._files.keep_encoder(name, make, device)

    def named_encoder(self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]) -> Encoder:
        """See :meth:`.Outside.named_encoder`."""
        if self._outside is None:
            return read(self._files.encoder_of(named) or named)
        return self._outside.named_encoder(hyperparameter, named, read)

    def progress(self, work: str, done: int, total: int) -> None:
        """Report progress; raise :class:`StoppedEarlyError` if the run is to stop."""
        self._progress.tell(Progress(work, done, total, time.perf_counter() - self._began))


HEAD = 2000  # sentences of a stream that serve as its sample
LOOKED_AT = 1000  # examples sampled to estimate the usable share: a third of a second, where all take many


@dataclass(frozen=True)
class RunInputs:
    """What a run is handed beside its recipe: objects in place of what the recipe names, and where to train."""

    encoder: str | Encoder
    examples: Any = None  # None: those that the recipe describes
    device: str | None = None
    resume: bool = False
    accept_changes: bool = False  # also of a run that begins: all was named just now
    named: Collection[str] = ()  # what was named just now of a recipe that was read
    forked: bool = False  # the folder's checkpoint is another run's, made ready for this one: nothing was interrupted
    told: tuple[Event, ...] = ()  # events to write before the first row
    moves: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)  # of controls, by the step they are before

    @property
    def names(self) -> Collection[str]:
        """What the caller named just now, handed over examples included."""
        return self.named if self.examples is None else {"sentences", *self.named}

    @property
    def is_child(self) -> bool:
        """Whether the run begins as a fork or a replay of another one."""
        return self.forked or (bool(self.told) and not self.resume)


def prepare(
    recipe: Recipe, files: RunFolder, config: Any, given: RunInputs, progress: PreparationProgress | None = None
) -> tuple[Loop, list[Event]]:
    """Read what the recipe names, at its checkpoint where the run is resumed; and what there is to tell of it.

    Raises:
        StoppedEarlyError: ``progress``, which receives the progress of the method's preparation, asks to stop.
        TypeError: the method does not train on such examples.
        ValueError: too few of them, they cannot be had again, or they or the encoder have changed.
    """
    outside = Outside(recipe, files, given.accept_changes, given.names)
    outside.check()
    fresh, examples = outside.encoder(given.encoder, given.device), outside.examples(given.examples)
    sts = outside.sts()
    recipe.write(files)
    method = get(recipe.method)(fresh, config, torch.Generator().manual_seed(recipe.weights_seed)).to(fresh.device)
    batches, known, note = make_batches(method, examples, config.batch_size, recipe.seed)
    started = time.perf_counter()
    method.begin(batches.batch, PreparedFolder(files, progress or PreparationProgress(threading.Event()), outside))
    took = time.perf_counter() - started
    recipe.write(files)  # with the fingerprints of what the method found
    loop = Loop(
        method,
        batches,
        make_probe(known, sts.get("stsb")),
        make_validation(known, sts),
        precision=recipe.precision,
        total=recipe.steps,
        seed=recipe.seed,
        probe_every=recipe.probe_every,
        eval_every=recipe.eval_every,
        folder=files,
        begin_seconds=took,
        note=note,
    )
    return loop, outside.events + (loop.load(files) if given.resume else [])


def make_batches(
    method: Method[Any], examples: Sequence[Any] | Iterable[Any], size: int, seed: int
) -> tuple[Batches, Sequence[str], Event | None]:
    """Batches; sentences to look at: the corpus itself, premises of triplets, the head of a stream; what to tell."""
    usable = method.usable()
    if isinstance(examples, Sequence):
        method.kind = method.check_examples(examples)
        note = _usable_share(method, examples[:: max(1, len(examples) // LOOKED_AT)][:LOOKED_AT])
        return IndexedBatches(examples, size, seed, method.tokenize, usable), _sentences_of(examples), note
    head = list(islice(examples, HEAD))
    if not head:
        raise ValueError("the streamed source gave no example; check its name, split and column")
    method.kind = method.check_examples(head)
    note = _usable_share(method, head[:LOOKED_AT])
    return StreamedBatches(examples, size, seed, method.tokenize, usable=usable), _sentences_of(head), note


def _sentences_of(examples: Sequence[Any]) -> Sequence[str]:
    """Sentences as they are; of triplets the premises."""
    return examples if isinstance(examples[0], str) else [example[0] for example in examples]


def _usable_share(method: Method[Any], sample: Sequence[Any]) -> Event | None:
    """What share of the examples the method can use; None where it takes all."""
    usable = method.usable()
    if usable is None:
        return None
    found = [usable(tokens) for tokens in method.tokenize(list(sample))]
    return {"usable": sum(found) / len(found)}
