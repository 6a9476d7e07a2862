"""An interrupted and resumed run has the weights of an uninterrupted one, bit for bit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.run_folder.folder import RunFolder
from clwork.training.preparation import RunInputs, prepare, read_config, rebuild
from clwork.training.run import RUNS
from clwork.training.starting import view_run

from ..runs import same, stop_at, weights
from .conftest import SHORT

GCLSR: dict[str, Any] = {
    "encoder": "textcnn:mini",
    "max_length": 16,
    "projector": 32,
    "predictor": 8,
    "group_dim": 8,
}
GCLSR |= {"regions": "1,1,1,2,3,4", "filters": 5, "attention": "always"}
SWITCHES = {
    "text_augmentation": "eda",
    "unknown_words": "resampled",
    "symmetric": False,
    "changed_views": "first",
}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("simcse", {}),
    ("dclr", {"complementary_steps": 3, "phi_quantile": 0.8}),
    ("self_guided", {"form": "opt1", "frozen_dropout": True}),
    ("gclsr", GCLSR | SWITCHES),
    ("mocoutrl", {"momentum": 0.5}),
]
NIGHTLY: list[tuple[str, dict[str, Any]]] = [
    ("simcse", {"augmentation": "delete", "weight_decay": 0.01, "warmup": 0.3}),
    ("simcse", {"head": "both", "pooling": "mean", "precision": "bfloat16"}),
    (
        "dclr",
        {
            "weighting": "self",
            "phi": 0.5,
            "noise_scope": "sentence",
            "augmentation": "token_cutoff",
        },
    ),
    ("dclr", {"variant": "code", "complementary_steps": 2, "precision": "bfloat16"}),
    ("self_guided", {"form": "base", "precision": "bfloat16"}),
    ("gclsr", GCLSR | {"precision": "bfloat16", "schedule": "linear"}),
    ("mocoutrl", {"perturb": "coord_std", "precision": "bfloat16", "token_loss": "hinge"}),
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
    assert resumed.status == "finished" and same(whole, resumed)
    ours, theirs = resumed.history.set_index("step"), whole.history.set_index("step")
    assert list(ours.index) == list(theirs.index)
    assert (ours["loss"].dropna() == theirs["loss"].dropna()).all()
    assert ours.loc[4, "event"] == "resumed from step 3"
    step, end = (RunFolder(cut.folder).checkpoints.meta().step, weights(whole))
    assert step == 8 and not all(
        torch.equal(end[name], tensor) for name, tensor in first_weights(whole).items()
    )
    assert method != "gclsr" or any("running_mean" in name for name in end)
    if method == "mocoutrl":  # the guard: the dictionary follows the weights
        assert not torch.equal(
            end["dictionary.table"], end["encoder.backbone.embeddings.word_embeddings.weight"]
        )


def first_weights(run: clwork.Run) -> dict[str, torch.Tensor]:
    """The encoder's weights before the first step."""
    raw = rebuild(run.recipe, run.files, read_config(run.recipe, run.files)).test_encoder()
    return {
        f"encoder.{name}": tensor for name, tensor in raw.state_dict().items() if "head" not in name
    }


def test_another_process_reads_the_state_of_a_run_and_writes_nothing(corpus: Any) -> None:
    run = stop_at(clwork.start("simcse", sentences=corpus, steps=8, **SHORT), 4)
    files, recipe = run.files, run.recipe

    def written() -> dict[str, tuple[int, int]]:
        return {
            str(path): (path.stat().st_ino, path.stat().st_mtime_ns)
            for path in files.path.rglob("*")
        }

    before = written()
    inputs = RunInputs(recipe.encoder, corpus, "cpu", resume=True)
    loop, _ = prepare(recipe, files, read_config(recipe, files), inputs, store=False)
    assert loop.step == 4 and loop.positions.rows() and written() == before


