"""The playground in a browser without JupyterLab: its page on a stand-in for the model, its kernel in this process.

What a thread of the kernel sends is dropped, as on Colab: the page shows only what its requests returned.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clwork import lab
from clwork.lab.playground import corpus as corpus_module
from clwork.lab.playground import encoders as encoders_module

from ..encoders.conftest import write_tiny
from .conftest import faultless
from .kernel_page import KernelPage, wait_for
from .panel_stub import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

OWN = ["the cat sat on the mat", "a dog ran far", "the dog sat", "a mat"]
CORPUS = [f"{a} {b} {c} on the {d}" for a in ("the cat", "a dog", "the mat") for b in ("sat", "ran", "far")
          for c in ("cat", "mat", "further") for d in ("mat", "cat", "dog")]  # fmt: skip
LONG = "the cat " * 100
CUT = """[...document.querySelectorAll('.clwork-playground button:not(.fold, .hit)')].filter(
    (part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent)"""
SIZES = """[...new Set([...document.querySelectorAll('.clwork-playground *')].filter((part) => part.textContent.trim())
    .map((part) => getComputedStyle(part).fontSize))]"""
ENDS = """(() => {
    const lines = document.querySelector('.between'), top = lines.getBoundingClientRect().top;
    const { columns } = document.querySelector('.clwork-playground').page.answer;
    const middle = (side, row) => [...columns[side].hits].filter(
        ([its]) => its === row).map(([, { root }]) => root.getBoundingClientRect().top + 12 - top)[0];
    return [0, ...lines.querySelectorAll('path:not(.alone)')].filter(Boolean).flatMap((path) => {
        const row = Number(path.dataset.row), [from] = path.getAttribute('d').match(/(?<=,)[\\d.]+/g).map(Number);
        const to = Number(path.getAttribute('d').match(/[\\d.]+$/)[0]);
        return [Math.abs(from - middle(0, row)), Math.abs(to - middle(1, row))];
    }).concat(0);
})()"""
ROOT = "document.querySelector('.clwork-playground')"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on which nothing may fail."""
    with faultless(browser, 30_000) as page:
        yield page


@pytest.fixture(scope="module")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write_tiny(tmp_path_factory.mktemp("one")), write_tiny(tmp_path_factory.mktemp("other"), seed=1)


@pytest.fixture
def board(encoders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[lab.Playground]:
    """A playground with two tiny encoders and no runs."""
    monkeypatch.setattr(encoders_module, "kernel_runs", list)
    made = lab.playground(OWN, sentences=[*CORPUS, LONG], encoder=str(encoders[0]))
    made.right.choose(encoders_module.ELSEWHERE, str(encoders[1]))
    yield made
    made.close()
    made.wait(60)


def opened(board: lab.Playground, page: Page, theme: str = "light") -> KernelPage:
    kernel = KernelPage(page, board, "playground", drops=True)
    kernel.open(theme)
    return kernel


def compared(page: Page, count: int = len(OWN)) -> None:
    """Press Compare, and wait for its end."""
    page.locator(".go").click()
    until(page, f"document.querySelector('.state').textContent.startsWith('{count} sentences')")
    until(page, "document.querySelectorAll('.hits .hit').length >= 10")


def type_into(page: Page, line: int, text: str) -> None:
    field = page.locator(".line").nth(line)
    field.fill(text)
    until(page, f"document.querySelector('.asked').textContent.startsWith({json.dumps('“' + text + '”')})")


def ranks(page: Page, side: str) -> list[str]:
    return page.locator(f".{side} .hit .text").all_text_contents()


def test_two_answers_stand_side_by_side_with_lines_between_them(page: Page, board: lab.Playground) -> None:
    opened(board, page)
    until(page, "document.querySelectorAll('.line').length === 4")
    assert [page.locator(".line").nth(k).input_value() for k in range(4)] == OWN
    compared(page)
    for side, column in zip(("left", "right"), board._update({})["answer"]["columns"], strict=True):
        texts = board.search.texts()
        assert ranks(page, side) == [texts[row] for row in column["rows"]]
        shown = page.locator(f".{side} .hit .cosine").all_text_contents()
        assert shown == [f"{cosine:.2f}" for cosine in column["cosines"]]
    left, right = (set(ranks(page, side)) for side in ("left", "right"))
    assert page.locator(".between path:not(.alone)").count() == len(left & right)
    assert page.locator(".between path.alone").count() == len(left ^ right)
    page.locator(".right .hit").first.focus()
    assert page.locator(".hit.lit").count() == 1 + (ranks(page, "right")[0] in left)
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement === document.querySelectorAll('.right .hit')[1]")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.closest('.column').className.includes('left')")


def test_ranks_and_place_move_as_a_word_is_changed(page: Page, board: lab.Playground) -> None:
    opened(board, page)
    compared(page)
    asked = record(page)
    before = ranks(page, "left")
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
    questions = [do["text"] for do in asked() if do["name"] == "edit"]
    assert questions[-1] == text and len(questions) <= 2 + 4 * (time.monotonic() - begun), "at most four a second"
    assert page.evaluate(f"{way}.length") > 1, "a trail from where it was"
    places = page.evaluate(
        f"{ROOT}.page.clouds.map((cloud) => [cloud.way[0], [...cloud.own.slice(4, 6)], cloud.way.at(-1)])"
    )
    for place, (start, own, end) in enumerate(places):
        assert start == own and end == board._update({})["answer"]["sides"][place]["at"]
    now = ranks(page, "left")
    assert now != before and now == [
        board.search.texts()[row] for row in board._update({})["answer"]["columns"][0]["rows"]
    ]
    assert "was " in " ".join(page.locator(".left .mark").all_text_contents())
    until(page, f"Math.max(...{ENDS}) <= 1")  # hits glide to their ranks; each line begins and ends at its hit
    assert page.locator(".matrix-0 .changed").count() > 0 and page.locator(".moves tr").count() == 7
    page.keyboard.press("Escape")
    until(page, "document.querySelector('.asked').textContent === '“the dog sat”'")
    assert page.locator(".line").nth(2).input_value() == OWN[2] and page.locator(".matrix-0 .changed").count() == 0


def record(page: Page) -> Any:
    """From now on, the commands of the page."""
    page.evaluate(f"""() => {{
        window.done = []; const channel = {ROOT}.page.channel, ask = channel.ask.bind(channel);
        channel.ask = (command, buffers) => {{ if (command) window.done.push(command); return ask(command, buffers); }};
    }}""")
    return lambda: page.evaluate("window.done")


def test_matrix_and_cloud_are_read_by_keys(page: Page, board: lab.Playground) -> None:
    opened(board, page)
    compared(page)
    page.locator(".matrix-0").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    told = str(page.locator(".matrices .reading").text_content())
    assert board._compared is not None
    grid = board._compared.cosines()
    name, cosines = next(iter(grid.items()))
    assert told.startswith(f"{name}: {cosines[1, 1]:.3f}") and f"2 {OWN[1]} · 2 {OWN[1]}" in told
    shown = page.locator(".matrix-0 g text").all_text_contents()
    assert len(shown) == 16 and shown[1] == f"{cosines[0, 1]:.2f}".replace("-", "−").replace("0.", ".")
    page.locator(".cloud canvas").first.focus()
    page.keyboard.press("ArrowRight")
    until(page, "!/Point|…/.test(document.querySelector('.cloud .reading').textContent)")
    assert page.locator(".cloud .reading").first.text_content() in [*CORPUS, LONG]


def test_lines_are_added_pasted_and_removed_by_keys(page: Page, board: lab.Playground) -> None:
    opened(board, page)
    until(page, "document.querySelectorAll('.line').length === 4")
    page.locator(".line").nth(3).click()
    page.keyboard.press("Enter")
    page.keyboard.type("the far cat")
    page.keyboard.press("Enter")
    page.keyboard.press("Backspace")
    assert page.evaluate("document.activeElement.value") == "the far cat"
    page.evaluate("""() => {
        const data = new DataTransfer(); data.setData("text", "one more\\n\\nand another");
        document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true }));
    }""")
    typed = [*OWN, "the far cat", "one more", "and another"]
    page.keyboard.press("Control+Enter")
    until(page, "document.querySelector('.state').textContent.startsWith('7 sentences')")
    assert board.texts() == typed
    assert page.locator(".matrix-0 g").count() == 49


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (848, "dark"), (420, "light")])
def test_it_fits_and_is_readable(page: Page, board: lab.Playground, theme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 720 if width > 1000 else 600 if width > 500 else 900})
    opened(board, page, theme)
    compared(page)
    type_into(page, 2, "the dog saturday")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == [] and len(page.evaluate(SIZES)) <= 3
    beside = page.evaluate("""() => { const [a, b] = [...document.querySelectorAll('.column')].map(
        part => part.getBoundingClientRect()); return a.right <= b.left; }""")
    assert beside == (width > 500), "stacked where it is narrow"
    if width > 500:  # from a cell of JupyterLab on a small screen on; a field for a folder takes 40
        last = page.locator(".left .hit").last.bounding_box()
        assert last is not None and last["y"] + last["height"] <= 632 + 40, "all hits are in sight"


