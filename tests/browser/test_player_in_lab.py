"""The player in JupyterLab: of a run at work, which it follows, and of a recorded one, which stands in a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .jupyterlab import MINUTES, error_outputs, open_and_run, picture, serious

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

NOTEBOOK = "players.ipynb"
CELLS = (
    """
import clwork
from clwork import lab
corpus = clwork.data.sentences("wikipedia-mini")[:160]
run = clwork.start("simcse", sentences=corpus, steps=100_000, batch_size=8, probe_every=2)
lab.player(run, height=560)
""",
    'lab.player("simcse", height=600)',
)
LOOKS = "document.querySelector('.clwork-instrument')?.instrument?.records[0].probes.length"
SETTLED = (
    "(() => { const { clock } = document.querySelector('.clwork-instrument').instrument; "
    "return !clock.goal && !clock.playing; })()"
)


def test_a_run_at_work_is_followed_and_a_recorded_one_plays_in_its_frame(lab: Lab, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write(NOTEBOOK, *(source.strip() for source in CELLS)))
    player = page.locator(".clwork-instrument").first
    player.wait_for(timeout=5 * MINUTES)
    player.scroll_into_view_if_needed()
    for _ in range(2):
        known = int(page.evaluate(LOOKS))
        page.wait_for_function(f"{LOOKS} > {known}", timeout=5 * MINUTES)
    assert "running" in player.locator(".run-stand").inner_text()
    player.locator(".key[aria-label='one probe back']").click()  # the reader looks back, and is left there
    page.wait_for_function(SETTLED)
    there = page.evaluate("document.querySelector('.clwork-instrument').instrument.step")
    known = int(page.evaluate(LOOKS))
    page.wait_for_function(f"{LOOKS} > {known}", timeout=5 * MINUTES)
    assert page.evaluate("document.querySelector('.clwork-instrument').instrument.step") == there
    cells = page.locator(".jp-Cell").count()
    player.locator(".cloud-canvas").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("b")  # JupyterLab's own key for a new cell
    page.wait_for_timeout(300)
    assert page.locator(".jp-Cell").count() == cells, "keys of the player are none of JupyterLab's"
    picture(page, "player_live")

    frame = page.frame_locator("iframe.clwork-page").first
    page.locator("iframe.clwork-page").first.scroll_into_view_if_needed()
    frame.locator(".clwork-instrument").wait_for(timeout=5 * MINUTES)
    frame.locator(".time").first.focus()
    page.keyboard.press("End")
    frame.locator(".key[aria-label='one probe forward'][disabled]").wait_for(timeout=5 * MINUTES)
    assert frame.locator(".run-stand").inner_text().startswith("simcse")
    picture(page, "player_frame")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    frame.locator(".clwork-instrument[data-theme=dark]").wait_for(timeout=5 * MINUTES)
    assert error_outputs(page) == []
    assert serious(broken) == []
