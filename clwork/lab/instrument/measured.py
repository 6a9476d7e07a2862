"""What a run has measured, as text: the newest numbers, what they are of, and which further curves there are."""

from __future__ import annotations

from typing import Any

from ... import columns
from ...training import Run
from ...views import RunColumns
from ...wording import plural
from .sources import CURVES, Part


class Measured:
    """Follows a run's record; its state changes with each look, and at the end."""

    def __init__(self) -> None:
        """Begin without a run."""
        self._run: Run | None = None
        self._begin(None)

    def _begin(self, run: Run | None) -> None:
        self._run, self._rows, self._final = run, 0, False
        self._tracks = RunColumns()
        self._state: Part = {}

    def follow(self, run: Run | None) -> None:
        """Read what is new of the run's record; of another run all of it."""
        if run is not self._run:
            self._begin(run)
        if run is None:
            return
        final = not run.alive  # read first: a run that has ended records no more
        new = run.records(self._rows)
        self._rows += len(new)
        self._tracks.extend(new)
        if any("alignment" in row for row in new) or (self._rows and final and not self._final):
            self._final = final
            self._state = _state(run, self._tracks)

    def state(self) -> Part:
        """Numbers as (label, text), what they are of, and the columns that can be asked for, as (name, title)."""
        return self._state


def _state(run: Run, tracks: RunColumns) -> dict[str, Any]:
    further = columns.labelled(columns.choices(tracks.names, CURVES))
    return {
        "values": numbers(tracks),
        "about": " ".join(filter(None, (measured_on(run.probe, tracks), _watching(tracks), _arithmetic(run)))),
        "columns": [[name, title] for title, name in further],
    }


def numbers(tracks: RunColumns) -> list[list[str]]:
    """The newest value of each column that is listed for it, as (label, text); what was not measured is left out."""
    last = ((columns.of(name), tracks.last(name)) for name in columns.shown("numbers"))
    return [[column.label, f"{column.scale * value:.4g}"] for column, value in last if value is not None]


def measured_on(probe: Any, tracks: RunColumns) -> str:
    """On how many sentences and pairs the geometry is measured, and the values over all of them at start and end.

    Empty before the corpus has been read.
    """
    if probe is None:
        return ""
    text = f"Measured: {probe.about}."
    ends = {column.label: tracks.xy(f"{column.name}_all")[1] for column in columns.TABLE}
    pairs, sentences = tracks.last("pairs_all"), tracks.last("sentences_all")
    if pairs is not None and sentences is not None:
        changes = (f"{name} " + " → ".join(f"{v:.3g}" for v in values) for name, values in ends.items() if len(values))
        measured = f"{plural(round(pairs), 'pair')} and {plural(round(sentences), 'sentence')}"
        text += f" On {measured}, at the start and the end: {', '.join(changes)}."
    return text


def _watching(tracks: RunColumns) -> str:
    share = tracks.last("probe_share")
    return "" if share is None else f"Looks take {100 * share:.1f} % of the time."


def _arithmetic(run: Run) -> str:
    return f"Arithmetic in {run.recipe.precision_why or run.recipe.precision}."
