"""SimCSE's hyperparameters: the paper's own, and switches for what its tables and its authors compare with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..augmenters.text import AUGMENTATIONS, MASKED, TEXT_AUGMENTATIONS
from ..encoders.pooling import trainable_poolings
from ..losses import Similarity
from .base import DropoutRates, MethodConfig, Temperature
from .hyperparameters import Needs, hyper, like

TUPLES = ("pairs", "triplets", "quadruplets")
"""Kinds of examples whose positive is given: (sentence, positive), and with one or two hard negatives."""


def _is_rated(config: Any) -> bool:
    known = AUGMENTATIONS.get(config.augmentation)
    return config.augmentation in (*TEXT_AUGMENTATIONS, MASKED) or (known is not None and known.rated)


@dataclass(kw_only=True)
class SimCSEConfig(DropoutRates, Temperature, MethodConfig):
    """Defaults are the paper's for unsupervised BERT-base (methods as in its §3 and appendix A)."""

    dropout_hidden: float = like(
        DropoutRates, "dropout_hidden", 0.1, help="Dropout on embeddings and layer outputs: the augmentation."
    )
    fixed_mask: bool = hyper(
        False,
        "Give both views the same dropout mask (the paper's 'fixed 0.1').",
        title="one mask for both views",
        needs=Needs(
            "views of different words, or of two encoders, share no mask; set augmentation='dropout' and "
            "two_encoders=False",
            lambda c: c.augmentation == "dropout" and not c.two_encoders,
        ),
    )
    augmentation: str = hyper(
        "dropout",
        "What view 2 undergoes before dropout.",
        title="view 2",
        choices=lambda: (*AUGMENTATIONS, *TEXT_AUGMENTATIONS, MASKED),
        needs=Needs("pairs and triplets bring their second views along; train on sentences", examples=("sentences",)),
    )
    augmentation_rate: float = hyper(
        0.1,
        "Share of words that deletion or crop takes away, and the other changes exchange.",
        low=0.0,
        high=0.9,
        unit="share",
        hot=True,
        title="share of words taken",
        needs=Needs(
            "there is none; set augmentation='delete' or 'crop', or to another change at a rate",
            _is_rated,
        ),
    )
    unlabelled_weight: float = hyper(
        0.0,
        "Weight of the unlabelled loss, a premise and itself under another mask, beside the labelled one (section 4).",
        low=0.0,
        high=10.0,
        hot=True,
        title="weight of unlabelled loss",
        span=(0.0, 2.0),
        needs=Needs("sentences have no labelled loss to add it to; train on triplets", examples=TUPLES),
    )
    two_encoders: bool = hyper(
        False, "Encode second views, and hard negatives, by another encoder with weights of its own (Table 2)."
    )
    both_directions: bool = hyper(False, "Let second views look for first views too; the loss is the mean of both.")
    view1_negatives: bool = hyper(
        False,
        "Add the other first views to the negatives: twice as many.",
        title="first views as negatives",
        needs=Needs("triplets have hard negatives instead; train on sentences", examples=("sentences", "pairs")),
    )
    similarity: Similarity = hyper(
        "cosine", "What the temperature divides; dot: the product of vectors as long as they are (Table D.1)."
    )
    masked_word_weight: float = hyper(
        0.0,
        "Weight of a masked-word loss beside the contrast: 15 % of the pieces are guessed (appendix D: 0.1).",
        low=0.0,
        high=10.0,
        title="weight of masked words λ",
        symbol=r"\lambda",
        span=(0.0, 1.0),
    )
    fresh_weights: bool = hyper(
        False, "Begin with random weights in place of the pre-trained ones, to see what these bring along (section 3)."
    )
    same_group: float = hyper(
        0.0,
        "Share of a batch that is pairs of sentences from one group, such as an article: planted false negatives.",
        low=0.0,
        high=1.0,
        unit="share",
        title="planted false negatives",
        span=(0.0, 0.5),
        needs=Needs("only sentences have groups; train on sentences", examples=("sentences",)),
    )
    pooling: str = hyper("cls", "How token vectors become one.", choices=trainable_poolings)
    head: Literal["auto", "train_only", "both", "none"] = hyper(
        "auto",
        "Where the Linear+tanh head is used; auto: train_only on sentences, both on triplets.",
    )
    hard_negative_weight: float = hyper(
        1.0,
        "Weight of a premise's own contradiction (triplets only).",
        low=0.0,
        high=100.0,
        hot=True,
        title="weight of hard negatives α",
        symbol=r"\alpha",
        span=(0.0, 4.0),
        needs=Needs("only triplets have hard negatives; train on triplets", examples=("triplets", "quadruplets")),
    )
