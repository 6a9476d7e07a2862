"""The page in which SimCSE trains: start, steps, a moved control, pause, typed sentences, save."""

from __future__ import annotations

import functools
import http.server
import re
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import clwork
from clwork import lab
from scripts.site.start import write_front

from .panel_stub import ROOT, until, until_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
FRONT = "document.querySelector('.clwork-front').front"
RUN = f"{FRONT}.kernel.run"
UNRELATED = ".front-example:last-child span"
# a small batch, so that steps are short on a busy machine
ADDRESS = "#training=batch_size%3D8%26steps%3D40"
LONG = "#training=batch_size%3D8%26steps%3D1000"
# Headless Chromium hides and freezes no tab, so the page gets what a hidden tab has: no frames, and
# at most one timer a second.
HIDING = """
globalThis.hide = (hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
};
const [frame, timer] = [requestAnimationFrame, setTimeout];
globalThis.requestAnimationFrame = (draw) =>
    frame((now) => (document.hidden ? requestAnimationFrame(draw) : draw(now)));
globalThis.setTimeout = (call, after, ...more) =>
    timer(call, document.hidden ? Math.max(1000, after) : after, ...more);
"""
# Measures the longest time, in milliseconds, for which no script ran.
LONGEST_GAP = """() => {
    globalThis.longest = 0;
    let last = performance.now();
    setInterval(() => {
        globalThis.longest = Math.max(globalThis.longest, performance.now() - last);
        last = performance.now();
    }, 50);
}"""
# seconds; the panel reports a kernel that has been silent for 4
ASLEEP = 6
# While `refuses` is true, a new worker has no more than 32 MB for WebAssembly.
LITTLE_MEMORY = """
globalThis.refuses = true;
const RealWorker = Worker;
const limit = `
    const grow = WebAssembly.Memory.prototype.grow;
    WebAssembly.Memory.prototype.grow = function (pages) {
        if (this.buffer.byteLength / 65536 + pages > 512)
            throw new RangeError("WebAssembly.Memory.grow(): Maximum memory size exceeded");
        return grow.call(this, pages);
    };`;
globalThis.Worker = class extends RealWorker {
    constructor(url) {
        const request = new XMLHttpRequest();
        request.open("GET", url, false);
        request.send();
        const parts = [globalThis.refuses ? limit : "", request.responseText];
        super(URL.createObjectURL(new Blob(parts, { type: "text/javascript" })));
    }
};
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server without a log."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a folder with the front page alone."""
    folder = tmp_path_factory.mktemp("front")
    write_front(folder)
    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()


@pytest.fixture
def front(browser: Browser) -> Iterator[Page]:
    """A page on which an error fails the test."""
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console", lambda message: wrong.append(message.text) if message.type == "error" else None
    )
    yield page
    page.close()
    assert not wrong


def shown(page: Page) -> Any:
    return np.array(page.evaluate(f"{ROOT}.positions()")).reshape(-1, 2)


def begin(page: Page, site: str) -> None:
    """Open the page, start a run, and wait for two steps."""
    page.goto(f"{site}{LONG}")
    until(page, f"{ROOT}.records[0].probes.length")
    page.locator(".clwork-start").click()
    until(page, f"{RUN} && {RUN}.step >= 2")


def until_two_more_steps(page: Page) -> None:
    step = page.evaluate(f"{RUN}.step")
    until(page, f"{RUN}.step >= {step + 2}")
    # the panel has drawn them, and reports no silent kernel
    until(page, f"{ROOT}.records[0].last >= {step + 2}")
    until_text(page, ".state-text", re.compile("is training"))


def test_before_the_start_the_recorded_run_plays_again_and_again(front: Page, site: str) -> None:
    front.goto(site)
    until(front, f"{ROOT}.clock.playing")
    assert front.locator(".clwork-own").is_visible()
    assert front.evaluate("document.documentElement.scrollWidth <= innerWidth")
    front.evaluate(f"{ROOT}.clock.jump({ROOT}.time.last)")
    until(front, f"{ROOT}.clock.playing && {ROOT}.clock.t < 5", patience=20)
    until_text(front, ".front-gap output", "10°")
    assert "recorded at τ = 0.05" in front.locator(".front-gap small").inner_text()
    front.evaluate(f"{ROOT}.clock.jump({ROOT}.time.last)")
    until_text(front, UNRELATED, "42° unrelated")
    front.evaluate(f"{ROOT}.clock.jump(0)")
    until_text(front, UNRELATED, "11° unrelated")
    assert front.locator("#clwork-below li").count() == 5
    assert front.locator("#clwork-below a[href^=notebooks]").count() == 0, "none was made"


