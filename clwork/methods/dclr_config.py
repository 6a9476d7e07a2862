"""DCLR's hyperparameters, and which of them switch others off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..encoders.pooling import trainable_poolings
from .base import DropoutRates, MethodConfig, Temperature
from .hyperparameters import Needs, Slack, hyper, like
from .simcse import SimCSEConfig


def _noise_moves(config: Any) -> bool:
    return bool(config.noise_ratio > 0 and config.noise_steps > 0)


NOISE = Needs("there is no noise; set noise_ratio above 0", lambda c: c.noise_ratio > 0)
BY_STEP = Needs(
    "beta_rel takes its place, or noise takes no step; set beta_rel=0, and noise_ratio and noise_steps above 0",
    lambda c: _noise_moves(c) and not c.beta_rel,
)
OTHER = Needs(
    "there is no other model; set weighting='complementary'",
    lambda c: c.weighting == "complementary",
)
MASKING = Needs(
    "nothing is masked; set weighting='complementary' or 'self', and another variant than 'literal'",
    lambda c: c.weighting in ("complementary", "self") and c.variant != "literal",
)


@dataclass(kw_only=True)
class DCLRConfig(DropoutRates, Temperature, MethodConfig):
    """Defaults are the released ones for BERT-base, but for the head: it is SimCSE's, so that the two compare."""

    batch_size: int = like(MethodConfig, "batch_size", 128)
    noise_ratio: float = hyper(
        1.0,
        "Vectors of noise per sentence of the batch; 0: none.",
        low=0.0,
        high=10.0,
        unit="K/N",
        hot=True,
        title="noise per sentence κ",
        symbol=r"\kappa",
        span=(0.0, 5.0),
    )
    beta_rel: float = hyper(
        0.0,
        "How far noise turns towards sentences, β·t/(σ·√d); 0: by the β below.",
        low=0.0,
        high=10.0,
        hot=True,
        title="how far noise turns",
        symbol=r"\beta t/(\sigma\sqrt{d})",
        span=(0.0, 2.0),
        needs=Needs("noise that takes no step does not turn; set noise_ratio and noise_steps above 0", _noise_moves),
    )
    noise_step: float = hyper(
        1e-3,
        "β, the length of one step of the noise.",
        low=1e-6,
        high=1e3,
        hot=True,
        log=True,
        needs=BY_STEP,
        title="step of the noise β",
        symbol=r"\beta",
        span=(1e-4, 10.0),
    )
    noise_steps: int = hyper(
        4,
        "t, steps of the noise; 0: the paper's variant Random Noise.",
        low=0,
        high=50,
        hot=True,
        needs=NOISE,
        title="steps of the noise t",
        symbol="t",
        span=(0, 12),
    )
    noise_sigma: float = hyper(
        1.0,
        "σ, spread of the noise it starts from.",
        low=1e-3,
        high=1e3,
        log=True,
        needs=BY_STEP,
        title="spread of the noise σ",
        symbol=r"\sigma",
        span=(0.01, 10.0),
    )
    noise_scope: Literal["batch", "sentence"] = hyper(
        "batch",
        "Noise shared by the batch (as released), or each sentence's own.",
        needs=NOISE,
    )
    weighting: Literal["complementary", "self", "none"] = hyper(
        "complementary",
        "Which model finds false negatives: another one, the model itself, or none.",
        title="model that finds false negatives",
    )
    complementary: str = hyper(
        "",
        "The other model: a finished run's name, a folder or an encoder; empty: SimCSE is trained first.",
        title="the other model",
        needs=OTHER,
        names="an encoder",
    )
    complementary_steps: int = hyper(
        60,
        "Steps of that SimCSE, where no model is named; 0: the start as it is.",
        low=0,
        high=100_000,
        title="steps of the other model",
        needs=Needs(
            "no SimCSE is trained first; set weighting='complementary', and complementary=''",
            lambda c: OTHER.met(c) and not c.complementary,
        ),
    )
    complementary_head: bool = hyper(
        False, "Read the other model behind its head or pooler, as released; else as it is read at test.", needs=OTHER
    )
    phi: float = hyper(
        0.9,
        "φ: in-batch negatives with this cosine or more are masked.",
        low=-1.0,
        high=1.0,
        hot=True,
        title="limit of masking φ",
        symbol=r"\varphi",
        span=(0.0, 1.0),
        slack=Slack("no pair is above φ = {value:g} for this encoder", "masked_share"),
        needs=Needs(
            "phi_quantile takes its place, or nothing is masked; set phi_quantile=0, weighting='complementary' or "
            "'self', and another variant than 'literal'",
            lambda c: MASKING.met(c) and not c.phi_quantile,
        ),
    )
    phi_quantile: float = hyper(
        0.0,
        "Take φ from the batch: 0.95 masks its most similar 5 %; 0: use φ.",
        low=0.0,
        high=0.999,
        hot=True,
        title="φ as a quantile",
        needs=MASKING,
    )
    judge_noise: bool = hyper(
        False,
        "Let who judges negatives judge noise too, by the same φ (as the text has it).",
        slack=Slack("no noise vector is as close to a sentence as φ asks"),
        needs=Needs(
            "there is noise and masking only with noise_ratio above 0, weighting='complementary' or 'self', "
            "and another variant than 'literal'",
            lambda c: c.noise_ratio > 0 and MASKING.met(c),
        ),
    )
    variant: Literal["paper", "code", "literal"] = hyper(
        "paper",
        "The loss as meant, as released (binary cross-entropy, zeroed logits), or as retold.",
    )
    augmentation: Literal["dropout", "shuffle", "feature_cutoff", "token_cutoff", "span_cutoff"] = hyper(
        "dropout", "What view 2 undergoes besides dropout.", title="view 2"
    )
    augmentation_rate: float = hyper(
        0.15,
        "Share that a cut-off erases.",
        low=0.0,
        high=0.9,
        unit="share",
        hot=True,
        needs=Needs("only cut-offs have a rate; set augmentation to one", lambda c: c.augmentation.endswith("_cutoff")),
    )
    same_group: float = like(SimCSEConfig, "same_group", 0.0)
    pooling: str = hyper("cls", "How token vectors become one.", choices=trainable_poolings)
    head: Literal["one", "two", "none"] = hyper(
        "one", "Linear+tanh layers in training: SimCSE's one, the released two, none."
    )
