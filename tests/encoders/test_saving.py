"""Saving: never through a link, and nothing of a killed save stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clwork.encoders import Encoder, load_encoder
from clwork.encoders.disk import leftovers, saving

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def encoder(bert_folder: Path) -> Encoder:
    return load_encoder(bert_folder, pooling="mean", device="cpu")


def hidden(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob(".*"))


def test_a_link_in_the_folders_place_is_refused(encoder: Encoder, tmp_path: Path) -> None:
    target = tmp_path / "theirs"
    target.mkdir()
    for place, leads_to in (("best", target), ("dangling", tmp_path / "gone"), ("circle", tmp_path / "circle")):
        (tmp_path / place).symlink_to(leads_to)
        with pytest.raises(FileExistsError, match=f"{place} is a link to .*give the name of a folder itself"):
            encoder.save(tmp_path / place)
    encoder.save(target)  # an empty folder of one's own
    (tmp_path / "to_saved").symlink_to(target)
    with pytest.raises(FileExistsError, match="is a link"):
        encoder.save(tmp_path / "to_saved")
    assert list(tmp_path.glob("gone")) == [] and hidden(tmp_path) == []


def test_links_and_folders_inside_are_not_clworks(encoder: Encoder, tmp_path: Path) -> None:
    """Even where the note says so: what it names is replaced, and must be files that a save wrote."""
    encoder.save(tmp_path / "saved")
    canary = tmp_path / "canary"
    canary.write_text("years of work")
    (tmp_path / "saved" / "model.safetensors").unlink()
    (tmp_path / "saved" / "model.safetensors").symlink_to(canary)
    with pytest.raises(FileExistsError, match=r"not a saved encoder's \(model.safetensors\)"):
        encoder.save(tmp_path / "saved")
    (tmp_path / "saved" / "model.safetensors").unlink()
    (tmp_path / "saved" / "model.safetensors").mkdir()
    with pytest.raises(FileExistsError, match=r"not a saved encoder's \(model.safetensors\)"):
        encoder.save(tmp_path / "saved")
    assert canary.read_text() == "years of work"


def test_leftovers_of_the_same_place_are_swept(encoder: Encoder, tmp_path: Path) -> None:
    host = leftovers._host()
    own = [".best.0123abcd", ".best.ffff-1-0123abcd", f".best.{host}-{os.getpid()}-0123abcd", ".best.0123abcd.old"]
    other = [".best.0123abc", ".best.notes", ".other.0123abcd", ".best.0123abcd.zip", "best.0123abcd", "best"]
    for name in [*own, *other]:
        (tmp_path / name).mkdir()
    (tmp_path / ".best.bbbbbbbb").symlink_to(tmp_path / "best.0123abcd")
    (tmp_path / ".best.cccccccc").write_text("a file")
    encoder.save(tmp_path / "best")  # they are young, and perhaps somebody's who is at it
    assert {path.name for path in tmp_path.iterdir()} == {*own, *other, ".best.bbbbbbbb", ".best.cccccccc"}
    leftovers.remove_stale_temp_dirs(tmp_path / "best", stale=-1.0)
    assert {path.name for path in tmp_path.iterdir()} == {*other, ".best.bbbbbbbb", ".best.cccccccc"}


def test_a_process_that_is_gone_leaves_nothing_for_an_hour(encoder: Encoder, tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    (tmp_path / f".best.{leftovers._host()}-{child.pid}-0123abcd").mkdir()
    encoder.save(tmp_path / "best")
    assert hidden(tmp_path) == []


def test_a_link_with_the_temporary_name_is_not_written_through(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / ".best.guessed").symlink_to(tmp_path / "theirs")
    monkeypatch.setattr(saving, "own_name", lambda folder: folder.with_name(".best.guessed"))
    with pytest.raises(FileExistsError):
        encoder.save(tmp_path / "best")
    assert list((tmp_path / "theirs").iterdir()) == [] and (tmp_path / ".best.guessed").is_symlink()
