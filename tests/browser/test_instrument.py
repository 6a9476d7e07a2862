"""The panel as an instrument: one screen at two sizes in both themes, dots that move, a shadow of the run before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from clwork.training.loop.probe import CLOUD

from .test_panels import POINTS, wait_until
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
STATE = "panel => panel.querySelector('.clwork-state').textContent"
# What must be in view at once, and on nothing else.
PARTS = (
    ".clwork-masthead",
    ".clwork-start",
    ".clwork-pause",
    ".clwork-stop",
    ".clwork-sources",
    ".clwork-knobs",
    ".clwork-temperature",
    ".clwork-sentences",
    ".clwork-cloud-frame",
    ".clwork-own",
    ".clwork-umap",
    ".clwork-curves",
    ".clwork-changes",
    ".clwork-plane",
)
APART = (
    ".clwork-masthead",
    ".clwork-bar",
    ".clwork-sources",
    ".clwork-state",
    ".clwork-knobs",
    ".clwork-hero",
    ".clwork-curves",
    ".clwork-changes",
    ".clwork-plane",
    ".clwork-verdict",
)
# Boxes of the parts and of the room that the page leaves for a notebook, as [left, top, right, bottom].
BOXES = """(panel, names) => {
    const box = part => { const r = part.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
    const room = box(document.querySelector('.jp-WindowedPanel-outer'));
    return [room, names.map(name => panel.querySelector(name) && box(panel.querySelector(name)))];
}"""
# Texts of buttons, labels and lines that are wider than their boxes.
CUT = """panel => [...panel.querySelectorAll('.clwork-stage :is(button, .widget-label, .clwork-state, .clwork-left)')]
    .filter(part => part.clientWidth && part.scrollWidth > part.clientWidth + 1).map(part => part.textContent)"""
PLACES = """panel => {
    const found = [...panel.querySelectorAll('.clwork-sentences *')].find(part => part.clworkCloud);
    return found ? [...found.clworkCloud.to] : [];
}"""
INK = """panel => {
    const shade = text => text.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
    const title = panel.querySelector('.clwork-curves .annotation-text');
    const paper = panel.querySelector('.clwork-curves .main-svg');
    return [shade(getComputedStyle(title).fill), getComputedStyle(paper).backgroundColor];
}"""


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


def show_stage(page: Page, panel: Locator) -> None:
    """Scroll until the panel's screen is in view and rests there; pictures change their heights for a while."""
    before = None
    for _ in range(40):
        panel.locator(".clwork-stage").evaluate("stage => stage.scrollIntoView({block: 'end'})")
        page.wait_for_timeout(600)
        boxes = panel.evaluate(BOXES, list(PARTS))
        if boxes == before:
            return
        before = boxes
    raise AssertionError(f"the panel's screen does not come to rest: {before}")


def check_screen(page: Page, panel: Locator) -> None:
    """All parts are in the room that the notebook has, none lies on another, no word is cut."""
    room, found = panel.evaluate(BOXES, list(PARTS))
    for name, box in zip(PARTS, found, strict=True):
        assert box is not None and box[2] - box[0] > 15 and box[3] - box[1] > 8, f"{name} is not there: {box}"
        assert room[0] <= box[0] and box[2] <= room[2] + 1, f"{name} {box} is cut at a side of {room}"
        assert room[1] - 1 <= box[1] and box[3] <= room[3] + 1, f"{name} {box} is cut at top or bottom of {room}"
    _, boxes = panel.evaluate(BOXES, list(APART))
    for one, (name, box) in enumerate(zip(APART, boxes, strict=True)):
        for other, beside in zip(APART[:one], boxes[:one], strict=True):
            over = [min(box[2], beside[2]) - max(box[0], beside[0]), min(box[3], beside[3]) - max(box[1], beside[1])]
            assert min(over) <= 1, f"{name} {box} lies on {other} {beside}"
    assert panel.evaluate(CUT) == []


def train(page: Page, panel: Locator) -> tuple[list[float], list[float]]:
    """Press Start and wait for the end; where the dots were at the first look that differs, and at the last."""
    before = panel.evaluate(PLACES)
    panel.locator(".clwork-start").click()
    wait_until(page, STATE, panel, lambda text: "is training" in text or "finished" in text)
    first = wait_until(page, PLACES, panel, lambda places: len(places) > 100 and places != before)
    wait_until(page, STATE, panel, lambda text: re.search("finished|failed", text))
    assert "finished" in panel.evaluate(STATE)
    wait_until(page, POINTS, panel, lambda count: count == STEPS)
    return first, panel.evaluate(PLACES)


def set_temperature(page: Page, panel: Locator, value: str) -> None:
    """By the keyboard, in the knob's box."""
    box = panel.locator(".clwork-temperature input[type=text]").first
    box.fill(value)
    box.press("Enter")


def read_without_a_mouse(page: Page, panel: Locator) -> None:
    """Arrow keys go from dot to dot, and the line below the cloud says which."""
    said = panel.locator(".clwork-cloud-said")
    assert said.get_attribute("aria-live") == "polite"
    panel.locator(".clwork-cloud canvas").focus()
    page.keyboard.press("ArrowRight")
    first = said.text_content() or ""
    assert re.match(r"1 of \d+ · ", first), first
    page.keyboard.press("ArrowRight")
    assert (said.text_content() or "").startswith("2 of ")
    page.keyboard.press("Enter")
    assert "followed" in (said.text_content() or "")


def reload(page: Page) -> Locator:
    """Save the notebook and load the page again; the panel must be there, with all that it showed."""
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator(
        '.jp-NotebookPanel-toolbar [data-jp-item-name="save"] button, '
        '.jp-NotebookPanel-toolbar [data-jp-item-name="save"] jp-button'
    ).first.click()
    page.locator(".lm-TabBar-tab.jp-mod-current:not(.jp-mod-dirty)").first.wait_for()
    page.reload()
    panel = page.locator(".clwork-panel").first
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
    panel = page.locator(".clwork-panel").first
    panel.locator(".clwork-start").wait_for(state="attached", timeout=5 * MINUTES)
    panel.locator(".clwork-curves .main-svg").first.wait_for(state="attached", timeout=5 * MINUTES)
    show_stage(page, panel)
    picture(page, "instrument_before")
    before, began = traffic.bytes, page.evaluate("() => performance.now()")
    first, last = train(page, panel)
    took = (page.evaluate("() => performance.now()") - began) / 1000
    print(f"{(traffic.bytes - before) / took / 1000:.0f} kB/s over {took:.0f} s")
    assert first != last and len(last) == 2 * CLOUD, "dots move"
    assert (traffic.bytes - before) / took < 200_000
    panel = reload(page)
    read_without_a_mouse(page, panel)

    set_temperature(page, panel, "0.1")
    panel.locator(".clwork-own input").first.fill("A violin is tuned before the concert.")
    panel.locator(".clwork-own input").first.press("Enter")
    train(page, panel)
    assert "temperature 0.05 → 0.1" in (panel.locator(".clwork-changes").first.text_content() or "")
    assert (
        panel.evaluate(
            "panel => [...panel.querySelectorAll('.js-plotly-plot')].flatMap(plot => plot._fullData)"
            ".filter(trace => trace.name === 'earlier run' && trace.x.length > 2).length"
        )
        >= 2
    ), "the run before is drawn behind curves and plane"

    for theme, name in THEMES.items():
        set_theme(page, name)
        ink, paper = panel.evaluate(INK)
        assert (ink > 150) == (theme == "dark") and paper in ("rgba(0, 0, 0, 0)", "transparent")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            show_stage(page, panel)
            picture(page, f"instrument_{theme}_{width}")
            check_screen(page, panel)
    assert error_outputs(page) == []
    assert serious(broken) == []
