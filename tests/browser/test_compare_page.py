"""The panel's page over real runs: another run next to this one, and curves that are sent on request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

import clwork
from clwork import lab

from ..encoders.conftest import small_encoder
from .conftest import page_without_errors
from .kernel_page import KernelPage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ROOT = "document.querySelector('.clwork-instrument').instrument"
SERIES = f"{ROOT}.records[0].history.series('effective_rank').values.length"
SCORE = ".clwork-curve[data-cell=validation]"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on which any error fails the test."""
    with page_without_errors(browser, 60_000) as page:
        yield page


def panel_of(**settings: Any) -> lab.Panel:
    corpus = clwork.data.sentences("wikipedia-mini")[:64]
    about: dict[str, Any] = {
        "encoder": small_encoder(),
        "steps": 6,
        "batch_size": 8,
        "probe_every": 2,
        **settings,
    }
    return lab.panel("simcse", sentences=corpus, **about)


def test_another_run_is_drawn_next_to_this_one(page: Page) -> None:
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
    said = [
        part.inner_text()
        for part in page.locator(".clwork-curve[data-cell=uniformity] .curve-value span").all()
    ]
    expected = [
        f"{run.records()[-1]['uniformity']:.3f}".replace("-", "−") for run in (panel.run, first.run)
    ]
    assert [part.split(" ")[-1] for part in said] == expected, "each curve has its own run's value"

    page.evaluate(
        f"{ROOT}.choose(3)"
    )  # a dot: its forces are those of this run, its nearest those of both
    page.wait_for_function("document.querySelectorAll('.near-line').length === 2")
    assert [line.inner_text()[0] for line in page.locator(".near-line").all()] == ["A", "B"]
    page.wait_for_function(f"{ROOT}.strokes")
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
    page.wait_for_function(
        f"document.querySelector('{SCORE} path.line')?.getAttribute('d').split('L').length > 3"
    )
    assert page.evaluate(f"{ROOT}.records[0].history.series('loss').steps.length") == 6
    panel.close()
