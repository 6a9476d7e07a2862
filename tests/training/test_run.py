"""A run can be talked to while it trains, and tells what it did."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork import data
from tests import sts

from ..runs import Heard
from .conftest import SHORT, WIDTH


def until(condition: Any, seconds: float = 400.0) -> None:
    """Wait for a condition, or fail."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.01)


def test_history_has_what_it_promises(corpus: Any) -> None:
    run = clwork.train("simcse", sentences=corpus, steps=9, **SHORT)
    h = run.history
    promised = ("step", "loss", "alignment", "uniformity", "mean_cosine", "effective_rank", "std_sqrt_d")
    for column in (*promised, "learning_rate", "tokens_per_second", "probe_share", "event"):
        assert column in h
    assert list(h["step"]) == list(range(10))
    assert h["loss"].iloc[1:].notna().all() and np.isnan(h["loss"].iloc[0])
    assert list(h.index[h["uniformity"].notna()]) == [0, 4, 8, 9]
    assert h["silver"].notna().tolist() == [True, *[False] * 8, True] and h["silver"].dropna().between(-100, 100).all()
    assert "same_article_auc" not in h, "the silver pairs are of this corpus, too"
    assert run.best["step"] == 9 and "no STS data" in run.selection
    assert run.references == {"log N": pytest.approx(np.log(8))}
    best = run.best_encoder().encode(corpus[:5])
    assert best.shape == (5, WIDTH)


def test_geometry_is_that_of_the_encoder_at_test(corpus: Any) -> None:
    run = clwork.train("simcse", sentences=corpus, steps=4, **SHORT)
    assert run.probe is not None and run.probe.vectors is not None
    again = run.encoder.encode(run.probe.texts)
    np.testing.assert_allclose(run.probe.vectors, again, atol=1e-5)
    assert run.history["uniformity"].iloc[-1] == pytest.approx(clwork.metrics.uniformity(again), abs=1e-4)
    assert run.diagnosis().verdict


@pytest.mark.parametrize(("method", "encoder"), [("gclsr", "textcnn:mini"), ("simcse", None)])
def test_the_diagnosis_compares_with_the_first_look_and_advises_nothing_before_a_tenth(
    method: str, encoder: str | None, corpus: Any
) -> None:
    given = SHORT | ({"encoder": encoder} if encoder else {})
    run = clwork.train(method, sentences=corpus, steps=1, **given)
    assert run.probe is not None and run.diagnosis().trend == run.trend == clwork.open_run(run.folder).trend
    scatter = np.random.default_rng(0).standard_normal((20, 8), dtype=np.float32)
    run.probe.vectors = 1000 + 0.5 * scatter
    closed = run.diagnosis()
    assert closed.verdict == "point" and closed.trend is not None and closed.trend.course == "closing" and closed.warns
    assert "helped" not in closed.advice, "every setting is as usual"
    run.config.learning_rate *= 100
    assert "lower the learning rate" in run.diagnosis().advice and "stop-gradient" not in run.diagnosis().advice
    run.total_steps = 11
    early = run.diagnosis()
    assert early.trend is not None and early.trend.course == "too early" and not early.warns
    assert "learning rate" not in early.advice and "longer" not in early.advice


def test_seconds_count_what_a_method_does_before_its_first_step(corpus: Any) -> None:
    usual = clwork.train("simcse", sentences=corpus, steps=2, **SHORT)
    assert usual.seconds == pytest.approx(usual.history["seconds"].iloc[-1], abs=0.1)
    prepared = clwork.train("dclr", sentences=corpus, steps=2, complementary_steps=2, **SHORT)
    assert prepared.seconds > prepared.history["seconds"].iloc[-1] + 0.05, "it trains its complementary model first"


def test_training_moves_the_space(corpus: Any) -> None:
    fast = {"batch_size": 32, "max_length": 16, "learning_rate": 5e-4}
    run = clwork.train("simcse", sentences=corpus, steps=8, **(SHORT | {"encoder": "mini"} | fast))
    h = run.history.dropna(subset="uniformity")
    assert h["uniformity"].iloc[-1] < h["uniformity"].iloc[0] - 0.1
    assert run.history["loss"].iloc[-1] < run.history["loss"].iloc[1]


