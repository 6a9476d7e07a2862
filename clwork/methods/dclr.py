"""DCLR (Zhou, Zhang, Zhao, Wen 2022): SimCSE with masked false negatives and noise negatives.

Numbers such as D7 refer to docs/discrepancies.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, normalize

from ..arithmetic import at_least_float32
from ..augmenters import ascend_noise, step_size_for
from ..augmenters.noise import gaussian_noise
from ..augmenters.word_vectors import at_embeddings, cut_tokens
from ..encoders import Encoder, ProjectionHead, load_encoder
from ..encoders.copies import Frozen
from ..losses._dclr import dclr_scores, masking_weights, masses, shares_of_gradient
from ..losses.checks import Variant
from ..losses.infonce import Scores
from ..settings import Needs, build, hyper, like
from .base import Draws, Method, PreparationContext, Terms, Views
from .forces import Candidates, Forces, loss_table
from .hyperparameters import DropoutRates, MethodConfig, Temperature, TrainedPooling
from .registry import register
from .simcse import SimCSE, SimCSEConfig
from .step import train_step

RELEASED_STEP = 1e-3
"""β, the length of one step of the noise in the released code, for noise with σ = 1."""
CUTOFF_RATE = 0.15
"""Share of words that a cut-off sets to zero."""
NOISE = Needs("there is no noise; set noise_ratio above 0", lambda c: c.noise_ratio > 0)
OTHER = Needs(
    "no complementary model is used; set weighting='complementary'",
    lambda c: c.weighting == "complementary",
)
MASKING = Needs(
    "nothing is masked; set weighting='complementary' or 'self', and another variant than "
    "'literal'",
    lambda c: c.weighting in ("complementary", "self") and c.variant != "literal",
)
# The loss of one row by variant, as the forces panel shows it.
FORMULAS: dict[Variant, str] = {
    "paper": (
        r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}{e^{\cos(z_i, z'_i)/\tau} + "
        r"\sum_{j\neq i}\alpha_{ij} e^{\cos(z_i, z'_j)/\tau} + \sum_k e^{\cos(z_i, n_k)/\tau}}"
    ),
    "literal": (
        r"\ell_i = -\log\frac{e^{\cos(z_i, z'_i)/\tau}}{\sum_{j\neq i} e^{\cos(z_i, z'_j)/\tau} + "
        r"\sum_k e^{\cos(z_i, n_k)/\tau}}"
    ),
    "code": (
        r"\ell_i = -\frac{1}{B+K}\Bigl(\log P_{ii} + \sum_{j\neq i}\log(1 - P_{ij})\Bigr),\quad "
        r"P_{ij} = \frac{e^{\alpha_{ij} s_{ij}/\tau}}{\sum_k e^{\alpha_{ik} s_{ik}/\tau}}"
    ),
}


@dataclass(kw_only=True)
class DCLRConfig(DropoutRates, Temperature, MethodConfig):
    """Defaults are the released code's for BERT-base, but the head is SimCSE's, to compare them."""

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
        "Rotation of noise towards sentences, β·t/(σ·√d); 0: the released code's, β = 0.001 and "
        "σ = 1.",
        low=0.0,
        high=10.0,
        hot=True,
        title="how far noise turns",
        symbol=r"\beta t/(\sigma\sqrt{d})",
        span=(0.0, 2.0),
        needs=Needs(
            "noise takes no step; set noise_ratio and noise_steps above 0",
            lambda c: c.noise_ratio > 0 and c.noise_steps > 0,
        ),
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
        "The complementary model: name of a finished run, folder or encoder; empty: train SimCSE "
        "first.",
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
    phi: float = hyper(
        0.9,
        "φ: in-batch negatives with this cosine or more are masked.",
        low=-1.0,
        high=1.0,
        hot=True,
        title="limit of masking φ",
        span=(0.0, 1.0),
        needs=Needs(
            "phi_quantile replaces it, or nothing is masked; set phi_quantile=0, "
            "weighting='complementary' or 'self', and another variant than 'literal'",
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
    variant: Literal["paper", "code", "literal"] = hyper(
        "paper",
        "The loss as intended, as released (binary cross-entropy, zeroed logits), or as printed.",
    )
    augmentation: Literal["dropout", "token_cutoff"] = hyper(
        "dropout",
        "Augmentation of view 2: dropout alone, or 15 % of the words cut off as well.",
        title="view 2",
    )
    same_group: float = like(SimCSEConfig, "same_group", 0.0)
    pooling: TrainedPooling = like(SimCSEConfig, "pooling", "auto")
    head: Literal["one", "two"] = hyper(
        "one", "Linear+tanh layers in training: one as in SimCSE, or two as released."
    )


@register
class DCLR(Method[DCLRConfig]):
    """Two dropout views; negatives are noise, and the other sentences that are not masked."""

    name = "dclr"
    title = "DCLR"
    paper = "https://arxiv.org/abs/2205.00656"
    notebook = "03_dclr"
    Config = DCLRConfig
    formula = (
        r"\ell_i = -\log \frac{e^{\cos(z_i,\, z_i')/\tau}}"
        r"{\sum_{j=1}^{N} \alpha_{ij}\, e^{\cos(z_i,\, z_j')/\tau}"
        r" + \sum_{k=1}^{\kappa N} e^{\cos(z_i,\, \hat z_k)/\tau}}, \quad"
        r"\alpha_{ij} = \begin{cases} 0 & \cos_C(x_i, x_j) \ge \varphi,\ i \ne j"
        r" \\ 1 & \text{else} \end{cases}"
    )
    main_settings = (
        "temperature",
        "noise_ratio",
        "beta_rel",
        "phi_quantile",
        "weighting",
        "learning_rate",
    )
    published: ClassVar = {
        "paper": {"noise_scope": "sentence"},
        "released code": {"variant": "code", "head": "two"},
    }
    # SimCSE's preset and batch for each mini. With the released β, noise has less than a
    # thousandth of the softmax mass; beta_rel corrects this. φ = 0.9 masks more or less from
    # encoder to encoder; phi_quantile does not.
    _mini: ClassVar = {"batch_size": 64, "beta_rel": 0.7, "phi_quantile": 0.95}
    presets: ClassVar = {
        "mini": {**SimCSE.presets["mini"], **_mini},
        "mini-old": {**SimCSE.presets["mini-old"], **_mini},
    }

    def __init__(self, encoder: Encoder, config: DCLRConfig, generator: torch.Generator) -> None:
        super().__init__(encoder, config, generator)
        self.head = self._head(encoder, generator)
        self.complementary: Frozen[Encoder] | None = None
        if config.weighting == "complementary":
            # A copy of the encoder, until begin() replaces it by the complementary model.
            self.complementary = Frozen(self.encoder)

    def _head(self, encoder: Encoder, generator: torch.Generator) -> nn.Module:
        """Return the layers after the pooling, one or two, which only training uses."""
        last = ProjectionHead(encoder.hidden_dim, generator=generator)
        if self.config.head == "one":
            return last
        # The released code trains BERT's pooler, if the encoder has one, and then a new layer.
        if isinstance(encoder.head, ProjectionHead):
            return nn.Sequential(deepcopy(encoder.head), last)
        return nn.Sequential(ProjectionHead(encoder.hidden_dim, generator=generator), last)

    def begin(self, batches: Callable[[int], list[Any]], context: PreparationContext) -> None:
        """Load or train the complementary model, store it in the run's folder, and freeze it.

        A new run loads the model that the config names, or else trains the copy of its encoder. A
        resumed run loads the stored model, so that its weights are the same.
        """
        if self.complementary is None:
            # The config chooses no complementary weighting.
            return
        # __init__ has frozen this copy. To train it, SimCSE makes its weights trainable again.
        copy_of_encoder = self.complementary.module
        device = str(self.encoder.device)

        def make() -> Encoder:
            """Return the complementary model of a run that has not stored one yet."""
            name = self.config.complementary
            if name:
                return load_encoder(context.encoder_of(name), device=device)
            return self._train_complementary(copy_of_encoder, batches, context)

        model = context.keep_encoder("complementary", make, device)
        self.complementary = Frozen(model)

    def _train_complementary(
        self, encoder: Encoder, batches: Callable[[int], list[Any]], context: PreparationContext
    ) -> Encoder:
        """Train ``encoder`` by unsupervised SimCSE with the settings that both methods have."""
        known = {field.name for field in fields(SimCSEConfig)}
        # SimCSE has settings of these two names, but with other choices.
        shared = known - {"head", "augmentation"}
        values = {name: value for name, value in vars(self.config).items() if name in shared}
        method = SimCSE(encoder, build(SimCSEConfig, values), self.generator).to(encoder.device)
        # The seed differs from the run's, so that the run's own steps draw other numbers.
        seed = int(torch.randint(1 << 30, (), generator=self.generator))
        optimizer = method.optimizer()
        steps = self.config.complementary_steps
        for step in range(steps):
            context.progress("training the complementary model", step, steps)
            # Each example is a pair, whose second item is the complementary model's tokens.
            batch = [tokens for tokens, _ in batches(step)]
            train_step(method, optimizer, batch, Draws.of(seed, step, encoder.device), step, steps)
            method.after_step()
        context.progress("training the complementary model", steps, steps)
        return method.test_encoder()

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Return pairs: each sentence's tokens for the encoder and for the complementary model."""
        tokens = self.encoder.tokenize(list(examples))
        if self.complementary is None:
            return list(zip(tokens, tokens, strict=True))
        return list(zip(tokens, self.complementary.module.tokenize(list(examples)), strict=True))

    def fixed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute the complementary model's vectors, which find false negatives.

        ``batch`` has the pairs of :meth:`tokenize`. Unlike in the released code, padding is masked
        (D7), and there is no dropout (D9).
        """
        if self.complementary is None:
            return {}
        rows = [tokens.ids for _, tokens in batch]
        # The model forms groups of similar length. Each is computed by Frozen, hence without
        # gradient; a call of the model itself would build a graph.
        vectors = self.complementary.module.forward_by_length(
            rows, self.config.max_length, forward=self.complementary
        )
        return {"complementary": vectors}

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute both views in one forward pass."""
        # Every sentence is encoded twice. A cut-off changes the word vectors of the second views.
        rows = [tokens.ids for tokens, _ in batch] * 2
        with self.dropout(draws):
            z1, z2 = self.head(self._forward(rows, draws)).chunk(2)  # (B, D) each
        return {"z1": z1, "z2": z2}

    def _forward(self, rows: list[list[int]], draws: Draws) -> Tensor:
        """Encode all views, ``(2B, D)``; the first B ``rows`` of ids are the first views."""
        if self.config.augmentation == "dropout":
            return self.encoder.forward_by_length(rows, self.config.max_length)

        # A cut-off changes the word vectors of the whole batch, so it needs a single forward pass.
        tokens = self.encoder.collate(rows, self.config.max_length)
        tokenizer = self.encoder.tokenizer
        special = torch.tensor(
            [tokenizer.cls_token_id, tokenizer.sep_token_id], device=self.encoder.device
        )
        is_word = tokens["attention_mask"].bool() & ~torch.isin(tokens["input_ids"], special)

        def cut_second_views(embeddings: Tensor) -> Tensor:
            """Cut off word vectors of the second views, the second half of ``(2B, T, D)``."""
            first, second = embeddings.chunk(2)  # (B, T, D) each
            _, is_word_of_second = is_word.chunk(2)  # (B, T)
            changed = cut_tokens(
                second, is_word_of_second, rate=CUTOFF_RATE, generator=draws.dropout
            )
            return torch.cat([first, changed])

        with at_embeddings(self.encoder.backbone, cut_second_views):
            vectors: Tensor = self.encoder(tokens)
        return vectors

    def complete(self, views: Views, draws: Draws) -> Views:
        """Add Gaussian noise, which :meth:`compare` moves: K = ``noise_ratio`` · B vectors.

        Their shape is ``(K, D)``, or ``(B, K, D)`` if they are drawn for each sentence.
        """
        size, width = views["z1"].shape
        count = int(self.config.noise_ratio * size)
        if not count:
            return views
        for_each = self.config.noise_scope == "sentence"
        shape = (size, count, width) if for_each else (count, width)
        return views | {"noise": gaussian_noise(shape, generator=draws.dropout)}

    def compare(self, views: Views) -> Terms:
        """Compute the loss, softmax masses, gradient shares, and the masked share of negatives."""
        z1, z2 = views["z1"], views["z2"]
        scores, noise, weights = self._scores(views)
        mass = masses(scores)
        gradient = shares_of_gradient(scores, z1, z2, noise)
        masked_share = torch.zeros(())
        if weights is not None:
            # The share is that of the pairs of two different sentences.
            masked_share = (weights == 0).sum() / max(1, len(z1) * (len(z1) - 1))
        parts = {
            "positive_cosine": cosine_similarity(z1, z2).mean().detach(),
            "positive_mass": mass.positive,
            "in_batch_mass": mass.in_batch,
            "noise_mass": mass.noise,
            "masked_share": masked_share,
            "noise_gradient": gradient.noise,
            "masking_gradient": gradient.masking,
        }
        return Terms(scores.loss(), parts)

    def _scores(self, views: Views) -> tuple[Scores, Tensor | None, Tensor | None]:
        """Return the scores, the noise after gradient ascent, and the weights of the negatives."""
        noise = self._ascended_noise(views)
        weights = self._weights(views)
        scores = dclr_scores(
            views["z1"], views["z2"], noise, weights, self.config.temperature, self.config.variant
        )
        return scores, noise, weights

    def _ascended_noise(self, views: Views) -> Tensor | None:
        """Return the noise after gradient ascent on the loss (paper §4.1); None without noise."""
        if "noise" not in views:
            return None
        config = self.config
        step_size = RELEASED_STEP
        if config.beta_rel:
            # The step size with which all steps together turn the noise, of σ = 1, by beta_rel.
            width = views["noise"].shape[-1]
            step_size = step_size_for(
                config.beta_rel, steps=config.noise_steps, sigma=1.0, dim=width
            )
        return ascend_noise(
            views["noise"],
            views["z1"],
            views["z2"],
            steps=config.noise_steps,
            step_size=step_size,
            temperature=config.temperature,
            # The ascent has a loss of its own, in two forms: the paper's and the released one. The
            # variant "literal" is a form of the training loss only, so it ascends as "paper" does.
            variant="code" if config.variant == "code" else "paper",
        )

    def similarities(self, views: Views) -> Tensor | None:
        """Return the cosines ``(B, B)`` by which false negatives are found; None if none are."""
        if self.config.weighting == "self":
            z1 = normalize(at_least_float32(views["z1"].detach()))
            z2 = normalize(at_least_float32(views["z2"].detach()))
            return z1 @ z2.T
        if "complementary" not in views:
            # The weighting is "none".
            return None
        vectors = normalize(at_least_float32(views["complementary"]))
        return vectors @ vectors.T

    def _weights(self, views: Views) -> Tensor | None:
        """Return the negatives' weights α (paper §4.2): ``(B, B)``; None if nothing is masked."""
        similarities = self.similarities(views)
        if similarities is None:
            return None
        return masking_weights(
            similarities,
            phi=self.config.phi,
            quantile=self.config.phi_quantile or None,
            # The released code masks cosines above φ, the paper also those equal to φ.
            strict=self.config.variant == "code",
            noise=None,
        )

    def forces(self, views: Views) -> Forces:
        """Return one score table: first views with all unmasked second views and noise vectors."""
        scores, noise, _ = self._scores(views)
        # They are in the order of the columns of the scores.
        candidates = [Candidates("view 2", views["z2"], view="z2")]
        if noise is not None:
            candidates.append(Candidates("noise", noise, kind="noise", synthetic=True))
        table = loss_table(
            "view 1 retrieves view 2",
            scores,
            views["z1"],
            *candidates,
            formula=FORMULAS[self.config.variant],
        )
        # The loss has a single term, the contrastive one.
        return Forces((table,), {"contrast": scores.loss()})

    def references(self) -> dict[str, float]:
        """Return the loss of a batch whose cosines are all equal; none for the released form."""
        if self.config.variant == "code":
            return {}
        size = self.config.batch_size
        columns = size + int(self.config.noise_ratio * size)
        if self.config.variant == "literal":
            # The denominator of this variant leaves the positive out.
            columns -= 1
        return {"log(N+K)": math.log(columns)}
