"""The panel in JupyterLab: bytes a second, dots that move, layout in both themes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from clwork.training.probe import SENTENCES

from .jupyterlab import MINUTES, THEMES, error_outputs, open_and_run, serious, set_theme
from .panels import PANEL, PLACES, POINTS, STATE, begin, misplaced, show, wait_until
from .test_panel_page import PARTS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

NOTEBOOK = "instrument.ipynb"
STEPS = 60  # long enough that a picture comes before the last one
CELL = f"""import clwork
from clwork import lab
panel = lab.panel("simcse", steps={STEPS}, batch_size=8, probe_every=4)
panel"""
SIZES = ((1280, 720), (1920, 1080))
# Boxes of the parts and of the room that the page leaves for a notebook, as [left, top, right, bottom].
BOXES = """(panel, names) => {
    const box = part => { const r = part.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
    const room = box(document.querySelector('.jp-WindowedPanel-outer'));
    return [room, names.map(name => panel.querySelector(name) && box(panel.querySelector(name)))];
}"""
INK = """panel => ['--ink', '--ground'].map(name => {
    const hex = getComputedStyle(panel).getPropertyValue(name).trim();
    return hex.slice(1).match(/../g).map(two => parseInt(two, 16)).reduce((sum, part) => sum + part, 0) / 3;
})"""


def train(page: Page, panel: Locator) -> tuple[list[float], list[float]]:
    """Press Start and wait for the end; where the dots were at the first look and at the last."""
    known = panel.evaluate("panel => panel.instrument.records[0].id")
    begin(panel)
    wait_until(page, "panel => panel.instrument.records[0].id", panel, lambda name: name != known)
    first = wait_until(page, PLACES, panel, lambda places: len(places) > 100)
    wait_until(page, STATE, panel, lambda text: re.search("finished|failed", text))
    assert "finished" in panel.evaluate(STATE)
    wait_until(page, POINTS, panel, lambda count: count == STEPS)
    page.wait_for_timeout(1000)  # dots glide
    return first, panel.evaluate(PLACES)


class Traffic:
    """Bytes that the kernel sends to the page."""

    def __init__(self, page: Page) -> None:
        self.bytes = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._count))

    def _count(self, payload: Any) -> None:
        self.bytes += len(payload if isinstance(payload, str | bytes) else payload.get("payload", ""))


def test_the_instrument(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    traffic = Traffic(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    open_and_run(page, lab.write(NOTEBOOK, CELL))
    panel = page.locator(PANEL).first
    panel.locator(".clwork-start").wait_for(state="attached", timeout=5 * MINUTES)
    show(page, panel)
    before, began = traffic.bytes, page.evaluate("() => performance.now()")
    first, last = train(page, panel)
    took = (page.evaluate("() => performance.now()") - began) / 1000
    print(f"{(traffic.bytes - before) / took / 1000:.0f} kB/s over {took:.0f} s")
    assert first != last and len(last) == 2 * SENTENCES, "dots move"
    assert (traffic.bytes - before) / took < 50_000
    for (theme, name), (width, height) in zip(THEMES.items(), SIZES, strict=True):
        set_theme(page, name)
        dark = theme == "dark"
        wait_until(page, INK, panel, lambda shades, dark=dark: (shades[0] > shades[1]) == dark)
        page.set_viewport_size({"width": width, "height": height})
        show(page, panel)
        room, boxes = panel.evaluate(BOXES, PARTS)
        assert misplaced(PARTS, boxes, (room[0], room[1] - 1, room[2] + 1, room[3] + 1)) == []
    assert error_outputs(page) == []
    assert serious(broken) == []
