"""Small evaluators: measuring an encoder of four steps needs no nine thousand sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clwork import claims, data
from clwork.claims import measures

from .. import sts

PAIRS = 60
NAME = "gclsr/training-improves-the-network"
STEPS, SEEDS = 6, 3


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
        return replace(
            pairs, **{c: rows[:PAIRS] for c in columns if (rows := getattr(pairs, c)) is not None}
        )

    return part


@pytest.fixture(scope="package")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sts.write(tmp_path_factory.mktemp("tasks") / "sts", tasks=("stsb", "sickr"))


@pytest.fixture(scope="package")
def tested(tasks: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, claims.Answer]:
    """Short runs of a claim, and its answer."""
    folder = tmp_path_factory.mktemp("tested")
    with pytest.MonkeyPatch.context() as patched:  # as in every test: tests/conftest.py
        patched.setattr("clwork.precision.abilities", set)
        return folder, claims.test(
            NAME, seeds=SEEDS, data=tasks, folder=folder, steps=STEPS, progress=False
        )
