"""The instrument: one page for a run at work, a recorded one, or two side by side; the kernel sends it numbers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import traitlets

from ... import columns
from ...wording import explain
from ..page import standalone
from ..page.asking_page import AskingPage
from ..page.asking_page import News as News
from .sources import Part, Source

NOTHING: Part = {"id": "", "look": -1, "row": 0, "verdict": -1, "columns": []}  # what a page knows of a run at first


class Instrument(AskingPage):
    """The base of :class:`.Panel` and of the player of a run at work.

    Attributes:
        sources: what is shown, in order; two of them are compared.
    """

    _esm: Any = standalone.MODULES / "instrument.js"

    about = traitlets.Dict().tag(sync=True)
    height = traitlets.Int(0).tag(sync=True)

    def __init__(self, sources: Sequence[Source], **traits: Any) -> None:
        self.sources: list[Source] = list(sources)
        self._made: dict[str, Part] = {}  # parts that a thread of their own has computed, by name
        self._makings = 0
        super().__init__(**traits)

    def _news(self, known: Mapping[str, Any]) -> News:
        """What a page lacks of each run, and of the parts that were computed."""
        have = known.get("runs")
        have = list(have) if isinstance(have, list) else []
        have += [NOTHING] * (len(self.sources) - len(have))
        made = {name: part for name, part in self._made.items() if known.get(name) != part["version"]}
        return {"runs": [of_source(source, part) for source, part in zip(self.sources, have, strict=False)], **made}

    def _known_after(self, known: Mapping[str, Any], news: News) -> dict[str, Any]:
        have = list(known.get("runs") or [])
        have += [NOTHING] * (len(news.get("runs", [])) - len(have))
        after = [known_after(part, told) for part, told in zip(have, news.get("runs", []), strict=False)]
        versions = {
            name: part["version"] for name, part in news.items() if isinstance(part, dict) and "version" in part
        }
        return {**known, **versions, "runs": after}

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {}

    def _make(self, name: str, make: Callable[[], Part]) -> None:
        """Compute a part of the news in a thread of its own; what is asked for later replaces it."""
        begun = self._put(name, {"working": True})

        def work() -> None:
            try:
                made = make()
            except Exception as error:
                made = {"refused": explain(error)}
            with self.lock:
                if self._made.get(name, {}).get("version") == begun:  # else another was asked for since
                    self._put(name, made)
            self._hurry()

        threading.Thread(target=work, name=f"clwork {name}", daemon=True).start()

    def _put(self, name: str, part: Part) -> int:
        with self.lock:
            self._makings += 1
            self._made[name] = {**part, "version": self._makings}
            return self._makings


def of_source(source: Source, known: Mapping[str, Any]) -> Part:
    """What a page that has ``known`` of a run lacks: see ``known`` in :data:`NOTHING`."""
    if known.get("id") != source.id:
        head = source.head()
        known = {**NOTHING, "columns": known.get("columns") or []}
        if head is None:
            return {"id": source.id, "status": source.status()}
    else:
        head = None
    part: Part = {"id": source.id, "status": source.status()}  # read first: a run that has ended records no more
    if head is not None:
        part["head"] = head
    if fresh := source.looks(_whole(known.get("look"), -1)):
        part["looks"] = fresh
    rows = source.rows(_whole(known.get("row"), 0), [str(name) for name in known.get("columns") or []])
    if rows["upto"] > rows["from"] or head is not None:
        part["rows"] = rows
    if verdict := source.verdict(_whole(known.get("verdict"), -1)):
        part["verdict"] = verdict
    return part


def known_after(known: Mapping[str, Any], told: Mapping[str, Any]) -> Part:
    """What a page knows of a run that had ``known`` and took ``told``."""
    if known.get("id") != told["id"]:
        if "head" not in told:
            return dict(known)
        known = {**NOTHING, "id": told["id"], "columns": known.get("columns") or []}
    after = dict(known)
    if looks := told.get("looks"):
        after["look"] = looks[-1]["step"]
    if rows := told.get("rows"):
        after["row"] = rows["upto"]
    if verdict := told.get("verdict"):
        after["verdict"] = verdict["step"]
    return after


def strip_of_curves() -> list[dict[str, Any]]:
    """The strip of curves: each with its columns, their titles, units and better directions."""
    return [
        {
            "cell": cell,
            "columns": [
                {"name": column.name, "title": column.label, "better": column.better, "smooth": column.smoothed}
                for column in columns.in_cell(cell)
            ],
        }
        for cell in columns.CELLS
    ]


def _whole(value: object, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default
