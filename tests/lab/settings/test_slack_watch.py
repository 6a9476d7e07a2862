"""A limit that limits nothing is found beside the page: by a batch before a run, by the record while it goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import clwork
from clwork import Run
from clwork.lab.settings import slack_watch
from clwork.lab.settings.inputs import Inputs
from clwork.lab.settings.settings import RunSettings
from clwork.lab.settings.slack_watch import SlackWatch
from clwork.training.forces import one_step

from ...encoders.conftest import write_tiny

pytestmark = pytest.mark.nightly

PATIENCE = 60.0


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    encoder = str(write_tiny(tmp_path_factory.mktemp("tiny")))
    return {"encoder": encoder, "sentences": clwork.data.sentences("wikipedia-mini")[:60]}


class Watched:
    """Settings, the run that they steer, and the watch."""

    def __init__(self, method: str, sources: dict[str, Any], **config: Any) -> None:
        self.run: Run | None = None
        self.inputs = Inputs(method, RunSettings(**sources), {"batch_size": 4, **config})
        self.watch = SlackWatch(self.inputs, lambda: self.run)
        self.inputs.on_change(self.watch.changed)
        self.inputs.on_hot(self.steer)
        self.watch.changed()

    def steer(self, name: str, value: Any) -> None:
        if self.run is not None and self.run.alive:
            setattr(self.run.controls, name, value)

    def start(self, steps: int) -> Run:
        sources = {"encoder": self.inputs.encoder.read(), "sentences": self.inputs.corpus.read()}
        self.run = clwork.start(self.inputs.method.name, steps=steps, **sources, **self.inputs.values())
        return self.run

    @property
    def slack(self) -> str:
        return str(self.inputs.state()["controls"]["phi"]["slack"])

    @property
    def resting(self) -> bool:
        return self.watch._timer is not None and not self.watch._timer.is_alive()


@pytest.fixture
def made(sources: dict[str, Any]) -> Iterator[Callable[..., Watched]]:
    every: list[Watched] = []

    def make(method: str, **config: Any) -> Watched:
        given = {name: config.pop(name, value) for name, value in sources.items()}
        every.append(Watched(method, given, **config))
        return every[-1]

    yield make
    for one in every:
        one.watch.close()
        if one.run is not None:
            one.run.stop()
            one.run.wait(PATIENCE)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


def test_before_a_run_a_batch_shows_it_and_a_move_takes_it_back(made: Callable[..., Watched]) -> None:
    watched = made("dclr", weighting="self", phi=0.9999, head="none")
    before = watched.inputs.version
    until(lambda: bool(watched.slack))
    assert "masked share 0.000" in watched.slack and watched.inputs.version > before
    assert not watched.inputs.state()["controls"]["phi"]["off"]
    looks = watched.watch._asked
    watched.inputs.set("phi", "0.01")
    assert not watched.slack and watched.watch._asked > looks
    until(lambda: watched.resting)
    assert not watched.slack, "the batch at .01 masks"


def test_the_page_does_not_wait_for_the_batch(made: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made, and its controls move, while the look takes its time; an answer that comes too late is dropped."""
    go_on, looking, look = threading.Event(), threading.Event(), one_step.first_parts

    def slow(*given: Any) -> dict[str, float]:
        looking.set()
        assert go_on.wait(PATIENCE)
        return look(*given)

    monkeypatch.setattr(slack_watch, "first_parts", slow)
    watched = made("dclr", weighting="self", phi=0.9999, head="none")
    until(looking.is_set)
    watched.inputs.set("phi", "0.01")
    go_on.set()
    until(lambda: watched.resting)
    assert not watched.slack


def test_while_a_run_goes_on_its_record_shows_it(made: Callable[..., Watched]) -> None:
    watched = made("dclr", weighting="self", phi=0.01, head="none")
    run = watched.start(100_000)
    watched.inputs.freeze(True)

    def shown() -> bool:
        watched.watch.follow(run)
        return bool(watched.slack)

    until(lambda: run.step > 3)
    assert not shown()
    watched.inputs.set("phi", "0.9999")
    until(shown)
    assert run.alive
    watched.inputs.set("phi", "0.01")
    assert not watched.slack


def test_no_other_settings_are_looked_at(made: Callable[..., Watched]) -> None:
    """Neither where the preset takes φ from the batch, nor where the judge would have to be trained for long."""
    assert made("simcse").watch._timer is None
    assert made("dclr", phi_quantile=0.95).watch._timer is None
    trained = made("dclr", phi=0.9999, complementary_steps=60)
    until(lambda: trained.resting)
    assert not trained.slack, "not known: no judge was trained for it"


def test_after_a_run_its_own_judge_is_used_for_another_limit(made: Callable[..., Watched]) -> None:
    """Twelve steps of a judge are too many for a look; the run has kept it."""
    watched = made("dclr", phi=-0.99, sentences="wikipedia-mini", complementary_steps=12)
    run = watched.start(2)
    run.wait(PATIENCE)
    assert run.status == "finished", run.error
    watched.inputs.set("phi", "1")
    until(lambda: bool(watched.slack))
