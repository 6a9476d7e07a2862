"""The player of a run at work: sends looks to the page as they are taken, and computes UMAP on request."""

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
from .player_data import PlayerData, looks, rows, trends, umap_layouts
from .poster import poster_of

MOST_ROWS = 500  # of one message
PACKED = ("at", "near")  # the arrays of a look


class News(widgets.Widget):  # type: ignore[misc]
    """Updates since the page received its data."""

    news: Any = traitlets.Dict().tag(sync=True)


class LivePlayer(FeedWidget):
    """See :func:`clwork.lab.player`, which makes it.

    The page reports the steps of its last look and last row, so that whatever was lost, or missed while the page was
    reloaded, is sent again.
    """

    _esm: Any = standalone.MODULES / "player.js"

    runs: Any = traitlets.List().tag(sync=True)
    height = traitlets.Int().tag(sync=True)

    def __init__(self, runs: Sequence[object], make: Callable[[], list[PlayerData]], height: int) -> None:
        """Show the data from ``make`` once every run has a first look; follow runs at work."""
        self._runs, self._make = list(runs), make
        self._ready = not any(_looks_later(run) for run in runs)
        data = make() if self._ready else []
        super().__init__(runs=[with_bytes(part) for part in data], height=height, feed=News())
        self.data = data
        self._sent = [_last_steps(part) for part in data]
        self._lock = threading.RLock()  # the kernel's thread answers while the drawing thread sends
        self._number = 0
        self._umap: list[dict[str, Any]] = []  # for a page that did not receive it
        self.feed.on_msg(self._answer)
        self._drawing = DrawingThread(self._send_new, self._report)
        self._drawing.start()

    def close(self) -> None:
        """Take the player off the page and stop following."""
        self._drawing.end()
        super().close()

    def _send_new(self) -> bool:
        """Send what is new; return False once no run is at work."""
        at_work = any(isinstance(run, Run) and run.alive for run in self._runs)
        if not self._begun():
            return at_work
        with self._lock:
            fresh = [self._since(place, *known) for place, known in enumerate(self._sent)]
            if not at_work or any(news["looks"] or news["rows"] for news in fresh):
                self._sent = [_last_steps(news, known) for news, known in zip(fresh, self._sent, strict=True)]
                self._publish(runs=[with_bytes(news) for news in fresh])
        return at_work

    def _begun(self) -> bool:
        """Whether there is data; it is made and sent once every run has looked or ended."""
        if not self._ready and not any(_looks_later(run) for run in self._runs):
            with self._lock:
                self._ready = True
                self.data = self._make()
                self._sent = [_last_steps(part) for part in self.data]
                self._publish(films=[with_bytes(part) for part in self.data])
        return bool(self.data)

    def _since(self, place: int, look: int, row: int) -> dict[str, Any]:
        run, data = self._runs[place], self.data[place]
        known: dict[str, Any] = {"after": [look, row], "looks": [], "rows": []}
        if not isinstance(run, Run):
            return known
        status = run.status  # read first: a run that has ended records no more
        new_looks = [taken for taken in run.positions.rows() if taken["step"] > look]
        new_rows = [record for record in run.records() if record["step"] > row]
        return known | {
            "status": status,
            "looks": looks(new_looks, len(data["texts"]), data["axes"]) if new_looks else [],
            "rows": rows(
                new_rows, MOST_ROWS, trends=trends(run.records(), run.total_steps, run.method) if new_rows else None
            ),
        }

    def _answer(self, _: Any, message: dict[str, Any], buffers: Any) -> None:
        """Answer the page: with all that it lacks, or with UMAP once that is computed."""
        if message.get("ask") == "umap":
            threading.Thread(target=self._lay_out, name="clwork umap", daemon=True).start()
            return
        known = message.get("known")
        if message.get("ask") != "more" or not isinstance(known, list) or not self._begun():
            return
        with self._lock:
            if len(known) != len(self.data):
                self._publish(films=[with_bytes(part) for part in self.data])
                return
            answer = [self._since(place, int(steps[0]), int(steps[1])) for place, steps in enumerate(known)]
            layouts = self._umap if message.get("umap") else []
            both = zip(answer, layouts or [{}] * len(answer), strict=True)
            self._publish(runs=[with_bytes(news | umap) for news, umap in both])

    def _lay_out(self) -> None:
        try:
            layouts = umap_layouts([part | self._looks_now(place) for place, part in enumerate(self.data)])
        except Exception as error:
            self._report(error)
            return
        with self._lock:
            self._umap = [{"umap": layout} for layout in layouts]
            self._publish(runs=[with_bytes({"after": [-1, -1]} | layout) for layout in self._umap])

    def _looks_now(self, place: int) -> dict[str, Any]:
        run, data = self._runs[place], self.data[place]
        if not isinstance(run, Run):
            return {}
        return {"looks": looks(run.positions.rows(), len(data["texts"]), data["axes"])}

    def _report(self, error: Exception) -> None:
        with self._lock:
            self._publish(said=explain(error))

    def _publish(self, **news: Any) -> None:
        self._number += 1
        self.feed.news = {"number": self._number, **news}

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and for readers without widgets a sentence on how to see the run there."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        names = " and ".join(str(getattr(run, "name", "a run")) for run in self._runs)
        words = f"This followed {names} at work; lab.player(folder) shows what it has come to, without a kernel."
        picture = svg_image(poster_of(self.data), words) if self.data else ""
        return {**data, "text/html": f"<p>{words}</p>{picture}", "text/plain": words}, metadata


def with_bytes(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Decode base64 in a run's data or update to bytes, which ipywidgets sends as binary buffers."""
    made = dict(sent)
    if "looks" in made:
        made["looks"] = [look | {name: base64.b64decode(look[name]) for name in PACKED} for look in made["looks"]]
    if "umap" in made:
        made["umap"] = made["umap"] | {"looks": [base64.b64decode(look) for look in made["umap"]["looks"]]}
    return made


def _looks_later(run: object) -> bool:
    """Whether a run's first look is still to come."""
    return isinstance(run, Run) and run.alive and not run.positions.rows()


def _last_steps(sent: Mapping[str, Any], known: Sequence[int] = (-1, -1)) -> list[int]:
    steps = [
        sent[name][-1]["step"] if sent[name] else step for name, step in zip(("looks", "rows"), known, strict=True)
    ]
    return [int(step) for step in steps]
