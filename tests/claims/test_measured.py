"""Every metric of a claim about scores or a course is measured by something."""

from __future__ import annotations

from pathlib import Path

import pytest

import clwork
from clwork import claims
from clwork.claims.arm_runs import LOOK_EVERY
from clwork.claims.asked import ASKED
from clwork.claims.course import AVERAGED
from clwork.claims.measures import judges, measure
from clwork.claims.plan import MEASURED_KINDS

from .. import sts
from .test_arms import COLUMNS

ALONG = {"loss", "unsteadiness", "best_step", "neighbours_kept", "steps_to_loss"}
OF_SEVERAL = {"seed_spread", "rank_agreement", "percent_lost", "points_lost"}
NOT_MEASURED: dict[str, str] = {}
"""Metrics of such claims that nothing measures, and why."""


@pytest.fixture(scope="module")
def of_views(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is measured of every view of every encoder."""
    tasks = sts.write(tmp_path_factory.mktemp("tasks") / "sts", tasks=("stsb", "sickr"))
    network = clwork.load_encoder("textcnn:glove-6b-50d")
    return set(measure(network, None, judges(Path(tasks)), controls=False)["own"])


@pytest.mark.nightly
def test_every_metric_is_measured_by_something(of_views: set[str]) -> None:
    columns = {AVERAGED.get(name, name) for name in COLUMNS} | AVERAGED.keys()
    known = of_views | ALONG | OF_SEVERAL | columns | set(ASKED)
    wanted = {
        arm.judged or claim.metric.name
        for claim in map(claims.get, claims.names())
        for arm in claim.arms.values()
        if claim.kind in MEASURED_KINDS and arm.method not in ("computed", "quoted")
    }
    assert wanted - known == set(NOT_MEASURED)
    assert {"warned", "antonym_margin", "seed_spread", "sts"} <= {
        claim.metric.name for claim in map(claims.get, claims.names())
    }


def test_what_is_read_at_a_step_is_in_a_history() -> None:
    """A measure of the end alone has no value at an earlier step."""
    geometry = {"alignment", "uniformity", "mean_cosine", "effective_rank"}
    for claim in map(claims.get, claims.names()):
        for arm in claim.arms.values():
            if arm.at is not None and claim.kind in MEASURED_KINDS:
                steps = {arm.at} if isinstance(arm.at, int) else set(arm.at)
                assert all(step % LOOK_EVERY == 0 for step in steps - {1}), (
                    f"{claim.name}: {arm.name} has no look there"
                )
                assert (arm.judged or claim.metric.name) in geometry | COLUMNS, f"{claim.name}: {arm.name}"
