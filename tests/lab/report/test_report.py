"""A run's report: one file, its numbers the record's, its texts escaped."""

from __future__ import annotations

import base64
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import clwork

pytestmark = pytest.mark.nightly

TEXTS = [f"<script>alert({k})</script> sentence number {k} about the sea & its {k} boats." for k in range(80)]
SMALL: dict[str, Any] = {"steps": 6, "probe_every": 2, "keep_every": 3, "batch_size": 8, "max_length": 16}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("reports")
    made = {
        f"seed {seed}": clwork.train("simcse", sentences=TEXTS, seed=seed, folder=folder / f"seed-{seed}", **SMALL)
        for seed in (0, 1)
    }
    fork = made["seed 0"].fork(step=3, temperature=0.5, folder=folder / "fork")
    fork.wait()
    return made | {"fork": fork}


def test_a_report_has_the_numbers_of_the_record_and_escapes_its_texts(runs: dict[str, Any], tmp_path: Path) -> None:
    run = runs["seed 0"]
    written = clwork.report(run, tmp_path / "one.html")
    text = written.read_text(encoding="utf-8")
    last = run.history["loss"].iloc[-1]
    assert f"<td>{last:.4g}</td>" in text and f"{run.step} of {run.total_steps}" in text
    assert "<script>alert(" not in text and "alert(" in text
    assert "Trend(" not in text and "Mean cosine" in text
    assert "mean ± sd" in text and "seed 1" in text, "the other seed lies in the same folder"
    assert text.count("After step") >= 2 and "Sentences through time" in text
    assert not re.search(r"""(?:src|href)=["']https?:""", text), "it asks for something from outside"
    assert clwork.report(run.folder, tmp_path / "again.html", forces=False).read_text().count("After step") == 0


def test_a_copy_of_a_run_is_no_further_seed(runs: dict[str, Any], tmp_path: Path) -> None:
    for place in ("one", "copy"):
        shutil.copytree(runs["seed 0"].folder, tmp_path / place)
    assert "mean ± sd" not in clwork.report(tmp_path / "one", tmp_path / "one.html", forces=False).read_text("utf-8")


def test_a_fork_says_what_it_changed(runs: dict[str, Any], tmp_path: Path) -> None:
    text = clwork.report(runs["fork"], tmp_path / "fork.html", forces=False).read_text(encoding="utf-8")
    assert "at step 3" in text and "<td>0.5</td>" in text and "mean ± sd" not in text


def test_the_file_has_the_folders_name_in_the_current_folder(
    runs: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert clwork.report(runs["seed 1"], forces=False) == tmp_path / "seed-1.html"


def test_bad_input_is_told(runs: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is a folder; name a file"):
        clwork.report(runs["fork"], tmp_path)
    with pytest.raises(FileNotFoundError):
        clwork.report(tmp_path / "nothing")
    with pytest.raises(TypeError):
        clwork.report(3)  # type: ignore[arg-type]


def test_a_report_has_a_diagnosis_three_stills_and_pictures_for_a_dark_page(runs: dict[str, Any]) -> None:
    text = clwork.report(runs["seed 0"], runs["seed 0"].folder.parent / "dark.html", forces=False).read_text("utf-8")
    words = re.search(r"<h2>Diagnosis</h2><p>([^<]+)</p>", text)
    assert words is not None and str(runs["seed 0"].diagnosis()).split(":")[0] in words[1]
    light, dark = (re.findall(rf'base64,([^"]+)" class="clwork-{theme}"', text) for theme in ("light", "dark"))
    assert len(light) == len(dark) == 3, "curves, the way, the stills"
    pairs = [[base64.b64decode(one).decode() for one in pair] for pair in zip(light, dark, strict=True)]
    for first, second in pairs:
        assert 'height="100%" fill="white"' in first and 'height="100%" fill="white"' not in second
        assert "#222222" in first and "#222222" not in second
    assert [f"step {step} of 6" in pairs[2][0] for step in (0, 2, 4, 6)] == [True, True, False, True]
