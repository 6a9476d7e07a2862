"""What travels from the kernel: numbers as binary buffers, never as base64 in JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import comm
import numpy as np
import plotly.graph_objects as go
import pytest
from comm.base_comm import BaseComm

from clwork.lab import Panel
from clwork.lab.page.live_figure import LiveFigure
from clwork.recordings import recording

PROGRAMS = ("_esm", "_css", "source")  # traits that hold a script
LONG_BASE64 = re.compile(r"[A-Za-z0-9+/]{64,}")
Message = tuple[dict[str, Any], list[bytes]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Message]]:
    """All messages of the widgets that a test makes, JSON and buffers."""
    messages: list[Message] = []

    class Recorder(BaseComm):
        def publish_msg(
            self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any
        ) -> None:
            messages.append((data or {}, [bytes(buffer) for buffer in buffers or ()]))

    monkeypatch.setattr(comm, "create_comm", Recorder)
    yield messages


def base64_in(value: Any) -> list[str]:
    """Strings of a message that look like base64, scripts left out."""
    if isinstance(value, dict):
        return [text for key, part in value.items() if key not in PROGRAMS for text in base64_in(part)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in base64_in(part)]
    return [value[:80]] if isinstance(value, str) and LONG_BASE64.search(value) else []


def check(messages: list[Message], buffers: int) -> None:
    """No base64, and at least so many buffers instead."""
    assert [text for data, _ in messages for text in base64_in(data)] == []
    assert sum(len(held) for _, held in messages) >= buffers


def test_a_panel_and_its_run_send_buffers(sent: list[Message], make_panel: Callable[..., Panel]) -> None:
    held = recording("simcse")["looks"][0]
    assert base64_in({"state": {"looks": [held]}}) == [held["at"][:80], held["near"][:80]], "the check knows base64"
    assert base64_in({"source": held["at"], "_dom_classes": ["clwork-figure", "DescriptionStyleModel"]}) == []
    panel = make_panel(steps=6, probe_every=1)
    panel._receive(None, {"ask": 1, "page": "test1", "known": {}}, [])  # the page's first question
    panel.start()
    panel.wait(400)
    panel._receive(None, {"ask": 2, "page": "test1", "known": {}}, [])
    told = [data["content"]["news"] for data, _ in sent if data.get("method") == "custom"]
    looks = [look for news in told for part in news["runs"] for look in part.get("probes", [])]
    assert len(looks) > 14 and all(set(look["at"]) == {"buffer"} for look in looks), "places are in a buffer"
    check(sent, 40)


def test_a_matrix_is_a_buffer_that_keeps_its_shape(sent: list[Message]) -> None:
    values = np.random.default_rng(0).normal(size=(30, 20))
    matrix = LiveFigure(go.Figure(go.Heatmap(z=values), {"width": 300, "height": 200}), "a matrix")
    check(sent, 1)
    shown = matrix.widget.data[0]["z"]
    assert np.array_equal(np.frombuffer(shown["bdata"], shown["dtype"]).reshape(values.shape), values)
