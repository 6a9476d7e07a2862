"""SimCSE (Gao, Yao, Chen 2021): a sentence's positive has another dropout mask, or is entailed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import torch
from torch.nn.functional import cosine_similarity

from ..augmenters.words import AUGMENTATIONS, exchange_synonyms
from ..encoders import Encoder, ProjectionHead
from ..encoders.tokens import Tokens
from ..losses._simcse import simcse_scores
from ..losses.infonce import Scores
from ..settings import Needs, check_effect, hyper
from .base import Draws, Method, Terms, Views
from .forces import Candidates, Forces, decode_rows, loss_table
from .hyperparameters import SHARE, DropoutRates, MethodConfig, Temperature, TrainedPooling
from .registry import register

KINDS = {2: "pairs", 3: "triplets"}
"""Kinds of supervised examples by their number of sentences."""
COLUMNS = ("z1", "z2", "hard_negatives")
"""View names for the sentences of a supervised example, in order."""
# The loss of one row, as the forces panel shows it.
FORMULA = r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}{\sum_j e^{\cos(z_i, z'_j)/\tau}}"
WITH_HARD_NEGATIVES = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}"
    r"{\sum_j \left(e^{\cos(z_i, z'_j)/\tau} + \alpha^{[i=j]} e^{\cos(z_i, z^-_j)/\tau}\right)}"
)


@dataclass(kw_only=True)
class SimCSEConfig(DropoutRates, Temperature, MethodConfig):
    """Defaults are the paper's for unsupervised BERT-base (§3 and appendix A)."""

    fixed_mask: bool = hyper(
        False,
        "Use the same dropout mask for both views (the paper's 'fixed 0.1').",
        title="one mask for both views",
        needs=Needs(
            "only equal words share a mask; set augmentation='dropout'",
            lambda c: c.augmentation == "dropout",
        ),
    )
    augmentation: Literal["dropout", "delete", "delete_one", "crop", "synonyms"] = hyper(
        "dropout",
        "Augmentation of view 2 before dropout.",
        title="view 2",
        needs=Needs(
            "pairs and triplets contain their second views; train on sentences",
            examples=("sentences",),
        ),
    )
    augmentation_rate: float = hyper(
        0.1,
        "Share of words that deletion or crop removes, or that synonyms replace.",
        **SHARE,
        title="share of words changed",
        needs=Needs(
            "there is no rate; set augmentation='delete', 'crop' or 'synonyms'",
            lambda c: c.augmentation not in ("dropout", "delete_one"),
        ),
    )
    same_group: float = hyper(
        0.0,
        "Share of a batch in pairs of sentences from one group, such as an article: injected "
        "false negatives.",
        low=0.0,
        high=1.0,
        unit="share",
        title="injected false negatives",
        span=(0.0, 0.5),
        needs=Needs("only sentences have groups; train on sentences", examples=("sentences",)),
    )
    pooling: TrainedPooling = hyper(
        "auto",
        "How token vectors are combined into one vector; auto: the encoder's own pooling, [CLS] if "
        "it declares none.",
    )
    head: Literal["auto", "train_only", "both", "none"] = hyper(
        "auto",
        "Where the Linear+tanh head is used; auto: train_only on sentences, both on triplets.",
    )
    trained_layers: int = hyper(
        0,
        "Number of the encoder's last layers that are trained, all else frozen; 0: all weights.",
        low=0,
        high=100,
    )
    hard_negative_weight: float = hyper(
        1.0,
        "Weight of a premise's own contradiction (triplets only).",
        low=0.0,
        high=100.0,
        hot=True,
        title="weight of hard negatives α",
        span=(0.0, 4.0),
        needs=Needs("only triplets have hard negatives; train on triplets", examples=("triplets",)),
    )


class Example(NamedTuple):
    """A sentence's text, for augmentations that change the text, and its tokens."""

    text: str
    tokens: Tokens


