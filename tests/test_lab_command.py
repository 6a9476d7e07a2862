"""``make lab``: loopback only, token on, address printed, a taken port explained."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts import lab

from .browser.conftest import free_port

# They start a server of JupyterLab.
pytestmark = pytest.mark.nightly
ROOT = Path(__file__).resolve().parents[1]


def printed_address(log: Path, process: subprocess.Popen[bytes], seconds: float = 90) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        found = re.search(r"clwork is at\s+(\S+)", log.read_text(encoding="utf-8"))
        if found:
            return found[1]
        time.sleep(0.2)
    raise AssertionError(f"no address was printed: {log.read_text(encoding='utf-8')}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    folder = tmp_path_factory.mktemp("lab")
    log = folder / "log"
    port = free_port()
    environment = os.environ | {
        f"JUPYTER_{kind}_DIR": str(folder / kind) for kind in ("CONFIG", "DATA", "RUNTIME")
    }
    command = [sys.executable, "scripts/lab.py", "--browser", "no", "--port", str(port)]
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=out, stderr=out, env=environment, stdin=subprocess.DEVNULL
        )
    try:
        yield SimpleNamespace(port=port, address=printed_address(log, process), process=process)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def get(url: str) -> tuple[int, str, str]:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.status, answer.url, answer.read().decode()


def test_the_printed_address_opens_the_first_notebook(server: SimpleNamespace) -> None:
    page = "/lab/workspaces/clwork/tree/notebooks/00_start_here.ipynb"
    assert server.address.startswith(f"http://127.0.0.1:{server.port}{page}?token=")
    status, url, page = get(server.address)
    assert status == 200
    assert "/login" not in url
    assert "JupyterLab" in page


def test_without_the_token_nothing_is_served(server: SimpleNamespace) -> None:
    assert "/login" in get(server.address.split("?")[0])[1]
    with pytest.raises(urllib.error.HTTPError, match="403"):
        get(f"http://127.0.0.1:{server.port}/api/contents")


def test_it_listens_on_the_loopback_address_only(server: SimpleNamespace) -> None:
    """127.0.0.2 is this machine too, and a server on all addresses would answer there."""
    with socket.socket() as probe:
        probe.settimeout(2)
        assert probe.connect_ex(("127.0.0.1", server.port)) == 0
    with socket.socket() as probe:
        probe.settimeout(2)
        assert probe.connect_ex(("127.0.0.2", server.port)) != 0


def test_a_taken_port_is_refused_with_a_remedy(server: SimpleNamespace) -> None:
    with pytest.raises(ValueError, match=rf"port {server.port} .*PORT=8890"):
        lab.choose_port(str(server.port))


def test_without_a_given_port_the_first_free_one_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "is_free", lambda port: port >= 8890)
    assert lab.choose_port("") == 8890
    monkeypatch.setattr(lab, "is_free", lambda port: False)
    with pytest.raises(ValueError, match="all taken"):
        lab.choose_port("")
