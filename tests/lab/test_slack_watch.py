"""A limit that limits nothing is found beside the panel: by a batch before a run, by the record while it goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import clwork
from clwork import lab
from clwork.lab.panel import slack_watch
from clwork.training.forces import one_step

from ..encoders.conftest import write_tiny

PATIENCE = 60.0


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    encoder = str(write_tiny(tmp_path_factory.mktemp("tiny")))
    return {"encoder": encoder, "sentences": clwork.data.sentences("wikipedia-mini")[:60], "batch_size": 4}


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


def grey(panel: Any) -> bool:
    return "clwork-slack" in panel.settings.widgets["phi"]._dom_classes


def test_before_a_run_a_batch_shows_it_and_a_move_takes_it_back(sources: dict[str, Any]) -> None:
    panel = lab.panel("dclr", weighting="self", phi=0.9999, head="none", **sources)
    until(lambda: grey(panel))
    assert "masked share 0.000" in panel.settings.widgets["phi"].help_text
    looks = panel.slack._asked
    panel.settings.widgets["phi"].value = 0.01
    assert not grey(panel) and panel.slack._asked > looks
    until(lambda: panel.slack._timer is not None and not panel.slack._timer.is_alive())
    assert not grey(panel), "the batch at .01 masks"
    panel.close()


def test_the_panel_does_not_wait_for_the_batch(sources: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made, and its knobs move, while the look takes its time; an answer that comes too late is dropped."""
    go_on, looking, look = threading.Event(), threading.Event(), one_step.first_parts

    def slow(*given: Any) -> dict[str, float]:
        looking.set()
        assert go_on.wait(PATIENCE)
        return look(*given)

    monkeypatch.setattr(slack_watch, "first_parts", slow)
    panel = lab.panel("dclr", weighting="self", phi=0.9999, head="none", **sources)
    until(looking.is_set)
    panel.settings.widgets["phi"].value = 0.01
    go_on.set()
    until(lambda: panel.slack._timer is not None and not panel.slack._timer.is_alive())
    assert not grey(panel)
    panel.close()


def test_while_a_run_goes_on_its_record_shows_it(sources: dict[str, Any]) -> None:
    panel = lab.panel("dclr", weighting="self", phi=0.01, head="none", steps=100_000, **sources)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step > 3)
    assert not grey(panel)
    panel.settings.widgets["phi"].value = 0.9999
    until(lambda: grey(panel))
    assert panel.run.alive
    panel.settings.widgets["phi"].value = 0.01
    assert not grey(panel)
    panel.stop()
    panel.wait(PATIENCE)
    panel.close()


def test_no_other_panel_looks_at_anything(sources: dict[str, Any]) -> None:
    """Neither where the preset takes φ from the batch, nor where the judge would have to be trained for long."""
    simcse = lab.panel("simcse", **sources)
    assert simcse.slack._timer is None
    preset = lab.panel("dclr", phi_quantile=0.95, **sources)
    assert preset.slack._timer is None
    trained = lab.panel("dclr", phi=0.9999, complementary_steps=60, **sources)
    until(lambda: trained.slack._timer is not None and not trained.slack._timer.is_alive())
    assert not grey(trained), "not known: no judge was trained for it"
    for panel in (simcse, preset, trained):
        panel.close()


def test_after_a_run_its_own_judge_is_used_for_another_limit(sources: dict[str, Any], tmp_path: Any) -> None:
    """Twelve steps of a judge are too many for a look; the run has kept it."""
    given = {**sources, "sentences": "wikipedia-mini", "complementary_steps": 12, "steps": 2}
    panel = lab.panel("dclr", phi=-0.99, **given)
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "finished", panel.run.error
    panel.settings.widgets["phi"].value = 1.0
    until(lambda: grey(panel))
    panel.close()
