"""A queue of runs: every combination once, ended in order, stopped and told of as a whole."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import pytest

import clwork
from clwork.training import stored_runs
from clwork.training.stored.sweep import plan

pytestmark = pytest.mark.nightly
Tiny = dict[str, Any]


def test_every_combination_is_trained_once_with_each_seed(tiny: Tiny) -> None:
    queue = clwork.sweep("simcse", **tiny, temperature=[0.05, 0.5], dropout_hidden=(0.1, 0.3), seeds=[3, 5]).wait()
    assert queue.status == "finished" and not queue.alive and queue.done == 8 and not queue.failures
    found, _ = stored_runs()
    trained = {
        (run.recipe.config["temperature"], run.recipe.config["dropout_hidden"], run.recipe.seed) for run in found
    }
    assert trained == {(t, p, seed) for t in (0.05, 0.5) for p in (0.1, 0.3) for seed in (3, 5)}
    assert [run.status for run in found] == ["finished"] * 8
    assert {run.folder for run in found} == set(queue.folders)
    assert not [run for run in clwork.runs() if run.folder in queue.folders], "ended runs are left to their folders"


def test_a_run_of_a_queue_is_that_of_start(tiny: Tiny) -> None:
    queue = clwork.sweep("simcse", **tiny, temperature=[0.2], seeds=[7]).wait()
    alone = clwork.start("simcse", **tiny, temperature=0.2, seed=7).wait()
    losses = [row.get("loss") for row in clwork.open_run(queue.folders[0]).records()]
    assert losses == [row.get("loss") for row in alone.records()]


def test_stopping_ends_the_present_run_and_begins_no_other(tiny: Tiny) -> None:
    queue = clwork.sweep("simcse", **{**tiny, "steps": 100_000}, temperature=[0.05, 0.5], seeds=2)
    while queue.current is None or queue.current.step < 2:
        time.sleep(0.01)
    assert queue.alive and queue.seconds_left is not None and queue.seconds_left > 0
    queue.stop()
    queue.wait()
    assert queue.status == "stopped" and queue.done == 0 and len(queue.folders) == 1
    assert clwork.open_run(queue.folders[0]).status == "stopped"


def test_a_run_that_fails_is_told_and_the_next_one_trained(tiny: Tiny) -> None:
    bad = {**tiny, "encoder": "no/such-folder-or-model"}
    queue = clwork.sweep("simcse", **bad, temperature=[0.05, 0.5], seeds=1).wait()
    assert queue.status == "finished" and queue.done == 2 and sorted(queue.failures) == [0, 1]
    assert repr(queue).startswith("<Sweep of simcse: finished: 2 of 2 runs failed, the first by ")


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({}, ValueError, "no hyperparameter is a list"),
        ({"temperature": []}, ValueError, "give one or two with the values to try"),
        ({"temperature": [1], "dropout_hidden": [0], "batch_size": [8]}, ValueError, "temperature, dropout_hidden"),
        ({"temperature": [0.1, -1.0]}, ValueError, "temperature=-1"),
        ({"temperature": [0.1], "seeds": 0}, ValueError, "seeds=0"),
        ({"temperature": [0.1], "seeds": "two"}, TypeError, "how many seeds"),
        ({"temperature": [0.1], "seeds": [1, -2]}, ValueError, "-2"),
        ({"temperature": [0.1], "steps": 0}, ValueError, "steps=0"),
        ({"temperature": [0.1] * 300, "seeds": 2}, ValueError, "600 runs are planned"),
        ({"temprature": [0.1]}, (TypeError, ValueError), "no hyperparameter is a list|temperature"),
        ({"temperature": itertools.count(1)}, ValueError, "temperature has more than 500 values, or no end"),
        ({"temperature": [0.1], "seeds": range(10**12)}, ValueError, "seeds has more than 500 values"),
        ({"temperature": range(1, 400), "batch_size": range(2, 400)}, ValueError, "476406 runs are planned"),
        ({"temperature": [0.1], "seed": 3}, TypeError, "seed=3 is of one run; .* takes seeds=3"),
        ({"temperature": [0.1], "name": "mine"}, TypeError, "name='mine' is of one run"),
        ({"temperature": [0.1], "device": "nope"}, ValueError, "device='nope' cannot be used here"),
        ({"temperature": [0.1], "sentences": "no/such.txt"}, FileNotFoundError, "there is no file no/such.txt"),
        ({"temperature": [0.1], "sts": "no/such"}, FileNotFoundError, "sts='no/such' is no folder"),
        ({"temperature": [0.1], "checkpoint_every": 0}, ValueError, "checkpoint_every=0"),
        ({"temperature": [0.1, 0.2, 0.1]}, ValueError, "temperature=0.1 is planned twice"),
        ({"batch_size": [8, np.int64(8)]}, ValueError, "batch_size=.*8.* is planned twice"),
        ({"temperature": [0.1], "seeds": [1, 1]}, ValueError, "has a seed twice"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_anything_is(
    settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        clwork.sweep("simcse", **settings)
    assert stored_runs()[0] == []


def test_seeds_come_outermost() -> None:
    planned = plan({"temperature": (1, 2), "lam": (3, 4)}, (0, 1))
    assert [one.seed for one in planned] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert [tuple(one.values.values()) for one in planned[:4]] == [(1, 3), (1, 4), (2, 3), (2, 4)]
