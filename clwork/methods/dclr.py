"""DCLR (Zhou, Zhang, Zhao, Wen 2022): SimCSE whose false negatives are masked, and noise as further negatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, normalize

from ..augmenters import ascend_noise, at_embeddings, cutoff, gaussian_noise, shuffle_tokens, step_size_for
from ..encoders import Encoder, Frozen, ProjectionHead, Tokens
from ..losses import dclr, distillation, instance_weights, softmax_mass
from . import complementary
from .base import Draws, Method, MethodConfig, Terms, Views
from .fields import hyper
from .registry import register

AUGMENTATIONS = ("dropout", "shuffle", "feature_cutoff", "token_cutoff", "span_cutoff")


@dataclass(kw_only=True)
class DCLRConfig(MethodConfig):
    """Defaults are the released ones for BERT-base, but for the head: it is SimCSE's, so that the two compare."""

    batch_size: int = hyper(128, "Sentences per step; each is a negative of all others.", low=2, high=4096)
    temperature: float = hyper(
        0.05, "Divides the cosines; small: only the hardest negatives count.", low=1e-3, high=10.0, hot=True, log=True
    )
    noise_ratio: float = hyper(
        1.0, "Vectors of noise per sentence of the batch; 0: none.", low=0.0, high=10.0, unit="K/N", hot=True
    )
    beta_rel: float = hyper(
        0.0, "How far noise turns towards sentences, β·t/(σ·√d); 0: by the β below.", low=0.0, high=10.0, hot=True
    )
    noise_step: float = hyper(1e-3, "β, the length of one step of the noise.", low=1e-6, high=1e3, hot=True, log=True)
    noise_steps: int = hyper(4, "t, steps of the noise; 0: the paper's variant Random Noise.", low=0, high=50, hot=True)
    noise_sigma: float = hyper(1.0, "σ, spread of the noise it starts from.", low=1e-3, high=1e3, log=True)
    noise_scope: str = hyper(
        "batch", "Noise shared by the batch (as released), or each sentence's own.", choices=("batch", "sentence")
    )
    weighting: str = hyper(
        "complementary",
        "Who finds false negatives: another model, the model itself, nobody; or distil the other one instead.",
        choices=("complementary", "self", "none", "distill"),
    )
    complementary: str = hyper(
        "", "The other model: a finished run's name, a folder or an encoder; empty: SimCSE is trained first."
    )
    complementary_steps: int = hyper(
        60, "Steps of that SimCSE, where no model is named; 0: the start as it is.", low=0, high=100_000
    )
    phi: float = hyper(0.9, "φ: in-batch negatives with this cosine or more are masked.", low=-1.0, high=1.0, hot=True)
    phi_quantile: float = hyper(
        0.0, "Take φ from the batch: 0.95 masks its most similar 5 %; 0: use φ.", low=0.0, high=0.999, hot=True
    )
    distill_weight: float = hyper(1.0, "Weight of distillation, where chosen.", low=0.0, high=100.0, hot=True)
    variant: str = hyper(
        "paper",
        "The loss as meant, as released (binary cross-entropy, zeroed logits), or as retold.",
        choices=("paper", "code", "literal"),
    )
    dropout_hidden: float = hyper(
        0.1, "Dropout on embeddings and layer outputs.", low=0.0, high=0.9, unit="share", hot=True
    )
    dropout_attention: float = hyper(0.1, "Dropout on attention weights.", low=0.0, high=0.9, unit="share", hot=True)
    augmentation: str = hyper("dropout", "What view 2 undergoes besides dropout.", choices=AUGMENTATIONS)
    augmentation_rate: float = hyper(0.15, "Share that a cut-off erases.", low=0.0, high=0.9, unit="share", hot=True)
    pooling: str = hyper("cls", "How token vectors become one.", choices=("cls", "mean", "first_last", "last2", "max"))
    head: str = hyper(
        "one", "Linear+tanh layers in training: SimCSE's one, the released two, none.", choices=("one", "two", "none")
    )


