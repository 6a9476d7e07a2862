from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clwork.data import remember_sts, sts_folder
from clwork.disk import runs_folder

Writer = Callable[[str, list[dict[str, Any]]], Path]


@pytest.fixture
def folder(jsonl: Writer) -> Path:
    return jsonl(
        "sts/stsb/validation.jsonl", [{"sentence1": "a", "sentence2": "b", "score": 1}]
    ).parents[1]


def test_a_folder_is_remembered_and_forgotten(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sts_folder() is None
    monkeypatch.chdir(folder.parent)
    remember_sts("sts")
    monkeypatch.chdir("/")
    assert (
        sts_folder() == folder.resolve()
    )  # as an absolute path: the next session may start in another folder
    remember_sts(None)
    assert sts_folder() is None


def test_folders_without_tasks_are_refused_and_missing_ones_reported(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="holds no STS task"):
        remember_sts(tmp_path / "empty")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        remember_sts(tmp_path / "nowhere")
    assert sts_folder() is None
    remember_sts(folder)
    folder.rename(folder.with_name("moved"))
    with pytest.warns(UserWarning, match=r"sts does not exist.*remember_sts"):
        assert sts_folder() is None
    monkeypatch.setenv("CLWORK_STS", "/no/such/folder")
    with pytest.warns(UserWarning, match="/no/such/folder does not exist"):
        assert sts_folder() is None


def test_without_a_home_folder_nothing_is_remembered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container whose user has a number without a name."""

    def unnamed(user: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {user}")

    for name in ("HOME", "CLWORK_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unnamed)
    with pytest.raises(RuntimeError):
        Path.home()  # guard
    assert sts_folder() is None


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLWORK_RUNS", "")
    assert runs_folder() == Path("clwork-runs")
