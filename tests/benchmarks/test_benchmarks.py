"""The benchmark scripts run, on a few steps, and write what the tables of docs/measured.md read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import clwork
from benchmarks import (
    augmentation_order,
    bench,
    collapse_calibration,
    dclr_step,
    judge_agreement,
    large_clouds,
    methods_table,
    precision_scores,
    proxy_agreement,
    published_scores,
    report,
    step_ladder,
    step_time,
    sts_table,
)
from benchmarks.peers import row_flops
from clwork.augmenters import Dropout
from clwork.data.sts import ROWS
from scripts import readme
from scripts.blocks import bench as bench_block
from scripts.blocks import judges, scores, speed
from tests import sts


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(left for left, _ in clwork.data.paraphrases()[:60]), encoding="utf-8")
    return path


@pytest.fixture
def sts_folder(tmp_path: Path) -> Path:
    return sts.write(tmp_path / "sts", sts_table.TASKS, pairs=12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the STS sets are far from complete, and say so
def test_sts_table(corpus: Path, sts_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "--sts",
        str(sts_folder),
        "--sentences",
        str(corpus),
        "--steps",
        "2",
        "--seeds",
        "0",
        "1",
        "--no-readme",
    ]
    settings = [
        "--set",
        "batch_size=8",
        "--set",
        "head=none",
        "--set",
        "learning_rate=1e-3",
        "--results",
        str(tmp_path / "results"),
    ]
    assert sts_table.main([*arguments, *settings]) == 0
    found = json.loads((tmp_path / "results" / "simcse_sts.json").read_text(encoding="utf-8"))
    runs = [run for run in found["runs"] if run["text"] == "corpus"]
    assert len(found["runs"]) == 4, "on STS-B's training sentences too"
    assert [run["seed"] for run in runs] == [0, 1]
    assert runs[0]["config"]["batch_size"] == 8
    assert runs[0]["config"]["head"] == "none"
    assert found["raw"]["mean"]["stsb"] > 50, "pairs of like meaning should come before pairs of strangers"
    scores = [run["scores"]["cls_before_pooler"]["stsb"] for run in runs]
    assert len({*scores, found["raw"]["cls_before_pooler"]["stsb"]}) == 3, "training changes scores, seeds differ"
    assert "±" in capsys.readouterr().out
    assert sts_table.main([*arguments, *settings]) == 0
    assert capsys.readouterr().out.count("there already") == 4


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the STS sets are far from complete, and say so
def test_augmentation_order_goes_on_where_it_stopped(
    corpus: Path, sts_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--sts", str(sts_folder), "--sentences", str(corpus), "--steps", "2", "--batch-size", "8"]
    arguments += ["--arms", "dropout", "fixed_mask", "--results", str(tmp_path), "--no-readme"]
    assert augmentation_order.main([*arguments, "--seeds", "0"]) == 0
    path = tmp_path / "augmentation_order.json"
    before = json.loads(path.read_text(encoding="utf-8"))["runs"]
    assert [(run["arm"], run["config"]["fixed_mask"]) for run in before] == [("dropout", False), ("fixed_mask", True)]
    assert augmentation_order.main([*arguments, "--seeds", "0", "1"]) == 0
    after = json.loads(path.read_text(encoding="utf-8"))["runs"]
    assert after[:2] == before and [run["seed"] for run in after[2:]] == [1, 1]
    told = capsys.readouterr().out
    assert told.count("there already") == 2 and "| dropout at the preset, one mask for both views |" in told


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the STS sets are far from complete, and say so
def test_proxy_agreement_scores_several_steps_of_each_run(
    sts_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proxy_agreement, "RESAMPLES", 20)
    monkeypatch.setattr("clwork.training.loop.validation.SAMPLE", 60)
    arguments = ["--sts", str(sts_folder), "--at", "2", "1", "--batch-size", "8", "--no-readme"]
    arguments += ["--results", str(tmp_path), "--variants", "default", "temperature 1"]
    assert proxy_agreement.main(arguments) == 0
    path = tmp_path / "proxy_agreement.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    assert [(r["variant"], [e["step"] for e in r["encoders"]]) for r in found["runs"]] == [
        ("raw", [0]),
        ("default", [1, 2]),
        ("temperature 1", [1, 2]),
    ]
    scores = [row["same_article_auc"] for run in found["runs"] for row in run["encoders"]]
    assert len(set(scores)) == 5, "each is another encoder"
    assert proxy_agreement.main(arguments) == 0
    assert json.loads(path.read_text(encoding="utf-8"))["runs"] == found["runs"], "nothing was missing"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the STS sets are far from complete, and say so
def test_judge_agreement_goes_on_where_it_stopped(
    sts_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = clwork.data.silver_pairs()
    few = replace(few, sentences1=few.sentences1[:100], sentences2=few.sentences2[:100], scores=few.scores[:100])
    monkeypatch.setattr(clwork.data, "silver_pairs", lambda: few)
    monkeypatch.setattr("clwork.training.loop.validation.SAMPLE", 60)
    monkeypatch.setattr(judge_agreement, "RESAMPLES", 20)
    arguments = ["--sts", str(sts_folder), "--at", "1", "--batch-size", "8", "--no-readme"]
    arguments += ["--results", str(tmp_path), "--encoders", str(tmp_path / "kept"), "--variants", "default"]
    assert judge_agreement.main(arguments) == 0
    path = tmp_path / "judge_agreement.json"
    before = json.loads(path.read_text(encoding="utf-8"))["runs"]
    assert [(run["variant"], [row["step"] for row in run["encoders"]]) for run in before] == [
        ("raw", [0]),
        ("default", [1]),
    ]
    raw = before[0]["encoders"][0]["scores"]
    mini = clwork.load_encoder("mini", pooling="first_last")
    graded = clwork.metrics.sts(mini, {"graded": clwork.data.graded_pairs()})["graded"]
    assert raw["first_last/as it is"]["graded"] == pytest.approx(graded, abs=0.1)
    assert set(raw["cls/whitened/stsb"]) == {*judges.PEOPLE, *judges.JUDGES}
    assert raw["cls/whitened/stsb"] != raw["cls/whitened/corpus"] != raw["cls/mean removed/corpus"]
    kept = path.with_name("kept") / "default"
    assert clwork.load_encoder(kept / "1", device="cpu").fingerprint() != mini.fingerprint()
    assert judge_agreement.main([*arguments, "temperature 1"]) == 0
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["runs"][:2] == before and found["runs"][2]["variant"] == "temperature 1"
    assert "| [CLS], whitened in its own domain | STS-B |" in judges.judges_of(found)


def test_a_judge_that_ranks_as_people_do_has_correlation_one() -> None:
    ranks = np.arange(6.0)
    scores = np.stack([ranks, ranks, ranks**3, -ranks, ranks, [0, 2, 1, 3, 4, 5], ranks[::-1]], axis=1)
    found = judge_agreement.agreement(scores)
    assert found.shape == (2, 5)
    np.testing.assert_allclose(found[0], [1, -1, 1, 1 - 6 * 2 / 210, -1])


def test_each_column_has_a_form_in_its_own_domain_and_one_in_another() -> None:
    own, other = (judges.Condition("cls", "whitened", fit) for fit in (judges.HOME, judges.AWAY))
    for column in (*judges.PEOPLE, *judges.JUDGES):
        assert own.key(column) != other.key(column)
    assert own.key("sickr") == "cls/whitened/stsb" and own.key("silver") == "cls/whitened/corpus"
    assert other.key("silver") == "cls/whitened/stsb" and judges.Condition("mean").key("knn") == "mean/as it is"


def test_published_scores_are_compared_where_the_folder_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = sts.write(tmp_path / "sts", ("sts13", "stsb", "sickr"), pairs=12)
    assert published_scores.main(["--sts", str(folder)]) == 1, "these are no whole test sets: nothing is compared"
    said = capsys.readouterr().out
    assert "sts12: left out" in said and "not all of the set: not compared" in said and "compared: 0" in said
    monkeypatch.setitem(ROWS, "stsb", {"test": 36})
    assert published_scores.main(["--sts", str(folder)]) == 1
    said = capsys.readouterr().out
    assert "compared: 1" in said and "published score: stsb" in said
    score = float(said.partition("stsb: ")[2].partition(",")[0])
    monkeypatch.setitem(published_scores.PUBLISHED, "stsb", score)
    assert published_scores.main(["--sts", str(folder)]) == 0


@pytest.mark.slow
def test_collapse_calibration_goes_on_where_it_stopped(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--methods", "gclsr", "--steps", "10", "--batch-size", "8", "--sentences", str(corpus)]
    arguments += ["--results", str(tmp_path), "--no-readme"]
    assert collapse_calibration.main([*arguments, "--seeds", "0", "--remedy-seeds", "0"]) == 0
    path = tmp_path / "collapse_calibration.json"
    before = json.loads(path.read_text(encoding="utf-8"))["runs"]
    assert {run["arm"] for run in before} == set(collapse_calibration.ARMS["gclsr"])
    assert all([look["step"] for look in run["looks"]] == [0, 1, 2, 5, 10] for run in before)
    assert collapse_calibration.main([*arguments, "--seeds", "0", "--remedy-seeds", "1"]) == 0
    after = json.loads(path.read_text(encoding="utf-8"))["runs"]
    assert after[: len(before)] == before and {run["remedy"] for run in after[len(before) :]} == {
        "switch the stop-gradient on",
        "lower the learning rate",
        "make the groups of dimensions smaller",
    }
    told = capsys.readouterr().out
    assert told.count("there already") == len(before) and "| GCLSR | no stop-gradient | sick |" in told


def test_agreement_is_of_ranks_and_its_interval_knows_of_runs() -> None:
    def run(level: float, turn: float) -> dict[str, object]:
        rows = [(0.0, 0.0), (1.0, turn)]
        return {
            "encoders": [
                {
                    "step": s,
                    "stsb": level + a,
                    "sickr": -level - a,
                    "same_article_auc": level + a,
                    "topic_knn": level + b,
                }
                for s, (a, b) in enumerate(rows)
            ]
        }

    runs = [run(10.0 * k, 1.0 if k % 2 else -1.0) for k in range(10)]
    found = proxy_agreement.summary(runs, resamples=200)
    assert found["same_article_auc stsb"] == [1.0, 1.0, 1.0] and found["same_article_auc sickr"][0] == -1.0
    middle, low, high = found["topic_knn stsb"]
    assert 0.8 < low < middle < high <= 1.0 and found["difference stsb"][0] == pytest.approx(middle - 1, abs=1e-4)
    # the k-NN takes the first checkpoint in five runs of ten, a point below the last
    assert found["gain topic_knn stsb"][0] == -0.5 and found["gain same_article_auc stsb"] == [0.0, 0.0, 0.0]
    low, high = found["gain topic_knn stsb"][1:]
    assert -0.9 < low < -0.5 < high < -0.1
    assert len(proxy_agreement.VARIANTS) * 3 + 1 >= 40


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the STS sets are far from complete, and say so
def test_methods_table_goes_on_where_it_stopped(
    corpus: Path, sts_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--sts", str(sts_folder), "--sentences", str(corpus), "--methods", "simcse", "--no-readme"]
    arguments += ["--steps", "2", "--batch-size", "8", "--results", str(tmp_path)]
    assert methods_table.main([*arguments, "--seeds", "0"]) == 0
    path = tmp_path / "methods.json"
    (run,) = json.loads(path.read_text(encoding="utf-8"))["runs"]
    assert (run["method"], run["seed"], run["encoder"], run["config"]["batch_size"]) == ("simcse", 0, "mini", 8)
    assert set(run["raw"]) == set(run["trained"]) == {*methods_table.TASKS, *methods_table.GEOMETRY}
    assert run["raw"]["uniformity"] != run["trained"]["uniformity"]
    assert run["seconds"] > 0 and 10 < run["mib"] < 4000
    assert "| SimCSE |" in capsys.readouterr().out

    other = {**run, "method": "dclr", "title": "DCLR", "seed": 1}
    found = json.loads(path.read_text(encoding="utf-8"))
    report.write("methods", {**found, "runs": [run, other]}, tmp_path)
    assert methods_table.main([*arguments, "--seeds", "0"]) == 0
    assert "simcse, seed 0: there already" in capsys.readouterr().out
    assert json.loads(path.read_text(encoding="utf-8"))["runs"] == [run, other], "what is there is left as it is"
    with pytest.raises(SystemExit, match="steps 2 instead of 3; add --fresh"):
        methods_table.main([*arguments, "--seeds", "0", "--steps", "3"])


def test_what_dclr_adds_is_told_in_a_sentence_where_it_was_measured() -> None:
    def run(noise: float) -> dict[str, Any]:
        parts = {"noise_mass": noise, "noise_gradient": 0.5, "masked_share": 0.0501, "masking_gradient": 0.3}
        return {"title": "DCLR", "parts": parts}

    told = scores.noise_sentence([run(0.10), run(0.06)])
    assert "noise has 8.0 % of the softmax, and its part of the gradient is 50.0 % as long" in told
    assert "5.0 % of the in-batch negatives are masked, which changes the gradient by 30.0 %." in told
    assert scores.noise_sentence([{"title": "SimCSE", "parts": {}}, {"title": "SimCSE"}]) == ""


def test_methods_table_knows_its_methods(capsys: pytest.CaptureFixture[str]) -> None:
    assert methods_table.parse(["--sts", "x"]).methods == clwork.methods.names()
    assert set(methods_table.PUBLISHED) <= set(clwork.methods.names())
    assert "mocoutrl" not in methods_table.PUBLISHED, "there is no figure of it that could be checked"
    with pytest.raises(SystemExit):
        methods_table.parse(["--sts", "x", "--methods", "simcse", "word2vec"])
    assert "no method word2vec; there are simcse" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the peer's own deprecations
def test_step_time(corpus: Path, tmp_path: Path) -> None:
    sizes = ["--batch-size", "8", "--steps", "4", "--warm", "1", "--rounds", "1", "--encode", "10"]
    arguments = ["--sentences", str(corpus), *sizes, "--no-readme", "--results", str(tmp_path / "results")]
    assert step_time.main(arguments) == 0
    found = json.loads((tmp_path / "results" / "step_time.json").read_text(encoding="utf-8"))
    assert all(value > 0 for rounds in found["values"].values() for value in rounds)
    ours, theirs = (found["losses"][f"step float32 {who}"][0] for who in (step_time.US, step_time.THEM))
    assert ours == pytest.approx(theirs, rel=0.5), "both should do the same work, and so lose alike"
    assert found["losses"]["step looking"] == [ours], "looking must not change training"
    assert found["losses"][f"step bfloat16 {step_time.US}"] != [ours], "guard: bfloat16 ran"
    assert found["machine"]["sentence_transformers"] and found["default"]["precision"] == "float32"


@pytest.mark.slow
def test_two_versions_of_a_step_are_timed_in_turns(capsys: pytest.CaptureFixture[str]) -> None:
    sizes = ["--batch-size", "4", "--comparisons", "1", "--steps", "1", "--rounds", "2"]
    assert dclr_step.main([str(dclr_step.HERE), *sizes]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("comparison: ") and second.startswith("step: ") and "2 rounds" in second


def test_a_steps_operations_are_those_that_are_executed() -> None:
    """The formula against PyTorch's own count, on a row without padding."""
    from torch.utils.flop_counter import FlopCounterMode

    encoder = clwork.load_encoder("mini", device="cpu").with_pooling("mean").requires_grad_(True)
    tokens = encoder.tokenize(["A sentence of some words, and not one of padding."])
    with FlopCounterMode(display=False) as counter, Dropout(torch.Generator(), 0.1, 0.1):  # attention as products
        encoder(encoder.collate([tokens[0].ids])).sum().backward()
    about: Any = encoder.backbone.config
    sizes = (about.hidden_size, about.intermediate_size, about.num_hidden_layers)
    assert row_flops(len(tokens[0].ids), *sizes) == pytest.approx(counter.get_total_flops(), rel=0.01)


