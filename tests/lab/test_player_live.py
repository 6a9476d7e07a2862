"""The player of a run at work: what it sends, and what it answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import data, lab
from clwork.lab.instrument.sources import RunSource
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


class Asker:
    """A page: it asks with what it knows, and keeps what comes."""

    def __init__(self, player: LivePlayer) -> None:
        self.player, self.known, self.asked = player, dict[str, Any](), 0
        self.answers: list[dict[str, Any]] = []
        player.send = lambda content, buffers: self.answers.append(content)

    def ask(self, **command: Any) -> dict[str, Any]:
        """The answer's news."""
        self.asked += 1
        message = {"ask": self.asked, "page": "abcd", "known": self.known}
        self.player._take(self.player, {**message, **({"do": command} if command else {})})
        answer: dict[str, Any] = next(told for told in reversed(self.answers) if told["answer"] == self.asked)
        self.known = self.player._known_after(self.known, answer["news"])
        return answer


def test_a_run_is_followed_from_before_its_first_look_to_its_end(run: clwork.Run, corpus: data.Sentences) -> None:
    player = lab.player(run)
    assert isinstance(player, LivePlayer)
    page = Asker(player)
    got, statuses = list[int](), list[str]()
    while not statuses or statuses[-1] in ("waiting", "running"):
        (part,) = page.ask()["news"]["runs"]
        got += [look["step"] for look in part.get("looks", ())]
        statuses.append(part["status"])
        time.sleep(0.05)
    assert got == [look["step"] for look in run.positions.rows()] and got[-1] == LAST, "nothing twice, nothing left out"
    assert statuses[-1] == "finished"
    page.known = {}  # a page that was reloaded
    (part,) = page.ask()["news"]["runs"]
    assert len(part["looks"]) == LAST + 1 and part["head"]["texts"] == player.data[0]["texts"]
    assert part["head"]["labels"] is not None and part["head"]["own"] is None
    player._take(player, {"ask": 1, "page": "abcd", "known": "all"})
    player._take(player, {})
    player.close()


def test_a_run_at_work_can_be_saved_as_a_page(run: clwork.Run, tmp_path: Path) -> None:
    player = LivePlayer([run], [RunSource(run)])
    run.wait(400)
    assert run.name in player.save(tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="is a folder"):
        player.save(tmp_path)


def test_labels_that_do_not_fit_are_said_on_the_page(run: clwork.Run) -> None:
    player = LivePlayer([run], [RunSource(run)], labels=["one"])
    run.wait(400)
    page = Asker(player)
    assert "1 label for" in page.ask()["refused"]


def test_a_finished_run_and_its_folder_are_the_same_page(run: clwork.Run) -> None:
    run.wait(400)
    here, there = lab.player(run), lab.player(Path(run.folder))
    assert here.data == there.data and len(here.data[0]["looks"]) == LAST + 1
    assert lab.player(str(run.folder), here.data[0]).data[1] == here.data[0], "what a page holds is a recording, too"
