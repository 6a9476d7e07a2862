"""Without STS data, silver pairs are scored and the last step is selected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import data, metrics
from clwork.training import scores
from clwork.training.scores import make_validation

SILVER_PAIRS = scores.SILVER_PAIRS  # as it is outside tests


class Random:
    """An encoder of random vectors, the same for equal texts."""

    def encode(self, texts: list[str]) -> Any:
        return np.random.default_rng(0).standard_normal((len(texts), 4))


class Same:
    """A collapsed encoder."""

    def encode(self, texts: list[str]) -> Any:
        return np.ones((len(texts), 4))


def test_without_ratings_500_silver_pairs_are_scored_as_by_metrics_sts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scores, "SILVER_PAIRS", SILVER_PAIRS)
    validation = make_validation({})
    pairs = data.silver_pairs()
    first = data.StsPairs(
        "silver", pairs.sentences1[:500], pairs.sentences2[:500], pairs.scores[:500]
    )
    encoder: Any = Random()
    expected = metrics.sts(encoder, {"silver": first})["silver"]
    assert validation.measure(encoder) == {"silver": expected}
    assert (validation.score_name, validation.rule) == ("step", scores.LAST_STEP)


def test_a_collapsed_encoder_has_no_score() -> None:
    encoder: Any = Same()
    assert make_validation({}).measure(encoder) == {}
