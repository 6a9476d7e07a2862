"""A run beside the panel's own: the list to choose from, and what the page then gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clwork.lab import Panel

from .client import Client

Make = Callable[..., tuple[Panel, Client]]


def others(page: Client) -> list[dict[str, Any]]:
    """Ask for the runs to choose from."""
    page.ask("others")
    page.until(lambda _: any("runs" in news["news"].get("others", {}) for news in page.heard[-3:]))
    (*_, listed) = [news["news"]["others"]["runs"] for news in page.heard if "runs" in news["news"].get("others", {})]
    return list(listed)


def two_runs(make: Make) -> tuple[Panel, Client, Any]:
    """A panel that has done two runs, its page, and the first run."""
    panel, page = make(steps=4)
    page.trained()
    first = panel.run
    page.ask("set", setting="temperature", value="0.5")
    page.trained()
    return panel, page, first


def test_runs_are_listed_by_what_they_differ_in_and_then_the_recorded_ones(make: Make) -> None:
    panel, page, first = two_runs(make)
    listed = others(page)
    assert str(panel.run.folder) not in [one["id"] for one in listed], "it is there already"
    (former,) = [one for one in listed if one["id"] == str(first.folder)]
    assert "τ = .05" in former["differs"] and former["status"] == "finished"
    assert former["scores"][0][0] == "loss" and float(former["scores"][0][1]) > 0
    assert {"recorded:dclr", "recorded:simcse"} <= {one["id"] for one in listed}


@pytest.mark.parametrize("recorded", [False, True])
def test_the_run_beside_comes_whole_and_goes_again(make: Make, recorded: bool) -> None:
    panel, page, first = two_runs(make)
    others(page)
    chosen = "recorded:gclsr" if recorded else str(first.folder)
    shown, beside = page.ask("beside", run=chosen)["runs"]
    assert (shown["id"], beside["id"]) == (str(panel.run.folder), chosen)
    assert beside["head"]["changes"] == ("GCLSR" if recorded else "temperature 0.5 → 0.05")
    assert beside["looks"] and beside["rows"]["upto"] >= 4
    assert "looks" not in page.ask()["runs"][1], "once"
    assert len(page.ask("beside", run="")["runs"]) == 1


def test_the_next_run_is_compared_with_the_same_one(make: Make) -> None:
    panel, page, first = two_runs(make)
    page.ask("beside", run=str(first.folder))
    page.trained()
    assert [part["id"] for part in page.ask()["runs"]] == [str(panel.run.folder), str(first.folder)]


def test_a_fork_is_listed_as_one(make: Make) -> None:
    panel, page, _ = two_runs(make)
    parent = panel.run
    page.ask("fork", step=4)
    page.until(lambda news: panel.run is not parent and not panel.run.alive)
    page.trained()
    listed = others(page)
    assert any(one.get("fork", "").startswith(f"fork of {parent.name} at step") for one in listed)


@pytest.mark.parametrize("run", ["nowhere", "recorded:nothing"])
def test_what_is_no_run_is_refused_and_nothing_changes(make: Make, run: str) -> None:
    panel, page = make(steps=2)
    page.trained()
    page.ask("beside", run=run)
    assert run.removeprefix("recorded:") in page.heard[-1]["refused"]
    assert len(panel.sources) == 1
