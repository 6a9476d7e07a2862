"""From opening notebook 00 to the first answer: JupyterLab's page in Chromium, until the sphere lab moves when asked.

``python benchmarks/first_touch.py`` opens the page several times, each time in a fresh browser, presses *Play* as soon
as it is there, and writes ``benchmarks/results/first_touch.json`` and README's sentence. Nothing is run: the notebook
is saved with its first output. The server is up already, as it is when ``make lab`` prints its address.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from scripts import first_output, lab, readme
from scripts.step_block import first_touch_of

NAME = "first_touch"
FRAME = "iframe.clwork-page"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often the page is opened")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def opened(address: str, program: str) -> dict[str, float]:
    """Seconds until the lab's button could be pressed, and until the lab answered; in a browser of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(120_000)
        began = time.monotonic()
        page.goto(address, wait_until="commit")
        frame = page.frame_locator(FRAME).first
        play = frame.get_by_role("button", name="Play")
        play.wait_for()
        there = time.monotonic()
        play.click()
        frame.get_by_text(re.compile("^step [1-9]")).wait_for()
        answered = time.monotonic()
        browser.close()
    return {"there": round(there - began, 2), "answered": round(answered - began, 2)}


def measure(rounds: int) -> dict[str, Any]:
    """Serve the notebooks from a home of their own, and open the first one so often."""
    program = next(found for name in BROWSERS if (found := shutil.which(name)))
    with TemporaryDirectory() as folder:
        own = {f"JUPYTER_{kind}_DIR": str(Path(folder) / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
        os.environ |= own | {"JUPYTERLAB_WORKSPACES_DIR": str(Path(folder) / "workspaces")}
        assert first_output.sign(), "notebook 00 is not as it is made: python scripts/first_output.py"
        port, token = lab.choose_port(""), secrets.token_hex(8)
        options = [*lab.command(port, browser=False), f"--IdentityProvider.token={token}"]
        server = subprocess.Popen(options, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            base = f"http://{lab.HOST}:{port}"
            _wait_for(f"{base}/api/status?token={token}")
            seen = []
            for number in range(rounds):
                address = f"{base}/lab/workspaces/w{number}/tree/{lab.NOTEBOOK}?token={token}"
                seen.append(opened(address, program))
                print(f"round {number + 1}: {seen[-1]}", flush=True)
        finally:
            server.terminate()
            server.wait()
    return {"rounds": seen, "machine": report.machine()}


def _wait_for(address: str, seconds: float = 120.0) -> None:
    until = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=10).close()
            return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    found = measure(options.rounds)
    report.write(NAME, found, options.results)
    print(first_touch_of(found))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
