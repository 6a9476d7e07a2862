"""The player's page in a browser without a kernel: it plays, steps, and preserves the selection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clwork import lab
from clwork.lab.panel.recorded import checked_recording, coordinates
from clwork.lab.player_view import about

from ..lab.synthetic_recordings import recording
from .conftest import page_without_errors
from .panel_stub import Follower, Played, until
from .panel_stub import opened as live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
PLAYER = "document.querySelector('.clwork-instrument').instrument"
VALUE = "document.querySelector('.time').getAttribute('aria-valuetext')"
AT_REST = f"!{PLAYER}.clock.playing && !{PLAYER}.clock.goal"
LAST = 110


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on which any error fails the test."""
    with page_without_errors(browser, 120_000) as page:
        yield page


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
              if (b !== a) least = Math.min(least, (at[2*a] - at[2*b]) ** 2 + (at[2*a+1] - at[2*b+1]) ** 2);
            gaps.push(least);
          }}
          return gaps.indexOf(Math.max(...gaps));
        }}"""
    )
    return row


def test_the_drawn_positions_equal_the_recorded_ones(page: Page) -> None:
    made = recording()
    points = coordinates(checked_recording(made))
    opened(page, made)
    for index in (0, 5, 11):
        page.evaluate(f"{PLAYER}.clock.jump({index})")
        shown = np.array(page.evaluate(f"{PLAYER}.positions()")).reshape(-1, 2)
        assert np.abs(shown - points[index][:, :2]).max() < 1e-4
    page.evaluate(f"{PLAYER}.clock.jump(2.5)")
    shown = np.array(page.evaluate(f"{PLAYER}.positions()")).reshape(-1, 2)
    assert np.abs(shown - (points[2] + points[3])[:, :2] / 2).max() < 1e-4, (
        "half-way between two probes"
    )


def test_two_runs_share_time_hover_and_selection(page: Page) -> None:
    one, two = recording(), recording(seed=3, pull=0.3, probes=9, every=5, name="other")
    two = two | {
        "texts": two["texts"][::-1],
        "labels": two["labels"][::-1],
    }  # the same sentences in another order
    opened(page, one, two)
    row = isolated_row(page)
    other = two["texts"].index(one["texts"][row])
    page.mouse.move(*dot(page, row))
    until(page, f"{PLAYER}.picture.clouds[1].scene.hover === {other}")
    page.mouse.click(*dot(page, row))
    page.mouse.move(5, 5)
    page.focus(".time")  # on the cloud arrow keys go from dot to dot
    for step in (5, 10, 15):
        page.keyboard.press("ArrowRight")
        at(page, step)
    rows = page.evaluate(f"{PLAYER}.picture.clouds.map((cloud) => cloud.scene.chosen[0])")
    assert rows == [row, other]
    titles = page.locator(".list-title").all_inner_texts()
    assert titles == ["A at step 0", "A now, step 10", "B at step 0", "B now, step 15"]
    assert (
        page.locator(".movers-title").inner_text().startswith("Biggest movers: nearest in A → in B")
    )
    moved = page.locator(".mover").first
    moved.click()
    assert page.evaluate(
        f"{PLAYER}.records[0].texts[{PLAYER}.selection.chosen[0]]"
    ) == moved.get_attribute("title")
    points = [coordinates(checked_recording(made)) for made in (one, two)]
    shown = [np.array(page.evaluate(f"{PLAYER}.positions({run})")).reshape(-1, 2) for run in (0, 1)]
    assert np.abs(shown[0] - (points[0][1] + points[0][2])[:, :2] / 2).max() < 1e-4, (
        "step 15 of A is between probes"
    )
    assert np.abs(shown[1] - points[1][3][:, :2]).max() < 1e-4


def test_an_active_run_grows_in_the_player(page: Page) -> None:
    played = Played("simcse", 1)
    follower = Follower([played], about=about(1))
    kernel = live(page, follower)
    assert "first probe" in page.inner_text(".run-said")
    assert kernel.requests[0]["known"]["runs"] == [
        {"id": "", "probe": -1, "row": 0, "verdict": -1, "columns": []}
    ]
    played.now = 20
    until(page, f"{PLAYER}.picture.clouds[0].at.length > 0 && {PLAYER}.step === 20")
    assert "running" in page.inner_text(".run-stand") and page.inner_text(".run-said") == ""
    played.now = 40
    at(page, 40)
    page.click(
        "[aria-label='one probe back']"
    )  # the reader goes back one probe, and the page stays there
    until(page, AT_REST)
    there = page.evaluate(f"{PLAYER}.step")
    played.now = 60
    until(page, f"{PLAYER}.records[0].steps.at(-1) === 60")
    assert page.evaluate(f"{PLAYER}.step") == there < 40
    page.click(".live")
    at(page, 60)
    played.now, played.ended = 80, "finished"
    until(page, "document.querySelector('.run-stand').textContent.includes('finished')")
    at(page, 80)
    page.evaluate("end()")
    assert page.locator(".clwork-instrument").count() == 0
