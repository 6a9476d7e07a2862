"""Training sentences from packages, local files and the hub; labelled pairs and texts that evaluate an encoder."""

from __future__ import annotations

import clwork.data.wikipedia  # noqa: F401  # registers its corpus

from .corpus import Sentences, StreamedSentences
from .judged import JudgedPairs, graded_pairs, silver_pairs
from .pairs import Triplets, paraphrases, triplets
from .reading import check_examples, sentences
from .sources import CorpusRef, CorpusSource, register_source
from .sts import StsPairs, remember_sts, sts_folder, sts_pairs
from .transfer import transfer_task
from .vectors import WordVectors, word_vectors

__all__ = [
    "CorpusRef",
    "CorpusSource",
    "JudgedPairs",
    "Sentences",
    "StreamedSentences",
    "StsPairs",
    "Triplets",
    "WordVectors",
    "check_examples",
    "graded_pairs",
    "paraphrases",
    "register_source",
    "remember_sts",
    "sentences",
    "silver_pairs",
    "sts_folder",
    "sts_pairs",
    "transfer_task",
    "triplets",
    "word_vectors",
]