@register
class DCLR(Method):
    """Two dropout views of each sentence; other sentences and noise are the negatives, false ones left out."""

    name = "dclr"
    title = "DCLR"
    paper = "https://arxiv.org/abs/2205.00656"
    notebook = "03_dclr"
    Config = DCLRConfig
    presets: ClassVar = {"mini": {"learning_rate": 3e-4, "batch_size": 64}}  # as SimCSE with the mini encoder

    config: DCLRConfig

    def __init__(self, encoder: Encoder, config: DCLRConfig, generator: torch.Generator) -> None:
        super().__init__(encoder, config, generator)
        self.encoder = encoder.without_head(config.pooling)
        self.head = self._head(encoder, generator)
        needed = config.weighting in ("complementary", "distill")
        self.complementary = Frozen(self.encoder) if needed else None  # until begin(), the start itself

    def _head(self, encoder: Encoder, generator: torch.Generator) -> nn.Module:
        if self.config.head == "none":
            return nn.Identity()
        fresh = ProjectionHead(encoder.hidden_dim, generator=generator)
        if self.config.head == "one":
            return fresh
        pooler = encoder.head if isinstance(encoder.head, ProjectionHead) else None  # BERT's own, where it has one
        first = ProjectionHead(encoder.hidden_dim, generator=generator) if pooler is None else deepcopy(pooler)
        return nn.Sequential(first, fresh)

    def begin(self, batches: Callable[[int], list[Any]], folder: Path) -> None:
        """Find or train the complementary model, keep a copy in the run's folder, and freeze it."""
        if self.complementary is None:
            return
        start, device = self.complementary.module, self.encoder.device

        def own(step: int) -> list[Tokens]:
            return [tokens for tokens, _ in batches(step)]

        def make() -> Encoder:
            if self.config.complementary:
                return complementary.find(self.config.complementary, device)
            return complementary.train(start, self.config, own, self.config.complementary_steps, self.generator)

        self.complementary = Frozen(complementary.keep(folder / "complementary", make, device))

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Tokens of each sentence, as the encoder and as the complementary model split it."""
        own = self.encoder.tokenize(list(examples))
        judge = self.complementary
        theirs = own if judge is None else judge.module.tokenize(list(examples))
        return list(zip(own, theirs, strict=True))

    def _second_view(self, tokens: Tokens, draws: Draws) -> list[int]:
        if self.config.augmentation != "shuffle":
            return tokens.ids
        return shuffle_tokens(tokens.truncate(self.config.max_length), draws.data)

    def _encode(self, rows: list[list[int]], draws: Draws) -> Tensor:
        """Vectors of all views, ``(2B, D)``: a cut-off wants the batch as a whole."""
        if not self.config.augmentation.partition("_")[2]:
            return self.encoder.in_groups(rows, self.config.max_length)
        tokens = self.encoder.collate(rows, self.config.max_length)
        with self._cutting(tokens, draws):
            vectors: Tensor = self.encoder(tokens)
            return vectors

    def _cutting(self, tokens: dict[str, Tensor], draws: Draws) -> AbstractContextManager[None]:
        """Erases word vectors of the second views, the lower half of the batch."""
        kind = self.config.augmentation.partition("_")[0]
        tokenizer = self.encoder.tokenizer
        special = torch.tensor([tokenizer.cls_token_id, tokenizer.sep_token_id], device=self.encoder.device)
        may = tokens["attention_mask"].bool() & ~torch.isin(tokens["input_ids"], special)  # (2B, T)

        def change(words: Tensor) -> Tensor:
            first, second = words.chunk(2)  # (B, T, D) each
            half = may.chunk(2)[1]
            rate = self.config.augmentation_rate
            return torch.cat([first, cutoff(second, half, kind, rate=rate, generator=draws.dropout)])

        return at_embeddings(self.encoder.backbone, change)

    def embed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """One forward over both views; noise before its ascent, and what the complementary model makes of them."""
        config = self.config
        rows = [tokens.ids for tokens, _ in batch] + [self._second_view(tokens, draws) for tokens, _ in batch]
        with self.dropout(draws):
            z1, z2 = self.head(self._encode(rows, draws)).chunk(2)  # (B, D) each
        views = {"z1": z1, "z2": z2}
        count = int(config.noise_ratio * len(batch))
        if count:
            own = (len(batch),) if config.noise_scope == "sentence" else ()
            views["noise"] = gaussian_noise(
                (*own, count, z1.shape[1]), sigma=config.noise_sigma, generator=draws.dropout
            )
        if self.complementary is not None:  # D7, D9: with its mask, without dropout, each sentence once
            judge = self.complementary
            own_rows = [theirs.ids for _, theirs in batch]
            views["complementary"] = judge.module.in_groups(own_rows, config.max_length, judge)
        return views

    def similarities(self, views: Views) -> Tensor | None:
        """Cosines of each sentence with each, by who judges negatives; None where nobody does. ``(B, B)``."""
        if self.config.weighting == "self":
            return normalize(views["z1"].detach().float()) @ normalize(views["z2"].detach().float()).T
        if "complementary" not in views:
            return None
        vectors = normalize(views["complementary"].float())
        return vectors @ vectors.T

    def _noise(self, views: Views) -> Tensor | None:
        if "noise" not in views:
            return None
        config, dim = self.config, views["noise"].shape[-1]
        steps, step_size = config.noise_steps, config.noise_step
        if config.beta_rel:
            step_size = step_size_for(config.beta_rel, steps, config.noise_sigma, dim)
        return ascend_noise(
            views["noise"],
            views["z1"],
            views["z2"],
            steps=steps,
            step_size=step_size,
            temperature=config.temperature,
            variant="code" if config.variant == "code" else "paper",
        )

    def compare(self, views: Views) -> Terms:
        """The loss; how its softmax is shared out (by the repaired formula), and how many negatives are masked."""
        config, z1, z2 = self.config, views["z1"], views["z2"]
        alike, noise, weights = self.similarities(views), self._noise(views), None
        if alike is not None and config.weighting != "distill":
            quantile = config.phi_quantile or None
            weights = instance_weights(alike, phi=config.phi, quantile=quantile, strict=config.variant == "code")
        given: dict[str, Any] = {"noise": noise, "weights": weights, "temperature": config.temperature}
        loss = dclr(z1, z2, variant=config.variant, **given)
        if alike is not None and config.weighting == "distill":
            loss = loss + config.distill_weight * distillation(z1, z2, alike, temperature=config.temperature)
        mass = softmax_mass(z1, z2, **given)
        pairs = max(1, len(z1) * (len(z1) - 1))
        masked = torch.zeros(()) if weights is None else (weights == 0).sum() / pairs
        parts = {"positive_mass": mass.positive, "in_batch_mass": mass.in_batch, "noise_mass": mass.noise}
        return Terms(
            loss, {"positive_cosine": cosine_similarity(z1, z2).mean().detach(), **parts, "masked_share": masked}
        )

    def references(self) -> dict[str, float]:
        """The loss of a batch whose cosines are all equal."""
        columns = self.config.batch_size + int(self.config.noise_ratio * self.config.batch_size)
        if self.config.variant == "code":
            chance = 1 / columns
            return {"guessing": -(math.log(chance) + (columns - 1) * math.log(1 - chance)) / columns}
        return {"log(N+K)": math.log(columns - (self.config.variant == "literal"))}
