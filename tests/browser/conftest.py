"""JupyterLab from this environment, and a browser that opens it."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NOTEBOOKS = Path(os.environ.get("CLWORK_TEST_NOTEBOOKS", Path(__file__).parents[2] / "notebooks"))
# seconds for a server or a first import on a slow, busy machine
PATIENCE = 180
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SETTINGS = {
    # no dialogs about news or a newer version: they would cover the notebook
    "apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
}


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its address, its token, its folder of notebooks."""

    url: str
    token: str
    folder: Path

    def address(self, notebook: str) -> str:
        """The address that opens a notebook in a new workspace."""
        return (
            f"{self.url}/lab/workspaces/{secrets.token_hex(4)}/tree/{notebook}?token={self.token}"
        )

    def write(self, name: str, *sources: str) -> str:
        """Write a notebook of these code cells; return the address that opens it."""
        about: dict[str, Any] = {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        cells = [
            {**about, "id": f"cell{place}", "source": source}
            for place, source in enumerate(sources)
        ]
        kernel = {
            "kernelspec": {
                "display_name": "Python 3 (ipykernel)",
                "language": "python",
                "name": "python3",
            }
        }
        notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
        (self.folder / name).write_text(json.dumps(notebook), encoding="utf-8")
        return self.address(name)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _write_notebooks(home: Path) -> None:
    """Copy the notebooks of the repository, and write JupyterLab's default settings."""
    shutil.rmtree(home / "settings", ignore_errors=True)
    # the folder stays: the server is at home in it
    shutil.copytree(NOTEBOOKS, home / "notebooks", dirs_exist_ok=True)
    for name, values in SETTINGS.items():
        file = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))


def _environment(home: Path) -> dict[str, str]:
    """Environment variables that put all files of Jupyter, IPython and clwork under ``home``."""
    own = {
        "JUPYTERLAB_SETTINGS_DIR": home / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_DATA_DIR": home / "data",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "IPYTHONDIR": home / "ipython",
        "CLWORK_HOME": home / "clwork",
        "CLWORK_RUNS": home / "runs",
    }
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, **{name: str(place) for name, place in own.items()}, "PYTHONPATH": path}


def _wait_until_up(lab: Lab, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{lab.url}/api/status?token={lab.token}", timeout=5):
                return
        except OSError:
            time.sleep(0.3)
    pytest.fail(f"JupyterLab did not come up; its log ends with\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab on a random port of the loopback, with a token, over a copy of the notebooks."""
    home = tmp_path_factory.mktemp("lab")
    folder = home / "notebooks"
    _write_notebooks(home)
    port, log = free_port(), home / "log.txt"
    lab = Lab(f"http://127.0.0.1:{port}", secrets.token_hex(16), folder)
    options = [
        "--no-browser",
        # containers; the server listens on the loopback only
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder}",
        # as `make lab` has it
        f"--LabApp.app_settings_dir={Path(__file__).parents[2] / 'scripts' / 'jupyter'}",
        f"--IdentityProvider.token={lab.token}",
    ]
    with open(log, "wb") as out:
        command = [sys.executable, "-m", "jupyterlab", *options]
        server = subprocess.Popen(
            command, stdout=out, stderr=out, env=_environment(home), cwd=folder
        )
    try:
        _wait_until_up(lab, server, log)
        yield lab
    finally:
        server.terminate()
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(10)


@pytest.fixture(autouse=True)
def reset_lab(request: pytest.FixtureRequest) -> Iterator[None]:
    """Reset the lab before a test: an active run of an earlier test would use a core; pages and
    themes are saved."""
    if "lab" not in request.fixturenames:
        yield
        return
    lab: Lab = request.getfixturevalue("lab")
    yield
    for kernel in json.loads(_request(lab, "/api/kernels")):
        # the next test need not wait for it
        threading.Thread(target=_end, args=(lab, kernel["id"])).start()
    _write_notebooks(lab.folder.parent)


def _end(lab: Lab, kernel: str) -> None:
    # a kernel killed during its restart, or the server, may have ended already
    with contextlib.suppress(OSError):
        _request(lab, f"/api/kernels/{kernel}", "DELETE")


def _request(lab: Lab, what: str, how: str = "GET") -> bytes:
    """The server's reply to a request."""
    request = urllib.request.Request(
        f"{lab.url}{what}", method=how, headers={"Authorization": f"token {lab.token}"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return bytes(answer.read())


@pytest.fixture(scope="session")
def browser(browser_path: str) -> Iterator[Browser]:
    """One browser for all tests; each page has separate cookies and storage."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of 1280 by 800 pixels."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE * 1000)
    try:
        yield page
    finally:
        if folder := os.environ.get("CLWORK_SCREENSHOTS"):
            page.screenshot(path=str(Path(folder) / "last.png"))
        page.close()


@contextlib.contextmanager
def page_without_errors(browser: Browser, patience: float) -> Iterator[Page]:
    """A page of 1280 by 720 pixels; script errors, warnings and requests to a server fail the
    test."""
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
    page.set_default_timeout(patience)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console", lambda message: wrong.append(message.text) if message.type == "error" else None
    )
    page.on(
        "request",
        lambda request: wrong.append(request.url) if request.url.startswith("http") else None,
    )
    yield page
    page.close()
    assert not wrong


@pytest.fixture
def clean(browser: Browser) -> Iterator[Page]:
    """A page on which any error fails the test."""
    with page_without_errors(browser, 60_000) as page:
        yield page
