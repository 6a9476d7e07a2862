"""The panel beats while a run goes on, so that the page can tell a dead kernel from a quiet one."""

from __future__ import annotations

import pytest

from clwork.lab.panel import heartbeat
from clwork.lab.panel.heartbeat import Heartbeat


def test_it_beats_at_work_and_rests_after(monkeypatch: pytest.MonkeyPatch) -> None:
    beating = Heartbeat()
    beat = beating.box.feed
    beating.beat(False)
    assert (beat.count, beat.at_work) == (0, False), "at rest nothing is sent"
    beating.beat(True)
    beating.beat(True)
    assert (beat.count, beat.at_work) == (1, True), "seldom"
    monkeypatch.setattr(heartbeat, "EVERY", -1.0)
    beating.beat(True)
    beating.beat(True)
    assert beat.count == 3, "and again and again"
    beating.beat(False)
    assert (beat.count, beat.at_work) == (4, False)


@pytest.mark.usefixtures("without_anywidget")
def test_without_anywidget_a_panel_does_without() -> None:
    beating = Heartbeat()
    beating.beat(True)
    assert beating.box.value == ""
