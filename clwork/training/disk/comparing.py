"""Two records of what should be one run, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from ...events import steps_in_words
from ...wording import plural

Row = Mapping[str, Any]


class Missing(NamedTuple):
    """Steps missing from a record: their count, the first and the last."""

    number: int
    first: int
    last: int


def missing(steps: Iterable[int], first: int, last: int) -> Missing | None:
    """The steps from ``first`` to ``last`` that are not among ``steps``; None where all are.

    >>> missing([0, 1, 5, 6], 0, 6), missing([0, 1], 0, 1)
    (Missing(number=3, first=2, last=4), None)
    """
    known = {step for step in steps if first <= step <= last}
    lacking = last - first + 1 - len(known)
    if lacking <= 0:
        return None
    lowest = next(step for step in count(first) if step not in known)
    return Missing(lacking, lowest, next(step for step in count(last, -1) if step not in known))


@dataclass(frozen=True)
class Replay:
    """How a replay compares with the run it repeats.

    Attributes:
        of: the name of that run.
        steps: at how many both have a loss.
        differs: the first step at which the two losses are not equal, with both of them; None where all are.
        missing: the steps that could not be compared, since one of the two has no loss of them; None where all were.
        versions: what was of another version then: that version, ``"?"`` where it was not noted, and the one of now.
    """

    of: str
    steps: int
    differs: tuple[int, float, float] | None
    missing: Missing | None = None
    versions: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def __str__(self) -> str:
        """In words."""
        told = f"{plural(self.steps, 'step')} of {self.of} replayed: "
        told += self._difference() if self.differs else "every loss is equal to the last bit"
        lacking = self.missing and f"; not compared, for a record lacks them: {steps_in_words(self.missing)}"
        return told + (lacking or "")

    def _difference(self) -> str:
        assert self.differs is not None
        step, then, now = self.differs
        told = f"the losses are equal up to step {step - 1}; at step {step} the record has {then!r}, the replay {now!r}"
        others = ", ".join(f"{name} {old} then, {new} now" for name, (old, new) in self.versions.items())
        return told + (f"; other versions give other last digits: {others}" if others else "")


def compared(
    name: str,
    then: Iterable[Row],
    now: Iterable[Row],
    versions_then: Mapping[str, str] | None = None,
    versions_now: Mapping[str, str] | None = None,
) -> Replay:
    """The losses of two records, step by step; and which of the versions that count now were others then.

    >>> str(compared("simcse-001", [{"step": 1, "loss": 2.0}], [{"step": 1, "loss": 2.0}]))
    '1 step of simcse-001 replayed: every loss is equal to the last bit'
    """
    rows, known = list(then), {row["step"]: row["loss"] for row in now if "loss" in row}
    both = [(row["step"], row["loss"], known[row["step"]]) for row in rows if "loss" in row and row["step"] in known]
    differs = next((pair for pair in both if pair[1] != pair[2]), None)
    last = max((row["step"] for row in rows), default=0)
    old, new = versions_then or {}, versions_now or {}
    others = {what: (old.get(what, "?"), version) for what, version in new.items() if old.get(what) != version}
    return Replay(name, len(both), differs, missing((step for step, _, _ in both), 1, last), others)
