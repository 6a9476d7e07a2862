"""Training sentences from packages, local files and the hub; labelled pairs for evaluation."""

from __future__ import annotations

from .corpus import Sentences
from .sources import paraphrases, sentences, triplets
from .sts import StsPairs, remember_sts, silver_pairs, sts_folder, sts_pairs

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
