"""All parts of the panel's picture show the same step, or say which step they show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from .conftest import page_without_errors
from .kernel_page import KernelPage
from .panel_stub import ROOT, Stub, opened, until
from .test_compare_page import panel_of
from .test_panel_page import train

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
STEP = "document.querySelector('.told').textContent"


@pytest.fixture
def clean(browser: Browser) -> Iterator[Page]:
    """A page on which any error fails the test."""
    with page_without_errors(browser, 60_000) as page:
        yield page


def test_another_run_compared_while_a_chart_is_hidden_stops_no_part(clean: Page) -> None:
    first = panel_of(temperature=0.2)
    first.start()
    first.wait()
    panel = panel_of()
    panel.start()
    panel.wait()
    KernelPage(clean, panel, "panel").open()
    until(clean, f"{ROOT}.records[0].probes.length > 1")
    for shown, then in (("plane", "curves"), ("curves", "plane")):
        clean.click(f"[data-tab={shown}]")
        clean.click(f"[data-tab={then}]")
        until(clean, f"{STEP} === 'step 6'")
        clean.evaluate(f"{ROOT}.act('compare', {{ run: {str(first.run.folder)!r} }})")
        until(clean, f"{ROOT}.records[1]?.probes.length > 1")
        clean.evaluate(f"{ROOT}.clock.jump(1)")
        until(clean, f"{STEP} === 'step 2'")
        clean.click(f"[data-tab={shown}]")
        until(clean, f"document.querySelectorAll('.{'trail-now' if shown == 'plane' else 'head-dot'}').length >= 2")
        clean.evaluate(f"{ROOT}.act('compare', {{ run: '' }})")
        until(clean, f"{ROOT}.records.length === 1")
        clean.evaluate(f"{ROOT}.clock.jump({ROOT}.time.last)")


def test_a_part_that_cannot_be_drawn_is_reported_and_the_others_are_drawn(page: Page) -> None:
    stub = Stub()
    opened(page, stub)
    train(page, stub, 40)
    page.evaluate(f"() => {{ {ROOT}.picture.curves.show = () => {{ throw Error('no ink'); }}; }}")
    stub.advance(60)
    until(page, f"{STEP} === 'step 60'")
    until(page, "document.querySelector('.state-text').textContent.startsWith('Drawing the curves failed')")
    assert "no ink" in page.inner_text(".state-text")
    until(page, "document.querySelector('.movers-title').textContent.endsWith('at step 60')")
    page.evaluate(f"() => {{ delete {ROOT}.picture.curves.show; }}")
    stub.advance(80)
    until(page, "document.querySelector('.state-text').textContent.includes('is training')")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_that_was_filled_outside_the_document_has_the_colours_of_its_theme(clean: Page, theme: str) -> None:
    stub = Stub()
    KernelPage(clean, stub, "panel").open(theme, detached=True)
    clean.wait_for_timeout(800)  # the theme is read again after 400 ms
    clean.evaluate("attach()")
    until(clean, "document.querySelector('.clwork-instrument')")
    until(clean, f"{ROOT}.picture.clouds[0].scene?.xy.length")
    expected = {"light": ["#ffffff", "#1d232b", "#0b62c4"], "dark": ["#14181d", "#e9edf1", "#6cb2ff"]}[theme]
    until(clean, f"['ground', 'ink', 'accent'].map((name) => {ROOT}.inks[name]).join() === '{','.join(expected)}'", 10)
