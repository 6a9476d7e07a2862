"""The runs that can be shown beside the panel's own, and the one that is."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ... import columns, methods
from ...recordings import recorded_methods, recording
from ...training import Run, Stored, open_run
from ...training.disk.recipe import runs_folder
from ...training.run.start import runs
from ...training.stored.listing import RunListing
from ...training.stored.stored import AT_WORK
from ..page.labels import titles
from .player_data import player_data
from .previous import changes, settings_of
from .sources import LONGEST, Part, RecordedSource, RunSource, Source

MOST = 100  # runs in the list, the newest ones
RECORDED = "recorded:"


class Beside:
    """What stands beside a panel's run: nothing, or one other run.

    Attributes:
        source: the run that is shown beside, or None.
    """

    def __init__(self) -> None:
        self.source: Source | None = None
        self._listing = RunListing(runs_folder())

    def choose(self, id_: str) -> None:
        """Show the run of this id, which :meth:`listed` gave, or with an empty one none.

        Raises:
            FileNotFoundError, ValueError: no run of that id can be read.
        """
        if not id_:
            self.source = None
        elif id_.startswith(RECORDED):
            method = id_.removeprefix(RECORDED)
            if method not in recorded_methods():
                raise ValueError(f"{method!r} has no recorded run; there are {', '.join(recorded_methods())}")
            self.source = RecordedSource(player_data(recording(method)), id_)
        else:
            live = [run for run in runs() if str(run.folder) == id_]
            self.source = RunSource(live[0] if live else open_run(id_).as_run())

    def changes(self, drawn: object) -> str:
        """The settings in which the run beside differs from ``drawn``, in a line; of a recorded one its method."""
        if isinstance(self.source, RecordedSource):
            return str(self.source.data["title"])
        if not isinstance(self.source, RunSource) or not isinstance(drawn, Run):
            return ""
        return "; ".join(changes(settings_of(drawn), settings_of(self.source.run))) or "the same settings"

    def listed(self, drawn: str) -> Part:
        """The runs to choose from, newest first, then the recorded ones; ``drawn`` is the id of the panel's own.

        Each has its id, name, what it differs in from all of them, how it stands, and its last scores.
        """
        stored = self._stored()
        named = titles([_settings_of(run) for run in stored]) if stored else []
        listed = [_row(run, name) for run, name in zip(stored, named, strict=True) if str(run.folder) != drawn]
        for method in recorded_methods():
            if RECORDED + method != drawn:
                title = methods.get(method).title
                listed.append({"id": RECORDED + method, "name": "recorded run", "differs": title, "status": "recorded"})
        return {"runs": listed}

    def _stored(self) -> Sequence[Stored]:
        found, _ = self._listing.look()
        known = {run.folder for run in found}
        elsewhere = [Stored.of(run) for run in runs() if run.folder not in known]  # kept in folders of their own
        newest = sorted([*found, *elsewhere], key=lambda run: run.recipe.created, reverse=True)
        return newest[:MOST]


def _settings_of(run: Stored) -> Mapping[str, Hashable]:
    return {**run.settings(), "seed": run.recipe.seed}


def _row(run: Stored, differs: str) -> dict[str, Any]:
    at = "" if run.status in AT_WORK or run.step == run.total_steps else f", step {run.step} of {run.total_steps}"
    return {
        "id": str(run.folder),
        "name": run.name,
        "differs": differs[:LONGEST],
        "status": run.status + at,
        "fork": "" if run.parent is None else f"fork of {run.parent.run} at step {run.parent.step}",
        "scores": _last(run),
    }


def _last(run: Stored) -> list[list[str]]:
    """The last loss, and the last of the first score that the run has: each with its title."""
    told = []
    for cell in ("loss", "validation"):
        for column in columns.in_cell(cell):
            seen = [row[column.name] for row in run.rows if isinstance(row.get(column.name), int | float)]
            if seen:
                told.append([column.label, f"{column.scale * seen[-1]:.3g}"])
                break
    return told
