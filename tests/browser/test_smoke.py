"""A smoke test in a browser: notebook 00 with its panel in JupyterLab, and five pages outside
JupyterLab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clwork import lab as clwork_lab

from .conftest import page_without_errors
from .jupyterlab import (
    MINUTES,
    NOTEBOOK,
    error_outputs,
    open_and_run,
    scroll_to_panel,
    serious,
    until,
    wait_until_all_have_run,
)
from .kernel_page import wait_for
from .panels import EVENTS, MARKS, PANEL, POINTS, STATE, begin, box, move

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from .conftest import Lab

pytestmark = pytest.mark.smoke

# at most: the test stops the run earlier
STEPS = 150
TOTAL = "panel => panel.querySelector('.clwork-left').textContent"
STATIC: dict[str, Callable[[], str]] = {
    "sphere": lambda: clwork_lab.sphere().html(),
    "player": lambda: clwork_lab.player("simcse").html,
    "dial": lambda: clwork_lab.dial("x", [1, 2, 3], lambda x: {"square": x * x})._repr_html_(),
    "explorer": lambda: clwork_lab.explore("simcse/dropout-against-fixed-mask")._repr_html_(),
}
# Whether a frame has a visible svg with shapes or a canvas with at least two colours.
DRAWN = """() => {
    const colours = (canvas) => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
        copy.drawImage(canvas, 0, 0);
        return new Set(new Uint32Array(copy.getImageData(0, 0, canvas.width,
            canvas.height).data.buffer)).size;
    };
    const shows = (part) => part.localName === 'svg'
        ? part.querySelector('path, line, circle, rect') : colours(part) > 1;
    return [...document.querySelectorAll('svg, canvas')].some((part) =>
        part.clientWidth > 50 && part.clientHeight > 20 && shows(part));
}"""


def test_notebook_00_runs_and_its_panel_trains_applies_a_control_and_stops(
    lab: Lab, page: Page
) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.address(NOTEBOOK))
    wait_until_all_have_run(page)
    scroll_to_panel(page)
    panel = page.locator(PANEL).first
    panel.locator(".clwork-all").click()
    box(panel, "steps").fill(str(STEPS))
    box(panel, "steps").press("Enter")
    until(panel, TOTAL, lambda text: text == f"{STEPS} steps")

    stop = panel.locator(".clwork-stop")
    assert stop.is_hidden(), "nothing runs yet, so there is nothing to stop"
    begin(panel)
    until(panel, POINTS, lambda count: count > 1)
    moved = move(page, panel, "temperature")
    for events in (MARKS, EVENTS):
        until(panel, events, lambda words: "temperature" in words)
    stop.scroll_into_view_if_needed()
    stop.click()
    until(panel, STATE, lambda text: "stopped" in text)
    assert 0 < panel.evaluate("panel => panel.instrument.records[0].last") < STEPS
    assert box(panel, "temperature").input_value() == moved, "Stop resets no slider"
    assert "a model's opinion" in str(
        panel.locator(".clwork-curve[data-cell=validation]").text_content()
    )
    expect(panel.locator(".clwork-start")).to_have_text("Start", timeout=MINUTES)
    assert error_outputs(page) == []
    assert serious(broken) == []


@pytest.mark.parametrize("name", STATIC)
def test_a_page_without_a_kernel_draws_and_reports_no_error(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    file = tmp_path / f"{name}.html"
    html = STATIC[name]()
    file.write_text(
        html if "<html" in html[:200] else f"<!doctype html><body>{html}", encoding="utf-8"
    )
    with page_without_errors(browser, 60_000) as page:
        page.goto(file.as_uri())
        wait_for(page, lambda: any(frame.evaluate(DRAWN) for frame in page.frames))
