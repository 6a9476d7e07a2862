"""The notebook's stop and restart buttons while a run trains: the panel shows the true status."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from .jupyterlab import MINUTES, error_outputs, open_and_run, serious
from .panels import PANEL, POINTS, STATE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

INTERRUPT = '.jp-NotebookPanel-toolbar [data-jp-item-name="interrupt"]'
CELL = """import clwork
from clwork import lab
from clwork.training.starting import watch
corpus = clwork.data.sentences("wikipedia-mini")[:160]
run = clwork.start("simcse", sentences=corpus, steps=100_000, batch_size=8)
display(lab.panel(run=run))
"""


def interrupted(page: Page) -> Locator:
    """The panel of the one cell, after the stop button was pressed while its run trained and the cell waited."""
    panel = page.locator(PANEL).first
    panel.wait_for(state="attached", timeout=5 * MINUTES)
    wait_until(page, STATE, panel, lambda text: "is training" in text)
    wait_until(page, POINTS, panel, lambda count: count > 2)
    assert page.locator(".jp-InputPrompt", has_text="[*]").count() == 1, "the cell is not waiting"
    page.locator(INTERRUPT).click()
    page.locator(".jp-InputPrompt", has_text="[1]").first.wait_for(state="attached", timeout=5 * MINUTES)
    return panel


def at_rest(page: Page, panel: Locator) -> None:
    """The panel says that the run was stopped, and a new one may be started."""
    wait_until(page, STATE, panel, lambda text: "was stopped" in text)
    expect(panel.locator(".clwork-start")).to_have_text("Start", timeout=MINUTES)
    expect(panel.locator(".clwork-stop")).to_be_disabled(timeout=MINUTES)


@pytest.mark.parametrize("waiting", ["run.wait()", "watch(run)"])
def test_the_stop_button(waiting: str, lab: Lab, page: Page) -> None:
    name = f"interrupted_{waiting[:3]}.ipynb"  # a kernel each
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write(name, CELL + waiting))
    panel = interrupted(page)
    if waiting == "watch(run)":  # as clwork.train waits: the stop button stops the run, and the cell ends well
        at_rest(page, panel)
        assert error_outputs(page) == []
    else:  # the cell is over, the run goes on
        assert "KeyboardInterrupt" in error_outputs(page)[0]
        points = panel.evaluate(POINTS)
        wait_until(page, POINTS, panel, lambda count: count > points)
        assert "is training" in panel.evaluate(STATE)
        expect(panel.locator(".clwork-stop")).to_be_enabled(timeout=MINUTES)
        panel.locator(".clwork-stop").scroll_into_view_if_needed()
        panel.locator(".clwork-stop").click()
        at_rest(page, panel)
    assert serious(broken) == []


def test_after_a_restart_of_the_kernel_no_training_is_reported(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write("restarted.ipynb", CELL))
    panel = page.locator(PANEL).first
    panel.wait_for(state="attached", timeout=5 * MINUTES)
    wait_until(page, STATE, panel, lambda text: "is training" in text)
    panel.locator(".clwork-setup").click()
    expect(panel.locator(".clwork-encoder")).to_be_disabled(timeout=MINUTES)
    page.locator('.jp-NotebookPanel-toolbar [data-jp-item-name="restart"]').click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    wait_until(page, STATE, panel, lambda text: "restarted or shut down" in text and "is training" not in text)
    assert error_outputs(page) == []
    # JupyterLab itself complains of each message that a restarted kernel owed it
    assert [error for error in serious(broken) if "Canceled future" not in error] == []
