"""The playground in a browser without JupyterLab: its page has a substitute model, its kernel is this process.

Messages of kernel threads are dropped, as on Colab: the page shows only replies to its requests.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clwork import lab
from clwork.lab.playground import sources

from ..encoders.conftest import write_tiny
from .conftest import page_without_errors
from .kernel_page import KernelPage, wait_for
from .panel_stub import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

OWN = ["the cat sat on the mat", "a dog ran far", "the dog sat", "a mat"]
CORPUS = [f"{a} {b} {c} on the {d}" for a in ("the cat", "a dog", "the mat") for b in ("sat", "ran", "far")
          for c in ("cat", "mat", "further") for d in ("mat", "cat", "dog")]  # fmt: skip
ROOT = "document.querySelector('.clwork-playground')"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on which any error fails the test."""
    with page_without_errors(browser, 30_000) as page:
        yield page


@pytest.fixture(scope="module")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write_tiny(tmp_path_factory.mktemp("one")), write_tiny(tmp_path_factory.mktemp("other"), seed=1)


@pytest.fixture
def playground(encoders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[lab.Playground]:
    """A playground with two tiny encoders and no runs."""
    monkeypatch.setattr(sources, "kernel_runs", list)
    made = lab.playground(OWN, sentences=CORPUS, encoder=str(encoders[0]))
    made.right.choose(sources.ELSEWHERE, str(encoders[1]))
    yield made
    made.close()
    made.wait(60)


def opened(playground: lab.Playground, page: Page, theme: str = "light") -> KernelPage:
    kernel = KernelPage(page, playground, "playground", drops=True)
    kernel.open(theme)
    return kernel


def compared(page: Page, count: int = len(OWN)) -> None:
    """Press Compare and wait for the result."""
    page.locator(".go").click()
    until(page, f"document.querySelector('.state').textContent.startsWith('{count} sentences')")
    until(page, "document.querySelectorAll('.hits .hit').length >= 10")


def ranks(page: Page, side: int) -> list[str]:
    return page.locator(f".column-{side} .hit .text").all_text_contents()


def test_two_results_are_shown_side_by_side_with_lines_between_them(page: Page, playground: lab.Playground) -> None:
    opened(playground, page)
    until(page, "document.querySelectorAll('.line').length === 4")
    assert [page.locator(".line").nth(k).input_value() for k in range(4)] == OWN
    compared(page)
    sides = playground._update({})["answer"]["sides"]
    assert page.locator(".pair .large").all_text_contents() == [f"{side['pair']:.2f}" for side in sides]
    for side, column in enumerate(playground._update({})["answer"]["columns"]):
        texts = playground.search.texts()
        assert ranks(page, side) == [texts[row] for row in column["rows"]]
        shown = page.locator(f".column-{side} .hit .cosine").all_text_contents()
        assert shown == [f"{cosine:.2f}" for cosine in column["cosines"]]
    left, middle, right = (set(ranks(page, side)) for side in range(3))
    assert page.locator(".between path:not(.alone)").count() == len(left & middle) + len(middle & right)
    assert page.locator(".between path.alone").count() == len(left ^ middle) + len(middle ^ right)
    page.locator(".column-2 .hit").first.focus()
    first = ranks(page, 2)[0]
    assert page.locator(".hit.lit").count() == 1 + (first in left) + (first in middle)
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement === document.querySelectorAll('.column-2 .hit')[1]")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.closest('.column').className.includes('column-1')")


def test_ranks_and_positions_change_with_a_word(page: Page, playground: lab.Playground) -> None:
    kernel = opened(playground, page)
    compared(page)
    before = ranks(page, 0)
    page.locator(".line").nth(2).click()
    until(page, "document.querySelector('.asked').textContent === '“the dog sat”'")
    way = f"{ROOT}.page.clouds[0].way"
    assert page.evaluate(f"{way}.length") == 1, "it is where it was"
    begun = time.monotonic()
    page.keyboard.press("End")
    for letter in "urday the mat":
        page.keyboard.type(letter)
        page.wait_for_timeout(60)
    text = "the dog saturday the mat"
    until(page, f"document.querySelector('.asked').textContent.startsWith('“{text}”')")
    commands = [request["do"] for request in kernel.requests if "do" in request]
    questions = [command["text"] for command in commands if command["name"] == "edit"][1:]
    assert questions[-1] == text and len(questions) <= 2 + 4 * (time.monotonic() - begun), "at most four a second"
    assert page.evaluate(f"{way}.length") > 1, "a trail from where it was"
    places = page.evaluate(
        f"{ROOT}.page.clouds.map((cloud) => [cloud.way[0], [...cloud.own.slice(4, 6)], cloud.way.at(-1)])"
    )
    for place, (start, own, end) in enumerate(places):
        assert start == own and end == playground._update({})["answer"]["sides"][place]["at"]
    now = ranks(page, 0)
    assert now != before and now == [
        playground.search.texts()[row] for row in playground._update({})["answer"]["columns"][0]["rows"]
    ]
    assert "was " in " ".join(page.locator(".column-0 .mark").all_text_contents())
    assert page.locator(".matrix-0 .changed").count() > 0 and page.locator(".moves tr").count() == 7
    page.keyboard.press("Escape")
    until(page, "document.querySelector('.asked').textContent === '“the dog sat”'")
    assert page.locator(".line").nth(2).input_value() == OWN[2] and page.locator(".matrix-0 .changed").count() == 0


def test_a_reloaded_page_shows_the_state_and_a_second_page_follows(page: Page, playground: lab.Playground) -> None:
    kernel = opened(playground, page)
    compared(page)
    page.locator(".line").first.fill("the cat saturday")
    until(page, "document.querySelector('.asked').textContent.startsWith('“the cat saturday”')")
    wait_for(page, lambda: playground._typed[0] == "the cat saturday")
    kernel.open()
    until(page, "document.querySelectorAll('.column-0 .hit').length === 10")
    assert page.locator(".line").first.input_value() == "the cat saturday" and page.locator(".matrix").count() == 3
    until(page, "document.querySelector('.asked').textContent.startsWith('“the cat saturday”, which was')")
    playground._set_sentences(["a dog", "the mat"], "another page")
    until(page, "document.querySelectorAll('.line').length === 2")
