"""What tests of runs share: all state of a run's method, and a stop at an exact step."""

from __future__ import annotations

from typing import Any

import torch

import clwork


def weights(run: clwork.Run) -> dict[str, torch.Tensor]:
    """A copy of all that the run's method has learnt or carries."""
    assert run._loop is not None
    return {name: tensor.clone() for name, tensor in run._loop.method.state_dict().items()}


def stop_at(run: clwork.Run, step: int) -> clwork.Run:
    """Stop a run from within its own thread, exactly after ``step``; returns it when it has ended."""
    add = run._record.add

    def adding(row: dict[str, Any]) -> None:
        add(row)
        if row["step"] == step:
            run.stop()

    run._record.add = adding  # type: ignore[method-assign]
    return run.wait()
