"""Small evaluators: measuring an encoder of four steps needs no nine thousand sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from clwork import data
from clwork.claims import measures

PAIRS = 60


@pytest.fixture(scope="package", autouse=True)
def _small_evaluators() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "STRETCHES", 15)
        patch.setattr(data, "silver_pairs", _first(data.silver_pairs))
        measures.evaluators.cache_clear()
        yield
    measures.evaluators.cache_clear()


def _first(read: Callable[[], Any]) -> Callable[[], Any]:
    def part() -> Any:
        pairs = read()
        columns = ("sentences1", "sentences2", "scores", "subsets")
        return replace(pairs, **{c: rows[:PAIRS] for c in columns if (rows := getattr(pairs, c)) is not None})

    return part
