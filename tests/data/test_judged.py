"""Graded and silver pairs: what they hold, and that the silver ones are the strong encoder's opinion."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from statistics import fmean

import numpy as np
import pytest
from scipy.stats import spearmanr

from clwork import data, load_encoder, metrics
from clwork.data.judged import GRADES
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

    def test_no_sentence_is_trained_on_elsewhere(self) -> None:
        others = [text for row in (*data.triplets(), *data.paraphrases()) for text in row]
        assert not {*others} & {*self.pairs.sentences1, *self.pairs.sentences2}

    def test_every_kind_is_large_enough_to_be_scored_by_itself(self) -> None:
        assert self.pairs.subsets is not None
        assert min(Counter(self.pairs.subsets).values()) >= 13
        found = metrics.sts(load_encoder("mini"), {"graded": self.pairs})
        assert 20 < found["graded"] < 60

    def test_the_agreement_said_is_that_of_the_two_gradings(self) -> None:
        place = resources.files("clwork.data").joinpath("handwritten", "graded.jsonl")
        rows = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()]
        first, second = ([row[name] for row in rows] for name in ("first", "second"))
        assert [fmean(both) for both in zip(first, second, strict=True)] == self.pairs.scores
        apart = fmean(abs(a - b) for a, b in zip(first, second, strict=True))
        said = f"Spearman {spearmanr(first, second).statistic:.2f}, mean absolute difference {apart:.2f}"
        assert said in GRADES["agreement"]


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

    def test_their_scores_are_the_strong_encoder_s_cosines(self) -> None:
        encoder = load_encoder("all-MiniLM-L6-v2", device="cpu")
        left, right = (encoder.encode(column[:60]) for column in (self.pairs.sentences1, self.pairs.sentences2))
        cosines = (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
        np.testing.assert_allclose(cosines, self.pairs.scores[:60], atol=1e-3)


class TestChoosing:
    def test_each_step_gets_as_many_pairs_and_no_row_comes_twice(self) -> None:
        random = np.random.default_rng(0)
        centres = random.standard_normal((60, 8)).repeat(20, axis=0)
        vectors = (centres + random.standard_normal((1200, 1)) * random.standard_normal((1200, 8))).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        chosen = silver_pairs.choose(silver_pairs.candidates(vectors, random), 5)
        rows = [row for pair in chosen for row in pair]
        assert len(chosen) == 5 * silver_pairs.STEPS and len({*rows}) == len(rows)
        cosines = [float(vectors[a] @ vectors[b]) for a, b in chosen]
        counts = np.histogram(cosines, bins=silver_pairs.STEPS, range=(0, silver_pairs.HIGHEST))[0]
        assert counts.tolist() == [5] * silver_pairs.STEPS

    def test_a_step_with_too_few_is_named(self) -> None:
        vectors = np.eye(4, dtype=np.float32)
        with pytest.raises(ValueError, match=r"0 of 1 pairs at cosines from 0\.0"):
            silver_pairs.choose(silver_pairs.candidates(vectors, np.random.default_rng(0)), 1)
