"""DCLR (Zhou, Zhang, Zhao, Wen 2022): SimCSE whose false negatives are masked, and noise as further negatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import replace
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, normalize

from ..augmenters import ascend_noise, at_embeddings, cutoff, gaussian_noise, shuffle_tokens, step_size_for
from ..encoders import Encoder, Frozen, ProjectionHead, Tokens
from ..losses import dclr, distillation, gradient_shares, instance_weights, softmax_mass
from ..losses.dclr_loss import binary, without_positive
from ..losses.distillation_loss import divergence
from . import complementary
from .base import Draws, Method, PreparationContext, Terms, Views
from .dclr_config import DCLRConfig
from .forces import Candidates, Contest, Forces, meet, number, read_back, softmax
from .registry import register
from .simcse import SimCSE

PAPER = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}{e^{\cos(z_i, z'_i)/\tau} + "
    r"\sum_{j\neq i}\alpha_{ij} e^{\cos(z_i, z'_j)/\tau} + \sum_k e^{\cos(z_i, n_k)/\tau}}"
)
RETOLD = (
    r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}{\sum_{j\neq i} e^{\cos(z_i, z'_j)/\tau} + "
    r"\sum_k e^{\cos(z_i, n_k)/\tau}}"
)
RELEASED = (
    r"\ell_i = -\frac{1}{B+K}\Bigl(\log P_{ii} + \sum_{j\neq i}\log(1 - P_{ij})\Bigr),\quad "
    r"P_{ij} = \frac{e^{\alpha_{ij} s_{ij}/\tau}}{\sum_k e^{\alpha_{ik} s_{ik}/\tau}}"
)


def told(
    config: Any, z1: Tensor, z2: Tensor, noise: Tensor | None, weights: Tensor | None, alike: Tensor | None
) -> Forces:
    """The loss from scores; ``weights`` as :func:`clwork.losses.dclr` takes them, ``alike`` where it is distilled."""
    met = [Candidates("view 2", z2, view="z2")]
    if noise is not None:
        met.append(Candidates("noise", noise, "noise", nobody=True))
    found = meet("view 1 looks for view 2", z1, *met)
    alpha = torch.ones_like(found.scores, requires_grad=False)  # (B, B + K)
    if weights is not None:
        alpha[:, : weights.shape[1]] = weights.to(alpha)
    if config.variant == "paper":
        found = softmax(found, config.temperature, log_weights=alpha.log(), formula=PAPER)
    else:
        found = (_released if config.variant == "code" else _retold)(found, alpha, config.temperature)
    terms = {"contrast": found.loss}
    if alike is not None:
        logits = found.scores[:, found.columns(0)] / config.temperature
        terms["distillation"] = config.distill_weight * divergence(logits, alike, config.temperature).mean()
    return Forces((found,), terms)


def _released(found: Contest, alpha: Tensor, temperature: float) -> Contest:
    """Binary cross-entropy: a weight of 0 makes a logit 0; the pair keeps a share of the softmax and is not moved."""
    logits = found.scores / temperature * alpha
    losses, p = binary(logits).mean(dim=1), logits.detach().softmax(dim=1)
    values = losses.detach().tolist()

    def lines(row: int) -> list[str]:
        own = f"P_{{ii}} = {number(float(p[row, row]))}"
        return [RELEASED, rf"\ell_{{{row + 1}}} = {number(values[row])},\quad {own}"]

    return replace(found, losses=losses, weights=p, lines=lines)


def _retold(found: Contest, _: Tensor, temperature: float) -> Contest:
    """The positive is not in the denominator, and nothing is left out."""
    logits = found.scores / temperature
    losses = without_positive(logits)
    below = logits.detach().masked_fill(found.positive, -math.inf)  # (B, C)
    mine, others = logits.detach()[found.positive].tolist(), below.logsumexp(dim=1).tolist()

    def lines(row: int) -> list[str]:
        ratio = rf"\frac{{e^{{{mine[row]:.2f}}}}}{{e^{{{others[row]:.2f}}}}}"
        return [RETOLD, rf"\ell_{{{row + 1}}} = -\log{ratio} = {number(others[row] - mine[row])}"]

    return replace(found, losses=losses, weights=below.softmax(dim=1), lines=lines)


@register
class DCLR(Method[DCLRConfig]):
    """Two dropout views of each sentence; other sentences and noise are the negatives, false ones left out."""

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
    # rate, dropout and batch as SimCSE's with the mini. With the released β noise gets less than a thousandth of the
    # softmax there, and what φ = 0.9 masks hangs on how an encoder spreads its cosines; on these two nothing hangs.
    _own: ClassVar = {"batch_size": 64, "beta_rel": 0.7, "phi_quantile": 0.95}
    presets: ClassVar = {"mini": {**SimCSE.presets["mini"], **_own}}

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

    def begin(self, batches: Callable[[int], list[Any]], context: PreparationContext) -> None:
        """Find or train the complementary model, keep a copy in the run's folder, and freeze it."""
        if self.complementary is None:
            return
        config, start, device = self.config, self.complementary.module, self.encoder.device

        def own(step: int) -> list[Tokens]:
            return [tokens for tokens, _ in batches(step)]

        def make() -> Encoder:
            if config.complementary:
                found = context.named_encoder(
                    "complementary", config.complementary, lambda place: complementary.find(place, device)
                )
                behind = config.complementary_head
                return complementary.read_behind_head(found, config.complementary) if behind else found
            return complementary.train(
                start,
                config,
                own,
                config.complementary_steps,
                self.generator,
                behind_head=config.complementary_head,
                told=lambda done, total: context.progress("training the model that judges negatives", done, total),
            )

        self.complementary = Frozen(context.keep_encoder("complementary", make, str(device)))

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
        """The loss; how softmax and gradient are shared out (by the repaired formula); what share is masked."""
        config, z1, z2 = self.config, views["z1"], views["z2"]
        alike, noise, weights = self._judged(views)
        given: dict[str, Any] = {"noise": noise, "weights": weights, "temperature": config.temperature}
        loss = dclr(z1, z2, variant=config.variant, **given)
        if alike is not None:
            loss = loss + config.distill_weight * distillation(z1, z2, alike, temperature=config.temperature)
        mass, felt = softmax_mass(z1, z2, **given), gradient_shares(z1, z2, **given)
        pairs = max(1, len(z1) * (len(z1) - 1))
        masked = torch.zeros(()) if weights is None else (weights[:, : len(z1)] == 0).sum() / pairs
        parts = {"positive_mass": mass.positive, "in_batch_mass": mass.in_batch, "noise_mass": mass.noise}
        parts |= {"masked_share": masked, "noise_gradient": felt.noise, "masking_gradient": felt.masking}
        return Terms(loss, {"positive_cosine": cosine_similarity(z1, z2).mean().detach(), **parts})

    def _judged(self, views: Views) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        """The teacher's cosines where they are distilled; the noise; who counts as a negative."""
        alike, noise = self.similarities(views), self._noise(views)
        if alike is None or self.config.weighting == "distill":
            return alike, noise, None
        return None, noise, self._weights(alike, views, noise)

    def forces(self, views: Views) -> Forces:
        """One softmax: view 1 looks for view 2 among second views that count, and noise."""
        alike, noise, weights = self._judged(views)
        return told(self.config, views["z1"], views["z2"], noise, weights, alike)

    def view_texts(self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws) -> dict[str, list[str]]:
        """The shuffled second views; all others keep their words."""
        if self.config.augmentation != "shuffle":
            return {}
        return {"z2": read_back(self.encoder, [self._second_view(tokens, draws) for tokens, _ in batch])}

    def _weights(self, alike: Tensor, views: Views, noise: Tensor | None) -> Tensor:
        """Who counts as a negative, by the cosines of who judges: ``(B, B)``, or with noise judged too ``(B, B + K)``.

        The judge has no text of a noise vector to read. What can be compared is its vector of the sentence (D16).
        """
        config, heard = self.config, None
        if config.judge_noise and noise is not None:
            own = views["z1"].detach() if config.weighting == "self" else views["complementary"]
            if own.shape[1] != noise.shape[-1]:
                raise ValueError(
                    f"judge_noise compares the complementary model's vectors, of width {own.shape[1]}, with noise of "
                    f"width {noise.shape[-1]}; name a model of that width, or set judge_noise=False"
                )
            heard = cosine_similarity(own.float()[:, None], noise if noise.dim() == 3 else noise[None], dim=-1)
        strict, quantile = config.variant == "code", config.phi_quantile or None
        return instance_weights(alike, phi=config.phi, quantile=quantile, strict=strict, noise=heard)

    def references(self) -> dict[str, float]:
        """The loss of a batch whose cosines are all equal."""
        columns = self.config.batch_size + int(self.config.noise_ratio * self.config.batch_size)
        if self.config.variant == "code":
            chance = 1 / columns
            return {"guessing": -(math.log(chance) + (columns - 1) * math.log(1 - chance)) / columns}
        return {"log(N+K)": math.log(columns - (self.config.variant == "literal"))}
