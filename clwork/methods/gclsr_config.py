"""GCLSR's hyperparameters, with the paper's values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..augmenters.text import TEXT_AUGMENTATIONS
from .base import MethodConfig, Schedule
from .hyperparameters import Needs, hyper, like

KEPT = "as loaded"
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
"""The paper's, the released code's (C9), and those of the paper's Table 9."""

AUGMENTED = Needs("no word has an augmented vector; set augmented above 0", lambda c: c.augmented > 0)
TEXT = Needs("no word of the text is changed; set text_augmentation='eda'", lambda c: c.text_augmentation != "none")
CHANGED = Needs(
    "nothing is changed in either view; set augmented above 0, text_augmentation or unknown_words",
    lambda c: AUGMENTED.met(c) or TEXT.met(c) or c.unknown_words == "anew",
)
PREDICTOR = Needs("there is no predictor; set predictor above 0", lambda c: c.predictor > 0)


@dataclass(kw_only=True)
class GCLSRConfig(MethodConfig):
    """Defaults are the paper's (§4.1), for 300-dimensional word vectors and 10,000 sentences."""

    batch_size: int = like(
        MethodConfig, "batch_size", 512, help="Sentences per step; there are no negatives among them."
    )
    learning_rate: float = like(
        MethodConfig,
        "learning_rate",
        0.03,
        help="Peak step size for a batch of 128; it grows with the batch (paper: 0.03 in §4.1, 0.3 in §5.1).",
        low=1e-5,
        high=10.0,
        span=(0.01, 10.0),
    )
    schedule: Schedule = like(MethodConfig, "schedule", "cosine")
    warmup: float = like(MethodConfig, "warmup", 0.25)
    weight_decay: float = like(MethodConfig, "weight_decay", 1e-3, help="SGD's decay of the weights.")
    clip: float = like(MethodConfig, "clip", 1e6, help="Longest gradient let through (the paper does not clip).")
    max_length: int = like(MethodConfig, "max_length", 64, unit="words")
    predictor_rate: float = hyper(
        1.0,
        "The predictor's own step size, whatever the batch.",
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
    momentum: float = hyper(0.8, "SGD's momentum from then on.", low=0.01, high=0.999, hot=True)
    augmented: float = hyper(
        0.5,
        "Share of words with an augmented vector: 0 none, 1 the paper's 'full'.",
        low=0.0,
        high=1.0,
        hot=True,
        title="share of augmented words",
    )
    gaussian: float = hyper(
        0.5,
        "Weight of Gaussian white noise (GWN).",
        low=0.0,
        high=1.0,
        hot=True,
        needs=AUGMENTED,
        title="Gaussian white noise",
    )
    zeros: float = hyper(
        0.2, "Weight of random zero setting (RZS).", low=0.0, high=1.0, hot=True, needs=AUGMENTED, title="random zeros"
    )
    fourier: float = hyper(
        0.1, "Weight of the Fourier augmentation (IFFT).", low=0.0, high=1.0, hot=True, needs=AUGMENTED
    )
    background: float = hyper(
        0.2, "Weight of random background noise (RBN).", low=0.0, high=1.0, hot=True, needs=AUGMENTED
    )
    fourier_mode: Literal["demean", "identity"] = hyper(
        "demean",
        "What IFFT does: take the mean out (code), or nothing (as printed).",
        needs=Needs("IFFT is left out; set augmented and fourier above 0", lambda c: c.augmented * c.fourier > 0),
    )
    background_mode: Literal["paper", "code"] = hyper(
        "paper",
        "RBN's strength: U(0, 0.1), or the code's, a tenth.",
        needs=Needs("RBN is left out; set augmented and background above 0", lambda c: c.augmented * c.background > 0),
    )
    changed_views: Literal["both", "first"] = hyper(
        "both", "Which views are changed: both, or the first alone beside a clean one (§3.1).", needs=CHANGED
    )
    text_augmentation: str = hyper(
        "none",
        "What the sentence itself undergoes before its words are looked up, such as EDA (Table 2).",
        title="change of the text",
        choices=lambda: TEXT_AUGMENTATIONS,
    )
    text_rate: float = hyper(
        0.1,
        "Share of words that the change of the text is for (EDA's α).",
        low=0.0,
        high=0.9,
        unit="share",
        hot=True,
        needs=TEXT,
        title="share of words changed in the text",
    )
    unknown_words: Literal["fixed", "anew"] = hyper(
        "fixed",
        "Vector of a word outside the table while training: always the same, or drawn anew each time (code).",
    )
    padding: Literal["masked", "seen"] = hyper(
        "masked",
        "Padding while training: masked, or a fixed random vector that filters and maximum see (code).",
    )
    attention: Literal["train", "never", "always", "learned"] = hyper(
        "train", "When words are weighed by self-attention; learned: by BERT's, also at test (§3.2)."
    )
    attention_scaled: bool = hyper(
        True,
        "Divide attention by √d (the code does, the paper's formula does not).",
        needs=Needs(
            "the encoder's own attention always divides; set attention='train'", lambda c: c.attention == "train"
        ),
    )
    regions: Regions = hyper(KEPT, "Filter widths of the TextCNN; another shape gets new weights.")
    filters: int = hyper(0, "Filters of each width (0: as loaded).", low=0, high=2000)
    projector: int = hyper(
        4096,
        "Width of the projector's three layers.",
        low=8,
        high=8192,
        log=True,
        title="projector's width D",
        symbol="D",
        span=(64, 4096),
    )
    projector_last_norm: bool = hyper(
        True, "Batch norm behind the projector's last layer (code; the paper is unclear)."
    )
    predictor: int = hyper(1024, "Width of the predictor's bottleneck; 0 leaves the predictor out.", low=0, high=8192)
    group_dim: int = hyper(
        16,
        "Dimensions of a group; the projector's width is one group, SimSiam.",
        low=1,
        high=8192,
        log=True,
        title="dimensions of a group d",
        symbol="d",
        span=(1, 512),
    )
    stop_gradient: bool = hyper(True, "Treat the other view's projection as a constant.", title="stop-gradient sg")
    symmetric: bool = hyper(True, "Each view predicts the other; False: view 1 predicts view 2 alone.")
