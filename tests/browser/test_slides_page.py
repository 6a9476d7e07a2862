"""Slides turn by the arrow keys, and what they show fits a window of 1280 × 720."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from clwork import lab
from scripts.site.pictures import STYLE
from scripts.site.slides import slides

if TYPE_CHECKING:
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


def test_a_figure_has_the_title_of_its_cell() -> None:
    titled = output('<img class="clwork-light"/>') | {"source": ["#@title Scores\n", "show()"]}
    cells = [markdown("# A lesson"), markdown("One sentence. Repair it."), titled]
    assert "<p>Scores</p>" in slides({"cells": cells})


def test_arrow_keys_turn_the_slides_and_figures_fill_them(page: Page) -> None:
    address = base64.b64encode(DRAWING.encode()).decode()
    source = f'src="data:image/svg+xml;base64,{address}" {STYLE}'
    picture = "".join(f'<img class="clwork-{theme}" {source}/>' for theme in ("light", "dark"))
    cells = [
        markdown("# A lesson"),
        markdown("One sentence. The curve rises."),
        output(picture),
        markdown("Play it."),
        output(lab.player("simcse")._repr_html_()),
    ]
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.set_content(slides({"cells": cells}))
    for key, shown in (("ArrowRight", 1), ("ArrowDown", 2), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        page.wait_for_function(f"Math.round(scrollY) === {shown * HEIGHT}")
    drawn = page.locator("img.clwork-light").bounding_box()
    assert drawn is not None
    assert drawn["height"] > 0.8 * HEIGHT
    player = page.locator("iframe").bounding_box()
    assert player is not None
    assert player["y"] + player["height"] <= 2 * HEIGHT, "not cut"
    assert player["height"] > 0.8 * HEIGHT
    # a slide that is higher than the window is shown to its end before the next one
    page.evaluate("document.querySelector('section:nth-of-type(2) > p').style.minHeight = '900px'")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.querySelector('section:nth-of-type(2)').scrollTop") > 100
    stage = page.frames[1].wait_for_selector(".stage")
    assert stage is not None
    assert stage.evaluate("one => one.scrollHeight <= innerHeight")
