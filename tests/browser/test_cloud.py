"""A cloud of many points in JupyterLab: drawn by WebGL, moved with the mouse, and laid out by UMAP meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .jupyterlab import MINUTES, error_outputs, open_and_run, picture, serious, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

CELL = """
import numpy as np
from clwork import lab
draw = np.random.default_rng(0)
middles = 2 * draw.standard_normal((8, 64))
kinds = draw.integers(0, 8, 20_000)
points = middles[kinds] + draw.standard_normal((20_000, 64))
board = lab.cloud(points, [f"kind {kind}" for kind in kinds], [f"sentence {row}" for row in range(20_000)])
board
"""
POINTS = "view => [...view.querySelectorAll('.js-plotly-plot')].flatMap(p => p._fullData || []).map(t => t._length)"
RANGE = "view => view.querySelector('.js-plotly-plot')?._fullLayout?.xaxis?.range"


def test_a_large_cloud_is_drawn_moved_and_laid_out_anew(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write("cloud.ipynb", CELL))
    view = page.locator(".clwork-cloud")
    view.wait_for(state="attached", timeout=5 * MINUTES)
    until(view, POINTS, lambda counts: len(counts) == 8 and sum(counts) == 20_000)
    before = until(view, RANGE, lambda ends: ends)
    view.scroll_into_view_if_needed()
    plot = view.locator(".js-plotly-plot .nsewdrag").first
    box = plot.bounding_box()
    assert box
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 260, steps=5)
    page.mouse.up()
    until(view, RANGE, lambda ends: ends and ends != before)
    picture(page, "cloud")
    view.locator("select").select_option("UMAP")
    stop = view.get_by_role("button", name="Stop")
    stop.wait_for(state="visible", timeout=MINUTES)
    stop.click()
    until(view, "view => view.textContent", lambda text: "UMAP was stopped" in text)
    stop.wait_for(state="hidden", timeout=MINUTES)
    picture(page, "cloud")
    assert error_outputs(page) == []
    assert serious(broken) == []