def test_controls_take_effect_at_the_next_step_and_are_marked(corpus: Any) -> None:
    alike: dict[str, Any] = {
        "dropout_hidden": 0.0,
        "dropout_attention": 0.0,
    }  # two equal views: at τ = 0.05 there is next to no loss
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=400, on_row=heard, **SHORT, **alike)
    heard.step(2)
    run.controls.temperature = 0.5
    assert run.controls.temperature == 0.5
    heard.until(lambda row: "events" in row)
    run.stop()
    run.wait()
    h = run.history
    assert list(h.loc[h["event"] != "", "event"]) == ["temperature 0.05 → 0.5"]
    assert [row["events"] for row in run.records() if "events" in row] == [[{"moved": {"temperature": [0.05, 0.5]}}]]
    at = int(h.index[h["event"] != ""][0])
    assert run.config.temperature == 0.5
    # at τ = 0.5 no batch of 8 can have a loss below log(1 + 7 e^{-4}): the step of the event already obeys
    assert h["loss"].iloc[at] > np.log(1 + 7 * np.exp(-4)) > h["loss"].iloc[at - 1] - 1


def test_learning_rate_and_dropout_are_hot(corpus: Any) -> None:
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=400, schedule="constant", on_row=heard, **SHORT)
    heard.step(1)
    run.controls.learning_rate = 5e-6
    run.controls.dropout_hidden = 0.0
    run.controls.dropout_attention = 0.0
    moved = heard.until(lambda row: row.get("learning_rate") == 5e-6)
    heard.step(moved["step"] + 2)
    run.stop()
    run.wait()
    assert run.history["positive_cosine"].iloc[-1] == pytest.approx(1.0, abs=1e-5)
    assert run.history["positive_cosine"].iloc[1] < 0.9999


def test_bad_controls_are_refused(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=2, **SHORT)
    with pytest.raises(AttributeError, match="batch_size is fixed"):
        run.controls.batch_size = 4
    with pytest.raises(AttributeError, match="did you mean 'temperature'"):
        run.controls.temprature = 4
    with pytest.raises(ValueError, match="out of range"):
        run.controls.temperature = -1.0
    run.wait()
    assert (run.history["event"] == "").all()


def test_resuming_a_pause_and_resuming_from_a_folder_are_told_apart(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=50, **SHORT)
    run.stop(after=1)
    run.wait()
    with pytest.raises(RuntimeError, match=r"is stopped, not paused: clwork.resume\(.*takes it up"):
        run.resume()
    given: Any = run
    with pytest.raises(TypeError, match=r"give a run's folder.*only paused goes on by run.resume\(\)"):
        clwork.resume(given)


def test_pause_holds_and_resume_goes_on(corpus: Any) -> None:
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=30, on_row=heard, **SHORT)
    heard.step(2)
    run.pause()
    until(lambda: run.status == "paused")
    held = run.step
    time.sleep(0.3)
    assert run.step == held and (run.folder / "checkpoint.safetensors").exists()
    run.resume()
    run.wait()
    assert run.status == "finished" and run.history["event"].str.startswith("paused").sum() == 1


def test_a_paused_run_can_be_stopped(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=400, **SHORT)
    run.pause()
    until(lambda: run.status == "paused")
    run.stop()
    assert run.wait(30).status == "stopped"


def test_two_runs_at_once_do_not_disturb_each_other_nor_the_users_random_state(corpus: Any) -> None:
    alone = clwork.train("simcse", sentences=corpus, steps=6, seed=1, **SHORT)
    torch.manual_seed(5)
    expected = torch.get_rng_state()
    pair = [clwork.start("simcse", sentences=corpus, steps=6, seed=s, **SHORT) for s in (1, 2)]
    for run in pair:
        run.wait()
    assert torch.equal(torch.get_rng_state(), expected)
    assert pair[0].history["loss"].equals(alone.history["loss"])
    assert set(pair) <= set(clwork.runs())


def test_the_kernel_answers_while_training(corpus: Any) -> None:
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=500, on_row=heard, **(SHORT | {"batch_size": 64}))
    heard.step(1)
    waits = []
    for _ in range(20):
        began = time.monotonic()
        assert run.history is not None and run.controls.temperature
        waits.append(time.monotonic() - began)
        time.sleep(0.02)
    run.stop()
    run.wait()
    assert max(waits) < 0.5


def test_the_encoder_given_is_never_changed(corpus: Any) -> None:
    mine = clwork.load_encoder("mini")
    before = mine.encode(["a river"])
    run = clwork.train("simcse", **(SHORT | {"encoder": mine}), sentences=corpus, steps=3)
    assert (mine.encode(["a river"]) == before).all()
    assert not np.allclose(run.encoder.with_pooling("mean").encode(["a river"]), before)
    assert clwork.resume(run.folder).status == "finished"


