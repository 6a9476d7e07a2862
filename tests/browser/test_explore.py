"""The explorer in JupyterLab: settings by list and by knob, looks by keyboard, and no error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .test_start_here import MINUTES, error_outputs, open_and_run, picture, serious, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

NOTEBOOK = "explore.ipynb"
SOURCES = ("from clwork import lab", "lab.explore('simcse/dropout-against-fixed-mask')")
BANDS = """view => [...new Set([...view.querySelectorAll('.js-plotly-plot')].flatMap(plot => plot._fullData || [])
    .filter(trace => trace.fill === 'toself').map(trace => trace.name))].join('|')"""
CLOUD = """view => [...view.querySelectorAll('.js-plotly-plot')].map(plot => plot._fullLayout?.title?.text || '')
    .filter(text => text.includes(', seed 0,')).join('|')"""
# Pixels of each figure's box that the figure leaves blank.
BLANK = """view => [...view.querySelectorAll('.clwork-figure')]
    .map(box => box.clientHeight - (box.querySelector('.main-svg')?.clientHeight ?? 0))"""


def test_settings_and_looks_are_chosen_by_mouse_and_keyboard(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write(NOTEBOOK, *SOURCES))
    view = page.locator(".clwork-explore")
    view.wait_for(state="attached", timeout=5 * MINUTES)

    until(view, BANDS, lambda names: names == "SimCSE")
    until(view, CLOUD, lambda title: title == "SimCSE, seed 0, step 150")
    view.scroll_into_view_if_needed()
    picture(page, "explore_first")
    view.locator(".clwork-setting select").select_option("fixed mask")
    until(view, BANDS, lambda names: names == "fixed mask")
    until(view, CLOUD, lambda title: title == "fixed mask, seed 0, step 150")
    view.locator(".clwork-step .noUi-handle").focus()
    page.keyboard.press("ArrowLeft")
    until(view, CLOUD, lambda title: title == "fixed mask, seed 0, step 140")
    view.locator(".clwork-knob-dropout-attention .noUi-handle").focus()
    page.keyboard.press("ArrowLeft")
    until(view, BANDS, lambda names: names == "one mask .1")
    until(view, CLOUD, lambda title: title == "one mask .1, seed 0, step 140")
    until(view, BLANK, lambda blank: len(blank) == 2 and max(blank) < 20)
    picture(page, "explore_second")
    assert error_outputs(page) == []
    assert serious(broken) == []