def test_ratios_are_taken_within_a_round() -> None:
    values = {
        f"{what} {p} {who}": [2.0, 4.0]
        for what in ("step", "encode")
        for p in ("float32", "bfloat16")
        for who in (step_time.US, step_time.THEM)
    }
    values |= {"step float32 sentence_transformers": [3.0, 12.0], "step bfloat16 clwork": [1.0, 2.0]}
    values |= {"matmul float32": [100.0, 50.0], "matmul bfloat16": [200.0, 100.0]}
    found = step_time.compare(values, "bfloat16", 100.0)
    assert found["default"] == [3.0, 6.0] and found["step float32"] == [1.5, 3.0]
    assert found["step bfloat16"] == [2.0, 2.0] and found["encode float32"] == [1.0, 1.0]
    assert found["share float32"] == [0.5, 0.5] and found["share bfloat16"] == [0.5, 0.5]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the STS sets are far from complete, and say so
def test_precision_scores_go_on_where_they_stopped(
    corpus: Path, sts_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--sts", str(sts_folder), "--sentences", str(corpus), "--steps", "2", "--batch-size", "8"]
    arguments += ["--results", str(tmp_path)]
    assert precision_scores.main([*arguments, "--seeds", "0"]) == 0
    assert precision_scores.main([*arguments, "--seeds", "0", "1"]) == 0
    assert "bfloat16, seed 0: there already" in capsys.readouterr().out
    found = json.loads((tmp_path / "precision.json").read_text(encoding="utf-8"))
    runs = {(run["precision"], run["seed"]): run["scores"] for run in found["runs"]}
    assert len(runs) == len(found["runs"]) == 4
    assert len({run["last_loss"] for run in found["runs"]}) == 4, "guard: bfloat16 ran, and seeds differ"
    gaps = [runs["bfloat16", seed]["stsb"] - runs["float32", seed]["stsb"] for seed in (0, 1)]
    gap = found["bfloat16_minus_float32"]["stsb"]
    assert gap["mean"] == pytest.approx(sum(gaps) / 2, abs=1e-3) and gap["low"] <= gap["mean"] <= gap["high"]


def test_settings_are_read_as_python_would() -> None:
    options = sts_table.parse(
        ["--sts", "x", "--set", "learning_rate=3e-5", "--set", "head=none", "--set", "fixed_mask=True"]
    )
    assert options.config == {"learning_rate": 3e-5, "head": "none", "fixed_mask": True}
    with pytest.raises(SystemExit):
        sts_table.parse(["--sts", "x", "--set", "temperature"])


def test_results_carry_the_machine_and_nothing_private(tmp_path: Path) -> None:
    machine = report.machine()
    assert machine["threads"] >= 1
    assert set(machine) == {"cores", "threads", "cuda", "python", "torch", "transformers", "numpy"}
    path = report.write("x", {"τ": 1}, tmp_path / "new")
    assert json.loads(path.read_text(encoding="utf-8")) == {"τ": 1}


def test_the_age_of_what_a_page_shows_is_that_of_the_first_row_it_lacks() -> None:
    pytest.importorskip("playwright")
    from benchmarks import touch

    written = [0.0, 1.0, 2.0, 3.0]
    at_once = [(step, step) for step in written]
    assert touch.percentiles(touch.ages(written, at_once, 4.0)) == {"p50": 0.0, "p95": 0.0, "max": 0.0}
    stands_still = [(0.0, 0.0), (3.5, 3.0)]
    found = touch.ages(written, stands_still, 4.0)
    assert max(found) == pytest.approx(2.45) and found[-1] == 0.0, "from step 1's row to the next picture"
    assert touch.percentiles(found)["p50"] == pytest.approx(1.0, abs=0.06)
    assert touch.ages(written, [], 1.5)[-1] == pytest.approx(0.5), "a page that shows nothing lacks the first"


def test_spinning_processes_end_with_their_block() -> None:
    from benchmarks import busy

    with busy.spinning(1) as spinners:
        assert [spinner.poll() for spinner in spinners] == [None]
    assert all(spinner.poll() is not None for spinner in spinners)


def test_large_clouds_are_measured_against_references(tmp_path: Path) -> None:
    sizes = ["--corpus", "3000", "--queries", "5", "--cloud", "2100", "--results", str(tmp_path)]
    assert large_clouds.main(["--parts", "nearest", "uniformity", "pca", *sizes]) == 0
    found = json.loads((tmp_path / "large_clouds.json").read_text())
    assert found["nearest"]["own"] == 5 and found["sizes"]["cloud"] == 2100
    assert found["uniformity"]["error"] < 1e-6 and found["pca"]["share_apart"] < 1e-9


def test_the_reference_uniformity_is_that_of_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_clouds, "BLOCK", 7)
    points = large_clouds.cloud(40, 5)
    distances = torch.pdist(torch.nn.functional.normalize(torch.from_numpy(points).double(), dim=1)).pow(2)
    assert large_clouds.exact_uniformity(points) == pytest.approx(float(torch.exp(-2 * distances).mean().log()))


