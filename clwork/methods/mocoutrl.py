"""MoCoUTRL (2023): replacing a word by a synonym gives the positive, by an antonym the negative.

Of each sentence there are three: the original (anchor), the one with the synonym (positive) and the
one with the antonym (negative). Batches have their 3B rows in this order. Numbers such as M1 refer
to docs/discrepancies.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity

from ..arithmetic import at_least_float32, normalize
from ..augmenters import perturb
from ..augmenters.word_vectors import at_embeddings
from ..augmenters.words import Swaps, span_means, span_weights
from ..encoders import Encoder, MomentumDictionary
from ..encoders.heads import gelu_head
from ..encoders.pooling import pool
from ..losses._mocoutrl import (
    MARGIN,
    LongForm,
    TokenForm,
    long_span_scores,
    sentence_loss,
    word_loss,
    word_losses,
)
from ..losses.infonce import Scores
from ..settings import Needs, hyper, like
from .base import Draws, Method, Terms, Views
from .forces import (
    Candidates,
    Forces,
    Measure,
    ScoreTable,
    both_directions,
    decode_rows,
    formula_and_value,
    score_table,
)
from .hyperparameters import DropoutRates, MethodConfig, RawPooling, Temperature
from .registry import register
from .schedule import Schedule

# The sentence loss of one row, as the forces panel shows it.
NTXENT = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z_i^+)/\tau}}{\sum_{x\neq z_i} e^{\cos(z_i, x)/\tau}},"
    r"\quad x \in \{z, z^+, z^-\}"
)
# The token loss of one row by form. e is the word's entry, and w are the vectors of its synonym and
# its antonym.
CLOSER = r"\lVert e_i - w_i^+\rVert^2 - \lVert e_i - w_i^-\rVert^2"
WORD_LOSSES: dict[TokenForm, str] = {
    "sqdist": rf"\ell_i = {CLOSER}",
    "hinge": rf"\ell_i = \max(0,\ {MARGIN} + {CLOSER})",
    "mse_mean": rf"\ell_i = \frac{{1}}{{D}}\left({CLOSER}\right)",
    "literal": rf"\ell_i = \frac{{1}}{{D}}\left({CLOSER}\right)",
}
SENTENCES = Needs("λ = 0 removes the sentence loss; set lam above 0", lambda c: c.lam > 0)
WORDS = Needs("λ = 1 removes the token loss; set lam below 1", lambda c: c.lam < 1)
DICTIONARY = Needs(
    "the dictionary is not used; set aug_embedding='dictionary', or lam below 1",
    lambda c: c.aug_embedding == "dictionary" or c.lam < 1,
)


@dataclass(kw_only=True)
class MoCoUTRLConfig(DropoutRates, Temperature, MethodConfig):
    """Defaults are the paper's (§4.2, eq. 21), or else the released code's (λ, longest input)."""

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
    parts: Literal["adjective", "any"] = hyper(
        "adjective",
        "Which words to replace: adjectives as in the released code, or any as in the text.",
        title="words to replace",
    )
    long_loss: LongForm = hyper(
        "ntxent",
        "Negatives of a sentence: all others (ntxent), only those with antonyms, or eq. 6 as "
        "printed.",
        needs=SENTENCES,
    )
    antonym_weight: float = hyper(
        1.0,
        "Weight of a sentence's own antonym among the negatives (not in the paper).",
        low=0.0,
        high=1000.0,
        hot=True,
        needs=Needs(
            "there is no sentence loss, or its printed form without weights; set lam above 0, and "
            "another long_loss",
            lambda c: SENTENCES.met(c) and c.long_loss != "literal",
        ),
        title="weight of antonyms α",
        span=(0.0, 30.0),
    )
    token_loss: TokenForm = hyper(
        "sqdist",
        "Distance of words: summed, averaged over the width, with a margin, as released, or eq. 10 "
        "as printed.",
        needs=WORDS,
    )
    aug_embedding: Literal["dictionary", "encoder"] = hyper(
        "dictionary",
        "Word embeddings of the changed sentences: the dictionary's as in the text, or the "
        "encoder's as released.",
    )
    perturb: Literal["coord_std", "coord_var", "radial", "none"] = hyper(
        "coord_std",
        "Noise on the word's label: per coordinate with 0.005/3 as deviation or as variance, or of "
        "its length.",
        needs=Needs(
            "only the token loss has a label, and the released form does not perturb it; set lam "
            "below 1, and another token_loss than 'code'",
            lambda c: WORDS.met(c) and c.token_loss != "code",
        ),
    )
    heads: bool = hyper(
        True, "Project sentences and words with two-layer heads, removed after training."
    )
    pooling: RawPooling = hyper(
        "auto",
        "How token vectors are combined into one vector; auto: the encoder's own pooling, mean if "
        "it declares none.",
    )


@register
class MoCoUTRL(Method[MoCoUTRLConfig]):
    """Changed sentences use a moving average of the word embeddings that originals use."""

    name = "mocoutrl"
    title = "MoCoUTRL"
    paper = "https://doi.org/10.1080/09540091.2023.2221406"
    notebook = "06_mocoutrl"
    Config = MoCoUTRLConfig
    formula = (
        r"L = \lambda \operatorname{mean}_i \left[ -\log \frac{e^{\cos(z_i,\, z_i^+)/\tau}}"
        r"{\sum_{x \ne z_i} e^{\cos(z_i,\, x)/\tau}} \right]"
        r" + (1 - \lambda)\, L_{\text{words}}, \quad"
        r"\theta_{\text{dict}} \leftarrow m\, \theta_{\text{dict}} + (1 - m)\, \theta"
    )
    main_settings = ("temperature", "lam", "momentum", "parts", "learning_rate", "batch_size")
    published: ClassVar = {
        "paper": {},
        "released code": {
            "token_loss": "code",
            "heads": False,
            "aug_embedding": "encoder",
            "perturb": "none",
        },
    }
    # A smaller model needs larger steps.
    _mini: ClassVar[dict[str, Any]] = {"learning_rate": 1e-4, "max_length": 32, "pooling": "mean"}
    presets: ClassVar = {"mini": _mini, "mini-old": _mini}

    raw_pooling = "mean"

    def __init__(
        self, encoder: Encoder, config: MoCoUTRLConfig, generator: torch.Generator
    ) -> None:
        super().__init__(encoder, config, generator)
        self.swaps = Swaps(self.encoder, parts=config.parts, max_length=config.max_length)
        backbone: Any = encoder.backbone
        embedding = backbone.get_input_embeddings()
        self.dictionary = MomentumDictionary(embedding, config.momentum)
        width = encoder.hidden_dim
        self.sentence_head = self._head(width, width)  # the paper's SLD
        self.token_head = self._head(width, embedding.embedding_dim)  # the paper's TLD

    def _head(self, width: int, out: int) -> nn.Module:
        """Return two layers from ``width`` to ``out`` numbers, which only training uses.

        Without heads (``heads=False``) vectors stay as they are.
        """
        if not self.config.heads:
            return nn.Identity()
        # The paper's text calls its activation σ first a sigmoid, then GELU (M8); this is GELU.
        return gelu_head(dim=width, hidden=width, out=out, generator=self.generator)

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Return each sentence's tokens, and its words that have both a synonym and an antonym."""
        return self.swaps.find(examples)

    def usable(self) -> Callable[[Any], bool]:
        """Return a predicate for sentences with a word that has both a synonym and an antonym."""
        return lambda example: bool(example.places)

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Encode original, synonym's and antonym's sentence of each example in one forward pass.

        Returns sentence vectors ``(B, D)``: ``anchor``, ``positive`` and ``negative``; vectors of
        the replaced words ``token_...`` and entries of these words in the dictionary ``..._label``,
        both ``(B, E)``. Only the released token loss uses all of the last two.
        """
        rows = self.swaps.draw(batch, draws.data)
        tokens = self.encoder.collate([row.ids for row in rows], self.config.max_length)
        ids = tokens["input_ids"]  # (3B, T)
        # These weights average over the pieces of the word that is replaced.
        word_weights = span_weights([row.pieces for row in rows], ids)  # (3B, T)
        with self._embeddings(ids), self.dropout(draws):
            states = self.encoder.hidden_states(tokens)

        pooled = pool(states, tokens["attention_mask"], self.pooling)
        sentences = self.sentence_head(pooled)  # (3B, D)
        word_states = span_means(at_least_float32(states[-1]), word_weights)  # (3B, D)
        words = self.token_head(word_states)  # (3B, E)
        entries = span_means(self.dictionary(ids), word_weights)  # (3B, E), no gradient

        anchor, positive, negative = sentences.chunk(3)
        token_anchor, token_positive, token_negative = words.chunk(3)
        label, positive_label, negative_label = entries.chunk(3)
        views = {
            "anchor": anchor,
            "positive": positive,
            "negative": negative,
            "token_positive": token_positive,
            "token_negative": token_negative,
            "token_label": self._label(label, draws),
        }
        if self.config.token_loss == "code":
            views["token_anchor"] = token_anchor
            views["positive_label"] = positive_label
            views["negative_label"] = negative_label
        return views

    def _embeddings(self, ids: Tensor) -> AbstractContextManager[None]:
        """Return a context in which the changed sentences use the dictionary's word embeddings.

        ``ids`` are the token ids of all sentences, ``(3B, T)``.
        """
        if self.config.aug_embedding == "encoder":
            return nullcontext()
        originals = len(ids) // 3

        def use_dictionary(embeddings: Tensor) -> Tensor:
            """Replace the last 2B of the word embeddings ``(3B, T, E)``."""
            return torch.cat([embeddings[:originals], self.dictionary(ids[originals:])])

        return at_embeddings(self.encoder.backbone, use_dictionary)

    def _label(self, entries: Tensor, draws: Draws) -> Tensor:
        """Return the label of the token loss, ``(B, E)``, from the original words' ``entries``.

        They are normalised and perturbed (§4.5), but unchanged for the released code, and for
        eq. 10 without perturbation.
        """
        token_loss = self.config.token_loss
        noise = self.config.perturb
        if token_loss == "code" or (token_loss == "literal" and noise == "none"):
            return entries
        return perturb(normalize(entries), noise, generator=draws.dropout)

    def compare(self, views: Views) -> Terms:
        """Compute λ times the sentence loss plus 1 - λ times the token loss (eq. 11)."""
        config = self.config
        anchor = views["anchor"]
        positive = views["positive"]
        negative = views["negative"]
        long = sentence_loss(
            anchor,
            positive,
            negative,
            config.temperature,
            config.long_loss,
            config.antonym_weight,
        )
        token = word_loss(
            views["token_label"],
            views["token_positive"],
            views["token_negative"],
            config.token_loss,
            unit_label=False,
            anchor=views.get("token_anchor"),
            positive_label=views.get("positive_label"),
            negative_label=views.get("negative_label"),
        )
        # The share is below 1 if too few sentences have a word to replace.
        swapped_share = torch.tensor(len(anchor) / config.batch_size)
        parts = {
            "long_loss": long.detach(),
            "token_loss": token.detach(),
            "positive_cosine": cosine_similarity(anchor, positive).mean().detach(),
            "negative_cosine": cosine_similarity(anchor, negative).mean().detach(),
            "swapped_share": swapped_share,
        }
        return Terms(config.lam * long + (1 - config.lam) * token, parts)

    def after_step(self) -> None:
        """Move the dictionary towards the new word embeddings."""
        # The reader may have changed the momentum during the run.
        self.dictionary.momentum = self.config.momentum
        self.dictionary.update()

    def forces(self, views: Views) -> Forces | None:
        """Return tables of sentences with sentences, and of words with dictionary entries.

        There are none for other sentence losses than NT-Xent, nor for the released token loss.
        """
        config = self.config
        lam = config.lam
        if config.long_loss != "ntxent" or config.token_loss == "code":
            return None
        z = views["anchor"], views["positive"], views["negative"]
        scores = long_span_scores(*z, config.temperature, config.long_loss, config.antonym_weight)
        of_sentences = sentence_tables(scores, *z, lam)
        of_words, token = word_tables(views, config.token_loss)
        terms = {"λ · sentences": lam * scores.loss(), "(1 - λ) · words": (1 - lam) * token}
        return Forces((*of_sentences, *of_words), terms)

    def view_texts(
        self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws
    ) -> dict[str, list[str]]:
        """Return the changed sentences, decoded from their tokens."""
        rows = self.swaps.draw(batch, draws.data)
        texts = decode_rows(self.encoder, [row.ids for row in rows])
        size = len(texts) // 3
        return {"positive": texts[size : 2 * size], "negative": texts[2 * size :]}


def sentence_tables(
    scores: Scores, anchor: Tensor, positive: Tensor, negative: Tensor, share: float
) -> tuple[ScoreTable, ScoreTable]:
    """Return the tables of NT-Xent: originals retrieve the synonyms' sentences, and vice versa.

    Sentence vectors are ``(B, D)``; ``share`` is the weight of the sentence loss.
    """
    return both_directions(
        (
            "the original retrieves its synonym's sentence",
            "the synonym's sentence retrieves its original",
        ),
        scores,
        Candidates("original", anchor, kind="other original"),
        Candidates(
            "synonym's sentence", positive, kind="other synonym's sentence", view="positive"
        ),
        Candidates("antonym's sentence", negative, kind="antonym's sentence", view="negative"),
        share=share,
        formula=NTXENT,
    )


def word_tables(views: Mapping[str, Tensor], form: TokenForm) -> tuple[list[ScoreTable], Tensor]:
    """Return the tables of :func:`clwork.losses.token_level` and its value, from their scores.

    One table compares the synonyms' vectors with the original words' entries in the dictionary, the
    other the antonyms'. Each vector is compared with the entry of its own word only.

    Args:
        views: those of :meth:`MoCoUTRL.encode`; ``token_...`` and ``token_label`` are read.
        form: form of the token loss, but not ``"code"``.
    """
    # How a vector is compared with an entry. All forms but the printed one normalise the vector.
    measure = Measure("minus squared distance", distance=True)
    if form != "literal":
        measure = replace(measure, anchor=normalize)
    label = views["token_label"]
    entry = Candidates("the word's entry in the dictionary", label, kind="another word's entry")
    tables = [
        score_table(
            f"the {word} and the original word's entry",
            views[f"token_{role}"],
            entry,
            measure=measure,
            only_own=True,
            own=role,
        )
        for word, role in (("synonym", "positive"), ("antonym", "negative"))
    ]

    # The squared distances, (B,) each.
    near, far = (-table.scores.diagonal() for table in tables)
    losses = word_losses(near, far, form)
    if form in ("mse_mean", "literal"):
        # These forms average over the width.
        losses = losses / label.shape[1]

    lines = formula_and_value(WORD_LOSSES[form], losses)
    return [replace(table, losses=losses, lines=lines) for table in tables], losses.mean()
