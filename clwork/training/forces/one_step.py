"""One step of a training, done under one configuration after another from the same weights, and held for comparison."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ...encoders import Encoder
from ...methods import Draws, Method, MethodConfig
from ...methods.base import PreparationContext
from ...methods.step import apply_update, differentiate, embedded, train_step
from ...run_folder.checkpoints import optimizer_tensors, restore_optimizer
from ...run_folder.folder import encoder_of
from ..batches import IndexedBatches
from ..precision import forward_pass, resolve
from ..preparation import build_method, indexed_batches
from .frozen_step import FrozenStep, next_batch
from .step_forces import own_draws

FIRST = 2  # steps before the one that is held: at the very first, what has not moved yet has no distance and no moments
SHORT = 10  # steps of a preparation that may be done again, and those taken of one that is done once

Tensors = Mapping[str, Tensor]


class TooLongError(Exception):
    """A preparation takes too many steps to be repeated."""


class OnePreparation(PreparationContext):
    """What :meth:`.Method.begin` prepares, made once and handed to every method of the same step.

    Args:
        most: steps that a preparation may have; more raise TooLongError. None: any number.
        longest: steps that are taken of a longer one. None: all.

    Attributes:
        cut: steps taken and steps asked for, where these are more.
    """

    def __init__(self, most: int | None = None, longest: int | None = None) -> None:
        self.encoders: dict[str, Encoder] = {}
        self.cut: tuple[int, int] | None = None
        self._most, self._longest = most, longest

    def length(self, steps: int) -> int:
        """Take ``longest`` steps at most."""
        if self._longest is None or steps <= self._longest:
            return steps
        self.cut = self._longest, steps
        return self._longest

    def keep_encoder(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """Return the encoder of that name, made at the first call."""
        if name not in self.encoders:
            self.encoders[name] = make()
        return self.encoders[name]

    def named_encoder(self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]) -> Encoder:
        """Read the encoder of a run called ``named``, else what ``read`` finds by the name."""
        return read(encoder_of(named) or named)

    def progress(self, work: str, done: int, total: int) -> None:
        """Refuse a preparation of too many steps.

        Raises:
            TooLongError: it has more than the constructor allows.
        """
        if self._most is not None and total > self._most:
            raise TooLongError(f"{work} takes {total} steps")


class Difference(NamedTuple):
    """How far a step under another configuration is from the step at the present one; all 0: equal to the bit.

    Attributes:
        loss: its change.
        gradient: length of the gradient's change as a share of the gradient's length.
        vectors: the same of all views' vectors.
        update: length of the change in weights and buffers after the step, as a share of the step's own update; of
            those that both have.
        schedule: largest relative change of a learning rate, decay or momentum in any step of the run.
        examples: share of the batch that are other examples.
    """

    loss: float
    gradient: float
    vectors: float
    update: float
    schedule: float
    examples: float

    @property
    def in_step(self) -> bool:
        """Whether loss, gradient or vectors of the same examples differ."""
        return not self.loss == self.gradient == self.vectors == 0

    @property
    def none(self) -> bool:
        """Whether all is equal to the bit."""
        return not any(self)


@dataclass(frozen=True)
class HeldStep:
    """Everything that a training step computes and changes.

    Attributes:
        examples: those of the batch, not tokenised.
        loss: 0-dim; ``length`` that of its gradient by the trained weights before it is clipped, 0-dim.
        vectors: by view. ``gradients`` by the parameter's name, before they are clipped.
        before: weights and buffers by name, before the step; ``after`` after it.
        rates: of each step of the run, the optimizer's settings, such as learning rate and momentum.
    """

    examples: list[Any]
    loss: Tensor
    length: Tensor
    vectors: Tensors
    gradients: Tensors
    before: Tensors
    after: Tensors
    rates: list[list[float]]

    def difference(self, other: HeldStep) -> Difference:
        """Compare another step with this one."""
        names = {key: None for key in map(repr, self.examples)}
        others = sum(repr(example) not in names for example in other.examples)
        update, moved = _distance(self.before, self.after), _distance(self.after, _like(self.after, other.after))
        return Difference(
            float(other.loss - self.loss),
            _relative(self.gradients, other.gradients),
            _relative(self.vectors, other.vectors),
            moved / update if update else moved,
            _largest(self.rates, other.rates),
            others / max(1, len(other.examples)),
        )


def _relative(mine: Tensors, theirs: Tensors) -> float:
    """Return the length of the difference over the length of ``mine``."""
    whole, apart = _distance(mine, {}), _distance(mine, theirs)
    return apart / whole if whole else apart


def _distance(mine: Tensors, theirs: Tensors) -> float:
    """Return the length of the difference of all floating tensors; what only one has, or in another shape, is whole."""
    total = 0.0
    for name in {**mine, **theirs}:
        pair = [tensors[name].double() for tensors in (mine, theirs) if name in tensors]
        if len(pair) == 2 and pair[0].shape == pair[1].shape:
            pair = [pair[0] - pair[1]]
        total += sum(float(tensor.square().sum()) for tensor in pair)
    return math.sqrt(total)


def _like(mine: Tensors, theirs: Tensors) -> Tensors:
    """Return those of ``theirs`` that have their like in ``mine``, else ``mine``'s own."""
    return {n: theirs[n] if n in theirs and theirs[n].shape == t.shape else t for n, t in mine.items()}


