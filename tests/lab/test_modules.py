"""The modules that ship are those that their sources make, and a page of them is whole."""

from __future__ import annotations

import hashlib
import json
import math
import re
from pathlib import Path

import pytest

from clwork.lab.page import standalone
from clwork.views import style

from ..test_house import MAX_MODULE_LINES

ROOT = Path(__file__).resolve().parents[2]
JS = ROOT / "js"
WIDGETS = sorted(path.parent.name for path in (JS / "src").glob("*/index.js"))
SOURCES = sorted((JS / "src").rglob("*.js"))
FIRST = re.compile(r"^// Made by js/build\.mjs \(make bundle\); .* sources ([0-9a-f]{64}) body ([0-9a-f]{64})$")
REMEDY = "run `make bundle` and commit what it made"


def sources(widget: str, root: Path = JS) -> str:
    """What js/build.mjs computes: names and contents of all that a widget is made of."""
    folders = [root / "src" / widget, root / "src" / "shared"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files += [root / "package-lock.json", root / "build.mjs"]
    found = hashlib.sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in files):
        found.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def test_every_widget_ships_and_nothing_else() -> None:
    assert "sphere" in WIDGETS
    assert sorted(path.stem for path in standalone.MODULES.glob("*.js")) == WIDGETS, REMEDY


@pytest.mark.parametrize("widget", WIDGETS)
def test_a_module_is_made_of_its_sources(widget: str) -> None:
    first, body = standalone.module(widget).split("\n", 1)
    told = FIRST.match(first)
    assert told is not None, f"{first[:200]}: {REMEDY}"
    assert told[1] == sources(widget), f"the sources of {widget} have changed since: {REMEDY}"
    assert told[2] == hashlib.sha256(body.encode()).hexdigest(), f"{widget}.js was edited by hand: {REMEDY}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(JS / "src")))
def test_a_source_is_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_MODULE_LINES


def test_a_group_looks_the_same_in_every_picture() -> None:
    told = (JS / "src" / "shared" / "palette.js").read_text(encoding="utf-8")
    light, dark, symbols = (
        tuple(re.findall(r'"([^"]+)"', part)) for part in re.findall(r"= \[(.*?)\];", told, re.DOTALL)
    )
    assert light == style.PALETTE and dark == tuple(style.DARK[shade] for shade in light)
    assert symbols == style.SYMBOLS


@pytest.mark.parametrize("widget", WIDGETS)
def test_a_module_is_readable_and_can_stand_in_a_page(widget: str) -> None:
    text = standalone.module(widget)
    assert not re.search(r"</script|<!--", text, re.IGNORECASE), "would end the script that it stands in"
    assert not re.search(r"""(?:from|import\()\s*["'](?:https?:)?//""", text), "no library from an address"
    assert len(re.findall(r"^import\b", text, re.MULTILINE)) == 0, "one file"
    assert standalone.EXPORTED.search(text)


def test_the_hash_sees_every_kind_of_change(tmp_path: Path) -> None:
    for name in ("src/one/index.js", "src/one/style.css", "src/shared/x.js", "package-lock.json", "build.mjs"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    seen = [sources("one", tmp_path)]
    for name in ("src/one/style.css", "src/shared/x.js", "package-lock.json", "build.mjs"):
        (tmp_path / name).write_text("changed")
        seen.append(sources("one", tmp_path))
    (tmp_path / "src/one/new.js").write_text("")
    assert len({*seen, sources("one", tmp_path)}) == 6


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((JS / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]
    assert all(entry.get("integrity") for name, entry in lock["packages"].items() if name)


def test_a_page_holds_state_that_would_break_out() -> None:
    bad = "</script><script>alert(1)</script><!-- \u2028"
    text = standalone.page("sphere", {"start": bad})
    assert text.count("</script>") == 2, "the state's and the module's"
    (held,) = re.findall(r'id="clwork-state">(.*?)</script>', text, re.DOTALL)
    assert json.loads(held) == {"start": bad}


def test_a_page_asks_for_nothing() -> None:
    text = standalone.page("sphere", {})
    assert "default-src 'none'" in text and "connect-src" not in text
    assert not re.search(r"""\b(?:src|href)=["']""", text)


def test_a_frame_holds_the_whole_page_and_may_run_scripts_alone() -> None:
    from html.parser import HTMLParser

    found: list[dict[str, str | None]] = []

    class Frames(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            if tag == "iframe":
                found.append(dict(attributes))

    frames = Frames()
    document = standalone.page("sphere", {"start": 'a "quoted" & odd one'})
    frames.feed(standalone.iframe(document, 500, "points"))
    (frame,) = found
    assert frame["srcdoc"] == document and frame["sandbox"] == "allow-scripts" and frame["title"] == "points"
    assert "height:500px" in str(frame["style"])


def test_what_cannot_be_shown_is_refused() -> None:
    with pytest.raises(ValueError, match=r"did you mean 'sphere'"):
        standalone.page("spere", {})
    with pytest.raises(ValueError, match="JSON"):
        standalone.page("sphere", {"start": math.nan})
