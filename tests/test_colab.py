"""The zip of ``make colab``, and the set-up cell at the start of each notebook."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from scripts import colab, readme

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = "https://example.org/clwork-0.1.0-py3-none-any.whl"
SetUp = Callable[[str], list[str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> SetUp:
    """Runs a cell in IPython without an installed clwork, and returns the arguments of ``%pip``."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # which IPython replaces
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *of: None if name == "clwork" else find(name, *of)
    )
    return in_ipython


def in_ipython(cell: str) -> list[str]:
    arguments: list[str] = []
    shell: Any = InteractiveShell()  # type: ignore[no-untyped-call]
    shell.history_manager.enabled = False
    shell.register_magic_function(arguments.append, "line", "pip")
    shell.run_cell(cell).raise_error()
    return arguments


def set_up_of(notebook: Path) -> str:
    """The lines of a notebook that set up a fresh machine."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    first = next("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    lines = readme.SET_UP_LINES.match(first)
    assert lines is not None, notebook.name
    return lines[0]


def wanted(wheel: Path) -> str:
    return f'install -q "clwork[colab,offline] @ {wheel.as_uri()}"'


def test_a_wheel_next_to_the_notebook_comes_before_the_address(
    run: SetUp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled = readme.SET_UP.replace('ADDRESS = ""', f'ADDRESS = "{ADDRESS}"')
    place = tmp_path / "My Drive"  # a blank in its name, as Colab's own folder has
    place.mkdir()
    monkeypatch.chdir(place)
    with pytest.raises(
        FileNotFoundError,
        match=r"no clwork-\*\.whl is in this notebook's folder: upload one .*field ADDRESS",
    ):
        run(readme.SET_UP)
    (place / "clwork-0.1.0.tar.gz").touch()
    assert run(filled) == [f'install -q "clwork[colab,offline] @ {ADDRESS}"']
    for age, number in enumerate(("0.10.0", "0.9.0", "0.2.0")):
        file = place / f"clwork-{number}-py3-none-any.whl"
        file.touch()
        os.utime(file, (1e9 - age, 1e9 - age))
    newest = wanted(place / "clwork-0.10.0-py3-none-any.whl")
    assert run(filled) == run(readme.SET_UP) == [newest]
    assert "My%20Drive" in newest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked zip of ``make colab``."""
    into = tmp_path_factory.mktemp("colab")
    (into / "clwork-0.0.1-py3-none-any.whl").touch()  # of an older version
    assert colab.main(["--into", str(into)]) == 0
    with zipfile.ZipFile(into / "clwork-colab.zip") as file:
        file.extractall(into / "un packed")
    return into / "un packed" / "clwork-colab"


@pytest.mark.nightly
class TestZip:
    def test_it_has_the_wheel_all_lessons_without_solutions_and_three_lines(
        self, folder: Path
    ) -> None:
        packed = {
            path.relative_to(folder).as_posix(): path
            for path in folder.rglob("*")
            if path.is_file()
        }
        for path in readme.notebooks():
            assert packed.pop(path.name).read_bytes() == path.read_bytes()
        (wheel,) = folder.glob("clwork-*.whl")
        assert packed.keys() == {wheel.name, "README.txt"}
        lines = packed["README.txt"].read_text(encoding="utf-8").splitlines()
        assert len(lines) == 3
        assert wheel.name in lines[1]

    def test_pip_installs_the_wheel(
        self, folder: Path, run: SetUp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.chdir(folder)
        (arguments,) = run(set_up_of(folder / "00_start_here.ipynb"))
        command = [
            sys.executable,
            "-m",
            "pip",
            *shlex.split(arguments),
            "--no-deps",
            "--no-index",
            "--target",
            "site",
        ]
        subprocess.run(command, check=True, cwd=tmp_path, timeout=600)
        site = tmp_path / "site"
        assert (site / "clwork" / "encoders" / "mini" / "config.json").is_file()
        assert (site / "clwork" / "lab").is_dir()
