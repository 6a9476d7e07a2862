"""Which proxies the rows of a corpus allow; no proxy selects a checkpoint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import data, metrics
from clwork.training import validation
from clwork.training.validation import make_validation

TEXTS = [f"sentence {row}" for row in range(30)]
TOPICS = ["sea" if row % 2 else "law" for row in range(30)]


class Rows:
    def encode(self, texts: list[str]) -> Any:
        return np.random.default_rng(0).standard_normal((len(texts), 4))


KNN, AUC = "topic_knn", "same_article_auc"
ARTICLES = [str(row // 3) for row in range(30)]
ALLOWED: list[tuple[list[str] | None, list[str] | None, set[str]]] = [
    (ARTICLES, TOPICS, {KNN, AUC}),
    (ARTICLES, None, {AUC}),
    ([str(row) for row in range(30)], TOPICS, {KNN}),  # one sentence of each article
    (["one"] * 30, TOPICS, {KNN}),  # one article
    (ARTICLES, ["one"] * 30, {AUC}),  # one topic
    (None, ["one"] * 30, set()),
    ([str(row) for row in range(30)], None, set()),
    (None, TOPICS, {KNN}),
    (None, None, set()),
]


def test_a_proxy_without_suitable_rows_is_left_out() -> None:
    for groups, labels, allowed in ALLOWED:
        found = make_validation(data.Sentences(TEXTS, labels=labels, groups=groups), {})
        measured = found.measure(Rows())  # type: ignore[arg-type]
        assert set(measured) == {"silver", *allowed}, "all that can be measured is on record"
        assert (found.score_name, found.rule) == ("step", validation.UNTRUSTED), "no proxy chooses"


SILVER = validation.SILVER  # as it is outside tests


def test_without_ratings_500_silver_pairs_are_scored_as_by_metrics_sts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(validation, "SILVER", SILVER)
    corpus = data.sentences("wikipedia-mini")
    found, pairs, rows = make_validation(corpus, {}), data.silver_pairs(), Rows()
    assert found.silver is not None and len(found.silver.scores) == 500 == SILVER
    first = data.StsPairs(
        "silver", pairs.sentences1[:500], pairs.sentences2[:500], pairs.scores[:500]
    )
    assert found.measure(rows) == {"silver": metrics.sts(rows, {"silver": first})["silver"]}  # type: ignore[arg-type]
    assert (found.score_name, found.rule) == ("step", validation.UNTRUSTED), (
        "a model's opinion chooses nothing"
    )


def test_a_collapsed_encoder_has_no_silver_score() -> None:
    class Same:
        def encode(self, texts: list[str]) -> Any:
            return np.ones((len(texts), 2))

    assert make_validation(TEXTS, {}).measure(Same()) == {}  # type: ignore[arg-type]
