"""The linked pictures in a browser: touching a sentence in one marks it in all, and Python hears of a selection.

No Jupyter is needed for that: the page gets the widget's script, plotly.js and a model of a few lines.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from plotly.offline import get_plotlyjs

from clwork import lab

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGE = """<!doctype html><meta charset="utf-8"><div id="el"></div><script type="module">
import widget from "./widget.js";
const state = await (await fetch("./state.json")).json();
const listening = { on: () => {}, off: () => {} };
const others = {
  library: { get: () => state.source },
  figure: { get: () => state.live },
  feed: { get: (name) => state[name], ...listening },
};
globalThis.model = {
  get: (name) => (name in others ? `IPY_MODEL_${name}` : state[name]),
  set: (name, value) => { state[name] = value; },
  save_changes: () => { globalThis.saved = structuredClone(state.chosen); },
  ...listening,
  widget_manager: { get_model: async (name) => others[name] },
};
globalThis.stop = widget.render({ model: globalThis.model, el: document.getElementById("el") });
</script>"""


@pytest.fixture
def page(tmp_path: Path, browser: Browser) -> Any:
    import threading
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments: Any) -> None:
            pass

    random = np.random.default_rng(0)
    clouds = {"one": random.standard_normal((12, 4)), "two": random.standard_normal((12, 6))}
    kinds = ["even", "odd"] * 6
    widget = lab.linked(clouds, [f"sentence <b>{row}</b>" for row in range(12)], kinds, neighbours=2)
    names = ("data", "axes", "label", "texts", "names", "near", "kinds", "hint", "chosen")
    state = {name: getattr(widget, name) for name in names} | {"source": get_plotlyjs()}
    state["live"] = widget.figure.source
    (tmp_path / "state.json").write_text(json.dumps(state), encoding="utf-8")
    (tmp_path / "widget.js").write_text(str(widget._esm), encoding="utf-8")
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    opened = browser.new_page()
    opened.goto(f"http://127.0.0.1:{server.server_address[1]}/index.html")
    opened.wait_for_selector(".plot-container .point", state="attached", timeout=60_000)
    opened.wait_for_function("document.querySelector('.js-plotly-plot')?._ev?.listenerCount('plotly_click') > 0")
    yield opened
    opened.close()
    server.shutdown()


def place(page: Any, picture: int, row: int) -> tuple[float, float]:
    """Where a point lies on the screen."""
    found = page.evaluate(
        """([picture, row]) => {
          const box = document.querySelector('.js-plotly-plot'), all = box.querySelectorAll('.subplot');
          const point = all[picture].querySelectorAll('.scatterlayer .trace')[0].querySelectorAll('.point')[row];
          const r = point.getBoundingClientRect();
          return [r.x + r.width / 2, r.y + r.height / 2];
        }""",
        [picture, row],
    )
    return found[0], found[1]


MARKS = "() => document.querySelector('.js-plotly-plot').data.slice(2, 4).map((trace) => Array.from(trace.x))"


@pytest.mark.browser
def test_a_touched_sentence_is_marked_everywhere(page: Any) -> None:
    xs = page.evaluate("() => document.querySelector('.js-plotly-plot').data.slice(0, 2).map((t) => Array.from(t.x))")
    page.mouse.move(*place(page, 0, 5))
    page.wait_for_function(f"({MARKS})()[1].length === 1")
    first, second = page.evaluate(MARKS)
    row = xs[0].index(first[0])
    assert second == [xs[1][row]], "the mark in the other picture is on the same sentence"

    page.mouse.click(*place(page, 0, 5))
    page.wait_for_selector("table")
    told = page.inner_text("#el > div:last-child")
    assert f"sentence <b>{row}</b>" in told and told.count("sentence <b>") == 1 + 2 * 2, "texts are shown as they are"

    page.mouse.move(*place(page, 1, 0))
    box = page.locator(".js-plotly-plot").bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + 35)
    page.mouse.down()
    page.mouse.move(box["x"] + 272, box["y"] + 290, steps=5)
    page.mouse.up()
    page.wait_for_function("globalThis.saved?.length > 0")
    rows = page.evaluate(
        "() => document.querySelector('.js-plotly-plot').data.slice(0, 2).map((t) => t.selectedpoints)"
    )
    assert rows[0] == rows[1] == page.evaluate("() => globalThis.saved"), "both pictures and Python know one selection"
    assert "selected" in page.inner_text(".clwork-held")
    page.locator(".clwork-held button").click()
    page.wait_for_function(f"({SELECTED})().every((rows) => !rows) && globalThis.saved.length === 0")
    page.evaluate("() => globalThis.stop()")


SELECTED = "() => document.querySelector('.js-plotly-plot').data.slice(0, 2).map((one) => one.selectedpoints ?? null)"


@pytest.mark.browser
def test_the_legend_selects_and_lets_go(page: Any) -> None:
    entries = page.locator(".legendtoggle")
    assert entries.count() == 2
    entries.nth(1).click()  # plotly waits for a second click, which would be another wish
    page.wait_for_function("globalThis.saved?.length === 6", timeout=60_000)
    assert page.evaluate("() => globalThis.saved") == [1, 3, 5, 7, 9, 11]
    assert page.evaluate(SELECTED) == [[1, 3, 5, 7, 9, 11]] * 2
    assert "6 sentences are selected (odd)" in page.inner_text(".clwork-held")
    page.wait_for_timeout(600)  # else the two clicks are a double one
    entries.nth(1).click()
    page.wait_for_function("globalThis.saved.length === 0", timeout=60_000)
    assert page.evaluate(SELECTED) == [None, None] and page.inner_text(".clwork-held") == ""
    page.wait_for_timeout(600)
    entries.nth(0).click()
    page.wait_for_function("globalThis.saved.length === 6", timeout=60_000)
    page.locator(".clwork-held button").focus()
    page.keyboard.press("Escape")
    page.wait_for_function("globalThis.saved.length === 0", timeout=60_000)
