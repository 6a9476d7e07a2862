"""How long the playground takes from a key to its answer, in the kernel alone and in a browser, among many sentences.

``python benchmarks/playground.py`` makes a corpus of ``--sentences``: the first ``--words`` of those of wikipedia-mini,
with numbers behind them (the search takes no less time for it, the encoding before it does). It is encoded once. Then,
for each of ``--rounds`` changed words, the script

- asks the playground itself: from the command to the answer, with what of it is encoding;
- types into its page in Chromium: from the key until the hits of that very text are drawn. The page there receives
  nothing without asking, as on Colab: what it shows is the longest that a reader waits.

It also counts what is sent: the bytes of an answer, and of the cloud. It prints what it found and writes
``benchmarks/results/playground.json``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, lab
from clwork.lab.playground.answers import Question
from tests.browser.conftest import QUIET
from tests.browser.test_playground import compared, kernel, until
from tests.conftest import find_browser

NAME = "playground"
WORDS = ("sea", "air", "lake", "night", "snow", "city", "sun", "wind", "bay", "fog")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=5)
    parser.add_argument("--encoder", default="mini")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def corpus(count: int, words: int) -> list[str]:
    """So many sentences, no two of them equal."""
    own = [" ".join(text.split()[:words]) for text in data.sentences("wikipedia-mini")]
    return [f"{own[k % len(own)]} {k}" for k in range(count)]


def of_the_kernel(board: lab.Playground, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of whole answers, and of the encoding within."""
    found: dict[str, list[float]] = {"answer": [], "encoding": []}
    answers = board._answers
    assert answers is not None
    for text in itertools.islice(changed_texts(), rounds):
        begun = time.perf_counter()
        board._last().sides[0].encoder.encode([text])
        found["encoding"].append(1000 * (time.perf_counter() - begun))
        begun = time.perf_counter()
        answers.of(Question(text, 0))
        found["answer"].append(1000 * (time.perf_counter() - begun))
    return found


def changed_texts() -> itertools.cycle[str]:
    """The first sentence with its last word changed."""
    return itertools.cycle(f"The volcano threw ash high into the {word}." for word in WORDS)


def of_the_page(board: lab.Playground, rounds: int) -> list[float]:
    """Milliseconds from a key to the drawn hits."""
    from playwright.sync_api import sync_playwright

    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(QUIET))
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(600_000)
        kernel(board, page)
        compared(page, len(board.texts()))
        for text in itertools.islice(changed_texts(), rounds):
            page.wait_for_timeout(1000)  # the reader stops to think
            page.locator(".line").first.evaluate(TYPE, text)
            until(page, f"window.answered && document.querySelector('.asked').title.includes({json.dumps(text)})")
            found.append(float(page.evaluate("window.answered - window.typed")))
        browser.close()
    return found


TYPE = """(field, text) => {
    const seen = new MutationObserver(() => { window.answered ??= performance.now(); });
    seen.observe(document.querySelector('.asked'), { childList: true, characterData: true, subtree: true });
    window.answered = undefined;
    window.typed = performance.now();
    field.focus();
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
}"""


def main(arguments: list[str] | None = None) -> None:
    """Measure and write."""
    options = parse(arguments)
    texts = corpus(options.sentences, options.words)
    board = lab.playground(sentences=texts, encoder=options.encoder, searched=options.sentences)
    board.left.choose(f"raw:{options.encoder}")
    board.right.choose("nothing")
    begun = time.monotonic()
    board.compare()
    while not board._work.idle.wait(10):
        print(board.search.words, flush=True)
    encoding = time.monotonic() - begun
    begun = time.monotonic()
    board.compare()
    board.wait()
    kept = time.monotonic() - begun
    in_kernel, in_page = of_the_kernel(board, options.rounds), of_the_page(board, options.rounds)
    news = board._news({})
    found: dict[str, Any] = {
        **{name: getattr(options, name) for name in ("sentences", "words", "encoder", "rounds")},
        "machine": report.machine(),
        "first_compare_s": encoding,
        "second_compare_s": kept,
        "kernel_ms": {name: statistics.median(values) for name, values in in_kernel.items()},
        "key_to_hits_ms": {"median": statistics.median(in_page), "longest": max(in_page)},
        "bytes": {
            "answer": len(json.dumps(news["answer"], ensure_ascii=False).encode()),
            "cloud": sum(len(side["dots"]) + len(side["own"]) for side in news["clouds"]["sides"]),
        },
    }
    board.close()
    print(json.dumps(found, indent=1), report.write(NAME, found, options.results))


if __name__ == "__main__":
    main()
