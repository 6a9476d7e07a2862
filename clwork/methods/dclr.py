"""DCLR (Zhou, Zhang, Zhao, Wen 2022): SimCSE with masked false negatives and with noise negatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, normalize

from ..arithmetic import at_least_float32
from ..augmenters import ascend_noise, cutoff, step_size_for
from ..augmenters._cutoff import at_embeddings
from ..augmenters.noise import gaussian_noise
from ..augmenters.words import shuffle_tokens
from ..encoders import Encoder, ProjectionHead, load_encoder
from ..encoders.copies import Frozen
from ..encoders.tokens import Tokens
from ..losses._dclr import dclr_scores, masking_weights, masses, shares_of_gradient
from ..losses.infonce import Scores
from ..settings import Needs, hyper, like
from .base import Draws, Method, PreparationContext, Terms, Views, register
from .forces import Candidates, Forces, ScoreTable, decode_rows, loss_table, number
from .hyperparameters import SHARE, DropoutRates, MethodConfig, Temperature, TrainedPooling
from .simcse import SimCSE, SimCSEConfig
from .step import train_step


def _noise_moves(config: Any) -> bool:
    return bool(config.noise_ratio > 0 and config.noise_steps > 0)


NOISE = Needs("there is no noise; set noise_ratio above 0", lambda c: c.noise_ratio > 0)
BY_STEP = Needs(
    "beta_rel replaces it, or noise takes no step; set beta_rel=0, and noise_ratio and noise_steps above 0",
    lambda c: _noise_moves(c) and not c.beta_rel,
)
OTHER = Needs(
    "no complementary model is used; set weighting='complementary'",
    lambda c: c.weighting == "complementary",
)
MASKING = Needs(
    "nothing is masked; set weighting='complementary' or 'self', and another variant than 'literal'",
    lambda c: c.weighting in ("complementary", "self") and c.variant != "literal",
)


@dataclass(kw_only=True)
class DCLRConfig(DropoutRates, Temperature, MethodConfig):
    """Defaults are those of the released code for BERT-base, except the head, which is SimCSE's for comparability."""

    batch_size: int = like(MethodConfig, "batch_size", 128)
    noise_ratio: float = hyper(
        1.0,
        "Noise vectors per sentence of the batch; 0: none.",
        low=0.0,
        high=10.0,
        unit="K/N",
        hot=True,
        title="noise per sentence κ",
        span=(0.0, 5.0),
    )
    beta_rel: float = hyper(
        0.0,
        "Rotation of noise towards sentences, β·t/(σ·√d); 0: use the β below.",
        low=0.0,
        high=10.0,
        hot=True,
        title="how far noise turns",
        symbol=r"\beta t/(\sigma\sqrt{d})",
        span=(0.0, 2.0),
        needs=Needs("noise takes no step; set noise_ratio and noise_steps above 0", _noise_moves),
    )
    noise_step: float = hyper(
        1e-3,
        "Length of one step of the noise.",
        low=1e-6,
        high=1e3,
        hot=True,
        log=True,
        needs=BY_STEP,
        title="step of the noise β",
        span=(1e-4, 10.0),
    )
    noise_steps: int = hyper(
        4,
        "Gradient-ascent steps of the noise; 0: the paper's variant Random Noise.",
        low=0,
        high=50,
        hot=True,
        needs=NOISE,
        title="steps of the noise t",
        span=(0, 12),
    )
    noise_sigma: float = hyper(
        1.0,
        "Standard deviation of the noise before the ascent.",
        low=1e-3,
        high=1e3,
        log=True,
        needs=BY_STEP,
        title="spread of the noise σ",
        span=(0.01, 10.0),
    )
    noise_scope: Literal["batch", "sentence"] = hyper(
        "batch",
        "Share noise in the batch (as released), or draw it for each sentence.",
        needs=NOISE,
    )
    weighting: Literal["complementary", "self", "none"] = hyper(
        "complementary",
        "Model that finds false negatives: a complementary one, the trained one itself, or none.",
        title="false negatives by",
    )
    complementary: str = hyper(
        "",
        "The complementary model: name of a finished run, folder or encoder; empty: train SimCSE first.",
        title="the other model",
        needs=OTHER,
    )
    complementary_steps: int = hyper(
        60,
        "Training steps of that SimCSE if no model is named; 0: use the initial encoder.",
        low=0,
        high=100_000,
        title="complementary model's steps",
        needs=Needs(
            "no SimCSE is trained first; set weighting='complementary', and complementary=''",
            lambda c: OTHER.met(c) and not c.complementary,
        ),
    )
    complementary_head: bool = hyper(
        False,
        "Read the complementary model after its head or pooler, as released; else as at test.",
        needs=OTHER,
    )
    phi: float = hyper(
        0.9,
        "φ: in-batch negatives with this cosine or more are masked.",
        low=-1.0,
        high=1.0,
        hot=True,
        title="limit of masking φ",
        span=(0.0, 1.0),
        needs=Needs(
            "phi_quantile replaces it, or nothing is masked; set phi_quantile=0, weighting='complementary' or "
            "'self', and another variant than 'literal'",
            lambda c: MASKING.met(c) and not c.phi_quantile,
        ),
    )
    phi_quantile: float = hyper(
        0.0,
        "Compute φ from the batch: 0.95 masks its most similar 5 % of pairs; 0: use φ.",
        low=0.0,
        high=0.999,
        hot=True,
        title="φ as a quantile",
        needs=MASKING,
    )
    judge_noise: bool = hyper(
        False,
        "Mask noise with the same φ too, as the paper's text says.",
        needs=Needs(
            "there is noise and masking only with noise_ratio above 0, weighting='complementary' or 'self', "
            "and another variant than 'literal'",
            lambda c: c.noise_ratio > 0 and MASKING.met(c),
        ),
    )
    variant: Literal["paper", "code", "literal"] = hyper(
        "paper",
        "The loss as intended, as released (binary cross-entropy, zeroed logits), or as printed.",
    )
    augmentation: Literal["dropout", "shuffle", "feature_cutoff", "token_cutoff", "span_cutoff"] = (
        hyper("dropout", "Augmentation of view 2 in addition to dropout.", title="view 2")
    )
    augmentation_rate: float = hyper(
        0.15,
        "Share of features or words that a cut-off erases.",
        **SHARE,
        needs=Needs(
            "only cut-offs have a rate; set augmentation to one",
            lambda c: c.augmentation.endswith("_cutoff"),
        ),
    )
    same_group: float = like(SimCSEConfig, "same_group", 0.0)
    pooling: TrainedPooling = like(SimCSEConfig, "pooling", "auto")
    head: Literal["one", "two", "none"] = hyper(
        "one", "Linear+tanh layers in training: one as in SimCSE, two as released, or none."
    )


