"""The shipped modules are built from their sources, and a page made of them is complete."""

from __future__ import annotations

import hashlib
import html
import math
import os
import re
from pathlib import Path

import pytest

from clwork.lab.page import standalone
from clwork.views import style
from scripts import first_output

from . import state_in

JS = Path(__file__).resolve().parents[2] / "js"
WIDGETS = sorted(path.parent.name for path in (JS / "src").glob("*/index.js"))
# folders besides shared/ that a widget imports, as in js/build.mjs
USES = {"front": ("page_training", "panel")}
FIRST = re.compile(
    r"^// Made by js/build\.mjs \(make bundle\); .* sources ([0-9a-f]{64}) body ([0-9a-f]{64})$"
)


def sources(folder: Path) -> str:
    """The hash that js/build.mjs computes: names and contents of all files of a widget."""
    paths = [JS / "package-lock.json", JS / "build.mjs", JS / "../clwork/views/dark.json"]
    for name in (folder.name, *USES.get(folder.name, ()), "shared"):
        source = folder.parent / name
        paths += [path for path in source.rglob("*") if path.is_file()]
    by_name = {Path(os.path.relpath(path, JS)).as_posix(): path for path in paths}
    digest = hashlib.sha256()
    for name in sorted(by_name):
        digest.update(name.encode() + b"\0" + by_name[name].read_bytes() + b"\0")
    return digest.hexdigest()


def test_modules_are_built_from_their_sources_and_can_be_inlined_in_a_page() -> None:
    assert "sphere" in WIDGETS
    assert sorted(path.stem for path in standalone.MODULES.glob("*.js")) == WIDGETS
    stale = []
    for widget in WIDGETS:
        folder = JS / "src" / widget
        text = standalone.module(widget)
        first, body = text.split("\n", 1)
        made = FIRST.match(first)
        if made is None or made.groups() != (
            sources(folder),
            hashlib.sha256(body.encode()).hexdigest(),
        ):
            stale.append(widget)
        assert not re.search(r"</script|<!--", text, re.IGNORECASE), (
            f"{widget}: would end the script that it stands in"
        )
        assert not re.search(r"""(?:from|import\()\s*["'](?:https?:)?//""", text), (
            f"{widget}: loads from an address"
        )
        assert not re.findall(r"^import\b", text, re.MULTILINE), widget
        assert standalone.EXPORTED.search(text), widget
    assert not stale, f"run `make bundle` and commit what it made: {stale}"


def test_the_saved_output_of_the_first_notebook_is_that_of_its_cell() -> None:
    """If this fails, run python scripts/first_output.py."""
    assert first_output.is_as_made(first_output.read())


def test_a_group_has_the_same_style_in_every_figure() -> None:
    text = (JS / "src" / "shared" / "palette.js").read_text(encoding="utf-8")
    lists = [
        tuple(re.findall(r'"([^"]+)"', part))
        for part in re.findall(r"= \[(.*?)\];", text, re.DOTALL)
    ]
    assert lists == [style.PALETTE, style.SYMBOLS]
    inks = {style.INK, style.FAINT, style.RULE, style.MARK, style.GROUND, style.HAZE}
    assert style.DARK.keys() == {*style.PALETTE, *inks}


def test_a_page_holds_any_state_requests_nothing_and_is_in_a_frame() -> None:
    bad = "</script><script>alert(1)</script><!-- \u2028"
    text = standalone.page("sphere", {"start": bad})
    assert text.count("</script>") == 2, "the state's and the module's"
    assert state_in(text) == {"start": bad}
    assert "default-src 'none'" in text
    assert "connect-src" not in text
    assert not re.search(r"""\b(?:src|href)=["']""", text)
    frame = standalone.iframe(text, 500, 'points & "more"')
    attributes = {
        name: html.unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', frame)
    }
    assert attributes["srcdoc"] == text
    assert attributes["title"] == 'points & "more"'
    assert attributes["sandbox"] == "allow-scripts allow-downloads"
    assert "height:500px" in attributes["style"]


def test_unknown_names_and_states_that_are_no_json_are_refused() -> None:
    with pytest.raises(ValueError, match=r"did you mean 'sphere'"):
        standalone.page("spere", {})
    with pytest.raises(ValueError, match="JSON"):
        standalone.page("sphere", {"start": math.nan})
