"""A panel's controls on the page: real values at every handle, help in view, and the truth when the kernel is gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from .test_start_here import MINUTES, error_outputs, open_and_run, picture, serious

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

NOTEBOOK = "controls.ipynb"
CELL = """import clwork
from clwork import lab
panel = lab.panel("simcse", sentences=clwork.data.sentences("wikipedia-mini")[:160], steps=100_000, batch_size=8)
panel
"""
DCLR = """import clwork
from clwork import lab
few = clwork.data.sentences("wikipedia-mini")[:160]
panel = lab.panel("dclr", sentences=few, weighting="self", phi=0.97, phi_quantile=0.0, batch_size=8)
panel
"""
BOX = "input[type=text]"


@pytest.fixture
def panel(lab: Lab, page: Page, request: pytest.FixtureRequest) -> Iterator[Locator]:
    """A panel in a notebook of one cell, by default CELL; in the end nothing has broken."""
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write(NOTEBOOK, getattr(request, "param", CELL)))
    found = page.locator(".clwork-panel").first
    found.wait_for(state="attached", timeout=5 * MINUTES)
    found.locator(".clwork-temperature [role=slider][aria-label]").wait_for(state="attached", timeout=5 * MINUTES)
    yield found
    assert error_outputs(page) == []
    # JupyterLab itself complains of each message that a restarted kernel owed it
    assert [error for error in serious(broken) if "Canceled future" not in error] == []


def until(page: Page, panel: Locator, script: str, wanted: str) -> None:
    """Wait until ``script`` of the panel gives a text that contains ``wanted``."""
    element = panel.element_handle()
    page.wait_for_function(
        f"([panel, wanted]) => ({script})(panel).includes(wanted)", arg=[element, wanted], timeout=5 * MINUTES
    )


def text(part: str) -> str:
    return f"panel => panel.querySelector('{part}')?.textContent ?? ''"


IN_VIEW = """(panel, part) => {
    const [box, room] = [part, '.clwork-drawer'].map(name => panel.querySelector(name).getBoundingClientRect());
    return box.height > 8 && box.top >= room.top - 1 && box.bottom <= room.bottom + 1;
}"""


def value(part: str) -> str:
    return f"panel => panel.querySelector('{part}')?.value ?? ''"


def press(page: Page, button: Locator) -> None:
    """By keyboard, as a reader may."""
    button.focus()
    page.keyboard.press("Enter")


def test_controls_have_names_help_and_real_values(page: Page, panel: Locator) -> None:
    knob = panel.locator(".clwork-temperature").first
    handle = knob.locator("[role=slider]").first
    assert "Divides the cosines" in str(knob.locator(".clwork-note").text_content())
    assert handle.get_attribute("aria-label") == "temperature τ"
    assert handle.get_attribute("aria-valuetext") == "0.05", "the value, not its logarithm"
    handle.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"({value('.clwork-temperature ' + BOX)})(document) !== '0.05'", timeout=5 * MINUTES)
    moved = knob.locator(BOX).input_value()
    assert 0.05 < float(moved) < 0.06 and len(moved) <= 6
    until(page, panel, value(".clwork-settings-text textarea"), f"temperature={moved}")
    assert handle.get_attribute("aria-valuetext") == moved
    wide = handle.evaluate("node => node.closest('.noUi-target').getBoundingClientRect().width")
    assert wide > 0.8 * knob.evaluate("node => node.getBoundingClientRect().width"), "the track is as wide as its place"

    knob.locator(BOX).fill("0,1")
    page.keyboard.press("Enter")
    until(page, panel, text(".clwork-temperature .clwork-note"), "write a point")
    picture(page, "controls_wrong")
    panel.locator(".clwork-start").click()
    until(page, panel, text(".clwork-state"), "did not start")
    knob.locator(BOX).fill("0.1")
    page.keyboard.press("Enter")
    until(page, panel, text(".clwork-temperature .clwork-note"), "Divides")

    steps = panel.locator(".clwork-steps").first
    for typed, told in (("0", "0 is out of range"), ("2.7", "2.7 is no whole number")):
        steps.locator(BOX).fill(typed)
        page.keyboard.press("Enter")
        until(page, panel, text(".clwork-steps .clwork-note"), told)
        assert steps.locator(BOX).input_value() == typed


def test_the_drawer_the_formula_and_the_settings_text(page: Page, panel: Locator) -> None:
    formula = panel.locator(".clwork-formula").first
    formula.locator("mjx-container, .MathJax, math, .katex").first.wait_for(state="attached", timeout=5 * MINUTES)
    panel.locator(".clwork-more").first.click()
    drawer = panel.locator(".clwork-drawer").first
    drawer.wait_for(state="visible")
    assert "there is none; set augmentation" in str(drawer.locator(".clwork-augmentation-rate").text_content())
    picture(page, "controls_drawer")
    search = drawer.get_by_label("search settings")
    search.fill("gradient")
    drawer.locator(".clwork-pooling").wait_for(state="hidden", timeout=5 * MINUTES)
    assert drawer.locator(".clwork-clip").is_visible()
    search.fill("")
    line = drawer.locator(".clwork-settings-text textarea")
    line.fill("simcse seed=3 steps=50 temperature=0.2")
    press(page, drawer.locator(".clwork-apply"))
    until(page, panel, value(".clwork-seed input"), "3")
    assert panel.locator(f".clwork-temperature {BOX}").first.input_value() == "0.2"
    line.fill("simcse temprature=0.2")
    press(page, drawer.locator(".clwork-apply"))
    until(page, panel, text(".clwork-settings-said"), "did you mean")

    queue = panel.locator(".clwork-sweep-start")
    queue.scroll_into_view_if_needed()
    queue.click()
    until(page, panel, text(".clwork-sweep-said"), "nothing to try yet")
    assert panel.evaluate(IN_VIEW, ".clwork-sweep-said"), "whoever presses Queue sees its answer"


@pytest.mark.parametrize("panel", [DCLR], indirect=True)
def test_a_limit_that_limits_nothing_is_grey_says_why_and_can_be_moved(page: Page, panel: Locator) -> None:
    panel.locator(".clwork-more").first.click()
    panel.locator(".clwork-drawer").first.wait_for(state="visible")
    knob = panel.locator(".clwork-phi").first
    note, box = text(".clwork-phi .clwork-note"), knob.locator(BOX)
    until(page, panel, note, "Does nothing at this value: masked share 0.000: no pair is above φ = 0.97")
    knob.scroll_into_view_if_needed()
    opacity = "node => getComputedStyle(node.closest('.widget-text')).opacity"
    assert float(box.evaluate(opacity)) < 0.5
    assert box.is_enabled() and box.get_attribute("aria-disabled") is None, "grey, and still to be moved"
    assert knob.locator("[role=slider]").first.get_attribute("aria-disabled") is None
    picture(page, "controls_slack")

    box.focus()
    expect(knob.locator(".widget-text").first).to_have_css("opacity", "1")
    box.fill("0.2")
    page.keyboard.press("Enter")
    until(page, panel, note, "in-batch negatives with this cosine or more are masked")
    page.wait_for_timeout(3000)
    assert "Does nothing" not in str(knob.locator(".clwork-note").text_content()), "a batch was looked at: it masks"
    box.blur()
    assert float(box.evaluate(opacity)) == 1
    box.fill("0.99")
    page.keyboard.press("Enter")
    until(page, panel, note, "no pair is above φ = 0.99")


def test_when_the_kernel_is_restarted_nothing_is_said_to_train(page: Page, panel: Locator) -> None:
    panel.locator(".clwork-start").click()
    until(page, panel, text(".clwork-state"), "is training")
    until(page, panel, text(".clwork-shown"), "seed 0")
    expect(panel.locator(".clwork-encoder select")).to_be_disabled(timeout=MINUTES)
    picture(page, "controls_training")
    page.locator('.jp-NotebookPanel-toolbar [data-jp-item-name="restart"]').click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    until(page, panel, text(".clwork-pulse"), "restarted or shut down")
    assert not panel.locator(".clwork-state").is_visible()
    picture(page, "controls_gone")
