"""Lay out what Sphinx reads: executed notebooks, docs/, the start page and the API reference."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shutil
from pathlib import Path

import clwork
from scripts.site.outputs import for_page
from scripts.site.slides import slides

ROOT = Path(__file__).resolve().parents[2]
MODULES = [name for name in clwork.__all__ if inspect.ismodule(getattr(clwork, name))]
PACKAGES = ("clwork", *(f"clwork.{name}" for name in MODULES))
LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)"
)
PICTURE = re.compile(r"!\[[^\]]*\]\((?!https?:|data:)([^)\s]+)\)")


def api_page(module: str) -> str:
    """A package's public names, by autodoc."""
    package = importlib.import_module(module)
    lines = [f"# {module}", "", "```{eval-rst}", f".. automodule:: {module}", "   :no-members:", ""]
    for name in package.__all__:
        value = getattr(package, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            kind = "class" if inspect.isclass(value) else "function"
            lines.append(f".. auto{kind}:: {module}.{name}")
            if module == "clwork":
                # Its entry is in its own package.
                lines.append("   :no-index:")
            lines.append("")
        elif not inspect.ismodule(value):
            lines += [f".. py:data:: {name}", f"   :module: {module}", ""]
    return "\n".join([*lines, "```", ""])


def with_links_that_lead(page: str, folder: Path, known: set[Path]) -> str:
    """Markdown of a page in ``folder``; links to files that are not ``known`` become plain text."""

    def kept(match: re.Match[str]) -> str:
        return match[0] if (folder / match[2]).resolve() in known else match[1]

    return LINK.sub(kept, page)


def lay_out(raw: Path, source: Path) -> None:
    """Replace the folder ``source`` that Sphinx reads.

    ``raw`` has executed notebooks by their path in the repository.
    """
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "site", source)
    (source / "api").mkdir()
    for module in PACKAGES:
        (source / "api" / f"{module}.md").write_text(api_page(module), encoding="utf-8")
    pages = list((ROOT / "docs").glob("*.md"))
    books = sorted(raw.glob("*/*.ipynb"))
    known = {*pages, *(ROOT / path.relative_to(raw) for path in books)}
    for path in pages:
        write_page(path, source / "docs", known)
    for path in books:
        write_notebook(path, path.relative_to(raw), source, known)


def write_page(path: Path, folder: Path, known: set[Path]) -> None:
    """Write a page of docs/ and its images to ``folder``."""
    folder.mkdir(exist_ok=True)
    page = with_links_that_lead(path.read_text(encoding="utf-8"), path.parent, known)
    (folder / path.name).write_text(page, encoding="utf-8")
    for image in PICTURE.findall(page):
        (folder / image).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path.parent / image, folder / image)


def write_notebook(path: Path, name: Path, source: Path, known: set[Path]) -> None:
    """Write the page of an executed notebook and, of a lesson, its slides."""
    executed = json.loads(path.read_text(encoding="utf-8"))
    up = "../" * (len(name.parts) - 1)
    frames = source / "_extra" / "frames"
    notebook = for_page(executed, frames, f"{up}frames")
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = "".join(cell["source"])
            cell["source"] = with_links_that_lead(text, (ROOT / name).parent, known)
    if name.parts[0] == "notebooks":
        deck = source / "_extra" / "slides" / f"{name.stem}.html"
        deck.parent.mkdir(parents=True, exist_ok=True)
        lesson = f"../notebooks/{name.stem}.html"
        shown = for_page(executed, frames, f"{up}frames", on_slides=True)
        deck.write_text(slides(shown, lesson), encoding="utf-8")
        link = f'<a href="../slides/{name.stem}.html">Slides of this lesson</a>'
        notebook["cells"][0]["source"] += f"\n\n{link}"
    target = source / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(notebook), encoding="utf-8")
