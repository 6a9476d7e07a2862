"""Labelled pairs that ship with clwork: paraphrases, pairs graded by hand, and pairs scored by a strong encoder.

They are not benchmarks: docs/measured.md compares their rankings of encoders with the ranking by human ratings.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from .sources import shipped_rows
from .sts import StsPairs

SILVER = "silver.json.gz"
GRADES: dict[str, Any] = {
    "evaluator": "one author's grades from 0 to 5, the mean of two gradings",
    "agreement": "of the two gradings: Spearman 0.98, mean absolute difference 0.21; both by one author, so an upper "
    "bound of the agreement of two people",
    "licence": "CC0 1.0",
}


@dataclass(frozen=True)
class EvaluatorPairs(StsPairs):
    """Pairs of sentences with scores; ``provenance["evaluator"]`` states who or what scored them."""

    provenance: Mapping[str, Any] = field(default_factory=dict)


def paraphrases() -> list[tuple[str, str]]:
    """Return 120 pairs of sentences with the same meaning, written for clwork; half of the pairs share few words.

    >>> sentence, paraphrase = paraphrases()[0]
    """
    return [(row["sentence1"], row["sentence2"]) for row in shipped_rows("paraphrases.jsonl")]


def graded_pairs() -> EvaluatorPairs:
    """Return 300 pairs of everyday sentences, written for clwork and graded from 0 to 5 as in STS.

    ``subsets`` names what a pair tests, such as ``"negation"`` or ``"roles"`` (who does what to whom). Each pair was
    graded twice by one author; the score is the mean. CC0 1.0.

    >>> pairs = graded_pairs()
    >>> len(pairs), pairs.sentences1[0], pairs.scores[0]
    (300, "My neighbour's bike was stolen last night.", 5.0)
    """
    rows = shipped_rows("graded.jsonl")
    return EvaluatorPairs(
        "graded",
        [row["sentence1"] for row in rows],
        [row["sentence2"] for row in rows],
        [(row["first"] + row["second"]) / 2 for row in rows],
        [row["kind"] for row in rows],
        split="",
        provenance=GRADES,
    )


def silver_pairs() -> EvaluatorPairs:
    """Return 2,000 pairs of sentences of ``wikipedia-mini``, scored by the cosine of all-MiniLM-L6-v2.

    The scores are not human ratings; they are evenly distributed from 0 to 0.9. The text is under CC BY-SA 4.0, by the
    authors of Wikipedia.

    >>> len(silver_pairs())
    2000
    """
    packed = resources.files("clwork.data").joinpath("silver", SILVER).read_bytes()
    return EvaluatorPairs("silver", **json.loads(gzip.decompress(packed)), split="")
