"""SG-BERT (Kim, Yoo, Lee 2021): layers of a frozen copy of the encoder are the positives.

In the names of tensors, c is the [CLS] vector of the trained encoder, and h are the pooled layers
of its frozen copy, as in the paper. Numbers such as G2 refer to docs/discrepancies.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity

from ..encoders import Encoder
from ..encoders.copies import Frozen
from ..encoders.heads import gelu_head
from ..encoders.pooling import one_layer, pool_layers
from ..losses import parameter_distance
from ..losses._self_guided import DistanceReduction, GuidedForm, self_guided_scores
from ..losses.checks import Variant
from ..losses.infonce import Scores
from ..settings import Needs, hyper, like
from .base import Draws, Method, Terms, Views
from .forces import Candidates, Forces, ScoreTable, both_directions, loss_table
from .hyperparameters import DropoutRates, MethodConfig, Temperature
from .registry import register

BERT_BASE = 85_054_464
"""Parameters of BERT-base's twelve layers, which SG-BERT trains (no embeddings, no pooler)."""
# The contrastive loss of one row by form, as the forces panel shows it.
FORMULAS: dict[GuidedForm, str] = {
    "base": (
        r"\ell_i = -\log\frac{e^{\cos(x_i, x_i^+)/\tau}}{\sum_{y\neq x_i} e^{\cos(x_i, y)/\tau}},"
        r"\quad x, y \in \{c, h\}"
    ),
    "opt1": (
        r"\ell_i = -\log\frac{e^{\cos(c_i, h_i)/\tau}}{\sum_j e^{\cos(c_i, h_j)/\tau} + "
        r"\sum_{j\neq i} e^{\cos(c_i, c_j)/\tau}}"
    ),
    "opt2": (r"\ell_i = -\log\frac{e^{\cos(c_i, h_i)/\tau}}{\sum_j e^{\cos(c_i, h_j)/\tau}}"),
    "opt3": (
        r"\ell_i = \frac{1}{L}\sum_k -\log\frac{e^{\cos(c_i, h_{ik})/\tau}}"
        r"{e^{\cos(c_i, h_{ik})/\tau} + \sum_{j\neq i}\sum_n e^{\cos(c_i, h_{jn})/\tau}}"
    ),
}


@dataclass(kw_only=True)
class SelfGuidedConfig(DropoutRates, Temperature, MethodConfig):
    """Defaults are the paper's for BERT-base (§4.1 and appendix), or else the released code's."""

    batch_size: int = like(MethodConfig, "batch_size", 16, help="Sentences per step.")
    learning_rate: float = like(MethodConfig, "learning_rate", 5e-5)
    warmup: float = like(MethodConfig, "warmup", 0.1)
    weight_decay: float = like(
        MethodConfig, "weight_decay", 0.01, help="AdamW's decay; biases and norms have none."
    )
    max_length: int = like(MethodConfig, "max_length", 128)
    temperature: float = like(Temperature, "temperature", 0.01)
    form: GuidedForm = hyper(
        "opt3",
        "Terms of the loss: base is NT-Xent (SG); opt1 and opt2 drop terms; opt3 uses all layers "
        "(SG-OPT).",
        title="form of the loss",
    )
    variant: Variant = hyper(
        "paper",
        "Only opt2 differs: the released code drops a negative; literal and paper are equal.",
        needs=Needs(
            "the variants of all other forms are equal; set form='opt2'", lambda c: c.form == "opt2"
        ),
    )
    lam: float = hyper(
        0.1,
        "λ: weight of the distance from the frozen copy.",
        low=0.0,
        high=10.0,
        hot=True,
        title="hold on the frozen copy λ",
        span=(0.0, 1.0),
    )
    reg_reduce: DistanceReduction = hyper(
        "sum",
        "Sum over trained parameters as in the paper, or mean times BERT-base's 85 million.",
        title="reduction of the distance",
        needs=Needs("λ = 0 removes the distance; set lam above 0", lambda c: c.lam > 0),
    )
    layer_pool: Literal["max", "mean"] = hyper(
        "max",
        "How the token vectors of a frozen layer are combined into one vector.",
        title="frozen layers' pooling",
    )
    head: bool = hyper(
        True, "Project c and h with one shared head, removed after training.", title="shared head"
    )
    frozen_dropout: bool = hyper(
        False, "Dropout in the frozen copy too, as in the released code by mistake."
    )


