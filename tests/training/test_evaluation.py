"""Evaluation by one call: the scores, MTEB's format, what is noted of training, interrupts, and MTEB itself."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics.pairwise import paired_cosine_distances, paired_euclidean_distances, paired_manhattan_distances

import clwork
from clwork import data, metrics

from .. import sts
from ..encoders.conftest import small_encoder

LABELS = ("film", "law")
WEIGHTS = np.random.default_rng(0).standard_normal((9, 6))  # no two distances are equal


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """STS-B, SICK-R and one yearly task of a few pairs, MR and WOS of a few texts: no task is complete."""
    root = sts.write(tmp_path_factory.mktemp("data"), ("stsb", "sickr", "sts13"), pairs=8)
    texts = clwork.data.sentences("wikipedia-mini")[:280]
    for task, labels in (("mr", LABELS), ("wos", tuple("abcdefg"))):
        place = root / "transfer" / task
        place.mkdir(parents=True)
        rows = [{"text": text, "label": labels[row % len(labels)]} for row, text in enumerate(texts)]
        (place / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return root


@pytest.fixture(autouse=True)
def _parts_are_expected() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Do not compare the result with published ones")
        yield


class Letters:
    """An encoder that counts letters."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.calls, self.stop_at = 0, stop_at

    def encode(self, texts: list[str]) -> Any:
        self.calls += 1
        if self.calls == self.stop_at:
            raise KeyboardInterrupt
        counts = np.array([[text.count(letter) for letter in "abcdefghi"] for text in texts]) + 0.1
        return (counts @ WEIGHTS).astype(np.float32)


def test_every_task_of_the_folder_is_scored(folder: Path) -> None:
    found = clwork.evaluate(Letters(), folder, folds=2, progress=False)
    assert list(found.scores) == [
        "STSBenchmark (validation)",
        "STSBenchmark (test)",
        "SICK-R (validation)",
        "SICK-R (test)",
        "STS13 (test)",
        "MR (test)",
        "WOS (test)",
    ]
    pairs = {split: data.sts_pairs("stsb", split, folder) for split in ("validation", "test")}
    expected = metrics.sts(Letters(), pairs)
    assert found.scores["STSBenchmark (test)"] == pytest.approx(expected["test"], abs=1e-4)
    mr = metrics.transfer(Letters(), {"mr": data.transfer_task("mr", folder / "transfer")}, folds=2, details=True)
    assert found.scores["MR (test)"] == pytest.approx(mr["mr"], abs=1e-4)
    assert found.table.loc[("MR", "test"), "f1"] == pytest.approx(mr["mr/f1"], abs=1e-4)
    assert found.sts_average is None and not found.notes and not found.left
    assert "STS13 (test)" in repr(found) and f"{mr['mr']:.2f}" in repr(found)


def test_the_measures_are_mteb_s(folder: Path) -> None:
    """Its formulas: scikit-learn's paired distances and scipy's correlations of the plain vectors."""
    pairs = data.sts_pairs("sickr", "validation", folder)
    left, right = (Letters().encode(texts) for texts in (pairs.sentences1, pairs.sentences2))
    distances = {
        "cosine": paired_cosine_distances(left, right),
        "manhattan": paired_manhattan_distances(left, right),
        "euclidean": paired_euclidean_distances(left, right),
    }
    found = metrics.sts_correlations(Letters(), pairs)
    assert len(found) == 6 and len(set(found.values())) == 6, "the guard: they differ"
    for name, values in distances.items():
        assert found[f"{name}_pearson"] == pytest.approx(100 * pearsonr(-values, pairs.scores).statistic, abs=1e-4)
        assert found[f"{name}_spearman"] == pytest.approx(100 * spearmanr(-values, pairs.scores).statistic, abs=1e-4)


def test_files_have_the_keys_of_mteb(folder: Path, tmp_path: Path) -> None:
    found = clwork.evaluate(small_encoder(), folder, tasks=["STS13", "wos"], folder=tmp_path / "new", progress=False)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["STS13.json", "WOS.json"]
    stored = json.loads((tmp_path / "new" / "STS13.json").read_text(encoding="utf-8"))
    assert stored == found.results[0]
    assert stored["task_name"] == "STS13" and stored["dataset_revision"].startswith("files ")
    assert stored["mteb_version"] is None and stored["kg_co2_emissions"] is None and stored["evaluation_time"] >= 0
    (entry,) = stored["scores"]["test"]
    assert (entry["hf_subset"], entry["languages"]) == ("default", ["eng-Latn"])
    assert entry["main_score"] == entry["cosine_spearman"] == entry["spearman"]
    assert -1 <= entry["main_score"] <= 1, "MTEB's scores are no percentages"
    assert stored["clwork"]["complete"] is False and len(stored["clwork"]["fingerprint"]) == 32
    found.save(tmp_path / "again")
    assert json.loads((tmp_path / "again" / "STS13.json").read_text(encoding="utf-8")) == stored


