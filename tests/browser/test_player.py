"""The player's page in a browser without a kernel: it plays, steps, and preserves the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clwork import lab
from clwork.lab.panel.recorded import prepared_recording
from clwork.recordings import coordinates

from ..lab.synthetic_recordings import recording
from .panel_stub import until, until_text

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PLAYER = "document.querySelector('.clwork-instrument').instrument"
VALUE = "document.querySelector('.time').getAttribute('aria-valuetext')"
AT_REST = f"!{PLAYER}.clock.playing && !{PLAYER}.clock.goal"
LAST = 110


def opened(page: Page, *given: Any, **more: Any) -> None:
    page.set_content(lab.player(*given, **more).html)
    until(
        page,
        f"document.querySelector('.clwork-instrument') && {PLAYER}.picture.clouds[0].at.length > 0",
    )


def at(page: Page, step: int) -> None:
    """Wait until the playhead stops at a step."""
    until(page, f"{AT_REST} && {VALUE}.startsWith('step {step} of')")


def dot(page: Page, row: int, run: int = 0) -> tuple[float, float]:
    """The position of a dot on the screen."""
    x, y = page.evaluate(
        f"""([row, run]) => {{
          const cloud = {PLAYER}.picture.clouds[run], box = cloud.canvas.getBoundingClientRect();
          return [box.x + cloud.at[2 * row], box.y + cloud.at[2 * row + 1]];
        }}""",
        [row, run],
    )
    return x, y


def isolated_row(page: Page) -> int:
    """A row whose dot is far from all others, so that a click selects it."""
    row: int = page.evaluate(
        f"""() => {{
          const at = {PLAYER}.picture.clouds[0].at, gaps = [];
          for (let a = 0; a < at.length / 2; a++) {{
            let least = Infinity;
            for (let b = 0; b < at.length / 2; b++)
              if (b !== a) least = Math.min(least,
                  (at[2*a] - at[2*b]) ** 2 + (at[2*a+1] - at[2*b+1]) ** 2);
            gaps.push(least);
          }}
          return gaps.indexOf(Math.max(...gaps));
        }}"""
    )
    return row


def test_the_drawn_positions_equal_the_recorded_ones(clean: Page) -> None:
    made = recording()
    points = coordinates(prepared_recording(made))
    opened(clean, made)
    for index in (0, 5, 11):
        clean.evaluate(f"{PLAYER}.clock.jump({index})")
        shown = np.array(clean.evaluate(f"{PLAYER}.positions()")).reshape(-1, 2)
        assert np.abs(shown - points[index][:, :2]).max() < 1e-4
    clean.evaluate(f"{PLAYER}.clock.jump(2.5)")
    shown = np.array(clean.evaluate(f"{PLAYER}.positions()")).reshape(-1, 2)
    assert np.abs(shown - (points[2] + points[3])[:, :2] / 2).max() < 1e-4, (
        "half-way between two probes"
    )


def test_two_runs_share_time_hover_and_selection(clean: Page) -> None:
    one, two = recording(), recording(seed=3, pull=0.3, probes=9, every=5, name="other")
    # the same sentences in another order
    two = two | {
        "texts": two["texts"][::-1],
        "labels": two["labels"][::-1],
    }
    opened(clean, one, two)
    row = isolated_row(clean)
    other = two["texts"].index(one["texts"][row])
    clean.mouse.move(*dot(clean, row))
    until(clean, f"{PLAYER}.picture.clouds[1].scene.hover === {other}")
    clean.mouse.click(*dot(clean, row))
    clean.mouse.move(5, 5)
    # on the cloud arrow keys go from dot to dot
    clean.focus(".time")
    for step in (5, 10, 15):
        clean.keyboard.press("ArrowRight")
        at(clean, step)
    rows = clean.evaluate(f"{PLAYER}.picture.clouds.map((cloud) => cloud.scene.chosen)")
    assert rows == [row, other]
    assert clean.locator(".near-line b").all_inner_texts() == ["A, step 10", "B"]
    # in the place of the movers the chosen sentence's neighbours are listed, and can be chosen
    assert clean.inner_text(".movers-title") == "Nearest sentences in A | in B"
    assert clean.locator(".rank").count() == 3
    near = clean.locator(".mover").first
    title = near.get_attribute("title")
    near.click()
    assert clean.evaluate(f"{PLAYER}.records[0].texts[{PLAYER}.selection.chosen]") == title
    clean.keyboard.press("Escape")
    until_text(clean, ".movers-title", "Biggest movers: nearest in A | in B")
    moved = clean.locator(".mover").first
    title = moved.get_attribute("title")
    moved.click()
    assert clean.evaluate(f"{PLAYER}.records[0].texts[{PLAYER}.selection.chosen]") == title
    points = [coordinates(prepared_recording(made)) for made in (one, two)]
    shown = [
        np.array(clean.evaluate(f"{PLAYER}.positions({run})")).reshape(-1, 2) for run in (0, 1)
    ]
    assert np.abs(shown[0] - (points[0][1] + points[0][2])[:, :2] / 2).max() < 1e-4, (
        "step 15 of A is between probes"
    )
    assert np.abs(shown[1] - points[1][3][:, :2]).max() < 1e-4


def test_a_dot_below_the_name_of_a_topic_has_the_pointer_first(clean: Page) -> None:
    opened(clean, "simcse")
    # a dot whose place on the screen belongs to the button of a name
    covered = clean.evaluate(
        f"""() => {{
          const {{ at, canvas }} = {PLAYER}.picture.clouds[0];
          const box = canvas.getBoundingClientRect();
          for (let row = 0; row < at.length / 2; row++) {{
            const [x, y] = [box.x + at[2 * row], box.y + at[2 * row + 1]];
            if (document.elementFromPoint(x, y)?.closest(".topic")) return [x, y];
          }}
          return null;
        }}"""
    )
    assert covered is not None, "some name covers a dot"
    x, y = covered
    clean.mouse.move(x, y)
    until(clean, f"{PLAYER}.picture.clouds[0].scene.hover >= 0")
    clean.mouse.click(x, y)
    chosen = clean.evaluate(f"{PLAYER}.selection.chosen")
    near = clean.evaluate(f"{PLAYER}.picture.clouds[0].under({{clientX: {x}, clientY: {y}}})")
    assert chosen == near >= 0, "the nearest of dots that may lie upon each other"
    assert clean.evaluate(f"{PLAYER}.selection.lit") is None, "the topic is not highlighted"
    # the list has the neighbours, so the lines below the cloud go
    assert not clean.locator(".near-line").first.is_visible()
    # a pointer that leaves the cloud over a name leaves the dot, too
    clean.mouse.move(1, 1)
    until(clean, f"{PLAYER}.picture.clouds[0].scene.hover === -1")
    # by a key the name is a button
    clean.locator(".topic").first.press("Enter")
    assert clean.evaluate(f"{PLAYER}.selection.lit") is not None


def test_the_shared_address_of_a_player_opens_the_same_moment(clean: Page, tmp_path: Path) -> None:
    file = tmp_path / "player.html"
    file.write_text(lab.player("simcse").html, encoding="utf-8")
    clean.goto(file.as_uri())
    until(clean, f"{PLAYER}.view === 'umap'")
    clean.evaluate(f"{PLAYER}.turn('pca'), {PLAYER}.choose(7)")
    clean.evaluate(f"{PLAYER}.clock.jump({PLAYER}.time.t(24))")
    clean.locator("canvas").first.hover(position={"x": 4, "y": 4})
    clean.get_by_role("button", name="Share").wait_for()
    address = clean.evaluate(f"{PLAYER}.link()")
    clean.goto("about:blank")
    clean.goto(address)
    until(clean, f"{PLAYER}.view === 'pca' && {PLAYER}.selection.chosen === 7")
    at(clean, 24)


def test_buttons_of_the_question_show_a_moment_and_a_sentence(clean: Page) -> None:
    opened(clean, recording(), question="Sentence 3 [before](0,pca,3), and [after it](110,pca,3)?")
    assert clean.inner_text(".asks") == "Sentence 3 before, and after it?"
    clean.get_by_role("button", name="after it").click()
    at(clean, LAST)
    assert clean.evaluate(f"{PLAYER}.selection.chosen") == 3
    clean.get_by_role("button", name="before", exact=True).click()
    at(clean, 0)
    assert clean.evaluate(f"{PLAYER}.moment") == "0,pca,3"


def test_a_player_in_a_notebook_has_no_address(clean: Page) -> None:
    clean.set_content(lab.player("simcse")._repr_html_())
    frame = clean.frame_locator("iframe.clwork-page")
    frame.locator("canvas").first.hover(position={"x": 4, "y": 4})
    frame.get_by_role("button", name="save as PNG").wait_for()
    assert frame.get_by_role("button", name="Share").count() == 0


def test_all_charts_show_the_step_under_the_pointer(clean: Page) -> None:
    opened(clean, "simcse")
    clean.evaluate(f"{PLAYER}.clock.jump({PLAYER}.time.last)")
    at(clean, 80)
    alignment = "[data-cell=alignment] .curve-value"
    last = clean.inner_text(alignment)
    box = clean.locator("[data-cell=loss] svg").bounding_box()
    assert box is not None
    clean.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    until(clean, f"{PLAYER}.picture.curves.pointed !== null")
    step = clean.evaluate(f"{PLAYER}.picture.curves.pointed")
    assert 2 < step < 30
    # each chart says the step at which its own value was measured
    words = [
        int(text.removeprefix("step "))
        for text in clean.locator(".curves .cross text").all_text_contents()
    ]
    assert len(words) == 4
    assert words[0] == step
    assert all(0 <= word <= step for word in words)
    assert words[3] % 20 == 0, "the silver score is measured at every 20th step"
    value = clean.evaluate(f"{PLAYER}.records[0].history.value('alignment', {step})")
    assert float(clean.inner_text(alignment)) == pytest.approx(value, abs=1e-3)
    assert clean.inner_text(alignment) != last
    clean.mouse.move(1, 1)
    until_text(clean, alignment, last)
    until_text(clean, ".told", "step 80")
