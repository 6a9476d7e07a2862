"""Two records of what should be one run, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Replay:
    """How a replay compares with the run it repeats.

    Attributes:
        of: the name of that run.
        steps: at how many both have a loss.
        differs: the first step at which the two losses are not equal, with both of them; None where all are.
    """

    of: str
    steps: int
    differs: tuple[int, float, float] | None

    def __str__(self) -> str:
        """In words."""
        if self.differs is None:
            return f"{self.steps} steps of {self.of} replayed: every loss is equal to the last bit"
        step, then, now = self.differs
        return (
            f"{self.steps} steps of {self.of} replayed: the losses are equal up to step {step - 1}; at step {step} the "
            f"record has {then!r}, the replay {now!r}"
        )


def compared(name: str, then: Iterable[Row], now: Iterable[Row]) -> Replay:
    """The losses of two records, step by step.

    >>> str(compared("simcse-001", [{"step": 1, "loss": 2.0}], [{"step": 1, "loss": 2.0}]))
    '1 steps of simcse-001 replayed: every loss is equal to the last bit'
    """
    known = {row["step"]: row["loss"] for row in now if "loss" in row}
    both = [(row["step"], row["loss"], known[row["step"]]) for row in then if "loss" in row and row["step"] in known]
    return Replay(name, len(both), next((pair for pair in both if pair[1] != pair[2]), None))
