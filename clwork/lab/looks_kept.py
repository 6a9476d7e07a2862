"""The looks that trails are drawn through: few, evenly spread over the run, and cheap to send."""

from __future__ import annotations

from typing import Any

MOST, AT_ONCE = 24, 4


class LooksKept:
    """Keeps at most ``MOST`` looks and the newest few: ``trail`` changes once in ``AT_ONCE`` looks, ``since`` at each.

    >>> kept = LooksKept()
    >>> for step in range(100): kept.add({"step": step})
    >>> kept.trail[0], len(kept.trail) <= MOST, len(kept.since) < AT_ONCE
    ({'step': 0}, True, True)
    """

    def __init__(self) -> None:
        """None yet."""
        self.trail: list[dict[str, Any]] = []
        self.since: list[dict[str, Any]] = []
        self._every, self._count = 1, 0

    def add(self, look: dict[str, Any]) -> None:
        """Take in a look; where there are too many, every second one goes."""
        if self._count % self._every == 0:
            self.since = [*self.since, look]
        self._count += 1
        if len(self.since) >= AT_ONCE:
            self.trail, self.since = [*self.trail, *self.since], []
        if len(self.trail) > MOST:
            self.trail, self._every = self.trail[::2], 2 * self._every

    def clear(self) -> None:
        """Forget all."""
        self.__init__()  # type: ignore[misc]