def test_an_impossible_resume_raises_the_reason(corpus: Any, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no run"):
        clwork.resume(tmp_path)
    run = clwork.start("simcse", sentences=corpus, steps=4, **SHORT)
    stop_at(run, 2)
    checkpoint, earlier = (
        run.folder / "checkpoint.safetensors",
        run.folder / "checkpoint.earlier.safetensors",
    )
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    earlier.write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match=r"checkpoint\.safetensors.*damaged"):
        clwork.resume(run.folder)
    checkpoint.unlink()
    earlier.unlink()
    with pytest.raises(FileNotFoundError, match="before its first"):
        clwork.resume(run.folder)


def test_a_damaged_checkpoint_leaves_the_earlier_one(corpus: Any) -> None:
    whole = clwork.train("simcse", sentences=corpus, steps=6, seed=3, **SHORT)
    cut = clwork.start("simcse", sentences=corpus, steps=6, seed=3, checkpoint_every=2, **SHORT)
    stop_at(cut, 5)
    checkpoint = cut.folder / "checkpoint.safetensors"
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    resumed = clwork.resume(cut.folder)
    assert "resumed from step 4" in resumed.history["event"].iloc[5]
    assert same(whole, resumed)


def test_a_changed_corpus_is_reported(corpus: Any, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("\n".join(corpus))
    run = clwork.start("simcse", sentences=str(own), steps=6, **SHORT)
    stop_at(run, 3)
    own.write_text("\n".join([*corpus[:-1], "Another sentence."]))
    with pytest.warns(UserWarning, match="the sentences of .* changed since the run began"):
        resumed = clwork.resume(run.folder, background=True)
        resumed.wait()
    assert "sentences changed" in resumed.history.set_index("step").loc[4, "event"]


def test_a_changed_encoder_is_reported(corpus: Any, tmp_path: Path) -> None:
    clwork.load_encoder(SHORT["encoder"]).save(tmp_path / "mine")
    run = clwork.start(
        "simcse", **(SHORT | {"encoder": str(tmp_path / "mine")}), sentences=corpus, steps=6
    )
    stop_at(run, 3)
    other = clwork.load_encoder(SHORT["encoder"])
    with torch.no_grad():
        next(other.parameters())[0, 0] += 1
    other.save(tmp_path / "mine")
    with pytest.warns(UserWarning, match="the encoder of .* changed"):
        resumed = clwork.resume(run.folder)
    assert "encoder changed" in resumed.history.set_index("step").loc[4, "event"]


def test_a_finished_run_opens_without_its_corpus_and_encoder(corpus: Any, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("\n".join(corpus))
    clwork.load_encoder(SHORT["encoder"]).save(tmp_path / "mine")
    run = clwork.train(
        "simcse", **(SHORT | {"encoder": str(tmp_path / "mine")}), sentences=str(own), steps=2
    )
    expected = run.encoder.encode(["a river"])
    own.unlink()
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
    assert opened.probe is not None and run.probe is not None and opened.probe.vectors is not None
    assert (
        opened.probe.vectors == run.probe.vectors
    ).all() and opened.probe.vectors_step == run.probe.vectors_step
    assert opened.probe.texts == run.probe.texts and opened.probe.labels == run.probe.labels
    assert opened.probe.pairs == run.probe.pairs and opened.probe.about == run.probe.about
    assert opened.references == run.references != {}
    assert opened.diagnosis() == run.diagnosis() and opened.selection == run.selection
    assert opened.seconds == run.records()[-1]["seconds"] > 0


class Stream:
    """A stream of the user's examples; no folder stores it, and it may be exhausted."""

    def __init__(self, examples: list[Any]) -> None:
        self.examples = examples

    def __iter__(self) -> Iterator[Any]:
        return iter(self.examples)


def test_resuming_requires_the_stream_again(corpus: Any) -> None:
    stream = Stream(list(corpus))
    run = clwork.start("simcse", sentences=stream, steps=4, **SHORT)
    stop_at(run, 2)
    with pytest.raises(ValueError, match=r"a stream \(Stream\) without examples"):
        clwork.resume(run.folder, sentences=Stream([]))
    with pytest.raises(ValueError, match="did you mean 'wikipedia-mini'"):
        clwork.resume(run.folder, sentences="wikipedia_mini")
    with pytest.raises(ValueError, match="does not hold its examples, a Stream"):
        clwork.resume(run.folder)
    assert clwork.resume(run.folder, sentences=stream).status == "finished"
