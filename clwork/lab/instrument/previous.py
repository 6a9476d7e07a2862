"""The run before the one that is shown: grey behind its curves, and the settings that changed since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...training import Run
from .sources import Part, table


class Previous:
    """The run that is shown in grey; before the first one there is none, or the method's recorded run.

    Attributes:
        id: by which it is known; empty while there is none.
    """

    def __init__(self) -> None:
        self.id, self.name, self._total = "", "", 0
        self._rows: list[Mapping[str, Any]] = []
        self._settings: dict[str, Any] = {}

    def become(
        self, id_: str, name: str, rows: Sequence[Mapping[str, Any]], total: int, settings: Mapping[str, Any]
    ) -> None:
        """Set the run that is shown in grey."""
        self.id, self.name, self._total = id_, name, total
        self._rows, self._settings = list(rows), dict(settings)

    def state(self) -> Part:
        """Its name and its curves."""
        return {"id": self.id, "name": self.name, "total_steps": self._total, "rows": table(self._rows, 0)}

    def changes(self, run: Run) -> str:
        """The settings in which ``run`` differs from it, in a line; empty while there is none."""
        if not self.id:
            return ""
        return "; ".join(changes(self._settings, settings_of(run))) or "the same settings"


def settings_of(run: Run) -> dict[str, Any]:
    """The settings that a run began with, by name."""
    recipe = run.recipe
    return {
        "method": run.method,
        "encoder": recipe.encoder,
        "sentences": recipe.sentences.label,
        "steps": recipe.steps,
        "seed": recipe.seed,
        **recipe.config,
    }


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The settings in which two runs differ, as text.

    >>> changes({"temperature": 0.05, "steps": 3}, {"temperature": 0.1, "steps": 3})
    ['temperature 0.05 → 0.1']
    """
    return [
        f"{name.replace('_', ' ')} {_short(old[name])} → {_short(new[name])}"
        for name in new
        if name in old and old[name] != new[name]
    ]


def _short(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)[:60]
