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
    expect(opened.locator(".word:visible > summary b")).to_contain_text(["? 1 of "])
    assert opened.locator(".mark svg:visible").first.evaluate("mark => mark.style.top") == "0px"
    expect(claims).to_contain_text(["Unlabelled SimCSE is far above a raw encoder"])
    field.fill("no such words")
    expect(state).to_have_text('No claim has "no such words".')
    expect(claims).to_have_count(0)
    expect(opened.get_by_text("in margins").first).to_be_hidden()
    field.fill("")
    expect(state).to_have_text("")
    assert opened.evaluate(COVERED) == 0
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


def row(name: str, sentence: str, found: str) -> str:
    named = f"<code>{name}</code><a id='{name}'></a> {sentence}<br><em>Table 1</em>"
    return f"<tr><td><p>{named}</p></td><td><p>{found}</p></td></tr>"


def section(word: str, *rows: str) -> str:
    head = "<thead><tr><th>Claim</th><th>Found here</th></tr></thead>"
    table = f"<div><table>{head}<tbody>{''.join(rows)}</tbody></table></div>"
    return f"<section id='simcse-{word}'><h3>SimCSE: {word}</h3>{table}</section>"


@pytest.fixture
def claims_page(tmp_path: Path) -> str:
    """Address of a page of claims with the markup of the site's."""
    agreeing = [
        row("simcse/noise", "Noise helps.", "<b>A &gt; B</b>: agrees here<br>C &gt; D: +1"),
        row("simcse/order", "Order matters.", "E &gt; F: agrees here"),
    ]
    unmeasured = row("simcse/size", "Larger noise is better.", "no run measures it")
    paper = section("agrees-here", *agreeing) + section("not-measured", unmeasured)
    script = f"<script defer src='{SCRIPT.with_name('claims.js').as_uri()}'></script>"
    body = f"<section id='claims-of-papers'><section id='simcse'>{paper}</section></section>"
    path = tmp_path / "claims.html"
    path.write_text(f"<!doctype html><meta charset='utf-8'>{script}{body}", encoding="utf-8")
    return path.as_uri()


def test_the_page_of_claims_folds_each_to_its_sentence(clean: Page, claims_page: str) -> None:
    clean.goto(claims_page)
    claims = clean.locator("details.claim")
    expect(claims.locator("summary:visible")).to_have_text(["Noise helps.", "Order matters."])
    expect(clean.get_by_text("1 claim", exact=True)).to_be_visible()
    lines = claims.first.locator("div > div")
    expect(lines.first).to_be_hidden()
    claims.first.locator("summary").click()
    expect(lines).to_have_text(["A > B: agrees here", "C > D: +1"])
    expect(lines.first).to_be_visible()
    expect(claims.first.get_by_text("simcse/noise")).to_be_visible()


def test_the_page_of_claims_is_searched_by_text(clean: Page, claims_page: str) -> None:
    clean.goto(claims_page)
    field = clean.get_by_role("searchbox")
    shown = clean.locator("details.claim > summary:visible")
    field.fill("NOISE")
    expect(shown).to_have_text(["Noise helps.", "Larger noise is better."])
    expect(clean.get_by_role("status")).to_have_text("2 claims found")
    field.fill("zzzz")
    expect(clean.get_by_role("status")).to_have_text('No claim has "zzzz".')
    field.fill("")
    expect(shown).to_have_text(["Noise helps.", "Order matters."])


def test_a_link_opens_a_folded_claim(clean: Page, claims_page: str) -> None:
    clean.goto(f"{claims_page}#simcse/size")
    expect(clean.get_by_text("no run measures it")).to_be_in_viewport()
