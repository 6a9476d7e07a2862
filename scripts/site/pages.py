"""Lay out what Sphinx reads: executed notebooks, docs/, the start page and a page for each package's public names."""

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
PACKAGES = (
    "clwork",
    *(f"clwork.{name}" for name in clwork.__all__ if inspect.ismodule(getattr(clwork, name))),
)
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
            again = ["   :no-index:"] * (module == "clwork")  # its entry is in its own package
            lines += [f".. auto{kind}:: {module}.{name}", *again, ""]
        elif not inspect.ismodule(value):
            lines += [f".. py:data:: {name}", f"   :module: {module}", ""]
    return "\n".join([*lines, "```", ""])


def with_links_that_lead(page: str, place: Path, known: set[Path]) -> str:
    """Markdown of a page whose file is in ``place``; links to files that are not ``known`` become plain text."""

    def kept(match: re.Match[str]) -> str:
        return match[0] if (place / match[2]).resolve() in known else match[1]

    return LINK.sub(kept, page)


def lay_out(raw: Path, source: Path) -> None:
    """Replace the folder that Sphinx reads; ``raw`` has executed notebooks by their path in the repository."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "site", source)
    (source / "api").mkdir()
    for module in PACKAGES:
        (source / "api" / f"{module}.md").write_text(api_page(module), encoding="utf-8")
    pages = list((ROOT / "docs").glob("*.md"))
    books = sorted(raw.glob("*/*.ipynb"))
    known = {*pages, *(ROOT / path.relative_to(raw) for path in books)}
    (source / "docs").mkdir()
    for path in pages:
        page = with_links_that_lead(path.read_text(encoding="utf-8"), path.parent, known)
        (source / "docs" / path.name).write_text(page, encoding="utf-8")
        for image in PICTURE.findall(page):
            (source / "docs" / image).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path.parent / image, source / "docs" / image)
    for path in books:
        name = path.relative_to(raw)
        up = "../" * (len(name.parts) - 1)
        notebook = for_page(
            json.loads(path.read_text(encoding="utf-8")),
            source / "_extra" / "frames",
            f"{up}frames",
        )
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = with_links_that_lead(
                    "".join(cell["source"]), (ROOT / name).parent, known
                )
        if name.parts[0] == "notebooks":
            place = source / "_extra" / "slides" / f"{name.stem}.html"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(slides(notebook), encoding="utf-8")
            notebook["cells"][0]["source"] += (
                f'\n\n<a href="../slides/{name.stem}.html">Slides of this lesson</a>'
            )
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(notebook), encoding="utf-8")
