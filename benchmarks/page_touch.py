"""How large the pages of ``make site`` are with their frames, and how soon the first live part answers a touch."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Page

FRAME = "iframe.clwork-page"
LOADED = re.compile(r'<(?:iframe|img|script)\b[^>]*?\ssrc="([^"]+)"|<link\b[^>]*?rel="stylesheet"[^>]*?href="([^"]+)"')
TOUCHED = "input[type=range]:visible, button:visible"
CHANGED = "before => document.getElementById('clwork').innerHTML !== before"
HEIGHT = 720  # pixels of the window, 1280 wide


def live_pages(site: Path) -> list[Path]:
    """The pages of a site that have live parts in frames."""
    pages = [site / "index.html", *sorted((site / "notebooks").rglob("*.html"))]
    return [page for page in pages if page.is_file() and 'class="clwork-page' in page.read_text(encoding="utf-8")]


def weight(page: Path) -> dict[str, int]:
    """Bytes of a page, of its frames, and of the scripts and styles that it shares with others.

    >>> LOADED.findall('<iframe loading="lazy" src="frames/a.html"></iframe><img src="data:image/png;base64,x">')
    [('frames/a.html', ''), ('data:image/png;base64,x', '')]
    """
    names = {first or second for first, second in LOADED.findall(page.read_text(encoding="utf-8"))}
    files = {(page.parent / name.partition("?")[0]).resolve() for name in names if not name.startswith("data:")}
    sizes = {file: file.stat().st_size for file in files if file.is_file()}
    frames = sum(size for file, size in sizes.items() if file.suffix == ".html")
    return {"page": page.stat().st_size, "frames": frames, "shared": sum(sizes.values()) - frames}


def first_answer(browser: Browser, address: str) -> float:
    """Seconds from opening a page, without a network, until the first live part that is scrolled to has answered."""
    context = browser.new_context(viewport={"width": 1280, "height": HEIGHT}, offline=True)
    try:
        page = context.new_page()
        page.set_default_timeout(60_000)
        began = time.monotonic()
        page.goto(address, wait_until="commit")
        touch(page)
        return round(time.monotonic() - began, 2)
    finally:
        context.close()


def touch(page: Page) -> None:
    """Scroll to the first live part, move its slider or press its button, and wait until it shows something else."""
    place = page.locator(FRAME).first
    place.wait_for(state="attached")
    place.scroll_into_view_if_needed()
    handle = page.frame_locator(f"{FRAME} >> nth=0").locator(TOUCHED).first
    handle.wait_for()
    inside = place.element_handle().content_frame()
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


def measure(site: Path, program: str, rounds: int) -> dict[str, Any]:
    """Each live page of a site: its bytes, and seconds until it answers, in a fresh browser each time."""
    from playwright.sync_api import sync_playwright

    found: dict[str, Any] = {}
    for page in live_pages(site.resolve()):
        seconds = []
        for _ in range(rounds):
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
                seconds.append(first_answer(browser, page.as_uri()))
                browser.close()
        name = page.relative_to(site.resolve()).with_suffix("").as_posix()
        found[name] = {"bytes": weight(page), "seconds": seconds}
        print(f"{name}: {found[name]}", flush=True)
    return found
