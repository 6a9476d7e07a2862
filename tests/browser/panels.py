"""Helpers of the browser tests that read and operate a panel's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .jupyterlab import until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PANEL = ".clwork-instrument.panel"
# Rows with a loss and events of the user's run, not of the recorded run that is shown before it.
POINTS = """panel => {
    const record = panel.instrument?.records[0];
    return record && !record.recorded ? record.history.series('loss').steps.length : 0;
}"""
EVENTS = "panel => panel.instrument.records[0].history.events.map(({ words }) => words).join('|')"
# The marks on the loss curve; a change of a control appears before a row reports it.
MARKS = """panel => [...panel.querySelectorAll('.clwork-curve[data-cell=loss] .event title')]
    .map(title => title.textContent).join('|')"""
STATE = "panel => panel.querySelector('.state-text').textContent"
PLACES = "panel => panel.instrument.records[0].recorded ? [] : [...panel.instrument.positions()]"


def knob(panel: Locator, name: str) -> Locator:
    """The element of a setting."""
    return panel.locator(f".clwork-knob[data-name={name}]").first


def box(panel: Locator, name: str) -> Locator:
    """The input field of a setting."""
    return knob(panel, name).locator(".knob-box")


def begin(panel: Locator) -> None:
    """Press Start."""
    start = panel.locator(".clwork-start")
    start.scroll_into_view_if_needed()
    start.click()


def move(page: Page, panel: Locator, name: str) -> str:
    """Move a control three steps up by keyboard; return the value that it then shows."""
    before = box(panel, name).input_value()
    box(panel, name).focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    settled = f"panel => panel.instrument.layout.knobs.knobs.get('{name}').busy === 0"
    until(panel, settled, bool)
    after = box(panel, name).input_value()
    assert after != before, "the number does not react"
    return after
