"""Training and measuring arms: a test is paired, stored, and continues where it was interrupted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import claims
from clwork.claims import arms, measures
from clwork.claims.arms import train_arm
from clwork.claims.ledger import read_claim
from clwork.claims.records import RUN, records_in, run_of

from .conftest import NAME, SEEDS, STEPS


@pytest.mark.nightly
def test_an_answer_has_a_verdict_an_interval_and_control_measurements(
    tested: tuple[Path, claims.Answer],
) -> None:
    _, answer = tested
    (comparison,) = answer.comparisons
    assert (
        comparison.seeds == (0, 1, 2)
        and len(set(comparison.left)) == len(set(comparison.right)) == SEEDS
    )
    assert answer.verdict in ("supported", "refuted", "inconclusive")
    assert comparison.difference.low <= comparison.difference.mean <= comparison.difference.high
    names = [control.name for control in answer.controls]
    for control in ("mean removed", "whitened", "all-but-the-top", "whitened on the task"):
        assert f"untrained, word average, {control}" in names and f"full, {control}" not in names, (
            "stored ones"
        )
    means = [control.mean for control in answer.controls]
    assert means == sorted(means, reverse=True), "the strongest control is first"
    read = claims.answers(tested[0])
    assert str(read[NAME]) == str(answer) and read[NAME] == answer
    assert read["simcse/crop"].verdict == "not measured" and "not tested here" in str(
        read["simcse/crop"]
    )
    assert NAME in str(answer) and "strongest control" in str(answer)


@pytest.mark.nightly
def test_measured_arms_are_not_trained_again(
    tested: tuple[Path, claims.Answer], tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, answer = tested
    monkeypatch.setattr(arms, "start_run", None)  # training again would raise TypeError
    again = claims.test(NAME, seeds=SEEDS, data=tasks, folder=folder, steps=STEPS, progress=False)
    assert str(again) == str(answer)
    with pytest.raises(TypeError):  # runs of another text are not those of this one
        claims.test(
            NAME,
            None,
            ["A cat sleeps.", "Rain falls."],
            SEEDS,
            folder=folder,
            steps=STEPS,
            progress=False,
        )
    record = next(
        record for name, record in records_in(folder).items() if name.startswith("gclsr-")
    )
    assert record["warned"] in (0.0, 1.0) and record["first"]["loss"] == pytest.approx(
        record["losses"][0], rel=1e-4
    )


@pytest.mark.nightly
def test_an_interrupted_arm_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    claim = claims.get(NAME)
    run = run_of(claim, claim.arms["full"], 0, steps=STEPS)
    assert run is not None

    def interrupt(step: int) -> None:
        if step == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_arm(run, tmp_path / "parts", on_step=interrupt)
    assert not (tmp_path / "parts" / run.name / RUN).exists()
    stored = []
    for folder in (tmp_path / "parts", tmp_path / "whole"):
        train_arm(run, folder)
        stored.append(json.loads((folder / run.name / RUN).read_text(encoding="utf-8")))
    assert (
        stored[0]["losses"] == stored[1]["losses"] and stored[0]["history"] == stored[1]["history"]
    )
    assert len(stored[0]["losses"]) == STEPS and not list(
        (tmp_path / "parts").glob(f"*{arms.TRAINING}")
    )


def test_a_readers_claim_about_the_course_of_runs_needs_no_final_measures(tmp_path: Path) -> None:
    sides = {
        name: {"method": "simcse", "at": [0, 4], "config": {"temperature": float(name)}}
        for name in ("0.1", "1")
    }
    mine = {
        "metric": "uniformity",
        "kind": "course",
        "expects": ["0.1 < 1"],
        "steps": 4,
        "arms": sides,
    }
    units = arms.plan([read_claim(mine)], [0])
    assert [unit.views for unit in units] == [(), ()] and all(
        unit.missing(tmp_path, None) for unit in units
    )


def test_measures_of_classifiers_are_refused(tmp_path: Path) -> None:
    for name in ("simcse/transfer", "mocoutrl/wos-above-raw", "mocoutrl/wos-above-raw-macro"):
        with pytest.raises(ValueError, match=r"clwork\.metrics\.classification_scores"):
            claims.test(name, folder=tmp_path)
    with pytest.raises(ValueError, match="compares all stored settings"):
        claims.test("simcse/both-measures-tell-the-score", folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_folder_keeps_the_last_answer_of_each_stage(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"has no answer; call clwork\.claims\.test"):
        claims.answers(tmp_path)
    early, late = claims.answers(seeds=3), claims.answers(seeds=5)
    other = "simcse/crop"
    for answer in (late[NAME], early[other], early[other], early[NAME]):
        arms.add_answer(tmp_path / "answers.jsonl", answer)
    assert len((tmp_path / "answers.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    found = claims.answers(tmp_path)
    assert found[NAME] == late[NAME] and found[other] == early[other]
    assert claims.answers(tmp_path, seeds=4)[NAME] == early[NAME]
    missing = found["simcse/word-deletion"]
    assert missing.verdict == "not measured" and "not tested here" in str(missing)
    assert len(missing.comparisons) == len(missing.claim.expects)


def test_missing_data_are_refused(tmp_path: Path) -> None:
    for name, file in (
        ("captions", "captions.txt.gz"),
        ("stsb-unlabelled", "stsb/train.jsonl"),
        ("nli", "triplets"),
    ):
        with pytest.raises(FileNotFoundError, match=file):
            measures.corpus(name, tmp_path)


def test_corpora_of_labelled_data(tmp_path: Path) -> None:
    for name, row in (
        ("nli/triplets", {"premise": "A", "entailment": "B", "contradiction": "C"}),
        ("stsb/train", {"sentence1": "D", "sentence2": "E", "score": 4.5}),
    ):
        (tmp_path / name).parent.mkdir()
        rows = [row, {**row, "score": 2.0}] if "score" in row else [row, row]
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8"
        )
    given = {
        name: measures.corpus(name, tmp_path) for name in ("nli", "nli, pairs", "nli, sentences")
    }
    assert (
        list(given["nli"]) == [("A", "B", "C")] * 2
        and list(given["nli, pairs"]) == [("A", "B")] * 2
    )
    assert list(given["nli, sentences"]) == ["A", "B", "C"]
    pairs: Any = measures.corpus("wikipedia-mini, rated pairs", tmp_path)
    assert list(pairs[-2:]) == ["D", "E"] and list(pairs.groups[-3:]) == [None, "0", "0"]


@pytest.mark.nightly
def test_all_values_that_claims_compare_are_measured(tasks: Path) -> None:
    encoder = clwork.load_encoder("textcnn:glove-6b-50d")
    found = measures.measure(encoder, "own", [""], measures.evaluators(tasks))["own"]
    used = {
        arm.metric or claim.metric.name
        for claim in map(claims.get, claims.names())
        for arm in claim.arms.values()
    }
    assert used - found.keys() == {
        "seed_spread",
        "rank_agreement",
        "warned",
        "z_rank",
        "transfer",
        "wos",
        "wos_f1",
    }
    given = measures.evaluators(tasks)
    unit = encoder.encode(given.sentences).astype(float)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    above = ((unit @ unit.T)[np.triu_indices(len(unit), 1)] >= 0.7).mean()
    assert found["share_above"] == pytest.approx(above, abs=1e-3)
