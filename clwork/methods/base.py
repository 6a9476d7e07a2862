"""The base of methods: an encoder, its surroundings in training, and how a batch becomes a loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np
import torch
from torch import nn

from ..augmenters import Dropout
from ..augmenters.dropout import same_masks
from ..encoders import Encoder
from .forces import Forces
from .hyperparameters import MethodConfig, Value, build, check_declared, fields
from .schedule import rate_factor


class PreparationContext:
    """Services that :meth:`Method.begin` may use; this base class, without a run, stores and reports nothing."""

    def keep_encoder(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """Load the encoder stored under ``name`` in the run's folder; ``make`` it, and store it, the first time."""
        return make()

    def named_encoder(self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]) -> Encoder:
        """Load the encoder that a hyperparameter names: ``read`` gets the name, or the folder of the run so called."""
        return read(named)

    def length(self, steps: int) -> int:
        """How many of a preparation's ``steps`` to take: all; fewer where no run depends on it."""
        return steps

    def progress(self, work: str, done: int, total: int) -> None:
        """Report that ``done`` of ``total`` parts of ``work`` are done; called between them."""


C = TypeVar("C", bound=MethodConfig)


@dataclass(frozen=True)
class Draws:
    """The random streams of one step, seeded by the run's seed and the step's number alone."""

    data: torch.Generator  # on the CPU, for choices about words
    dropout: torch.Generator  # on the encoder's device
    seed: int = 0
    step: int = 0

    @staticmethod
    def of(seed: int, step: int, device: torch.device) -> Draws:
        """The streams of a step: equal for equal arguments, in this run, a resumed one or another."""
        data, dropout = torch.Generator(), torch.Generator(device)
        data.manual_seed(((seed + 1) * 1_000_003 + step) * 2)
        dropout.manual_seed(((seed + 1) * 1_000_003 + step) * 2 + 1)
        return Draws(data, dropout, seed, step)

    def part(self, number: int) -> Draws:
        """Streams of the step's own for a part of its batch, at their start: equal for equal numbers."""
        data, dropout = torch.Generator(), torch.Generator(self.dropout.device)
        for stream, generator in enumerate((data, dropout)):
            words = np.random.SeedSequence([self.seed, self.step, number, stream]).generate_state(2)
            generator.manual_seed(int(words[0]) << 32 | int(words[1]))
        return Draws(data, dropout, self.seed, self.step)


@dataclass(frozen=True)
class Terms:
    """A batch's loss, 0-dim, and named parts worth recording, detached and 0-dim too."""

    loss: torch.Tensor
    parts: Mapping[str, torch.Tensor] = field(default_factory=dict)
    masked: torch.Tensor | None = None  # (B, B), True where a pair is left out as a false negative


MethodName: TypeAlias = str
"""Name of a method in calls, runs and files, such as ``"simcse"``; :func:`.get` returns its class."""

Views = dict[str, torch.Tensor]
"""The vectors of a batch by name, such as ``z1`` and ``z2``, each ``(B, D)``."""


