"""An interrupted and resumed run has the weights of an uninterrupted one, bit for bit."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.run_folder.folder import RunFolder
from clwork.training.preparation import RunInputs, prepare, read_config
from clwork.training.run import RUNS
from clwork.training.starting import view_run

from ..runs import same, stop_at, weights
from .conftest import SHORT

TEXT_CNN: dict[str, Any] = {"encoder": "textcnn:glove-6b-50d", "max_length": 16}
GCLSR: dict[str, Any] = {
    **TEXT_CNN,
    "projector": 32,
    "predictor": 8,
    "group_dim": 8,
    "regions": "1,1,1,6,10,15",
    "filters": 5,
    "attention": "always",
}
SWITCHES = {
    "text_augmentation": "eda",
    "unknown_words": "resampled",
    "changed_views": "first",
}
SELF: dict[str, Any] = {"weighting": "self", "phi": 0.5, "noise_scope": "sentence"}
BFLOAT16 = {"precision": "bfloat16"}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("simcse", {}),
    ("dclr", {"complementary_steps": 3, "phi_quantile": 0.8}),
    ("self_guided", {"form": "opt1", "frozen_dropout": True}),
    ("gclsr", GCLSR | SWITCHES),
    ("mocoutrl", {"momentum": 0.5}),
]
NIGHTLY: list[tuple[str, dict[str, Any]]] = [
    ("simcse", {"augmentation": "delete", "weight_decay": 0.01, "warmup": 0.3}),
    ("simcse", {"head": "both", "pooling": "mean", **BFLOAT16}),
    ("dclr", {**SELF, "augmentation": "token_cutoff"}),
    ("dclr", {"variant": "code", "complementary_steps": 2, **BFLOAT16}),
    ("self_guided", {"form": "base", **BFLOAT16}),
    ("gclsr", {**GCLSR, "schedule": "linear", **BFLOAT16}),
    ("mocoutrl", {"perturb": "coord_std", "token_loss": "hinge", **BFLOAT16}),
]


@pytest.mark.parametrize(
    ("method", "values"),
    [*CASES, *(pytest.param(*case, marks=pytest.mark.nightly) for case in NIGHTLY)],
)
def test_resumed_equals_uninterrupted(
    method: str, values: dict[str, Any], tiny: dict[str, Any]
) -> None:
    assert {name for name, _ in CASES} == set(clwork.methods.names())
    arguments = {**tiny, "seed": 3, **values}
    whole = clwork.train(method, name="whole", **arguments)
    cut = stop_at(clwork.start(method, name="cut", **arguments), 3)
    assert (cut.status, cut.step) == ("stopped", 3)
    resumed = clwork.resume(cut.folder)
    assert resumed.status == "finished"
    assert same(whole, resumed)
    ours, theirs = resumed.history.set_index("step"), whole.history.set_index("step")
    assert list(ours.index) == list(theirs.index)
    assert (ours["loss"].dropna() == theirs["loss"].dropna()).all()
    assert ours.loc[4, "event"] == "resumed from step 3"
    assert RunFolder(cut.folder).checkpoints.meta().step == 8
    first, end = first_weights(whole), weights(whole)
    assert not all(torch.equal(end[name], first[name]) for name in first), "it trained"
    assert method != "gclsr" or any("running_mean" in name for name in end)
    if method == "mocoutrl":  # the guard: the dictionary follows the weights
        words = end["encoder.backbone.embeddings.word_embeddings.weight"]
        assert not torch.equal(end["dictionary.table"], words)


def first_weights(run: clwork.Run) -> dict[str, torch.Tensor]:
    """The encoder's weights before the first step."""
    config = read_config(run.run_config, run.files)
    inputs = RunInputs(run.run_config.encoder)
    loop, _ = prepare(run.run_config, run.files, config, inputs, owns_folder=False)
    state = loop.method.test_encoder().state_dict()
    return {f"encoder.{name}": tensor for name, tensor in state.items() if "head" not in name}


def test_another_process_reads_the_state_of_a_run_and_writes_nothing(corpus: Any) -> None:
    run = stop_at(clwork.start("simcse", sentences=corpus, steps=8, **SHORT), 4)

    def written() -> dict[str, tuple[int, int]]:
        stats = {str(path): path.stat() for path in run.folder.rglob("*")}
        return {path: (stat.st_ino, stat.st_mtime_ns) for path, stat in stats.items()}

    before = written()
    inputs = RunInputs(run.run_config.encoder, corpus, "cpu", resume=True)
    config = read_config(run.run_config, run.files)
    loop, _ = prepare(run.run_config, run.files, config, inputs, owns_folder=False)
    assert loop.step == 4
    assert loop.positions.rows()
    assert written() == before


def test_an_impossible_resume_raises_the_reason(corpus: Any, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no run"):
        clwork.resume(tmp_path)
    run = stop_at(clwork.start("simcse", sentences=corpus, steps=4, **SHORT), 2)
    (run.folder / "checkpoint.safetensors").unlink()
    with pytest.raises(FileNotFoundError, match="before its first"):
        clwork.resume(run.folder)


def test_a_finished_run_opens_without_its_corpus_and_encoder(corpus: Any, tmp_path: Path) -> None:
    texts = tmp_path / "own.txt"
    texts.write_text("\n".join(corpus))
    clwork.load_encoder(SHORT["encoder"]).save(tmp_path / "mine")
    arguments = {**SHORT, "encoder": str(tmp_path / "mine"), "sentences": str(texts)}
    run = clwork.train("simcse", **arguments, steps=2)
    expected = run.encoder.encode(["a river"])
    texts.unlink()
    shutil.rmtree(tmp_path / "mine")
    RUNS.remove(run)  # as another kernel sees it
    opened = clwork.resume(run.folder)
    assert_equal_state(opened, run)
    assert_equal_state(view_run(clwork.open_run(run.folder)), run)
    assert (opened.status, opened.step, opened.alive) == ("finished", 2, False)
    assert (opened.encoder.encode(["a river"]) == expected).all()
    assert opened.best == run.best
    with pytest.raises(RuntimeError, match="run is finished"):
        opened.controls.temperature = 0.2


def assert_equal_state(opened: clwork.Run, run: clwork.Run) -> None:
    """Assert that a run opened from its folder shows the same data."""
    found, expected = opened.probe, run.probe
    assert found is not None
    assert expected is not None
    assert found.vectors is not None
    assert (found.vectors == expected.vectors).all()
    for name in ("vectors_step", "texts", "labels", "pairs", "about"):
        assert getattr(found, name) == getattr(expected, name), name
    assert opened.references == run.references != {}
    assert opened.diagnosis() == run.diagnosis()
    assert opened.best["rule"] == run.best["rule"]
    assert opened.seconds == run.records()[-1]["seconds"] > 0
