"""A lock that passes from hand to hand."""

from __future__ import annotations

import threading


class Turns:
    """A lock for a thread that takes it again at once, and others who want it now and then: they get the next turn.

    A bare lock goes back to the thread that has just let it go: waking another takes longer than asking again.
    So whoever waits for this one holds a second lock, the door, and the owner of before has to wait at it.
    """

    def __init__(self) -> None:
        self._door, self._held = threading.Lock(), threading.Lock()

    def __enter__(self) -> None:
        with self._door:
            self._held.acquire()

    def __exit__(self, *_: object) -> None:
        self._held.release()
