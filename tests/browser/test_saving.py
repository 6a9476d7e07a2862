"""Figures and tables of the pages are saved by the buttons that appear under the pointer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from clwork import lab

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def saved(page: Page, root: Locator, figure: str, kind: str) -> bytes:
    # a cloud at its edge, where no name of a topic lies over it
    edge = {"x": 4.0, "y": 4.0} if figure == "canvas" else None
    root.locator(figure).first.hover(position=edge)  # type: ignore[arg-type]
    with page.expect_download() as download:
        root.get_by_role("button", name=f"save as {kind}").click()
    assert download.value.suggested_filename == f"clwork.{kind.lower()}"
    return Path(download.value.path()).read_bytes()


def test_a_chart_in_a_frame_is_saved_with_its_colours(page: Page, tmp_path: Path) -> None:
    dial = lab.dial("x", [1, 2, 3, 4], lambda x: {"square": x * x})
    (tmp_path / "dial.html").write_text(
        f"<!doctype html><body>{dial._repr_html_()}</body>", encoding="utf-8"
    )
    page.goto((tmp_path / "dial.html").as_uri())
    root = page.frame_locator("iframe.clwork-page").locator(".clwork-dial")
    root.wait_for()
    drawn = ElementTree.fromstring(saved(page, root, ".curves svg", "SVG"))
    line = next(part for part in drawn if part.get("class") == "curve")
    assert "fill: none" in str(line.get("style")), "its style sheet says so"
    assert line.get("d")
    picture = saved(page, root, ".curves svg", "PNG")
    width = round(root.locator(".curves svg").bounding_box()["width"])  # type: ignore[index]
    assert picture[1:4] == b"PNG"
    assert int.from_bytes(picture[16:20], "big") == 3 * width


def test_a_canvas_and_a_table_are_saved(page: Page) -> None:
    page.set_content(lab.sphere().html())
    root = page.locator(".clwork-sphere")
    assert saved(page, root, "canvas", "PNG")[1:4] == b"PNG"
    root.locator("canvas").first.hover()
    assert not root.get_by_role("button", name="save as SVG").count(), (
        "dots on a canvas are no shapes"
    )
    table = root.locator("table").first
    table.hover()  # off the sphere, which draws the table again when the pointer leaves it
    page.evaluate("() => new Promise((drawn) => setTimeout(drawn, 200))")
    table.locator("td").first.evaluate("cell => { cell.textContent = '=1+2'; }")
    content = saved(page, root, "table", "CSV")
    rows = content.decode("utf-8-sig").splitlines()
    assert len(rows) == table.locator("tr").count()
    assert "," in rows[-1]
    assert content.startswith(b"\xef\xbb\xbf"), "for spreadsheets"
    assert "'=1+2" in content.decode("utf-8-sig"), "for spreadsheets"


def test_a_run_is_saved_as_a_film_and_fills_the_screen(page: Page) -> None:
    page.set_content(lab.player("simcse").html)
    root = page.locator(".clwork-instrument")
    film = saved(page, root, "canvas", "WEBM")
    assert film[:4] == b"\x1a\x45\xdf\xa3", "the first bytes of WebM"
    assert len(film) > 50_000, "it moves for six seconds"
    assert root.locator(".told").first.inner_text() != "step 0", "it has played to the end"
    before = root.bounding_box()
    root.locator("canvas").first.press("f")
    page.wait_for_function("document.fullscreenElement !== null")
    after = root.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] >= before["width"]
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement === null")
