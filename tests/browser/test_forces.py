"""The force view in JupyterLab: formula typeset, another sentence chosen by keyboard, found by its words, no error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .test_instrument import set_theme
from .test_start_here import MINUTES, error_outputs, open_and_run, picture, serious

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

NOTEBOOK = "forces.ipynb"
SOURCES = (
    "import clwork\nfrom clwork import lab\ncorpus = clwork.data.sentences('wikipedia-mini')[:160]\n"
    "run = clwork.start('simcse', sentences=corpus, steps=3, batch_size=16).wait()",
    "lab.forces(run)",
)
BARS = """view => [...view.querySelectorAll('.js-plotly-plot')].flatMap(plot => plot._fullData || [])
    .filter(trace => trace.name === 'pulls').map(trace => [...trace.y].join('|')).join('|')"""
FORMULA = "view => view.querySelector('.clwork-formula').textContent"
LISTED = "view => view.querySelectorAll('.clwork-sentence option').length"
TYPESET = "view => view.querySelectorAll('.clwork-formula mjx-container').length"
INK = """view => {
    const shade = text => text.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
    const math = view.querySelector('.clwork-formula mjx-container'), label = view.querySelector('.ytick text');
    return [shade(getComputedStyle(math).color), shade(getComputedStyle(label).fill)];
}"""


# Left and right edge of the view, and of each picture in it.
EDGES = """view => {
    const sides = part => { const box = part.getBoundingClientRect(); return [box.left, box.right]; };
    return [...sides(view), [...view.querySelectorAll('.js-plotly-plot .main-svg:first-child')].map(sides)];
}"""


def uses_the_page(edges: list[Any]) -> bool:
    """No picture is cut, and together they are as wide as the view."""
    left, right, pictures = edges
    within = all(left - 1 <= one < other <= right + 1 for one, other in pictures)
    return len(pictures) == 3 and within and max(other for _, other in pictures) > right - 60


def test_a_sentence_is_chosen_and_its_forces_are_drawn(lab: Lab, page: Page) -> None:
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    open_and_run(page, lab.write(NOTEBOOK, *SOURCES))
    view = page.locator(".clwork-forces")
    view.wait_for(state="attached", timeout=5 * MINUTES)

    def until(script: str, wanted: Any) -> Any:
        for _ in range(4 * 60 * 2):
            if wanted(found := view.evaluate(script)):
                return found
            page.wait_for_timeout(500)
        raise AssertionError(f"waited in vain: {view.evaluate(script)!r}; {view.text_content()!r:.500}")

    bars = until(BARS, bool)
    until(TYPESET, lambda count: count >= 4)
    formula = until(FORMULA, bool)
    view.scroll_into_view_if_needed()
    picture(page, "forces_first")
    view.locator(".clwork-place .noUi-handle").focus()
    page.keyboard.press("ArrowRight")
    moved = until(BARS, lambda found: found and found != bars)
    until(FORMULA, lambda found: found and found != formula)
    until(TYPESET, lambda count: count >= 4)
    picture(page, "forces_second")
    options = view.locator(".clwork-sentence option")
    view.locator(".clwork-sentence select").select_option(index=4)
    until(BARS, lambda found: found and found != moved)
    view.locator(".clwork-matrix select").select_option("softmax weight")
    view.locator(".clwork-matrix").scroll_into_view_if_needed()
    page.wait_for_timeout(1500)
    picture(page, "forces_matrix")
    view.locator(".clwork-find input").fill(bars.removeprefix("1. ")[:20])
    assert until(LISTED, lambda count: count < 16) == options.count() == 1
    set_theme(page, "JupyterLab Dark")
    formula_ink, label_ink = until(INK, lambda inks: min(inks) > 150)
    assert formula_ink and label_ink, "ink that can be read on a dark page"
    view.scroll_into_view_if_needed()
    page.wait_for_timeout(1500)
    picture(page, "forces_dark")
    set_theme(page, "JupyterLab Light")
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        until(EDGES, uses_the_page)
    assert error_outputs(page) == []
    assert serious(broken) == []
