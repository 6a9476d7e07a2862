"""A page asks and is answered; commands are done or refused in words; what a thread pushes comes on top."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from clwork.lab.page import polling_page
from clwork.lab.page.polling_page import PollingPage

from .client import Client


class Counter(PollingPage):
    """Counts; a page knows a number."""

    _esm = "export default { render() {} };"

    def __init__(self) -> None:
        self.number, self.going = 0, False
        super().__init__()

    def _update(self, known: Mapping[str, Any]) -> dict[str, Any]:
        if self.number < 0:
            raise ValueError("number=-1 cannot be shown; count upwards")
        news = {"number": self.number, "bytes": bytes([1, 2, self.number])}
        return {} if known.get("number") == self.number else news

    def _known_after(self, known: Mapping[str, Any], news: Mapping[str, Any]) -> dict[str, Any]:
        return {**known, **{name: value for name, value in news.items() if name == "number"}}

    def _active(self) -> bool:
        return self.going

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {"add": self._add, "read": lambda file: setattr(self, "number", len(file))}

    def _add(self, count: int) -> None:
        if count < 1:
            raise ValueError(f"count={count} is out of range; give 1 or more")
        self.number += count


def test_a_page_gets_what_it_lacks_and_nothing_else() -> None:
    widget = Counter()
    page = Client(widget)
    assert page.ask() == {"number": 0, "bytes": b"\x01\x02\x00"}
    assert page.ask() == {}
    assert page.ask("add", count=3)["number"] == 3
    assert widget.own_id == widget.model_id
    other = Client(widget, "test2")
    assert other.ask()["number"] == 3, "a page that was reloaded knows nothing"


def test_a_command_is_refused_in_words_and_answered_all_the_same() -> None:
    widget = Counter()
    page = Client(widget)
    assert page.refused("add", count=0) == "count=0 is out of range; give 1 or more"
    assert widget.number == 0
    assert "no command 'fly'" in page.refused("fly")
    assert "unexpected keyword" in page.refused("add", count=1, much=2)
    widget.number = -1
    assert page.refused("add", count=0).startswith("count=0"), "the command's own reason comes first"
    assert page.ask() == {} and "cannot be shown" in page.heard[-1]["refused"]


def test_what_is_no_question_is_passed_over() -> None:
    widget = Counter()
    page = Client(widget)
    for message in (None, "request", {}, {"request": 1}, {"request": 1, "page": "x", "known": 3}):
        widget._receive(None, message, None)
    assert page.sent == []


def test_bytes_come_back_as_they_were_sent() -> None:
    widget = Counter()
    page = Client(widget)
    message = {"request": 1, "page": "test1", "known": {}, "do": {"name": "read", "file": {"buffer": 0}}}
    widget._receive(None, message, [memoryview(b"twelve bytes")])
    assert widget.number == 12 and page.sent[-1][0]["answer"] == 1


def test_while_a_cell_holds_the_kernel_the_news_are_pushed(monkeypatch: Any) -> None:
    """From a thread, and only what the page that asked last does not know; pushes end with what goes on."""
    monkeypatch.setattr(polling_page, "PUSH_AFTER", 0.05)
    monkeypatch.setattr(polling_page, "PUSH_EVERY", 0.02)
    widget = Counter()
    page = Client(widget)
    widget.going = True
    page.ask()
    widget.number = 7
    end = time.monotonic() + 20
    while not any(content["news"].get("number") == 7 for content, _ in page.sent) and time.monotonic() < end:
        time.sleep(0.01)
    pushed = [content for content, _ in page.sent if content["answer"] is None]
    assert [content["news"]["number"] for content in pushed if content["news"]] == [7], "told once"
    widget.going = False
    while widget._pushing is not None and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(thread.name == "clwork push" for thread in threading.enumerate())


def test_a_page_that_asks_is_not_pushed_to(monkeypatch: Any) -> None:
    monkeypatch.setattr(polling_page, "PUSH_EVERY", 0.02)
    widget = Counter()
    page = Client(widget)
    widget.going = True
    for number in range(10):
        widget.number = number
        page.ask()
        time.sleep(0.03)
    assert all(content["answer"] is not None for content, _ in page.sent)
    widget.close()
