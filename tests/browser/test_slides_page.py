"""Slides turn by the arrow keys, and what they show fits a window of 1280 × 720."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from clwork import lab
from clwork.lab.page.markup import mathml
from scripts.site.outputs import framed
from scripts.site.pictures import STYLE, WHOLE
from scripts.site.slides import slides

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
WIDTH, HEIGHT = 1280, 720
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="700" height="450" viewBox="0 0 700 450">'
    '<rect width="700" height="450" fill="teal"/></svg>'
)


def markdown(text: str) -> dict[str, object]:
    return {"cell_type": "markdown", "source": [text]}


def output(html: str) -> dict[str, object]:
    return {"cell_type": "code", "source": [], "outputs": [{"data": {"text/html": [html]}}]}


READ = markdown("**The first of them leads by a point.**")


def test_questions_figures_and_findings_have_slides() -> None:
    """A figure without a title has that of its cell, or else the heading before it."""
    figure = '<img alt="figure" src="" class="clwork-light"/>'
    named = '<img alt="Who leads?" src="" class="clwork-light"/>'
    titled = output(figure) | {"source": ["#@title Scores of $n$ seeds (open it last)\n", "show()"]}
    table = "<table><tr><td>1</td></tr></table>"
    shown = output(table) | {"source": ["#@title Three rows"]}
    told = output("<table><tr><td>A fox.</td></tr></table>") | {"source": ["#@title Words"]}
    asked = output(lab.predict("Which one?", ["this", "that"], "That .5 one. By 2.")._repr_html_())
    cells = [
        markdown("# A lesson\n\n| **You will learn** | who [wins](a.md) |\n| **Paper** | A (B) |"),
        markdown("## 1 Who is first?\n\nOne sentence."),
        output(figure),
        asked,
        titled,
        shown,
        told,
        output(table),
        output(named),
        markdown("Open it. **The first of them leads by [a point](a.md)**: so *they* say."),
        markdown("**What you can say now**\n\n- It was **that** one.\n- Seeds differ.\n\nMore."),
        output(""),
    ]
    page = slides({"cells": cells}, "../lesson.html")
    assert page.count("<section") == 8
    finding = "<p class='finding' hidden>The first of them leads by a point.</p>"
    assert f"<section>{named}{finding}</section>" in page
    assert "<div><strong>That .5 one.</strong> By 2." in page
    assert "<p>A (B)</p>" in page
    assert f"<section class='table'><h2>Three rows</h2><div>{table}</div>" in page
    assert "<section class='table words'><h2>Words</h2>" in page
    assert "<p>Learn who wins.</p>" in page
    assert "href='../lesson.html'" in page
    assert f"<h2>Who is first?</h2>{figure}" in page
    heading = '<h2>Who is first?</h2><div><div class="clwork-predict'
    assert f"<section class='question'>{heading}" in page
    assert f"<h2>Scores of {mathml('n')} seeds</h2>{figure}" in page
    assert "<li>It was that one.</li><li>Seeds differ.</li>" in page


def test_after_an_answer_a_key_turns_and_changes_no_answer(page: Page) -> None:
    asked = output(lab.predict("Which one?", ["this", "that"], "That one.")._repr_html_())
    cells = [markdown("# A lesson"), asked, asked, markdown("The end.")]
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.set_content(slides({"cells": cells}))
    page.keyboard.press("ArrowRight")
    first = page.locator("section.question").first
    first.locator("input").first.click()
    first.locator("summary").click()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"Math.round(scrollY) === {2 * HEIGHT}")
    assert first.locator("input").first.is_checked()
    page.keyboard.press("Shift+Space")
    page.wait_for_function(f"Math.round(scrollY) === {HEIGHT}")


@pytest.mark.parametrize("key", ["ArrowRight", "Enter"])
def test_a_digit_answers_and_the_next_key_opens_the_outcome(page: Page, key: str) -> None:
    asked = output(lab.predict("Which one?", ["this", "that"], "That one.")._repr_html_())
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.set_content(slides({"cells": [markdown("# A lesson"), asked, asked]}))
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"Math.round(scrollY) === {HEIGHT}")
    first = page.locator("section.question").first
    page.keyboard.press("2")
    assert first.locator("input").nth(1).is_checked()
    page.keyboard.press(key)
    assert first.get_by_text("That one.").is_visible()
    page.keyboard.press(key)
    page.wait_for_function(f"Math.round(scrollY) === {2 * HEIGHT}")


def test_a_key_shows_a_figure_whole_and_then_what_it_says(page: Page) -> None:
    address = f"data:image/svg+xml;base64,{base64.b64encode(DRAWING.encode()).decode()}"
    figure = f'<picture><img alt="{{}}" class="clwork-light" src="{address}" {STYLE}/></picture>'
    outcome = "That one. To see it, click *that* in the legend of the figure."
    asked = output(lab.predict("Which one?", ["this", "that"], outcome)._repr_html_())
    both = output(f"{figure.format('a part')}{WHOLE}{figure.format('all')}</details>")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.set_content(slides({"cells": [markdown("# A lesson"), asked, both, READ, asked]}))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"Math.round(scrollY) === {2 * HEIGHT}")
    part, whole, finding = (
        page.get_by_alt_text("a part"),
        page.get_by_alt_text("all"),
        page.locator(".finding"),
    )
    before = part.bounding_box()
    assert not whole.is_visible()
    page.keyboard.press("ArrowRight")
    assert whole.bounding_box() == before, "in the same place"
    assert not part.is_visible()
    assert not finding.is_visible()
    page.keyboard.press("ArrowRight")
    assert finding.is_visible()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"Math.round(scrollY) === {3 * HEIGHT}")


def test_an_outcome_stays_above_the_buttons_and_the_question_where_it_was(page: Page) -> None:
    long = "That one. " + 8 * "Each of the runs has another seed, and no two of them end alike. "
    asked = output(lab.predict(4 * "Which one is it? ", ["this", "that"], long)._repr_html_())
    page.set_content(slides({"cells": [markdown("# A lesson"), asked]}))
    for width, height in ((WIDTH, HEIGHT), (1920, 1080), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.querySelector('.question details').open = false")
        page.keyboard.press("End")
        page.keyboard.press("2")
        question = page.locator("legend")
        before = question.bounding_box()
        page.keyboard.press("ArrowRight")
        assert question.bounding_box() == before
        end = page.locator(".clwork-predict").bounding_box()
        buttons = page.locator("nav").bounding_box()
        assert end is not None
        assert buttons is not None
        assert end["y"] + end["height"] <= buttons["y"]
        size = "(node) => parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom"
        least = 18 if width >= WIDTH else 12
        assert page.locator(".question details > div").evaluate(size) >= least


def test_a_number_is_typed_without_a_click_and_the_next_key_opens_the_outcome(page: Page) -> None:
    asked = output(lab.predict("How many?", None, "Seven.")._repr_html_())
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.set_content(slides({"cells": [markdown("# A lesson"), asked, asked]}))
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"Math.round(scrollY) === {HEIGHT}")
    page.keyboard.press("7")
    field = page.locator("section input").first
    assert field.input_value() == "7"
    assert not page.get_by_text("Seven.").first.is_visible()
    page.keyboard.press("ArrowRight")
    assert page.get_by_text("Seven.").first.is_visible()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"Math.round(scrollY) === {2 * HEIGHT}")
    page.keyboard.press("Home")
    page.wait_for_function("Math.round(scrollY) === 0")
    # a button that a key presses keeps the focus; else the slide has it
    page.get_by_role("button", name="next slide").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.ariaLabel") == "next slide"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.className") == "title"


def test_arrow_keys_turn_the_slides_and_figures_fill_them(page: Page) -> None:
    address = base64.b64encode(DRAWING.encode()).decode()
    source = f'src="data:image/svg+xml;base64,{address}" {STYLE}'
    picture = "".join(
        f'<img alt="figure" class="clwork-{theme}" {source}/>' for theme in ("light", "dark")
    )
    cells = [
        markdown("# A lesson"),
        markdown("One sentence. The curve rises."),
        output(picture),
        markdown("**The curve rises until its end.** Play it."),
        output(lab.player("simcse")._repr_html_()),
    ]
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.set_content(slides({"cells": cells}))
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"Math.round(scrollY) === {HEIGHT}")
    finding = page.locator(".finding")
    assert not finding.is_visible()
    page.keyboard.press("ArrowRight")
    assert finding.is_visible(), "the first key shows what the figure says, and turns nothing"
    for key, shown in (("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowDown", 2), ("ArrowRight", 2)):
        page.keyboard.press(key)
        page.wait_for_function(f"Math.round(scrollY) === {shown * HEIGHT}")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"Math.round(scrollY) === {HEIGHT}")
    drawn = page.locator("img.clwork-light").bounding_box()
    assert drawn is not None
    assert drawn["height"] > 0.8 * HEIGHT
    page.emulate_media(color_scheme="dark")
    assert page.locator("img.clwork-dark").is_visible()
    assert not page.locator("img.clwork-light").is_visible()
    player = page.locator("iframe").bounding_box()
    assert player is not None
    assert player["y"] + player["height"] <= 2 * HEIGHT, "not cut"
    assert player["height"] > 0.8 * HEIGHT
    # a slide that is higher than the window is shown to its end before the next one
    page.evaluate("document.querySelector('section:nth-of-type(2) > h2').style.minHeight = '900px'")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.querySelector('section:nth-of-type(2)').scrollTop") > 100
    # a number says where one is, and after a click in a live part the buttons turn the slides
    assert page.locator("nav output").inner_text() == "2 / 3"
    page.get_by_role("button", name="next slide").click()
    page.get_by_role("button", name="next slide").click()
    page.wait_for_function(f"Math.round(scrollY) === {2 * HEIGHT}")
    stage = page.frames[1].wait_for_selector(".stage")
    assert stage is not None
    assert stage.evaluate("one => one.scrollHeight <= innerHeight")


def test_an_anatomy_fits_its_slide_and_passes_on_the_keys(page: Page, tmp_path: Path) -> None:
    anatomy = lab.anatomy("simcse", encoder="mini")
    body = framed(anatomy._recorded_page(), tmp_path / "frames", "frames")
    anatomy.close()
    deck = tmp_path / "deck.html"
    cells = [markdown("# A lesson"), output(body), markdown("## The end"), output(DRAWING)]
    deck.write_text(slides({"cells": cells}), encoding="utf-8")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(deck.as_uri())
    page.keyboard.press("ArrowRight")
    frame = page.frame_locator("iframe")
    for stage in ("sentences", "table", "pulls"):
        box = frame.locator(f".stage.{stage}").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= HEIGHT, f"{stage} is not cut"
    assert not frame.locator(".stage.nearest").is_visible()
    size = "(node) => parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom"
    assert frame.locator(".stage.pulls .text").first.evaluate(size) >= 16
    frame.get_by_role("button", name="Step", exact=True).click()
    frame.locator(".clwork-anatomy[data-step='1']").wait_for()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("Math.round(scrollY) === 0")
