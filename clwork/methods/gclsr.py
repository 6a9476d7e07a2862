"""GCLSR (Wang et al. 2023): two augmented copies of a sentence's word vectors predict each other, without negatives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity

from ..arithmetic import at_least_float32, normalize
from ..augmenters import Dropout, pwva
from ..augmenters.words import TEXT_AUGMENTATIONS
from ..encoders import Encoder
from ..encoders.heads import predictor, projector
from ..encoders.text_cnn import TextCNN, reshaped, word_attention
from ..losses._gclsr import grouped_loss
from ..settings import Needs, hyper, like
from .base import Draws, Method, Terms, Views, register
from .forces import Candidates, Forces, ScoreTable, grouped_cosine, number, score_table
from .hyperparameters import SHARE, MethodConfig, Schedule
from .simcse import Example

AS_LOADED = "as loaded"
Regions = Literal[
    "as loaded",
    "1,1,1,6,15,20",
    "1,1,1,6,10,15",
    "1,2,3,4,5,6",
    "2,3,4,5,6",
    "1,1,1,2,3,4",
    "1,1,1,4,5,6",
    "1,1,1,1,1,1",
    "1,1,1,20,30,40",
]
"""Filter widths of the TextCNN: the paper's, the released code's (C9), and those of the paper's Table 9."""

AUGMENTED = Needs("no word vector is augmented; set augmented above 0", lambda c: c.augmented > 0)
MIX: dict[str, Any] = {"low": 0.0, "high": 1.0, "hot": True, "needs": AUGMENTED}
TEXT = Needs(
    "no word of the text is changed; set text_augmentation='eda'",
    lambda c: c.text_augmentation != "none",
)
CHANGED = Needs(
    "neither view is changed; set augmented above 0, text_augmentation or unknown_words",
    lambda c: AUGMENTED.met(c) or TEXT.met(c) or c.unknown_words == "resampled",
)
PREDICTOR = Needs("there is no predictor; set predictor above 0", lambda c: c.predictor > 0)


