"""Base class of the methods: how an encoder, views and a loss make a training step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import torch
from torch import nn

from ..augmenters import Dropout
from ..encoders import Encoder
from ..encoders.pooling import known_pooling
from ..settings import Value, fields
from .forces import Forces
from .hyperparameters import MethodConfig
from .schedule import learning_rate_factor

# Multiplies a run's seed where step or epoch are added to it; see seed_of_step.
SEED_FACTOR = 1_000_003


class PreparationContext:
    """Storage and progress reports for :meth:`Method.begin`.

    This class is for a method without a run: it stores nothing and reports nothing. A run has its
    own subclass, which does both.
    """

    def keep_encoder(
        self, name: str, make: Callable[[], Encoder], device: str | None = None
    ) -> Encoder:
        """Return the encoder stored as ``name`` in the run's folder.

        If there is none, call ``make`` and store its encoder. ``device`` is where a stored encoder
        is loaded to; None: the default device.
        """
        return make()

    def encoder_of(self, named: str) -> str | Path:
        """Return what to load for the encoder that the user has named in a setting.

        Here it is the name itself; in a run, the folder of the encoder of the run of that name.
        """
        return named

    def progress(self, work: str, done: int, total: int) -> None:
        """Report that ``done`` of ``total`` parts of ``work`` are finished."""


C = TypeVar("C", bound=MethodConfig)


def seed_of_step(seed: int, step: int) -> int:
    """Return a number for a run's seed and a step, from which generators of the step are seeded.

    It differs for all seeds and steps of runs below a million steps, since the factor of the seed
    is larger. Each use multiplies it by another number, so that they draw different numbers.
    """
    return (seed + 1) * SEED_FACTOR + step


@dataclass(frozen=True)
class Draws:
    """Random generators of one step, seeded from the run's seed and the step number only.

    So a resumed run draws the numbers of the uninterrupted one.

    >>> first, again = (Draws.of(seed=0, step=5, device=torch.device("cpu")) for _ in range(2))
    >>> torch.equal(torch.rand(3, generator=first.data), torch.rand(3, generator=again.data))
    True
    """

    # For random choices of words; it is on the CPU.
    data: torch.Generator
    # For dropout and noise; it is on the encoder's device.
    dropout: torch.Generator
    seed: int = 0
    step: int = 0

    @staticmethod
    def of(seed: int, step: int, device: torch.device) -> Draws:
        """Return the generators of a step; equal arguments give equal numbers, also on resume."""
        data, dropout = torch.Generator(), torch.Generator(device)
        # Even numbers seed ``data``, odd numbers ``dropout``.
        even = seed_of_step(seed, step) * 2
        data.manual_seed(even)
        dropout.manual_seed(even + 1)
        return Draws(data, dropout, seed, step)

    def part(self, number: int) -> Draws:
        """Return separate generators for part ``number`` of the batch.

        Every call with the same number returns them in the same initial state, so that a part can
        be computed twice with the same random numbers.
        """
        data, dropout = torch.Generator(), torch.Generator(self.dropout.device)
        for kind, generator in enumerate((data, dropout)):
            # A hash of four numbers: unlike a sum of their multiples, as in of(), it hardly ever
            # gives two parts the same seed, however many parts a batch has.
            hashed = np.random.SeedSequence([self.seed, self.step, number, kind])
            # Two numbers of 32 bits make one seed of 64 bits.
            upper, lower = hashed.generate_state(2)
            generator.manual_seed(int(upper) << 32 | int(lower))
        return Draws(data, dropout, self.seed, self.step)


@dataclass(frozen=True)
class Terms:
    """The loss of a batch, and numbers that the run records beside it.

    Attributes:
        loss: 0-dim, attached to the autograd graph.
        parts: by column of the history, such as ``"positive_cosine"``: 0-dim, without gradient.

    >>> terms = Terms(torch.tensor(0.7), {"positive_cosine": torch.tensor(0.9)})
    """

    loss: torch.Tensor
    parts: Mapping[str, torch.Tensor] = field(default_factory=dict)


Views = dict[str, torch.Tensor]
"""The vectors of a batch by name, such as ``z1`` and ``z2``, each ``(B, D)``."""


class Method(nn.Module, Generic[C]):
    """Base class of methods; each sets the class variables and defines ``encode`` and ``compare``.

    A step calls ``fixed`` and ``encode`` on a batch (or on each part of it), then ``complete`` on
    all rows, then ``compare``, which returns the loss; finally ``after_step``::

        fixed, encode -> complete -> compare -> backward -> update -> after_step

    ``class Mine(Method[MyConfig])`` gives ``self.config`` its type; decorate it with
    :func:`register`. Parameters and state between steps must be modules and buffers, which
    checkpoints store. Random numbers must come from :class:`Draws`.

    Class variables that every method sets: ``name`` in calls and files, ``title`` for readers,
    ``paper``, the paper's address, ``notebook``, the lesson about it, and ``Config``, its settings.

    >>> from clwork.methods import get
    >>> get("simcse").title
    'SimCSE'
    """

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    notebook: ClassVar[str]
    Config: ClassVar[type[MethodConfig]] = MethodConfig
    default_encoder: ClassVar[str] = "mini"
    encoders: ClassVar[tuple[str, ...]] = ("mini-old",)
    """Names of other suitable encoders, which panels offer in addition to the default."""
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {}
    """Values that suit an encoder better than the paper's defaults, by the encoder's base, such as
    ``"mini"``, or the part of the base before the colon."""
    accepts: ClassVar[tuple[str, ...]] = ("sentences",)
    """Kinds of training examples that a panel offers: ``"sentences"``, ``"triplets"`` or both."""
    formula: ClassVar[str] = ""
    """The paper's loss in LaTeX, with the symbols of the settings."""
    main_settings: ClassVar[tuple[str, ...]] = ()
    """Names of the five or six main settings, in the panel's order; empty: the first hot ones."""
    published: ClassVar[Mapping[str, Mapping[str, Value]]] = {}
    """Published settings by name, such as ``"paper"``: values that replace the class's defaults."""

    raw_pooling: ClassVar[str] = "cls"
    """The pooling of ``pooling="auto"`` for an encoder that declares none."""

    betas: ClassVar[tuple[float, float]] = (0.9, 0.999)
    """β₁ and β₂ of AdamW."""
    negatives: ClassVar[bool] = True
    """Whether the method uses other sentences as negatives."""

    config: C

    def __init__(self, encoder: Encoder, config: C, generator: torch.Generator) -> None:
        super().__init__()
        self.pooling = self.pooling_of(encoder, config)
        # A pooling among the settings replaces the encoder's own, together with its head.
        is_setting = hasattr(config, "pooling")
        self.encoder = encoder.without_head(self.pooling) if is_setting else encoder
        self.config = config
        # For initial weights only; the random numbers of a step are those of Draws.
        self.generator = generator
        # The kind of the training examples, which make_batches sets to that of check_examples.
        self.kind = "sentences"

        # An earlier method may have frozen parameters of this encoder.
        encoder.requires_grad_(True)

    @classmethod
    def pooling_of(cls, encoder: Encoder, config: MethodConfig) -> str:
        """Return the pooling to train with.

        It is the encoder's own, unless the method has a setting ``pooling``. There, ``"auto"`` is
        the encoder's own, or :attr:`raw_pooling` for an encoder that declares none.
        """
        chosen: str = getattr(config, "pooling", encoder.pooling)
        if chosen != "auto":
            return chosen
        suitable = cls.raw_pooling if encoder.raw else known_pooling(encoder.pooling).raw
        choices = {setting.name: setting.choices or () for setting in fields(config)}["pooling"]
        # A method with its own head has "cls" in place of "cls_before_pooler". A pooling that the
        # method does not offer is replaced too.
        return suitable if suitable in choices else "cls"

    def check_examples(self, examples: Sequence[Any]) -> str:
        """Return the kind of the examples, judged by the first one.

        Raises:
            TypeError: the method cannot train on them.
        """
        if not isinstance(examples[0], str):
            kind = type(examples[0]).__name__
            raise TypeError(f"{self.title} trains on sentences; the first example is {kind}")
        return "sentences"

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Tokenise examples, one result for each, which the other hooks get as ``batch``.

        The loop stores the results, so each example is tokenised once.
        """
        return list(self.encoder.tokenize(list(examples)))

    def usable(self) -> Callable[[Any], bool] | None:
        """Return a predicate of tokenised examples that may be in a batch; None: all may."""
        return None

    def begin(self, batches: Callable[[int], list[Any]], context: PreparationContext) -> None:
        """Prepare a run that starts or resumes, such as by training a second model.

        ``batches(step)`` returns the tokenised examples of a step. Store an encoder that is too
        large for checkpoints, or not reproducible, with ``context.keep_encoder``.
        """

    def fixed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute tensors without gradient, such as vectors of a frozen copy.

        Row i may depend on example i only, so that a batch can be computed in parts.
        """
        return {}

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute the trained vectors of all views in one forward pass.

        Row i may depend on example i only, so that a batch can be computed in parts.
        """
        raise NotImplementedError

    def complete(self, views: Views, draws: Draws) -> Views:
        """Compute views that need all rows of ``fixed`` and ``encode``, such as a batch norm's."""
        return views

    def embed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute all views of a batch that is not divided into parts."""
        return self.complete(self.fixed(batch, draws) | self.encode(batch, draws), draws)

    def dropout(self, draws: Draws) -> Dropout:
        """Return a context for the forward pass, with dropout at the configuration's two rates."""
        config: Any = self.config
        return Dropout(
            draws.dropout, hidden=config.dropout_hidden, attention=config.dropout_attention
        )

    def compare(self, views: Views) -> Terms:
        """Compute the loss of the views that ``complete`` returned, and numbers to record."""
        raise NotImplementedError

    def forces(self, views: Views) -> Forces | None:
        """Return the loss as score tables for :func:`clwork.lab.forces`; None: there are none."""
        return None

    def view_texts(
        self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws
    ) -> dict[str, list[str]]:
        """Return, by view, the texts that are not the sentences; ``draws`` as in ``embed``."""
        return {}

    def test_encoder(self) -> Encoder:
        """Return the encoder for use after training; it shares its weights with the method."""
        return self.encoder

    def references(self) -> dict[str, float]:
        """Return reference values of the loss by name, for its plot."""
        return {}

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return the optimizer's groups.

        A group's ``scale`` multiplies its learning rate, its ``decay`` its weight decay; see
        :meth:`before_step`.
        """
        return [{"params": [p for p in self.parameters() if p.requires_grad]}]

    def optimizer(self) -> torch.optim.Optimizer:
        """Return AdamW over :meth:`parameter_groups`; methods may override it."""
        return torch.optim.AdamW(
            self.parameter_groups(),
            lr=self.config.learning_rate,
            betas=self.betas,
            weight_decay=self.config.weight_decay,
            fused=True,
        )

    def before_step(self, step: int, total: int, optimizer: torch.optim.Optimizer) -> None:
        """Set the learning rate and weight decay of every parameter group for this step."""
        factor = learning_rate_factor(self.config.schedule, self.config.warmup, step, total)
        for group in optimizer.param_groups:
            group["lr"] = self.config.learning_rate * group.get("scale", 1.0) * factor
            group["weight_decay"] = self.config.weight_decay * group.get("decay", 1.0)

    def after_step(self) -> None:
        """Update state that depends on the new weights, such as a moving average."""
