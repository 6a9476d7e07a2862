"""Asking a claim of small runs: paired, measured once, interrupted and taken up again with the same end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clwork import claims
from clwork.claims import arm_runs
from clwork.claims.plan import plan
from clwork.claims.results import MEASURED, Results

from .. import sts

NAME = "gclsr/training-improves-the-network"
STEPS, SEEDS = 4, 3


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sts.write(tmp_path_factory.mktemp("tasks") / "sts", tasks=("stsb", "sickr"))


@pytest.fixture(scope="module")
def asked(tasks: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, claims.Answer]:
    folder = tmp_path_factory.mktemp("asked")
    return folder, claims.test(NAME, seeds=SEEDS, data=tasks, folder=folder, steps=STEPS, progress=False)


@pytest.mark.nightly
def test_an_answer_has_a_verdict_an_interval_and_the_controls(asked: tuple[Path, claims.Answer]) -> None:
    _, answer = asked
    (comparison,) = answer.comparisons
    assert comparison.seeds == (0, 1, 2) and len(set(comparison.left)) == len(set(comparison.right)) == SEEDS
    assert answer.verdict in ("supported", "refuted", "too weak to tell")
    assert comparison.difference.low <= comparison.difference.mean <= comparison.difference.high
    names = [control.name for control in answer.controls]
    for control in ("mean removed", "whitened", "all-but-the-top", "whitened on the task"):
        assert f"untrained, word average, {control}" in names and f"full, {control}" in names
    means = [control.mean for control in answer.controls]
    assert means == sorted(means, reverse=True), "the strongest rival is first"
    assert NAME in str(answer) and "strongest control" in str(answer)


@pytest.mark.nightly
def test_what_is_measured_is_not_trained_again(
    asked: tuple[Path, claims.Answer], tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, answer = asked

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("it trains again")

    monkeypatch.setattr(arm_runs, "start_run", refuse)
    again = claims.test(NAME, seeds=SEEDS, data=tasks, folder=folder, steps=STEPS, progress=False)
    assert str(again) == str(answer)


@pytest.mark.nightly
def test_an_interrupted_run_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    unit = next(unit for unit in plan([claims.get(NAME)], [0], steps=STEPS) if unit.run is not None)
    assert unit.run is not None

    def interrupt(step: int) -> None:
        if step == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        unit.run.train(parts, on_step=interrupt)
    assert not unit.run.is_trained(parts)
    for folder in (parts, whole):
        unit.run.train(folder)
    here, there = unit.run.stored(parts), unit.run.stored(whole)
    assert here["losses"] == there["losses"] and here["history"] == there["history"] and len(here["losses"]) == STEPS
    assert not list(parts.glob(f"*{arm_runs.TRAINING}")), "what is not needed any more is gone"


@pytest.mark.nightly
def test_results_pack_and_unpack_without_a_change(asked: tuple[Path, claims.Answer], tmp_path: Path) -> None:
    folder, _ = asked
    read = Results.read(folder)
    read.unpack(tmp_path)
    assert Results.read(tmp_path).pack() == read.pack()
    assert len(read.records) == 2 * SEEDS
    units = plan([claims.get(NAME)], range(SEEDS), steps=STEPS)
    assert all(not any(unit.missing(tmp_path, True)) for unit in units)
    assert json.loads((tmp_path / units[0].name / MEASURED).read_text(encoding="utf-8"))["views"]


def test_a_claim_that_cannot_be_tested_says_why() -> None:
    quoted = next(name for name in claims.names() if claims.get(name).kind == "quoted")
    with pytest.raises(ValueError, match="cannot be tested here"):
        claims.test(quoted)
    computed = next(name for name in claims.names() if claims.get(name).kind == "numbers")
    with pytest.raises(ValueError, match="not answered by training"):
        claims.test(computed)
    wrong: list[Any] = [2, [0, 1], [0, 0, 1], "012", 0, None]
    for seeds in wrong:
        with pytest.raises((TypeError, ValueError), match="seed"):
            claims.test(NAME, seeds=seeds)


@pytest.mark.nightly
def test_a_claim_that_needs_data_names_the_file(tasks: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nli"):
        claims.test("simcse/labels-help", data=tasks, folder=tmp_path / "runs", steps=2, progress=False)


def test_records_without_silver_are_measured_again_only_for_claims_that_ask_for_it(tmp_path: Path) -> None:
    asks = "clwork/silver-follows-whitening"
    (unit,) = plan([claims.get(asks)], [0])
    own = tmp_path / unit.name
    own.mkdir()
    rated = {"stsb": 50.0, "sickr": 40.0}
    views = {"cls_before_pooler": rated, "mean": rated, "first_last": rated}
    (own / MEASURED).write_text(json.dumps({"views": views, "encoder": "mini", "seed": 0}), encoding="utf-8")
    assert unit.missing(tmp_path, True) == (["first_last"], []), "the one view that the claim is about"
    others = [claims.get("simcse/dropout-against-none")]
    untrained = next(unit for unit in plan(others, [0]) if unit.run is None)
    assert untrained.name == unit.name and untrained.missing(tmp_path, True) == ([], [])
    assert untrained.missing(tmp_path, False) == ([], []), "without a folder of ratings those that are there count"
