"""Graded pairs: what they hold."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from statistics import fmean

from scipy.stats import spearmanr

from clwork import data, load_encoder, metrics
from clwork.data.judged import GRADES


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
