"""The notebook's restart button while a run trains: the panel reports that the run has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from .jupyterlab import MINUTES, error_outputs, open_and_run, serious, until
from .panels import PANEL, STATE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

CELL = """import clwork
from clwork import lab
corpus = clwork.data.sentences("wikipedia-mini")[:160]
run = clwork.start("simcse", sentences=corpus, steps=100_000, batch_size=8)
display(lab.panel(run=run))
"""


def test_after_a_kernel_restart_the_panel_reports_that_no_run_trains(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write("restarted.ipynb", CELL))
    panel = page.locator(PANEL).first
    panel.wait_for(state="attached", timeout=5 * MINUTES)
    until(panel, STATE, lambda text: "is training" in text)
    panel.locator(".clwork-setup").click()
    expect(panel.locator(".clwork-encoder")).to_be_disabled(timeout=MINUTES)
    page.locator('.jp-NotebookPanel-toolbar [data-jp-item-name="restart"]').click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    until(
        panel,
        STATE,
        lambda text: "The kernel has stopped" in text and "is training" not in text,
    )
    assert error_outputs(page) == []
    # JupyterLab reports an error for each missing message of a restarted kernel
    assert [error for error in serious(broken) if "Canceled future" not in error] == []
