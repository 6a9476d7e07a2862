"""The claims on a page without a kernel: a search, and marks that open claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clwork import lab
from scripts.site.outputs import with_all_claims

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
SCRIPT = Path(__file__).parents[2] / "docs" / "site" / "_static" / "evidence.js"
CHOSEN = "gclsr/base-against-averaged-words"
# Marks that cannot be pressed at their centre, because something else lies there.
COVERED = """() => [...document.querySelectorAll(".mark svg")].filter((mark) => {
  mark.scrollIntoView({ block: "center" });
  const { x, y, width, height } = mark.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return width < 8 || height < 8 || !mark.contains(top);
}).length"""


@pytest.fixture
def opened(clean: Page, tmp_path: Path) -> Page:
    _, listed = lab.evidence().choose(CHOSEN)._static()
    script = f"<script defer src='{SCRIPT.as_uri()}'></script>"
    page = f"<!doctype html><meta charset='utf-8'>{script}{with_all_claims(listed)}"
    (tmp_path / "claims.html").write_text(page, encoding="utf-8")
    clean.goto((tmp_path / "claims.html").as_uri())
    return clean


def test_a_text_finds_claims_and_their_marks(opened: Page) -> None:
    expect(opened.get_by_role("searchbox")).to_have_count(1)
    field = opened.get_by_role("searchbox")
    state = opened.get_by_role("status").last
    field.fill("WHITENED")
    claims = opened.locator("[data-claim]:visible:not(.chosen ~ * *)")
    count = claims.count()
    assert 1 < count < 20
    expect(state).to_have_text(f"{count} claims found")
    expect(opened.locator(".mark svg:visible:not(.chosen ~ * *)")).to_have_count(count)
    field.fill("simcse/against-whitening")
    expect(state).to_have_text("1 claim found")
    expect(claims).to_contain_text(["Unlabelled SimCSE is far above a raw encoder"])
    field.fill("no such words")
    expect(state).to_have_text('No claim has "no such words".')
    expect(claims).to_have_count(0)
    field.fill("")
    expect(state).to_have_text("")
    assert opened.locator(".word:not([open]):visible").count() == 8


def test_each_mark_is_free_and_opens_its_claim_from_any_width(opened: Page) -> None:
    for width in (390, 1280):
        opened.set_viewport_size({"width": width, "height": 720})
        assert opened.evaluate(COVERED) == 0
    mark = opened.locator(".mark[href='#evidence/simcse/against-whitening']")
    mark.locator("svg").hover()
    expect(mark.locator(".tip")).to_contain_text("Unlabelled SimCSE is far above a raw encoder")
    mark.locator("svg").click()
    card = opened.locator("[data-claim='simcse/against-whitening'] .card")
    expect(card).to_be_in_viewport()
    expect(card).to_contain_text("−1.82 [−4.09, +0.452]")
    lesson = card.get_by_role("link", name="Lesson 01")
    expect(lesson).to_have_attribute("href", "01_the_sphere.html")


def test_a_lesson_shows_the_claim_that_it_chose(opened: Page) -> None:
    chosen = opened.locator(".chosen ~ .clwork-claims .card")
    expect(chosen).to_have_count(1)
    expect(chosen).to_be_visible()
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
