"""Which way a run moves its cloud of sentences: it opens, stays, or closes; from the looks that the run records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from .. import _validation
from .._validation import Natural, checked

EARLY = 0.1  # part of a run before which nothing is judged
# Changes of log(1 - mean cosine), chosen on runs of every method: docs/collapse.md has the table of
# benchmarks/collapse_calibration.py, and how well they do on other seeds.
OPENED = 0.14  # since the first look; of a method that pushes
CLOSED = -0.027  # since the first look
LOST = -0.38  # since the widest look
SHARED = 0.45  # mean cosine below which there is no cone left to open
NARROWEST = 1e-6  # width of a single point

Course = Literal["too early", "opening", "open", "steady", "not opening", "closing"]


class Look(NamedTuple):
    """The mean cosine over all pairs of sentences at a step."""

    step: int
    mean_cosine: float

    @property
    def width(self) -> float:
        """Logarithm of 1 - mean cosine, half the mean squared distance on the sphere."""
        return math.log(max(1 - self.mean_cosine, NARROWEST))


@dataclass(frozen=True)
class Trend:
    """How the cloud moved from a run's first look to its latest.

    Attributes:
        course: too early (less than a tenth of the run is done), opening, open (no cone to open), steady (as it was,
            and nothing pushes), not opening (as it was, though the method pushes), closing.
        first: the look at the start.
        widest: the look with the lowest mean cosine.
        last: the latest look.
        total_steps: the step at which the run ends.
    """

    course: Course
    first: Look
    widest: Look
    last: Look
    total_steps: int

    @property
    def part(self) -> float:
        """The part of the run that lies between first and last look."""
        return (self.last.step - self.first.step) / max(1, self.total_steps - self.first.step)

    @property
    def warns(self) -> bool:
        """Whether the course is one to warn of."""
        return self.course in ("not opening", "closing")


@checked()
def trend(rows: Iterable[Mapping[str, Any]], total_steps: Natural, *, pushes: bool = True) -> Trend | None:
    """Compare the first look at a run with its latest, and with the widest between them.

    What counts is the change of ``log(1 - mean cosine)``: .99 → .98 and .8 → .6 both double the mean squared distance.
    A cloud is *closing* when it is narrower than at the first look, or much narrower than at its widest. The thresholds
    were calibrated on healthy and sick runs of all methods: docs/collapse.md.

    Args:
        rows: of a run's history, in order; those without ``mean_cosine`` are passed over.
        total_steps: the step at which the run ends.
        pushes: whether the method pushes sentences apart; of one that does not, opening is not expected.

    Returns:
        None where no row has a mean cosine.

    >>> rows = [{"step": 0, "mean_cosine": 0.96}, {"step": 40, "mean_cosine": 0.61}]
    >>> trend(rows, 80).course
    'opening'
    """
    looks = [
        Look(int(row["step"]), float(row["mean_cosine"]))
        for row in rows
        if _validation.is_number(row.get("mean_cosine")) and _validation.is_finite(row["mean_cosine"])
    ]
    if not looks:
        return None
    first, widest, last = looks[0], max(looks, key=lambda look: look.width), looks[-1]
    course = _course(first, widest, last, pushes)
    whole = Trend(course, first, widest, last, total_steps)
    return whole if whole.part >= EARLY else replace(whole, course="too early")


def _course(first: Look, widest: Look, last: Look, pushes: bool) -> Course:
    change = last.width - first.width
    if change < CLOSED or last.width - widest.width < LOST:
        return "closing"
    if change > OPENED:
        return "opening"
    if last.mean_cosine < SHARED:
        return "open"
    return "not opening" if pushes else "steady"
