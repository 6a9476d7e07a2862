"""What only the page can know: that its kernel has gone, or says nothing any more. No Jupyter is needed for that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import clwork.lab

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCRIPT = Path(clwork.lab.__file__).parent / "panel" / "pulse.js"
PAGE = """<!doctype html><meta charset="utf-8"><div class="clwork-panel"><div id="el"></div>
<div class="clwork-knobs"><div class="clwork-knob"><label class="widget-label">temperature τ</label>
<input type="text" value="0.05">
<div class="clwork-base-10"><div role="slider" tabindex="0" aria-valuenow="-1.3" aria-valuetext="-1.30103"></div></div>
</div></div></div>"""
START = """async (source) => {
  const heard = {};
  const state = { count: 0, at_work: false, folder: "" };
  globalThis.beat = {
    comm_live: true, get: (name) => state[name], off: () => {},
    on: (names, act) => names.split(" ").forEach((name) => (heard[name] = act)),
    tell: (name, value) => { state[name] = value; heard[`change:${name}`](); },
    put: (name, value) => { state[name] = value; },
    die: () => { globalThis.beat.comm_live = false; heard.comm_live_update(); },
  };
  const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const model = { get: () => "IPY_MODEL_beat", widget_manager: { get_model: async () => globalThis.beat } };
  globalThis.stop = module.default.render({ model, el: document.getElementById("el") });
}"""
TOLD = "() => document.querySelector('.clwork-pulse').textContent"


@pytest.fixture
def page(browser: Browser) -> Iterator[Any]:
    opened = browser.new_page()
    opened.set_content(PAGE)
    opened.clock.install()
    opened.evaluate(START, SCRIPT.read_text(encoding="utf-8"))
    yield opened
    opened.close()


@pytest.mark.browser
def test_silence_at_work_is_told_and_taken_back(page: Any) -> None:
    page.clock.run_for(200_000)
    assert page.evaluate(TOLD) == "", "at rest a kernel may be silent"
    page.evaluate("() => { beat.tell('at_work', true); beat.tell('count', 1); }")
    page.clock.run_for(50_000)
    assert page.evaluate(TOLD) == ""
    page.clock.run_for(20_000)
    assert "No word from the kernel since" in page.evaluate(TOLD)
    page.evaluate("() => beat.tell('count', 2)")
    assert page.evaluate(TOLD) == "" and page.locator(".clwork-silent").count() == 0


@pytest.mark.browser
def test_a_dead_kernel_is_told_for_good(page: Any) -> None:
    page.evaluate("() => { beat.tell('at_work', true); beat.die(); }")
    assert "restarted or shut down" in page.evaluate(TOLD) and page.locator(".clwork-gone").count() == 1
    page.clock.run_for(100_000)
    assert "restarted or shut down" in page.evaluate(TOLD)
    page.evaluate("() => stop()")


@pytest.mark.browser
def test_a_dead_kernels_run_is_named_by_its_folder_and_how_to_open_it(page: Any) -> None:
    page.evaluate("() => { beat.tell('at_work', true); beat.tell('count', 1); beat.die(); }")
    assert "clwork" not in page.evaluate(TOLD), "before a run there is none to open"
    page.evaluate("() => { beat.put('folder', '/shelf/a b/clwork-runs/simcse-003'); beat.die(); }")
    assert 'lab.panel(run=clwork.open_run("/shelf/a b/clwork-runs/simcse-003")) shows it' in page.evaluate(TOLD)
    assert 'clwork.resume("/shelf/a b/clwork-runs/simcse-003") goes on with it' in page.evaluate(TOLD)
    page.evaluate("() => { beat.put('at_work', false); beat.die(); }")
    assert "clwork.resume" not in page.evaluate(TOLD), "it had come to its end"


@pytest.mark.browser
def test_a_handle_says_its_knobs_name_and_value_not_the_logarithm(page: Any) -> None:
    handle = page.locator("[role=slider]")
    assert handle.get_attribute("aria-label") == "temperature τ" and handle.get_attribute("aria-valuetext") == "0.05"
    move = """() => {
      const handle = document.querySelector('[role=slider]');
      handle.setAttribute('aria-valuetext', '-1');  // as noUiSlider does, whose numbers are exponents
      handle.setAttribute('aria-valuenow', '-1.0');
    }"""
    handle.focus()
    page.evaluate(move)
    assert handle.get_attribute("aria-valuetext") == "0.1" and page.locator("input").input_value() == "0.1"