PAPER = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}{e^{\cos(z_i, z'_i)/\tau} + "
    r"\sum_{j\neq i}\alpha_{ij} e^{\cos(z_i, z'_j)/\tau} + \sum_k e^{\cos(z_i, n_k)/\tau}}"
)
LITERAL = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}{\sum_{j\neq i} e^{\cos(z_i, z'_j)/\tau} + "
    r"\sum_k e^{\cos(z_i, n_k)/\tau}}"
)
CODE = (
    r"\ell_i = -\frac{1}{B+K}\Bigl(\log P_{ii} + \sum_{j\neq i}\log(1 - P_{ij})\Bigr),\quad "
    r"P_{ij} = \frac{e^{\alpha_{ij} s_{ij}/\tau}}{\sum_k e^{\alpha_{ik} s_{ik}/\tau}}"
)


def table(scores: Scores, z1: Tensor, z2: Tensor, noise: Tensor | None) -> ScoreTable:
    """Return the table of DCLR's scores, with the formula of the variant."""
    candidates = [Candidates("view 2", z2, view="z2")]
    if noise is not None:
        candidates.append(Candidates("noise", noise, "noise", synthetic=True))
    made = loss_table("view 1 retrieves view 2", scores, z1, *candidates, formula=PAPER)
    if scores.reduction == "softmax":
        return made
    fixed = scores.detached()
    losses = fixed.losses().tolist()

    def lines(row: int) -> list[str]:
        if fixed.reduction == "binary":  # as released; a masked pair has logit 0 and no gradient
            own_share = f"P_{{ii}} = {number(float(fixed.shares[row, row]))}"
            return [CODE, rf"\ell_{{{row + 1}}} = {number(losses[row])},\quad {own_share}"]
        logits, positive = fixed.logits[row], fixed.positive[row]  # as printed, without masks
        own, below = float(logits[positive]), float(logits[~positive].logsumexp(dim=0))
        ratio = rf"\frac{{e^{{{own:.2f}}}}}{{e^{{{below:.2f}}}}}"
        return [LITERAL, rf"\ell_{{{row + 1}}} = -\log{ratio} = {number(below - own)}"]

    return replace(made, lines=lines)


@register
class DCLR(Method[DCLRConfig]):
    """Two dropout views of each sentence; the negatives are noise and the other sentences that are not masked."""

    name = "dclr"
    title = "DCLR"
    paper = "https://arxiv.org/abs/2205.00656"
    notebook = "03_dclr"
    Config = DCLRConfig
    formula = (
        r"\ell_i = -\log \frac{e^{\cos(z_i,\, z_i')/\tau}}{\sum_{j=1}^{N} \alpha_{ij}\, e^{\cos(z_i,\, z_j')/\tau}"
        r" + \sum_{k=1}^{\kappa N} e^{\cos(z_i,\, \hat z_k)/\tau}}, \quad"
        r"\alpha_{ij} = \begin{cases} 0 & \cos_C(x_i, x_j) \ge \varphi,\ i \ne j \\ 1 & \text{else} \end{cases}"
    )
    knobs = ("temperature", "noise_ratio", "beta_rel", "phi_quantile", "weighting", "learning_rate")
    published: ClassVar = {
        "paper": {"noise_scope": "sentence"},
        "released code": {"variant": "code", "head": "two", "complementary_head": True},
    }
    # SimCSE's preset and batch for the mini encoder. With the released β, noise has less than a thousandth of the
    # softmax mass; beta_rel corrects this. φ = 0.9 masks more or less from encoder to encoder; phi_quantile does not.
    _own: ClassVar = {"batch_size": 64, "beta_rel": 0.7, "phi_quantile": 0.95}
    presets: ClassVar = {"mini": {**SimCSE.presets["mini"], **_own}}

    def __init__(self, encoder: Encoder, config: DCLRConfig, generator: torch.Generator) -> None:
        super().__init__(encoder, config, generator)
        self.pooling = self.pooling_of(encoder, config)
        self.encoder = encoder.without_head(self.pooling)
        self.head = self._head(encoder, generator)
        needed = config.weighting == "complementary"
        self.complementary = Frozen(self.encoder) if needed else None  # begin() replaces this copy

    def _head(self, encoder: Encoder, generator: torch.Generator) -> nn.Module:
        if self.config.head == "none":
            return nn.Identity()
        fresh = ProjectionHead(encoder.hidden_dim, generator=generator)
        if self.config.head == "one":
            return fresh
        pooler = (
            encoder.head if isinstance(encoder.head, ProjectionHead) else None
        )  # BERT's pooler, if any
        first = (
            ProjectionHead(encoder.hidden_dim, generator=generator)
            if pooler is None
            else deepcopy(pooler)
        )
        return nn.Sequential(first, fresh)

    def begin(self, batches: Callable[[int], list[Any]], context: PreparationContext) -> None:
        """Load or train the complementary model, store a copy in the run's folder, and freeze it."""
        if self.complementary is None:
            return
        start, device = self.complementary.module, self.encoder.device
        for copied, own in zip(start.parameters(), self.encoder.parameters(), strict=True):
            copied.requires_grad_(own.requires_grad)  # as SimCSE trains the copy

        def make() -> Encoder:
            name = self.config.complementary
            if not name:
                return self._train_complementary(start, batches, context)
            other = context.named_encoder(
                "complementary", name, lambda place: load_complementary(place, device)
            )
            return apply_head(other, name) if self.config.complementary_head else other

        self.complementary = Frozen(context.keep_encoder("complementary", make, str(device)))

    def _train_complementary(
        self, encoder: Encoder, batches: Callable[[int], list[Any]], context: PreparationContext
    ) -> Encoder:
        """Train ``encoder`` by unsupervised SimCSE with the hyperparameters that both methods have."""
        known = {field.name for field in fields(SimCSEConfig)} - {
            "head",
            "augmentation",
            "augmentation_rate",
        }
        shared = {name: value for name, value in vars(self.config).items() if name in known}
        head: Literal["both", "train_only"] = (
            "both" if self.config.complementary_head else "train_only"
        )
        method = SimCSE(encoder, SimCSEConfig(**shared, head=head), self.generator).to(
            encoder.device
        )
        seed = int(torch.randint(1 << 30, (), generator=self.generator))
        optimizer, steps = method.optimizer(), context.length(self.config.complementary_steps)
        for step in range(steps):
            context.progress("training the complementary model", step, steps)
            batch = [tokens for tokens, _ in batches(step)]
            train_step(method, optimizer, batch, Draws.of(seed, step, encoder.device), step, steps)
            method.after_step()
        context.progress("training the complementary model", steps, steps)
        return method.test_encoder()

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Return each sentence's tokens for the encoder and for the complementary model."""
        own = self.encoder.tokenize(list(examples))
        other = self.complementary
        theirs = own if other is None else other.module.tokenize(list(examples))
        return list(zip(own, theirs, strict=True))

    def _second_view(self, tokens: Tokens, draws: Draws) -> list[int]:
        if self.config.augmentation != "shuffle":
            return tokens.ids
        return shuffle_tokens(tokens.truncate(self.config.max_length), draws.data)

    def _encode(self, rows: list[list[int]], draws: Draws) -> Tensor:
        """Encode all views, ``(2B, D)``; a cut-off needs one forward pass for the whole batch."""
        kind: Any
        kind, _, cut = self.config.augmentation.partition("_")
        if not cut:
            return self.encoder.forward_by_length(rows, self.config.max_length)
        tokens, tokenizer = (
            self.encoder.collate(rows, self.config.max_length),
            self.encoder.tokenizer,
        )
        special = torch.tensor(
            [tokenizer.cls_token_id, tokenizer.sep_token_id], device=self.encoder.device
        )
        may = tokens["attention_mask"].bool() & ~torch.isin(tokens["input_ids"], special)  # (2B, T)

        def change(words: Tensor) -> Tensor:
            """Cut off word vectors of the second views, the second half of the batch."""
            (first, second), half = words.chunk(2), may.chunk(2)[1]  # (B, T, D) each
            rate = self.config.augmentation_rate
            return torch.cat(
                [first, cutoff(second, half, kind, rate=rate, generator=draws.dropout)]
            )

        with at_embeddings(self.encoder.backbone, change):
            vectors: Tensor = self.encoder(tokens)
        return vectors

    def fixed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute the complementary model's vectors, with the attention mask and without dropout (D7, D9)."""
        other = self.complementary
        if other is None:
            return {}
        rows = [theirs.ids for _, theirs in batch]
        return {
            "complementary": other.module.forward_by_length(rows, self.config.max_length, other)
        }

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute both views in one forward pass."""
        rows = [tokens.ids for tokens, _ in batch] + [
            self._second_view(tokens, draws) for tokens, _ in batch
        ]
        with self.dropout(draws):
            z1, z2 = self.head(self._encode(rows, draws)).chunk(2)  # (B, D) each
        return {"z1": z1, "z2": z2}

    def complete(self, views: Views, draws: Draws) -> Views:
        """Add ``noise_ratio`` · B Gaussian noise vectors as negatives; compare() then moves them by gradient ascent."""
        config, (size, width) = self.config, views["z1"].shape
        count = int(config.noise_ratio * size)
        if not count:
            return views
        own = (size,) if config.noise_scope == "sentence" else ()
        return views | {
            "noise": gaussian_noise(
                (*own, count, width), sigma=config.noise_sigma, generator=draws.dropout
            )
        }

    def similarities(self, views: Views) -> Tensor | None:
        """Return the sentences' cosines ``(B, B)`` in the model that finds false negatives; None if there is none."""
        if self.config.weighting == "self":
            z1, z2 = (normalize(at_least_float32(views[name].detach())) for name in ("z1", "z2"))
            return z1 @ z2.T
        if "complementary" not in views:
            return None
        vectors = normalize(at_least_float32(views["complementary"]))
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
        """Compute the loss, softmax masses, gradient shares, and the share of in-batch negatives that are masked."""
        z1, z2 = views["z1"], views["z2"]
        scores, noise, weights = self._scores(views)
        mass, gradient = masses(scores), shares_of_gradient(scores, z1, z2, noise)
        pairs = max(1, len(z1) * (len(z1) - 1))
        masked = None if weights is None else weights[:, : len(z1)] == 0  # (B, B)
        share = torch.zeros(()) if masked is None else masked.sum() / pairs
        parts = {
            "positive_mass": mass.positive,
            "in_batch_mass": mass.in_batch,
            "noise_mass": mass.noise,
        }
        parts |= {
            "masked_share": share,
            "noise_gradient": gradient.noise,
            "masking_gradient": gradient.masking,
        }
        return Terms(
            scores.loss(),
            {"positive_cosine": cosine_similarity(z1, z2).mean().detach(), **parts},
            masked,
        )

    def _scores(self, views: Views) -> tuple[Scores, Tensor | None, Tensor | None]:
        """Return the scores, the noise after gradient ascent, and the weights of the negatives."""
        config, similarities, noise = self.config, self.similarities(views), self._noise(views)
        weights = None if similarities is None else self._weights(similarities, views, noise)
        return (
            dclr_scores(
                views["z1"], views["z2"], noise, weights, config.temperature, config.variant
            ),
            noise,
            weights,
        )

    def forces(self, views: Views) -> Forces:
        """Return one score table: the first views with all unmasked second views and noise vectors."""
        scores, noise, _ = self._scores(views)
        return Forces(
            (table(scores, views["z1"], views["z2"], noise),), {"contrast": scores.loss()}
        )

    def view_texts(
        self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws
    ) -> dict[str, list[str]]:
        """Return the texts of shuffled second views; other augmentations do not change the words."""
        if self.config.augmentation != "shuffle":
            return {}
        return {
            "z2": decode_rows(
                self.encoder, [self._second_view(tokens, draws) for tokens, _ in batch]
            )
        }

    def _weights(self, similarities: Tensor, views: Views, noise: Tensor | None) -> Tensor:
        """Return the negatives' weights α: ``(B, B)``, or ``(B, B + K)`` if noise near a sentence is masked (D16)."""
        config, with_noise = self.config, None
        if config.judge_noise and noise is not None:
            own = views["z1"].detach() if config.weighting == "self" else views["complementary"]
            if own.shape[1] != noise.shape[-1]:
                raise ValueError(
                    f"judge_noise compares noise of width {noise.shape[-1]} with the complementary model's vectors of "
                    f"width {own.shape[1]}; name a model of the noise's width, or set judge_noise=False"
                )
            noise = noise if noise.dim() == 3 else noise[None]
            with_noise = cosine_similarity(at_least_float32(own)[:, None], noise, dim=-1)
        strict, quantile = config.variant == "code", config.phi_quantile or None
        return masking_weights(similarities, config.phi, quantile, strict, with_noise)

    def references(self) -> dict[str, float]:
        """Return the loss of a batch whose cosines are all equal."""
        columns = self.config.batch_size + int(self.config.noise_ratio * self.config.batch_size)
        if self.config.variant == "code":
            chance = 1 / columns
            return {
                "guessing": -(math.log(chance) + (columns - 1) * math.log(1 - chance)) / columns
            }
        return {"log(N+K)": math.log(columns - (self.config.variant == "literal"))}


def load_complementary(name: str | Path, device: torch.device) -> Encoder:
    """Load an encoder by name or folder, with the pooling that it uses at test time."""
    try:
        return load_encoder(name, device=str(device))
    except (OSError, ValueError) as error:
        raise ValueError(
            f"complementary={str(name)!r} is not a run, and loading an encoder failed: {error}"
        ) from error


def apply_head(encoder: Encoder, name: str | Path) -> Encoder:
    """Return the encoder with its head or pooler applied, as in the released code (D17)."""
    if encoder.head is None:
        raise ValueError(
            f"complementary={str(name)!r} has no head or pooler; set complementary_head=False, or name a model with "
            "one (SimCSE with head='both')"
        )
    return encoder.with_pooling("cls") if encoder.pooling == "cls_before_pooler" else encoder
