"""GCLSR (Wang et al. 2023): two augmented views of a sentence's words predict each other.

The encoder is a TextCNN over word vectors, or a transformer. Numbers such as C9 refer to
docs/discrepancies.md.
"""

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
from ..augmenters.words import eda
from ..encoders import Encoder
from ..encoders.heads import predictor, projector
from ..encoders.text_cnn import TextCNN, reshaped, word_attention
from ..losses._gclsr import grouped_loss
from ..settings import Needs, hyper, like
from .base import Draws, Method, Terms, Views
from .forces import (
    Candidates,
    Forces,
    ScoreTable,
    formula_and_value,
    grouped_cosine,
    score_table,
)
from .hyperparameters import MethodConfig
from .registry import register
from .schedule import Schedule
from .simcse import Example

# SGD's momentum during and after the warm-up; the paper's Table 7 compares other values.
MOMENTUM_OF_WARMUP = 0.9
MOMENTUM = 0.8
PREDICTOR_RATE = 1.0
"""The predictor's learning rate, constant and for any batch size (Table 6 has others)."""
PREDICTOR_MARK = "predictor"
"""The key that marks the optimizer's group with the parameters of the predictor."""
EDA_RATE = 0.1
"""Share of words that EDA changes, its α."""
AS_LOADED = "as loaded"

