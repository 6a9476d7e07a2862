"""Notebook 00 is saved with its first output, the sphere lab: it can be touched before anything was run.

``python scripts/first_output.py`` makes that output anew; with ``--check`` it writes nothing and fails where the saved
one is another. ``--sign`` tells this machine's Jupyter that it may show it, if it is what clwork makes and nothing else
is saved: Jupyter strips scripts from outputs that it has not seen made.
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
    """What the cell shows when it is run."""
    from clwork import lab

    shown: Any = eval("".join(cell_of(notebook)["source"]), {"lab": lab})
    texts = {"text/html": shown._repr_html_(), "text/plain": "The sphere lab: it moves in JupyterLab and on Colab."}
    data = {kind: text.splitlines(keepends=True) for kind, text in texts.items()}
    return [{"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"}]


def is_as_made(notebook: dict[str, Any]) -> bool:
    """Whether the saved output is what clwork makes, and the only one."""
    others = [cell for cell in notebook["cells"] if cell.get("outputs") and cell["id"] != CELL]
    return not others and bool(cell_of(notebook)["outputs"] == made(notebook))


def write(path: Path = NOTEBOOK) -> bool:
    """Save the output as it is made now; returns whether that changed anything."""
    notebook = read(path)
    before, cell_of(notebook)["outputs"] = cell_of(notebook)["outputs"], made(notebook)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return bool(cell_of(notebook)["outputs"] != before)


def sign(path: Path = NOTEBOOK) -> bool:
    """Let Jupyter show the output on this machine; returns whether it does. A changed notebook is left as it is."""
    import nbformat
    from nbformat.sign import NotebookNotary

    notary: Any = NotebookNotary()  # type: ignore[no-untyped-call]
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    if not notary.check_signature(notebook):  # the quick way: signed before
        if not is_as_made(read(path)):
            return False
        notary.sign(notebook)
    return True


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do it; 1 where the saved output is not the one that is made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="write nothing")
    what.add_argument("--sign", action="store_true", help="let this machine's Jupyter show what is saved")
    options = parser.parse_args(arguments)
    if options.sign:
        print(f"{NOTEBOOK.name}: {'its first output is shown' if sign() else 'changed, so its outputs wait for a run'}")
        return 0
    if options.check:
        fits = is_as_made(read())
        print(f"{NOTEBOOK.name}: {'as made' if fits else 'run python scripts/first_output.py'}")
        return 0 if fits else 1
    print(f"{NOTEBOOK.name}: {'rewritten' if write() else 'as it was'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
