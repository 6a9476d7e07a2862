"""When a run is looked at: as often as the time that looks take allows, or every so many steps."""

from __future__ import annotations

SHARE = 0.03  # of the time of training: a look waits until training has gone on for 33 times as long as one takes
LONG = 200  # steps from which a run measures every probe sentence at its start and its end, see ``whole``
# A short run would have a point or two. It may be watched up to this share, for about so many points.
SHORT_SHARE, POINTS = 0.2, 20


class Looks:
    """Says at which steps the geometry is measured; the first and the last step always are.

    With ``every`` these are its multiples, in every run the same. Without, looks follow the clock, so that they cost
    a fast machine no larger part of its time than a slow one; two runs are then looked at at different steps, which
    changes nothing else: a look draws no random number and moves no weight.
    """

    def __init__(self, total: int, every: int | None) -> None:
        """Plan for a run of ``total`` steps."""
        self.total, self.every = total, every
        self._step, self._seconds, self._cost = 0, 0.0, 0.0

    def due(self, step: int, seconds: float) -> bool:
        """Whether to look after ``step``, with ``seconds`` of training done."""
        if step in (0, self.total):
            return True
        if self.every is not None:
            return step % self.every == 0
        rest = seconds - self._seconds
        if rest * SHARE >= self._cost:
            return True
        apart = step - self._step >= self.total / POINTS
        return self.total < LONG and apart and rest * SHORT_SHARE >= self._cost

    def whole(self, step: int) -> bool:
        """Whether this look takes in all of the probe, by the step alone: equal in equal runs."""
        return self.total >= LONG and step in (0, self.total)

    def note(self, step: int, seconds: float, cost: float) -> None:
        """Remember a look, and what one of usual size costs, in seconds."""
        self._step, self._seconds, self._cost = step, seconds, cost
