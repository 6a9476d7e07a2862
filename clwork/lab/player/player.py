"""The time machine of a run: its sentences, its curves and its way through the plane, at any step, beside another's."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...checks import flag, shown, whole
from ...disk import write_whole
from ...edges import checked
from ...recordings import recording
from ...training import Run
from ...training.stored.stored import RunSource
from ..page import standalone
from ..page.labels import titles
from ..page.notebook import unsaved
from ..page.widgets import has_anywidget
from .live_run import LivePlayer
from .player_data import LONGEST, Film, film, laid_out
from .poster import of_films

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
) -> Any:
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

    >>> player("simcse").films[0]["method"]
    'simcse'

    Raises:
        TypeError: something that is no run.
        ValueError: a run without recorded positions, no method of that name, labels that do not fit, or a height out
            of range.
        ImportError: ``umap`` where umap-learn is not installed.
    """
    height, umap = whole("height", height, LEAST, MOST), flag("umap", umap)
    given = [run] if other is None else [run, other]

    def films() -> list[Film]:
        recordings = [recording(one) for one in given]
        made = [film(one, labels if place == 0 else None) for place, one in enumerate(recordings)]
        if len(made) == 1:
            return made
        told = titles([_settings(one) for one in recordings])
        return [one | {"differs": title[:LONGEST]} for one, title in zip(made, told, strict=True)]

    if any(isinstance(one, Run) and one.alive for one in given):
        if has_anywidget():
            return LivePlayer(given, films, height)
        return Player(films(), height)  # what there is by now, as a page
    made = films()
    if umap:
        made = [one | {"umap": laid} for one, laid in zip(made, laid_out(made), strict=True)]
    return Player(made, height)


class Player:
    """A page that plays one recording, or two; show it by putting it last in a cell.

    Attributes:
        films: what the page holds of each run.
        height: of its frame in a notebook, in pixels.
    """

    def __init__(self, films: list[Film], height: int = HEIGHT) -> None:
        """Hold what :func:`player` has checked."""
        self.films, self.height = films, height

    @property
    def html(self) -> str:
        """The whole page; it asks for nothing from outside."""
        title = " and ".join(one["title"] or one["method"] or "a run" for one in self.films)
        state = {"runs": self.films, "page": True}
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
        return standalone.iframe(self.html, self.height, "A run through time", of_films(self.films))

    def __repr__(self) -> str:
        told = [f"{one['name'] or one['method']}, {len(one['looks'])} looks" for one in self.films]
        return f"<Player of {' and '.join(told)}>"


def _settings(one: Mapping[str, Any]) -> dict[str, Any]:
    """What makes a recorded run what it is, its seed and steps included."""
    own = one.get("settings")
    told = (
        {name: value for name, value in own.items() if isinstance(value, Hashable)} if isinstance(own, Mapping) else {}
    )
    return {"method": str(one.get("method") or ""), **told, **{name: one.get(name) for name in ("seed", "total_steps")}}
