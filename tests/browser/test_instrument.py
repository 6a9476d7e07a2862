"""The panel as an instrument: one screen at two sizes in both themes, dots that move, a shadow of the run before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from clwork.training.loop.probe import CLOUD

from .panels import PANEL, PLACES, POINTS, STATE, begin, box, show, wait_until
from .test_start_here import MINUTES, error_outputs, open_and_run, picture, serious

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
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
# What must be in view at once, and on nothing else.
PARTS = (
    ".clwork-control",
    ".clwork-state",
    ".clwork-formula",
    ".clwork-knob[data-name=temperature]",
    ".clwork-cloud",
    ".clwork-transport",
    ".clwork-reading",
    ".clwork-verdict",
    ".clwork-curve[data-cell=loss]",
    ".clwork-curve[data-cell=alignment]",
    ".clwork-curve[data-cell=uniformity]",
    ".clwork-curve[data-cell=validation]",
    ".clwork-plane",
)
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


def set_theme(page: Page, name: str) -> None:
    """By the menu, as a reader does."""
    light = "true" if name == "JupyterLab Light" else "false"
    if page.evaluate("() => document.body.dataset.jpThemeLight") == light:
        return
    page.locator(".lm-MenuBar-itemLabel", has_text=re.compile("^Settings$")).click()
    page.locator(".lm-Menu-itemLabel", has_text=re.compile("^Theme$")).click()
    page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{name}$")).click()
    page.wait_for_function(f"() => document.body.dataset.jpThemeLight === '{light}'")
    page.keyboard.press("Escape")
    page.wait_for_timeout(1500)


def check_screen(page: Page, panel: Locator) -> None:
    """All parts are in the room that the notebook has, and none lies on another."""
    room, found = panel.evaluate(BOXES, list(PARTS))
    for name, place in zip(PARTS, found, strict=True):
        assert place is not None and place[2] - place[0] > 15 and place[3] - place[1] > 8, (
            f"{name} is not there: {place}"
        )
        assert room[0] <= place[0] and place[2] <= room[2] + 1, f"{name} {place} is cut at a side of {room}"
        assert room[1] - 1 <= place[1] and place[3] <= room[3] + 1, f"{name} {place} is cut at top or bottom of {room}"
    for one, (name, place) in enumerate(zip(PARTS, found, strict=True)):
        for other, beside in zip(PARTS[:one], found[:one], strict=True):
            over = [min(place[k + 2], beside[k + 2]) - max(place[k], beside[k]) for k in (0, 1)]
            assert min(over) <= 1, f"{name} {place} lies on {other} {beside}"


def train(page: Page, panel: Locator) -> tuple[list[float], list[float]]:
    """Press Start and wait for the end; where the dots were at the first look and at the last."""
    known = panel.evaluate("panel => panel.instrument.films[0].id")
    begin(panel)
    wait_until(page, "panel => panel.instrument.films[0].id", panel, lambda name: name != known)
    first = wait_until(page, PLACES, panel, lambda places: len(places) > 100)
    wait_until(page, STATE, panel, lambda text: re.search("finished|failed", text))
    assert "finished" in panel.evaluate(STATE)
    wait_until(page, POINTS, panel, lambda count: count == STEPS)
    page.wait_for_timeout(1000)  # dots glide
    return first, panel.evaluate(PLACES)


def read_without_a_mouse(page: Page, panel: Locator) -> None:
    """Arrow keys go from dot to dot, and the line below the cloud says which."""
    said = panel.locator(".clwork-reading")
    idle = said.text_content()
    panel.locator(".clwork-cloud canvas").first.focus()
    page.keyboard.press("ArrowRight")
    first = said.text_content()
    page.keyboard.press("ArrowRight")
    assert len({idle, first, said.text_content()}) == 3, "each arrow reads another dot"


def reload(page: Page) -> Locator:
    """Save the notebook and load the page again; the panel must be there, with all that it showed."""
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator(
        '.jp-NotebookPanel-toolbar [data-jp-item-name="save"] button, '
        '.jp-NotebookPanel-toolbar [data-jp-item-name="save"] jp-button'
    ).first.click()
    page.locator(".lm-TabBar-tab.jp-mod-current:not(.jp-mod-dirty)").first.wait_for()
    page.reload()
    panel = page.locator(PANEL).first
    panel.locator(".clwork-start").wait_for(state="attached", timeout=5 * MINUTES)
    wait_until(page, PLACES, panel, lambda places: len(places) > 100)
    wait_until(page, POINTS, panel, lambda count: count == STEPS)
    return panel


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
    picture(page, "instrument_before")
    before, began = traffic.bytes, page.evaluate("() => performance.now()")
    first, last = train(page, panel)
    took = (page.evaluate("() => performance.now()") - began) / 1000
    print(f"{(traffic.bytes - before) / took / 1000:.0f} kB/s over {took:.0f} s")
    assert first != last and len(last) == 2 * CLOUD, "dots move"
    assert (traffic.bytes - before) / took < 50_000
    panel = reload(page)
    read_without_a_mouse(page, panel)

    box(panel, "temperature").fill("0.1")
    box(panel, "temperature").press("Enter")
    panel.locator(".clwork-own").first.fill("A violin is tuned before the concert.")
    panel.locator(".clwork-own").first.press("Enter")
    run = panel.evaluate("panel => panel.instrument.films[0].id")
    train(page, panel)
    assert "temperature 0.05 → 0.1" in panel.evaluate("panel => panel.instrument.films[0].changes")
    assert panel.evaluate("panel => panel.instrument.runs.ghost.id") == run, "the run before is drawn in grey"
    own = "panel => panel.instrument.own.map(one => one.text).join()"
    assert panel.evaluate(own) == "A violin is tuned before the concert."

    for theme, name in THEMES.items():
        set_theme(page, name)
        ink, ground = panel.evaluate(INK)
        assert (ink > ground) == (theme == "dark")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            show(page, panel)
            picture(page, f"instrument_{theme}_{width}")
            check_screen(page, panel)
    assert error_outputs(page) == []
    assert serious(broken) == []


ASKED_ALONE = """from clwork.lab.page.asking_page import AskingPage
AskingPage._keep_pushing = lambda self: None  # as on Colab: what a thread sends is never shown
"""


def test_where_pushes_are_dropped_the_page_asks(lab: Lab, page: Page) -> None:
    """Colab's rules: only what the idle kernel answers arrives."""
    open_and_run(page, lab.write("asked.ipynb", ASKED_ALONE + CELL))
    panel = page.locator(PANEL).first
    panel.locator(".clwork-start").wait_for(state="attached", timeout=5 * MINUTES)
    first, last = train(page, panel)
    assert first != last
    assert error_outputs(page) == []
