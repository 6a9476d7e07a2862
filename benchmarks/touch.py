"""What a reader waits for: the first touch, the mark of a moved control, the sphere's pictures.

``python benchmarks/touch.py`` serves the notebooks as ``make lab`` does, then, in Chromium:

- opens notebook 00 several times, each time in a fresh browser, and presses *Play* as soon as it is
  there; nothing is run, for the notebook is saved with its first output;
- plays the sphere lab at 256 points for some seconds and counts the pictures;
- runs notebook 00, starts the panel's run, and moves the temperature several times: from the key to
  its mark on the curve, while the kernel's messages are counted;
- opens each page that ``make site`` has made, from the disk and without a network, scrolls to its
  first live part and touches it, and weighs the page with all its frames.

``--only-pages`` does the last alone, and keeps what was measured before of the rest.
It writes ``benchmarks/results/touch.json`` and its sentences in docs/measured.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork.lab import sphere
from scripts import first_output, lab, readme
from scripts.blocks.speed import touch_of
from tests.browser.jupyterlab import (
    open_and_run,
    scroll_to_panel,
    until,
    wait_until_all_have_run,
)
from tests.browser.panels import MARKS, PANEL, POINTS, STATE
from tests.conftest import find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Page

NAME = "touch"
FRAME = "iframe.clwork-page"
# Points of the sphere lab, and the seconds that it plays.
DOTS = 256
PLAYED = 5.0
COUNT = """(seconds) => new Promise((done) => {
    const began = performance.now();
    let frames = 0;
    const tick = (now) => {
        if (now - began >= 1000 * seconds) return done(frames / seconds);
        frames++;
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
})"""
HANDLE = ".clwork-knob[data-name=temperature] input"
LOADED = re.compile(
    r'<(?:iframe|img|script)\b[^>]*?\ssrc="([^"]+)"'
    r'|<link\b[^>]*?rel="stylesheet"[^>]*?href="([^"]+)"'
)
TOUCHED = "input[type=range]:visible, button:visible"
CHANGED = "before => document.getElementById('clwork').innerHTML !== before"
SITE = lab.ROOT / "dist" / "site"


class Traffic:
    """Counts the bytes that the kernel sends to the page."""

    def __init__(self, page: Page) -> None:
        self.bytes = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._count))

    def _count(self, payload: Any) -> None:
        is_plain = isinstance(payload, str | bytes)
        self.bytes += len(payload if is_plain else payload.get("payload", ""))


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = report.parser(__doc__)
    parser.add_argument(
        "--rounds", type=int, default=5, help="how often the page is opened, and the control moved"
    )
    parser.add_argument(
        "--site", type=Path, default=SITE, metavar="FOLDER", help="pages that make site has made"
    )
    parser.add_argument("--only-pages", action="store_true", help="measure the pages alone")
    return parser.parse_args(arguments)


@contextmanager
def fresh_page(offline: bool = False) -> Iterator[Page]:
    """A page of 1280 by 720 pixels in its own browser."""
    from playwright.sync_api import sync_playwright

    program = find_browser()
    assert program is not None, "no Chrome or Chromium on this machine"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720}, offline=offline)
        page.set_default_timeout(120_000)
        yield page
        browser.close()


@contextmanager
def served() -> Iterator[str]:
    """The address of the first notebook, served from its own home."""
    with TemporaryDirectory() as folder:
        for kind in ("CONFIG", "DATA", "RUNTIME"):
            os.environ[f"JUPYTER_{kind}_DIR"] = str(Path(folder) / kind)
        os.environ["JUPYTERLAB_WORKSPACES_DIR"] = str(Path(folder) / "workspaces")
        os.environ["CLWORK_RUNS"] = str(Path(folder) / "runs")
        assert first_output.sign(), (
            "notebook 00 is not as it is made: python scripts/first_output.py"
        )
        options = lab.command(lab.choose_port(""), browser=False)
        server = subprocess.Popen(options, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            address = lab.wait_for_address(server)
            assert address is not None, "JupyterLab did not come up"
            yield address
        finally:
            server.terminate()
            server.wait()


def first_touch(address: str) -> dict[str, float]:
    """Seconds until the lab's button could be pressed, and until the lab answered."""
    with fresh_page() as page:
        began = time.monotonic()
        page.goto(address, wait_until="commit")
        frame = page.frame_locator(FRAME).first
        play = frame.get_by_role("button", name="Play")
        play.wait_for()
        there = time.monotonic()
        play.click()
        frame.get_by_text(re.compile("^step [1-9]")).wait_for()
        answered = time.monotonic()
    return {"there": round(there - began, 2), "answered": round(answered - began, 2)}


def pictures_a_second() -> float:
    """Of the sphere lab while it plays."""
    with TemporaryDirectory() as folder, fresh_page() as page:
        file = Path(folder) / "sphere.html"
        file.write_text(sphere(points=DOTS).html(), encoding="utf-8")
        page.goto(file.as_uri())
        page.get_by_role("button", name="Play").click()
        return round(float(page.evaluate(COUNT, PLAYED)), 1)


def marks(address: str, rounds: int) -> dict[str, Any]:
    """Seconds from a key on the control to another mark on the curve, and kB a second."""
    with fresh_page() as page:
        traffic = Traffic(page)
        open_and_run(page, address)
        wait_until_all_have_run(page)
        scroll_to_panel(page).click()
        panel = page.locator(PANEL).first
        until(panel, POINTS, lambda count: count > 3)
        bytes_before = traffic.bytes
        began = time.monotonic()
        waited = []
        for _ in range(rounds):
            panel.locator(HANDLE).focus()
            before = panel.evaluate(MARKS)
            pressed = time.monotonic()
            page.keyboard.press("ArrowUp")
            while panel.evaluate(MARKS) == before:
                page.wait_for_timeout(10)
            waited.append(round(time.monotonic() - pressed, 2))
            page.wait_for_timeout(2000)
        rate = (traffic.bytes - bytes_before) / (time.monotonic() - began) / 1000
        panel.locator(".clwork-stop").click()
        until(panel, STATE, lambda text: re.search("stopped|finished", text))
    return {"marked": waited, "kilobytes": round(rate, 1)}


def measure(rounds: int) -> dict[str, Any]:
    """All of it, one after the other."""
    notebook = lab.ROOT / lab.NOTEBOOK
    saved = notebook.read_bytes()
    with served() as address:
        try:
            touched = [first_touch(in_workspace(address, number)) for number in range(rounds)]
            print(f"first touch: {touched}", flush=True)
            frames = statistics.median(pictures_a_second() for _ in range(3))
            print(f"pictures a second: {frames}", flush=True)
            panel = marks(in_workspace(address, rounds), rounds)
            print(f"control to mark: {panel}", flush=True)
        finally:
            # JupyterLab saves the notebook by itself.
            notebook.write_bytes(saved)
    return {
        "rounds": touched,
        "frames": frames,
        "points": DOTS,
        **panel,
        "machine": report.machine(),
    }


def live_pages(site: Path) -> list[Path]:
    """The pages of a site that have live parts in frames."""
    pages = [site / "contents.html", *sorted((site / "notebooks").rglob("*.html"))]
    return [
        page
        for page in pages
        if page.is_file() and 'class="clwork-page' in page.read_text(encoding="utf-8")
    ]


def weight(page: Path) -> dict[str, int]:
    """Bytes of a page, of its frames, and of the scripts and styles that it shares with others.

    >>> LOADED.findall('<iframe loading="lazy" src="frames/a.html"></iframe><img src="data:x">')
    [('frames/a.html', ''), ('data:x', '')]
    """
    names = {first or second for first, second in LOADED.findall(page.read_text(encoding="utf-8"))}
    files = {
        (page.parent / name.partition("?")[0]).resolve()
        for name in names
        if not name.startswith("data:")
    }
    sizes = {file: file.stat().st_size for file in files if file.is_file()}
    frames = sum(size for file, size in sizes.items() if file.suffix == ".html")
    return {"page": page.stat().st_size, "frames": frames, "shared": sum(sizes.values()) - frames}


def first_answer(address: str) -> float:
    """Seconds from opening a page, without a network, until its first live part has answered."""
    with fresh_page(offline=True) as page:
        began = time.monotonic()
        page.goto(address, wait_until="commit")
        touch(page)
        return round(time.monotonic() - began, 2)


def touch(page: Page) -> None:
    """Scroll to the first live part, operate it, and wait until it shows something else."""
    first_part = page.locator(FRAME).first
    first_part.wait_for(state="attached")
    first_part.scroll_into_view_if_needed()
    handle = page.frame_locator(f"{FRAME} >> nth=0").locator(TOUCHED).first
    handle.wait_for()
    inside = first_part.element_handle().content_frame()
    assert inside is not None
    before = inside.evaluate("document.getElementById('clwork').innerHTML")
    for key in ("End", "Home"):
        if handle.evaluate("part => part.tagName") == "BUTTON":
            handle.click()
        else:
            handle.press(key)
        if _changed(inside, before):
            return
    inside.wait_for_function(CHANGED, arg=before)


def _changed(inside: Frame, before: str) -> bool:
    """Whether a part shows something else within a second."""
    end = time.monotonic() + 1
    while time.monotonic() < end:
        if inside.evaluate(CHANGED, before):
            return True
        time.sleep(0.01)
    return False


def of_pages(site: Path, rounds: int) -> dict[str, Any]:
    """Each live page of a site: its bytes, and seconds until it answers; empty without a site."""
    site = site.resolve()
    pages: dict[str, Any] = {}
    for page in live_pages(site):
        name = page.relative_to(site).with_suffix("").as_posix()
        pages[name] = {
            "bytes": weight(page),
            "seconds": [first_answer(page.as_uri()) for _ in range(rounds)],
        }
        print(f"{name}: {pages[name]}", flush=True)
    if not pages:
        print(f"no pages lie in {site}: make site makes them", flush=True)
        return {}
    return {"pages": pages, "pages_machine": report.machine()}


def in_workspace(address: str, number: int) -> str:
    """A page that remembers nothing of the one before."""
    return address.replace("/lab/tree/", f"/lab/workspaces/w{number}/tree/")


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    earlier = options.results / f"{NAME}.json"
    if options.only_pages:
        found = json.loads(earlier.read_text(encoding="utf-8")) if earlier.exists() else {}
    else:
        found = measure(options.rounds)
    found |= of_pages(options.site, options.rounds)
    report.write(NAME, found, options.results)
    print(touch_of(found))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
