"""The notebooks once more for readers who have STS data.

``python -m tests.notebooks.with_sts FOLDER`` writes them. A run that finds STS data uses it for
validation and positives, and some cells read it themselves. Each lesson is copied up to the last
cell in which that makes a difference; what follows was run without STS data already. ``make sts``
runs the copies next to a small synthetic folder of tasks.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from tests import sts
from tests.notebooks import lint

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
# In code: the folder itself, the column that it adds to a run's history, or a column that it takes
# away.
READS = re.compile(r"sts_folder|\bstsb\b|sickr|silver")
# The last cell to run, by its id: the check of the section that reads the scores.
UPTO = {
    "00_start_here": "c28",
    "01_the_sphere": "c30",
    "04_sg_bert": "g07",
    "10_your_own_paper": "p19",
}


def reading_cells(notebook: lint.Notebook) -> list[int]:
    """The indices of code cells that read STS data, or scores that depend on it."""
    return [
        number
        for number, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code" and READS.search(lint.source(cell))
    ]


def cut(notebook: lint.Notebook, upto: str) -> lint.Notebook:
    """The notebook up to a cell, inclusive."""
    ids = [cell["id"] for cell in notebook["cells"]]
    return notebook | {"cells": notebook["cells"][: ids.index(upto) + 1]}


def write(folder: Path) -> None:
    """Write the STS tasks to ``folder/tasks`` and the notebooks to ``folder/notebooks``."""
    sts.write(folder / "tasks")
    (folder / "notebooks").mkdir()
    for name, upto in UPTO.items():
        text = (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")
        notebook = cut(json.loads(text), upto)
        (folder / "notebooks" / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
