"""Save notebook 00 with its first output, the sphere lab, which works before anything was run.

``python scripts/first_output.py`` makes that output again; with ``--check`` it writes nothing and
fails if the saved one differs. ``--sign`` allows this machine's Jupyter to show it, if clwork makes
the same and all other saved outputs are pictures: Jupyter strips scripts from outputs that were
made elsewhere.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

NOTEBOOK = ROOT / "notebooks" / "00_start_here.ipynb"
CELL = "sphere-lab"


def read(path: Path = NOTEBOOK) -> dict[str, Any]:
    """The notebook as JSON."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def cell_of(notebook: dict[str, Any]) -> dict[str, Any]:
    """The cell whose output is saved."""
    cell: dict[str, Any] = next(cell for cell in notebook["cells"] if cell["id"] == CELL)
    return cell


def made(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Outputs of the cell when it is run."""
    from clwork import lab

    shown: Any = eval("".join(cell_of(notebook)["source"]), {"lab": lab})
    texts = {
        "text/html": shown._repr_html_(),
        "text/plain": "The sphere lab: it moves in JupyterLab and on Colab.",
    }
    data = {kind: text.splitlines(keepends=True) for kind, text in texts.items()}
    return [{"data": data, "execution_count": 1, "metadata": {}, "output_type": "execute_result"}]


def is_as_made(notebook: dict[str, Any]) -> bool:
    """Whether the saved output equals the one that clwork makes, and all others are pictures."""
    others = [
        kind
        for cell in notebook["cells"]
        if cell["id"] != CELL
        for output in cell.get("outputs", [])
        for kind in output.get("data", ["no data"])
    ]
    pictures = set(others) <= {"image/png", "text/plain"}
    return pictures and bool(cell_of(notebook)["outputs"] == made(notebook))


def write(path: Path = NOTEBOOK) -> bool:
    """Save the output as clwork makes it now; return whether that changed the notebook."""
    notebook = read(path)
    cell = cell_of(notebook)
    before = cell["outputs"]
    cell["outputs"] = made(notebook)
    # nbval rejects outputs of a cell without a number.
    cell["execution_count"] = 1
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return bool(cell["outputs"] != before)


def sign(path: Path = NOTEBOOK) -> bool:
    """Sign the notebook for this machine's Jupyter unless it was changed; whether it is signed."""
    import nbformat
    from nbformat.sign import NotebookNotary

    notary: Any = NotebookNotary()  # type: ignore[no-untyped-call]
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    if not notary.check_signature(notebook):
        if not is_as_made(read(path)):
            return False
        notary.sign(notebook)
    return True


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns 1 if the saved output is out of date."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="write nothing")
    what.add_argument(
        "--sign", action="store_true", help="let this machine's Jupyter show what is saved"
    )
    options = parser.parse_args(arguments)
    status = 0
    if options.sign:
        state = "its first output is shown" if sign() else "changed, so its outputs wait for a run"
    elif options.check:
        fits = is_as_made(read())
        state = "as made" if fits else "run python scripts/first_output.py"
        status = int(not fits)
    else:
        state = "rewritten" if write() else "as it was"
    print(f"{NOTEBOOK.name}: {state}")
    return status


if __name__ == "__main__":
    sys.exit(main())
