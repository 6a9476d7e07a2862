"""From a recipe to a loop that is ready to step: encoder, examples, method, probe and validation."""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import torch

from .._validation import shown
from ..data import StsPairs
from ..encoders import Encoder, load_encoder
from ..events import Event
from ..methods import Draws, Method, MethodConfig, get, names
from ..methods.base import PreparationContext
from ..methods.hyperparameters import build
from ..methods.step import ProcessGroup, train_step
from ..run_folder.checkpoints import restore_method, restore_optimizer
from ..run_folder.config import ChangedError, External, RunConfig, fingerprint, read_encoder, read_sentences
from ..run_folder.folder import RunFolder, encoder_of
from .batches import Batches, IndexedBatches, StreamedBatches
from .distributed import Processes
from .false_negatives import InjectedFalseNegatives
from .loop import ForwardPass, Loop
from .probe import make_probe
from .validation import make_validation, read_sts

FINGERPRINT = re.compile(r"[0-9a-f]{32}")
T = TypeVar("T")
SAMPLE = 2000  # sentences of a stream that serve as its sample
USABLE_SAMPLE = 1000  # examples sampled to estimate the usable share: a third of a second, where all take many


@dataclass(frozen=True)
class RunInputs:
    """Inputs of a run besides its recipe: objects that replace what the recipe names, and the device."""

    encoder: str | Encoder
    examples: Any = None  # None: those that the recipe describes
    device: str | None = None
    resume: bool = False
    accept_changes: bool = False  # always for a new run: the caller has named everything
    named: Collection[str] = ()  # what the caller has named of a recipe that was read
    forked: bool = False  # the folder's checkpoint is copied from another run: nothing was interrupted
    events: tuple[Event, ...] = ()  # to write into the first row
    processes: Processes = field(default_factory=Processes)  # that train the run

    @property
    def names(self) -> Collection[str]:
        """What the caller has named, ``examples`` included."""
        return self.named if self.examples is None else {"sentences", *self.named}


@dataclass(frozen=True)
class Progress:
    """Progress of a preparation: ``done`` of ``total`` parts of ``work``, after ``seconds``."""

    work: str
    done: int
    total: int
    seconds: float


class ExternalResources:
    """Loads what a recipe names outside its folder (corpus, encoder, STS data) after verifying fingerprints.

    A folder may come from a stranger: what ``run.json`` names is read only if its fingerprint is there too, and used
    only if that matches, unless the caller has ``named`` it or accepts changes, which ``events`` lists.
    """

    def __init__(
        self, recipe: RunConfig, files: RunFolder, accept_changes: bool = False, named: Container[str] = ()
    ) -> None:
        self.events: list[Event] = []
        self._recipe, self._files, self._accept, self._named = recipe, files, accept_changes, named

    def check(self) -> None:
        """Check that the recipe has a fingerprint for everything that it names; nothing is read."""
        for what, named in self._recipe.external().items():
            if not (named.copied and self._files.has_folder(what)):  # then the copy is read
                self._check_fingerprint(what, named)

    def encoder(self, given: str | Encoder, device: str | None) -> Encoder:
        """An encoder to train: a copy of the one ``given``, or loaded by its name."""
        seed = self._recipe.weights_seed
        encoder: Encoder = self._load("encoder", lambda: read_encoder(given, self._files, device, seed), fingerprint)
        return encoder

    def examples(self, given: Any = None) -> Any:
        """The recipe's examples, or those ``given`` after comparing their fingerprint."""
        if given is not None:
            self._compare("sentences", fingerprint(given))
            return given
        return self._load("sentences", lambda: read_sentences(self._recipe.sentences, self._files), fingerprint)

    def sts(self) -> dict[str, StsPairs]:
        """The recipe's STS tasks, else the user's remembered ones, else none."""
        if self._recipe.sts is None:
            return read_sts(None)
        return self._load("sts", lambda: read_sts(self._recipe.sts), _sts_fingerprint)

    def named_encoder(self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]) -> Encoder:
        """The encoder of a run called ``named``, else what ``read`` finds by the name."""
        encoder: Encoder = self._load(hyperparameter, lambda: read(encoder_of(named) or named), fingerprint)
        return encoder

    def _load(self, what: str, read: Callable[[], T], digest: Callable[[T], str]) -> T:
        """Call ``read`` and compare the fingerprint of the result with the recipe's; ChangedError if they differ."""
        named = self._recipe.external().get(what)
        if named is not None:
            self._check_fingerprint(what, named)
        try:
            result = read()
        except (ConnectionError, ImportError):
            raise
        except Exception as error:
            if named is None or self._accept or what in self._named:
                raise
            # the error may quote a file that only a stranger has named, and the run's folder stores its errors
            thing = f"{shown(named.text, 200)}, which {self._recipe.name} names for its {what},"
            if isinstance(error, FileNotFoundError):
                raise FileNotFoundError(f"{thing} is not there; bring it back") from None
            raise ChangedError(
                f"{thing} can no longer be read ({type(error).__name__}); bring back what the run began with, or "
                "resume with accept_changes=True, which shows the error"
            ) from None
        self._compare(what, digest(result))
        return result

    def _check_fingerprint(self, what: str, named: External) -> None:
        known = named.compared and FINGERPRINT.fullmatch(self._recipe.fingerprints.get(what, ""))
        if not known and not (self._accept or what in self._named):
            raise ChangedError(
                f"{self._recipe.name} names {shown(named.text, 200)} for its {what}, and no fingerprint of it; if "
                "you know it, resume with accept_changes=True"
            )

    def _compare(self, what: str, digest: str) -> None:
        if self._recipe.compare(what, digest, self._accept):
            self.events.append({"changed": what})


