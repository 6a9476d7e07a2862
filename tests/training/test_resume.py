"""A run that was interrupted ends where the uninterrupted one would have: every weight, bit for bit."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork

from ..runs import stop_at, weights
from .conftest import SHORT

VARIANTS: list[dict[str, Any]] = [
    {},
    {"augmentation": "delete", "weight_decay": 0.01, "warmup": 0.3},
    {"head": "both", "pooling": "mean", "precision": "bfloat16"},
]


@pytest.mark.parametrize("values", VARIANTS, ids=["default", "delete, decay, warm-up", "head kept, bfloat16"])
def test_resumed_equals_uninterrupted(values: dict[str, Any], corpus: Any) -> None:
    whole = clwork.train("simcse", sentences=corpus, steps=12, seed=3, name="whole", **SHORT, **values)
    cut = clwork.start("simcse", sentences=corpus, steps=12, seed=3, name="cut", **SHORT, **values)
    stop_at(cut, 5)
    assert (cut.status, cut.step) == ("stopped", 5)
    resumed = clwork.resume(cut.folder)
    assert resumed.status == "finished"
    expected, got = weights(whole), weights(resumed)
    assert expected.keys() == got.keys()
    assert all(torch.equal(expected[name], got[name]) for name in expected)
    ours, theirs = resumed.history.set_index("step"), whole.history.set_index("step")
    assert list(ours.index) == list(theirs.index)
    assert (ours["loss"].dropna() == theirs["loss"].dropna()).all()
    assert ours.loc[6, "event"] == "resumed from step 5"
    words = "embeddings.word_embeddings.weight"
    start = clwork.load_encoder("mini").backbone.state_dict()[words]
    assert not torch.equal(expected[f"encoder.backbone.{words}"], start)  # the guard: training did change the weights


def test_seeds_differ(corpus: Any) -> None:
    first, second = (clwork.train("simcse", sentences=corpus, steps=3, seed=s, **SHORT) for s in (0, 1))
    assert first.history["loss"].iloc[-1] != second.history["loss"].iloc[-1]


def test_a_saved_copy_resumes_too(corpus: Any, tmp_path: Path) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=6, **SHORT)
    stop_at(run, 4)
    copy = run.save(tmp_path / "copy")
    shutil.rmtree(run.folder)
    assert clwork.resume(copy).step == 6
    with pytest.raises(FileExistsError, match="not empty"):
        run.save(copy)


def test_a_finished_run_opens_with_its_history(corpus: Any) -> None:
    run = clwork.train("simcse", sentences=corpus, steps=4, **SHORT)
    opened = clwork.resume(run.folder)
    assert opened.status == "finished"
    assert opened.history["loss"].equals(run.history["loss"])
    assert (opened.encoder.encode(["a"]) == run.encoder.encode(["a"])).all()


def test_a_line_cut_short_by_a_crash_is_survived(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=6, **SHORT)
    stop_at(run, 3)
    with open(run.folder / "record.jsonl", "a") as out:
        out.write('{"step": 4, "lo')
    assert list(clwork.resume(run.folder).history["step"]) == list(range(7))


def test_what_cannot_be_resumed_says_why(corpus: Any, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no run"):
        clwork.resume(tmp_path)
    run = clwork.train("simcse", sentences=corpus, steps=2, **SHORT)
    checkpoint = run.folder / "checkpoint.safetensors"
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    with pytest.raises(ValueError, match=r"checkpoint\.safetensors.*damaged"):
        clwork.resume(run.folder)
    checkpoint.unlink()
    with pytest.raises(FileNotFoundError, match="before its first"):
        clwork.resume(run.folder)


def test_a_run_that_has_ended_keeps_its_weights_alone_and_can_still_be_saved(corpus: Any, tmp_path: Path) -> None:
    cut = clwork.start("simcse", sentences=corpus, steps=6, seed=3, **SHORT)
    stop_at(cut, 4)
    loop = cut._loop
    assert loop is not None and not loop.optimizer.state and not hasattr(loop, "batches")
    assert all(parameter.grad is None for parameter in loop.method.parameters())
    assert cut.encoder.encode(["still there"]).shape == (1, 256)
    resumed = clwork.resume(cut.save(tmp_path / "copy"))
    whole = clwork.train("simcse", sentences=corpus, steps=6, seed=3, **SHORT)
    expected, got = weights(whole), weights(resumed)
    assert all(torch.equal(expected[name], got[name]) for name in expected)
