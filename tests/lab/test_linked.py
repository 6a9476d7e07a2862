"""Linked clouds: the widget gets every picture, text and neighbour; a still picture stands in where it must."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest

from clwork import lab, metrics
from clwork.lab import linked_live


@pytest.fixture
def clouds() -> dict[str, Any]:
    random = np.random.default_rng(0)
    return {"narrow": random.standard_normal((30, 4)), "wide": random.standard_normal((30, 9))}


TEXTS = [f"sentence {row}" for row in range(30)]


def test_it_holds_pictures_texts_and_neighbours(clouds: dict[str, Any]) -> None:
    widget = lab.linked(clouds, TEXTS, ["a", "b"] * 15, neighbours=2)
    assert widget.names == ["narrow", "wide"] and widget.texts == TEXTS and widget.chosen == []
    assert [len(trace["x"]) for trace in widget.data[:2]] == [30, 30]
    assert all(isinstance(trace["x"], list) for trace in widget.data[:4]), "the script looks points up by their number"
    assert widget.near[1] == metrics.nearest(clouds["wide"], k=2).rows.tolist()
    assert widget.axes["dragmode"] == "select" and widget.axes["width"] > 500
    assert "narrow, wide" in widget.label


def test_both_scripts_become_one() -> None:
    text = linked_live.script()
    assert text.count("export default {") == 1 and "render: renderLinked" in text
    assert text.index("function render(") < text.index("function renderLinked(")


def test_a_changed_live_js_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linked_live, "LIVE_ENDS", "export default nothing;")
    with pytest.raises(RuntimeError, match="export default nothing"):
        linked_live.script()


def test_rows_must_fit(clouds: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="'texts': 3, 'narrow': 30"):
        lab.linked(clouds, TEXTS[:3])
    many = np.random.default_rng(0).standard_normal((501, 3))
    with pytest.raises(ValueError, match="at most 500"):
        lab.linked({"a": many}, ["x"] * 501)


def test_without_anywidget_there_is_a_still_picture(monkeypatch: pytest.MonkeyPatch, clouds: dict[str, Any]) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name.endswith("linked_live"):
            raise ImportError("No module named 'anywidget'")
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert lab.linked(clouds, TEXTS).value.startswith("<svg")