@dataclass(kw_only=True)
class GCLSRConfig(MethodConfig):
    """Defaults are the paper's (§4.1), for 300-dimensional word vectors and 10,000 sentences."""

    batch_size: int = like(
        MethodConfig, "batch_size", 512, help="Sentences per step; none is a negative."
    )
    learning_rate: float = like(
        MethodConfig,
        "learning_rate",
        0.03,
        help="Peak step size for a batch of 128, scaled with the batch size (paper: 0.03 in §4.1, 0.3 in §5.1).",
        low=1e-5,
        high=10.0,
        span=(0.01, 10.0),
    )
    schedule: Schedule = like(MethodConfig, "schedule", "cosine")
    warmup: float = like(MethodConfig, "warmup", 0.25)
    weight_decay: float = like(MethodConfig, "weight_decay", 1e-3, help="SGD's weight decay.")
    clip: float = like(
        MethodConfig, "clip", 1e6, help="Largest gradient norm (the paper does not clip)."
    )
    max_length: int = like(MethodConfig, "max_length", 64, unit="words")
    predictor_rate: float = hyper(
        1.0,
        "Constant step size of the predictor, for any batch size.",
        low=1e-4,
        high=10.0,
        unit="per step",
        hot=True,
        log=True,
        needs=PREDICTOR,
        title="predictor's learning rate",
        span=(0.01, 10.0),
    )
    momentum_warmup: float = hyper(
        0.9,
        "SGD's momentum while the learning rate rises.",
        low=0.01,
        high=0.999,
        needs=Needs("the learning rate does not rise; set warmup above 0", lambda c: c.warmup > 0),
    )
    momentum: float = hyper(
        0.8, "SGD's momentum after the warm-up.", low=0.01, high=0.999, hot=True
    )
    augmented: float = hyper(
        0.5,
        "Share of word vectors to augment; 1: the paper's 'full'.",
        low=0.0,
        high=1.0,
        hot=True,
        title="share of augmented words",
    )
    gaussian: float = hyper(
        0.5, "Weight of Gaussian white noise (GWN).", title="Gaussian white noise", **MIX
    )
    zeros: float = hyper(0.2, "Weight of random zero setting (RZS).", title="random zeros", **MIX)
    fourier: float = hyper(0.1, "Weight of the Fourier augmentation (IFFT).", **MIX)
    background: float = hyper(0.2, "Weight of random background noise (RBN).", **MIX)
    fourier_mode: Literal["demean", "identity"] = hyper(
        "demean",
        "Effect of IFFT: subtract the mean (code), or none (as printed).",
        needs=Needs(
            "IFFT is left out; set augmented and fourier above 0",
            lambda c: c.augmented * c.fourier > 0,
        ),
    )
    background_mode: Literal["paper", "code"] = hyper(
        "paper",
        "Strength of RBN: U(0, 0.1), or a tenth of it as in the code.",
        needs=Needs(
            "RBN is left out; set augmented and background above 0",
            lambda c: c.augmented * c.background > 0,
        ),
    )
    changed_views: Literal["both", "first"] = hyper(
        "both", "Views to augment: both, or only the first (§3.1).", needs=CHANGED
    )
    text_augmentation: Literal["none", "synonyms", "eda"] = hyper(
        "none",
        "Augmentation of the sentence's text before the word vectors, such as EDA (Table 2).",
        title="change of the text",
    )
    text_rate: float = hyper(
        0.1,
        "Share of words to change (EDA's α).",
        **SHARE,
        needs=TEXT,
        title="share of words changed in the text",
    )
    unknown_words: Literal["fixed", "resampled"] = hyper(
        "fixed",
        "Vector of an unknown word in training: always the same, or drawn at each occurrence (code).",
    )
    padding: Literal["masked", "seen"] = hyper(
        "masked",
        "Padding in training: masked, or a fixed random vector that filters and maximum include (code).",
    )
    attention: Literal["train", "never", "always"] = hyper(
        "train", "When to apply self-attention to the words (§3.2)."
    )
    attention_scaled: bool = hyper(
        True,
        "Divide attention by √d (the code does, the paper's formula does not).",
        needs=Needs(
            "the encoder's attention divides by √d; set attention='train'",
            lambda c: c.attention == "train",
        ),
    )
    regions: Regions = hyper(
        AS_LOADED, "Filter widths of the TextCNN; changed widths get new weights."
    )
    filters: int = hyper(0, "Filters of each width (0: as loaded).", low=0, high=2000)
    projector: int = hyper(
        4096,
        "Width of its three layers.",
        low=8,
        high=8192,
        log=True,
        title="projector's width D",
        span=(64, 4096),
    )
    projector_last_norm: bool = hyper(
        True, "Batch norm after the projector (code; the paper is unclear)."
    )
    predictor: int = hyper(
        1024, "Width of the predictor's hidden layer; 0: no predictor.", low=0, high=8192
    )
    group_dim: int = hyper(
        16,
        "Dimensions per group; the projector's width makes one group, SimSiam.",
        low=1,
        high=8192,
        log=True,
        title="dimensions of a group d",
        span=(1, 512),
    )
    stop_gradient: bool = hyper(
        True, "Treat the other view's projection as a constant.", title="stop-gradient sg"
    )
    symmetric: bool = hyper(
        True, "Each view predicts the other; False: only view 1 predicts view 2."
    )