def test_a_run_is_compared_with_its_training(tiny: dict[str, Any], folder: Path) -> None:
    run = clwork.start("simcse", precision="float32", max_length=64, **tiny).wait()
    chosen: dict[str, Any] = {"tasks": ["stsb"], "progress": False}
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*otherwise than it was trained")
        alike = clwork.evaluate(run, folder, **chosen)
        assert alike.notes == () and alike.name == run.name
        assert clwork.evaluate(run.folder, folder, **chosen).scores == alike.scores
        assert clwork.evaluate(run.encoder, folder, pooling="mean", **chosen).notes == (), "it knows of no training"
    with pytest.warns(UserWarning, match=r"evaluated otherwise .* pooling 'mean', in training 'cls'") as told:
        other = clwork.evaluate(run, folder, pooling="mean", **chosen)
    assert {warning.filename for warning in told} == {__file__} and other.scores != alike.scores


def test_an_interrupt_leaves_what_is_scored(folder: Path, tmp_path: Path) -> None:
    found = clwork.evaluate(Letters(stop_at=3), folder, tasks=["stsb", "sickr", "sts13"], folder=tmp_path)
    assert [result["task_name"] for result in found.results] == ["STSBenchmark"]
    assert found.left == ("SICK-R", "STS13") and "interrupted before SICK-R, STS13" in repr(found)
    assert [path.name for path in tmp_path.iterdir()] == ["STSBenchmark.json"]
    with pytest.raises(KeyboardInterrupt):
        clwork.evaluate(Letters(stop_at=1), folder, tasks=["stsb"])


def test_what_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="tasks='sts12'"):
        clwork.evaluate(Letters(), folder, tasks=["sts12"])
    with pytest.raises(ValueError, match="holds no STS task"):
        clwork.evaluate(Letters(), tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        clwork.evaluate(Letters(), tmp_path / "nowhere")
    with pytest.raises(TypeError, match="run_or_encoder=3 is int; give a run"):
        clwork.evaluate(3, folder)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pooling='max' is for clwork's encoders"):
        clwork.evaluate(Letters(), folder, pooling="max")
    (tmp_path / "stsb").mkdir()
    (tmp_path / "stsb" / "train.jsonl").write_text('{"sentence1": "a", "sentence2": "b", "score": 1}\n')
    with pytest.raises(FileNotFoundError, match=r"neither of the files validation\.jsonl and test\.jsonl"):
        clwork.evaluate(Letters(), tmp_path)


@pytest.mark.mteb
def test_mteb_agrees(folder: Path, tmp_path: Path) -> None:
    """Its own task class and evaluator on the same rows, and its reader on our files."""
    import mteb
    from mteb.results import TaskResult

    ours = clwork.evaluate("mini", folder, tasks=["stsb", "sickr", "sts13"], folder=tmp_path, progress=False)
    for result in ours.results:
        read = TaskResult.from_disk(tmp_path / f"{result['task_name']}.json")
        for split, entries in result["scores"].items():
            pairs = data.sts_pairs(result["task_name"], split, folder)
            theirs = _by_mteb(mteb, result["task_name"], split, pairs)
            assert math.isclose(read.get_score(splits=[split]), theirs["cosine_spearman"], abs_tol=1e-4)
            shared = theirs.keys() & entries[0].keys()
            assert len(shared) >= 8
            assert {name: entries[0][name] for name in shared} == pytest.approx(
                {name: theirs[name] for name in shared}, abs=1e-4
            )


def _by_mteb(mteb: Any, name: str, split: str, pairs: data.StsPairs) -> dict[str, float]:
    from datasets import Dataset
    from mteb.models import abs_encoder as models

    columns = {"sentence1": pairs.sentences1, "sentence2": pairs.sentences2, "score": pairs.scores}
    task = mteb.get_task(name)
    task.dataset, task.data_loaded = {split: Dataset.from_dict(columns)}, True
    encoder = clwork.load_encoder("mini")

    class Model(models.AbsEncoder):  # type: ignore[misc]
        mteb_model_meta = None

        def __init__(self) -> None: ...

        def encode(self, inputs: Any, **_: Any) -> Any:
            return np.concatenate([encoder.encode(batch["text"]) for batch in inputs])

    (scores,) = task.evaluate(Model(), split, encode_kwargs={"batch_size": 64}).values()
    return {name: value for name, value in scores.items() if isinstance(value, float)}
