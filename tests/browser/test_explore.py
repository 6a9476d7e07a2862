"""The explorer without a kernel: settings and probe steps are chosen by keyboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clwork import lab

from .conftest import faultless
from .jupyterlab import MINUTES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser

NAME = "simcse/dropout-against-fixed-mask"
PLACES = "dots => dots.slice(0, 20).map(dot => dot.getAttribute('transform'))"


def shades(view: Locator) -> Any:
    """How many curves of single seeds and means each chart has, and how many of other settings."""
    return view.locator(".chart").evaluate_all(
        "charts => charts.map(chart => ['seed', 'mean', 'band', 'was'].map("
        "name => chart.querySelectorAll('.' + name).length))"
    )


def test_settings_and_looks_are_chosen_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    with faultless(browser, MINUTES) as page:
        file = tmp_path / "explore.html"
        file.write_text(f"<!doctype html><body>{lab.explore(NAME)._repr_html_()}</body>", encoding="utf-8")
        page.goto(file.as_uri())
        view = page.frame_locator("iframe.clwork-page").locator(".clwork-explore")
        view.wait_for()
        assert view.get_attribute("data-arm") == "SimCSE"
        assert shades(view) == [[5, 1, 1, 4]] * 3, "five seeds, their mean and band, four other settings in grey"
        view.locator("input[type=radio]").first.focus()
        page.keyboard.press("ArrowDown")
        assert view.get_attribute("data-arm") == "fixed mask"
        assert re.search("^fixed mask: stsb .* 5 seeds, 150 steps", view.locator(".says").inner_text())
        assert view.locator(".arm.chosen .arm-name").inner_text() == "fixed mask"
        knob = view.get_by_label("dropout attention")
        knob.focus()
        page.keyboard.press("ArrowLeft")
        assert view.get_attribute("data-arm") == "one mask .1", "the mask stays one"
        assert knob.get_attribute("aria-valuetext") == "0.1"
        view.get_by_label("fixed mask").last.select_option(label="False")
        assert view.get_attribute("data-arm") == "dropout .1"

        step, dots = view.get_by_label("step of the sentences"), view.locator(".sentences .picture path")
        last = dots.evaluate_all(PLACES)
        step.focus()
        page.keyboard.press("Home")
        assert view.locator(".sentences figcaption").inner_text() == "dropout .1, seed 0, step 0"
        assert dots.evaluate_all(PLACES) != last and step.get_attribute("aria-valuetext") == "step 0"
        view.locator("label", has_text="SimCSE").first.click()
        assert view.locator(".sentences figcaption").inner_text() == "SimCSE, seed 0, step 0", "the step stays"
