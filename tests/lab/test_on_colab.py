"""Colab shows our widgets if the displayed metadata name the manager, also those of a box that
holds widgets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from clwork import lab
from scripts import colab as packing

from .as_on_colab import ADDRESS, PINS, VIEW, colab_modules

# which make test fills
SET_UP = Path(sys.prefix) / "clwork" / "ipywidgets7"
BOARDS = {"panel", "evidence", "forces", "exercise", "act"}


@pytest.fixture
def colab(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module of Colab that anywidget imports."""
    for name, module in colab_modules().items():
        monkeypatch.setitem(sys.modules, name, module)


def test_a_box_names_the_manager(colab: None) -> None:
    data, metadata = lab.exercise("Raise it", lambda: True)._repr_mimebundle_()
    assert VIEW in data
    assert metadata[VIEW]["colab"]["custom_widget_manager"]["url"] == ADDRESS


@pytest.fixture(scope="module")
def old_widgets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Colab's version of ipywidgets; pip fetches it only if make test did not set up
    this environment."""
    if SET_UP.is_dir():
        return SET_UP
    folder = tmp_path_factory.mktemp("ipywidgets7")
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(folder),
        *PINS,
    ]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no ipywidgets 7 here, and no package index: make test sets up both")
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packing.build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.mark.nightly
def test_the_wheel_with_colabs_ipywidgets(wheel: Path, old_widgets: Path, tmp_path: Path) -> None:
    """Every widget is displayed with an image and a manager, and replies to a page's requests."""
    # as pip installs a wheel of pure Python
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path / "site")
    path = os.pathsep.join(map(str, (tmp_path / "site", old_widgets)))
    homes = {
        "CLWORK_HOME": str(tmp_path / "home"),
        "CLWORK_RUNS": str(tmp_path / "runs"),
        "HF_HUB_OFFLINE": "1",
    }
    command = [sys.executable, str(Path(__file__).with_name("as_on_colab.py"))]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, **homes, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert found["ipywidgets"] == "7.7.1"
    assert found["protocol"] == "2.1.0"
    assert Path(found["clwork"]).is_relative_to(tmp_path / "site"), (
        "the wheel's, not that of this folder"
    )
    assert found["shown"].keys() == BOARDS
    for name, shown in found["shown"].items():
        assert {VIEW, "text/html"} <= set(shown["kinds"]), name
        assert shown["manager"] == ADDRESS, f"Colab shows {name} as a blank box"
    for name, answered in found["answers"].items():
        assert answered == 7, name
    assert found["pages"] == ["dial", "explore", "player", "sphere"], (
        "whose frames need no widget at all"
    )
