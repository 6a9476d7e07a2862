"""The run before is drawn in grey, and what changed is told in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clwork.lab import Panel
from clwork.lab.instrument.previous import Previous, changes

from .client import Client, all_of, values

Make = Callable[..., tuple[Panel, Client]]


def test_each_run_becomes_the_shadow_of_the_next(make: Make) -> None:
    panel, page = make(steps=4, temperature=0.05)
    assert "ghost" not in page.ask(), "the recorded run is the one that is drawn"
    page.trained()
    first = panel.run
    news, part = all_of(panel)
    assert (news["ghost"]["id"], news["ghost"]["name"]) == ("recorded:simcse", "recorded run")
    assert "steps 80 → 4; batch size 64 → 8" in part["head"]["changes"]
    page.ask("set", setting="temperature", value="0.1")
    page.trained()
    assert panel.run.status == "finished" and panel.run is not first
    news, part = all_of(panel)
    grey = values(news["ghost"]["rows"])
    assert grey["step"].tolist() == [0, 1, 2, 3, 4] and news["ghost"]["name"] == first.name
    assert [round(float(loss), 5) for loss in grey["loss"][1:]] == [round(r["loss"], 5) for r in first.records()[1:]]
    assert (grey["uniformity"] < 0).sum() >= 2, "its way through the plane"
    assert "temperature 0.05 → 0.1" in part["head"]["changes"]


def test_settings_that_differ_are_told_and_no_others() -> None:
    old: dict[str, Any] = {"steps": 3, "temperature": 0.05, "pooling": "cls", "gone": 1}
    new = {"steps": 3, "temperature": 0.1 + 0.2, "pooling": "mean", "new": 1}
    assert changes(old, new) == ["temperature 0.05 → 0.3", "pooling cls → mean"]
    assert changes(old, dict(old)) == []
    nothing: Any = None
    assert Previous().changes(nothing) == "" and Previous().id == ""
