"""A run accepts commands while it trains, and records them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pytest
import torch

import clwork
from clwork import data
from clwork.disk import runs_folder
from clwork.training.preparation import source_of
from clwork.training.run import RUNS
from tests import sts

from ..encoders.conftest import small_encoder
from ..runs import wait_for_row, wait_for_step
from .conftest import SHORT


def until(condition: Any, seconds: float = 400.0) -> None:
    """Wait for a condition, or fail."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.01)


def test_history_has_the_documented_columns(trained: clwork.Run, corpus: Any) -> None:
    h = trained.history
    measured = {"alignment", "uniformity", "mean_cosine", "effective_rank", "std_sqrt_d"}
    assert {*measured, "step", "loss", "learning_rate", "probe_share", "event"} <= {*h.columns}
    assert list(h["step"]) == list(range(9))
    assert h["loss"].iloc[1:].notna().all()
    assert np.isnan(h["loss"].iloc[0])
    assert list(h.index[h["uniformity"].notna()]) == [0, 2, 4, 6, 8]
    assert h["silver"].notna().tolist() == [True, *[False] * 7, True]
    assert h["silver"].dropna().between(-100, 100).all()
    assert trained.best["step"] == 8
    assert "no STS data" in trained.best["rule"]
    silver = trained.history["silver"].iloc[0]
    levels = {"silver: untrained, as loaded": silver, "log N": pytest.approx(np.log(4))}
    assert trained.references == levels
    assert trained.best_encoder().encode(corpus[:5]).shape == (5, 16)


def test_without_validation_nothing_is_scored_or_chosen(tiny: dict[str, Any]) -> None:
    validated = clwork.train("simcse", **tiny)
    run = clwork.train("simcse", **tiny | {"eval_every": 0})
    assert "silver" in validated.history
    assert "silver" not in run.history
    assert run.history["loss"].equals(validated.history["loss"])
    with pytest.raises(RuntimeError, match="has not been validated"):
        run.best_encoder()


def test_weights_that_the_caller_froze_are_refused(corpus: Any) -> None:
    encoder = clwork.load_encoder(small_encoder(), device="cpu")
    encoder.layers[0].requires_grad_(False)
    with pytest.raises(ValueError, match=r"is frozen .*requires_grad_\(True\).* trained_layers="):
        clwork.start("simcse", encoder=encoder, sentences=corpus)
    assert not runs_folder().exists()


def test_controls_take_effect_at_the_next_step_and_are_marked(corpus: Any) -> None:
    # Two equal views: at τ = 0.05 the loss is almost 0.
    alike: dict[str, Any] = {"dropout_hidden": 0.0, "dropout_attention": 0.0}
    run = clwork.start("simcse", sentences=corpus, steps=400, **SHORT, **alike)
    wait_for_step(run, 2)
    run.controls.temperature = 0.5
    assert run.controls.temperature == 0.5
    wait_for_row(run, lambda row: row["step"] > 0 and "events" in row)
    run.stop()
    run.wait()
    h = run.history
    h.loc[0, "event"] = ""  # of the pooling
    assert list(h.loc[h["event"] != "", "event"]) == ["temperature 0.05 → 0.5"]
    events = [row["events"] for row in run.records(1) if "events" in row]
    assert events == [[{"moved": {"temperature": [0.05, 0.5]}}]]
    at = int(h.index[h["event"] != ""][0])
    assert run.config.temperature == 0.5
    # At τ = 0.5 no batch of 8 has a loss below this, so the event's step already uses the new τ.
    assert h["loss"].iloc[at] > np.log(1 + 7 * np.exp(-4)) > h["loss"].iloc[at - 1] - 1


def test_pause_blocks_training_until_resume(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=30, **SHORT)
    wait_for_step(run, 2)
    run.pause()
    until(lambda: run.status == "paused")
    held = run.step
    time.sleep(0.3)
    assert run.step == held
    assert (run.folder / "checkpoint.safetensors").exists()
    run.resume()
    run.wait()
    assert run.status == "finished"


