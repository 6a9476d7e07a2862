"""Where sentences come from: packages that need no network, local files, the hub; and pairs to judge an encoder by."""

from __future__ import annotations

import clwork.data.wikipedia  # noqa: F401  # registers its corpus
from clwork.data.corpus import Sentences, StreamedSentences
from clwork.data.pairs import Triplets, paraphrases, triplets
from clwork.data.reading import check_examples, sentences
from clwork.data.settings import remember_sts, sts_folder
from clwork.data.sources import CorpusRef, CorpusSource, register_source
from clwork.data.sts import StsPairs, sts_pairs
from clwork.data.transfer import Labelled, TransferTask, transfer_task, transfer_tasks_in
from clwork.data.vectors import WordVectors, word_vectors
from clwork.renamed import renamed_names

__all__ = [
    "CorpusRef",
    "CorpusSource",
    "Labelled",
    "Sentences",
    "StreamedSentences",
    "StsPairs",
    "TransferTask",
    "Triplets",
    "WordVectors",
    "check_examples",
    "paraphrases",
    "register_source",
    "remember_sts",
    "sentences",
    "sts_folder",
    "sts_pairs",
    "transfer_task",
    "transfer_tasks_in",
    "triplets",
    "word_vectors",
]

__getattr__ = renamed_names(__name__, {"examples": "check_examples"})
