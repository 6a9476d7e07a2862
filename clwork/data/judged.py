"""Pairs with a judgement that ship with clwork: 300 graded by hand, 2,000 of Wikipedia scored by a strong encoder.

Both are read without a network and are nobody else's data set. ``metrics.sts`` scores an encoder on them as on any STS
task, encoding each sentence once::

    metrics.sts(encoder, {"graded": graded_pairs(), "silver": silver_pairs()})

*Graded* scores are one author's, on everyday sentences. *Silver* scores are a model's opinion: an encoder that agrees
with them agrees with all-MiniLM-L6-v2, on sentences of an encyclopedia. Neither is a benchmark; docs/measured.md says
how far each ranks encoders as people's ratings in STS-B and SICK-R do.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from .sts import StsPairs

GRADED, SILVER = "graded.jsonl", "silver.json.gz"
GRADES: dict[str, Any] = {
    "judge": "one author's grades from 0 to 5, the mean of two gradings",
    "agreement": "of the two gradings: Spearman 0.98, mean absolute difference 0.21; by the same hand, so an upper "
    "bound of what two people reach",
    "licence": "CC0 1.0",
}


@dataclass(frozen=True)
class JudgedPairs(StsPairs):
    """Pairs of sentences with scores, and who gave them.

    Attributes:
        provenance: as JSON holds it; ``"judge"`` says whose scores these are.
    """

    provenance: Mapping[str, Any] = field(default_factory=dict)


def graded_pairs() -> JudgedPairs:
    """Return 300 pairs of everyday sentences, written for clwork and graded from 0 to 5 as in STS.

    ``subsets`` says what a pair tests: ``"other words"``, ``"same words"``, ``"detail"``, ``"number"``, ``"roles"``
    (who does what to whom), ``"negation"``, ``"one word"``, ``"same topic"``, ``"unrelated"``, ``"other sense"`` (a
    common word that means two things) or ``"follows"``. The scores are one author's: each pair was graded when it was
    written and again in shuffled order, and has the mean. None of the sentences is in :func:`paraphrases` or
    :func:`triplets`. CC0 1.0.

    >>> pairs = graded_pairs()
    >>> len(pairs), pairs.sentences1[0], pairs.scores[0]
    (300, "My neighbour's bike was stolen last night.", 5.0)
    """
    text = resources.files("clwork.data").joinpath("handwritten", GRADED).read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return JudgedPairs(
        "graded",
        [row["sentence1"] for row in rows],
        [row["sentence2"] for row in rows],
        [(row["first"] + row["second"]) / 2 for row in rows],
        [row["kind"] for row in rows],
        split="",
        provenance=GRADES,
    )


def silver_pairs() -> JudgedPairs:
    """Return 2,000 pairs of sentences of ``wikipedia-mini``, scored by the cosine of all-MiniLM-L6-v2.

    The scores are a model's opinion, not people's. They spread evenly from 0 to .9, where pairs drawn blindly would
    nearly all be unrelated; no sentence occurs twice and none has more than 25 words. Made by
    ``scripts/silver_pairs.py``; the text is under CC BY-SA 4.0, by the authors of Wikipedia.

    >>> pairs = silver_pairs()
    >>> len(pairs), pairs.provenance["judge"]
    (2000, "cosines of sentence-transformers/all-MiniLM-L6-v2: a model's opinion, not people's")
    """
    packed = resources.files("clwork.data").joinpath("judged", SILVER).read_bytes()
    return JudgedPairs("silver", **json.loads(gzip.decompress(packed)), split="")