def test_two_runs_at_once_do_not_disturb_each_other_nor_the_users_random_state(corpus: Any) -> None:
    alone = clwork.train("simcse", sentences=corpus, steps=6, seed=1, **SHORT)
    torch.manual_seed(5)
    expected = torch.get_rng_state()
    pair = [clwork.start("simcse", sentences=corpus, steps=6, seed=s, **SHORT) for s in (1, 2)]
    for run in pair:
        run.wait()
    assert torch.equal(torch.get_rng_state(), expected)
    assert pair[0].history["loss"].equals(alone.history["loss"])
    assert set(pair) <= set(RUNS)


def test_the_encoder_given_is_never_changed(corpus: Any) -> None:
    mine = clwork.load_encoder(small_encoder())
    before = mine.encode(["a river"])
    run = clwork.train("simcse", **(SHORT | {"encoder": mine}), sentences=corpus, steps=3)
    assert (mine.encode(["a river"]) == before).all()
    assert not np.allclose(run.encoder.with_pooling("mean").encode(["a river"]), before)
    assert clwork.resume(run.folder).status == "finished"


def test_sts_data_selects_the_checkpoint_if_available(corpus: Any, tmp_path: Path) -> None:
    folder = tmp_path / "sts" / "stsb"
    folder.mkdir(parents=True)
    pairs = data.paraphrases()
    rows = [{"sentence1": a, "sentence2": b, "score": 4.8} for a, b in pairs]
    for row, (first, _) in enumerate(pairs):
        rows.append({"sentence1": first, "sentence2": pairs[row - 1][1], "score": 0.5})
    (folder / "validation.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = clwork.train("simcse", sentences=corpus, steps=4, sts=tmp_path / "sts", **SHORT)
    assert run.history["stsb"].notna().sum() == 2
    assert run.best["rule"].startswith("highest stsb")
    assert run.best["score"] == run.history["stsb"].max()
    assert run.probe is not None
    assert "gold score above 4" in run.probe.positives


def test_a_task_without_validation_pairs_is_left_out(corpus: Any, tmp_path: Path) -> None:
    for task in sts.write(tmp_path / "sts", ("stsb", "sickr"), pairs=8).iterdir():
        if task.name == "sickr":
            (task / "train.jsonl").unlink()
            (task / "validation.jsonl").unlink()
    run = clwork.train("simcse", sentences=corpus, steps=2, sts=tmp_path / "sts", **SHORT)
    assert run.best["rule"].startswith("highest stsb")
    assert "sickr" not in run.history


PAIRS = [("The cat sat.", "A cat, sat."), ("A dog ran.", "The dog ran far.")]


def test_pairs_are_trained_on_and_stay_in_the_folder(tiny: dict[str, Any]) -> None:
    pairs = [*PAIRS, ("The mat sat.", "A cat, sat."), PAIRS[1]]
    run = clwork.train("simcse", **{**tiny, "sentences": pairs, "batch_size": 3, "steps": 1})
    assert run.fork(0, steps=1).wait().status == "finished"


def test_a_wrong_file_is_refused_before_a_run_begins(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("query,passage\na,b\n", encoding="utf-8")
    with pytest.raises(ValueError, match="'query', 'passage'; choose the one"):
        clwork.start("simcse", encoder="no/such-encoder", sentences=path)
    assert not runs_folder().exists()


def test_a_stream_is_refused(corpus: Any) -> None:
    for stream in (iter(corpus), map(str, corpus)):
        with pytest.raises(TypeError, match="is a stream; give a list of its items"):
            clwork.start("simcse", sentences=stream)


def test_a_dataset_is_taken_like_a_table() -> None:
    columns: dict[str, Any] = {"Text": ["The cat sat.", " ", "A dog ran."], "label": [0, 1, 1]}
    made = datasets.Dataset.from_dict(columns)
    _, found = source_of(made)
    assert list(found) == list(data.sentences(made, column="text")) == columns["Text"][::2]
    assert found.labels == ["0", "1"]
    with pytest.raises(ValueError, match="the data set has the columns 'a', 'b'; choose the one"):
        clwork.start("simcse", sentences=datasets.Dataset.from_dict({"a": ["x"], "b": ["y"]}))
