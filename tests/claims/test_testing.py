"""Training and measuring variants: a test is paired, stored, and continues where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tqdm.auto import tqdm

import clwork
from clwork import claims
from clwork.claims import measures, testing
from clwork.claims.records import RECORD, records_in, run_of
from clwork.claims.testing import encoder_of
from scripts.evidence import geometry
from scripts.evidence.corpora import corpus

from .conftest import NAME, SEEDS, STEPS


@pytest.mark.nightly
def test_an_answer_has_a_verdict_and_an_interval(tested: tuple[Path, claims.Answer]) -> None:
    folder, answer = tested
    (comparison,) = answer.comparisons
    assert comparison.seeds == (0, 1, 2)
    assert len(set(comparison.left)) == len(set(comparison.right)) == SEEDS
    assert answer.finding in ("supported", "refuted", "inconclusive")
    assert comparison.difference.low <= comparison.difference.mean <= comparison.difference.high
    assert [each.name for each in comparison.sets] == ["stsb/validation", "sickr/validation"]
    assert np.mean([each.difference.mean for each in comparison.sets]) == pytest.approx(
        comparison.difference.mean, abs=0.05
    )
    assert "float32" in answer.made
    read = claims.answers(folder)
    assert str(read[NAME]) == str(answer)
    assert read[NAME] == answer
    assert read["simcse/crop"].finding == "not measured"
    assert "not tested here" in str(read["simcse/crop"])


@pytest.mark.nightly
def test_measured_variants_are_not_trained_again(
    tested: tuple[Path, claims.Answer], tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, answer = tested
    monkeypatch.setattr(testing, "start_run", None)  # training again would raise TypeError
    short: dict[str, Any] = {"seeds": SEEDS, "folder": folder, "steps": STEPS, "progress": False}
    assert str(claims.test(NAME, data=tasks, **short)) == str(answer)
    with pytest.raises(TypeError):  # runs of another text are not those of this one
        claims.test(NAME, sentences=["A cat sleeps.", "Rain falls."], **short)
    records = records_in(folder)
    record = next(record for name, record in records.items() if name.startswith("gclsr-"))
    assert record["warned"] in (0.0, 1.0)
    assert record["first"]["loss"] == pytest.approx(record["losses"][0], rel=1e-4)


@pytest.mark.nightly
def test_an_interrupted_run_is_trained_again_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = claims.get(NAME)
    run = run_of(claim, claim.variants["full"], 0, steps=STEPS)
    text = clwork.data.sentences("wikipedia-mini")

    def stop_early(training: clwork.Run, bar: object) -> None:
        training.stop(after=2)
        training.wait()

    with monkeypatch.context() as patched:
        patched.setattr(testing, "watch", stop_early)
        with pytest.raises(KeyboardInterrupt):
            encoder_of(run, tmp_path / "parts", text, bar=object())
    assert not (tmp_path / "parts" / run.name / RECORD).exists()
    stored = []
    for folder in (tmp_path / "parts", tmp_path / "whole"):
        encoder_of(run, folder, text)
        stored.append(json.loads((folder / run.name / RECORD).read_text(encoding="utf-8")))
        assert not (folder / run.name / testing.TRAINING).exists()
    assert stored[0]["losses"] == stored[1]["losses"]
    assert len(stored[0]["losses"]) == STEPS
    assert stored[0]["history"] == stored[1]["history"]


def test_a_claim_about_the_course_needs_no_final_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(testing, "measure", None)
    short: dict[str, Any] = {"batch_size": 8, "max_length": 8}
    variants: dict[str, Any] = {
        name: {"method": "simcse", "at": [0, 2], "config": short | {"temperature": float(name)}}
        for name in ("0.1", "1")
    }
    own = {"metric": "uniformity", "kind": "course", "expects": ["0.1 < 1"], "steps": 2}
    texts = [f"Sentence number {number}." for number in range(64)]
    answer = claims.test(
        {**own, "variants": variants},
        sentences=texts,
        seeds=3,
        folder=tmp_path,
        progress=False,
    )
    assert answer.comparisons[0].seeds == (0, 1, 2)
    assert not (tmp_path / "answers.jsonl").exists(), "only answers of the ledger are listed"


@pytest.mark.parametrize(
    ("metric", "at", "reason"),
    [
        ("uniformity", 15, r"never measured at=15; give one or two of the steps 0, 10, 20, …, 60"),
        ("uniformity", [10, 70], "never measured at="),
        ("silver", 5, r"steps 0, 10, 20, …, 60"),
        ("stsb", 10, "leave out at, or choose a metric of the course of a run"),
    ],
)
def test_a_step_that_is_never_measured_is_refused_before_training(
    metric: str, at: Any, reason: str, tmp_path: Path
) -> None:
    variants = {"a": {"method": "simcse", "at": at}, "b": {"method": "simcse", "at": 10}}
    own = {"metric": metric, "expects": "a < b", "steps": 60, "variants": variants}
    with pytest.raises(ValueError, match=reason):
        claims.test(own, folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_ledger_has_no_step_that_is_never_measured() -> None:
    checked = 0
    for name in claims.names():
        claim = claims.get(name)
        for variant in claim.variants.values():
            if variant.at is not None:
                length = variant.steps or claim.steps or 0
                testing._check_at(variant, variant.metric or claim.metric.name, length)
                checked += 1
    assert checked > 10


def test_the_bar_counts_the_steps_of_all_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bars: list[dict[str, Any]] = []

    class Bar(tqdm):  # type: ignore[misc]
        def close(self) -> None:
            bars.append({"total": self.total, "n": self.n})
            super().close()

    monkeypatch.setattr(testing, "tqdm", Bar)
    short: dict[str, Any] = {"batch_size": 8, "max_length": 8}
    variants: dict[str, Any] = {
        name: {"method": "simcse", "at": [0, 2], "config": {**short, "temperature": float(name)}}
        for name in ("0.1", "1")
    }
    own = {"metric": "uniformity", "expects": ["0.1 < 1"], "steps": 2, "variants": variants}
    texts = [f"Sentence number {number}." for number in range(64)]
    answer = claims.test(own, sentences=texts, seeds=3, folder=tmp_path)
    assert {"total": 12, "n": 12} in bars
    assert answer.by.startswith(clwork.__version__)
    assert list(answer.texts.values()) == [64]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gclsr/transfer-bert-above-full", r"sklearn\.metrics"),
        ("mocoutrl/wos-above-raw-macro", r"sklearn\.metrics"),
        ("simcse/both-measures-tell-the-score", "compares all stored settings"),
        ("clwork/seeds-move-a-point", "compares the seeds of one variant"),
        ("simcse/spectrum-flattens", "for the stored answers alone"),
        ("simcse/against-flow", "is not tested: clwork leaves BERT-flow out by choice"),
        ("mocoutrl/heads-help", "is not tested: Nobody ran it: all runs have heads"),
    ],
)
def test_measures_that_are_not_tested_are_refused(name: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=reason):
        claims.test(name, folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_folder_keeps_the_last_answer_of_each_stage(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"has no answer; call clwork\.claims\.test"):
        claims.answers(tmp_path)
    early, late = claims.answers(seeds=3), claims.answers(seeds=5)
    other = "simcse/crop"
    for answer in (late[NAME], early[other], early[other], early[NAME]):
        testing.add_answer(tmp_path / "answers.jsonl", answer)
    assert len((tmp_path / "answers.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    read = claims.answers(tmp_path)
    assert read[NAME] == late[NAME]
    assert read[other] == early[other]
    assert claims.answers(tmp_path, seeds=4)[NAME] == early[NAME]
    missing = read["simcse/word-deletion"]
    assert missing.finding == "not measured"
    assert "not tested here" in str(missing)
    assert len(missing.comparisons) == len(missing.claim.expects)


@pytest.mark.parametrize(
    ("name", "file"),
    [("captions", "captions.txt.gz"), ("stsb-unlabelled", "stsb/train"), ("nli", "triplets")],
)
def test_missing_texts_are_named(name: str, file: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=file):
        corpus(name, tmp_path)


def test_texts_of_labelled_data(tmp_path: Path) -> None:
    for name, row in (
        ("nli/triplets", {"premise": "A", "entailment": "B", "contradiction": "C"}),
        ("stsb/train", {"sentence1": "D", "sentence2": "E", "score": 4.5}),
    ):
        (tmp_path / name).parent.mkdir()
        rows = [row, {**row, "score": 2.0}] if "score" in row else [row, row]
        text = "".join(f"{json.dumps(each)}\n" for each in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    assert list(corpus("nli", tmp_path)) == [("A", "B", "C")] * 2
    assert list(corpus("nli, pairs", tmp_path)) == [("A", "B")] * 2
    assert list(corpus("nli, sentences", tmp_path)) == ["A", "B", "C"]
    pairs: Any = corpus("wikipedia-mini, rated pairs", tmp_path)
    assert list(pairs[-2:]) == ["D", "E"]
    assert list(pairs.groups[-3:]) == [None, "0", "0"]


@pytest.mark.nightly
def test_all_values_that_claims_compare_are_measured(tasks: Path) -> None:
    encoder = clwork.load_encoder("textcnn:glove-6b-50d")
    material = geometry.material_in(tasks)
    encoded = measures.encode_material(encoder, "own", material)
    measured = geometry.measure(encoded, "", material)
    used = {
        variant.metric or claim.metric.name
        for claim in map(claims.get, claims.names())
        for variant in claim.variants.values()
    }
    of_runs = {
        "cosine_separation",
        "distance",
        "positive_cosine",
        "seed_spread",
        "rank_agreement",
        "warned",
        "z_rank",
    }
    assert used - measured.keys() == of_runs | {"transfer", "wos", "wos_f1"}
    unit = encoder.encode(material.sentences).astype(float)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    above = ((unit @ unit.T)[np.triu_indices(len(unit), 1)] >= 0.7).mean()
    assert measured["share_above"] == pytest.approx(above, abs=1e-3)
