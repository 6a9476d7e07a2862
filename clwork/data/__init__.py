"""Training sentences from packages, local files and the hub; labelled pairs for evaluation."""

from __future__ import annotations

import clwork.data.wikipedia  # noqa: F401  # registers its corpus

from .corpus import Sentences
from .evaluators import paraphrases, silver_pairs
from .sources import sentences, triplets
from .sts import StsPairs, remember_sts, sts_folder, sts_pairs

__all__ = [
    "Sentences",
    "StsPairs",
    "paraphrases",
    "remember_sts",
    "sentences",
    "silver_pairs",
    "sts_folder",
    "sts_pairs",
    "triplets",
]
