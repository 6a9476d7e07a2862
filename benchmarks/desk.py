"""What a desk of a thousand runs takes: reading them, opening its page, sorting, filtering, drawing.

``python benchmarks/desk.py`` makes up run folders, opens a desk on them, and its page in Chromium alone, as
``tests/browser/test_desk_page.py`` does. It measures, several times each,

- the kernel: the first look at the folder, which runs in the background, a second look, and another desk; what one
  answer with all runs costs it, and how large it is;
- the page: from the module's start to the first row of the table, once the folder has been read; a sort, a filter, a
  tick and a long way down the table, each from the event until its layout is done.

It writes ``benchmarks/results/desk.json``.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import lab
from clwork.data.sources import CorpusRef
from clwork.lab.desk.facts import FolderReader
from clwork.training import RunFolder
from clwork.training.disk.recipe import Recipe
from tests.browser.kernel_page import KernelPage
from tests.conftest import find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAME = "desk"
STEPS, LOOKS = 100, 20  # rows of each run's record, of which every fifth is a look
TIMED = """async ([select, act]) => {
    const part = document.querySelector(select), before = performance.now();
    if (act === "click") part.click();
    else if (act === "down") part.scrollTop += 12000;
    else { part.value = act; part.dispatchEvent(new Event("input", { bubbles: true })); }
    const wait = act === "down" ? new Promise(requestAnimationFrame) : Promise.resolve();
    await wait;
    document.querySelector(".clwork-desk").getBoundingClientRect();
    return performance.now() - before;
}"""
ACTS = {
    "sort by the loss": ("th button[data-name=loss]", "click"),
    "sort by a setting": ("th button[data-name=temperature]", "click"),
    "filter by a seed": (".clwork-filter", "seed=1"),
    "filter by a setting": (".clwork-filter", "temperature=0.0"),
    "no filter": (".clwork-filter", ""),
    "500 rows down": (".scroll", "down"),
    "tick off a run": ("tbody input", "click"),
}


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="how many are made up")
    parser.add_argument("--rounds", type=int, default=5, help="how often each thing is done")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def make_run(folder: Path, number: int) -> None:
    """A run as its folder keeps it: one of ten temperatures, ten learning rates, and as many seeds as there is need."""
    tau, rate, seed = 0.01 * (1 + number % 10), 1e-5 * (1 + number // 10 % 10), number // 100
    place = folder / f"run-{number:04d}"
    place.mkdir(parents=True)
    Recipe(
        name=place.name,
        method="simcse",
        encoder="mini",
        sentences=CorpusRef({"source": "wikipedia-mini"}),
        config={"temperature": tau, "learning_rate": rate, "batch_size": 64, "pooling": "mean"},
        steps=STEPS,
        seed=seed,
        sts=None,
        probe_every=STEPS // LOOKS,
        eval_every=STEPS,
        checkpoint_every=STEPS,
        device="cpu",
        created=f"2000-01-01T00:{number // 60:02d}:{number % 60:02d}",
    ).write(RunFolder(place))
    rows = []
    for step in range(STEPS + 1):
        part = 1 - math.exp(-4 * step / STEPS)
        row: dict[str, float] = {"step": step, "loss": 4 - 2 * part + tau + seed / 50, "seconds": step / 7}
        if step % (STEPS // LOOKS) == 0:
            row |= {"alignment": 0.1 + part * tau, "uniformity": -2 * part - seed / 50, "silver": 30 + 30 * part - seed}
        rows.append(row)
    (place / "record.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def timed(act: Callable[[], object]) -> float:
    """Milliseconds that a call takes."""
    began = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - began)


def kernel_times(folder: Path, rounds: int) -> tuple[lab.Desk, dict[str, Any]]:
    """A desk on ``folder``, and what its kernel took."""
    first = [timed(FolderReader(folder).read) for _ in range(rounds)]
    desk = lab.desk(folder)
    desk._reader.wait_until_read()
    another = [timed(lambda: lab.desk(folder).runs) for _ in range(rounds)]
    desk._news({})  # once, for what is computed only once
    whole = desk._news({})
    known = desk._known_after({}, whole)
    size = len(json.dumps(whole, default=len))
    return desk, {
        "first look": first,
        "another desk": another,
        "second look": [timed(desk.refresh) for _ in range(rounds)],
        "answer with all runs": [timed(lambda: desk._news({})) for _ in range(rounds)],
        "answer with nothing new": [timed(lambda: desk._news(known)) for _ in range(rounds)],
        "bytes": size,
    }


def page_times(page: Page, desk: lab.Desk, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each of ACTS, and until the first row."""
    found: dict[str, list[float]] = {"first table": []}
    kernel = KernelPage(page, desk, "desk")
    for _ in range(rounds):
        kernel.open()
        page.locator("tbody th").first.wait_for()
        found["first table"].append(page.evaluate("performance.now() - window.began"))
    for _ in range(rounds):
        for name, (part, act) in ACTS.items():
            found.setdefault(name, []).append(page.evaluate(TIMED, [part, act]))
            page.wait_for_timeout(400)  # the kernel hears of it
    assert not kernel.errors, kernel.errors
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    from playwright.sync_api import sync_playwright

    options = parse(arguments)
    program = find_browser()
    assert program is not None, "no Chrome or Chromium on this machine"
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        for number in range(options.runs):
            make_run(Path(folder), number)
        desk, kernel = kernel_times(Path(folder), options.rounds)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = page_times(browser.new_page(viewport={"width": 1280, "height": 720}), desk, options.rounds)
        browser.close()
        desk.close()
    found = {"runs": options.runs, "kernel": kernel, "page": page, "machine": report.machine()}
    report.write(NAME, found, options.results)
    for name, values in {**kernel, **page}.items():
        if isinstance(values, list):
            print(f"{name}: {statistics.median(values):.0f} ms ({min(values):.0f} to {max(values):.0f})")
    print(f"an answer with all runs has {kernel['bytes'] / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
