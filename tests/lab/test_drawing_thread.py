from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
import torch

from clwork.lab.page import drawing_thread as module
from clwork.lab.page.drawing_thread import LONGEST, PERIOD, SHARE, TRIES, DrawingThread

COST, MUCH = 0.003, 0.05  # seconds that a drawing keeps the processor busy


def test_it_takes_no_second_core_from_a_run() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    seen: list[int] = []

    def draw() -> bool:
        seen.append(torch.get_num_threads())
        return False

    try:
        drawer = DrawingThread(draw, lambda error: None)
        drawer.start()
        drawer.join(30)
        elsewhere = threading.Thread(target=lambda: seen.append(torch.get_num_threads()))
        elsewhere.start()
        elsewhere.join(30)
        assert [*seen, torch.get_num_threads()] == [1, 2, 2]
    finally:
        torch.set_num_threads(before)


class Sleepless(DrawingThread):
    """Notes how long it was to rest, with what it had cost until then, and goes on at once."""

    def __init__(self, draw: Callable[[], bool], begin: Callable[[], bool] = lambda: True) -> None:
        super().__init__(draw, lambda error: None, begin)
        self.rests: list[tuple[float, float]] = []

    def rest(self, seconds: float) -> None:
        self.rests.append((seconds, self.busy))


@pytest.mark.parametrize("cost", [COST, MUCH])
def test_costly_drawings_come_less_often_and_never_too_seldom(cost: float) -> None:
    def draw() -> bool:
        end = time.thread_time() + cost
        while time.thread_time() < end:
            pass
        return drawer.drawings < 3

    drawer = Sleepless(draw)
    drawer.start()
    drawer.wait(60)
    busy = [0.0, *(busy for _, busy in drawer.rests)]
    costs = [after - before for before, after in pairwise(busy)]
    assert len(costs) == 3 and min(costs) >= cost
    for (rest, _), spent in zip(drawer.rests, costs, strict=True):
        assert rest == pytest.approx(min(max(PERIOD, spent / SHARE), LONGEST))
    assert PERIOD < COST / SHARE < LONGEST < MUCH / SHARE, "the guard: one is held back by its cost, one by the limit"


def test_what_comes_before_the_first_drawing_rations_none_and_can_end_it() -> None:
    def begin() -> bool:
        end = time.thread_time() + MUCH
        while time.thread_time() < end:
            pass
        return begins.pop()

    begins = [False, True]
    drawer = Sleepless(lambda: drawer.drawings < 1, begin)
    drawer.start()
    drawer.wait(60)
    assert drawer.rests[0][0] == PERIOD and drawer.busy < MUCH and drawer.drawings == 2
    refused = Sleepless(lambda: True, begin)
    refused.start()
    refused.wait(60)
    assert refused.drawings == 0 and not refused.going


def test_a_failing_drawing_is_reported_and_given_up_in_the_end() -> None:
    heard: list[str] = []

    def draw() -> bool:
        raise RuntimeError("no paint")

    drawer = DrawingThread(draw, lambda error: heard.append(str(error)))
    drawer.start()
    drawer.join(60)
    assert not drawer.is_alive() and heard == ["no paint"] * TRIES


def test_it_ends_when_asked_also_in_the_middle_of_a_long_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PERIOD", 3600.0)
    drawn = threading.Event()

    def draw() -> bool:
        drawn.set()
        return True

    drawer = DrawingThread(draw, lambda error: None)
    drawer.start()
    assert drawn.wait(60)
    drawer.end()
    drawer.join(60)
    assert not drawer.is_alive() and drawer.drawings == 1


def test_a_touch_is_answered_however_seldom_pictures_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SHARE", 1e-9)  # the next drawing would be due in years
    monkeypatch.setattr(module, "PERIOD", 1e6)
    drawn = threading.Semaphore(0)

    def draw() -> bool:
        drawn.release()
        return drawer.drawings < 2

    drawer = DrawingThread(draw, lambda error: None)
    drawer.start()
    assert drawn.acquire(timeout=60)
    for _ in range(2):
        assert drawer.going
        drawer.request_redraw()
        assert drawn.acquire(timeout=60)
    drawer.wait(60)
    assert drawer.drawings == 3 and not drawer.going
