"""Measures of a run's course, against a computation by hand and against the run itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork import claims
from clwork.claims import arm_runs, course
from clwork.claims.plan import plan
from clwork.claims.results import MEASURED, Results, recording_in

STEPS = 24


def test_the_first_row_is_a_step_of_the_history_too() -> None:
    record = {"history": {"step": [0, 10], "z_rank": [None, 4.0]}, "first": {"z_rank": 9.0}}
    assert course.at(record, "z_rank", [1]) == 9.0
    assert course.at(record, "z_rank", [1, 10]) == -5.0
    assert course.at(record, "z_rank", [0]) is None and course.at(record, "other", [1]) is None


def test_measures_along_a_run_by_hand() -> None:
    history: dict[str, Any] = {"step": [0, 10, 20, 30, 40], "same_article_auc": [0.5, 0.7, 0.9, 0.9, 0.8]}
    assert course.along({"history": history}, "best_step") == 0.5
    history["stsb"] = [10.0, None, None, None, 50.0]
    assert course.along({"history": history}, "best_step") == 0.5, "two scores along a run do not tell when it was best"
    history["stsb"] = [10.0, 20.0, 30.0, 40.0, 50.0]
    assert course.along({"history": history}, "best_step") == 1.0, "people's ratings before the corpus's own"
    assert course.along({"history": {"step": [0, 150], "same_article_auc": [0.8, 0.9]}}, "best_step") is None

    masks = {"step": [0, 10, 20], "mask_f1": [None, 0.2, 0.4], "noise_mass": [None, 0.2, 0.4]}
    assert course.along({"history": masks}, "false_negatives") == pytest.approx(0.3)
    assert course.along({"history": masks}, "noise_mass") == 0.4

    assert course.smoothed([float(i) for i in range(12)]) == [4.5, 5.5, 6.5]
    assert course.steps_to_loss({"losses": [1.0] * 9}, {"losses": [1.0] * 20}) is None


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, clwork.Run]:
    """A run of an arm, and the same run by itself."""
    folder = tmp_path_factory.mktemp("course")
    units = plan([claims.get("clwork/film-gclsr-projections-collapse-in-part")], [0], steps=STEPS)
    (run,) = (unit.run for unit in units if unit.run is not None)
    run.train(folder)
    (folder / run.name / MEASURED).write_text(json.dumps({"views": {}, "encoder": run.encoder, "seed": 0}))
    own = clwork.start(
        run.method,
        encoder=clwork.load_encoder(run.encoder, seed=0),
        sentences=clwork.claims.corpus(run.data),
        steps=STEPS,
        seed=0,
        folder=folder / "own",
        probe_every=arm_runs.LOOK_EVERY,
        eval_every=STEPS,
    ).wait()
    return folder, own


@pytest.mark.nightly
def test_scores_along_a_run_change_nothing_in_it(trained: tuple[Path, clwork.Run]) -> None:
    folder, own = trained
    (name,) = (path.parent.name for path in folder.glob(f"*/{MEASURED}"))
    record = Results.read(folder).records[name]
    assert record["losses"] == pytest.approx(list(own.history["loss"].iloc[1:]), rel=1e-4)
    assert sorted(course.column_of(record, "silver")) == [0, 10, 20, STEPS]


@pytest.mark.nightly
def test_the_first_step_is_read_from_the_recording(trained: tuple[Path, clwork.Run]) -> None:
    folder, own = trained
    (name,) = (path.parent.name for path in folder.glob(f"*/{MEASURED}"))
    first = own.history.set_index("step").loc[1]
    record = Results.read(folder).records[name]
    assert course.at(record, "z_rank", [1]) == pytest.approx(first["z_rank"], rel=1e-5)
    arm = claims.Arm("first", "gclsr", at=1)
    assert Results.read(folder).value(name, arm, "z_rank") == pytest.approx(first["z_rank"], rel=1e-5)
    assert Results.read(folder).value(name, claims.Arm("end", "gclsr"), "z_rank") == pytest.approx(
        own.history["z_rank"].iloc[-1], rel=1e-4
    )


@pytest.mark.nightly
def test_neighbours_kept_are_those_of_the_vectors(trained: tuple[Path, clwork.Run]) -> None:
    folder, own = trained
    (name,) = (path.parent.name for path in folder.glob(f"*/{MEASURED}"))
    recording = recording_in(folder, name)
    assert recording is not None
    texts, nearest = recording["texts"], []
    for encoder in (clwork.load_encoder("textcnn:glove-6b-50d", seed=0), own.encoder):
        unit = torch.nn.functional.normalize(torch.from_numpy(encoder.encode(texts)).double())
        cosines = (unit @ unit.T).fill_diagonal_(-2)
        nearest.append([set(row.tolist()) for row in cosines.topk(5).indices])
    by_hand = sum(len(before & after) for before, after in zip(*nearest, strict=True)) / len(texts)
    found = Results.read(folder).value(name, claims.Arm("end", "gclsr"), "neighbours_kept")
    assert found == pytest.approx(by_hand, abs=0.2), "the run's looks are at its own precision"
    assert 0 < by_hand < 5
