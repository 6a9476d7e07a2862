"""A method trains the pooling that an encoder declares; the untrained encoder is a level."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clwork
from clwork.methods import config
from clwork.training.starting import view_run

from ..encoders.conftest import write_tiny

POOLING_METHODS = ["simcse", "dclr", "mocoutrl"]
LEVEL = "silver: untrained, as loaded"


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder of sentence-transformers that pools the maximum."""
    folder = tmp_path_factory.mktemp("declared")
    encoder = clwork.load_encoder(write_tiny(folder / "raw"), pooling="max", device="cpu")
    encoder.save(folder / "saved")
    (folder / "saved" / "clwork.json").unlink()
    return str(folder / "saved")


@pytest.mark.parametrize("method", POOLING_METHODS)
@pytest.mark.parametrize("as_object", [False, True])
def test_the_declared_pooling_is_trained(
    method: str, as_object: bool, declared: str, tiny: dict[str, Any]
) -> None:
    encoder = clwork.load_encoder(declared, device="cpu")
    assert encoder.pooling == "max"
    assert not encoder.raw
    arguments = {**tiny, "encoder": encoder if as_object else declared, "batch_size": 2}
    run = clwork.train(method, **arguments | {"steps": 2, "keep_every": 1})
    assert run.encoder.pooling == "max"
    assert run.encoder.head is None
    silver = run.history["silver"].iloc[0]
    assert next(iter(run.references)) == LEVEL
    assert run.references[LEVEL] == pytest.approx(silver)
    assert clwork.resume(run.fork(1).wait().folder).encoder.pooling == "max"


def test_a_raw_encoder_is_trained_at_the_paper_s_pooling(
    tiny: dict[str, Any], subtests: pytest.Subtests
) -> None:
    for method in POOLING_METHODS:
        right = "mean" if method == "mocoutrl" else "cls_before_pooler"
        for encoder in (tiny["encoder"], clwork.load_encoder(tiny["encoder"], device="cpu")):
            with subtests.test(method=method, encoder=encoder):
                run = clwork.start(method, **{**tiny, "encoder": encoder, "batch_size": 2})
                run.stop(after=1)
                assert run.wait().encoder.pooling == right
                assert clwork.resume(run.folder).encoder.pooling == right, "as its copy declares"


def test_another_pooling_than_the_encoder_s_has_another_score(
    declared: str, tiny: dict[str, Any]
) -> None:
    run = clwork.train("self_guided", **{**tiny, "encoder": declared, "steps": 2})
    loaded = clwork.load_encoder(declared, device="cpu")
    assert abs(run.references[LEVEL] - run.history["silver"].iloc[0]) > 0.01
    assert next(iter(run.references)) == LEVEL
    assert len(run.references) == 2
    assert view_run(clwork.open_run(run.folder)).references == run.references
    assert not np.allclose(loaded.encode(["a"]), run.encoder.encode(["a"]))


def test_the_mini_keeps_its_pooling_and_an_encoder_trained_from_it_its_own(tmp_path: Path) -> None:
    mini = clwork.load_encoder("mini", device="cpu")
    assert mini.raw
    assert config("simcse").pooling == config("dclr", mini).pooling == "cls"
    assert config("mocoutrl", mini).pooling == "mean"
    mini.with_pooling("mean").save(tmp_path / "saved")
    assert config("simcse", tmp_path / "saved").pooling == "auto", "read when the encoder is loaded"
    assert config("simcse", clwork.load_encoder(tmp_path / "saved", device="cpu")).pooling == "mean"
    assert config("simcse", mini.with_pooling("mean"), pooling="cls").pooling == "cls"
