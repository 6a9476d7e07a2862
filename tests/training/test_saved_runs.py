"""Runs saved by an earlier clwork go on with this one as they would have there: with the same losses.

``python -m tests.training.test_saved_runs`` writes the runs anew, when the format of a run's folder changes on purpose.
Each is stopped half-way, and ``expected.json`` beside them holds how the clwork that wrote them went on.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch

import clwork

from ..encoders.conftest import write_tiny
from ..runs import stop_at

pytestmark = pytest.mark.nightly
SAVED = Path(__file__).with_name("saved_runs")
EXPECTED = SAVED / "expected.json"
STEPS, STOP = 8, 4
COMMON: dict[str, Any] = {
    "steps": STEPS,
    "seed": 5,
    "batch_size": 4,
    "probe_every": 2,
    "eval_every": 1000,
    "precision": "float32",
    "device": "cpu",
}
METHODS: dict[str, dict[str, Any]] = {
    "simcse": {},
    "dclr": {},
    "self_guided": {},
    "gclsr": {"projector": 32, "predictor": 8, "group_dim": 8},
    "mocoutrl": {},
}


def losses(run: clwork.Run) -> list[float]:
    """The losses after the stop."""
    rows = run.history.set_index("step")
    return [float(rows.loc[step, "loss"]) for step in range(STOP + 1, STEPS + 1)]


@pytest.mark.parametrize("method", METHODS)
def test_a_run_saved_earlier_goes_on_alike(method: str, tmp_path: Path) -> None:
    folder = tmp_path / method
    shutil.copytree(SAVED / method, folder)
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))
    torch.set_num_threads(expected["threads"])
    run = clwork.resume(folder)
    found = losses(run)
    assert run.status == "finished"
    assert found == pytest.approx(expected[method], rel=1e-5)  # processors differ in the last bits of a sum
    assert len(set(found)) == STEPS - STOP  # the guard: it did train


@pytest.mark.parametrize("method", METHODS)
def test_a_run_saved_earlier_is_shown(method: str) -> None:
    stored = clwork.open_run(SAVED / method)
    assert (stored.recipe.method, stored.step, stored.status) == (method, STOP, "stopped")
    assert stored.records()[-1]["step"] == STOP


def write() -> None:
    """Write all of it anew."""
    expected: dict[str, Any] = {"threads": torch.get_num_threads()}
    with TemporaryDirectory() as place:
        os.environ["CLWORK_RUNS"] = os.environ["CLWORK_HOME"] = place
        encoder = clwork.load_encoder(write_tiny(Path(place) / "tiny"), device="cpu")
        corpus = clwork.data.sentences("wikipedia-mini")[:60]
        for method, values in METHODS.items():
            run = clwork.start(method, sentences=corpus, encoder=encoder, name=method, **COMMON, **values)
            stop_at(run, STOP)
            shutil.rmtree(SAVED / method, ignore_errors=True)
            copy = run.save(SAVED / method)
            again = shutil.copytree(copy, Path(place) / f"again-{method}")
            expected[method] = losses(clwork.resume(again))
    EXPECTED.write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
