"""The board of the evidence in JupyterLab: filtered by paper, a claim opened, and no error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .test_start_here import MINUTES, error_outputs, open_and_run, picture, serious, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

ROWS = """view => [...view.querySelectorAll('.js-plotly-plot')].map(plot => plot._fullLayout?.yaxis?.ticktext || [])
    .map(names => names.join('|'))"""
OPENED = "view => view.textContent.match(/clwork.claims.test\\('([^']*)'\\)/)?.[1]"


def test_a_claim_is_found_and_opened(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write("evidence.ipynb", "from clwork import lab", "lab.evidence()"))
    view = page.locator(".clwork-evidence")
    view.wait_for(state="attached", timeout=5 * MINUTES)

    until(view, ROWS, lambda rows: len(rows) == 2 and all(rows))
    view.locator(".clwork-paper select").select_option("SimCSE")
    until(view, ROWS, lambda rows: "against-whitening" in rows[0] and "GloVe" not in rows[0])
    first = until(view, OPENED, lambda name: name and name.startswith("simcse/"))
    view.locator(".clwork-claims select").select_option(index=3)
    until(view, OPENED, lambda name: name and name != first)
    view.locator(".clwork-find input").fill("whitened")
    view.locator(".clwork-find input").press("Enter")
    until(view, OPENED, lambda name: name == "simcse/against-whitening")
    until(view, ROWS, lambda rows: "untrained, first_last, whitened on the task" in rows[1])
    picture(page, "evidence")
    assert (box := view.bounding_box()) and box["height"] < 1300, box
    view.scroll_into_view_if_needed()
    picture(page, "evidence")
    assert error_outputs(page) == []
    assert serious(broken) == []
