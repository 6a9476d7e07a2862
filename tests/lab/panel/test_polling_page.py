"""A page polls and gets replies; commands are done or refused with a reason; threads push in
addition."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from clwork.lab.page import polling_page
from clwork.lab.page.polling_page import PollingPage

from .client import Client


class Counter(PollingPage):
    """A widget that counts; its page knows a number."""

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

    def _add(self, count: int) -> None:
        if count < 1:
            raise ValueError(f"count={count} is out of range; give 1 or more")
        self.number += count

    commands: ClassVar[Mapping[str, Callable[..., object]]] = {"add": _add}


def test_a_page_gets_only_values_that_it_lacks() -> None:
    widget = Counter()
    page = Client(widget)
    assert page.request() == {"number": 0, "bytes": b"\x01\x02\x00"}
    assert page.request() == {}
    assert page.request("add", count=3)["number"] == 3
    assert widget.own_id == widget.model_id
    other = Client(widget, "test2")
    assert other.request()["number"] == 3, "a page that was reloaded knows nothing"


def test_a_refused_command_gets_an_answer_with_the_reason() -> None:
    widget = Counter()
    page = Client(widget)
    assert page.refused("add", count=0) == "count=0 is out of range; give 1 or more"
    assert widget.number == 0
    assert "no command 'fly'" in page.refused("fly")
    assert "unexpected keyword" in page.refused("add", count=1, much=2)
    widget.number = -1
    assert page.refused("add", count=0).startswith("count=0"), (
        "the command's own reason comes first"
    )
    assert page.request() == {}
    assert "cannot be shown" in page.heard[-1]["refused"]


def test_messages_that_are_no_requests_are_ignored() -> None:
    widget = Counter()
    page = Client(widget)
    for message in (None, "request", {}, {"request": 1}, {"request": 1, "page": "x", "known": 3}):
        widget._receive(None, message, None)
    assert page.sent == []


def test_updates_are_pushed_while_a_cell_blocks_the_kernel(monkeypatch: Any) -> None:
    """A thread pushes only values that the last polling page lacks, and ends when the widget is no
    longer active."""
    monkeypatch.setattr(polling_page, "PUSH_AFTER", 0.05)
    monkeypatch.setattr(polling_page, "PUSH_EVERY", 0.02)
    widget = Counter()
    page = Client(widget)
    widget.going = True
    page.request()
    widget.number = 7
    end = time.monotonic() + 20
    while (
        not any(content["news"].get("number") == 7 for content, _ in page.sent)
        and time.monotonic() < end
    ):
        time.sleep(0.01)
    pushed = [content for content, _ in page.sent if content["answer"] is None]
    assert [content["news"]["number"] for content in pushed if content["news"]] == [7], (
        "pushed once"
    )
    widget.going = False
    while widget._pushing is not None and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(thread.name == "clwork push" for thread in threading.enumerate())


def test_a_polling_page_gets_no_pushes(monkeypatch: Any) -> None:
    monkeypatch.setattr(polling_page, "PUSH_EVERY", 0.02)
    widget = Counter()
    page = Client(widget)
    widget.going = True
    for number in range(10):
        widget.number = number
        page.request()
        time.sleep(0.03)
    assert all(content["answer"] is not None for content, _ in page.sent)
    widget.close()
