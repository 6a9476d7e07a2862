"""How a desk shows its runs: filter, order, what is drawn. The page changes it, and Python reads the same table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from .facts import Facts
from .table import FAMILY, Row, arranged


@dataclass
class View:
    """What a reader has set on a desk.

    Attributes:
        text: the filter: words that must all occur in a run's name, method, state or settings.
        method, status: the only ones that are shown; empty for all.
        only: the folders' names of the runs that are compared; None for all.
        order: the column that the table is sorted by, ``descending`` or not.
        left_out: the folders' names of the runs that are not drawn.
        extra: the column drawn beside loss, alignment and uniformity; empty for none, None for the first that there is.
        band: whether runs that differ in the seed alone are drawn as their mean and spread.
        one: the folder's name of the run whose sheet is open.
        version: grows with each change.
    """

    text: str = ""
    method: str = ""
    status: str = ""
    only: frozenset[str] | None = None
    order: str = FAMILY
    descending: bool = False
    left_out: frozenset[str] = field(default_factory=frozenset)
    extra: str | None = None
    band: bool = True
    one: str | None = None
    version: int = 1

    def matching(self, facts: Sequence[Facts]) -> list[Facts]:
        """The runs that the filter leaves, in the order in which they were begun."""
        words = self.text.lower().split()
        return [
            item
            for item in facts
            if (not self.method or item.run.method == self.method)
            and (not self.status or item.run.status == self.status)
            and (self.only is None or item.id in self.only)
            and all(word in item.words for word in words)
        ]

    def arranged(self, facts: Sequence[Facts]) -> list[Row]:
        """The rows of the table, in its order."""
        return arranged(self.matching(facts), self.order, self.descending)

    def state(self) -> dict[str, Any]:
        """What the page is sent."""
        return {
            "text": self.text,
            "method": self.method,
            "status": self.status,
            "only": None if self.only is None else sorted(self.only),
            "order": self.order,
            "descending": self.descending,
            "left_out": sorted(self.left_out),
            "band": self.band,
            "one": self.one,
        }

    # --- the page's commands ------------------------------------------------------------------------------------------

    def arrange(
        self,
        text: str = "",
        method: str = "",
        status: str = "",
        only: Collection[str] | None = None,
        order: str = FAMILY,
        descending: bool = False,
    ) -> None:
        """Filter and sort."""
        self.text, self.method, self.status = str(text), str(method), str(status)
        self.only = None if only is None else frozenset(map(str, only))
        self.order, self.descending = str(order), bool(descending)
        self.version += 1

    def leave_out(self, names: Collection[str]) -> None:
        """Draw all runs but these."""
        self.left_out = frozenset(map(str, names))
        self.version += 1

    def look(self, others: Collection[str], extra: str | None = None, band: bool | None = None) -> None:
        """Draw another column, one of ``others``, or the band or not; what is not given stays.

        Raises:
            ValueError: no run that is shown has the column.
        """
        if extra is not None:
            if extra and extra not in others:
                raise ValueError(f"No run that is shown has recorded {extra[:100]!r}.")
            self.extra = extra
        if band is not None:
            self.band = bool(band)
        self.version += 1

    def open(self, one: str | None) -> None:
        """Open a run's sheet, or shut it."""
        self.one = None if one is None else str(one)
        self.version += 1
