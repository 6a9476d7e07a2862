"""What ``make lab`` opens: the first notebook, the file browser shut, and no file changed by looking at it."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..test_lab_command import free_port, printed_address
from .conftest import PATIENCE, _environment
from .jupyterlab import open_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The folders that ``make lab`` uses, where a test may spoil them."""
    for name in ("scripts", "notebooks"):
        shutil.copytree(ROOT / name, tmp_path / "clwork" / name, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    return tmp_path / "clwork"


@pytest.fixture
def address(copy: Path) -> Iterator[str]:
    log = copy.parent / "log"
    command = [sys.executable, "scripts/lab.py", "--browser", "no", "--port", str(free_port())]
    environment = _environment(copy.parent)
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=copy, stdout=out, stderr=out, env=environment, stdin=subprocess.DEVNULL)
    try:
        yield printed_address(log, process)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def contents(folder: Path) -> dict[str, bytes]:
    """All notebooks; not JupyterLab's checkpoints, which git ignores."""
    found = [path for path in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


SAVED = "() => !document.querySelector('.lm-TabBar-tab.jp-mod-dirty')"


def saved_by_itself(page: Page, file: Path, before: int) -> None:
    """Until JupyterLab has saved what it thinks was changed; it looks every five seconds."""
    for _ in range(300):
        if file.stat().st_mtime_ns != before:
            break
        page.wait_for_timeout(100)
    page.wait_for_function(SAVED)


def test_looking_at_notebooks_changes_none_and_the_file_browser_is_shut(page: Page, copy: Path, address: str) -> None:
    before, first = contents(copy / "notebooks"), copy / "notebooks" / "00_start_here.ipynb"
    assert len(before) > 10
    touched = first.stat().st_mtime_ns
    open_notebook(page, address)
    assert page.locator("#jp-left-stack").is_hidden() and page.locator(".jp-Notebook").is_visible()
    saved_by_itself(page, first, touched)
    assert first.stat().st_mtime_ns != touched, "nothing was saved, so nothing was tried"
    page.goto("about:blank")
    assert contents(copy / "notebooks") == before
    assert sorted(path.name for path in copy.iterdir() if not path.name.startswith(".")) == ["notebooks", "scripts"]
