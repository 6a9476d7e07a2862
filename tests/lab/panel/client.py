"""A page in Python: it polls a widget as js/src/shared/channel.js does, and stores the replies."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np

from clwork.lab.page import polling_page

SCHEMA = json.loads(
    Path(polling_page.__file__).with_name("messages.schema.json").read_text(encoding="utf-8")
)


PATIENCE = 400.0  # seconds; a busy two-core machine needs most of them


@cache
def _checker(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"})


def _unpacked(value: Any, buffers: list[bytes]) -> Any:
    if isinstance(value, dict):
        if set(value) == {"buffer"}:
            return buffers[value["buffer"]]
        return {name: _unpacked(part, buffers) for name, part in value.items()}
    return [_unpacked(part, buffers) for part in value] if isinstance(value, list) else value


class Client:
    """Polls ``widget``; all messages of both sides are checked by the schema and are JSON except
    for their buffers.

    Attributes:
        known: the state that the page reports as known; ``films`` holds rows and probes of the
        shown runs by id.
    """

    def __init__(self, widget: Any, name: str = "test1") -> None:
        self.widget, self.name, self.requests = widget, name, 0
        self.known: dict[str, Any] = {}
        self.heard: list[dict[str, Any]] = []
        self.bytes = 0
        self.sent: list[tuple[dict[str, Any], list[bytes]]] = []
        others = vars(widget).get(
            "send", lambda content, buffers: None
        )  # what is sent reaches all pages

        def send(content: dict[str, Any], buffers: list[bytes]) -> None:
            others(content, buffers)
            self.sent.append((content, buffers))

        widget.send = send

    def request(self, command: str | None = None, **more: Any) -> dict[str, Any]:
        """Request new values, with a command or without; return them with the buffers inserted."""
        self.requests += 1
        message: dict[str, Any] = {"request": self.requests, "page": self.name, "known": self.known}
        if command is not None:
            message["do"] = {"name": command, **more}
        _checker("asked").validate(json.loads(json.dumps(message)))
        before = len(self.sent)
        self.widget._receive(None, message, [])
        answers = [
            content for content, _ in self.sent[before:] if content["answer"] == self.requests
        ]
        assert len(answers) == 1
        assert answers[0]["page"] == self.name
        content, buffers = next(one for one in self.sent[before:] if one[0] is answers[0])
        return self._last_request(content, buffers)

    def refused(self, command: str, **more: Any) -> str:
        """The reason why a command was refused; empty if it was done."""
        self.request(command, **more)
        return str(self.heard[-1].get("refused", ""))

    def until(
        self, true: Callable[[dict[str, Any]], object], seconds: float = 120
    ) -> dict[str, Any]:
        """Poll four times a second until the condition holds for the reply."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            news = self.request()
            if true(news):
                return news
            time.sleep(0.25)
        raise AssertionError(f"not within {seconds} s; the last news were {news}")

    def trained(self) -> dict[str, Any]:
        """Press Start and poll until the run has ended; return the last reply."""
        self.request("start")
        return self.until(ended)

    def _last_request(self, content: dict[str, Any], buffers: list[bytes]) -> dict[str, Any]:
        text = json.dumps(content, allow_nan=False)
        _checker("answered").validate(json.loads(text))
        self.bytes += len(text) + sum(map(len, buffers))
        self.heard.append(content)
        news: dict[str, Any] = _unpacked(content["news"], buffers)
        self.known = self.widget._known_after(self.known, news)
        return news


def ended(news: dict[str, Any]) -> bool:
    """Whether no run is active and the last run has ended or failed to start."""
    return not news["state"]["alive"] and (
        news["state"]["status"] != "ready" or news["state"]["trouble"]
    )


def values(rows: dict[str, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """The columns of a table of rows, ``step`` among them."""
    table = np.frombuffer(rows["values"], "<f4").reshape(-1, 1 + len(rows["columns"]))
    return dict(zip(["step", *rows["columns"]], table.T, strict=True))


def until(condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def at_step(page: Client, step: int) -> dict[str, Any]:
    """Poll until the run has done this many steps."""
    return page.until(lambda news: news["state"]["step"] >= step, PATIENCE)


def all_of(panel: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The reply to a new page, and the one run in it."""
    news = Client(panel, "fresh1").request()
    (part,) = news["runs"]
    return news, part