@register
class SelfGuided(Method[SelfGuidedConfig]):
    """Contrasts the trained encoder's [CLS] with the frozen encoder's layers; no augmentation."""

    name = "self_guided"
    title = "SG-BERT"
    paper = "https://arxiv.org/abs/2106.07345"
    notebook = "04_sg_bert"
    Config = SelfGuidedConfig
    formula = (
        r"L = \operatorname{mean}_{i,k} \left[ -\log \frac{e^{\cos(c_i,\, h_{ik})/\tau}}"
        r"{e^{\cos(c_i,\, h_{ik})/\tau}"
        r" + \sum_{j \ne i} \sum_{n} e^{\cos(c_i,\, h_{jn})/\tau}} \right]"
        r" + \lambda \lVert \theta_T - \theta_F \rVert^2 \quad \text{(form opt3)}"
    )
    main_settings = ("temperature", "lam", "form", "layer_pool", "learning_rate", "batch_size")
    published: ClassVar = {
        "paper": {},
        "released code": {"layer_pool": "mean", "frozen_dropout": True},
    }
    # A smaller model needs larger steps.
    presets: ClassVar = {
        "mini": {"learning_rate": 3e-4},
        "mini-old": {"learning_rate": 3e-4},
    }
    # AdamW's betas are those of the released code.
    betas = (0.9, 0.9)

    def __init__(
        self, encoder: Encoder, config: SelfGuidedConfig, generator: torch.Generator
    ) -> None:
        super().__init__(encoder, config, generator)
        # These are the paper's BERT_T, which has the raw [CLS], and its copy BERT_F.
        self.encoder = encoder.without_head(pooling="cls_before_pooler")
        self.frozen = Frozen(self.encoder)
        self.head: nn.Module = nn.Identity()
        if config.head:
            # 4,096 for BERT-base; the same ratio for other encoders
            width = 16 * encoder.hidden_dim // 3
            self.head = gelu_head(encoder.hidden_dim, width, width, generator=generator)

        # The embeddings are not trained, nor their LayerNorm if the model has one. self.encoder has
        # the same backbone as encoder, so this freezes its embeddings too.
        backbone: Any = encoder.backbone
        embeddings: nn.Module = (
            getattr(backbone, "embeddings", None) or backbone.get_input_embeddings()
        )
        embeddings.requires_grad_(False)

    def fixed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute h: all L layers of the frozen copy, ``(B, L, D)``, for the form opt3.

        The other forms use one of the layers, drawn for each sentence, ``(B, D)``.
        """
        rows = [tokens.ids for tokens in batch]
        h = self.encoder.forward_by_length(
            rows, self.config.max_length, lambda tokens: self.guides(tokens, draws)
        )
        if self.config.form != "opt3":
            h = one_layer(h, draws.data)
        return {"h": h}

    def guides(self, tokens: dict[str, Tensor], draws: Draws) -> Tensor:
        """Return every layer of the frozen copy, pooled, ``(B, L, D)``, embeddings first.

        Args:
            tokens: ``input_ids`` and ``attention_mask``, ``(B, T)`` each.
            draws: used only if the copy has dropout.
        """
        frozen = self.frozen.module
        # The copy is in eval mode. frozen_dropout repeats an error of the released code, whose
        # train() also reaches the copy (G2).
        frozen.train(self.config.frozen_dropout)
        dropout = self.dropout(draws) if self.config.frozen_dropout else nullcontext()
        with torch.no_grad(), dropout:
            states = frozen.hidden_states(tokens)
            return pool_layers(states, tokens["attention_mask"], self.config.layer_pool)

    def encode(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Compute c: the trained encoder's vectors, ``(B, D)``."""
        rows = [tokens.ids for tokens in batch]
        with self.dropout(draws):
            return {"c": self.encoder.forward_by_length(rows, self.config.max_length)}

    def complete(self, views: Views, draws: Draws) -> Views:
        """Project c and h with the same head, to 16/3 of the encoder's width."""
        return {"c": self.head(views["c"]), "h": self.head(views["h"])}

    def compare(self, views: Views) -> Terms:
        """Compute the contrastive loss plus λ times the distance from the frozen copy."""
        lam = self.config.lam
        c = views["c"]
        h = views["h"]
        contrast = self._scores(views).loss()
        distance = self.distance()
        # In the form opt3, each c is compared with each of the L layers.
        anchors = c[:, None] if h.dim() == 3 else c
        positive = cosine_similarity(anchors, h, dim=-1).mean()
        # The effective strength of λ depends on the number of parameters (G9).
        count = self.parameter_count if self.config.reg_reduce == "sum" else BERT_BASE
        parts = {
            "positive_cosine": positive.detach(),
            "contrast": contrast.detach(),
            "distance": distance.detach(),
            "penalty": lam * distance.detach(),
            "lam_times_parameters": torch.tensor(float(lam * count)),
        }
        return Terms(contrast + lam * distance, parts)

    def _scores(self, views: Views) -> Scores:
        """Return the scores of the contrastive loss."""
        config = self.config
        return self_guided_scores(
            views["c"], views["h"], config.form, config.temperature, config.variant
        )

    def distance(self) -> Tensor:
        """Return the encoder's distance from its frozen copy, 0-dim, to be multiplied by λ.

        ``‖θ_T - θ_F‖²`` over the trained parameters; with ``reg_reduce="mean"``, its mean times the
        number of parameters of BERT-base, so that λ does not depend on the encoder's size.
        """
        reduction = self.config.reg_reduce
        distance = parameter_distance(
            self.encoder, self.frozen.module, reduction=reduction, trained=True
        )
        return distance * BERT_BASE if reduction == "mean" else distance

    @property
    def parameter_count(self) -> int:
        """P, the number of trained encoder parameters, which the distance sums over."""
        return sum(p.numel() for p in self.encoder.parameters() if p.requires_grad)

    def forces(self, views: Views) -> Forces:
        """Return the loss as two terms, and the score tables of the first, the contrastive one.

        The second term, λ times the distance from the frozen copy, compares weights and not
        sentences, so it has no table. c are the trained encoder's vectors, h the frozen copy's.
        """
        scores = self._scores(views)
        tables = score_tables(scores, views["c"], views["h"], self.config.form)
        terms = {"contrast": scores.loss(), "λ · distance": self.config.lam * self.distance()}
        return Forces(tables, terms)

    def references(self) -> dict[str, float]:
        """Return the contrastive loss of a batch whose cosines are all equal."""
        settings: Any = self.encoder.backbone.config
        size = self.config.batch_size
        # Candidates of a row, by form; the softmax gives each of them the same probability. The
        # released opt2 lacks one. A row of opt3 has one positive, and of each other sentence the
        # embeddings and all layers.
        counts = {
            "base": 2 * size - 1,
            "opt1": 2 * size - 1,
            "opt2": size - (self.config.variant == "code"),
            "opt3": 1 + (size - 1) * (1 + settings.num_hidden_layers),
        }
        count = counts[self.config.form]
        return {f"log {count}": math.log(count)}

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return two groups: matrices with weight decay; biases and norms without (G5)."""
        trained = [p for p in self.parameters() if p.requires_grad]
        return [
            {"params": [p for p in trained if p.ndim > 1]},
            {"params": [p for p in trained if p.ndim <= 1], "decay": 0.0},
        ]


def score_tables(scores: Scores, c: Tensor, h: Tensor, form: GuidedForm) -> tuple[ScoreTable, ...]:
    """Return the tables of ``self_guided_scores``: two for the base form, one for the others.

    The candidates of a table are in the order of the columns of ``scores``.

    Shapes: c ``(B, D)``; h ``(B, L, D)`` for the form opt3, ``(B, D)`` for the others.
    """
    if form == "opt3":
        return (_all_layers(scores, c, h),)
    trained = Candidates("trained encoder", c, kind="other trained vector")
    frozen = Candidates("frozen layer", h, kind="other frozen vector")
    role = "the trained encoder retrieves the frozen layer"
    formula = FORMULAS[form]
    if form == "opt2":
        # Each c is compared with all h.
        return (loss_table(role, scores, c, frozen, formula=formula),)
    if form == "opt1":
        # Each c is compared with all h, then with the other c.
        return (loss_table(role, scores, c, frozen, trained, formula=formula),)

    # In the form base, the anchors are all c, then all h. Each is compared with all others of both
    # kinds.
    roles = (role, "the frozen layer retrieves the trained encoder")
    return both_directions(roles, scores, trained, frozen, formula=formula)


def _all_layers(scores: Scores, c: Tensor, h: Tensor) -> ScoreTable:
    """Return the table of SG-OPT: a cross-entropy per layer, against all layers of the others."""
    size, layers = h.shape[:2]
    names = ["embeddings", *(f"layer {k}" for k in range(1, layers))]
    candidates = [
        Candidates(name, h[:, k], kind="another sentence") for k, name in enumerate(names)
    ]
    # The scores have sentence after sentence, each with its L layers; the table has layer after
    # layer, each with its B sentences. So the columns are a matrix (B, L), which is transposed.
    by_layer = torch.arange(size * layers, device=c.device).view(size, layers).T.flatten()
    return loss_table(
        "the trained encoder retrieves every frozen layer",
        scores,
        c,
        *candidates,
        order=by_layer,
        formula=FORMULAS["opt3"],
    )
