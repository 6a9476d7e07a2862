"""The player of an active run: its messages and replies."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import clwork
from clwork import data, lab
from clwork.lab.player_view import LivePlayer

from .conftest import SHORT
from .panel.client import Client

LAST = 6


def test_a_run_is_followed_from_before_its_first_probe_to_its_end(corpus: data.Sentences) -> None:
    settings = {**SHORT, "steps": LAST, "probe_every": 1}
    run = clwork.start("simcse", sentences=corpus, **settings)
    player = lab.player(run)
    assert isinstance(player, LivePlayer)
    page = Client(player)
    got, statuses = list[int](), list[str]()
    while not statuses or statuses[-1] in ("waiting", "running"):
        (part,) = page.request()["runs"]
        got += [probe["step"] for probe in part.get("probes", ())]
        statuses.append(part["status"])
        time.sleep(0.05)
    assert got == [probe["step"] for probe in run.positions.rows()] and got[-1] == LAST, (
        "each probe once"
    )
    assert statuses[-1] == "finished"
    page.known = {}  # a page that was reloaded
    (part,) = page.request()["runs"]
    assert len(part["probes"]) == LAST + 1 and part["head"]["texts"] == player.data[0]["texts"]
    assert part["head"]["labels"] is not None and part["head"]["own"] is None
    player.close()


def test_a_run_can_be_saved_as_a_page(trained: clwork.Run, tmp_path: Path) -> None:
    player = LivePlayer([trained])
    assert trained.name in player.save(tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="is a folder"):
        player.save(tmp_path)
    labelled = Client(LivePlayer([trained], ["one"]))
    labelled.request()
    assert "1 label for" in labelled.heard[-1]["refused"]