def _sts_fingerprint(tasks: dict[str, StsPairs]) -> str:
    columns = [(task, zip(p.sentences1, p.sentences2, p.scores, strict=True)) for task, p in tasks.items()]
    return fingerprint([(task, *row) for task, rows in columns for row in rows])


class RunPreparation(PreparationContext):
    """The folder of a run as its method sees it in :meth:`.Method.begin`."""

    def __init__(
        self,
        files: RunFolder,
        resources: ExternalResources | None = None,
        report: Callable[[Progress], None] = lambda progress: None,
        *,
        read_only: bool = False,
    ) -> None:
        self._files, self._resources, self._report, self._read_only = files, resources, report, read_only
        self._began = time.perf_counter()

    def keep_encoder(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """The encoder stored under ``name``, made and stored the first time unless the folder is only read."""
        if not self._read_only:
            return self._files.keep_encoder(name, make, device)
        if not self._files.has_folder(name):
            raise FileNotFoundError(
                f"{self._files.path} has no {name!r}, which its method made before the first step; "
                f"clwork.resume({str(self._files.path)!r}) makes it again"
            )
        return load_encoder(self._files.path / name, device=device)

    def named_encoder(self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]) -> Encoder:
        """See :meth:`.ExternalResources.named_encoder`."""
        if self._resources is None:
            return read(encoder_of(named) or named)
        return self._resources.named_encoder(hyperparameter, named, read)

    def progress(self, work: str, done: int, total: int) -> None:
        """Report progress with the seconds since the preparation began."""
        self._report(Progress(work, done, total, time.perf_counter() - self._began))