def prediction(p: str, z: str, predicted: Tensor, target: Tensor, size: int) -> ScoreTable:
    """Return the table of one half of the loss: ``predicted`` (B, D), named ``p``, predicts ``target``, named ``z``."""
    measure, role = grouped_cosine(size), f"view {p[1:]} predicts view {z[1:]}"
    table = score_table(
        role,
        predicted,
        Candidates(f"projection of view {z[1:]}", target, "another sentence", view=z),
        measure=measure,
        only_own=True,
    )
    losses = -table.scores.diagonal()
    groups = predicted.shape[1] // size
    product = measure.anchor(predicted.detach().float()) * measure.candidate(
        target.detach().float()
    )  # (B, D)
    cosines = product.reshape(-1, groups, size).sum(dim=-1) * groups  # (B, M)

    def lines(row: int) -> list[str]:
        own = cosines[row].tolist()
        shown = [number(value) for value in own[:3]] + ([r"\dots"] if groups > 4 else [])
        added = " + ".join(shown + [number(value) for value in own[max(3, groups - 1) :]]).replace(
            "+ -", "- "
        )
        inner = rf"\cos(p_{{{p[1:]},ig}}, \mathrm{{sg}}(z_{{{z[1:]},ig}}))"
        return [
            rf"\ell_i = -\frac{{1}}{{M}}\sum_{{g=1}}^{{M}} {inner},\quad M = {groups}",
            rf"\ell_{{{row + 1}}} = -\frac{{{added}}}{{{groups}}} = {number(-sum(own) / groups)}",
            r"\frac{\partial\mathcal{L}}{\partial \cos(p_{ig}, z_{ig})} = -\frac{1}{2 B M} = "
            rf"-\frac{{1}}{{2\cdot {len(cosines)}\cdot {groups}}} = {number(-1 / (2 * len(cosines) * groups))}"
            r"\ \text{, the same for every group}",
        ]

    return replace(table, losses=losses, lines=lines)


