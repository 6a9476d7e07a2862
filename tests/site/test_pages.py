"""The pages as files: loaded files, link targets, and their content without scripts."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from scripts.site.executing import execute, is_current, sources
from tests.site.making import make_site, write_lesson

pytestmark = pytest.mark.nightly
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}
# Lessons that the small site does not have.
ELSEWHERE = re.compile(r"notebooks/(0[1-8]|1[01])_")


class Page(HTMLParser):
    """The files that a page loads, its link targets, and its anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.tags: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        found = dict(attributes)
        self.tags.append(tag)
        self.names |= {found[key] for key in ("id", "name") if found.get(key)}
        if found.get(LOADED.get(tag, ""), ""):
            self.loaded.append(found[LOADED[tag]])
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(tmp_path_factory.mktemp("site"))


def test_an_executed_notebook_has_the_sources_of_the_tracked_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tracked, executed = tmp_path / "a.ipynb", tmp_path / "raw" / "a.ipynb"
    write_lesson(tracked, "A")
    assert not is_current(tracked, executed)
    execute(tracked, executed)
    assert is_current(tracked, executed)
    assert sources(executed) == sources(tracked)
    execute(tracked, executed)
    assert "executed before" in capsys.readouterr().out
    book = json.loads(tracked.read_text(encoding="utf-8"))
    book["cells"][0]["source"] = "# B"
    tracked.write_text(json.dumps(book), encoding="utf-8")
    assert not is_current(tracked, executed)


def test_pages_load_only_their_own_files(site: Path) -> None:
    for path in site.rglob("*.html"):
        for address in Page(path).loaded:
            assert urlsplit(address).scheme in ("", "data"), f"{path.name} loads {address[:80]}"
    elsewhere = re.compile(r"(?:@import|url\()\s*['\"]?(?:https?:)?//")
    for path in (site / "_static").rglob("*.css"):
        assert not elsewhere.search(path.read_text(encoding="utf-8")), path.name


def test_links_lead_to_existing_pages(site: Path) -> None:
    known = {path: Page(path) for path in site.rglob("*.html") if "frames" not in path.parts}
    for path, page in known.items():
        for address in page.links:
            parts = urlsplit(address)
            if parts.scheme or ELSEWHERE.search(address):
                continue
            link = f"{path.relative_to(site)}: {address}"
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), link
            if parts.fragment and target in known:
                assert unquote(parts.fragment) in known[target].names, link


def test_a_lesson_has_its_formula_images_and_interactive_parts(site: Path) -> None:
    page = Page(site / "notebooks" / "00_start_here.html")
    frames = [address for address in page.loaded if "frames/" in address]
    assert len(frames) == 2
    for address in frames:
        assert (site / "notebooks" / address).resolve().is_file()
    pictures = [address for address in page.loaded if address.startswith("data:image/svg+xml")]
    assert len(pictures) >= 2, "the figure: light and dark"
    assert "math" in page.tags
    assert "fieldset" in page.tags
    deck = Page(site / "slides" / "00_start_here.html")
    assert deck.tags.count("section") == 5, "a title, a question, the figure and two live parts"
    # on a slide a live part knows by its fragment where it is
    assert {f"{address}#slide" for address in frames} < set(deck.loaded)
    assert (site / "notebooks" / "00_start_here.html").stat().st_size < 400_000
