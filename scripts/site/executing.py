"""Execute the tracked notebooks, each in its own home and offline.

A notebook that has not changed is not run again.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

# For one cell.
SECONDS = 600
QUIET = {
    "HF_HUB_OFFLINE": "1",
    "CLWORK_STS": "",
    "JUPYTER_PREFER_ENV_PATH": "1",
    "TQDM_DISABLE": "1",
}


def sources(path: Path) -> list[str]:
    """The texts of a notebook's cells."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"]]


def is_current(tracked: Path, executed: Path) -> bool:
    """Whether ``executed`` was made of the notebook as it stands."""
    return executed.exists() and sources(tracked) == sources(executed)


def execute(tracked: Path, executed: Path) -> None:
    """Run a notebook and write it with its outputs.

    Raises:
        CellExecutionError: A cell failed, and nothing is written.
    """
    if is_current(tracked, executed):
        print(f"{tracked.name}: executed before", flush=True)
        return
    started = time.monotonic()
    notebook: Any = nbformat.read(tracked, as_version=4)  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory() as away:
        homes = {"CLWORK_HOME": f"{away}/home", "CLWORK_RUNS": f"{away}/runs", "TMPDIR": away}
        client = NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": str(tracked.parent)}},
        )
        client.execute(env=os.environ | QUIET | homes)
    for cell in notebook.cells:
        # Times of day, which differ in each copy.
        cell.metadata.pop("execution", None)
    executed.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, executed)  # type: ignore[no-untyped-call]
    print(f"{tracked.name}: {time.monotonic() - started:.0f} s", flush=True)