def read_config(recipe: RunConfig, files: RunFolder, values: Mapping[str, Any] | None = None) -> MethodConfig:
    """Build the configuration of a stored run, or that of a checkpoint's ``values``, after checking each value."""
    if recipe.method not in names():
        module = f"the module {recipe.defined_in!r}, which" if recipe.defined_in else "the module that"
        raise ValueError(
            f"{files.path} was trained by the method {recipe.method!r}, which is none of clwork's own and is not "
            f"registered in this kernel: import your method first ({module} defines and registers it), then resume"
        )
    try:
        made: MethodConfig = build(get(recipe.method).Config, recipe.config if values is None else values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the run in {files.path} cannot be read: {error}") from error
    return made


def build_method(name: str, encoder: Encoder, config: MethodConfig, seed: int) -> Method[Any]:
    """Build a method around ``encoder``; ``seed`` draws the weights that no file holds."""
    return get(name)(encoder, config, torch.Generator().manual_seed(seed)).to(encoder.device)


def rebuild(
    recipe: RunConfig,
    resources: ExternalResources,
    config: MethodConfig,
    encoder: str | Encoder | None = None,
    device: str | None = None,
) -> Method[Any]:
    """Build the method of a run as it was before its first step, without what :meth:`.Method.begin` adds."""
    start = resources.encoder(recipe.encoder if encoder is None else encoder, device)
    return build_method(recipe.method, start, config, recipe.weights_seed)


def prepare(
    recipe: RunConfig,
    files: RunFolder,
    config: MethodConfig,
    given: RunInputs,
    report: Callable[[Progress], None] = lambda progress: None,
) -> tuple[Loop, list[Event]]:
    """Build the loop of a recipe, restored from its checkpoint on resume; also return events to record."""
    resources = ExternalResources(recipe, files, given.accept_changes, given.names)
    resources.check()
    method = rebuild(recipe, resources, config, given.encoder, given.device)
    examples, sts = resources.examples(given.examples), resources.sts()
    recipe.write(files)
    batches, known, first_event = make_batches(method, examples, config.batch_size, recipe.seed)
    started = time.perf_counter()
    method.begin(batches.batch, RunPreparation(files, resources, report))
    took = time.perf_counter() - started
    recipe.write(files)  # with the fingerprints of what the method found
    loop = Loop(
        method,
        batches,
        make_probe(known, sts.get("stsb")),
        make_validation(known, sts),
        recipe,
        files,
        begin_seconds=took,
        first_event=first_event,
    )
    return loop, resources.events + (loop.load(files) if given.resume else [])


def make_batches(
    method: Method[Any], examples: Sequence[Any] | Iterable[Any], size: int, seed: int
) -> tuple[Batches, Sequence[str], Event | None]:
    """Make batches; also return sentences to probe (of triplets the premises, of a stream its head), and an event."""
    usable = method.usable()
    if isinstance(examples, Sequence):
        method.kind = method.check_examples(examples)
        event = _usable_share(method, examples[:: max(1, len(examples) // USABLE_SAMPLE)][:USABLE_SAMPLE])
        return indexed_batches(method, examples, size, seed), _sentences_of(examples), event
    head = list(islice(examples, SAMPLE))
    if not head:
        raise ValueError("the streamed source gave no example; check its name, split and column")
    method.kind = method.check_examples(head)
    _injected(method, (), size, seed)  # raises: a stream has no groups
    event = _usable_share(method, head[:USABLE_SAMPLE])
    return StreamedBatches(examples, size, seed, method.tokenize, usable=usable), _sentences_of(head), event


def indexed_batches(method: Method[Any], examples: Sequence[Any], size: int, seed: int) -> IndexedBatches:
    """Make the batches of a method whose kind of examples is known."""
    injected = _injected(method, examples, size, seed)
    return IndexedBatches(examples, size, seed, method.tokenize, method.usable(), injected)


def _injected(method: Method[Any], examples: Sequence[Any], size: int, seed: int) -> InjectedFalseNegatives | None:
    share = getattr(method.config, "same_group", 0.0)
    return InjectedFalseNegatives(examples, getattr(examples, "groups", None), share, size, seed) if share else None


def _sentences_of(examples: Sequence[Any]) -> Sequence[str]:
    return examples if isinstance(examples[0], str) else [example[0] for example in examples]


def _usable_share(method: Method[Any], sample: Sequence[Any]) -> Event | None:
    """Event with the share of examples that the method can use; None where it takes all."""
    if (usable := method.usable()) is None:
        return None
    used = [usable(tokens) for tokens in method.tokenize(list(sample))]
    return {"usable": sum(used) / len(used)}


class TokenizedSlices(Sequence[Any]):
    """A step's examples, tokenised slice by slice: a process needs its own parts of the batch only."""

    def __init__(self, examples: Sequence[Any], tokenize: Callable[[Sequence[Any]], list[Any]]) -> None:
        self._examples, self._tokenize = examples, tokenize

    def __len__(self) -> int:
        return len(self._examples)

    def __getitem__(self, place: Any) -> Any:
        chosen = self._examples[place]
        return self._tokenize(chosen) if isinstance(place, slice) else self._tokenize([chosen])[0]


def follow(processes: ProcessGroup, order: dict[str, Any], device: str) -> None:
    """Train the run that ``order`` names with process 0: read its checkpoint, and do each step as ordered."""
    files = RunFolder(order["follow"])
    recipe = RunConfig.read(files)
    if recipe.method not in names():
        importlib.import_module(order["module"])
    tensors, meta = files.checkpoints.read()
    resources = ExternalResources(recipe, files, accept_changes=True)
    method = rebuild(recipe, resources, read_config(recipe, files, meta.config), device=device)
    method.kind = order["kind"]

    @cache
    def corpus() -> Batches:  # read only if the method's preparation needs a batch
        return make_batches(method, resources.examples(), method.config.batch_size, recipe.seed)[0]

    method.begin(lambda step: corpus().batch(step), RunPreparation(files, resources, read_only=True))
    optimizer = method.optimizer()
    restore_method(method, tensors)
    restore_optimizer(optimizer, tensors)
    forward = ForwardPass(method.encoder, recipe.precision)
    while "end" not in (order := processes.order()):
        for name, value in order["config"].items():
            setattr(method.config, name, value)
        step = order["step"]
        forward.tokens.zero_()
        batch = TokenizedSlices(order["examples"], method.tokenize)
        draws = Draws.of(recipe.seed, step, method.encoder.device)
        train_step(method, optimizer, batch, draws, step, recipe.steps, around=forward, processes=processes)
        processes.total(forward.tokens)
        method.after_step()
