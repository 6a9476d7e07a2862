"""The panel's page over real runs: another run next to this one, and curves that are sent on
request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import clwork
from clwork import lab
from clwork.lab.panel.panel import Panel

from ..encoders.conftest import small_encoder
from .kernel_page import KernelPage

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

ROOT = "document.querySelector('.clwork-instrument').instrument"
SERIES = f"{ROOT}.records[0].history.series('effective_rank').values.length"
SCORE = ".clwork-curve[data-cell=validation]"


def panel_of(**settings: Any) -> Panel:
    corpus = clwork.data.sentences("wikipedia-mini")[:64]
    about: dict[str, Any] = {
        "encoder": small_encoder(),
        "steps": 6,
        "batch_size": 8,
        "probe_every": 2,
        **settings,
    }
    return lab.panel("simcse", sentences=corpus, **about)


def trained_panel(**settings: Any) -> Panel:
    """A panel whose run is finished."""
    panel = panel_of(**settings)
    panel.start()
    panel.wait()
    return panel


def test_another_run_is_drawn_next_to_this_one(clean: Page) -> None:
    first = trained_panel(temperature=0.2)
    panel = trained_panel()
    KernelPage(clean, panel, "panel").open()
    clean.wait_for_function(f"{ROOT}?.records[0].probes.length > 1")
    clean.click(".clwork-compare")
    other = f".other[data-id='{first.run.folder}']"
    clean.click(other)
    clean.wait_for_function(f"{ROOT}.records[1]?.probes.length > 1")
    clean.keyboard.press("Escape")
    assert clean.locator(".clwork-cloud").count() == 2
    note = clean.locator(".cloud-note").nth(1).inner_text()
    assert first.run.name in note
    assert "temperature 0.05 → 0.2" in note
    said = [
        part.inner_text()
        for part in clean.locator(".clwork-curve[data-cell=uniformity] .curve-value span").all()
    ]
    expected = [
        f"{run.records()[-1]['uniformity']:.3f}".replace("-", "−") for run in (panel.run, first.run)
    ]
    assert [part.split(" ")[-1] for part in said] == expected, "each curve has its own run's value"

    # a dot: its forces are those of this run, its nearest those of both
    clean.evaluate(f"{ROOT}.choose(3)")
    clean.wait_for_function("document.querySelectorAll('.near-line').length === 2")
    assert [line.inner_text()[0] for line in clean.locator(".near-line").all()] == ["A", "B"]
    clean.wait_for_function(f"{ROOT}.strokes")
    forced = clean.evaluate(f"{ROOT}.picture.clouds.map((cloud) => Boolean(cloud.scene.forces))")
    assert forced == [True, False]

    clean.keyboard.press("Escape")
    clean.click(".clwork-compare")
    clean.click(f"{other}[aria-pressed=true]")
    clean.wait_for_function("document.querySelectorAll('.clwork-cloud').length === 1")


def test_a_curve_is_sent_and_drawn_once_it_is_requested(clean: Page) -> None:
    panel = trained_panel()
    KernelPage(clean, panel, "panel").open()
    clean.wait_for_function(f"{ROOT}?.measurements?.columns.length > 3")
    assert clean.evaluate(SERIES) == 0
    clean.locator(f"{SCORE} select").select_option("effective_rank")
    clean.wait_for_function(f"{SERIES} > 3")
    drawn = clean.evaluate(f"{ROOT}.records[0].history.value('effective_rank', 6)")
    assert drawn == pytest.approx(panel.run.records()[-1]["effective_rank"], rel=1e-5)
    clean.wait_for_function(
        f"document.querySelector('{SCORE} path.line')?.getAttribute('d').split('L').length > 3"
    )
    assert clean.evaluate(f"{ROOT}.records[0].history.series('loss').steps.length") == 6
    panel.close()
