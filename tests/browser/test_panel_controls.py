"""A panel's controls on the page: real values at every handle, help in view, and the truth when the kernel is gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from .panels import PANEL, STATE, box, knob, wait_until
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


@pytest.fixture
def panel(lab: Lab, page: Page, request: pytest.FixtureRequest) -> Iterator[Locator]:
    """A panel in a notebook of one cell, by default CELL; in the end nothing has broken."""
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write(NOTEBOOK, getattr(request, "param", CELL)))
    found = page.locator(PANEL).first
    found.wait_for(state="attached", timeout=5 * MINUTES)
    wait_until(page, value(".clwork-knob[data-name=temperature] .knob-box"), found, lambda text: text == "0.05")
    yield found
    assert error_outputs(page) == []
    # JupyterLab itself complains of each message that a restarted kernel owed it
    assert [error for error in serious(broken) if "Canceled future" not in error] == []


def until(page: Page, panel: Locator, script: str, wanted: str) -> None:
    """Wait until ``script`` of the panel gives a text that contains ``wanted``."""
    wait_until(page, script, panel, lambda found: wanted in found)


def text(part: str) -> str:
    return f"panel => panel.querySelector('{part}')?.textContent ?? ''"


IN_VIEW = """(panel, part) => {
    const [box, room] = [part, '.clwork-sheet'].map(name => panel.querySelector(name).getBoundingClientRect());
    return box.height > 8 && box.top >= room.top - 1 && box.bottom <= room.bottom + 1;
}"""


def value(part: str) -> str:
    return f"panel => panel.querySelector('{part}')?.value ?? ''"


def note(name: str) -> str:
    """The line under a knob."""
    return text(f".clwork-knob[data-name={name}] .knob-note")


def press(page: Page, button: Locator) -> None:
    """By keyboard, as a reader may."""
    button.focus()
    page.keyboard.press("Enter")


def test_controls_have_names_help_and_real_values(page: Page, panel: Locator) -> None:
    temperature = knob(panel, "temperature")
    slider, typed = temperature.locator("input[type=range]"), box(panel, "temperature")
    assert "temperature" in str(slider.get_attribute("aria-label"))
    assert slider.get_attribute("aria-valuetext") == "0.05", "the value, not its logarithm"
    slider.focus()
    until(page, panel, "panel => panel.textContent", "Divides the cosines")
    page.keyboard.press("ArrowRight")
    moved = wait_until(page, value(".clwork-knob[data-name=temperature] .knob-box"), panel, lambda now: now != "0.05")
    assert 0.05 < float(moved) < 0.06 and len(moved) <= 6
    until(page, panel, "panel => panel.instrument.setup.line", f"temperature={moved}")
    assert slider.get_attribute("aria-valuetext") == moved

    typed.fill("0,1")
    typed.press("Enter")
    until(page, panel, note("temperature"), "write a point")
    picture(page, "controls_wrong")
    panel.locator(".clwork-start").click()
    until(page, panel, STATE, "did not start")
    typed.fill("0.1")
    typed.press("Enter")
    wait_until(page, note("temperature"), panel, lambda words: words == "")
    wait_until(page, STATE, panel, lambda words: "did not start" not in words)

    for wrong, told in (("0", "0 is out of range"), ("2.7", "2.7 is no whole number")):
        box(panel, "steps").fill(wrong)
        box(panel, "steps").press("Enter")
        until(page, panel, note("steps"), told)
        assert box(panel, "steps").input_value() == wrong


def test_the_drawer_the_formula_and_the_settings_text(page: Page, panel: Locator) -> None:
    panel.locator(".clwork-formula math").first.wait_for(state="attached", timeout=5 * MINUTES)
    panel.get_by_role("button", name="All settings").click()
    drawer = panel.locator(".clwork-drawer").first
    drawer.wait_for(state="visible")
    assert "there is none; set augmentation" in str(knob(panel, "augmentation_rate").text_content())
    picture(page, "controls_drawer")
    search = drawer.get_by_label("search settings")
    search.fill("gradient")
    knob(panel, "pooling").wait_for(state="hidden", timeout=5 * MINUTES)
    assert knob(panel, "clip").is_visible()
    search.fill("")
    line = drawer.locator(".clwork-settings-text")
    line.fill("simcse seed=3 steps=50 temperature=0.2")
    press(page, drawer.locator(".clwork-apply"))
    until(page, panel, value(".clwork-knob[data-name=seed] .knob-box"), "3")
    assert box(panel, "temperature").input_value() == "0.2"
    line.fill("simcse temprature=0.2")
    press(page, drawer.locator(".clwork-apply"))
    until(page, panel, "panel => panel.querySelector('.clwork-drawer').textContent", "did you mean")

    queue = panel.locator(".clwork-queue")
    queue.scroll_into_view_if_needed()
    queue.click()
    until(page, panel, text(".queue-said"), "nothing to try yet")
    assert panel.evaluate(IN_VIEW, ".queue-said"), "whoever presses Queue sees its answer"


@pytest.mark.parametrize("panel", [DCLR], indirect=True)
def test_a_limit_that_limits_nothing_is_grey_says_why_and_can_be_moved(page: Page, panel: Locator) -> None:
    if not knob(panel, "phi").is_visible():
        panel.get_by_role("button", name="All settings").click()
    until(page, panel, note("phi"), "Does nothing at this value: masked share 0.000: no pair is above φ = 0.97")
    typed = box(panel, "phi")
    typed.scroll_into_view_if_needed()
    assert "slack" in str(knob(panel, "phi").get_attribute("class")) and typed.is_enabled(), (
        "grey, and still to be moved"
    )
    picture(page, "controls_slack")
    typed.fill("0.2")
    typed.press("Enter")
    wait_until(page, note("phi"), panel, lambda words: words == "")
    page.wait_for_timeout(3000)
    assert "Does nothing" not in panel.evaluate(note("phi")), "a batch was looked at: it masks"
    typed.fill("0.99")
    typed.press("Enter")
    until(page, panel, note("phi"), "no pair is above φ = 0.99")


def test_when_the_kernel_is_restarted_nothing_is_said_to_train(page: Page, panel: Locator) -> None:
    panel.locator(".clwork-start").click()
    until(page, panel, STATE, "is training")
    panel.locator(".clwork-setup").click()
    expect(panel.locator(".clwork-encoder")).to_be_disabled(timeout=MINUTES)
    picture(page, "controls_training")
    page.locator('.jp-NotebookPanel-toolbar [data-jp-item-name="restart"]').click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    until(page, panel, STATE, "restarted or shut down")
    assert "is training" not in panel.evaluate(STATE)
    picture(page, "controls_gone")