def test_start_steps_a_moved_control_pause_a_typed_sentence_and_save(
    front: Page, site: str, tmp_path: Path
) -> None:
    front.goto(f"{site}{ADDRESS}")
    until(front, f"{ROOT}.records[0].probes.length")
    front.locator(".clwork-start").click()
    until(front, f"{RUN} && {RUN}.step >= 3")
    until(front, f"{ROOT}.records[0].id === 'run 1' && {ROOT}.records[0].probes.length >= 2")
    front.evaluate(f"{ROOT}.clock.jump(0)")
    front.evaluate(f"{ROOT}.moved()")
    before = shown(front)
    until_text(front, ".front-example:first-child span", "step 0")
    front.evaluate(f"{ROOT}.toNow()")
    until_text(front, ".front-example:first-child span", re.compile("step [1-9]"))
    until(front, f"!{ROOT}.clock.goal")
    assert np.abs(shown(front) - before).max() > 0.01, "the cloud has moved"
    # τ by its number, as a reader types it
    front.locator(".knobs [data-name=temperature] input").fill("0.1")
    front.keyboard.press("Enter")
    until(front, f"{RUN}.rows.some((row) => row.event === 'temperature → 0.1')")
    front.locator(".clwork-start").click()
    until_text(front, ".clwork-start", "Resume")
    front.locator(".clwork-own").fill("a violin concerto")
    front.keyboard.press("Enter")
    until(front, "document.querySelectorAll('.front-found li').length === 3")
    until(front, f"{ROOT}.own[0] && {ROOT}.own[0].at")
    with front.expect_download() as saving:
        front.get_by_role("button", name="Save", exact=True).click()
    with zipfile.ZipFile(saving.value.path()) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path / "encoder")
    encoder = clwork.load_encoder(tmp_path / "encoder")
    [vector] = encoder.encode(["a violin concerto"])
    in_page = front.evaluate(f"[...{RUN}.encoded.get('a violin concerto').vector]")
    # the file has half precision
    assert float(np.dot(vector / np.linalg.norm(vector), in_page)) > 0.9999
    untrained = clwork.load_encoder("mini", pooling="cls_before_pooler").encode(
        ["a violin concerto"]
    )
    assert float(np.dot(untrained[0] / np.linalg.norm(untrained[0]), in_page)) < 0.9999
    assert "temperature%3D0.1" in front.url, "the address has the settings"
    # a reload ends the run, and the page says so
    front.reload()
    until(front, "document.querySelector('.clwork-front')")
    until_text(front, ".state-text", re.compile("reloaded, which ended a run at step"))


def test_one_file_trains_on_own_sentences_from_a_disk(
    browser: Browser, front: Page, tmp_path: Path
) -> None:
    path = lab.save_training_page(tmp_path / "simcse.html")
    front.goto(path.as_uri())
    front.get_by_role("button", name="Your sentences").click()
    lines = [f"This is sentence {number} of a small text." for number in range(12)]
    front.locator(".entry-text").fill("\n".join(lines))
    front.keyboard.press("Escape")
    until_text(front, ".clwork-start", "Resume")
    until(front, f"{ROOT}.records[0].texts.length === 12")
    front.keyboard.press(".")
    until(front, f"{RUN}.step === 1 && {RUN}.status === 'paused'")
    front.keyboard.press("Escape")
    front.locator(".clwork-stop").click()
    until_text(front, ".clwork-start", "Start")


def test_a_sheet_that_is_closed_without_own_sentences_leaves_wikipedia(
    front: Page, site: str
) -> None:
    front.goto(site)
    until(front, f"{ROOT}.records[0].probes.length")
    for way in ("button", "chip"):
        if way == "button":
            front.get_by_role("button", name="Your sentences").click()
        else:
            front.locator(".clwork-setup").click()
            front.locator(".clwork-corpus").select_option("own text")
        until_text(front, ".clwork-setup", "own text … · mini")
        front.keyboard.press("Escape")
        until_text(front, ".clwork-setup", "Wikipedia · mini")


def test_a_button_measures_the_speed_of_each_backend(front: Page, site: str) -> None:
    front.goto(f"{site}{ADDRESS}")
    until(front, f"{ROOT}.records[0].probes.length")
    front.get_by_role("button", name="Measure the speed here").click()
    told = r"WebAssembly: \d+\.\d\d s\. WebGPU: this browser offers no webgpu\. A step of 8 "
    until_text(front, ".front-speed span", re.compile(told))
    assert front.get_by_role("button", name="Measure the speed here").is_enabled()


def test_a_run_continues_in_a_background_tab_and_after_sleep(front: Page, site: str) -> None:
    front.add_init_script(HIDING)
    begin(front, site)
    front.evaluate("hide(true)")
    step = front.evaluate(f"{RUN}.step")
    until(front, f"{RUN}.step >= {step + 3}")
    front.evaluate("hide(false)")
    until_two_more_steps(front)

    front.evaluate(LONGEST_GAP)
    session = front.context.new_cdp_session(front)
    session.send("Debugger.enable")
    session.send("Debugger.pause")
    time.sleep(ASLEEP)
    session.send("Debugger.resume")
    session.send("Debugger.disable")
    until(front, f"longest > {900 * ASLEEP}")
    until_two_more_steps(front)


def test_refused_memory_is_reported_and_start_is_offered_again(browser: Browser, site: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.add_init_script(LITTLE_MEMORY)
    page.goto(f"{site}{ADDRESS}")
    until(page, f"{ROOT}.records[0].probes.length")
    page.locator(".clwork-start").click()
    sentence = "The browser has too little memory for this batch: set a smaller batch size"
    until_text(page, ".state-text", re.compile(sentence))
    until_text(page, ".clwork-start", "Start")
    page.evaluate("globalThis.refuses = false")
    page.locator(".clwork-start").click()
    until(page, f"{RUN}.status === 'running' && {RUN}.step >= 1")
    page.close()


def test_two_tabs_train_at_once_and_a_reload_ends_only_its_own_run(
    browser: Browser, site: str
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    first, second = context.new_page(), context.new_page()
    begin(first, site)
    begin(second, site)
    until_two_more_steps(first)
    first.reload()
    until(first, "document.querySelector('.clwork-front')")
    until_text(first, ".state-text", re.compile(r"ended a run at step \d+. Press Start"))
    until_two_more_steps(second)
    first.locator(".clwork-start").click()
    until(first, f"{RUN} && {RUN}.step >= 1")
    until_two_more_steps(second)
    context.close()
