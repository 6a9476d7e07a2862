"""From the recorded run through a new run and a fork dots keep their sentence and move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clwork import lab

from .panel_stub import ROOT, opened, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
DOTS = f"[...{ROOT}.picture.clouds[0].at]"
IS_STILL = f"!{ROOT}.picture.clouds[0].move && !{ROOT}.clock.goal && !{ROOT}.clock.playing"
# Follows the dots from frame to frame; the longest way of any dot in one frame, in pixels.
WATCH = f"""() => {{
  const page = {ROOT};
  const watched = {{ frames: 0, longest: 0 }};
  let last = null;
  const paint = page.picture.clouds[0].painter.paint;
  page.picture.clouds[0].painter.paint = function (place) {{
    const at = this.cloud.at;
    if (last?.length === at.length) {{
      watched.frames++;
      for (let i = 0; i < at.length; i += 2)
        watched.longest = Math.max(
          watched.longest, Math.hypot(at[i] - last[i], at[i + 1] - last[i + 1]));
    }}
    last = at.slice();
    return paint.call(this, place);
  }};
  window.watched = watched;
}}"""


def test_no_dot_jumps_from_a_recorded_run_to_a_new_one_and_a_fork(clean: Page) -> None:
    panel = lab.panel("simcse", steps=4, probe_every=1, keep_every=2, batch_size=4)
    opened(clean, panel)
    until(clean, f"{ROOT}.records[0].probes.length && {ROOT}.view === 'umap'")
    clean.evaluate(f"{ROOT}.clock.jump(0)")
    until(clean, IS_STILL)
    recorded = clean.evaluate(DOTS)
    clean.evaluate(WATCH)
    clean.click(".clwork-start")
    until(clean, f"!{ROOT}.records[0].recorded && {ROOT}.records[0].steps.length === 5")
    until(clean, IS_STILL)
    assert clean.evaluate("watched.longest") < longest_way(recorded)
    assert "umap" not in panel._computed, "UMAP compiles: not while a run starts"
    assert clean.evaluate(f"{ROOT}.view") == "umap", "the run begins on the recorded run's map"
    # a fork of a run that still validates asks first
    until(clean, f"{ROOT}.runState.status === 'finished'")
    first_run = clean.evaluate(f"{ROOT}.records[0].id")
    clean.evaluate(f"{ROOT}.clock.jump({ROOT}.time.t(2)), {ROOT}.moved()")
    until(clean, "document.querySelector('.clwork-fork').ariaDisabled === 'false'")
    clean.evaluate("watched.longest = 0")
    clean.click(".clwork-fork")
    until(clean, f"{ROOT}.records[0].id !== {first_run!r} && {ROOT}.records[0].last === 4")
    until(clean, IS_STILL)
    assert clean.evaluate("watched.longest") < longest_way(recorded)
    assert clean.evaluate(f"{ROOT}.view") == "umap"


def longest_way(dots: list[float]) -> float:
    """A third of the cloud's width: no dot may go as far in one frame."""
    return (max(dots[::2]) - min(dots[::2])) / 3


def test_dots_move_between_pca_and_umap_unless_motion_is_unwanted(clean: Page) -> None:
    clean.set_content(lab.player("simcse").html)
    until(clean, f"{ROOT}.view === 'umap'")
    until(clean, IS_STILL)
    ends = {}
    for view in ("pca", "umap"):
        clean.evaluate(WATCH)
        clean.click(f"[data-tab={view}]")
        until(clean, f"watched.frames > 1 && {IS_STILL}")
        ends[view] = clean.evaluate(DOTS)
        assert clean.evaluate("watched.frames") > 5
    way = max(abs(one - two) for one, two in zip(ends["pca"], ends["umap"], strict=True))
    assert clean.evaluate("watched.longest") < way, "in several frames"
    clean.emulate_media(reduced_motion="reduce")
    clean.click("[data-tab=pca]")
    clean.wait_for_timeout(50)
    assert clean.evaluate(DOTS) == pytest.approx(ends["pca"])
