"""What an executed notebook's outputs become: on a page, and where a code host shows the notebook itself."""

from __future__ import annotations

import base64
import copy
import hashlib
import html
import re
from pathlib import Path
from typing import Any

from clwork.lab.page.mathml import mathml

Notebook = dict[str, Any]
WIDGET = "application/vnd.jupyter.widget-view+json"
PLOTLY = "application/vnd.plotly.v1+json"
POSTER = re.compile(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]+)"')
FRAME = re.compile(r'(<iframe class="clwork-page"[^>]*?) srcdoc="([^"]*)"')
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
SCRIPTS = re.compile(r"<script\b.*?</script>", re.DOTALL)


def text(value: str | list[str]) -> str:
    """A multi-line string of a notebook, in either of its forms."""
    return value if isinstance(value, str) else "".join(value)


def picture(svg: str, label: str) -> str:
    """An SVG as an image: it can run no script and reach nothing."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img class="clwork-figure" alt="{html.escape(label)}" src="data:image/svg+xml;base64,{data}">'


def for_page(notebook: Notebook, frames: Path, to_frames: str) -> Notebook:
    """A copy for a page: figures as pictures, live parts in files of their own that are loaded when they are near.

    Args:
        notebook: executed.
        frames: the folder for live parts; one that stands there is not written again.
        to_frames: the way there from the page, such as ``../frames``.
    """
    made = copy.deepcopy(notebook)
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            outputs = [page_output(output, frames, to_frames) for output in cell["outputs"]]
            cell["outputs"] = [output for output in outputs if output is not None]
            if text(cell["source"]).startswith(("#@title Set-up", "import ", "from ")):
                cell["metadata"]["tags"] = ["hide-input"]
    return made


def page_output(output: dict[str, Any], frames: Path, to_frames: str) -> dict[str, Any] | None:
    """One output for a page; None for what only a kernel could show, such as a progress bar."""
    data = output.get("data")
    if data is None:
        return output
    live = data.pop(WIDGET, None)
    data.pop(PLOTLY, None)
    if "text/html" in data:
        body = framed(SCRIPTS.sub("", text(data["text/html"])), frames, to_frames)
        data["text/html"] = FORMULA.sub(lambda found: mathml(html.unescape(found[1]), "block"), body)
    elif "image/svg+xml" in data:
        data["text/html"] = picture(text(data.pop("image/svg+xml")), "figure")
    elif live is not None:
        return None
    return output


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


def for_hosts(notebook: Notebook) -> Notebook:
    """A copy for code hosts, which run no script: a picture for everything that is drawn, and little data."""
    made = copy.deepcopy(notebook)
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [output for output in map(host_output, cell["outputs"]) if output is not None]
    return made


def host_output(output: dict[str, Any]) -> dict[str, Any] | None:
    """One output for code hosts; None for what only a kernel could show."""
    data = output.get("data")
    if data is None:
        return output
    live = data.pop(WIDGET, None)
    data.pop(PLOTLY, None)
    poster = POSTER.search(text(data.get("text/html", "")))
    if poster is not None:
        data.pop("text/html")
        data["image/svg+xml"] = base64.b64decode(poster[2]).decode()
    return None if live is not None and data.keys() <= {"text/plain"} else output
