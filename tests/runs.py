"""Shared by tests of runs: a method's state, a stop at an exact step, and a listener."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

import torch

import clwork


def weights(run: clwork.Run) -> dict[str, torch.Tensor]:
    """A copy of all parameters and buffers of the run's method."""
    assert run.training.loop is not None
    return {name: tensor.clone() for name, tensor in run.training.loop.method.state_dict().items()}


def same(one: clwork.Run, other: clwork.Run) -> bool:
    """Whether the methods of two runs have equal parameters and buffers."""
    expected = weights(one)
    found = weights(other)
    if expected.keys() != found.keys():
        return False
    return all(torch.equal(expected[name], found[name]) for name in expected)


def stop_at(run: clwork.Run, step: int) -> clwork.Run:
    """Stop a run exactly after ``step``; return it when it has ended."""
    run.stop(after=step)
    return run.wait()


class Heard:
    """A listener to wait on: ``start(..., on_row=heard)``, then ``heard.until(...)``."""

    def __init__(self) -> None:
        self._rows: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def __call__(self, row: dict[str, Any]) -> None:
        self._rows.put(row)

    def until(
        self, wanted: Callable[[dict[str, Any]], Any], seconds: float = 120.0
    ) -> dict[str, Any]:
        """The next row of the wanted kind; fails if none arrives in time."""
        while True:
            try:
                row = self._rows.get(timeout=seconds)
            except Empty:
                raise AssertionError(f"no further row in {seconds:.0f} s") from None
            if wanted(row):
                return row

    def step(self, number: int) -> dict[str, Any]:
        """The row of a step, or the first one after it."""
        return self.until(lambda row: row["step"] >= number)