@register
class GCLSR(Method[GCLSRConfig]):
    """Augments word vectors twice, encodes and projects them, and maximises grouped cosines with predictions."""

    name = "gclsr"
    title = "GCLSR"
    paper = "https://doi.org/10.3390/app13179873"
    notebook = "05_gclsr"
    Config = GCLSRConfig
    formula = (
        r"\ell = -\frac{1}{2} \operatorname{mean}_{i,g} \left[ \cos\left(p_{1,ig},\, \mathrm{sg}(z_{2,ig})\right)"
        r" + \cos\left(p_{2,ig},\, \mathrm{sg}(z_{1,ig})\right) \right], \quad g = 1 \ldots D/d"
    )
    knobs = (
        "augmented",
        "group_dim",
        "stop_gradient",
        "learning_rate",
        "predictor_rate",
        "batch_size",
    )
    published: ClassVar = {
        "paper": {"regions": "1,1,1,6,15,20", "filters": 300},
        "released code": {"regions": "1,1,1,6,10,15", "filters": 640, "background_mode": "code"},
    }
    negatives = False
    default_encoder = "textcnn:glove-6b-50d"
    encoders: ClassVar = ("textcnn:mini", "mini")
    _small: ClassVar = {"batch_size": 64, "max_length": 32, "projector": 512, "predictor": 128}
    # a rate of 0.03 barely changes filters of 50 inputs within a few hundred steps of 64 sentences
    presets: ClassVar = {
        "textcnn": _small | {"learning_rate": 1.0},
        "mini": _small | {"attention": "never"},
    }

    def __init__(self, encoder: Encoder, config: GCLSRConfig, generator: torch.Generator) -> None:
        shaped = self._shaped(encoder, config, generator)
        super().__init__(shaped, config, generator)
        if config.padding == "seen" and config.micro_batch:
            raise ValueError(
                "padding='seen' makes vectors depend on the longest sentence of the batch, so the batch cannot be "
                "computed in parts; set micro_batch=0, or padding='masked'"
            )
        width = config.projector
        if width % config.group_dim:
            raise ValueError(
                f"group_dim={config.group_dim} does not divide the projector's width {width}; give a divisor, or "
                f"{width} for one group"
            )
        self.projector = projector(
            shaped.dim, width, last_norm=config.projector_last_norm, generator=generator
        )
        bottleneck = config.predictor
        self.predictor = (
            predictor(width, bottleneck, generator=generator) if bottleneck else nn.Identity()
        )

    @staticmethod
    def _shaped(encoder: Encoder, config: GCLSRConfig, generator: torch.Generator) -> Encoder:
        """Return the encoder with the configuration's filters and its attention at test."""
        regions = (
            None
            if config.regions == AS_LOADED
            else [int(width) for width in config.regions.split(",")]
        )
        always = config.attention == "always"
        shaped = reshaped(
            encoder, generator, regions=regions, filters=config.filters or None, attention=always
        )
        own = config.unknown_words == "resampled" or config.padding == "seen"
        if own and not isinstance(shaped.backbone, TextCNN):
            raise ValueError(
                f"unknown_words='resampled' and padding='seen' need a TextCNN, but the encoder is {encoder.name!r}; "
                "leave them out, or start from textcnn:glove-6b-50d"
            )
        return shaped

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Return the tokens of each sentence, with its text if each step changes the text."""
        tokens = super().tokenize(examples)
        if self.config.text_augmentation == "none":
            return tokens
        return [Example(text, row) for text, row in zip(examples, tokens, strict=True)]

    def texts(self, batch: Sequence[Example], draws: Draws) -> list[list[str]]:
        """Return the texts of both views; the random changes of two changed views differ."""
        config, change = self.config, TEXT_AUGMENTATIONS[self.config.text_augmentation]
        clean = [example.text for example in batch]
        views = [
            [change(text, config.text_rate, draws.data) for text in clean]
            for _ in range(self._changed)
        ]
        return [*views, clean][:2]

    @property
    def _changed(self) -> int:
        return 2 if self.config.changed_views == "both" else 1

    def _words(self, batch: Sequence[Any], draws: Draws) -> list[tuple[Tensor, Tensor]]:
        """Return word vectors ``(B, T, d)`` and mask ``(B, T)`` of each view before PWVA; compute equal views once."""
        if self.config.text_augmentation == "none":
            rows = [[tokens.ids for tokens in batch]]
        else:
            rows = [
                [tokens.ids for tokens in self.encoder.tokenize(texts)]
                for texts in self.texts(batch, draws)
            ]
        tokens = self.encoder.collate(
            [row for view in rows for row in view], self.config.max_length
        )
        ids, masks = (
            tokens[name].chunk(len(rows)) * (2 // len(rows))
            for name in ("input_ids", "attention_mask")
        )
        backbone: Any = self.encoder.backbone
        table = backbone.get_input_embeddings()
        words = table(tokens["input_ids"]).chunk(len(rows)) * (
            2 // len(rows)
        )  # (B, T) -> (B, T, d), twice
        if self.config.unknown_words == "resampled":
            drawn = [table(view, draws.dropout) for view in ids[: self._changed]]
            words = (*drawn, *words)[:2]
        return list(zip(words, masks, strict=True))

    def augment(
        self,
        words: torch.Tensor,
        mask: torch.Tensor,
        generator: torch.Generator,
        changed: bool = True,
    ) -> torch.Tensor:
        """Return a view of word vectors ``(B, T, d)``: after PWVA if ``changed``, and attention if used in training."""
        config = self.config
        view = words
        if changed:
            view = pwva(
                words,
                mask,
                p=config.augmented,
                mix=(config.gaussian, config.zeros, config.fourier, config.background),
                fourier_mode=config.fourier_mode,
                background_mode=config.background_mode,
                generator=generator,
            )
        return (
            word_attention(view, mask, scaled=config.attention_scaled)
            if config.attention == "train"
            else view
        )

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Encode both views in one forward pass: ``(B, dim)`` each."""
        words = self._words(batch, draws)
        mask = torch.cat([mask for _, mask in words])  # (2B, T)
        views = torch.cat(
            [
                self.augment(view, mask, draws.dropout, k < self._changed)
                for k, (view, mask) in enumerate(words)
            ]
        )  # (2B, T, d)
        if self.config.padding == "seen":
            backbone: Any = self.encoder.backbone
            views = torch.where(
                mask[..., None] != 0, views, backbone.get_input_embeddings().unknown[0]
            )
            mask = torch.ones_like(mask)
        with Dropout(
            draws.dropout, hidden=0.0, attention=0.0
        ):  # GCLSR does not use a transformer's dropout
            h = self.encoder({"inputs_embeds": views, "attention_mask": mask})  # (2B, dim)
        h1, h2 = h.chunk(2)
        return {"h1": h1, "h2": h2}

    def complete(self, views: Views, draws: Draws) -> Views:
        """Apply the heads to each view separately, because their batch norm uses the statistics of one view."""
        z1, z2 = self.projector(views["h1"]), self.projector(views["h2"])  # (B, projector)
        return {"z1": z1, "z2": z2, "p1": self.predictor(z1), "p2": self.predictor(z2)}

    def view_texts(
        self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws
    ) -> dict[str, list[str]]:
        """Return the views' texts if the text is changed."""
        if self.config.text_augmentation == "none":
            return {}
        return dict(zip(("z1", "z2"), self.texts(batch, draws), strict=True))

    def compare(self, views: Views) -> Terms:
        """Compute the grouped loss, and two measures of collapse of the projections."""
        z1, z2 = views["z1"], views["z2"]
        second = (views["p2"], z1) if self.config.symmetric else (views["p1"], z2)
        loss = grouped_loss(
            views["p1"], z2, *second, self.config.group_dim, self.config.stop_gradient
        )
        directions = normalize(at_least_float32(z1.detach()))
        spread = directions.std(dim=0, correction=0).mean() * math.sqrt(
            z1.shape[1]
        )  # 1 if isotropic, 0 for a point
        # participation ratio, from 1 (a line) to B; it detects a collapse that a batch norm hides
        rank = len(z1) ** 2 / (directions @ directions.T).pow(2).sum()
        cosine = cosine_similarity(z1.detach(), z2.detach()).mean()
        return Terms(loss, {"positive_cosine": cosine, "z_std_sqrt_d": spread, "z_rank": rank})

    def forces(self, views: Views) -> Forces:
        """Return one table per predicted view: its cosines with the other view's projection, averaged over groups."""
        size, tables = self.config.group_dim, []
        pairs = (("p1", "z2"), ("p2", "z1")) if self.config.symmetric else (("p1", "z2"),)
        for p, z in pairs:
            target = views[z].detach() if self.config.stop_gradient else views[z]
            tables.append(prediction(p, z, views[p], target, size))
        return Forces(tuple(tables), {table.role: table.loss / len(tables) for table in tables})

    def references(self) -> dict[str, float]:
        """Return the minimum of the loss, which a collapsed network also reaches."""
        return {"least": -1.0}

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return two groups: encoder and projector, at a learning rate scaled by batch size (§4.1); any predictor."""
        of_predictor = list(self.predictor.parameters())
        known = {id(parameter) for parameter in of_predictor}
        others = [p for p in self.parameters() if p.requires_grad and id(p) not in known]
        groups = [{"params": others, "scale": self.config.batch_size / 128}]
        return [*groups, {"params": of_predictor, "predictor": True}] if of_predictor else groups

    def optimizer(self) -> torch.optim.Optimizer:
        """Return SGD with Nesterov momentum."""
        return torch.optim.SGD(
            self.parameter_groups(),
            lr=self.config.learning_rate,
            momentum=self.config.momentum_warmup,
            nesterov=True,
            weight_decay=self.config.weight_decay,
            fused=True,
        )

    def before_step(self, step: int, total: int, optimizer: torch.optim.Optimizer) -> None:
        """Set rates, decay and momentum before the step (C17: the released code sets the first rate after the step)."""
        super().before_step(step, total, optimizer)
        warming = step < self.config.warmup * total
        for group in optimizer.param_groups:
            group["momentum"] = self.config.momentum_warmup if warming else self.config.momentum
            if group.get("predictor"):
                group["lr"] = self.config.predictor_rate
