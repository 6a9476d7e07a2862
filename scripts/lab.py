"""Open JupyterLab on the first notebook: on this machine only, behind a token.

Called by ``make lab``; ``python scripts/lab.py`` does the same in any environment that has the
``lab`` extra.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = "notebooks/00_start_here.ipynb"
HOST = "127.0.0.1"
DEFAULT_PORT = 8888
START_SECONDS = 120.0
# Name of a layout of JupyterLab.
WORKSPACE = "clwork"
PAGE = f"/lab/workspaces/{WORKSPACE}/tree/{NOTEBOOK}"


def is_free(port: int) -> bool:
    """Whether a server could listen on ``port`` of the loopback address."""
    with socket.socket() as probe:
        # On Windows that option allows a port where another server listens.
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def choose_port(wanted: str) -> int:
    """The given port, or the first free one from 8888 up."""
    if not wanted:
        for port in range(DEFAULT_PORT, DEFAULT_PORT + 100):
            if is_free(port):
                return port
        raise ValueError(
            f"ports {DEFAULT_PORT} to {DEFAULT_PORT + 99} are all taken; name a free one: "
            "make lab PORT=9000"
        )
    if not wanted.isdigit() or not 1 <= int(wanted) <= 65535:
        raise ValueError(
            f"PORT={wanted} is not a port; give a number from 1024 to 65535, such as PORT=8890"
        )
    if not is_free(int(wanted)):
        raise ValueError(
            f"port {wanted} cannot be used: another program listens there, or the system keeps it "
            "for itself; choose another (make lab PORT=8890), or leave PORT out and a free one is "
            "found"
        )
    return int(wanted)


def as_in_the_repository(model: dict[str, Any], **_: Any) -> None:
    """Drop the kernel's language version from a saved notebook, so that opening changes no file."""
    if model["type"] == "notebook":
        language = model["content"]["metadata"].get("language_info", {})
        for name in set(language) - {"name"}:
            del language[name]


def shut_file_browser() -> None:
    """Create JupyterLab's workspace with the file browser closed, unless the workspace exists."""
    from jupyterlab.commands import get_workspaces_dir
    from jupyterlab_server.workspaces_handler import WorkspacesManager

    workspaces = WorkspacesManager(get_workspaces_dir())
    if not workspaces.load(WORKSPACE)["data"]:
        shut = {"collapsed": True, "visible": True, "widgets": []}
        layout = {"main": {}, "left": shut, "right": shut}
        workspace = {"data": {"layout-restorer:data": layout}, "metadata": {"id": WORKSPACE}}
        workspaces.save(WORKSPACE, json.dumps(workspace))


def command(port: int, browser: bool) -> list[str]:
    """Command line of JupyterLab."""
    options = [
        f"--ServerApp.ip={HOST}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={ROOT}",
        # No news pop-up, no check for updates; notebooks are saved every five seconds, so that a
        # reload loses no panel.
        f"--LabApp.app_settings_dir={ROOT / 'scripts' / 'jupyter'}",
        f"--LabApp.default_url={PAGE}",
        # The server's working directory is the repository, so that it can import this file.
        f"--FileContentsManager.pre_save_hook=scripts.lab.{as_in_the_repository.__name__}",
    ]
    if not browser:
        options.append("--no-browser")
    # In a container; Jupyter would refuse.
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")
    return [sys.executable, "-m", "jupyterlab", *options]


def address(pid: int) -> str | None:
    """Address of the server with this process id, from the file that it writes, or None."""
    from jupyter_core.paths import jupyter_runtime_dir

    try:
        server = json.loads((Path(jupyter_runtime_dir()) / f"jpserver-{pid}.json").read_text())
    except (OSError, ValueError):
        # Not there yet, or half written.
        return None
    page = f"http://{HOST}:{server['port']}{server['base_url'].rstrip('/')}{PAGE}"
    return f"{page}?token={server['token']}" if server["token"] else page


def wait_for_address(server: subprocess.Popen[bytes]) -> str | None:
    """Wait for the server's address; None if the server ends before it has one."""
    until = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < until:
        url = address(server.pid)
        if url is not None:
            return url
        time.sleep(0.2)
    return None


def serve(port: int, browser: bool) -> int:
    """Run the server until it ends, and return its exit status."""
    # This environment's kernel, not the home folder's.
    environment = os.environ | {"JUPYTER_PREFER_ENV_PATH": "1"}
    sign = [sys.executable, str(ROOT / "scripts" / "first_output.py"), "--sign"]
    subprocess.run(sign, cwd=ROOT, env=environment)
    shut_file_browser()
    server = subprocess.Popen(command(port, browser), cwd=ROOT, env=environment)

    def stop(number: int, frame: FrameType | None) -> None:
        server.terminate()

    signal.signal(signal.SIGTERM, stop)
    # Ctrl-C reaches the server too, which requests a confirmation.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    url = wait_for_address(server)
    if url is not None:
        print(f"\nclwork is at  {url}\nStop it with Ctrl-C.\n", flush=True)
    return server.wait()


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--port", default="", help="a port of this machine; default: the first free one from 8888"
    )
    parser.add_argument(
        "--browser",
        default="yes",
        help="'no' leaves the browser closed and only prints the address",
    )
    options = parser.parse_args(arguments)
    try:
        port = choose_port(options.port)
    except ValueError as error:
        print(f"clwork: {error}", file=sys.stderr)
        return 1
    if not options.port and port != DEFAULT_PORT:
        print(f"clwork: port {DEFAULT_PORT} is taken, so this is on {port}")
    return serve(port, browser=options.browser.lower() not in {"no", "0", "false"})


if __name__ == "__main__":
    sys.exit(main())
