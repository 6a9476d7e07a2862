"""Forces, evidence, explorer and a player in one notebook of JupyterLab, each used once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from .jupyterlab import MINUTES, THEMES, error_outputs, open_and_run, serious, set_theme, until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

RUNS = """import os, tempfile
os.environ["CLWORK_RUNS"] = tempfile.mkdtemp()  # without the runs of other tests
import clwork
from clwork import lab
corpus = clwork.data.sentences("wikipedia-mini")
settings = dict(encoder="mini", sentences=corpus[:160], steps=2, batch_size=16, probe_every=1)
first = clwork.train("simcse", name="first", **settings)
fork = first.fork(0, name="fork", temperature=0.1).wait()
later = clwork.train("simcse", name="later", learning_rate=1e-3, **settings)"""
CELLS = (
    RUNS,
    "lab.forces(later)",
    "lab.evidence()",
    "lab.explore('simcse/dropout-against-fixed-mask')",
    "lab.player('simcse')",
)
SCROLL = "by => document.querySelector('.jp-WindowedPanel-outer').scrollBy(0, by)"
INK = "view => getComputedStyle(view.querySelector('summary') ?? view).color"
TEXT = "view => view.textContent"
PULLS = (
    "view => [...view.querySelectorAll('.pair')].map(part => "
    "part.getAttribute('aria-label')).join('|')"
)
# of the claims
FIRST = "view => view.querySelector('[data-claim]')?.dataset.claim"
ROWS = "view => [...view.querySelectorAll('[data-claim] > summary')].map(part => part.textContent)"


def shown(page: Page, view: Locator) -> Locator:
    """Scroll to an output, down and then up: JupyterLab detaches cells that are far away."""
    for turn in range(160):
        if view.count() and view.is_visible():
            break
        # not by the wheel: a frame under the mouse would receive its events
        page.evaluate(SCROLL, 400 if turn < 80 else -400)
        page.wait_for_timeout(300)
    view.evaluate("view => view.scrollIntoView({ block: 'start' })")
    return view


def includes(*parts: str) -> Any:
    return lambda found: found and all(part in found for part in parts)


def check_forces(page: Page, view: Locator) -> None:
    pulls = until(view, PULLS, bool)
    view.locator(".list").focus()
    page.keyboard.press("ArrowDown")
    until(view, PULLS, lambda found: found and found != pulls)


def check_evidence(page: Page, view: Locator) -> None:
    until(view, ROWS, lambda rows: len(rows) > 50)
    first = view.locator("[data-claim] > summary").first
    assert not first.is_visible()
    view.locator(".word > summary").first.focus()
    page.keyboard.press("Enter")
    assert first.is_visible()
    mark = view.locator(".word .mark").nth(40)
    target = str(mark.get_attribute("href"))
    mark.locator("svg").click()
    view.locator(f"[id='{target[1:]}'] ~ .card").wait_for()
    view.locator(".clwork-paper select").select_option("SimCSE")
    until(view, ROWS, lambda rows: rows and all("SimCSE, " in row for row in rows))
    call = view.locator("code", has_text="clwork.claims.test").first
    assert not call.is_visible()
    view.locator("[data-claim] > summary").first.focus()
    page.keyboard.press("Enter")
    assert call.is_visible()
    view.locator(".clwork-find input").fill("whitened")
    view.locator(".clwork-find input").press("Enter")
    until(view, FIRST, lambda name: name == "simcse/against-whitening")


def is_light(colour: str) -> bool:
    return sum(map(int, re.findall(r"\d+", colour)[:3])) > 450


def is_dark(colour: str) -> bool:
    return not is_light(colour)


CHECKS = {"forces": check_forces, "evidence": check_evidence}


def test_each_widget_responds_and_fits_the_page(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.on(
        "console",
        lambda message: (
            broken.append(message.text) if "Error setting state" in message.text else None
        ),
    )
    open_and_run(page, lab.write("widgets.ipynb", *CELLS))
    page.locator(".jp-InputPrompt", has_text="[2]").first.wait_for(
        state="attached", timeout=5 * MINUTES
    )
    for name, check in CHECKS.items():
        check(page, shown(page, page.locator(f".clwork-{name}")))

    explorer = page.locator("iframe.clwork-page").first
    view = shown(page, explorer).content_frame.locator(".clwork-explore")
    view.locator("label", has_text="fixed mask").first.click()
    assert view.get_attribute("data-variant") == "fixed mask"
    frame = shown(page, page.locator("iframe.clwork-page").last).content_frame
    time = frame.locator(".time").first
    time.focus()
    page.keyboard.press("End")
    until(time, "slider => slider.value === slider.max", bool)
    for title, wanted in ((THEMES["light"], is_dark), (THEMES["dark"], is_light)):
        set_theme(page, title)
        for name in CHECKS:
            view = shown(page, page.locator(f".clwork-{name}"))
            # of the ink
            until(view, INK, wanted)
    assert serious(broken) == []
    assert error_outputs(page) == []
