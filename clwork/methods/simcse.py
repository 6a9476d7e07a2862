"""SimCSE (Gao, Yao, Chen 2021): a sentence's positive is itself under another dropout mask, or its NLI entailment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import torch
from torch.nn.functional import cosine_similarity

from ..augmenters.text import AUGMENTATIONS
from ..encoders import Encoder, ProjectionHead, Tokens
from ..encoders.pooling import trainable_poolings
from ..losses import Scores, simcse_scores
from .base import Draws, DropoutRates, Method, MethodConfig, Temperature, Terms, Views, register
from .forces import Candidates, Forces, loss_table, read_back
from .hyperparameters import Needs, check_effect, hyper, like

Triplet = tuple[Tokens, Tokens, Tokens]


@dataclass(kw_only=True)
class SimCSEConfig(DropoutRates, Temperature, MethodConfig):
    """Defaults are the paper's for unsupervised BERT-base (methods as in its §3 and appendix A)."""

    dropout_hidden: float = like(
        DropoutRates, "dropout_hidden", 0.1, help="Dropout on embeddings and layer outputs: the augmentation."
    )
    fixed_mask: bool = hyper(
        False,
        "Give both views the same dropout mask (the paper's 'fixed 0.1').",
        title="one mask for both views",
        needs=Needs(
            "views of different words share no mask; set augmentation='dropout'", lambda c: c.augmentation == "dropout"
        ),
    )
    augmentation: str = hyper(
        "dropout", "What view 2 undergoes before dropout.", title="view 2", choices=lambda: AUGMENTATIONS
    )
    augmentation_rate: float = hyper(
        0.1,
        "Share of words that deletion or crop takes away.",
        low=0.0,
        high=0.9,
        unit="share",
        hot=True,
        title="share of words taken",
        needs=Needs(
            "there is none; set augmentation='delete' or 'crop'",
            lambda c: c.augmentation in AUGMENTATIONS and AUGMENTATIONS[c.augmentation].rated,
        ),
    )
    pooling: str = hyper("cls", "How token vectors become one.", choices=trainable_poolings)
    head: Literal["auto", "train_only", "both", "none"] = hyper(
        "auto",
        "Where the Linear+tanh head is used; auto: train_only on sentences, both on triplets.",
    )
    hard_negative_weight: float = hyper(
        1.0,
        "Weight of a premise's own contradiction (triplets only).",
        low=0.0,
        high=100.0,
        hot=True,
        title="weight of hard negatives α",
        symbol=r"\alpha",
        span=(0.0, 4.0),
        needs=Needs("sentences have no hard negatives; train on triplets", examples="triplets"),
    )


