"""Dial and prediction in Chromium, from a file without a kernel, also without scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clwork import lab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

OUTCOME = "it was four all the time"


def write(folder: Path) -> str:
    squares = lab.dial("x", [1, 2, 3, 4], lambda x: {"square": x * x, "minus": -x}, unit="apples")
    choice = lab.predict("Two and two?", ["three", "four"], OUTCOME)
    number = lab.predict("How many?", None, OUTCOME)
    boxes = "".join(box._repr_html_() for box in (squares, choice, number))
    page = folder / "boxes.html"
    page.write_text(f"<!doctype html><body>{boxes}</body>", encoding="utf-8")
    return page.as_uri()


def test_a_dial_changes_its_value_and_a_prediction_opens(page: Page, tmp_path: Path) -> None:
    page.context.set_offline(True)
    page.goto(write(tmp_path))
    dial = page.frame_locator("iframe.clwork-page").locator(".clwork-dial")
    dial.wait_for()
    slider = dial.locator("input[type=range]")
    slider.focus()
    page.keyboard.press("End")
    assert dial.locator(".value").inner_text() == "4"
    assert dial.locator(".bar .number").all_inner_texts() == ["16", "−4"]
    choice, number = page.locator(".clwork-predict").all()
    for one in (choice, number):
        assert not one.locator("summary").is_visible()
    choice.locator("label").last.click()
    choice.locator("summary").click()
    assert choice.get_by_text(OUTCOME).is_visible()
    assert not number.get_by_text(OUTCOME).is_visible()
    number.locator("input").fill("4")
    page.keyboard.press("Tab")
    number.locator("summary").click()
    assert number.get_by_text(OUTCOME).is_visible()


def test_without_scripts_and_styles(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(write(tmp_path))
    choice = page.locator(".clwork-predict").first
    assert not choice.get_by_text(OUTCOME).is_visible()
    choice.locator("label").first.click()
    choice.locator("summary").click()
    assert choice.get_by_text(OUTCOME).is_visible()
    context.close()
