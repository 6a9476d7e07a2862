"""What a run has measured besides the strip: in words at the verdict, and as a curve that the reader chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

import clwork
from clwork import lab

from ..encoders.conftest import small_encoder
from .kernel_page import KernelPage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ROOT = "document.querySelector('.clwork-instrument').instrument"
SERIES = f"{ROOT}.films[0].history.series('effective_rank').values.length"
SCORE = ".clwork-curve[data-cell=validation]"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1280, "height": 720})
    yield opened
    opened.close()


def test_what_was_measured_is_told_and_drawn_on_request(page: Page) -> None:
    corpus = clwork.data.sentences("wikipedia-mini")[:64]
    about: dict[str, Any] = {"encoder": small_encoder(), "steps": 6, "batch_size": 8, "probe_every": 2}
    panel = lab.panel("simcse", sentences=corpus, **about)
    panel.start()
    panel.wait()
    kernel = KernelPage(page, panel, "instrument")
    kernel.open()
    page.wait_for_function(f"{ROOT}?.numbers?.columns.length > 3")
    assert page.evaluate(f"{ROOT}.known().numbers === {ROOT}.numbers.version"), "else it would come with every answer"

    page.locator(".clwork-verdict").hover()
    told = page.locator(".clwork-help")
    told.wait_for(state="visible")
    words = told.inner_text()
    for part in ("at step 6", "alignment ", "silver score (a model's opinion)", "Measured: ", "Arithmetic in "):
        assert part in words, part

    assert page.evaluate(SERIES) == 0, "what nobody asked for is not sent"
    page.locator(f"{SCORE} select").select_option("effective_rank")
    page.wait_for_function(f"{SERIES} > 3")
    drawn = page.evaluate(f"{ROOT}.films[0].history.value('effective_rank', 6)")
    assert drawn == pytest.approx(panel.run.records()[-1]["effective_rank"], rel=1e-5)
    page.wait_for_function(f"document.querySelector('{SCORE} path.line')?.getAttribute('d').split('L').length > 3")
    assert page.evaluate(f"{ROOT}.films[0].history.series('loss').steps.length") == 6, "the rest is still there, once"
    page.locator(f"{SCORE} select").select_option("silver")
    page.wait_for_function(f"{ROOT}.picture.curves.curves.at(-1).column.name === 'silver'")
    assert kernel.errors == []
    panel.close()