@register
class SimCSE(Method[SimCSEConfig]):
    """Unsupervised on sentences, supervised on (premise, entailment, contradiction) triplets."""

    name = "simcse"
    title = "SimCSE"
    paper = "https://arxiv.org/abs/2104.08821"
    notebook = "02_simcse"
    Config = SimCSEConfig
    formula = r"\ell_i = -\log \frac{e^{\cos(z_i,\, z_i')/\tau}}{\sum_{j=1}^{N} e^{\cos(z_i,\, z_j')/\tau}}"
    knobs = ("temperature", "dropout_hidden", "dropout_attention", "learning_rate", "batch_size", "augmentation")
    published: ClassVar = {"paper": {}}
    accepts: ClassVar = ("sentences", "triplets")
    # A third of BERT-base's width: larger steps. It learnt without dropout and tells sentences apart by their words, so
    # the paper's 0.1 leaves its two views too much alike to learn from; more of it on attention lets each view miss
    # other words. See docs/measured.md.
    presets: ClassVar = {"mini": {"learning_rate": 7e-5, "dropout_attention": 0.4}}

    def __init__(self, encoder: Encoder, config: SimCSEConfig, generator: torch.Generator) -> None:
        super().__init__(encoder, config, generator)
        self.encoder = encoder.without_head(config.pooling)
        self.head = None if config.head == "none" else ProjectionHead(encoder.hidden_dim, generator=generator)

    @property
    def supervised(self) -> bool:
        """Whether it trains on triplets."""
        return self.kind == "triplets"

    def check_examples(self, examples: Sequence[Any]) -> str:
        """Sentences make it unsupervised, triplets of sentences supervised; nothing else is taken."""
        first = examples[0]
        kind = "triplets" if isinstance(first, (tuple, list)) and len(first) == 3 else "sentences"
        if kind == "sentences" and not isinstance(first, str):
            raise TypeError(
                f"SimCSE trains on sentences or on (premise, entailment, contradiction) triplets; the first example "
                f"is {first!r:.80}"
            )
        weight = {"hard_negative_weight": self.config.hard_negative_weight}
        check_effect(self.config, weight, SimCSEConfig(), kind)
        return kind

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Tokens of each sentence, or three of them for each triplet."""
        if not self.supervised:
            return super().tokenize(examples)
        columns = [self.encoder.tokenize([triplet[k] for triplet in examples]) for k in range(3)]
        return list(zip(*columns, strict=True))

    def _second_view(self, tokens: Tokens, draws: Draws) -> list[int]:
        tokens = tokens.truncate(self.config.max_length)  # view 2 shows nothing that view 1 had cut off
        if self.config.augmentation == "dropout":
            return tokens.ids
        return AUGMENTATIONS[self.config.augmentation].change(tokens, self.config.augmentation_rate, draws.data)

    def rows(self, batch: Sequence[Any], draws: Draws) -> list[list[list[int]]]:
        """Token ids of each view of a batch: two lists of B rows, or three for triplets, or one for a fixed mask."""
        if self.supervised:
            return [[triplet[k].ids for triplet in batch] for k in range(3)]
        first = [tokens.ids for tokens in batch]
        if self.config.fixed_mask and self.config.augmentation == "dropout":
            return [first]  # equal words under equal masks are one vector: it is computed once
        return [first, [self._second_view(tokens, draws) for tokens in batch]]

    def embed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """All views together in groups of like length, every row and element with its own dropout mask."""
        views = self.rows(batch, draws)
        with self.dropout(draws):
            rows = [row for view in views for row in view]
            z = self.encoder.forward_by_length(rows, self.config.max_length)  # (V·B, D)
        z = z if self.head is None else self.head(z)
        parts = z.chunk(len(views))  # V of (B, D)
        return dict(zip(("z1", "z2", "hard_negatives"), (*parts, parts[0])[: max(2, len(views))], strict=False))

    def compare(self, views: Views) -> Terms:
        """The paper's loss, and the mean cosine of positives."""
        loss = self._scores(views).loss()
        return Terms(loss, {"positive_cosine": cosine_similarity(views["z1"], views["z2"]).mean().detach()})

    def _scores(self, views: Views) -> Scores:
        return simcse_scores(
            views["z1"],
            views["z2"],
            views.get("hard_negatives"),
            temperature=self.config.temperature,
            hard_negative_weight=self.config.hard_negative_weight,
        )

    def forces(self, views: Views) -> Forces:
        """One softmax: view 1 looks for view 2 among all second views, and all contradictions of triplets."""
        scores, candidates = self._scores(views), [Candidates("view 2", views["z2"], view="z2")]
        role, below = "view 1 looks for view 2", r"e^{\cos(z_i, z'_j)/\tau}"
        if "hard_negatives" in views:
            role = "the premise looks for its entailment"
            candidates.append(Candidates("contradiction", views["hard_negatives"], "hard negative", "hard_negatives"))
            below = rf"\left({below} + \alpha^{{[i=j]}} e^{{\cos(z_i, z^-_j)/\tau}}\right)"
        formula = rf"\ell_i = -\log\frac{{e^{{\cos(z_i, z'_i)/\tau}}}}{{\sum_j {below}}}"
        table = loss_table(role, scores, views["z1"], *candidates, formula=formula)
        return Forces((table,), {"contrast": scores.loss()})

    def view_texts(self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws) -> dict[str, list[str]]:
        """The three columns of triplets; the second views of sentences that lose words."""
        if self.supervised:
            return {name: [triplet[k] for triplet in examples] for k, name in enumerate(("z1", "z2", "hard_negatives"))}
        if self.config.augmentation == "dropout":
            return {}
        return {"z2": read_back(self.encoder, [self._second_view(tokens, draws) for tokens in batch])}

    def test_encoder(self) -> Encoder:
        """Without the head, unless it is kept at test."""
        keep = self.config.head == "both" or (self.config.head == "auto" and self.supervised)
        if not keep or self.head is None:
            return self.encoder
        return Encoder(
            self.encoder.backbone,
            self.encoder.tokenizer,
            name=self.encoder.name,
            pooling=self.config.pooling,
            head=self.head,
            first_layer=self.encoder.first_layer,
            base=self.encoder.base,
        )

    def references(self) -> dict[str, float]:
        """The loss of a batch whose cosines are all equal."""
        columns = self.config.batch_size * (2 if self.supervised else 1)
        return {"log 2N" if self.supervised else "log N": float(torch.tensor(float(columns)).log())}
