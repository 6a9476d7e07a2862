"""MoCoUTRL (2023): replacing a word by a synonym gives the positive, by an antonym the negative."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, pad

from ..arithmetic import at_least_float32, normalize
from ..augmenters import Swaps, perturb
from ..augmenters._cutoff import at_embeddings
from ..augmenters.words import span_means, span_weights
from ..encoders import Encoder, MomentumDictionary, ProjectionHead
from ..encoders.pooling import pool
from ..losses._mocoutrl import (
    LongForm,
    TokenForm,
    long_span_scores,
    sentence_loss,
    word_loss,
    word_losses,
)
from ..losses.infonce import Scores
from ..settings import Needs, hyper, like
from .base import Draws, Method, Terms, Views, register
from .forces import (
    Candidates,
    Forces,
    Measure,
    ScoreTable,
    decode_rows,
    loss_table,
    number,
    score_table,
)
from .hyperparameters import DropoutRates, MethodConfig, RawPooling, Schedule, Temperature

NTXENT = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z_i^+)/\tau}}{\sum_{x\neq z_i} e^{\cos(z_i, x)/\tau}},"
    r"\quad x \in \{z, z^+, z^-\}"
)
ANTONYMS = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z_i^+)/\tau}}{e^{\cos(z_i, z_i^+)/\tau} + "
    r"\sum_j e^{\cos(z_i, z_j^-)/\tau}}"
)
ORIGINAL_TO_SYNONYM = "the original retrieves its synonym's sentence"
PRINTED = r"\ell_i = -\log\frac{e^{z_i\cdot z_i^+/\tau}}{\sum_j e^{z_i\cdot z_j^-/\tau}}"


def sentence_tables(
    scores: Scores, anchor: Tensor, positive: Tensor, negative: Tensor, form: LongForm, share: float
) -> list[ScoreTable]:
    """Return the tables of ``long_span_scores``; ``share`` is the weight of the sentence loss in the total loss."""
    original = Candidates("original", anchor, "other original")
    synonym, antonym = _changed(positive, negative)
    if form == "antonym_only":
        return [
            loss_table(
                ORIGINAL_TO_SYNONYM, scores, anchor, synonym, antonym, share=share, formula=ANTONYMS
            )
        ]
    size, back = len(anchor), "the synonym's sentence retrieves its original"
    synonyms_first = torch.arange(3 * size, device=anchor.device)
    synonyms_first[: 2 * size] = synonyms_first[: 2 * size].roll(size)
    common: dict[str, Any] = {"share": share / 2, "formula": NTXENT}
    there = synonym, original, antonym
    return [
        loss_table(
            ORIGINAL_TO_SYNONYM,
            scores,
            anchor,
            *there,
            rows=slice(size),
            order=synonyms_first,
            **common,
        ),
        loss_table(
            back, scores, positive, original, synonym, antonym, rows=slice(size, None), **common
        ),
    ]


def printed_table(
    anchor: Tensor, positive: Tensor, negative: Tensor, temperature: float
) -> ScoreTable:
    """Return the table of eq. 6 as printed, with dot products and without the positive in the denominator."""
    table = score_table(
        ORIGINAL_TO_SYNONYM, anchor, *_changed(positive, negative), measure=Measure("product")
    )
    size, logits = len(anchor), table.scores / temperature
    own, others = logits[:, :size].diagonal(), logits[:, size:]  # (B,), (B, B)
    losses = others.logsumexp(dim=1) - own
    counts = table.positive.clone()
    counts[:, size:] = True
    weights = torch.cat([torch.zeros_like(others), others.detach().softmax(dim=1)], dim=1)
    above, below, values = own.tolist(), others.detach().logsumexp(dim=1).tolist(), losses.tolist()

    def lines(row: int) -> list[str]:
        ratio = rf"\frac{{e^{{{above[row]:.2f}}}}}{{e^{{{below[row]:.2f}}}}}"
        return [PRINTED, rf"\ell_{{{row + 1}}} = -\log{ratio} = {number(values[row])}"]

    return replace(table, losses=losses, counts=counts, weights=weights, lines=lines)


def _changed(positive: Tensor, negative: Tensor) -> tuple[Candidates, Candidates]:
    return (
        Candidates("synonym's sentence", positive, "other synonym's sentence", "positive"),
        Candidates("antonym's sentence", negative, "antonym's sentence", "negative"),
    )


def word_tables(views: Mapping[str, Tensor], form: TokenForm) -> tuple[list[ScoreTable], Tensor]:
    """Return the tables of :func:`clwork.losses.token_level` and its value, computed from their scores."""
    if form == "code":
        return _released_tables(views)
    near = Measure("minus squared distance", distance=True)
    if form != "literal":
        near = replace(near, anchor=normalize)
    label = Candidates(
        "the word's entry in the dictionary", views["token_label"], "another word's entry"
    )
    tables = [
        score_table(
            f"the {word} and the original word's entry",
            views[f"token_{which}"],
            label,
            measure=near,
            only_own=True,
            own=own,
        )
        for word, which, own in (
            ("synonym", "positive", "positive"),
            ("antonym", "negative", "negative"),
        )
    ]
    close, far = (-table.scores.diagonal() for table in tables)  # squared distances, (N,) each
    width = views["token_label"].shape[1]
    losses = word_losses(close, far, form) / (width if form in ("mse_mean", "literal") else 1)
    numbers = [distances.tolist() for distances in (close, far, losses)]

    def lines(row: int) -> list[str]:
        own, other, loss = (values[row] for values in numbers)
        near, apart = (rf"\lVert e_i - w_i^{sign}\rVert^2" for sign in "+-")
        return [
            rf"{near} = {number(own)},\quad {apart} = {number(other)}",
            rf"{near} - {apart} = {number(own - other)},\quad \ell_{{{row + 1}}} = {number(loss)}",
        ]

    return [replace(table, losses=losses, lines=lines) for table in tables], losses.mean()


def _released_tables(views: Mapping[str, Tensor]) -> tuple[list[ScoreTable], Tensor]:
    """Return tables and value of the released loss, which attracts the antonym's *negated* vector to an entry."""
    near = Measure("minus squared distance", distance=True)
    opposite = Measure("minus squared distance of its opposite", torch.neg, distance=True)
    entry = "the word's entry in the dictionary"
    pairs = (
        ("synonym", "token_positive", "positive_label", near),
        ("antonym", "token_negative", "negative_label", opposite),
        ("original word", "token_anchor", "token_label", near),
    )
    width, tables = views["token_label"].shape[1], []
    for word, out, label, measure in pairs:
        made = score_table(
            f"the {word} and its entry",
            views[out],
            Candidates(entry, views[label], "another word's entry"),
            measure=measure,
            only_own=True,
        )
        tables.append(replace(made, losses=-made.scores.diagonal() / width))
    return tables, torch.stack([table.loss for table in tables]).mean()