CHANGED = Needs(
    "neither view is changed; set augmented above 0, text_augmentation or unknown_words",
    lambda c: c.augmented > 0 or c.text_augmentation != "none" or c.unknown_words == "resampled",
)


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
        help="Peak step size for a batch of 128, scaled with the batch size (paper: 0.03 in §4.1, "
        "0.3 in §5.1).",
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
    augmented: float = hyper(
        0.5,
        "Share of word vectors to augment; 1: the paper's 'full'.",
        low=0.0,
        high=1.0,
        hot=True,
        title="share of augmented words",
    )
    background_mode: Literal["paper", "code"] = hyper(
        "paper",
        "Strength of RBN: U(0, 0.1), or a tenth of it as in the code.",
        needs=Needs(
            "no word vector is augmented; set augmented above 0", lambda c: c.augmented > 0
        ),
    )
    changed_views: Literal["both", "first"] = hyper(
        "both", "Views to augment: both, or only the first (§3.1).", needs=CHANGED
    )
    text_augmentation: Literal["none", "eda"] = hyper(
        "none",
        "Augmentation of the sentence's text before the word vectors: none, or EDA (Table 2).",
        title="change of the text",
    )
    unknown_words: Literal["fixed", "resampled"] = hyper(
        "fixed",
        "Vector of an unknown word in training: always the same, or drawn at each occurrence "
        "(code).",
    )
    attention: Literal["train", "never", "always"] = hyper(
        "train", "When to apply self-attention to the words (§3.2)."
    )
    regions: Literal["as loaded", "1,1,1,6,15,20", "1,1,1,6,10,15"] = hyper(
        AS_LOADED,
        "Filter widths of the TextCNN: the loaded ones, the paper's or the released code's (C9); "
        "changed widths get new weights.",
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


@register
class GCLSR(Method[GCLSRConfig]):
    """Augments word vectors twice, encodes and projects them; each view predicts the other."""

    name = "gclsr"
    title = "GCLSR"
    paper = "https://doi.org/10.3390/app13179873"
    notebook = "05_gclsr"
    Config = GCLSRConfig
    formula = (
        r"\ell = -\frac{1}{2} \operatorname{mean}_{i,g} \left["
        r" \cos\left(p_{1,ig},\, \mathrm{sg}(z_{2,ig})\right)"
        r" + \cos\left(p_{2,ig},\, \mathrm{sg}(z_{1,ig})\right) \right], \quad g = 1 \ldots D/d"
    )
    main_settings = (
        "augmented",
        "group_dim",
        "stop_gradient",
        "learning_rate",
        "attention",
        "batch_size",
    )
    published: ClassVar = {
        "paper": {"regions": "1,1,1,6,15,20", "filters": 300},
        "released code": {"regions": "1,1,1,6,10,15", "filters": 640, "background_mode": "code"},
    }
    negatives = False
    default_encoder = "textcnn:glove-6b-50d"
    encoders: ClassVar = ("mini", "mini-old")
    _small: ClassVar = {"batch_size": 64, "max_length": 32, "projector": 512, "predictor": 128}
    _transformer: ClassVar = _small | {"attention": "never"}
    # a rate of 0.03 barely changes filters of 50 inputs within a few hundred steps of 64 sentences
    presets: ClassVar = {
        "textcnn": _small | {"learning_rate": 1.0},
        "mini": _transformer,
        "mini-old": _transformer,
    }

    def __init__(self, encoder: Encoder, config: GCLSRConfig, generator: torch.Generator) -> None:
        # first, because it may replace the filters, which are trained like all weights
        encoder = self._shaped(encoder, config, generator)
        super().__init__(encoder, config, generator)
        width = config.projector
        if width % config.group_dim:
            raise ValueError(
                f"group_dim={config.group_dim} does not divide the projector's width {width}; "
                f"give a divisor, or {width} for one group"
            )
        self.projector = projector(
            encoder.dim, width, last_norm=config.projector_last_norm, generator=generator
        )
        self.predictor: nn.Module = nn.Identity()
        if config.predictor:
            self.predictor = predictor(width, config.predictor, generator=generator)

    @staticmethod
    def _shaped(encoder: Encoder, config: GCLSRConfig, generator: torch.Generator) -> Encoder:
        """Return the encoder with the configuration's filters and its attention at test."""
        # such as "1,1,1,6,15,20"; None keeps the widths of the encoder
        regions = None
        if config.regions != AS_LOADED:
            regions = [int(width) for width in config.regions.split(",")]
        shaped = reshaped(
            encoder,
            generator,
            regions=regions,
            filters=config.filters or None,
            attention=config.attention == "always",
        )
        if config.unknown_words == "resampled" and not isinstance(shaped.backbone, TextCNN):
            raise ValueError(
                f"unknown_words='resampled' needs a TextCNN, but the encoder is {encoder.name!r}; "
                "leave it out, or start from textcnn:glove-6b-50d"
            )
        return shaped

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Return the tokens of each sentence, with its text if each step changes the text."""
        tokens = super().tokenize(examples)
        if self.config.text_augmentation == "none":
            return tokens
        return list(map(Example, examples, tokens))

    @property
    def _changed_views(self) -> int:
        """Number of views to augment, 1 or 2."""
        return 2 if self.config.changed_views == "both" else 1

    def texts(self, batch: Sequence[Example], draws: Draws) -> list[list[str]]:
        """Return the texts of both views; the random changes of two changed views differ."""
        clean = [example.text for example in batch]
        first = [eda(text, EDA_RATE, draws.data) for text in clean]
        if self.config.changed_views == "first":
            return [first, clean]
        second = [eda(text, EDA_RATE, draws.data) for text in clean]
        return [first, second]

    def _words(self, batch: Sequence[Any], draws: Draws) -> list[tuple[Tensor, Tensor]]:
        """Return word vectors ``(B, T, d)`` and mask ``(B, T)`` of both views before PWVA."""
        tokenized = batch
        is_text_changed = self.config.text_augmentation != "none"
        if is_text_changed:
            first, second = self.texts(batch, draws)
            tokenized = self.encoder.tokenize([*first, *second])
        tokens = self.encoder.collate([row.ids for row in tokenized], self.config.max_length)
        backbone: Any = self.encoder.backbone
        embedding = backbone.get_input_embeddings()

        def of_views(tensor: Tensor) -> list[Tensor]:
            """Return both views' halves; if no text is changed, both have the same words."""
            return list(tensor.chunk(2)) if is_text_changed else [tensor, tensor]

        ids = of_views(tokens["input_ids"])
        words = of_views(embedding(tokens["input_ids"]))  # (B, T, d), twice
        if self.config.unknown_words == "resampled":
            # with a generator, the embedding draws the vectors of unknown words
            for view in range(self._changed_views):
                words[view] = embedding(ids[view], draws.dropout)
        return list(zip(words, of_views(tokens["attention_mask"]), strict=True))

    def augment(
        self, words: Tensor, mask: Tensor, generator: torch.Generator, changed: bool = True
    ) -> Tensor:
        """Return a view of word vectors ``(B, T, d)``, of the same shape.

        If ``changed``, the partial word vector augmentation (PWVA) is applied; then attention, if
        it is used in training.
        """
        config = self.config
        if changed:
            words = pwva(
                words,
                mask,
                p=config.augmented,
                background_mode=config.background_mode,
                generator=generator,
            )
        if config.attention == "train":
            words = word_attention(words, mask)
        return words

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Augment and encode both views in one forward pass: ``(B, dim)`` each."""
        (words1, mask1), (words2, mask2) = self._words(batch, draws)
        view1 = self.augment(words1, mask1, draws.dropout)
        view2 = self.augment(words2, mask2, draws.dropout, changed=self._changed_views == 2)
        inputs = {
            "inputs_embeds": torch.cat([view1, view2]),  # (2B, T, d)
            "attention_mask": torch.cat([mask1, mask2]),  # (2B, T)
        }
        # GCLSR does not use the dropout of a transformer.
        with Dropout(draws.dropout, hidden=0.0, attention=0.0):
            h1, h2 = self.encoder(inputs).chunk(2)
        return {"h1": h1, "h2": h2}

    def complete(self, views: Views, draws: Draws) -> Views:
        """Apply the heads to each view alone, because batch norm uses a view's statistics.

        Returns projections ``z1`` and ``z2`` and predictions ``p1`` and ``p2``, ``(B, D)`` each;
        without predictor, the predictions are the projections.
        """
        z1 = self.projector(views["h1"])
        z2 = self.projector(views["h2"])
        return {"z1": z1, "z2": z2, "p1": self.predictor(z1), "p2": self.predictor(z2)}

    def compare(self, views: Views) -> Terms:
        """Compute the grouped loss, and three numbers to record about the projections.

        They are the mean cosine of a sentence's two projections, and two measures of collapse.
        """
        z1, z2, p1, p2 = (views[name] for name in ("z1", "z2", "p1", "p2"))
        loss = grouped_loss(p1, z2, p2, z1, self.config.group_dim, self.config.stop_gradient)
        directions = normalize(at_least_float32(z1.detach()))
        parts = {
            "positive_cosine": cosine_similarity(z1.detach(), z2.detach()).mean(),
            "z_std_sqrt_d": spread(directions),
            "z_rank": participation_ratio(directions),
        }
        return Terms(loss, parts)

    def forces(self, views: Views) -> Forces:
        """Return one table per direction: view 1 predicts view 2, and vice versa."""
        tables = []
        terms = {}
        for predicting, predicted in (("1", "2"), ("2", "1")):
            table, formula = self._table(views, predicting, predicted)
            # The loss has no negatives. It is minus the cosine with the sentence's own projection.
            losses = -table.scores.diagonal()
            tables.append(replace(table, losses=losses, lines=formula_and_value(formula, losses)))
            # Each direction is half of the loss.
            terms[table.role] = losses.mean() / 2
        return Forces(tuple(tables), terms)

    def _table(self, views: Views, predicting: str, predicted: str) -> tuple[ScoreTable, str]:
        """Return the cosines of one view's predictions with the other's projections, and the loss.

        ``predicting`` and ``predicted`` are the numbers of the views, "1" or "2". The loss of a
        sentence is a formula in LaTeX, where ``{{`` and ``}}`` are LaTeX's own braces.
        """
        projections = views[f"z{predicted}"]
        symbol = f"z_{{{predicted},ig}}"
        if self.config.stop_gradient:
            projections = projections.detach()
            symbol = rf"\mathrm{{sg}}({symbol})"
        cosine = rf"\cos(p_{{{predicting},ig}}, {symbol})"
        # M groups divide the width of a projection.
        groups = projections.shape[1] // self.config.group_dim
        formula = rf"\ell_i = -\frac{{1}}{{M}}\sum_{{g=1}}^{{M}} {cosine},\quad M = {groups}"

        candidates = Candidates(
            f"projection of view {predicted}",
            projections,
            kind="another sentence",
            view=f"z{predicted}",
        )
        table = score_table(
            f"view {predicting} predicts view {predicted}",
            views[f"p{predicting}"],
            candidates,
            measure=grouped_cosine(self.config.group_dim),
            only_own=True,
        )
        return table, formula

    def view_texts(
        self, examples: Sequence[Any], batch: Sequence[Any], draws: Draws
    ) -> dict[str, list[str]]:
        """Return the texts of both views if the text is changed; word vectors have no text."""
        if self.config.text_augmentation == "none":
            return {}
        return dict(zip(("z1", "z2"), self.texts(batch, draws), strict=True))

    def references(self) -> dict[str, float]:
        """Return the minimum of the loss, which a collapsed network also reaches."""
        return {"least": -1.0}

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return two groups: encoder and projector, and the predictor if there is one.

        The rate of the first is scaled by the batch size (§4.1); :meth:`before_step` gives the
        second its own rate.
        """
        others = [*self.encoder.parameters(), *self.projector.parameters()]
        trained = [parameter for parameter in others if parameter.requires_grad]
        groups: list[dict[str, Any]] = [{"params": trained, "scale": self.config.batch_size / 128}]
        if self.config.predictor:
            groups.append({"params": list(self.predictor.parameters()), PREDICTOR_MARK: True})
        return groups

    def optimizer(self) -> torch.optim.Optimizer:
        """Return SGD with Nesterov momentum."""
        # before_step sets rates, decay and momentum again before each step.
        return torch.optim.SGD(
            self.parameter_groups(),
            lr=self.config.learning_rate,
            momentum=MOMENTUM,
            nesterov=True,
            weight_decay=self.config.weight_decay,
            fused=True,
        )

    def before_step(self, step: int, total: int, optimizer: torch.optim.Optimizer) -> None:
        """Set rates, decay and momentum for this step; the predictor's rate is constant."""
        # This sets all rates and decays. The released code sets them after a step instead, so that
        # its first step has the full rate in place of the warm-up's (C17).
        super().before_step(step, total, optimizer)
        # Momentum, and the predictor's own rate, are left to set.
        is_warming_up = step < self.config.warmup * total
        for group in optimizer.param_groups:
            group["momentum"] = MOMENTUM_OF_WARMUP if is_warming_up else MOMENTUM
            if group.get(PREDICTOR_MARK):
                group["lr"] = PREDICTOR_RATE


def spread(directions: Tensor) -> Tensor:
    """Return the mean standard deviation of the coordinates of unit vectors ``(B, D)``, times √D.

    It is 0 for a point, and about 1 for an isotropic cloud: there, the D squared coordinates of a
    unit vector, which sum to 1, have the mean 1/D each.
    """
    return directions.std(dim=0, correction=0).mean() * math.sqrt(directions.shape[1])


def participation_ratio(directions: Tensor) -> Tensor:
    """Return the number of dimensions that unit vectors ``(B, D)`` use, ``B² / Σ_ij cos²_ij``.

    For the eigenvalues λ of the matrix of cosines it is the participation ratio, (Σλ)² / Σλ²: they
    sum to the trace B, and their squares to the sum of all squared cosines. It is 1 for a line, and
    at most B. After batch norm, which scales each coordinate, a line may have a large spread.
    """
    return len(directions) ** 2 / (directions @ directions.T).pow(2).sum()
