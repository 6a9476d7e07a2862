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
    """Read only the first pairs."""

    def read_first() -> Any:
        pairs = read()
        columns = {name: getattr(pairs, name) for name in ("sentences1", "sentences2", "scores")}
        if pairs.subsets is not None:
            columns["subsets"] = pairs.subsets
        return replace(pairs, **{name: rows[:PAIRS] for name, rows in columns.items()})

    return read_first


@pytest.fixture(scope="package")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sts.write(tmp_path_factory.mktemp("tasks") / "sts", tasks=("stsb", "sickr"))


@pytest.fixture(scope="package")
def tested(tasks: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, claims.Answer]:
    """Short runs of a claim, and its answer."""
    folder = tmp_path_factory.mktemp("tested")
    # As in every test: tests/conftest.py.
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("clwork.precision.abilities", set)
        return folder, claims.test(
            NAME, seeds=SEEDS, data=tasks, folder=folder, steps=STEPS, progress=False
        )
