"""The player of a run at work: looks come to the page as they are taken, and UMAP is made where it is asked for."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets
import traitlets

from ...training import Run
from ...views import svg_image
from ...wording import explain
from ..page import standalone
from ..page.drawing_thread import DrawingThread
from ..page.widgets import FeedWidget
from .player_data import Film, laid_out, looks, rows, trends
from .poster import of_films

MOST_ROWS = 500  # of one message
PACKED = ("at", "near")  # the arrays of a look


class News(widgets.Widget):  # type: ignore[misc]
    """Brings what has come since; a plain model, for anywidget's own drops what arrives while a slow page starts it."""

    news: Any = traitlets.Dict().tag(sync=True)


class LivePlayer(FeedWidget):
    """See :func:`clwork.lab.player`, which makes it.

    The page holds looks and rows by their step and says up to which it knows them; so nothing that was lost on the way,
    or missed while the page was reloaded, stays missing.
    """

    _esm: Any = standalone.MODULES / "player.js"

    runs: Any = traitlets.List().tag(sync=True)
    height = traitlets.Int().tag(sync=True)

    def __init__(self, given: Sequence[Any], make: Callable[[], list[Film]], height: int) -> None:
        """Show the films that ``make`` makes, once each run has looked; what of them are runs at work is followed."""
        self._given, self._make = list(given), make
        self._ready = not any(_looks_later(run) for run in given)
        films = make() if self._ready else []
        super().__init__(runs=[with_bytes(one) for one in films], height=height, feed=News())
        self.films = films
        self._sent = [_last(one) for one in films]
        self._lock = threading.RLock()  # the kernel's thread answers while the drawing thread tells
        self._number = 0
        self._laid: list[dict[str, Any]] = []  # UMAP, kept for a page that did not hear of it
        self.feed.on_msg(self._asked)
        self._drawing = DrawingThread(self._tell, self._report)
        self._drawing.start()

    def close(self) -> None:
        """Take it off the page, and follow no longer."""
        self._drawing.end()
        super().close()

    def _tell(self) -> bool:
        """Send what is new; False once no run is at work, so all of it is sent."""
        going = any(isinstance(run, Run) and run.alive for run in self._given)
        if not self._begun():
            return going
        with self._lock:
            fresh = [self._since(place, *known) for place, known in enumerate(self._sent)]
            if not going or any(one["looks"] or one["rows"] for one in fresh):
                self._sent = [_last(one, known) for one, known in zip(fresh, self._sent, strict=True)]
                self._publish(runs=[with_bytes(one) for one in fresh])
        return going

    def _begun(self) -> bool:
        """Whether there are films; they are made and sent once every run has looked, or has ended."""
        if not self._ready and not any(_looks_later(run) for run in self._given):
            with self._lock:
                self._ready = True
                self.films = self._make()
                self._sent = [_last(one) for one in self.films]
                self._publish(films=[with_bytes(one) for one in self.films])
        return bool(self.films)

    def _since(self, place: int, look: int, row: int) -> dict[str, Any]:
        """What a run has come to after these steps."""
        run, film = self._given[place], self.films[place]
        known: dict[str, Any] = {"after": [look, row], "looks": [], "rows": []}
        if not isinstance(run, Run):
            return known
        status = run.status  # before what is new is read: a run that has ended has told all
        later = [one for one in run.positions.rows() if one["step"] > look]
        new = [one for one in run.records() if one["step"] > row]
        return known | {
            "status": status,
            "looks": looks(later, len(film["texts"]), film["axes"]) if later else [],
            "rows": rows(new, MOST_ROWS, trends=trends(run.records(), run.total_steps, run.method) if new else None),
        }

    def _asked(self, _: Any, message: dict[str, Any], buffers: Any) -> None:
        """Answer the page: with all after what it knows, or with UMAP once that is made."""
        if message.get("ask") == "umap":
            threading.Thread(target=self._lay_out, name="clwork umap", daemon=True).start()
            return
        known = message.get("known")
        if message.get("ask") != "more" or not isinstance(known, list) or not self._begun():
            return
        with self._lock:
            if len(known) != len(self.films):
                self._publish(films=[with_bytes(one) for one in self.films])
                return
            answer = [self._since(place, int(one[0]), int(one[1])) for place, one in enumerate(known)]
            laid = self._laid if message.get("umap") else []
            both = zip(answer, laid or [{}] * len(answer), strict=True)
            self._publish(runs=[with_bytes(one | umap) for one, umap in both])

    def _lay_out(self) -> None:
        try:
            films = [one | self._now(place) for place, one in enumerate(self.films)]
            made = laid_out(films)
        except Exception as error:
            self._report(error)
            return
        with self._lock:
            self._laid = [{"umap": one} for one in made]
            self._publish(runs=[with_bytes({"after": [-1, -1]} | one) for one in self._laid])

    def _now(self, place: int) -> dict[str, Any]:
        run, film = self._given[place], self.films[place]
        if not isinstance(run, Run):
            return {}
        return {"looks": looks(run.positions.rows(), len(film["texts"]), film["axes"])}

    def _report(self, error: Exception) -> None:
        with self._lock:
            self._publish(said=explain(error))

    def _publish(self, **news: Any) -> None:
        self._number += 1
        self.feed.news = {"number": self._number, **news}

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and for readers that run no widgets a word on how to see the run there."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        names = " and ".join(str(getattr(run, "name", "a run")) for run in self._given)
        words = f"This followed {names} at work; lab.player(folder) shows what it has come to, without a kernel."
        picture = svg_image(of_films(self.films), words) if self.films else ""
        return {**data, "text/html": f"<p>{words}</p>{picture}", "text/plain": words}, metadata


def with_bytes(sent: Mapping[str, Any]) -> dict[str, Any]:
    """A film, or news of one, with bytes for base64: ipywidgets sends them as binary buffers.

    A film itself keeps base64, as run folders and pages without a kernel have it.
    """
    made = dict(sent)
    if "looks" in made:
        made["looks"] = [look | {name: base64.b64decode(look[name]) for name in PACKED} for look in made["looks"]]
    if "umap" in made:
        made["umap"] = made["umap"] | {"looks": [base64.b64decode(look) for look in made["umap"]["looks"]]}
    return made


def _looks_later(run: Any) -> bool:
    """Whether a run has not looked yet, and will."""
    return isinstance(run, Run) and run.alive and not run.positions.rows()


def _last(one: dict[str, Any], known: Sequence[int] = (-1, -1)) -> list[int]:
    """The steps of the last look and of the last row."""
    held = [one[name][-1]["step"] if one[name] else at for name, at in zip(("looks", "rows"), known, strict=True)]
    return [int(step) for step in held]
