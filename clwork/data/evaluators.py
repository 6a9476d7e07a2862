"""Labelled pairs that ship with clwork: paraphrases, and pairs scored by a strong encoder.

They are no benchmarks: docs/measured.md compares rankings of encoders by these scores with
rankings by human ratings.
"""

from __future__ import annotations

import gzip
import json
from importlib import resources

from .sources import shipped_rows
from .sts import StsPairs

# Columns of pairs, and under "provenance" the encoder that scored them, with versions and hashes.
SILVER = "silver.json.gz"


def paraphrases() -> list[tuple[str, str]]:
    """Return 120 pairs of sentences with the same meaning, written for clwork.

    Half of the pairs share few words.

    >>> sentence, paraphrase = paraphrases()[0]
    """
    return [(row["sentence1"], row["sentence2"]) for row in shipped_rows("paraphrases.jsonl")]


def silver_pairs() -> StsPairs:
    """Return 2,000 pairs of ``wikipedia-mini``, scored by the cosine of all-MiniLM-L6-v2.

    The scores are not human ratings; they are evenly distributed from 0 to 0.9. The text is under
    CC BY-SA 4.0, by the authors of Wikipedia.

    >>> len(silver_pairs())
    2000
    """
    packed = resources.files("clwork.data").joinpath("silver", SILVER).read_bytes()
    stored = json.loads(gzip.decompress(packed))
    # The pairs have no splits.
    return StsPairs(
        "silver", stored["sentences1"], stored["sentences2"], stored["scores"], split=""
    )
