"""The player of a run at work: what it sends, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import data, lab
from clwork.lab.player.live_run import LivePlayer

LAST = 6


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[clwork.Run]:
    """A run that is held after its first steps."""
    corpus = clwork.data.sentences("wikipedia-mini")[:160]
    asked: dict[str, Any] = {"encoder": "mini", "steps": LAST, "batch_size": 8, "probe_every": 1, "seed": 0}
    begun = clwork.start("simcse", sentences=corpus, folder=tmp_path_factory.mktemp("run") / "one", **asked)
    yield begun
    begun.stop()
    begun.wait(400)


def ended(player: Any) -> None:
    """Wait until all is sent."""
    player._drawing.wait(400)


def test_a_run_is_followed_from_before_its_first_look_to_its_end(run: clwork.Run, corpus: data.Sentences) -> None:
    player = lab.player(run)
    assert isinstance(player, LivePlayer)
    sent: list[dict[str, Any]] = []
    player.feed.observe(lambda change: sent.append(change["new"]), names="news")
    run.wait(400)
    ended(player)
    begun = [one["films"] for one in sent if "films" in one]
    films = begun[0] if begun else player.runs
    got = [look["step"] for look in films[0]["looks"]]
    for one in sent:
        for news in one.get("runs", ()):
            assert news["after"][0] == got[-1], "nothing is left out and nothing comes twice"
            got += [look["step"] for look in news["looks"]]
    assert got == [look["step"] for look in run.positions.rows()] and got[-1] == LAST
    assert sent[-1]["runs"][0]["status"] == "finished"

    player._answer(None, {"ask": "more", "known": [[2, 3]], "umap": False}, [])
    answer = player.feed.news["runs"][0]
    assert [look["step"] for look in answer["looks"]] == [3, 4, 5, 6]
    assert [row["step"] for row in answer["rows"]] == [4, 5, 6]
    player._answer(None, {"ask": "more", "known": []}, [])  # of a page that was reloaded before it had a film
    assert player.feed.news["films"][0]["texts"] == player.data[0]["texts"]
    player._answer(None, {"ask": "more", "known": "all"}, [])
    player._answer(None, {}, [])
    player.close()


def test_a_finished_run_and_its_folder_are_the_same_page(run: clwork.Run) -> None:
    run.wait(400)
    here, there = lab.player(run), lab.player(Path(run.folder))
    assert here.data == there.data and len(here.data[0]["looks"]) == LAST + 1
    assert lab.player(str(run.folder), here.data[0]).data[1] == here.data[0], "what a page holds is a recording, too"
