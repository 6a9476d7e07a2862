"""A panel for every method on one page: each is started, moved by keyboard and stopped, as a reader would do it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from clwork import methods
from clwork.lab.settings.control import slider_of

from .panels import EVENTS, PANEL, POINTS, STATE, begin, move, wait_until
from .test_start_here import MINUTES, error_outputs, open_and_run, picture, serious

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

NOTEBOOK = "every_method.ipynb"
SMALL: dict[str, dict[str, Any]] = {"dclr": {"complementary_steps": 1}}  # it trains another model first


def every_panel() -> str:
    """A cell that makes a panel for each method over a small corpus, and shows them one below the other."""
    lines = ["import clwork", "from clwork import lab", "corpus = clwork.data.sentences('wikipedia-mini')[:160]"]
    for name in methods.names():
        settings = {"steps": 100_000, "batch_size": 8, **SMALL.get(name, {})}
        lines.append(f"display(lab.panel({name!r}, sentences=corpus, **{settings!r}))")
    return "\n".join(lines)


def hot_slider(name: str) -> str:
    """A hyperparameter of the method's own, beside the pictures, that a slider moves while it trains."""
    shared = {field.name for field in methods.fields(methods.MethodConfig)}
    config = methods.config(name)
    fields = {field.name: field for field in methods.fields(config)}
    for field in (fields[one] for one in methods.get(name).knobs if one not in shared):
        if field.hot and slider_of(field, getattr(config, field.name)) is not None:
            return field.name
    raise AssertionError(f"{name} has no hot slider")


def drive(page: Page, panel: Locator, name: str) -> None:
    """Watch the curve grow, move a hot slider, see it marked, stop."""
    field = hot_slider(name)
    start, stop = panel.locator(".clwork-start"), panel.locator(".clwork-stop")
    first = wait_until(page, POINTS, panel, lambda count: count > 1)
    wait_until(page, POINTS, panel, lambda count: count > first)
    move(page, panel, field)
    wait_until(page, EVENTS, panel, lambda words: f"{field.replace('_', ' ')} " in words)
    picture(page, f"panel_{name}")
    stop.scroll_into_view_if_needed()
    stop.click()
    wait_until(page, STATE, panel, lambda text: re.search("stopped|finished|failed", text))
    assert "stopped" in panel.evaluate(STATE)
    expect(start).to_have_text("Start", timeout=MINUTES)


def test_every_method_has_a_panel_that_works(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write(NOTEBOOK, every_panel()))
    panels = page.locator(PANEL)
    panels.nth(len(methods.names()) - 1).locator(".clwork-start").wait_for(state="attached", timeout=5 * MINUTES)
    for number in range(len(methods.names())):  # all at once: a picture may be seconds away from the next
        begin(panels.nth(number))
    for number, name in enumerate(methods.names()):
        drive(page, panels.nth(number), name)
    assert error_outputs(page) == []
    assert serious(broken) == []