@register
class SimCSE(Method[SimCSEConfig]):
    """Unsupervised on sentences; supervised on pairs and (premise, entailment, contradiction)."""

    name = "simcse"
    title = "SimCSE"
    paper = "https://arxiv.org/abs/2104.08821"
    notebook = "02_simcse"
    Config = SimCSEConfig
    formula = (
        r"\ell_i = -\log \frac{e^{\cos(z_i,\, z_i')/\tau}}"
        r"{\sum_{j=1}^{N} e^{\cos(z_i,\, z_j')/\tau}}"
    )
    main_settings = (
        "temperature",
        "dropout_hidden",
        "dropout_attention",
        "learning_rate",
        "batch_size",
        "augmentation",
    )
    published: ClassVar = {"paper": {}}
    accepts: ClassVar = ("sentences", "triplets")
    # Larger steps, because the mini has a third of BERT-base's width. It was pre-trained without
    # dropout, and with the paper's 0.1 its two views are too similar to learn from; with more
    # dropout on attention, the two views miss different words. See docs/measured.md. load_encoder
    # pools the mean of the mini, but the paper trains [CLS]. For the old mini, the paper's dropout
    # is enough, and larger steps are better; see benchmarks/trials.md.
    presets: ClassVar = {
        "mini": {"learning_rate": 7e-5, "dropout_attention": 0.4, "pooling": "cls"},
        "mini-old": {"learning_rate": 3e-4, "warmup": 0.1, "pooling": "cls"},
    }

    def __init__(self, encoder: Encoder, config: SimCSEConfig, generator: torch.Generator) -> None:
        super().__init__(encoder, config, generator)
        self.head: ProjectionHead | None = None
        if config.head != "none":
            self.head = ProjectionHead(encoder.hidden_dim, generator=generator)
        if config.trained_layers:
            self._freeze_all_but_last(config.trained_layers)

    def _freeze_all_but_last(self, count: int) -> None:
        """Freeze the encoder, embeddings included, except its last ``count`` layers."""
        layers = self.encoder.layers
        if count > len(layers):
            raise ValueError(
                f"trained_layers={count}, but {self.encoder.name!r} has {len(layers)}; give fewer, "
                "or 0"
            )
        trained = {id(weights) for layer in layers[-count:] for weights in layer.parameters()}
        for weights in self.encoder.backbone.parameters():
            if id(weights) not in trained:
                weights.requires_grad_(False)

    @property
    def supervised(self) -> bool:
        """Whether the examples contain positives (pairs or triplets)."""
        return self.kind != "sentences"

    def check_examples(self, examples: Sequence[Any]) -> str:
        """Return ``"sentences"``, ``"pairs"`` or ``"triplets"``, judged by the first example.

        Raises:
            TypeError: it is none of these.
            ValueError: a setting has no effect on this kind, such as a weight of hard negatives on
                sentences.
        """
        first = examples[0]
        sentences_in_first = len(first) if isinstance(first, tuple | list) else 0
        kind = "sentences" if isinstance(first, str) else KINDS.get(sentences_in_first, "")
        if not kind:
            raise TypeError(
                "SimCSE trains on sentences, on pairs (sentence, positive), or on triplets "
                f"(premise, entailment, contradiction); the first example is {first!r:.80}"
            )
        # These settings depend on the kind, or on another setting that is fixed during a run.
        limited = ("hard_negative_weight", "same_group", "augmentation", "fixed_mask")
        values = {name: getattr(self.config, name) for name in limited}
        check_effect(self.config, values, SimCSEConfig(), kind)
        return kind

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Return each example's tokens: of a sentence, or of each sentence of a pair or triplet.

        A sentence keeps its text if the steps change the text.
        """
        if self.supervised:
            columns = [self.encoder.tokenize(list(texts)) for texts in zip(*examples, strict=True)]
            return list(zip(*columns, strict=True))
        tokens = super().tokenize(examples)
        if self.config.augmentation == "synonyms":
            return list(map(Example, examples, tokens))
        return tokens

    def rows(self, batch: Sequence[Any], draws: Draws) -> list[list[list[int]]]:
        """Return the token ids of each view, B rows each; one view if both would be equal.

        The views of pairs and triplets are their columns, in the order of :data:`COLUMNS`.
        """
        if self.supervised:
            views = []
            for column in zip(*batch, strict=True):
                views.append([tokens.ids for tokens in column])
            return views
        tokens = [example.tokens if isinstance(example, Example) else example for example in batch]
        first = [row.ids for row in tokens]
        if self.config.fixed_mask:
            # One view is enough, since equal words and equal masks give equal vectors.
            return [first]
        return [first, self._second_views(batch, draws)]

    def _second_views(self, batch: Sequence[Any], draws: Draws) -> list[list[int]]:
        """Return the token ids of the augmented sentences, one row for each."""
        name = self.config.augmentation
        rate = self.config.augmentation_rate
        if name == "synonyms":
            # A text is tokenised after its change, not once for all steps.
            texts = [exchange_synonyms(example.text, rate, draws.data) for example in batch]
            return [tokens.ids for tokens in self.encoder.tokenize(texts)]
        # Truncated before the change, so that all words of view 2 are in view 1.
        truncated = [tokens.truncate(self.config.max_length) for tokens in batch]
        if name == "dropout":
            return [tokens.ids for tokens in truncated]
        return [AUGMENTATIONS[name](tokens, rate, draws.data) for tokens in truncated]

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Encode all views in one forward pass; each of their V·B rows has its own dropout mask.

        Returns ``z1`` and ``z2``, and ``hard_negatives`` for triplets, ``(B, D)`` each.
        """
        rows = self.rows(batch, draws)
        all_rows = [row for view in rows for row in view]
        with self.dropout(draws):
            z = self.encoder.forward_by_length(all_rows, self.config.max_length)  # (V·B, D)
            if self.head is not None:
                z = self.head(z)
        views = z.chunk(len(rows))  # V of (B, D)
        if len(views) == 1:
            # With one mask for both views, the vectors of view 1 are also those of view 2.
            views = (*views, *views)
        # Without triplets there are two views, so the last name is not used.
        return dict(zip(COLUMNS, views, strict=False))

    def compare(self, views: Views) -> Terms:
        """Compute the paper's loss, and the mean cosine of positives."""
        cosine = cosine_similarity(views["z1"], views["z2"]).mean().detach()
        return Terms(self._scores(views).loss(), {"positive_cosine": cosine})

    def _scores(self, views: Views) -> Scores:
        """Return the scores of the loss: all first views with all second views."""
        return simcse_scores(
            views["z1"],
            views["z2"],
            views.get("hard_negatives"),
            self.config.temperature,
            self.config.hard_negative_weight,
        )

    def forces(self, views: Views) -> Forces:
        """Return one score table: first views with all second views and all contradictions."""
        scores = self._scores(views)
        candidates = [Candidates("view 2", views["z2"], view="z2")]
        role = "view 1 retrieves view 2"
        formula = FORMULA
        if "hard_negatives" in views:
            role = "the premise retrieves its entailment"
            formula = WITH_HARD_NEGATIVES
            contradictions = Candidates(
                "contradiction",
                views["hard_negatives"],
                kind="hard negative",
                view="hard_negatives",
            )
            candidates.append(contradictions)
        table = loss_table(role, scores, views["z1"], *candidates, formula=formula)
        return Forces((table,), {"contrast": scores.loss()})

    def view_texts(
        self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws
    ) -> dict[str, list[str]]:
        """Return texts by view, a text for each example, for the views that are not the sentences.

        Pairs and triplets have a text in each view (``z1``, ``z2``, and ``hard_negatives`` for
        triplets). Of sentences, view 2 (``z2``) has another text if an augmentation changes it.

        Args:
            examples: sentences, pairs or triplets, as text.
            batch: the same examples, tokenised.
            draws: the random numbers of ``encode``, so that the second views are those of the step.
        """
        if self.supervised:
            columns = [list(texts) for texts in zip(*examples, strict=True)]
            # Pairs have two columns, so the last name is not used.
            return dict(zip(COLUMNS, columns, strict=False))
        if self.config.augmentation == "dropout":
            # The texts of both views are the sentence itself.
            return {}
        return {"z2": decode_rows(self.encoder, self._second_views(batch, draws))}

    def test_encoder(self) -> Encoder:
        """Return the encoder, with the head if the head is used at test."""
        at_test = self.config.head == "both" or (self.config.head == "auto" and self.supervised)
        if self.head is None or not at_test:
            return self.encoder
        return self.encoder.with_head(self.head, self.pooling)

    def references(self) -> dict[str, float]:
        """Return the loss of a batch whose cosines are all equal."""
        size = self.config.batch_size
        if self.kind == "triplets":
            return {"log 2N": math.log(2 * size)}
        return {"log N": math.log(size)}