def _largest(mine: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> float:
    """Return the largest relative difference of two tables of numbers; 1 where their shapes differ."""
    if [len(row) for row in mine] != [len(row) for row in theirs]:
        return 1.0
    pairs = [(a, b) for row, other in zip(mine, theirs, strict=True) for a, b in zip(row, other, strict=True)]
    return max((abs(a - b) / max(abs(a), abs(b)) for a, b in pairs if a != b), default=0.0)


def first_parts(
    name: str,
    encoder: Encoder,
    examples: Sequence[Any],
    config: MethodConfig,
    seed: int,
    preparation: PreparationContext | None = None,
) -> dict[str, float]:
    """Compute what a run would record beside its loss at its first step; nothing is trained.

    Raises:
        TooLongError: without a ``preparation``, the method's own takes more than SHORT steps.
        Exception: such a run cannot be started.
    """
    method = build_method(name, copy.deepcopy(encoder), config, seed)
    device = encoder.device
    with own_draws(device):
        _, batch = next_batch(method, examples, seed, preparation or OnePreparation(SHORT))
        method.train()
        around = partial(forward_pass, device, resolve(config.precision, str(device)).name)
        views = embedded(method, batch, Draws.of(seed, 0, device), around=around)
        return {part: float(value) for part, value in method.compare(views).parts.items()}


class StepMaker:
    """Does step FIRST + 1 of a run under any configuration, from the weights that the present one has led to.

    Args:
        name: of the method.
        encoder: where the run starts; never changed.
        examples: to train on.
        config: the present configuration.
        total: steps of the run, for its schedule.
        seed: of everything random.

    Attributes:
        read_before: hyperparameters that were read in preparation; ``read_in_step`` for loss and vectors;
            ``read_between`` for the update.
    """

    def __init__(
        self, name: str, encoder: Encoder, examples: Sequence[Any], config: MethodConfig, total: int, seed: int
    ) -> None:
        self.name, self._encoder, self._examples = name, encoder, examples
        self.config, self.total, self.seed = config, total, seed
        self.preparation = OnePreparation(longest=SHORT)
        self.read_before, self.read_in_step, self.read_between = set[str](), set[str](), set[str]()
        self.kind = build_method(name, copy.deepcopy(encoder), config, seed).check_examples(examples)
        method, batches, optimizer = self._begun(config, self.preparation)
        self._initial = _copies(method.state_dict())
        for step in range(FIRST):
            around = partial(forward_pass, encoder.device, self._precision(config))
            train_step(method, optimizer, batches.batch(step), self._draws(step), step, total, around=around)
            method.after_step()
        self._weights = _copies(method.state_dict())
        self._moments, self._shapes = _copies(optimizer_tensors(optimizer)), _shapes(optimizer)
        optimizer.zero_grad()
        self.method = method
        self._batch = batches.batch(FIRST), batches.latest

    def starts_alike(self, config: MethodConfig) -> bool:
        """Whether a run under ``config`` begins with the weights of the present one, to the bit."""
        own = self._begun(config, self.preparation)[0].state_dict()
        return own.keys() == self._initial.keys() and all(
            tensor.shape == own[name].shape and bool((tensor == own[name]).all())
            for name, tensor in self._initial.items()
        )

    @property
    def frozen(self) -> FrozenStep:
        """The step at the present configuration, for :func:`.differentiate`."""
        tokens, examples = self._batch
        about = f"step {FIRST + 1} of {self.total}"
        return FrozenStep(
            "", self.method, examples, tokens, FIRST, self.total, self.seed, self._precision(self.config), about
        )

    def step(self, config: MethodConfig, preparation: PreparationContext | None = None) -> HeldStep:
        """Do the step under ``config``; what is prepared before the first step stays, unless it is made anew.

        Raises:
            Exception: such a method cannot be built or trained here.
        """
        method, batches, optimizer = self._begun(config, preparation or self.preparation)
        own = method.state_dict()
        method.load_state_dict({n: t for n, t in self._weights.items() if _fits(n, t, own)}, strict=False)
        if _shapes(optimizer) == self._shapes:
            restore_optimizer(optimizer, _copies(self._moments))
        before, batch = _numbers(method), batches.batch(FIRST)
        method.train()
        with _reads(method.config) as between:
            method.before_step(FIRST, self.total, optimizer)
        with torch.enable_grad(), _reads(method.config) as inside:
            around = partial(forward_pass, self._encoder.device, self._precision(config))
            views, terms = differentiate(method, batch, self._draws(FIRST), around=around)
        gradients = {name: p.grad.clone() for name, p in method.named_parameters() if p.grad is not None}
        with _reads(method.config) as after_loss:
            length = apply_update(optimizer, method.parameters(), method.config.clip, terms.loss)
            method.after_step()
        self.read_in_step |= inside
        self.read_between |= between | after_loss
        vectors, after = {name: view.detach() for name, view in views.items()}, _numbers(method)
        return HeldStep(
            batches.latest,
            terms.loss.detach(),
            length,
            vectors,
            gradients,
            before,
            after,
            _rates(method, optimizer, self.total),
        )

    def _begun(
        self, config: MethodConfig, preparation: PreparationContext
    ) -> tuple[Method[Any], IndexedBatches, torch.optim.Optimizer]:
        """Build a method around a copy of the encoder and prepare it."""
        method = build_method(self.name, copy.deepcopy(self._encoder), replace(config), self.seed)
        method.kind = self.kind
        batches = indexed_batches(method, self._examples, config.batch_size, self.seed)
        with own_draws(self._encoder.device), _reads(method.config) as read:
            method.begin(batches.batch, preparation)
        self.read_before |= read
        return method, batches, method.optimizer()

    def _draws(self, step: int) -> Draws:
        return Draws.of(self.seed, step, self._encoder.device)

    def _precision(self, config: MethodConfig) -> str:
        return resolve(config.precision, str(self._encoder.device)).name


@contextmanager
def _reads(config: MethodConfig) -> Iterator[set[str]]:
    """Context: collect the names of the attributes of ``config`` that are read."""
    kind, names = type(config), set[str]()

    class Recorded(kind):  # type: ignore[misc, valid-type]
        def __getattribute__(self, name: str) -> Any:
            names.add(name)
            return super().__getattribute__(name)

    config.__class__ = Recorded
    try:
        yield names
    finally:
        config.__class__ = kind


def _copies(tensors: Tensors) -> dict[str, Tensor]:
    return {name: tensor.detach().clone() for name, tensor in tensors.items()}


def _numbers(method: Method[Any]) -> dict[str, Tensor]:
    """Copy weights and buffers, without fingerprints and counts."""
    return _copies({name: tensor for name, tensor in method.state_dict().items() if tensor.is_floating_point()})


def _fits(name: str, tensor: Tensor, own: Tensors) -> bool:
    """Whether a tensor can be loaded; a frozen copy's fingerprint is the copy's own."""
    return name in own and own[name].shape == tensor.shape and not name.endswith("fingerprint")


def _shapes(optimizer: torch.optim.Optimizer) -> list[list[torch.Size]]:
    return [[parameter.shape for parameter in group["params"]] for group in optimizer.param_groups]


def _rates(method: Method[Any], optimizer: torch.optim.Optimizer, total: int) -> list[list[float]]:
    """Read the optimizer's settings at each step of the run."""
    rates = []
    for step in range(total):
        method.before_step(step, total, optimizer)
        groups = [group for group in optimizer.param_groups if group["params"]]
        rates.append([float(v) for group in groups for v in group.values() if isinstance(v, int | float)])
    return rates
