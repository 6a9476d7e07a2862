"""The force view's page without JupyterLab at three widths: choosing, finding and reading
sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import clwork
from clwork import lab
from clwork.lab.force_view import ForceView

from .kernel_page import KernelPage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

FORCES = ".clwork-forces"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> clwork.Run:
    """A run of a few steps, all of them stored."""
    folder = tmp_path_factory.mktemp("forces") / "run-1"
    corpus = clwork.data.sentences("wikipedia-mini")[:160]
    return clwork.train(
        "simcse", sentences=corpus, steps=4, batch_size=16, keep_every=1, folder=folder
    )


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1040, "height": 736}, color_scheme="light")
    page.set_default_timeout(60_000)
    yield page
    page.close()


@pytest.fixture
def shown(page: Page, run: clwork.Run) -> Iterator[KernelPage]:
    kernel = opened(page, lab.forces(run))
    yield kernel
    assert kernel.errors == []


def opened(page: Page, view: ForceView, theme: str = "light") -> KernelPage:
    kernel = KernelPage(page, view, "forces")
    kernel.open(theme)
    page.wait_for_function("() => document.querySelector('.clwork-forces .entry')")
    return kernel


def until(page: Page, view: ForceView, row: int) -> None:
    """Wait until the page shows the view's chosen sentence."""
    text = view.seen.texts[row]
    page.wait_for_function(
        "text => document.querySelector('.chosen-text').textContent === text", arg=text
    )
    assert (
        view.row
        == row
        == page.evaluate("() => document.querySelector('.clwork-forces').page.sentences.row")
    )


def test_a_sentence_is_chosen_by_keyboard_and_all_parts_follow(
    shown: KernelPage, page: Page
) -> None:
    view = shown.widget
    losses = view.seen.tables[0].losses
    order = [int(row) for row in (-losses).argsort()]
    until(page, view, order[0])
    formula = page.locator(f"{FORCES} .formula").text_content()
    share = page.locator(".entry[aria-selected=true]").get_attribute("aria-label") or ""
    assert "% of the loss" in share
    page.locator(f"{FORCES} .list").focus()
    page.keyboard.press("ArrowDown")
    until(page, view, order[1])
    assert page.locator(f"{FORCES} .formula").text_content() != formula
    assert f"{order[1] + 1}" in (page.locator(".formula-line").nth(1).text_content() or "")
    page.keyboard.press("End")
    until(page, view, order[-1])
    expected = sorted(view.seen.tables[0].pairs(order[-1]), key=lambda pair: pair.pull < 0)
    labels = page.evaluate(
        "() => [...document.querySelectorAll('.pair')].map(part => part.getAttribute('aria-label'))"
    )
    for label, pair in zip(labels, expected, strict=False):
        assert label.startswith("push" if pair.pull < 0 else "pull")
        assert pair.text in label
        assert pair.kind in label
    widths = page.evaluate(
        "() => [...document.querySelectorAll('.arrows .stem')].map(part => "
        "+part.getAttribute('stroke-width'))"
    )
    assert len(widths) == len(labels)
    assert widths[0] == max(widths)
    assert widths[1:] == sorted(widths[1:], reverse=True)
    page.locator(".pushing .pair").first.click()
    until(page, view, expected[1].sentence)
