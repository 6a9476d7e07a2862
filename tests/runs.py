"""Shared by tests of runs: the state of a run's method, an exact stop, and waiting for a row."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

import clwork


def weights(run: clwork.Run) -> dict[str, torch.Tensor]:
    """A copy of all parameters and buffers of the run's method."""
    assert run.training.loop is not None
    return {name: tensor.clone() for name, tensor in run.training.loop.method.state_dict().items()}


def same(one: clwork.Run, other: clwork.Run) -> bool:
    """Whether the methods of two runs have equal parameters and buffers."""
    expected, got = weights(one), weights(other)
    return expected.keys() == got.keys() and all(
        torch.equal(expected[name], got[name]) for name in expected
    )


def stop_at(run: clwork.Run, step: int) -> clwork.Run:
    """Stop a run exactly after ``step``; return it when it has ended."""
    run.stop(after=step)
    return run.wait()


def wait_for_row(
    run: clwork.Run, wanted: Callable[[dict[str, Any]], Any], seconds: float = 120.0
) -> dict[str, Any]:
    """Wait for the first row of the wanted kind; fails if the run writes none in time."""
    end = time.monotonic() + seconds
    while True:
        alive = run.alive
        for row in run.records():
            if wanted(row):
                return row
        assert alive, f"{run.name} has {run.status}, without such a row"
        assert time.monotonic() < end, f"no such row in {seconds:.0f} s"
        time.sleep(0.005)


def wait_for_step(run: clwork.Run, step: int) -> dict[str, Any]:
    """Wait for the row of a step."""
    return wait_for_row(run, lambda row: row["step"] == step)
