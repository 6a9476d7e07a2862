"""Silver pairs."""

from __future__ import annotations

import numpy as np
import pytest

from clwork import data, load_encoder
from scripts import silver_pairs


def test_silver_pairs_are_even_over_the_range_and_sentences_of_the_corpus() -> None:
    pairs = data.silver_pairs()
    texts = {*pairs.sentences1, *pairs.sentences2}
    assert len(pairs) == 2000
    assert len(texts) == 4000
    assert texts <= {*data.sentences("wikipedia-mini")}
    counts = np.histogram(pairs.scores, bins=silver_pairs.STEPS, range=(0, silver_pairs.HIGHEST))[0]
    assert counts.sum() == 2000
    assert counts.min() >= 48, "fifty in each step, except for rounding at its ends"


@pytest.mark.nightly
def test_silver_scores_are_the_strong_encoder_s_cosines() -> None:
    pairs, encoder = data.silver_pairs(), load_encoder("all-MiniLM-L6-v2", device="cpu")
    left, right = (encoder.encode(column[:60]) for column in (pairs.sentences1, pairs.sentences2))
    cosines = (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
    np.testing.assert_allclose(cosines, pairs.scores[:60], atol=1e-3)
