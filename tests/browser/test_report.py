"""A run's report in Chromium: from a file, without a network, wide and narrow, without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import clwork

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
TEXTS = [f"<b>Sentence</b> number {k} tells of {k % 7} boats and {k % 5} lakes." for k in range(80)]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    small: dict[str, Any] = {"steps": 4, "probe_every": 2, "batch_size": 8, "max_length": 16}
    run = clwork.train("simcse", sentences=TEXTS, folder=folder / "run", **small)
    return clwork.report(run, folder / "run.html").as_uri()


@pytest.mark.parametrize("width", [1280, 420])
def test_its_player_plays_and_nothing_is_wider_than_the_page(page: Page, written: str, width: int) -> None:
    page.context.set_offline(True)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(written)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.locator("figure img").evaluate_all("images => images.every((one) => one.naturalWidth > 100)")
    frame = page.locator("iframe.clwork-page")
    frame.scroll_into_view_if_needed()
    player = page.frame_locator("iframe.clwork-page")
    slider = player.locator("input[type=range]").first
    slider.focus()
    page.keyboard.press("End")
    player.get_by_text("step 4 of 4").first.wait_for()


def test_without_scripts_the_player_is_a_picture(browser: Browser, written: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(written)
    assert page.locator("img.clwork-poster").evaluate("image => image.naturalWidth") > 100
    context.close()
