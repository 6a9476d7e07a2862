"""A button in a lesson's sentence acts on a panel in JupyterLab, which shows the part meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .jupyterlab import MINUTES, error_outputs, open_and_run, serious, until
from .panels import PANEL, box

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

CELLS = (
    "from clwork import lab\npanel = lab.panel('simcse', encoder='mini')\npanel",
    "lab.act(panel, '[Set τ = 0.5], and watch.', reveal='Look there.', temperature=0.5)",
    "lab.act(panel, '[Go to step 0] again.', scrub=0)",
    "lab.act(panel, '[Fork at 16] without a run.', fork=16)",
)
# which parts were outlined so far, although they are so for two seconds only
WATCH = """panel => {
    window.meant = [];
    new MutationObserver((changes) => {
        for (const { target } of changes)
            if (target.hasAttribute('data-meant')) window.meant.push(target);
    }).observe(panel, { subtree: true, attributes: true, attributeFilter: ['data-meant'] });
}"""
MEANT = "() => window.meant.map(part => part.dataset.name ?? part.dataset.field ?? part.className)"
STEP = "panel => Math.round(panel.instrument.step)"


def test_a_sentence_acts_on_the_panel_and_shows_the_part(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.set_viewport_size({"width": 1280, "height": 1600})
    open_and_run(page, lab.write("act.ipynb", *CELLS))
    fork = page.get_by_role("button", name="Fork at 16")
    fork.wait_for(timeout=5 * MINUTES)
    panel = page.locator(PANEL)
    until(panel, "panel => panel.instrument.records[0].size", bool)
    panel.evaluate(WATCH)

    button = page.get_by_role("button", name="Set τ = 0.5")
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Look there.").wait_for()
    until(panel, f"() => ({MEANT})().length", bool)
    assert box(panel, "temperature").input_value() == "0.5"
    assert set(page.evaluate(MEANT)) == {"temperature"}
    # no outline stays
    until(panel, "panel => panel.querySelectorAll('[data-meant]').length", lambda left: left == 0)

    panel.evaluate("panel => panel.instrument.clock.jump(9)")
    assert panel.evaluate(STEP) > 0
    page.get_by_role("button", name="Go to step 0").click()
    until(panel, STEP, lambda step: step == 0)
    assert "clwork-transport" in page.evaluate(MEANT)[-1]

    fork.click()
    page.get_by_role("status").get_by_text("there is no run yet to fork").wait_for()
    assert serious(broken) == []
    assert error_outputs(page) == []