def test_what_is_computed_is_said_and_can_be_stopped(
    page: Page, board: lab.Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus_module, "AT_ONCE", 3)
    monkeypatch.setattr(sys.modules["clwork.lab.playground.playground"], "FIRST", 6)
    resumed, real = threading.Event(), corpus_module.CorpusSearch._report

    def held(self: Any, side: Any, done: int, *more: Any) -> None:
        real(self, side, done, *more)
        if done == 12:
            assert resumed.wait(60)

    monkeypatch.setattr(corpus_module.CorpusSearch, "_report", held)
    opened(board, page)
    page.locator(".go").click()
    until(page, "document.querySelector('.far').textContent.startsWith('12 of 82 sentences of the corpus encoded')")
    assert page.locator(".bar").get_attribute("aria-valuenow") == str(round(1200 / 82))
    assert page.locator(".go").text_content() == "Stop" and page.locator(".left .hit").count() == 6
    assert page.locator(".matrix").count() == 2, "what is there is shown"
    page.locator(".go").click()
    wait_for(page, lambda: board.search.stopped)
    resumed.set()
    until(page, "document.querySelector('.state').textContent.includes('Stopped: neighbours are sought among')")
    assert page.locator(".go").text_content() == "Compare" and page.locator(".far").text_content() == ""
    assert str(page.locator(".left h4").text_content()).endswith("of 15 sentences")
    compared(page)
    assert str(page.locator(".left h4").text_content()).endswith("of 82 sentences")


def test_a_reloaded_page_shows_what_there_is_and_a_second_one_follows(page: Page, board: lab.Playground) -> None:
    kernel = opened(board, page)
    compared(page)
    page.locator(".line").first.fill("the cat saturday")
    until(page, "document.querySelector('.asked').textContent.startsWith('“the cat saturday”')")
    wait_for(page, lambda: board._typed[0] == "the cat saturday")
    kernel.open()
    until(page, "document.querySelectorAll('.left .hit').length === 10")
    assert page.locator(".line").first.input_value() == "the cat saturday" and page.locator(".matrix").count() == 2
    until(page, "document.querySelector('.asked').textContent.startsWith('“the cat saturday”, which was')")
    board._set_sentences(["a dog", "the mat"], "another page")
    until(page, "document.querySelectorAll('.line').length === 2")
