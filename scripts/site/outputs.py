"""What an executed notebook's outputs become: on a page, and on a code host."""

from __future__ import annotations

import copy
import hashlib
import html
import re
from pathlib import Path
from typing import Any

from clwork import lab
from clwork.lab.page.markup import mathml
from clwork.recordings import recorded_methods
from scripts.site.pictures import LARGEST, folded_still, images, png, svg, tall, with_all_lines

Notebook = dict[str, Any]
WIDGET = "application/vnd.jupyter.widget-view+json"
PLOTLY = "application/vnd.plotly.v1+json"
# A cell with this tag is committed with its output: one figure and one table in each lesson.
KEPT = "keep-output"
# Of a figure that does not say its own, in pixels; plotly's default.
WIDTH = 700
# What a panel leaves in its output.
RECORDING = re.compile(r'<div data-clwork-recording="(\w+)">.*?</div>', re.DOTALL)
FRAME = re.compile(r'(<iframe class="clwork-page[^>]*?) srcdoc="([^"]*)"')
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
SCRIPTS = re.compile(r"<script\b.*?</script>", re.DOTALL)
CLAIMS = "<div class='clwork-claims'>"
# What a claim's card links to: a lesson or a page of docs/, and what it only names.
SOURCE_LINK = re.compile(r"(?<=href=')(\.\./docs/\w+|\d\d_\w+)\.(?:md|ipynb)\b")
CALL = re.compile(r"<code>clwork\.claims\.test\(.*?</code>")


def for_page(notebook: Notebook, frames: Path, to_frames: str, on_slides: bool = False) -> Notebook:
    """A copy for a page: figures as pictures, live parts as files in ``frames``.

    ``to_frames`` is the address of that folder as seen from the page. ``on_slides`` no figure is
    flat.
    """
    made = copy.deepcopy(notebook)
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            if on_slides:
                for output in cell["outputs"]:
                    heighten(output)
            outputs = [page_output(output, frames, to_frames) for output in cell["outputs"]]
            cell["outputs"] = [output for output in outputs if output is not None]
            if "".join(cell["source"]).startswith(("#@title Set-up", "import ", "from ")):
                cell["metadata"]["tags"] = ["hide-input"]
    return made


def heighten(output: dict[str, Any]) -> None:
    """Let an output's figure fill a slide."""
    data = output.get("data", {})
    if PLOTLY in data:
        data[PLOTLY] = tall(data[PLOTLY])


def page_output(output: dict[str, Any], frames: Path, to_frames: str) -> dict[str, Any] | None:
    """One output for a page; None for what only a kernel could show, such as a progress bar."""
    data, figure = without_kernel(output)
    if figure is not None:
        data["text/html"] = images(figure)
    elif "text/html" in data:
        body = RECORDING.sub(recorded_player, "".join(data["text/html"]))
        body = framed(SCRIPTS.sub("", body), frames, to_frames)
        if CLAIMS in body:
            body = with_all_claims(body)
        data["text/html"] = FORMULA.sub(
            lambda found: mathml(html.unescape(found[1]), "block"), body
        )
    return output if data or "data" not in output else None


def without_kernel(output: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """An output's data less what needs a kernel; and plotly's JSON, None if it is no figure."""
    data: dict[str, Any] = output.get("data", {})
    figure: dict[str, Any] | None = data.pop(PLOTLY, None)
    if data.pop(WIDGET, None) is not None and data.keys() <= {"text/plain"}:
        data.clear()
    return data, figure


def framed(body: str, frames: Path, to_frames: str) -> str:
    """``body`` with its self-contained documents moved to files."""

    def moved(match: re.Match[str]) -> str:
        document = html.unescape(match[2])
        path = frames / f"{hashlib.sha256(document.encode()).hexdigest()[:16]}.html"
        if not path.exists():
            frames.mkdir(parents=True, exist_ok=True)
            path.write_text(document, encoding="utf-8")
        return f'{match[1]} loading="lazy" src="{to_frames}/{path.name}"'

    return FRAME.sub(moved, body)


def recorded_player(panel: re.Match[str]) -> str:
    """The player of a method's recorded run in the place of a panel, which stays without one."""
    method = panel[1]
    if method not in recorded_methods():
        return panel[0]
    return lab.player(method)._repr_html_()


def with_all_claims(body: str) -> str:
    """All claims, which a page without filters needs, and then those that a lesson lists."""
    listed = body[body.index(CLAIMS) :]
    _, page = lab.evidence()._static()
    if listed not in page:
        # A link leads to the claim in the list of all.
        listed = listed.replace("<a id='evidence/", "<a data-of='evidence/")
        page = f"{page.removesuffix('</div>')}<p class='chosen'>In this lesson</p>{listed}"
    api = "../api/clwork.claims.html#clwork.claims.test"
    page = CALL.sub(lambda found: f"<a href='{api}'>{found[0]}</a>", page)
    return SOURCE_LINK.sub(r"\1.html", page)


def for_hosts(notebook: Notebook) -> Notebook:
    """A copy for code hosts, which run no script: figures are pictures."""
    made = copy.deepcopy(notebook)
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            outputs = [host_output(output) for output in cell["outputs"]]
            cell["outputs"] = [output for output in outputs if output is not None]
    return made


def host_output(output: dict[str, Any]) -> dict[str, Any] | None:
    """One output for code hosts; None for what only a kernel could show."""
    data, figure = without_kernel(output)
    if figure is not None:
        data["image/svg+xml"] = svg(figure)
    elif FRAME.search("".join(data.get("text/html", ""))):
        data.pop("text/html")
    return output if data or "data" not in output else None


def with_kept_outputs(tracked: Notebook, executed: Notebook) -> Notebook:
    """A copy of a tracked notebook, in which the cells tagged ``keep-output`` have their outputs.

    Figures are small pictures, tables are HTML; all other cells are empty.
    """
    made = copy.deepcopy(tracked)
    for cell, ran in zip(made["cells"], executed["cells"], strict=True):
        if cell["cell_type"] != "code":
            continue
        cell["execution_count"] = None
        cell["outputs"] = []
        if KEPT in cell["metadata"].get("tags", ()):
            cell["outputs"] = [
                kept for output in ran["outputs"] for kept in kept_outputs(copy.deepcopy(output))
            ]
            # nbval rejects outputs of a cell without a number.
            cell["execution_count"] = 1
    return made


def kept_outputs(output: dict[str, Any]) -> list[dict[str, Any]]:
    """A figure as a picture or a table as HTML; empty for everything else.

    A figure whose legend has lines that are switched off has a second picture, which opens.
    """
    data, figure = without_kernel(output)
    if figure is None:
        return [displayed(data)] if "<table" in "".join(data.get("text/html", "")) else []
    whole = with_all_lines(figure)
    folded = folded_still(whole) if whole else ""
    still = {"image/png": png(figure, LARGEST - len(folded)), "text/plain": ["a figure"]}
    width = figure["layout"].get("width", WIDTH)
    kept = [displayed(still, {"image/png": {"width": width}})]
    if folded:
        opened = {"text/html": [folded], "text/plain": ["all lines of the figure"]}
        kept.append(displayed(opened))
    return kept


def displayed(data: dict[str, Any], metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    """An output of a notebook's cell."""
    return {"data": data, "metadata": metadata or {}, "output_type": "display_data"}
