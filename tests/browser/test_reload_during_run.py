"""A page that is reloaded, opened twice, or reopened during training shows and controls the run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from .jupyterlab import MINUTES, error_outputs, open_and_run, save, until
from .panels import PANEL, PLACES, POINTS, STATE, begin, box

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

CELL = """import clwork
from clwork import lab
panel = lab.panel("simcse", steps=5000, batch_size=8, probe_every=4)
panel"""
EVERYTHING = """panel => {
    const page = panel.instrument, record = page?.records[0];
    return Boolean(record && page.inks.ground && !record.recorded
        && record.history.series('loss').steps.length > 3
        && page.positions().length > 100 && panel.querySelector('.knob-box').value
        && panel.querySelector('.clwork-verdict').textContent.length > 20
        && panel.querySelector('.clwork-curve[data-cell=loss] :is(path, canvas)'));
}"""


def panel_of(page: Page) -> Locator:
    panel = page.locator(PANEL).first
    panel.locator(".clwork-start").wait_for(state="attached", timeout=3 * MINUTES)
    return panel


def check(page: Page) -> Locator:
    """Check that all parts are shown again, rows arrive, and Pause and Resume reach the run."""
    panel = panel_of(page)
    until(panel, EVERYTHING, bool)
    before = until(panel, POINTS, lambda count: count > 3)
    until(panel, POINTS, lambda count: count > before)
    # Pause, and then Resume
    panel.locator(".clwork-start").click()
    until(panel, STATE, lambda text: "paused" in text)
    panel.locator(".clwork-start").click()
    until(panel, STATE, lambda text: "paused" not in text)
    return panel


def test_a_run_is_shown_and_controlled_after_each_way_of_reopening(
    lab: Lab, browser: Browser, page: Page
) -> None:
    address = lab.write("reloaded.ipynb", CELL)
    open_and_run(page, address)
    panel = panel_of(page)
    begin(panel)
    until(panel, PLACES, lambda places: len(places) > 100)
    save(page)

    slow = page.context.new_cdp_session(page)
    # time for the kernel to push before the page requests
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 5})
    for _ in range(3):
        page.reload()
        check(page)

    slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    second = browser.new_page()
    second.set_default_timeout(3 * MINUTES)
    second.goto(lab.address("reloaded.ipynb"))
    check(second)
    second.close()
    check(page)

    page.locator(".lm-TabBar-tab.jp-mod-current .lm-TabBar-tabCloseIcon").first.click()
    page.locator(PANEL).first.wait_for(state="detached")
    page.goto(address)
    panel = check(page)
    cells = page.locator(".jp-Cell").count()
    panel.locator(".cloud-canvas").first.focus()
    # JupyterLab's own key for a new cell
    page.keyboard.press("b")
    page.wait_for_timeout(300)
    assert page.locator(".jp-Cell").count() == cells
    box(panel, "temperature").fill("0.2")
    box(panel, "temperature").press("Enter")
    until(panel, "panel => panel.instrument.records[0].history.events.length", bool)
    panel.locator(".clwork-stop").click()
    until(panel, STATE, lambda text: re.search("stopped", text))
    assert error_outputs(page) == []