SENTENCES = Needs("λ = 0 removes the sentence loss; set lam above 0", lambda c: c.lam > 0)
WORDS = Needs("λ = 1 removes the token loss; set lam below 1", lambda c: c.lam < 1)
DICTIONARY = Needs(
    "the dictionary is not used; set aug_embedding='dictionary', or lam below 1",
    lambda c: c.aug_embedding == "dictionary" or c.lam < 1,
)


@dataclass(kw_only=True)
class MoCoUTRLConfig(DropoutRates, Temperature, MethodConfig):
    """Defaults are the paper's (§4.2, eq. 21); λ and the longest input, which it omits, are the released code's."""

    batch_size: int = like(
        MethodConfig,
        "batch_size",
        32,
        help="Triplets per step; sentences without a word to replace are skipped.",
    )
    learning_rate: float = like(MethodConfig, "learning_rate", 1e-6)
    schedule: Schedule = like(MethodConfig, "schedule", "cosine")
    max_length: int = like(MethodConfig, "max_length", 200)
    temperature: float = like(Temperature, "temperature", 0.07, needs=SENTENCES)
    lam: float = hyper(
        0.5,
        "λ: weight of the sentence loss; the token loss has weight 1 - λ.",
        low=0.0,
        high=1.0,
        hot=True,
        title="sentences against words λ",
    )
    momentum: float = hyper(
        0.999,
        "m: share of the dictionary that is retained at each step.",
        low=0.0,
        high=1.0,
        unit="share",
        hot=True,
        needs=DICTIONARY,
        title="dictionary's momentum m",
    )
    parts: Literal["adjective", "adverb", "noun", "verb", "any"] = hyper(
        "adjective",
        "Which words to replace: adjectives as in the released code, or any as in the text.",
        title="words to replace",
    )
    long_loss: LongForm = hyper(
        "ntxent",
        "Negatives of a sentence: all others (ntxent), only those with antonyms, or eq. 6 as printed.",
        needs=SENTENCES,
    )
    copies: int = hyper(
        1,
        "Triplets per sentence and step; they are not negatives of one another (§3.1).",
        low=1,
        high=8,
        unit="triplets",
        title="changed copies",
    )
    antonym_weight: float = hyper(
        1.0,
        "Weight of a sentence's own antonym among the negatives (not in the paper).",
        low=0.0,
        high=1000.0,
        hot=True,
        needs=Needs(
            "there is no sentence loss, or its printed form without weights; set lam above 0, and another long_loss",
            lambda c: SENTENCES.met(c) and c.long_loss != "literal",
        ),
        title="weight of antonyms α",
        span=(0.0, 30.0),
    )
    token_loss: TokenForm = hyper(
        "sqdist",
        "Distance of words: summed, averaged over the width, with a margin, as released, or eq. 10 as printed.",
        needs=WORDS,
    )
    aug_embedding: Literal["dictionary", "encoder"] = hyper(
        "dictionary",
        "Word embeddings of the changed sentences: the dictionary's as in the text, or the encoder's as released.",
    )
    perturb: Literal["coord_std", "coord_var", "radial", "none"] = hyper(
        "coord_std",
        "Noise on the word's label: per coordinate with 0.005/3 as deviation or as variance, or of its length.",
        needs=Needs(
            "only the token loss has a label, and the released form does not perturb it; set lam below 1, and "
            "another token_loss than 'code'",
            lambda c: WORDS.met(c) and c.token_loss != "code",
        ),
    )
    heads: bool = hyper(
        True, "Project sentences and words with heads of two layers each, removed after training."
    )
    final_act: bool = hyper(
        True,
        "GELU also after the heads' second layer, as in the paper's formulas.",
        needs=Needs("there are no heads; set heads=True", lambda c: c.heads),
    )
    ema_sign: Literal["intended", "literal"] = hyper(
        "intended", "literal: the dictionary's update as printed, with (m - 1).", needs=DICTIONARY
    )
    pooling: RawPooling = hyper(
        "auto",
        "How token vectors are combined into one vector; auto: the encoder's own pooling, mean if it declares none.",
    )


