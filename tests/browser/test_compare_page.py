"""The panel's page itself, over real runs: another run beside this one, every button, fifty runs in one page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

import clwork
from clwork import lab

from ..encoders.conftest import small_encoder
from .conftest import faultless
from .kernel_page import KernelPage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ElementHandle, Page

pytestmark = pytest.mark.browser

ROOT = "document.querySelector('.clwork-instrument').instrument"
IN_SHEET, OUTSIDE = "button:visible:enabled", ".stage > :not(.clwork-sheet) button:visible:enabled"
NAMES = "(buttons) => buttons.map((one) => [one.className.split(' ')[0], one.innerText])"
OF_DOTS = ("topic", "near", "force")  # many alike: one of each is enough
SERIES = f"{ROOT}.records[0].history.series('effective_rank').values.length"
SCORE = ".clwork-curve[data-cell=validation]"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on which nothing may fail."""
    with faultless(browser, 60_000) as page:
        yield page


def panel_of(**settings: Any) -> lab.Panel:
    corpus = clwork.data.sentences("wikipedia-mini")[:64]
    about: dict[str, Any] = {"encoder": small_encoder(), "steps": 6, "batch_size": 8, "probe_every": 2, **settings}
    return lab.panel("simcse", sentences=corpus, **about)


def test_another_run_stands_beside_this_one(page: Page) -> None:
    first = panel_of(temperature=0.2)
    first.start()
    first.wait()
    panel = panel_of()
    panel.start()
    panel.wait()
    KernelPage(page, panel, "panel").open()
    page.wait_for_function(f"{ROOT}?.records[0].probes.length > 1")
    page.click(".clwork-compare")
    page.wait_for_selector(f".other[data-id='{first.run.folder}']")
    page.fill(".compare-search", first.run.name)
    assert page.locator(".other:visible").count() == 1
    page.click(".other:visible")
    page.wait_for_function(f"{ROOT}.records[1]?.probes.length > 1")
    page.keyboard.press("Escape")
    assert page.locator(".clwork-cloud").count() == 2
    note = page.locator(".cloud-note").nth(1).inner_text()
    assert first.run.name in note and "temperature 0.05 → 0.2" in note
    said = [part.inner_text() for part in page.locator(".clwork-curve[data-cell=uniformity] .curve-value span").all()]
    told = [f"{run.records()[-1]['uniformity']:.3f}".replace("-", "−") for run in (panel.run, first.run)]
    assert [part.split(" ")[-1] for part in said] == told, "each curve has its own run's value"

    page.evaluate(f"{ROOT}.choose(3)")  # a dot: its forces are those of this run, its nearest those of both
    page.wait_for_function("document.querySelectorAll('.near-line').length === 2")
    assert [line.inner_text()[0] for line in page.locator(".near-line").all()] == ["A", "B"]
    page.wait_for_function(f"{ROOT}.forces")
    forced = page.evaluate(f"{ROOT}.picture.clouds.map((cloud) => Boolean(cloud.scene.forces))")
    assert forced == [True, False]

    page.keyboard.press("Escape")
    page.click(".clwork-compare")
    page.click(".clwork-alone")
    page.wait_for_function("document.querySelectorAll('.clwork-cloud').length === 1")


def test_a_curve_is_sent_and_drawn_once_it_is_requested(page: Page) -> None:
    panel = panel_of()
    panel.start()
    panel.wait()
    KernelPage(page, panel, "panel").open()
    page.wait_for_function(f"{ROOT}?.measurements?.columns.length > 3")
    assert page.evaluate(SERIES) == 0
    page.locator(f"{SCORE} select").select_option("effective_rank")
    page.wait_for_function(f"{SERIES} > 3")
    drawn = page.evaluate(f"{ROOT}.records[0].history.value('effective_rank', 6)")
    assert drawn == pytest.approx(panel.run.records()[-1]["effective_rank"], rel=1e-5)
    page.wait_for_function(f"document.querySelector('{SCORE} path.line')?.getAttribute('d').split('L').length > 3")
    assert page.evaluate(f"{ROOT}.records[0].history.series('loss').steps.length") == 6
    panel.close()


def test_every_button_can_be_pressed(page: Page) -> None:
    """None of them fails, none is covered by another part, and the page answers after all of them."""
    from playwright.sync_api import Error

    panel = panel_of(steps=2)
    KernelPage(page, panel, "panel").open()
    page.wait_for_function(f"{ROOT}?.records[0].probes.length > 1")
    pressed: set[str] = set()

    sheet = page.locator(".clwork-sheet")

    def press_all(selector: str) -> None:
        while (found := next_of(selector)) is not None:
            name, button = found
            try:
                button.click(timeout=10_000)
            except Error:
                if button.is_visible() and button.is_enabled():
                    raise
                continue  # the run ended, or its page went on, between the search and the click
            pressed.add(name)
            page.wait_for_timeout(100)
            if selector == OUTSIDE and sheet.is_visible():
                page.wait_for_timeout(200)
                press_all(f".clwork-sheet {IN_SHEET}")
                page.click(".sheet-shut")

    def next_of(selector: str) -> tuple[str, ElementHandle] | None:
        """The next button with its name, of one look at the page: a second may find fewer buttons."""
        buttons = page.locator(selector).element_handles()
        for button, (kind, words) in zip(buttons, page.evaluate(NAMES, buttons), strict=True):
            name = kind if kind in OF_DOTS else f"{kind} {words}"
            if name not in pressed and kind != "sheet-shut":
                return name, button
        return None

    press_all(OUTSIDE)
    while panel.run and panel.run.alive:
        page.wait_for_timeout(200)
        press_all(OUTSIDE)  # what was not enabled before
    page.wait_for_function(f"{ROOT}.runState.alive === false")
    assert len(pressed) >= 20, sorted(pressed)
    page.fill(".clwork-control [data-name=seed] input", "7")
    page.keyboard.press("Enter")
    page.wait_for_function(f"{ROOT}.settings.controls.seed.text === '7'")
