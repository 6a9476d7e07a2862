"""The previous run is drawn in grey, and another run next to the panel's run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clwork.lab.panel.panel import Panel

from .client import Client

Make = Callable[..., tuple[Panel, Client]]


def others(page: Client) -> list[dict[str, Any]]:
    """Request the list of runs to compare with."""
    page.request("list_runs")
    page.until(
        lambda _: any("runs" in news["news"].get("comparable", {}) for news in page.heard[-3:])
    )
    (*_, listed) = [
        news["news"]["comparable"]["runs"]
        for news in page.heard
        if "runs" in news["news"].get("comparable", {})
    ]
    return list(listed)


def test_another_run_is_listed_chosen_and_drawn_next_to_the_panels_own(make: Make) -> None:
    panel, page = make(steps=4)
    page.trained()
    first = panel.run
    page.request("set", setting="temperature", value="0.5")
    page.trained()
    listed = others(page)
    assert str(panel.run.folder) not in [one["id"] for one in listed], "it is there already"
    (former,) = [one for one in listed if one["id"] == str(first.folder)]
    assert "τ = 0.05" in former["differs"]
    assert former["status"] == "finished"
    assert former["scores"][0][0] == "loss"
    assert float(former["scores"][0][1]) > 0
    assert {"recorded:dclr", "recorded:simcse"} <= {one["id"] for one in listed}

    for run in ("nowhere", "recorded:nothing"):
        assert run.removeprefix("recorded:") in page.refused("compare", run=run)
        assert len(panel.sources) == 1
    for chosen, changes in (
        ("recorded:gclsr", "GCLSR"),
        (str(first.folder), "temperature 0.5 → 0.05"),
    ):
        shown, other = page.request("compare", run=chosen)["runs"]
        assert (shown["id"], other["id"]) == (str(panel.run.folder), chosen)
        assert other["changes"] == changes
        assert other["probes"]
        assert other["rows"]["upto"] >= 4
        assert "probes" not in page.request()["runs"][1], "once"
        assert len(page.request("compare", run="")["runs"]) == 1

    page.request("compare", run=str(first.folder))
    parent = panel.run
    page.request("fork", step=4)
    page.until(lambda news: panel.run is not parent and not panel.run.alive)
    assert [part["id"] for part in page.request()["runs"]] == [
        str(panel.run.folder),
        str(first.folder),
    ]
    page.trained()
    assert [part["id"] for part in page.request()["runs"]] == [
        str(panel.run.folder),
        str(first.folder),
    ]
    assert any(
        one.get("fork", "").startswith(f"fork of {parent.name} at step") for one in others(page)
    )