@pytest.mark.slow
def test_a_ladder_compares_each_way_with_the_one_before(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--sentences", str(corpus), "--batch-size", "8", "--steps", "1", "--rounds", "2", "--no-peer"]
    arguments += ["--no-readme", "--results", str(tmp_path)]
    for _ in range(2):  # the second takes the place of the first
        assert step_ladder.main(arguments) == 0
    (found,) = json.loads((tmp_path / "step_ladder.json").read_text(encoding="utf-8"))
    first, *others = found["rows"]
    assert [row["way"] for row in found["rows"]] == list(step_ladder.ON_CPU) and "loss_apart" not in first
    for row in others:
        assert row["gradient_apart"] < (0.05 if "bfloat16" in row["way"] else 1e-4)
    assert "On a GPU: not measured." in capsys.readouterr().out
    gpu = found | {"device": "cuda", "machine": found["machine"] | {"cuda": "A GPU"}}
    assert "A GPU" in speed.ladder_of([found, gpu]) and "not measured" not in speed.ladder_of([found, gpu])


@pytest.mark.slow
def test_encoders_of_other_shapes_have_their_size_and_the_minis_tokens(tmp_path: Path) -> None:
    step_ladder.save_shape("bert-base", tmp_path / "made")
    made = clwork.load_encoder(tmp_path / "made", device="cpu")
    assert made.dim == 768 and made.tokenize(["a cat"])[0].ids == clwork.load_encoder("mini").tokenize(["a cat"])[0].ids


def test_one_table_has_a_row_for_each_claim_of_speed() -> None:
    found = {name: readme.results(name, readme.ROOT) for name in ("step_time", "larger", "panel_cost")}
    rows = bench_block.rows_of(found)
    assert [row["key"] for row in rows if "key" in row] == list(found["step_time"]["ratios"])[:1] + [
        f"{what} {precision}" for what in ("step", "encode") for precision in ("float32", "bfloat16")
    ]
    slow = [dict(one, seconds=2 * one["seconds"]) for one in found["larger"]["values"]["512 in parts of 64"]]
    found["larger"]["values"]["512 in parts of 64"] = slow
    (parts,) = [row for row in bench_block.rows_of(found) if "in parts of 64: against" in row["what"]]
    assert not parts["met"]
    measured: dict[str, Any] = {
        "rows": [*rows, parts],
        "minutes": 12.3,
        "date": "2026-01-01",
        "machine": report.machine(),
    }
    table = bench_block.bench_of(measured)
    assert table.count("\n| ") == len(rows) + 1 and "**missed**" in table and "2026-01-01, in 12 minutes" in table
    missed = sum(not row["met"] for row in measured["rows"])
    assert f"{missed} of {len(rows) + 1} targets missed" in bench_block.sentence_of(measured)


def test_the_parts_of_the_table_are_scripts_that_write_what_it_reads() -> None:
    for script, (name, _) in bench.PARTS.items():
        text = (bench.HERE / script).read_text(encoding="utf-8")
        assert f'"{name}"' in text and ("--no-readme" in text) == (script in bench.WRITERS)
