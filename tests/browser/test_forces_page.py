"""The force view's page without JupyterLab: on one screen, chosen, found, walked and read, at three widths."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

import clwork
from clwork import lab
from clwork.lab.force_view import ForceView
from clwork.training import forces_at

from .kernel_page import KernelPage, wait_for
from .panels import least_contrast, misplaced

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

FORCES = ".clwork-forces"
SIZES = ((1040, 736), (862, 736), (420, 736))
# What a reader sees at once: boxes of the parts.
PARTS = (".control", ".state", ".formula", ".sentences", ".shares", ".pulls", ".matrix-part")
BOXES = """names => names.map(name => {
    const { left, top, right, bottom } = document.querySelector(`.clwork-forces ${name}`).getBoundingClientRect();
    return [left, top, right, bottom];
})"""
# Whether each row of a pair is shown in whole.
WHOLE_ROWS = """() => {
    const end = document.querySelector('.pulls').getBoundingClientRect().bottom;
    return [...document.querySelectorAll('.pair')].every(part => part.getBoundingClientRect().bottom <= end);
}"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> clwork.Run:
    """A run of a few steps, each of them kept."""
    folder = tmp_path_factory.mktemp("forces") / "run-1"
    corpus = clwork.data.sentences("wikipedia-mini")[:160]
    return clwork.train("simcse", sentences=corpus, steps=4, batch_size=16, keep_every=1, folder=folder)


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


def row_of(page: Page) -> int:
    return int(page.evaluate("() => document.querySelector('.clwork-forces').page.sentences.row"))


def until(page: Page, view: ForceView, row: int) -> None:
    """Wait until page and view agree on the chosen sentence."""
    text = view.seen.texts[row]
    page.wait_for_function("text => document.querySelector('.chosen-text').textContent === text", arg=text)
    assert view.row == row == row_of(page)


def test_all_is_on_one_screen_and_nothing_lies_on_anything(shown: KernelPage, page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        room = (0, -math.inf, width, max(584, min(1080, height - 136)) if width >= 840 else math.inf)
        wait_for(page, lambda room=room: misplaced(PARTS, page.evaluate(BOXES, PARTS), room) == [])  # type: ignore[misc]
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert page.evaluate("() => document.querySelectorAll('.pair').length") >= 6
        assert page.evaluate(WHOLE_ROWS), f"a row is cut at {width}"


def test_texts_can_be_read_in_both_themes(browser: Browser, run: clwork.Run) -> None:
    for theme in ("light", "dark"):
        page = browser.new_page(viewport={"width": 1040, "height": 736})
        kernel = opened(page, lab.forces(run), theme)
        assert page.evaluate("() => document.querySelector('.clwork-forces').dataset.theme") == theme
        assert least_contrast(page, ".clwork-forces *") >= 4.5
        assert kernel.errors == []
        page.close()


def test_a_sentence_is_chosen_by_keyboard_and_all_parts_follow(shown: KernelPage, page: Page) -> None:
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
    told = page.evaluate("() => [...document.querySelectorAll('.pair')].map(part => part.getAttribute('aria-label'))")
    for label, pair in zip(told, expected, strict=False):
        assert label.startswith("push" if pair.pull < 0 else "pull") and pair.text in label and pair.kind in label
    widths = page.evaluate(
        "() => [...document.querySelectorAll('.arrows .stem')].map(part => +part.getAttribute('stroke-width'))"
    )
    assert len(widths) == len(told) and widths[0] == max(widths) and widths[1:] == sorted(widths[1:], reverse=True)
    page.locator(".pushing .pair").first.click()
    until(page, view, expected[1].sentence)


def test_sentences_are_found_by_their_words(shown: KernelPage, page: Page) -> None:
    view = shown.widget
    row = (view.row + 1) % len(view.seen.texts)
    find, listed = page.locator(f"{FORCES} .find"), page.locator(f"{FORCES} .entry:visible")
    find.fill(view.seen.texts[row][3:30].upper())
    until(page, view, row)
    assert listed.count() == 1 and "1 sentence of 16" in (page.locator(f"{FORCES} .found").text_content() or "")
    find.fill("no sentence has this")
    assert listed.count() == 0 and "no sentence has these words" in (page.locator(".found").text_content() or "")
    find.fill("")
    assert listed.count() == 16 and view.row == row


def test_a_matrix_is_walked_and_read(shown: KernelPage, page: Page) -> None:
    view = shown.widget
    page.locator(f"{FORCES} select.matrix").select_option("softmax weight")
    page.wait_for_function("() => document.querySelector('.reading-value').textContent.startsWith('softmax weight')")
    weights, row = view.seen.tables[0].matrices()["softmax weight"], view.row
    heat = page.locator(f"{FORCES} canvas.heat")
    heat.focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    lines = page.locator(f"{FORCES} .reading p").all_text_contents()
    assert lines[1:] == [f"{row + 1}. {view.seen.texts[row]}", f"3. {view.seen.texts[2]}"]
    assert float(lines[0].removeprefix("softmax weight ").replace("e−", "e-")) == pytest.approx(
        weights[row, 2], rel=0.05
    )
    box = heat.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 15.5 / 16, box["y"] + box["height"] * 0.5 / 16)
    assert page.locator(f"{FORCES} .reading p").all_text_contents()[1:] == [
        f"1. {view.seen.texts[0]}",
        f"16. {view.seen.texts[15]}",
    ]
    heat.focus()
    page.keyboard.press("PageDown")
    page.keyboard.press("Enter")
    until(page, view, 15)


def test_the_steps_are_a_row_of_stops(shown: KernelPage, page: Page) -> None:
    view = shown.widget
    stops = page.locator(f"{FORCES} .stop")
    assert stops.all_text_contents() == ["start", "1", "2", "3", "4", "now"]
    stops.last.focus()
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('.state').textContent.includes('weights it begins with')")
    assert view.seen.step == 0 and page.locator(".stop[aria-checked=true]").text_content() == "start"
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.state').textContent.includes('checkpoint of step 1')")
    assert view.seen.step == 1


def test_what_is_computed_is_said_and_the_newest_request_wins(page: Page, run: clwork.Run) -> None:
    view = lab.forces(run)
    go_on, asked = threading.Event(), list[int | None]()

    def at(step: int | None) -> Any:
        asked.append(step)
        assert go_on.wait(60)
        return forces_at(run, step)

    view._source = view._source._replace(at=at)
    kernel = opened(page, view)
    for name in ("start", "1", "2", "3"):
        page.get_by_role("radio", name=name).click()
        wait_for(page, lambda: asked == [0])
    wait_for(page, lambda: {"name": "step", "step": 3} in [request.get("do") for request in kernel.requests])
    assert page.locator(f"{FORCES} .state").text_content() == "Computing …"
    assert page.locator(FORCES).get_attribute("aria-busy") == "true"
    go_on.set()
    page.wait_for_function("() => document.querySelector('.state').textContent.includes('checkpoint of step 3')")
    assert asked == [0, 3] and view.seen.step == 3
