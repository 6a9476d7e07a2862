"""Graded and silver pairs: what they hold, and that the silver ones are the strong encoder's opinion."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from clwork import data, load_encoder, metrics
from clwork.encoders.disk.strong import SHA256
from scripts import silver_pairs


class TestGraded:
    pairs = data.graded_pairs()

    def test_three_hundred_pairs_spread_over_the_grades(self) -> None:
        texts = [*self.pairs.sentences1, *self.pairs.sentences2]
        assert len(self.pairs) == 300 and len({text.casefold() for text in texts}) == 600
        assert all(text == text.strip() and text[-1] in ".?" for text in texts)
        assert all(score * 4 == int(score * 4) and 0 <= score <= 5 for score in self.pairs.scores)
        assert min(Counter(min(4, int(score)) for score in self.pairs.scores).values()) >= 40

    @pytest.mark.nightly
    def test_every_kind_is_large_enough_to_be_scored_by_itself(self) -> None:
        assert self.pairs.subsets is not None
        assert min(Counter(self.pairs.subsets).values()) >= 13
        found = metrics.sts(load_encoder("mini"), {"graded": self.pairs})
        assert 20 < found["graded"] < 60


class TestSilver:
    pairs = data.silver_pairs()

    def test_they_are_even_over_the_range_and_say_whose_opinion_they_are(self) -> None:
        assert len(self.pairs) == 2000 and len({*self.pairs.sentences1, *self.pairs.sentences2}) == 4000
        counts = np.histogram(self.pairs.scores, bins=silver_pairs.STEPS, range=(0, silver_pairs.HIGHEST))[0]
        assert counts.sum() == 2000 and counts.min() >= 48, "fifty in each step, but for rounding at its ends"
        assert self.pairs.provenance["sha256"] == SHA256 and "not people's" in self.pairs.provenance["judge"]

    def test_they_are_sentences_of_the_corpus(self) -> None:
        corpus = data.sentences("wikipedia-mini")
        assert {*self.pairs.sentences1, *self.pairs.sentences2} <= {*corpus}

    @pytest.mark.nightly
    def test_their_scores_are_the_strong_encoder_s_cosines(self) -> None:
        encoder = load_encoder("all-MiniLM-L6-v2", device="cpu")
        left, right = (encoder.encode(column[:60]) for column in (self.pairs.sentences1, self.pairs.sentences2))
        cosines = (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
        np.testing.assert_allclose(cosines, self.pairs.scores[:60], atol=1e-3)