@register
class MoCoUTRL(Method[MoCoUTRLConfig]):
    """Sentences use the encoder's word embeddings; their changed copies use a moving average of the embeddings."""

    name = "mocoutrl"
    title = "MoCoUTRL"
    paper = "https://doi.org/10.1080/09540091.2023.2221406"
    notebook = "06_mocoutrl"
    Config = MoCoUTRLConfig
    formula = (
        r"L = \lambda \operatorname{mean}_i \left[ -\log \frac{e^{\cos(z_i,\, z_i^+)/\tau}}"
        r"{\sum_{x \ne z_i} e^{\cos(z_i,\, x)/\tau}} \right] + (1 - \lambda)\, L_{\text{words}}, \quad"
        r"\theta_{\text{dict}} \leftarrow m\, \theta_{\text{dict}} + (1 - m)\, \theta"
    )
    knobs = ("temperature", "lam", "momentum", "parts", "learning_rate", "batch_size")
    published: ClassVar = {
        "paper": {},
        "released code": {
            "token_loss": "code",
            "heads": False,
            "aug_embedding": "encoder",
            "perturb": "none",
        },
    }
    # larger steps for a smaller model
    presets: ClassVar = {"mini": {"learning_rate": 1e-4, "max_length": 32, "pooling": "mean"}}

    raw_pooling = "mean"

    def __init__(
        self, encoder: Encoder, config: MoCoUTRLConfig, generator: torch.Generator
    ) -> None:
        super().__init__(encoder, config, generator)
        self.pooling = self.pooling_of(encoder, config)
        self.encoder = encoder.without_head(self.pooling)
        self.swaps = Swaps(self.encoder, parts=config.parts, max_length=config.max_length)
        table: Any = encoder.backbone
        words = table.get_input_embeddings()
        self.dictionary = MomentumDictionary(
            words, config.momentum, literal=config.ema_sign == "literal"
        )  # M1
        width = encoder.hidden_dim
        self.sentence_head = self._head(width, width)  # the paper's SLD
        self.token_head = self._head(width, words.embedding_dim)  # the paper's TLD

    def _head(self, dim: int, out: int) -> nn.Module:
        if not self.config.heads:
            return nn.Identity()
        last = (
            "gelu" if self.config.final_act else "none"
        )  # M8: the text calls σ a sigmoid, then GELU
        first = ProjectionHead(dim, dim, "gelu", generator=self.generator)
        return nn.Sequential(first, ProjectionHead(dim, out, last, generator=self.generator))

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Return each sentence's tokens, and its words (if not cut off) that have both a synonym and an antonym."""
        return self.swaps.find(examples)

    def usable(self) -> Callable[[Any], bool]:
        """Return a predicate for sentences with a word that has both a synonym and an antonym."""
        return lambda example: bool(example.places)

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Encode all triplets in one forward pass: ``(B, D)``, or ``(B, copies, D)`` for several copies of each."""
        rows = self.swaps.draw(list(batch) * self.config.copies, draws.data)
        tokens = self.encoder.collate([row.ids for row in rows], self.config.max_length)
        ids = tokens["input_ids"]  # (3B, T)
        spans = span_weights([row.pieces for row in rows], ids)  # (3B, T)
        with self._embeddings(ids, len(rows) // 3), self.dropout(draws):
            states = self.encoder.hidden_states(tokens)
        first_layer = self.encoder.first_layer
        z = self.sentence_head(
            pool(states, tokens["attention_mask"], self.pooling, first_layer=first_layer)
        )  # (3B, D)
        w = self.token_head(span_means(at_least_float32(states[-1]), spans))  # (3B, E)
        e = span_means(self.dictionary(ids), spans)  # (3B, E), no gradient
        views = dict(zip(("anchor", "positive", "negative"), z.chunk(3), strict=True))
        token_anchor, views["token_positive"], views["token_negative"] = w.chunk(3)
        label, positive_label, negative_label = e.chunk(3)
        views["token_label"] = self._label(label, draws)
        if self.config.token_loss == "code":
            views |= {
                "token_anchor": token_anchor,
                "positive_label": positive_label,
                "negative_label": negative_label,
            }
        if (copies := self.config.copies) > 1:
            views = {
                name: view.unflatten(0, (copies, -1)).transpose(0, 1)
                for name, view in views.items()
            }
        return views

    def complete(self, views: Views, draws: Draws) -> Views:
        """Reshape to ``(copies · B, D)``, with the first copies of all sentences first."""
        if self.config.copies == 1:
            return views
        return {name: view.transpose(0, 1).flatten(0, 1) for name, view in views.items()}

    def _label(self, label: Tensor, draws: Draws) -> Tensor:
        """Return the dictionary entry, normalised and perturbed (§4.5); for eq. 10 and the released code unchanged."""
        kind = self.config.perturb
        if self.config.token_loss == "code" or (self.config.token_loss, kind) == (
            "literal",
            "none",
        ):
            return label
        return perturb(normalize(label), kind, generator=draws.dropout)

    def _embeddings(self, ids: Tensor, originals: int) -> Any:
        """Return a context in which rows after the first ``originals`` use the dictionary's word embeddings."""
        if self.config.aug_embedding == "encoder":
            return nullcontext()

        def change(words: Tensor) -> Tensor:
            more = (
                words.shape[1] - ids.shape[1]
            )  # above 0 in a Longformer, which pads to its window
            return torch.cat(
                [words[:originals], pad(self.dictionary(ids[originals:]), (0, 0, 0, more))]
            )

        return at_embeddings(self.encoder.backbone, change)

    def compare(self, views: Views) -> Terms:
        """Compute λ times the sentence loss plus 1 - λ times the token loss."""
        config = self.config
        z = [views[name] for name in ("anchor", "positive", "negative")]
        label, near, far = (views[f"token_{name}"] for name in ("label", "positive", "negative"))
        entries = [views.get(name) for name in ("token_anchor", "positive_label", "negative_label")]
        options = config.temperature, config.long_loss, config.antonym_weight
        copies = zip(*(view.chunk(config.copies) for view in z), strict=True)  # each copy (B, D)
        long = torch.stack([sentence_loss(a, p, n, *options) for a, p, n in copies]).mean()
        token = word_loss(label, near, far, config.token_loss, False, *entries)
        parts = {
            "long_loss": long,
            "token_loss": token,
            "positive_cosine": cosine_similarity(z[0], z[1]).mean(),
            "negative_cosine": cosine_similarity(z[0], z[2]).mean(),
            "swapped_share": torch.tensor(len(z[0]) / (config.batch_size * config.copies)),
        }
        return Terms(
            config.lam * long + (1 - config.lam) * token,
            {name: p.detach() for name, p in parts.items()},
        )

    def forces(self, views: Views) -> Forces | None:
        """Return tables of sentences with sentences and of words with dictionary entries; None for several copies."""
        config, lam = self.config, self.config.lam
        if config.copies > 1:
            return None
        z = views["anchor"], views["positive"], views["negative"]
        if config.long_loss == "literal":
            tables = [printed_table(*z, config.temperature)]
            long = tables[0].loss
        else:
            scores = long_span_scores(
                *z, config.temperature, config.long_loss, config.antonym_weight
            )
            tables, long = sentence_tables(scores, *z, config.long_loss, lam), scores.loss()
        of_words, token = word_tables(views, config.token_loss)
        return Forces(
            (*tables, *of_words),
            {"λ · sentences": lam * long, "(1 - λ) · words": (1 - lam) * token},
        )

    def view_texts(
        self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws
    ) -> dict[str, list[str]]:
        """Return the changed sentences, decoded from their tokens."""
        changed = decode_rows(self.encoder, [row.ids for row in self.swaps.draw(batch, draws.data)])
        size = len(changed) // 3
        return {"positive": changed[size : 2 * size], "negative": changed[2 * size :]}

    def after_step(self) -> None:
        """Update the momentum dictionary."""
        self.dictionary.momentum = self.config.momentum
        self.dictionary.update()
