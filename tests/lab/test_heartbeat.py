"""The panel beats while a run goes on, so that the page can tell a dead kernel from a quiet one."""

from __future__ import annotations

import pytest

from clwork.lab.page import heartbeat
from clwork.lab.page.heartbeat import Heartbeat


def test_it_beats_at_work_and_rests_after(monkeypatch: pytest.MonkeyPatch) -> None:
    beating = Heartbeat()
    beat = beating.box.beat
    beating.tell(False)
    assert (beat.count, beat.at_work) == (0, False), "at rest nothing is sent"
    beating.tell(True)
    beating.tell(True)
    assert (beat.count, beat.at_work) == (1, True), "seldom"
    monkeypatch.setattr(heartbeat, "EVERY", -1.0)
    beating.tell(True)
    beating.tell(True)
    assert beat.count == 3, "and again and again"
    beating.tell(False)
    assert (beat.count, beat.at_work) == (4, False)


@pytest.mark.usefixtures("without_anywidget")
def test_without_anywidget_a_panel_does_without() -> None:
    beating = Heartbeat()
    beating.tell(True)
    assert beating.box.value == ""
