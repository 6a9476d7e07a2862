"""The force view in JupyterLab: another sentence chosen by keyboard, found by its words, another step, no error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .test_instrument import set_theme
from .test_start_here import MINUTES, error_outputs, open_and_run, picture, serious, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

NOTEBOOK = "forces.ipynb"
SOURCES = (
    "import clwork\nfrom clwork import lab\ncorpus = clwork.data.sentences('wikipedia-mini')[:160]\n"
    "run = clwork.start('simcse', sentences=corpus, steps=3, batch_size=16).wait()",
    "lab.forces(run)",
)
PULLS = "view => [...view.querySelectorAll('.pair')].map(part => part.getAttribute('aria-label')).join('|')"
FORMULA = "view => view.querySelector('.formula').textContent"
LISTED = "view => [...view.querySelectorAll('.entry')].filter(part => part.checkVisibility()).length"
LINES = "view => view.querySelectorAll('.formula math').length"
READING = "view => view.querySelector('.reading-value').textContent"
INK = """view => [...view.querySelectorAll('.formula math, .pair .kind')].slice(-2).map(part =>
    getComputedStyle(part).color.match(/[\\d.]+/g).slice(0, 3).reduce((sum, one) => sum + Number(one), 0) / 3)"""
# The view's height, and the room that JupyterLab leaves for a notebook.
HEIGHTS = """view => [view.getBoundingClientRect().height,
    document.querySelector('.jp-WindowedPanel-outer').getBoundingClientRect().height]"""


def test_a_sentence_is_chosen_and_its_forces_are_drawn(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write(NOTEBOOK, *SOURCES))
    view = page.locator(".clwork-forces")
    view.wait_for(state="attached", timeout=5 * MINUTES)

    pulls = until(view, PULLS, bool)
    assert until(view, LINES, bool) >= 4
    formula = until(view, FORMULA, bool)
    view.scroll_into_view_if_needed()
    picture(page, "forces_first")
    height, room = view.evaluate(HEIGHTS)
    assert height <= room, "it is on one screen"
    view.locator(".list").focus()
    page.keyboard.press("ArrowDown")
    moved = until(view, PULLS, lambda found: found and found != pulls)
    until(view, FORMULA, lambda found: found and found != formula)
    picture(page, "forces_second")
    text = view.locator(".entry").nth(4).locator(".text").text_content() or ""
    view.locator(".entry").nth(4).click()
    until(view, PULLS, lambda found: found and found != moved)
    view.locator("select.matrix").select_option("softmax weight")
    until(view, READING, lambda found: found.startswith("softmax weight"))
    picture(page, "forces_matrix")
    view.locator(".find").fill(text[:20].upper())
    assert until(view, LISTED, lambda count: count < 16) == 1
    view.locator(".stop").first.click()
    until(view, "view => view.querySelector('.state').textContent", lambda said: "weights it begins with" in said)
    set_theme(page, "JupyterLab Dark")
    assert until(view, INK, lambda inks: min(inks) > 120), "ink that can be read on a dark page"
    view.scroll_into_view_if_needed()
    picture(page, "forces_dark")
    assert error_outputs(page) == []
    assert serious(broken) == []
