"""A panel without training: it plays a recording step by step like an active run."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from clwork.lab.page.polling_page import Update
from clwork.lab.panel.panel import Panel, lacking
from clwork.lab.panel.recorded import prepared_recording
from clwork.lab.panel.run_sources import Part, RecordedSource, RunPage, curve_cells
from clwork.lab.panel.settings import PanelSettings
from clwork.recordings import recording

from .kernel_page import KernelPage

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = "document.querySelector('.clwork-instrument').instrument"


def opened(page: Page, widget: Any, theme: str = "light") -> KernelPage:
    """Show a widget of this process."""
    kernel = KernelPage(page, widget, "panel")
    kernel.open(theme)
    until(page, "document.querySelector('.clwork-instrument')")
    return kernel


def until(page: Page, holds: str, patience: float = 120) -> None:
    """Wait until a JavaScript expression holds; Playwright's function needs ``eval``, which strict
    pages forbid."""
    end = time.monotonic() + patience
    while not page.evaluate(f"Boolean({holds})"):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(40)


def until_text(page: Page, selector: str, wanted: str | re.Pattern[str]) -> None:
    """Wait until an element's text is ``wanted``, or matches it if it is a pattern."""
    text = f"document.querySelector({json.dumps(selector)}).textContent"
    if isinstance(wanted, str):
        until(page, f"{text} === {json.dumps(wanted)}")
    else:
        until(page, f"RegExp({json.dumps(wanted.pattern)}).test({text})")


class Played(RecordedSource):
    """A recording up to the step ``now``."""

    def __init__(self, method: str, number: int) -> None:
        super().__init__(prepared_recording(recording(method)), f"run {number}")
        self.now = -1
        self.ended = ""

    def status(self) -> str:
        return self.ended or ("running" if self.now >= 0 else "waiting")

    def head(self) -> Part | None:  # type: ignore[override]
        return (
            None
            if self.now < 0
            else {**super().head(), "levels": {"loss": {"chance, log N": 3.47}}}
        )

    def probes(self, after: int) -> list[Part]:
        return [probe for probe in super().probes(after) if probe["step"] <= self.now]

    def rows(self, start: int, more: Any = ()) -> Part:
        done = sum(row["step"] <= self.now for row in self.recording["rows"])
        whole, self.recording = (
            self.recording,
            {**self.recording, "rows": self.recording["rows"][:done]},
        )
        try:
            return super().rows(start, more)
        finally:
            self.recording = whole

    def verdict(self, known_step: int) -> Part | None:
        probe = max(
            (row["step"] for row in self.recording["measurements"] if row["step"] <= self.now),
            default=-1,
        )
        if probe < 0.1 * self.recording["total_steps"] or probe == known_step:
            return None
        return {
            "step": probe,
            "sign": "good",
            "headline": "Opening up",
            "text": "The vectors spread: the mean cosine falls from probe to probe, and "
            "pairs stay together.",
            "signals": [["mean cosine", "0.41"], ["effective rank", "38"], ["alignment", "0.3"]],
        }


def noted(name: str) -> Callable[..., None]:
    """A command that is only recorded."""

    def note(stub: Stub, **given: Any) -> None:
        stub.done.append({"name": name, **given})

    return note


class Stub(RunPage):
    """A panel without training."""

    deaf = False

    def __init__(self, method: str = "simcse") -> None:
        self.method, self.number, self.step, self.status = method, 0, 0, "ready"
        self.settings = PanelSettings(method)
        self.done: list[dict[str, Any]] = []
        about = {**self.settings.about(), "mode": "panel", "curves": curve_cells()}
        super().__init__(
            [RecordedSource(prepared_recording(recording(method)), f"recorded:{method}")],
            about=about,
        )

    @property
    def alive(self) -> bool:
        return self.status in ("starting", "waiting", "running", "paused")

    def _active(self) -> bool:
        return False  # nothing is pushed: only the test's thread may use the browser

    def _update(self, known: Mapping[str, Any]) -> Update:
        news = super()._update(known)
        total = self.settings.values["steps"]
        sentence = {"ready": "Ready. Press Start.", "running": f"simcse-{self.number} is training."}
        news["state"] = {
            "status": self.status,
            "alive": self.alive,
            "step": self.step,
            "total": total,
            "sentence": sentence.get(self.status, f"simcse-{self.number} is {self.status}."),
            "left": "12 s left" if self.status == "running" else "",
            "trouble": False,
        }
        return news | lacking({"settings": self.settings.state()}, known)

    def advance(self, step: int, status: str = "running") -> None:
        """Advance to a step."""
        self.step, self.status = step, status
        played = self.sources[0]
        assert isinstance(played, Played)
        played.now, played.ended = step, "" if status == "running" else status

    def _begin(self) -> None:
        self.number += 1
        self.status, self.step = "starting", 0
        self.sources = [Played(self.method, self.number)]

    def _turn(self) -> None:
        self.status = "running" if self.status == "paused" else "paused"

    def _stop(self) -> None:
        self.status = "stopped"

    def _set(self, setting: str, value: Any) -> None:
        self.done.append({"name": "set", "setting": setting, "value": value})
        self.settings.set(setting, value)

    def _refuse(self) -> None:
        raise ValueError("the runs cannot be read <b>here</b>: try again")

    commands: ClassVar[Mapping[str, Callable[..., object]]] = {
        **Panel.commands,
        "start": _begin,
        "pause": _turn,
        "stop": _stop,
        "set": _set,
        "list_runs": _refuse,
        **{name: noted(name) for name in ("step", "speed", "typed", "umap", "fork", "forces")},
    }
