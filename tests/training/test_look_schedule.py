"""Being watched costs a bounded part of the time, and changes nothing about what is watched."""

from __future__ import annotations

import itertools
from itertools import pairwise
from typing import Any

import pytest
import torch

import clwork
from clwork.training.probe import LONG, POINTS, SHARE, SHORT_SHARE, ProbeSchedule

from ..runs import weights
from .conftest import SHORT


def simulate(total: int, step_seconds: float, cost: float, every: int | None = None) -> tuple[list[int], float]:
    """Steps at which a run is looked at, and the share of its time that the looks between first and last take."""
    looks, seen = ProbeSchedule(total, every), []
    for step in range(total + 1):
        if looks.due(step, step * step_seconds):
            seen.append(step)
            looks.note(step, step * step_seconds, cost)
    between = (len(seen) - 2) * cost
    return seen, between / (between + total * step_seconds)


def test_a_long_run_is_watched_for_a_small_share_on_any_machine() -> None:
    for faster, cost in itertools.product((1, 10, 1000), (0.1, 1.0, 3.0)):
        seen, share = simulate(300, 0.4 / faster, 0.4 * cost / faster)
        assert share <= SHARE and seen[0] == 0 and seen[-1] == 300, (faster, cost)
        assert share > SHARE / 2, "guard: what may be spent is spent"


def test_a_default_run_of_the_mini_encoder_has_about_ten_points() -> None:
    seen, _ = simulate(300, 1.0, 0.5)  # a look costs about 0.5 steps
    assert 9 <= len(seen) <= 11
    gaps = {later - earlier for earlier, later in pairwise(seen[:-1])}
    assert gaps == {36}, "evenly"


def test_a_short_run_gets_more_points_up_to_its_own_bound() -> None:
    for total in (10, 20, 60, LONG - 1):
        seen, share = simulate(total, 1.0, 0.7)
        assert share <= SHORT_SHARE and len(seen) <= POINTS + 2, total
        assert len(seen) >= min(POINTS, total // 4)


def test_looks_at_fixed_steps_are_the_same_in_every_run() -> None:
    assert simulate(10, 1.0, 5.0, every=4)[0] == simulate(10, 0.01, 5.0, every=4)[0] == [0, 4, 8, 10]


def test_only_long_runs_are_measured_whole_and_only_at_their_ends() -> None:
    assert [step for step in range(LONG + 1) if ProbeSchedule(LONG, None).whole(step)] == [0, LONG]
    assert not any(ProbeSchedule(LONG - 1, 10).whole(step) for step in range(LONG))


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("simcse", {"head": "both", "pooling": "mean"}),
        pytest.param("self_guided", {}, marks=pytest.mark.nightly),
        pytest.param("mocoutrl", {}, marks=pytest.mark.nightly),
    ],
)
def test_looks_leave_no_trace_in_the_weights(
    method: str, values: dict[str, Any], corpus: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (("CLOUD", 8), ("PAIRS", 4)):
        monkeypatch.setattr(f"clwork.training.probe.{name}", size)
    short = {**SHORT, **values, "sentences": corpus[:24], "steps": 4, "seed": 5}
    torch.manual_seed(0)
    before = torch.get_rng_state()
    rare, often, timed = (clwork.train(method, **short | {"probe_every": every}) for every in (99, 1, None))
    assert torch.equal(torch.get_rng_state(), before), "no look draws from the global generator"
    counts = [int(run.history["uniformity"].notna().sum()) for run in (rare, often, timed)]
    assert counts[:2] == [2, 5] and timed.recipe.probe_every is None
    expected = weights(rare)
    for run in (often, timed):
        got = weights(run)
        assert all(torch.equal(tensor, got[name]) for name, tensor in expected.items())
