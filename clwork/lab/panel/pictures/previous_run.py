"""The run before the one that is shown: a grey shadow to compare with, and in what the two differ."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from ....training import Run
from ....views import Tracks

SHOWN = 3  # differences told in the line; all of them show under the mouse


def settings_of(run: Run) -> dict[str, Any]:
    """What a run was told, by name, as it was when it began."""
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
    """The settings in which two runs differ, in words.

    >>> changes({"temperature": 0.05, "steps": 3}, {"temperature": 0.1, "steps": 3})
    ['temperature 0.05 → 0.1']
    """
    return [
        f"{name.replace('_', ' ')} {_said(old[name])} → {_said(new[name])}"
        for name in new
        if name in old and old[name] != new[name]
    ]


def _said(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)[:60]


class PreviousRun:
    """Curves and settings of the run before; of a recorded one before the first.

    Attributes:
        name: what the line calls it; empty while there is none.
        tracks: its columns.
        total: the step at which it was to end.
        settings: what it was told.
        recorded: where the method's recorded run ended, (uniformity, alignment), if there is one.
    """

    def __init__(self) -> None:
        """None yet."""
        self.name, self.tracks, self.total, self.settings = "", Tracks(), 0, dict[str, Any]()
        self.recorded: tuple[float, float] | None = None

    def become(self, name: str, rows: Any, total: int, settings: Mapping[str, Any]) -> None:
        """Take the place of whichever was there."""
        self.name, self.total, self.settings = name, total, dict(settings)
        self.tracks.clear()
        self.tracks.extend(rows)

    def become_recorded(self, recording: Mapping[str, Any]) -> None:
        """Be the method's recorded run, see :func:`clwork.recorded`."""
        told = {"method": recording["method"], "steps": recording["total_steps"], "seed": recording["seed"]}
        settings = {**told, **recording["settings"]}
        self.become("recorded run", recording["rows"], recording["total_steps"], settings)
        _, uniform, align = self.tracks.joint("uniformity", "alignment")
        self.recorded = (float(uniform[-1]), float(align[-1])) if len(uniform) else None

    def told(self, run: Run | None) -> str:
        """A line of HTML: which run is grey, and what is another in the one that is shown."""
        if not self.name:
            return ""
        name = f"<span class='clwork-key'></span>{html.escape(self.name)}"
        if run is None:
            return name
        found = changes(self.settings, settings_of(run))
        whole = html.escape("; ".join(found) or "nothing", quote=True)
        few = "; ".join(found[:SHOWN]) + (f" and {len(found) - SHOWN} more" if len(found) > SHOWN else "")
        if not found:
            return f"{name}: the same settings"
        return f"{name}. Changed since: <b title='{whole}'>{html.escape(few)}</b>"
