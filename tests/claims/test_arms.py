"""Every arm that claims compare trains: two steps of each distinct setting, on a few examples of the kind it reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clwork
from clwork import claims
from clwork.claims.arm_runs import ArmRun
from clwork.claims.plan import plan

FEW = 24
SMALL = {"batch_size": 8}  # where an arm does not ask for a size itself
RUNS = {
    (run.method, run.config, run.data, run.encoder): run
    for unit in plan([claims.get(name) for name in claims.names()], [0])
    if (run := unit.run) is not None
}


def examples(data: str) -> list[object]:
    """As many as a small batch takes, of the kind that a corpus has."""
    if data == "nli":
        return list(clwork.data.triplets()[:FEW])
    if "labels of" in data:
        return [(text, number % 7) for number, text in enumerate(clwork.data.sentences("wikipedia-mini")[:FEW])]
    if "with its grades" in data:
        return [(first, second, 4.0) for first, second in clwork.data.paraphrases()[:FEW]]
    if data.startswith(("next sentence", "one of the next", "entailments")):
        return list(clwork.data.paraphrases()[:FEW])
    return list(clwork.data.sentences("wikipedia-mini")[: 5 * FEW])


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS.values(), ids=lambda run: run.name)
def test_an_arm_trains(run: ArmRun, tmp_path: Path) -> None:
    config = {**SMALL, **json.loads(run.config)}
    config["batch_size"] = min(config["batch_size"], SMALL["batch_size"])
    if run.method == "dclr" and not config.keys() & {"weighting", "complementary", "beta_rel", "noise_ratio"}:
        config["complementary_steps"] = 2  # of the model that judges, where there is one
    trained = clwork.train(
        run.method,
        encoder=run.encoder,
        sentences=examples(run.data),
        steps=2,
        folder=tmp_path / "run",
        **config,
    )
    assert trained.status == "finished" and trained.history["loss"].iloc[1:].notna().all()
