"""Comparisons on two encoders: the same runs where presets agree, and the word of both together."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

import numpy as np
import pytest

from clwork import claims
from clwork.claims.pairs import Judge
from scripts.evidence import alike, both

PAIRS = 400
RATINGS = [float(pair % 26) / 5 for pair in range(PAIRS)]


def judge(noise_of: Callable[[str, str], float]) -> Judge:
    """A judge of made-up runs: their distances follow the ratings, with noise by run and view."""

    def read(run: str, key: str) -> np.ndarray:
        view = key.partition("/")[0]
        random = np.random.default_rng(crc32(f"{run}/{view}".encode()))
        noise = noise_of(run, view) * random.normal(size=PAIRS)
        return np.asarray(5 - np.array(RATINGS) + noise)

    names = {job.name for job in both.jobs(range(both.SEEDS))}
    ratings = dict.fromkeys(both.SPLITS, RATINGS)
    return Judge({"sts": both.SPLITS}, ratings, {name: {} for name in names}, read)


def test_a_setting_that_is_the_preset_makes_no_run_of_its_own() -> None:
    younger, older = (
        {
            name: both.run_at(claim, variant, 0).name
            for claim in both.comparisons_on(encoder)
            for name, variant in claim.variants.items()
        }
        for encoder in both.encoders()
    )
    assert younger["SimCSE"] == younger["attention dropout .4"] != younger["dropout .1"]
    assert older["SimCSE"] == older["dropout .1"] != older["attention dropout .4"]
    trained = [name for name, run in younger.items() if "untrained" not in run]
    assert not {younger[name] for name in trained} & {older[name] for name in trained}


def test_at_most_25_comparisons_name_claims_of_the_ledger() -> None:
    sources = both.sources()
    assert len(sources) <= 25
    assert {source["of"] for source in sources} <= set(claims.names())


@pytest.mark.parametrize("seeds", [3, 5])
def test_an_order_that_the_older_encoder_reverses_turns_round(
    seeds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(both, "SEEDS", seeds)

    older = {job.name for job in both.jobs(range(seeds)) if job.run.encoder == "mini-old"}

    def noise_of(run: str, view: str) -> float:
        is_better = ("untrained" in run) != (run in older)
        return 1.0 if is_better else 4.0

    first, second, *_ = both.rows(judge(noise_of))
    assert first.expects == second.expects == "SimCSE > raw [CLS]"
    for row in (first, second):
        assert row.words == ("differs here", "agrees here")
        assert row.together == "turns round"
        assert row.change.difference.low > 0
        assert row.change.difference.mean == pytest.approx(
            row.results[1].difference.mean - row.results[0].difference.mean
        )
    assert "turns round" in both.table([first, second])


def test_equal_findings_are_the_same_on_both_unless_they_are_open() -> None:
    rows = list(both.rows(judge(lambda run, view: 1.0 if "untrained" in run else 4.0)))
    by_name = {row.expects: row.together for row in rows}
    assert by_name["SimCSE > raw first-last"] == "same on both"
    assert by_name["SimCSE > one word deleted"] == "open"


def test_readings_are_compared_on_the_runs_of_both_encoders() -> None:
    by_reading = alike.comparisons()
    runs = {
        name: {both.run_at(claim, claim.variants[name], 0).name for claim in by_reading}
        for name in ("SimCSE", "untrained")
    }
    simcse = both.comparisons_on(alike.ENCODER)[0]
    assert runs["SimCSE"] == {both.run_at(simcse, simcse.variants["SimCSE"], 0).name}
    assert runs["untrained"] == {f"untrained-{alike.ENCODER}"}
    views = {claim.variants["SimCSE"].view for claim in by_reading}
    assert views == set(alike.READINGS)
