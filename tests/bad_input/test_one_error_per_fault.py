"""The same bad value gives the same error wherever a run is begun: TypeError for its kind, ValueError for its range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import clwork

TEXTS = [f"A sentence about the number {number}." for number in range(8)]
SHORT: dict[str, Any] = {"sentences": TEXTS, "steps": 1, "batch_size": 4, "device": "cpu"}
NAN = float("nan")
KINDS = [
    "2",
    b"2",
    1.5,
    2.0,
    True,
    [2],
    {"a": 2},
    NAN,
    np.float64(2),
    np.True_,
    torch.tensor(2),
    np.array([2]),
]
FAULTS: list[tuple[str, Any, type[Exception]]] = [
    *(("steps", value, TypeError) for value in KINDS),
    *(("steps", value, ValueError) for value in (0, -1, np.int64(-3), -(10**5000), 10**5000)),
    *(("seed", value, TypeError) for value in KINDS),
    *(("seed", value, ValueError) for value in (-1, 2**32, 10**5000)),
    *(("temperature", value, TypeError) for value in ("0.1", True, None, b"1")),
    *(("temperature", value, ValueError) for value in (-1, NAN, float("inf"), 10**400)),
    *(("head", value, TypeError) for value in (5, None)),
    ("head", "noen", ValueError),
]


@pytest.fixture(scope="module")
def begin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Callable[..., Any]]]:
    """What begins runs, by name; each takes one argument beside those that it needs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLWORK_RUNS", str(tmp_path_factory.mktemp("runs")))
        run = clwork.start("simcse", **SHORT).wait()
        yield {
            "start": lambda **bad: clwork.start("simcse", **(SHORT | bad)),
            "train": lambda **bad: clwork.train("simcse", **(SHORT | bad)),
            "sweep": lambda **bad: clwork.sweep("simcse", **_queued(bad)),
            "fork": lambda **bad: run.fork(0, **bad),
        }


def _queued(bad: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a sweep that hold the same value: each seed and each value of a hyperparameter stands in a list."""
    name, value = next(iter(bad.items()))
    if name == "steps":
        return SHORT | bad | {"temperature": [0.1, 0.2]}
    return SHORT | ({"seeds": [value], "temperature": [0.1]} if name == "seed" else {name: [value]})


@pytest.mark.parametrize("name", ["start", "train", "sweep", "fork"])
def test_one_error_per_fault(name: str, begin: dict[str, Callable[..., Any]], tmp_path: Path) -> None:
    wrong = []
    for argument, value, error in FAULTS:
        try:
            begin[name](**{argument: value})
        except Exception as found:
            if type(found) is not error or argument not in str(found):
                wrong.append(f"{argument}={clwork.checks.shown(value)}: {type(found).__name__}: {found}")
        else:
            wrong.append(f"{argument}={clwork.checks.shown(value)} is taken")
    assert not wrong, "\n".join(wrong)
