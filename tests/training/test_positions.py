"""Recorded positions of the probe's sentences: fixed axes, and small rounding errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import clwork
from clwork.arithmetic import unit_rows
from clwork.recordings import coordinates
from clwork.run_folder.folder import RunFolder
from clwork.run_folder.positions import MOST_ROWS, NEAREST, SPAN, Positions, nearest
from clwork.training.probe import Probe

from ..runs import stop_at


def probe_of(vectors: npt.NDArray[np.float32], labels: list[str | None] | None = None) -> Probe:
    texts = [f"Sentence {n}." for n in range(len(vectors))]
    return Probe(texts, labels, [("a", "b")], "none", vectors=vectors, vectors_step=0)


def cloud(count: int = 30, width: int = 12, seed: int = 0) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(count, width)).astype(np.float32) + 0.5


def test_coordinates_use_the_principal_axes_of_the_first_probe(tmp_path: Path) -> None:
    first, later = cloud(seed=0), cloud(seed=1)
    recorder = Positions(RunFolder(tmp_path))
    recorder.add(0, probe_of(first))
    recorder.add(5, probe_of(later))
    assert recorder.about is not None
    assert recorder.about["axes"] == 8
    points = first / np.linalg.norm(first, axis=1, keepdims=True)
    mean = points.mean(axis=0)
    values, axes = np.linalg.eigh(np.cov((points - mean).T))  # another way to the same axes
    share = values[::-1][:8] / values.sum()
    assert np.allclose(recorder.about["share"], share, atol=1e-5)
    moved = later / np.linalg.norm(later, axis=1, keepdims=True)
    measurements = recorder.rows()
    recorded = coordinates({**recorder.about, "measurements": measurements})
    for seen, there in zip(recorded, (points, moved), strict=True):
        expected = (there - mean) @ axes[:, ::-1][:, :8]
        assert np.allclose(np.abs(seen), np.abs(expected), atol=SPAN / 32767), (
            "but for an axis's direction"
        )
    assert abs(measurements[0]["share"] - share.sum()) < 1e-4
    spread = moved - moved.mean(axis=0)
    got = ((spread @ axes[:, ::-1][:, :8]) ** 2).sum() / (spread**2).sum()
    assert abs(measurements[1]["share"] - got) < 1e-4 < share.sum() - got, "axes of the later probe"


def test_a_run_records_each_probe_and_a_resumed_run_uses_the_same_axes(
    trained: clwork.Run, tiny: dict[str, Any]
) -> None:
    cut = stop_at(clwork.start("simcse", **tiny), 5)
    late = cut.folder / "positions.jsonl"
    lines = late.read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines[1:]] == [0, 2, 4]
    later = json.loads(lines[-1]) | {"step": 6}
    # As a kill after the checkpoint leaves the file.
    late.write_text("\n".join([*lines, json.dumps(later)]) + "\n")
    resumed = clwork.resume(cut.folder)
    expected, got = (RunFolder(run.folder).lines("positions.jsonl") for run in (trained, resumed))
    about, *probes = list(got)
    assert about == next(expected)
    assert about["texts"] == list(tiny["sentences"])
    assert about["axes"] == 8
    # A resumed run is measured after its first step, too.
    fixed = [probe for probe in probes if probe["step"] != 6]
    assert fixed == [probe for probe in expected if probe["step"] != 6]
    assert [probe["step"] for probe in probes] == [0, 2, 4, 6, 8]
    assert probes[3]["at"] != later["at"]
    assert resumed.positions.rows() == probes == clwork.open_run(cut.folder).positions.rows()
    assert resumed.probe is not None
    assert resumed.probe.vectors is not None
    points = unit_rows(resumed.probe.vectors)
    neighbours = resumed.positions.latest_neighbours()
    assert neighbours is not None
    assert np.array_equal(neighbours, nearest(points, NEAREST))


def test_long_runs_keep_half_of_their_positions(tmp_path: Path) -> None:
    recorder = Positions(RunFolder(tmp_path))
    for step in range(MOST_ROWS + 1):
        recorder.add(step, probe_of(cloud(count=3)))
    steps = [row["step"] for row in recorder.rows()]
    assert len(steps) == 1 + MOST_ROWS // 2
    assert steps[0] == 0
    assert steps[-1] == MOST_ROWS
    assert max(np.diff(steps)) <= 4
    assert Positions.open(RunFolder(tmp_path)).rows() == recorder.rows()
