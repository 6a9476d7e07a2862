"""A baseline with labels: categories, grades or entailment are what people gave, and nothing is contrasted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from .._validation import is_finite, is_number, is_whole, shown
from ..encoders import Encoder, ProjectionHead, Tokens
from ..encoders.pooling import trainable_poolings
from .base import Draws, DropoutRates, Method, MethodConfig, Terms, Views, register
from .hyperparameters import Needs, hyper, like

HIGHEST_GRADE = 5.0
GIVE = (
    "give (text, label) with a label from 0, (text, text, grade) with a grade from 0 to 5, or triplets (premise, "
    "entailment, contradiction)"
)


@dataclass(kw_only=True)
class SupervisedConfig(DropoutRates, MethodConfig):
    """Defaults are Sentence-BERT's for BERT-base (Reimers & Gurevych 2019, §3.1)."""

    batch_size: int = like(MethodConfig, "batch_size", 16, help="Examples per step.")
    learning_rate: float = like(MethodConfig, "learning_rate", 2e-5)
    warmup: float = like(MethodConfig, "warmup", 0.1)
    max_length: int = like(MethodConfig, "max_length", 128)
    pooling: str = hyper("mean", "How token vectors become one.", choices=trainable_poolings)
    classes: int = hyper(
        7,
        "How many labels there are, from 0.",
        low=2,
        high=10_000,
        needs=Needs("only labels have classes", examples=("labelled",)),
    )
    mlp: bool = hyper(False, "A layer with tanh behind the pooling, trained too and kept at test (MoCoUTRL's Table 1).")


class Example(NamedTuple):
    """The texts of an example, tokenised, and its label or grade; 0 of triplets."""

    texts: tuple[Tokens, ...]
    target: float


@register
class Supervised(Method[SupervisedConfig]):
    """A classifier on labels, a regression of cosines on grades, or Sentence-BERT's objective on triplets.

    Of ``(text, label)`` the loss is the cross-entropy of a linear layer; of ``(text, text, grade)`` the squared error
    between cosine and a fifth of the grade; of triplets the cross-entropy of a linear layer over ``[u, v, |u - v|]``,
    which tells a premise's entailment from its contradiction. Linear layers are dropped after training.
    """

    name = "supervised"
    title = "Supervised baseline"
    paper = "https://arxiv.org/abs/1908.10084"
    notebook = "06_mocoutrl"
    Config = SupervisedConfig
    accepts: ClassVar = ("labelled", "graded", "triplets")
    negatives = False
    baseline = True
    presets: ClassVar = {"mini": {"learning_rate": 1e-4, "max_length": 32}}  # as for the methods without labels

    def __init__(self, encoder: Encoder, config: SupervisedConfig, generator: torch.Generator) -> None:
        super().__init__(encoder, config, generator)
        self.encoder = encoder.without_head(config.pooling)
        width = encoder.hidden_dim
        self.mlp = ProjectionHead(width, generator=generator) if config.mlp else None
        self.classifier = ProjectionHead(width, config.classes, "none", generator=generator)
        self.comparer = ProjectionHead(3 * width, 2, "none", generator=generator)

    def check_examples(self, examples: Sequence[Any]) -> str:
        """Tell the kind of examples by the first, and check that each other one is of it.

        Raises:
            TypeError: something else than what the class describes.
            ValueError: a label that is not below ``classes``, or a grade outside 0 to 5.
        """
        for kind, fits in self._kinds().items():
            if fits(examples[0]):
                for place, example in enumerate(examples):
                    if not fits(example):
                        raise ValueError(f"example {place} is {shown(example)}, and the first is {kind}; {GIVE}")
                return kind
        raise TypeError(
            f"the first example is {shown(examples[0])}; {GIVE}; labels are whole numbers below "
            f"classes={self.config.classes}"
        )

    def _kinds(self) -> dict[str, Callable[[Any], bool]]:
        def texts(example: Any, size: int, of: int) -> bool:
            whole = isinstance(example, tuple | list) and len(example) == size
            return whole and all(isinstance(text, str) for text in example[:of])

        return {
            "labelled": lambda e: texts(e, 2, 1) and is_whole(e[1]) and 0 <= e[1] < self.config.classes,
            "graded": lambda e: texts(e, 3, 2) and is_number(e[2]) and is_finite(e[2]) and 0 <= e[2] <= HIGHEST_GRADE,
            "triplets": lambda e: texts(e, 3, 3),
        }

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Tokens of each text of each example, and its label or grade."""
        count = {"labelled": 1, "graded": 2, "triplets": 3}[self.kind]
        columns = [self.encoder.tokenize([example[k] for example in examples]) for k in range(count)]
        targets = [0.0 if self.kind == "triplets" else float(example[-1]) for example in examples]
        return [Example(texts, target) for texts, target in zip(zip(*columns, strict=True), targets, strict=True)]

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """All texts together in groups of like length; ``targets`` ``(B, 1)`` are labels or grades."""
        rows = [example.texts[k].ids for k in range(len(batch[0].texts)) for example in batch]
        with self.dropout(draws):
            z = self.encoder.forward_by_length(rows, self.config.max_length)  # (V·B, D)
        z = z if self.mlp is None else self.mlp(z)
        views = {f"z{k + 1}": part for k, part in enumerate(z.chunk(len(rows) // len(batch)))}
        targets = torch.tensor([[example.target] for example in batch], device=z.device)
        return {**views, "targets": targets}

    def compare(self, views: Views) -> Terms:
        """The loss of the kind of examples, and what it does well by: accuracy, or the mean error of the cosine."""
        with torch.autocast(views["z1"].device.type, enabled=False):
            u, targets = views["z1"].float(), views["targets"][:, 0]
            if "z2" not in views:
                return _classified(self.classifier(u), targets.long())
            if "z3" not in views:
                error = F.cosine_similarity(u, views["z2"].float()) - targets / HIGHEST_GRADE
                return Terms(error.square().mean(), {"cosine_error": error.abs().mean().detach()})
            pairs = [torch.cat([u, v, (u - v).abs()], dim=1) for v in (views["z2"].float(), views["z3"].float())]
            entailed = torch.arange(2, device=u.device).flip(0).repeat_interleave(len(u))  # B ones, then B zeros
            return _classified(self.comparer(torch.cat(pairs)), entailed)

    def test_encoder(self) -> Encoder:
        """Without the linear layers; with the MLP, if there is one."""
        if self.mlp is None:
            return self.encoder
        return self.encoder.with_head(self.mlp, self.config.pooling)


def _classified(logits: Tensor, labels: Tensor) -> Terms:
    accuracy = (logits.argmax(dim=1) == labels).float().mean()
    return Terms(F.cross_entropy(logits, labels), {"accuracy": accuracy.detach()})
