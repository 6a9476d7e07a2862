"""Runs with SimCSE's switches: they resume bit for bit, and the force view's terms add up to their loss."""

from __future__ import annotations

from typing import Any

import pytest

import clwork
from clwork.data import Sentences

from .conftest import SHORT

pytestmark = pytest.mark.nightly


@pytest.mark.parametrize(
    "values",
    [{"same_group": 0.5}, {"two_encoders": True, "both_directions": True}, {"fresh_weights": True}],
    ids=lambda values: next(iter(values)),
)
def test_a_run_with_a_switch_resumes_alike(tiny: dict[str, Any], values: dict[str, Any]) -> None:
    texts = Sentences(tiny["sentences"], groups=tiny["sentences"].groups)
    resumes_alike({**tiny, **values, "sentences": texts})


@pytest.mark.parametrize("values", [{"augmentation": "masked_words"}, {"masked_word_weight": 0.1}], ids=str)
def test_masked_words_resume_alike(values: dict[str, Any], corpus: Sentences) -> None:
    run = resumes_alike({**SHORT, "encoder": "mini", "sentences": corpus, "steps": 2, **values})
    assert ("masked_word_loss" in run.history) is ("masked_word_weight" in values)


def resumes_alike(arguments: dict[str, Any]) -> Any:
    """Train at once, and stopped and resumed, and compare; differentiate the next step, which checks the terms' sum."""
    whole = clwork.train("simcse", **arguments)
    half = clwork.start("simcse", **arguments)
    half.stop()
    half.wait()
    resumed = clwork.resume(half.folder)
    resumed.wait()
    assert list(resumed.history["loss"].dropna()) == list(whole.history["loss"].dropna())
    assert clwork.training.forces_at(whole).tables
    return whole