class Method(nn.Module, Generic[C]):
    """Base of the methods: subclass it, give the class variables, ``encode`` and ``compare``, decorate ``register``.

    ``class Mine(Method[MyConfig])`` gives ``self.config`` its type. All that a method learns or
    carries from step to step is in its modules and buffers, so that the checkpoint finds it; all that it draws at
    random comes from the ``Draws`` that it receives.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    notebook: ClassVar[str]
    Config: ClassVar[type[MethodConfig]] = MethodConfig
    default_encoder: ClassVar[str] = "mini"
    encoders: ClassVar[tuple[str, ...]] = ()
    """Further encoders that suit it, by name: offered by panels in addition to the default."""
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {}
    """By the encoder's base (such as ``"mini"``), or the part before its colon: values that suit it better than the
    paper's defaults."""
    accepts: ClassVar[tuple[str, ...]] = ("sentences",)
    """Kinds of examples, of ``"sentences"`` and ``"triplets"``: what a panel offers to train on."""
    formula: ClassVar[str] = ""
    """The loss as the paper has it, in LaTeX; its symbols are the hyperparameters' own."""
    knobs: ClassVar[tuple[str, ...]] = ()
    """The five or six main hyperparameters, in the order of a panel; empty: the first hot ones."""
    published: ClassVar[Mapping[str, Mapping[str, Value]]] = {}
    """Settings as others have them, by a name such as ``"paper"``: values that replace the class's defaults."""

    negatives: ClassVar[bool] = True
    """Whether other sentences are negatives."""

    config: C

    def __init__(self, encoder: Encoder, config: C, generator: torch.Generator) -> None:
        super().__init__()
        self.encoder = encoder.requires_grad_(True)  # an earlier method may have frozen parameters
        if any(getattr(part, "gradient_checkpointing", False) for part in encoder.backbone.modules()):
            backbone: Any = encoder.backbone
            enable = getattr(backbone, "activation_checkpointing_enable", None)
            enable = enable or backbone.gradient_checkpointing_enable
            enable({"use_reentrant": False, "context_fn": same_masks})  # recompute with the same dropout masks
        self.config = config
        self.generator = generator  # for initial weights only
        self.kind = "sentences"  # of examples; set by the caller to what check_examples returns

    def check_examples(self, examples: Sequence[Any]) -> str:
        """Return the kind of these examples, one of ``accepts``; TypeError for those that it cannot train on."""
        if not isinstance(examples[0], str):
            raise TypeError(f"{self.title} trains on sentences; the first example is {type(examples[0]).__name__}")
        return "sentences"

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Tokenise examples; the loop stores the result, so that nothing is tokenised twice."""
        return list(self.encoder.tokenize(list(examples)))

    def usable(self) -> Callable[[Any], bool] | None:
        """Return the test that a tokenised example passes to be in a batch; None: all can be trained on, no test."""
        return None

    def begin(self, batches: Callable[[int], list[Any]], context: PreparationContext) -> None:
        """Hook before the first step, and the first of a resumed run; ``batches(step)`` gives tokenised examples.

        What is too large for every checkpoint, or cannot be made again, is stored with ``context.keep_encoder``.
        """

    def fixed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute what no gradient goes through, such as vectors by a frozen copy; row i depends on example i alone."""
        return {}

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute the trained vectors of all views in one forward pass; row i depends on example i alone."""
        raise NotImplementedError

    def complete(self, views: Views, draws: Draws) -> Views:
        """Compute what needs the whole batch, such as a batch norm, from all rows of ``fixed`` and ``encode``."""
        return views

    def embed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute all views of a batch, in one piece."""
        return self.complete(self.fixed(batch, draws) | self.encode(batch, draws), draws)

    def dropout(self, draws: Draws) -> Dropout:
        """Dropout at the configuration's two rates, for methods that have them; enter it around the forward pass."""
        config: Any = self.config
        return Dropout(draws.dropout, hidden=config.dropout_hidden, attention=config.dropout_attention)

    def compare(self, views: Views) -> Terms:
        """Compute the loss of those vectors."""
        raise NotImplementedError

    def forces(self, views: Views) -> Forces | None:
        """Return the loss of these views as score tables for :func:`clwork.lab.forces`; None: the method has none."""
        return None

    def view_texts(self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws) -> dict[str, list[str]]:
        """Return the texts of views that are not the sentences: by name, a text a row, from draws equal to embed's."""
        return {}

    def test_encoder(self) -> Encoder:
        """The encoder as it is used after training, sharing weights with this method."""
        return self.encoder

    def references(self) -> dict[str, float]:
        """Return reference levels of the loss by name, for its plot."""
        return {}

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Groups for the optimizer; ``scale`` multiplies a group's learning rate, ``decay`` its weight decay."""
        return [{"params": [p for p in self.parameters() if p.requires_grad]}]

    def optimizer(self) -> torch.optim.Optimizer:
        """AdamW over :meth:`parameter_groups`; methods may override it."""
        return torch.optim.AdamW(
            self.parameter_groups(), lr=self.config.learning_rate, weight_decay=self.config.weight_decay, fused=True
        )

    def before_step(self, step: int, total: int, optimizer: torch.optim.Optimizer) -> None:
        """Set what changes from step to step: learning rate and weight decay of every group."""
        factor = rate_factor(self.config.schedule, self.config.warmup, step, total)
        for group in optimizer.param_groups:
            group["lr"] = self.config.learning_rate * group.get("scale", 1.0) * factor
            group["weight_decay"] = self.config.weight_decay * group.get("decay", 1.0)

    def after_step(self) -> None:
        """Hook for state that follows the weights, such as a moving average."""


REGISTERED: dict[str, type[Method[Any]]] = {}  # by name
M = TypeVar("M", bound=type[Method[Any]])


def register(method: M) -> M:
    """Class decorator: make a method known by its ``name``; a later class of the same name replaces the earlier.

    Raises:
        TypeError: a class variable that panels and tables need is missing, or a hyperparameter has no description, or
            the name of an argument of ``clwork.start``.
        ValueError: a hyperparameter's default is out of its range.
    """
    for needed in ("name", "title", "paper", "notebook"):
        if not isinstance(getattr(method, needed, None), str):
            raise TypeError(f"{method.__name__} needs a class variable {needed!r} (a str) to be registered")
    check_declared(method.Config)
    if strange := set(method.knobs) - {field.name for field in fields(method.Config)}:
        raise TypeError(
            f"{method.__name__}.knobs names {', '.join(sorted(strange))}, which {method.Config.__name__} lacks"
        )
    for values in method.published.values():
        build(method.Config, values)
    REGISTERED[method.name] = method
    return method
