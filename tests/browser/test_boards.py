"""The playground and the desk on a page of JupyterLab, used as a reader would."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from .test_instrument import SIZES, THEMES, set_theme
from .test_start_here import error_outputs, open_and_run, picture, serious

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

NOTEBOOK = "boards.ipynb"
FITS = "board => board.getBoundingClientRect().right <= board.closest('.jp-Notebook').getBoundingClientRect().right + 1"
BESIDE = """desk => {
    const [table, curves] = ['.clwork-runs', '.pictures'].map(
        name => desk.querySelector(name).getBoundingClientRect());
    return table.right <= curves.left + 1 && Math.abs(table.top - curves.top) < 100;
}"""
RUNS = """import clwork
from clwork import lab
corpus = clwork.data.sentences("wikipedia-mini")
settings = dict(encoder="mini", sentences=corpus[:160], steps=2, batch_size=8)
first = clwork.train("simcse", name="first", **settings)
fork = first.fork(0, name="fork", temperature=0.1).wait()
later = clwork.train("simcse", name="later", learning_rate=1e-3, **settings)"""
CELLS = (RUNS, "lab.playground(run=later, sentences=corpus[:3000:10], searched=300)", "lab.desk()")


def wait_for_text(page: Page, place: Locator, text: str) -> None:
    for _ in range(5 * 60 * 2):
        if place.count() and text in (place.first.text_content() or ""):
            return
        page.wait_for_timeout(500)
    raise AssertionError(f"waited in vain for {text!r}; there is {place.all_text_contents()!r}; {error_outputs(page)}")


def show(page: Page, board: Locator) -> None:
    """Scroll to it, down and then up: JupyterLab keeps far cells out of the page."""
    page.locator(".jp-WindowedPanel-outer").first.hover()
    for turn in range(120):
        if board.count() and board.is_visible():
            break
        page.mouse.wheel(0, 400 if turn < 60 else -400)
        page.wait_for_timeout(300)
    board.evaluate("board => board.scrollIntoView({ block: 'start' })")
    page.wait_for_timeout(300)


def cut(board: Locator) -> Any:
    """Buttons and labels whose text is wider than they are."""
    return board.evaluate(
        "board => [...board.querySelectorAll('button:not(.plain, .hit, .fold), .widget-label')].filter("
        "part => part.clientWidth && part.scrollWidth > part.clientWidth + 1).map(part => part.textContent)"
    )


def test_playground_and_desk(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.on("console", lambda told: broken.append(told.text) if "Error setting state" in told.text else None)
    open_and_run(page, lab.write(NOTEBOOK, *CELLS))

    board = page.locator(".clwork-playground")
    wait_for_text(page, board, "press Compare")
    board.scroll_into_view_if_needed()
    for place, text in enumerate(("A boat on the lake.", "A ship at sea.", "The bank raised its rates ☃.")):
        board.locator(".line").nth(place).fill(text)
    for _ in range(board.locator(".line").count() - 3):
        board.locator(".drop").last.click()
    board.locator(".go").click()
    wait_for_text(page, board.locator(".column.right h4"), "later, step 2 of 300 sentences")
    wait_for_text(page, board, "Odd one out")
    assert "cannot read" in str(board.text_content())
    wait_for_text(page, board.locator(".state"), "3 sentences")
    assert cut(board) == []
    picture(page, "playground_1")
    board.locator(".line").first.fill("A boat on the road.")
    wait_for_text(page, board, "cosine to what it was")
    assert board.locator(".matrix").count() == 2
    board.locator(".moves").scroll_into_view_if_needed()
    picture(page, "playground_2")

    desk = page.locator(".clwork-desk")
    show(page, desk)
    wait_for_text(page, desk, "3 runs in")
    rows = desk.locator("th[scope=row]")
    assert rows.all_text_contents() == ["first", "↳\N{NO-BREAK SPACE}fork at 0", "later"]
    assert cut(desk) == []
    picture(page, "desk_1")
    desk.get_by_role("button", name="uniformity").click()
    wait_for_text(page, desk.locator("th[aria-sort=ascending]"), "uniformity ▲")
    assert desk.locator("th[scope=row]").first.text_content() == "later", "it has spread most"
    desk.get_by_role("button", name="uniformity").press("Enter")  # the focus is still there
    wait_for_text(page, desk.locator("th[aria-sort=descending]"), "uniformity ▼")
    desk.get_by_label("draw first").uncheck()
    wait_for_text(page, desk.locator(".chosen"), "2 of 3 chosen")
    desk.locator(".legend button").nth(2).wait_for(state="detached")
    desk.get_by_role("button", name="later", exact=True).click()
    wait_for_text(page, desk.locator("tr[aria-selected=true]"), "later")
    picture(page, "desk_sorted")
    for theme, name in THEMES.items():
        set_theme(page, name)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for what, one in (("playground", board), ("desk", desk)):
                show(page, one)
                picture(page, f"{what}_{theme}_{width}")
                assert cut(one) == []
                assert one.evaluate(FITS), f"the {what} is wider than its room"
                ink = one.evaluate("board => getComputedStyle(board.querySelector('th')).color")
                assert (sum(map(int, re.findall(r"\d+", ink)[:3])) > 450) == (theme == "dark"), ink
    assert desk.evaluate(BESIDE), "the table stands beside the curves"
    set_theme(page, THEMES["light"])
    desk.locator(".clwork-family").click()
    desk.locator(".clwork-filter").fill("learning_rate=0.001")
    wait_for_text(page, desk, "1 of 3")
    assert rows.all_text_contents() == ["later"], "at once: the page filters"
    desk.locator(".clwork-copy").click()
    desk.locator(".clwork-copied").wait_for()
    assert "| later | simcse |" in desk.locator(".clwork-copied").input_value()
    page.keyboard.press("Escape")
    desk.locator(".clwork-copied").wait_for(state="detached")
    desk.locator(".clwork-delete-chosen").click()
    wait_for_text(page, desk, "Delete later for good? That frees")
    picture(page, "desk_2")
    desk.locator(".clwork-sure").click()
    wait_for_text(page, desk, "are free")
    desk.locator(".clwork-filter").fill("")
    wait_for_text(page, desk, "1 of 2 chosen")  # the first was taken out, and stays so
    assert serious(broken) == [] and error_outputs(page) == []
