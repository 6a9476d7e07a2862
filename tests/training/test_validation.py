"""Which proxies a corpus allows: those that its rows can answer, and never an error in the middle of a run."""

from __future__ import annotations

from typing import Any

import pytest

from clwork import data
from clwork.training.validation import make_validation

TEXTS = [f"sentence {row}" for row in range(30)]
TOPICS = ["sea" if row % 2 else "law" for row in range(30)]


class Rows:
    def encode(self, texts: list[str]) -> Any:
        import numpy as np

        return np.random.default_rng(0).standard_normal((len(texts), 4))


@pytest.mark.parametrize(
    ("groups", "labels", "score"),
    [
        ([str(row // 3) for row in range(30)], TOPICS, "topic_knn"),
        ([str(row // 3) for row in range(30)], None, "same_article_auc"),
        ([str(row) for row in range(30)], TOPICS, "topic_knn"),  # one sentence of each article
        (["one"] * 30, TOPICS, "topic_knn"),  # one article
        ([str(row // 3) for row in range(30)], ["one"] * 30, "same_article_auc"),  # one topic
        (None, ["one"] * 30, "step"),
        ([str(row) for row in range(30)], None, "step"),
        (None, TOPICS, "topic_knn"),
        (None, None, "step"),
    ],
)
def test_a_proxy_that_the_rows_cannot_answer_is_left_out(
    groups: list[str] | None, labels: list[str] | None, score: str
) -> None:
    found = make_validation(data.Sentences(TEXTS, labels=labels, groups=groups), {})
    assert found.score_name == score
    measured = found.measure(Rows())  # type: ignore[arg-type]
    assert set(measured) <= {"same_article_auc", "topic_knn"} and (score in measured or score == "step")


def test_too_few_rows_have_no_ten_neighbours() -> None:
    assert make_validation(data.Sentences(TEXTS[:10], labels=TOPICS[:10]), {}).score_name == "step"
    assert make_validation(data.Sentences(TEXTS[:11], labels=TOPICS[:11]), {}).score_name == "topic_knn"
