"""The pages in Chromium: opened as files, without a network, in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.kernel_page import wait_for
from tests.site.making import make_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
PAGES = ("contents", "notebooks/00_start_here", "docs/glossary", "api/clwork.losses")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(tmp_path_factory.mktemp("site"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_fails_in_either_theme(browser: Browser, site: Path, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, offline=True)
    page = context.new_page()
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on(
        "console", lambda message: failed.append(message.text) if message.type == "error" else None
    )
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_function("document.body.dataset.jpThemeLight !== undefined")
        assert page.evaluate("document.body.dataset.jpThemeLight") == str(scheme == "light").lower()
    assert not failed
    context.close()


def test_the_sphere_plays_is_in_the_address_and_a_dial_moves(browser: Browser, site: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto((site / "contents.html").as_uri())
    sphere = page.frame_locator("iframe.clwork-page")
    sphere.get_by_role("button", name="Pause").wait_for()
    sphere.locator("[data-name=temperature] input").fill("200")
    wait_for(page, lambda: "temperature" in page.url)
    address = page.url
    page.goto("about:blank")
    page.goto(f"{address}&hide=seed,tries")
    expect(sphere.locator("[data-name=temperature] input")).to_have_value("200")
    expect(sphere.locator("[data-name=seed], .tries").locator("visible=true")).to_have_count(0)
    page.goto((site / "notebooks" / "00_start_here.html").as_uri())
    frame = page.locator("iframe.clwork-page").last
    frame.scroll_into_view_if_needed()
    slider = page.frame_locator("iframe.clwork-page >> nth=-1").locator("input[type=range]")
    slider.focus()
    page.keyboard.press("End")
    page.frame_locator("iframe.clwork-page >> nth=-1").get_by_text("4", exact=True).first.wait_for()
    page.close()
