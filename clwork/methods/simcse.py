"""SimCSE (Gao, Yao, Chen 2021): a sentence's positive is itself under another dropout mask, or its NLI entailment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, cross_entropy

from ..augmenters.text import AUGMENTATIONS, MASKED, TEXT_AUGMENTATIONS
from ..data.corpus import KINDS_OF_TUPLES
from ..encoders import Encoder, Frozen, ProjectionHead, Tokens
from ..encoders.copies import redraw
from ..encoders.masked_words import MaskedWordHead, fill_in, guess, mask_pieces
from ..losses import Scores, simcse_scores
from ..losses.infonce import concatenated
from .base import Draws, Method, Terms, Views, register
from .forces import PRODUCT, Candidates, Forces, ScoreTable, loss_table, read_back
from .hyperparameters import check_effect
from .simcse_config import TUPLES, SimCSEConfig

COLUMNS = ("z1", "z2", "hard_negatives", "neutral")
"""Views of examples that are tuples, column by column."""


MASK_RATE = 0.15  # of the masked-word loss, as BERT's


class Example(NamedTuple):
    """A sentence as written, to be changed at each step, and its tokens."""

    text: str
    tokens: Tokens


def _tokens(batch: Sequence[Any]) -> list[Tokens]:
    return [example.tokens if isinstance(example, Example) else example for example in batch]


@register
class SimCSE(Method[SimCSEConfig]):
    """Unsupervised on sentences, supervised on pairs and on (premise, entailment, contradiction) triplets."""

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
        fills = config.augmentation == MASKED
        self.filler = Frozen(self.encoder) if fills else None
        self.filler_head = Frozen(MaskedWordHead(encoder)) if fills else None
        if config.fresh_weights:
            redraw(self.encoder.backbone, generator)
        self.word_head = MaskedWordHead(encoder) if config.masked_word_weight else None
        self.head = None if config.head == "none" else ProjectionHead(encoder.hidden_dim, generator=generator)
        self.second = deepcopy(self.encoder) if config.two_encoders else None
        self.second_head = deepcopy(self.head) if config.two_encoders else None

    @property
    def supervised(self) -> bool:
        """Whether positives are given: it trains on pairs, or on triplets."""
        return self.kind in TUPLES

    def check_examples(self, examples: Sequence[Any]) -> str:
        """Sentences make it unsupervised; pairs, triplets and quadruplets of sentences supervised.

        A quadruplet is a triplet with a neutral sentence as its second hard negative (Table 7).
        """
        first = examples[0]
        size = len(first) if isinstance(first, (tuple, list)) else 0
        if not isinstance(first, str) and size not in KINDS_OF_TUPLES:
            raise TypeError(
                f"SimCSE trains on sentences, on pairs (sentence, positive), or on (premise, entailment, "
                f"contradiction) triplets; the first example is {first!r:.80}"
            )
        kind = KINDS_OF_TUPLES.get(size, "sentences")
        given = ("hard_negative_weight", "unlabelled_weight", "view1_negatives", "same_group", "augmentation")
        check_effect(self.config, {name: getattr(self.config, name) for name in given}, SimCSEConfig(), kind)
        return kind

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Tokens of each sentence, with its text where that is changed at each step; or of each part of a tuple."""
        if not self.supervised:
            tokens = super().tokenize(examples)
            changed = self.config.augmentation in TEXT_AUGMENTATIONS
            return list(map(Example, examples, tokens)) if changed else tokens
        columns = [self.encoder.tokenize(list(column)) for column in zip(*examples, strict=True)]
        return list(zip(*columns, strict=True))

    def _second_views(self, batch: Sequence[Any], draws: Draws) -> list[list[int]]:
        config = self.config
        if config.augmentation in TEXT_AUGMENTATIONS:
            change = TEXT_AUGMENTATIONS[config.augmentation]
            texts = [change(example.text, config.augmentation_rate, draws.data) for example in batch]
            return [tokens.ids for tokens in self.encoder.tokenize(texts)]
        shown = [tokens.truncate(config.max_length) for tokens in batch]  # view 2 shows nothing that view 1 had cut off
        if config.augmentation == "dropout":
            return [tokens.ids for tokens in shown]
        if self.filler is not None and self.filler_head is not None:
            encoder, head = self.filler.module, self.filler_head.module
            masked = mask_pieces(shown, config.augmentation_rate, encoder, draws.data, noise=False)
            return fill_in(encoder, head, masked, draws.dropout)
        change_tokens = AUGMENTATIONS[config.augmentation].change
        return [change_tokens(tokens, config.augmentation_rate, draws.data) for tokens in shown]

    def rows(self, batch: Sequence[Any], draws: Draws) -> list[list[list[int]]]:
        """Token ids of each view of a batch: lists of B rows, two of sentences (or one, for a fixed mask).

        Of pairs and triplets there is one for each column, and the premises again where the unlabelled loss is added.
        """
        if self.supervised:
            columns = [[tokens.ids for tokens in column] for column in zip(*batch, strict=True)]
            return columns + columns[:1] if self.config.unlabelled_weight else columns
        first = [tokens.ids for tokens in _tokens(batch)]
        if self.config.fixed_mask and self.config.augmentation == "dropout" and self.second is None:
            return [first]  # equal words under equal masks are one vector: it is computed once
        return [first, self._second_views(batch, draws)]

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """All views together in groups of like length, every row and element with its own dropout mask."""
        rows = self.rows(batch, draws)
        with self.dropout(draws):
            if self.second is None:
                views = self._encoded(self.encoder, self.head, rows)
            else:
                views = self._encoded(self.encoder, self.head, rows[:1])
                views += self._encoded(self.second, self.second_head, rows[1:])
            words = {} if self.word_head is None else {"masked_words": self._guessed(self.word_head, batch, draws)}
        more = ("again",) if self.supervised and self.config.unlabelled_weight else ()
        names = (*COLUMNS[: len(views) - len(more)], *more) if len(views) > 1 else COLUMNS[:2]
        return dict(zip(names, views if len(views) > 1 else views * 2, strict=True)) | words

    def _guessed(self, head: MaskedWordHead, batch: Sequence[Any], draws: Draws) -> Tensor:
        """Guess 15 % of the pieces of sentences, or of premises: summed cross-entropy and number, ``(1, 2)``."""
        first = [example[0] for example in batch] if self.supervised else _tokens(batch)
        shown = [tokens.truncate(self.config.max_length) for tokens in first]
        masked = mask_pieces(shown, MASK_RATE, self.encoder, draws.data)
        logits = guess(self.encoder, head, masked)  # (N, V)
        lost = cross_entropy(logits, torch.tensor(masked.labels, device=logits.device), reduction="sum")
        return torch.stack([lost, torch.full_like(lost, len(masked.labels))])[None]

    def complete(self, views: Views, draws: Draws) -> Views:
        """Take the mean of the masked words' cross-entropies over all of the batch, ``(1, 1)``: no sentence's own."""
        if "masked_words" not in views:
            return views
        lost, number = views["masked_words"].sum(dim=0)
        return views | {"masked_words": (lost / number).reshape(1, 1)}

    def _encoded(self, encoder: Encoder, head: ProjectionHead | None, views: list[list[list[int]]]) -> list[Tensor]:
        """Encode V views of B rows in one pass: V of ``(B, D)``."""
        z = encoder.forward_by_length([row for view in views for row in view], self.config.max_length)  # (V·B, D)
        return list((z if head is None else head(z)).chunk(len(views)))

    def compare(self, views: Views) -> Terms:
        """The paper's loss, with what is added to it, and the mean cosine of positives."""
        losses = [weight * scores.loss() for weight, scores in self._scores(views).values()]
        parts = {"positive_cosine": cosine_similarity(views["z1"], views["z2"]).mean().detach()}
        if "masked_words" in views:
            words = views["masked_words"].squeeze()
            losses.append(self.config.masked_word_weight * words)
            parts["masked_word_loss"] = words.detach()
        return Terms(torch.stack(losses).sum() if len(losses) > 1 else losses[0], parts)

    def _scores(self, views: Views) -> dict[str, tuple[float, Scores]]:
        """Weight and scores of each term of the loss, by its name."""
        config, z1, z2 = self.config, views["z1"], views["z2"]
        score = partial(simcse_scores, temperature=config.temperature, similarity=config.similarity)
        hard, own = views.get("hard_negatives"), config.hard_negative_weight
        if hard is not None and "neutral" in views:
            hard = concatenated(hard, views["neutral"])  # (2B, D)
        elif config.view1_negatives:
            hard, own = z1, 0.0  # a first view is no negative of itself
        share = 0.5 if config.both_directions else 1.0
        terms = {"contrast": (share, score(z1, z2, hard, hard_negative_weight=own))}
        if config.both_directions:
            terms["the other direction"] = (share, score(z2, z1))
        if "again" in views:
            terms["unlabelled"] = (config.unlabelled_weight, score(z1, views["again"]))
        return terms

    def forces(self, views: Views) -> Forces:
        """A softmax for each term: view 1 looks for view 2 among second views, and all contradictions of triplets."""
        scores = self._scores(views)
        role = "the premise looks for its entailment" if "hard_negatives" in views else "view 1 looks for view 2"
        tables = [self._table(role, *scores["contrast"], views["z1"], *self._candidates(views))]
        if "the other direction" in scores:
            first = Candidates("view 1", views["z1"])
            tables.append(self._table("view 2 looks for view 1", *scores["the other direction"], views["z2"], first))
        if "unlabelled" in scores:
            again, role = Candidates("itself, another mask", views["again"]), "view 1 looks for itself"
            tables.append(self._table(role, *scores["unlabelled"], views["z1"], again))
        terms = {name: weight * term.loss() for name, (weight, term) in scores.items()}
        if "masked_words" in views:
            terms["masked words"] = self.config.masked_word_weight * views["masked_words"].squeeze()
        return Forces(tuple(tables), terms)

    def _candidates(self, views: Views) -> list[Candidates]:
        candidates = [Candidates("view 2", views["z2"], view="z2")]
        if "hard_negatives" in views:
            candidates.append(Candidates("contradiction", views["hard_negatives"], "hard negative", "hard_negatives"))
        if "neutral" in views:
            candidates.append(Candidates("neutral", views["neutral"], "neutral sentence", "neutral"))
        elif self.config.view1_negatives:
            candidates.append(Candidates("view 1", views["z1"], "other view 1"))
        return candidates

    def _table(self, role: str, share: float, scores: Scores, anchors: Tensor, *candidates: Candidates) -> ScoreTable:
        """Make the table of a term, with the formula for its candidates."""
        dot = self.config.similarity == "dot"
        own, others, hard = (
            rf"e^{{z_i \cdot {z}/\tau}}" if dot else rf"e^{{\cos(z_i, {z})/\tau}}" for z in ("z'_i", "z'_j", "z^-_j")
        )
        if any(group.view == "hard_negatives" for group in candidates):
            others = rf"\left({others} + \alpha^{{[i=j]}} {hard}\right)"
        formula = rf"\ell_i = -\log\frac{{{own}}}{{\sum_j {others}}}"
        table = loss_table(role, scores, anchors, *candidates, share=share, formula=formula)
        return replace(table, measure=PRODUCT) if dot else table

    def view_texts(self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws) -> dict[str, list[str]]:
        """The columns of pairs and triplets; the second views of sentences that lose words."""
        if self.supervised:
            columns = (list(column) for column in zip(*examples, strict=True))
            return dict(zip(COLUMNS, columns, strict=False))
        if self.config.augmentation == "dropout":
            return {}
        return {"z2": read_back(self.encoder, self._second_views(batch, draws))}

    def test_encoder(self) -> Encoder:
        """Without the head, unless it is kept at test."""
        keep = self.config.head == "both" or (self.config.head == "auto" and self.supervised)
        if not keep or self.head is None:
            return self.encoder
        return self.encoder.with_head(self.head, self.config.pooling)

    def references(self) -> dict[str, float]:
        """The loss of a batch whose cosines are all equal."""
        size, kinds = self.config.batch_size, {"triplets": 2, "quadruplets": 3}
        columns = kinds.get(self.kind, 1) * size
        if self.config.view1_negatives:
            return {"log (2N - 1)": math.log(2 * size - 1)}
        return {f"log {columns // size}N" if columns > size else "log N": float(torch.tensor(float(columns)).log())}
