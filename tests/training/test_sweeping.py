"""A sweep trains every combination once with each seed, and returns a table."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import clwork
from clwork.training.stored import stored_runs

Tiny = dict[str, Any]


def test_every_combination_is_trained_once_with_each_seed(tiny: Tiny) -> None:
    settings = tiny | {"steps": 2}
    found = clwork.sweep("simcse", **settings, temperature=[0.05, 0.5], dropout_hidden=(0.1, 0.3), seeds=[3, 5])
    trained = list(found[["temperature", "dropout_hidden", "seed"]].itertuples(index=False, name=None))
    assert trained == [(t, p, seed) for seed in (3, 5) for t in (0.05, 0.5) for p in (0.1, 0.3)]
    assert set(found["status"]) == {"finished"} and {str(run.folder) for run in stored_runs()[0]} == set(
        found["folder"]
    )
    assert not [run for run in clwork.runs() if str(run.folder) in set(found["folder"])]
    alone = clwork.start("simcse", **settings, temperature=0.5, dropout_hidden=0.1, seed=5).wait()
    assert found["loss"][6] == alone.history["loss"].iloc[-1] and {"alignment", "uniformity"} <= set(found)


def test_a_run_that_fails_is_a_row_and_the_next_one_is_trained(tiny: Tiny) -> None:
    found = clwork.sweep("simcse", **{**tiny, "encoder": "no/such-model"}, temperature=[0.05, 0.5], seeds=1)
    assert set(found["status"]) == {"failed"} and len(found) == 2 and "no/such-model" in found["error"][0]


def test_bad_arguments_are_refused_before_anything_is_trained() -> None:
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({}, ValueError, "no hyperparameter is a list"),
        ({"temperature": [1], "dropout_hidden": [0], "batch_size": [8]}, ValueError, "temperature, dropout_hidden"),
        ({"temperature": [0.1], "seeds": [1, 1]}, ValueError, "seeds has 1 twice"),
        ({"temperature": itertools.count(1)}, ValueError, "temperature has more than 500 values"),
        ({"temperature": range(1, 400), "batch_size": range(2, 400)}, ValueError, "476406 runs are planned"),
        ({"temperature": [0.1], "seed": 3}, TypeError, "seed=3 applies to a single run"),
        ({"temperature": [0.1], "sentences": "no/such.txt"}, FileNotFoundError, "there is no file no/such.txt"),
        ({"batch_size": [8, np.int64(8)]}, ValueError, "batch_size has .*8.* twice"),
    ]
    for given, error, words in wrong:
        with pytest.raises(error, match=words):
            clwork.sweep("simcse", **given)
    assert stored_runs()[0] == []
