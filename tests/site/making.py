"""A small site: two executed lessons, docs/ and the API reference."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat

from scripts.site.__main__ import build
from scripts.site.executing import execute
from scripts.site.pages import lay_out
from scripts.site.start import write_front, write_start

CODE = (
    "import numpy as np\nfrom clwork import lab, views",
    "lab.player('simcse')",
    "views.spectrum({'one': np.eye(3)})",
    "lab.dial('x', [1.0, 2.0], lambda x: {'double': 2 * x}, start=1.0)",
    "lab.predict('How many?', ['one', 'two'], 'Two.')",
)


def write_lesson(path: Path, title: str) -> None:
    new: Any = nbformat.v4
    formula = "$$\\ell = -\\log\\frac{a}{b}$$"
    prose = new.new_markdown_cell(f"# {title}\n\n{formula}\n\nSee [the claims](../docs/claims.md).")
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    book = new.new_notebook(cells=[prose, *map(new.new_code_cell, CODE)], metadata=about)
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(book, path)  # type: ignore[no-untyped-call]


def make_site(folder: Path) -> Path:
    """Build the site and return the folder of its pages."""
    write_lesson(folder / "tracked.ipynb", "A lesson")
    execute(folder / "tracked.ipynb", folder / "raw" / "notebooks" / "00_start_here.ipynb")
    for name in ("notebooks/09_the_evidence.ipynb", "solutions/00_start_here.ipynb"):
        (folder / "raw" / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(folder / "raw" / "notebooks" / "00_start_here.ipynb", folder / "raw" / name)
    lay_out(folder / "raw", folder / "source")
    write_start(folder / "source")
    assert build(folder / "source", folder / "site") == 0, "Sphinx warns"
    write_front(folder / "site")
    return folder / "site"
