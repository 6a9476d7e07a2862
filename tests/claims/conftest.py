"""Small judges: the tests ask whether measures are right, not what a run of four steps is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from clwork import data
from clwork.claims import measures
from clwork.data import JudgedPairs

PAIRS = 60


@pytest.fixture(scope="package", autouse=True)
def _small_judges() -> Iterator[None]:
    """Every measure encodes all judges' sentences, nine thousand, under five representations."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "STRETCHES", 15)
        for name in ("silver_pairs", "graded_pairs"):
            patch.setattr(data, name, _first(getattr(data, name)))
        measures.judges.cache_clear()
        yield
    measures.judges.cache_clear()


def _first(read: Callable[[], JudgedPairs]) -> Callable[[], JudgedPairs]:
    def part() -> JudgedPairs:
        pairs = read()
        columns = ("sentences1", "sentences2", "scores", "subsets")
        rows = {name: column[:PAIRS] for name in columns if (column := getattr(pairs, name)) is not None}
        return replace(pairs, **rows)

    return part
