"""The time machine of a run: its sentences, its curves and its way through the plane, at any step, beside another's."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...checks import flag, shown, whole
from ...disk import write_whole
from ...edges import checked
from ...recordings import recording
from ...renamed import RenamedAttribute
from ...training import Run
from ...training.stored.stored import RunSource
from ..page import standalone
from ..page.labels import titles
from ..page.notebook import unsaved
from ..page.widgets import has_anywidget
from .live_run import LivePlayer
from .player_data import LONGEST, PlayerData, player_data, umap_layouts
from .poster import poster_of

HEIGHT, LEAST, MOST = 640, 480, 2000
MODULE = "player"


@unsaved()
def player(
    run: RunSource,
    other: RunSource | None = None,
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
            when the page is asked for it.
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
    sources = [run] if other is None else [run, other]

    def make() -> list[PlayerData]:
        recordings = [recording(source) for source in sources]
        data = [player_data(one, labels if place == 0 else None) for place, one in enumerate(recordings)]
        if len(data) == 1:
            return data
        names = titles([_settings(one) for one in recordings])
        return [part | {"differs": name[:LONGEST]} for part, name in zip(data, names, strict=True)]

    if any(isinstance(source, Run) and source.alive for source in sources):
        if has_anywidget():
            return LivePlayer(sources, make, height)
        return Player(make(), height)  # what there is by now, as a page
    data = make()
    if umap:
        data = [part | {"umap": layout} for part, layout in zip(data, umap_layouts(data), strict=True)]
    return Player(data, height)


class Player:
    """A page that plays one recording, or two; show it by putting it last in a cell.

    Attributes:
        data: what the page holds of each run.
        height: of its frame in a notebook, in pixels.
    """

    films = RenamedAttribute("data")

    def __init__(self, data: list[PlayerData], height: int = HEIGHT) -> None:
        self.data, self.height = data, height

    @property
    def html(self) -> str:
        """The whole page; it asks for nothing from outside."""
        title = " and ".join(part["title"] or part["method"] or "a run" for part in self.data)
        state = {"runs": self.data, "page": True}
        return standalone.page(MODULE, state, f"{title} through time")

    @checked()
    def save(self, path: str | Path) -> Path:
        """Write the page to a file, to be opened or sent; one that is there is replaced.

        Raises:
            TypeError, ValueError: no path, or a folder's.
            DiskError: the disk refuses.
        """
        target = Path(path).resolve()
        if target.is_dir():
            raise ValueError(f"path={shown(str(target), 200)} is a folder; name a file in it, such as player.html")
        write_whole(target, self.html)
        return target

    def _repr_html_(self) -> str:
        return standalone.iframe(self.html, self.height, "A run through time", poster_of(self.data))

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
