from __future__ import annotations

import time

from clwork.lab.drawer import PERIOD, SHARE, TRIES, Drawer

COST = 0.01  # seconds that a drawing keeps the processor busy


def test_it_draws_until_told_there_is_no_more() -> None:
    left = [3]

    def draw() -> bool:
        left[0] -= 1
        return left[0] > 0

    drawer = Drawer(draw, lambda error: None)
    drawer.start()
    drawer.join(30)
    assert not drawer.is_alive() and drawer.drawings == 3


def test_costly_drawings_come_less_often() -> None:
    def draw() -> bool:
        end = time.thread_time() + COST
        while time.thread_time() < end:
            pass
        return drawer.drawings < 2

    drawer = Drawer(draw, lambda error: None)
    began = time.perf_counter()
    drawer.start()
    drawer.join(60)
    took = time.perf_counter() - began
    assert COST / SHARE > PERIOD  # guard: it is the cost, not the period, that holds it back
    assert took > 2 * COST / SHARE
    assert drawer.busy / took < 1.6 * SHARE


def test_a_failing_drawing_is_reported_and_given_up_in_the_end() -> None:
    heard: list[str] = []

    def draw() -> bool:
        raise RuntimeError("no paint")

    drawer = Drawer(draw, lambda error: heard.append(str(error)))
    drawer.start()
    drawer.join(60)
    assert not drawer.is_alive() and heard == ["no paint"] * TRIES


def test_it_ends_when_asked() -> None:
    drawer = Drawer(lambda: True, lambda error: None)
    drawer.start()
    drawer.end()
    drawer.join(10)
    assert not drawer.is_alive()
