"""The time machine of a run: its sentences, its curves and its way through the plane, at any step, beside another's."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ... import methods
from ..._validation import checked, flag, whole
from ...recordings import recording
from ...training import Run
from ...training.stored.stored import RunSource as AnyRun
from ..instrument.player_data import LONGEST, PlayerData, player_data, umap_layouts
from ..instrument.sources import RecordedSource, RunSource, Source
from ..page import standalone
from ..page.labels import titles
from ..page.notebook import unsaved
from ..page.widgets import has_anywidget
from .live_run import LivePlayer
from .pages import document, save

HEIGHT, LEAST, MOST = 640, 480, 2000


@unsaved()
def player(
    run: AnyRun,
    other: AnyRun | None = None,
    *,
    umap: bool = False,
    labels: Sequence[str | None] | None = None,
    height: int = HEIGHT,
) -> Player | LivePlayer:
    """Watch a run again, or two side by side: a slider of time over its cloud of sentences, its curves and its trail.

    Play, step, slow down; choose a sentence to see its way and its nearest sentences then and now. What is chosen stays
    chosen through time and in both runs. A run at work is followed as it goes; everything else is a page of its own,
    which plays with the kernel stopped, in Colab and in a notebook that was made HTML.

    Args:
        run: a run, one read back by :func:`clwork.open_run`, a run's folder, the name of a method (its recorded run
            that comes with clwork), or what :func:`clwork.recording` gave.
        other: another one to see beside it, on the same time.
        umap: lay the sentences out by UMAP as well, aligned through time; takes a minute. Of a run at work it is made
            when the page is asked for it; the recordings that ship bring theirs.
        labels: your own, one for each of the first run's sentences, to colour the dots by.
        height: in pixels.

    >>> player("simcse").data[0]["method"]
    'simcse'

    Raises:
        TypeError: something that is no run.
        ValueError: a run without recorded positions, no method of that name, labels that do not fit, or a height out
            of range.
        ImportError: ``umap`` where umap-learn is not installed.
    """
    height, umap = whole("height", height, LEAST, MOST), flag("umap", umap)
    runs = [run] if other is None else [run, other]
    if any(isinstance(one, Run) and one.alive for one in runs) and has_anywidget():
        return _live(runs, labels, height)
    recordings = [recording(one) for one in runs]  # of a run at work what there is by now
    data = [player_data(one, labels if place == 0 else None) for place, one in enumerate(recordings)]
    if len(data) > 1:  # each recording's own layout has axes of its own
        data = [{name: value for name, value in part.items() if name != "umap"} for part in data]
        names = titles([_settings(one) for one in recordings])
        data = [part | {"differs": name[:LONGEST]} for part, name in zip(data, names, strict=True)]
    if umap and not all("umap" in part for part in data):
        data = [part | {"umap": layout} for part, layout in zip(data, umap_layouts(data), strict=True)]
    return Player(data, height)


def _live(runs: Sequence[Any], labels: Sequence[str | None] | None, height: int) -> LivePlayer:
    """Follow runs of this kernel; what is beside them may be a recording."""
    settings, sources = [], list[Source]()
    for place, one in enumerate(runs):
        if isinstance(one, Run):
            own = {name: value for name, value in vars(one.config).items() if isinstance(value, Hashable)}
            settings.append({"method": one.method, **own, "seed": one.recipe.seed, "total_steps": one.total_steps})
            sources.append(RunSource(one))
        else:
            recorded = recording(one)
            settings.append(_settings(recorded))
            sources.append(RecordedSource(player_data(recorded), f"recording {place}"))
    names = [name[:LONGEST] for name in titles(settings)] if len(runs) > 1 else [methods.get(runs[0].method).title]
    return LivePlayer(runs, sources, labels=labels, differs=names, height=height)


class Player:
    """A page that plays one recording, or two; show it by putting it last in a cell.

    Attributes:
        data: what the page holds of each run.
        height: of its frame in a notebook, in pixels.
    """

    def __init__(self, data: list[PlayerData], height: int = HEIGHT) -> None:
        self.data, self.height = data, height

    @property
    def html(self) -> str:
        """The whole page; it asks for nothing from outside."""
        return document(self.data)

    @checked()
    def save(self, path: str | Path) -> Path:
        """Write the page to a file, to be opened or sent; one that is there is replaced.

        Raises:
            TypeError, ValueError: no path, or a folder's.
            DiskError: the disk refuses.
        """
        return save(self.data, path)

    def _repr_html_(self) -> str:
        return standalone.iframe(self.html, self.height, "A run through time")

    def __repr__(self) -> str:
        runs = [f"{part['name'] or part['method']}, {len(part['looks'])} looks" for part in self.data]
        return f"<Player of {' and '.join(runs)}>"


def _settings(one: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a recorded run, its seed and steps included."""
    own = one.get("settings")
    told = (
        {name: value for name, value in own.items() if isinstance(value, Hashable)} if isinstance(own, Mapping) else {}
    )
    return {"method": str(one.get("method") or ""), **told, **{name: one.get(name) for name in ("seed", "total_steps")}}
