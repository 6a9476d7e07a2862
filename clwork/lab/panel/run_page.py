"""The page of one run or of two next to each other, which polls the kernel for numbers to draw."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import traitlets

from ... import columns
from ...wording import explain
from ..page import standalone
from ..page.polling_page import PollingPage, Update
from .run_sources import NOTHING, Part, Source, known_after, update_of


class RunPage(PollingPage):
    """The base of :class:`.Panel` and of the player of an active run; of two ``sources`` the second is compared."""

    _esm: Any = standalone.MODULES / "panel.js"

    about = traitlets.Dict().tag(sync=True)
    height = traitlets.Int(0).tag(sync=True)

    def __init__(self, sources: Sequence[Source], **traits: Any) -> None:
        self.sources: list[Source] = list(sources)
        self._computed: dict[str, Part] = {}  # parts that threads have computed, by name
        self._versions = 0
        super().__init__(**traits)

    def _update(self, known: Mapping[str, Any]) -> Update:
        have = known.get("runs")
        have = [*(have if isinstance(have, list) else []), *[NOTHING] * len(self.sources)]
        runs = [update_of(source, part) for source, part in zip(self.sources, have, strict=False)]
        computed = {name: part for name, part in self._computed.items() if known.get(name) != part["version"]}
        return {"runs": runs, **computed}

    def _known_after(self, known: Mapping[str, Any], news: Update) -> dict[str, Any]:
        runs = news.get("runs", [])
        have = [*(known.get("runs") or []), *[NOTHING] * len(runs)]
        after = [known_after(part, new) for part, new in zip(have, runs, strict=False)]
        versions = {
            name: part["version"] for name, part in news.items() if isinstance(part, dict) and "version" in part
        }
        return {**known, **versions, "runs": after}

    def _compute(self, name: str, compute: Callable[[], Part]) -> None:
        """Compute a part of the reply in a thread; a later request of the same name replaces it."""
        begun = self._put(name, {"working": True})

        def work() -> None:
            try:
                part = compute()
            except Exception as error:
                part = {"refused": explain(error)}
            with self.lock:
                if self._computed.get(name, {}).get("version") == begun:  # else another was requested since
                    self._put(name, part)
            self._push_now()

        threading.Thread(target=work, name=f"clwork {name}", daemon=True).start()

    def _put(self, name: str, part: Part) -> int:
        with self.lock:
            self._versions += 1
            self._computed[name] = {**part, "version": self._versions}
            return self._versions


def curve_cells() -> list[dict[str, Any]]:
    """The curves: for each chart its columns with title and direction of improvement."""
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