def test_triplets_train_the_supervised_form() -> None:
    run = clwork.train("simcse", sentences=data.triplets("handwritten"), steps=4, **SHORT)
    assert run.references == {"log 2N": pytest.approx(np.log(16))}
    assert clwork.resume(run.folder).status == "finished"


def test_sts_decides_where_it_is_at_hand(corpus: Any, tmp_path: Path) -> None:
    folder = tmp_path / "sts" / "stsb"
    folder.mkdir(parents=True)
    pairs = data.paraphrases()
    rows = [{"sentence1": a, "sentence2": b, "score": 4.8} for a, b in pairs]
    rows += [{"sentence1": a, "sentence2": pairs[k - 1][1], "score": 0.5} for k, (a, _) in enumerate(pairs)]
    (folder / "validation.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = clwork.train("simcse", sentences=corpus, steps=4, sts=tmp_path / "sts", **SHORT)
    assert run.history["stsb"].notna().sum() == 2
    assert run.selection.startswith("highest stsb") and run.best["score"] == run.history["stsb"].max()
    assert run.probe is not None and "gold score above 4" in run.probe.positives


def test_a_task_without_validation_pairs_is_left_out(corpus: Any, tmp_path: Path) -> None:
    for task in sts.write(tmp_path / "sts", ("stsb", "sickr"), pairs=8).iterdir():
        if task.name == "sickr":
            (task / "train.jsonl").unlink()
            (task / "validation.jsonl").unlink()
    with pytest.warns(UserWarning, match=r"sickr has no validation.jsonl: sickr is left out"):
        run = clwork.train("simcse", sentences=corpus, steps=2, sts=tmp_path / "sts", **SHORT)
    assert run.selection.startswith("highest stsb") and "sickr" not in run.history


def test_a_folder_without_tasks_is_an_error(corpus: Any, tmp_path: Path) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=2, sts=tmp_path, **SHORT)
    with pytest.raises(FileNotFoundError, match="stsb or sickr"):
        run.wait()
    assert run.status == "failed" and run.error is not None and "stsb" in run.error


def test_too_few_sentences_for_a_batch() -> None:
    with pytest.raises(ValueError, match=r"3 examples, fewer than one batch of 8"):
        clwork.train("simcse", sentences=["a b", "c d", "e f"], steps=2, **SHORT)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"steps": 0}, ValueError, "steps=0"),
        ({"steps": 2.5}, TypeError, "steps=2.5"),
        ({"sentences": []}, ValueError, "empty"),
        ({"name": "../up"}, ValueError, "cannot name a folder"),
        ({"temperature": -1.0}, ValueError, "out of range"),
        ({"tau": 0.1}, TypeError, "tau"),
    ],
)
def test_bad_arguments_are_refused_before_anything_is_written(
    arguments: dict[str, Any], error: type[Exception], words: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        clwork.start("simcse", **(SHORT | {"sentences": list("abcdefgh")} | arguments))
    assert not (tmp_path / "runs").exists() or not any((tmp_path / "runs").iterdir())


def test_weights_that_are_not_finite_stop_the_run_and_are_named(corpus: Any) -> None:
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=400, on_row=heard, **SHORT)
    heard.step(1)
    assert run.training.loop is not None
    with run.training.between, torch.no_grad():  # as a broken kernel or a bad update would
        run.training.loop.method.encoder.backbone.get_parameter("encoder.layer.1.output.dense.weight")[0, 0] = float(
            "nan"
        )
    with pytest.raises(clwork.training.DivergedError, match=r"not finite is .*layer\.1\.output\.dense\.weight"):
        run.wait()
    assert run.status == "failed" and run.error and f"step {run.step + 1}:" in run.error


def test_whoever_asks_gets_the_next_turn_between_two_steps(corpus: Any, tmp_path: Path) -> None:
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=400, on_row=heard, **SHORT)
    heard.step(1)
    for k in range(3):
        before = run.step
        run.save(tmp_path / f"copy{k}")
        assert run.step <= before + 2, "it waited while the run's thread took turn after turn"
    run.stop()
    run.wait()


def test_an_existing_folder_is_never_overwritten(corpus: Any) -> None:
    clwork.train("simcse", sentences=corpus, steps=1, name="mine", **SHORT)
    with pytest.raises(FileExistsError, match="not empty"):
        clwork.start("simcse", sentences=corpus, steps=1, name="mine", **SHORT)
