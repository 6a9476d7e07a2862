"""What an executed notebook's outputs become: on a page, and where a code host shows the notebook itself."""

from __future__ import annotations

import base64
import copy
import hashlib
import html
import re
from pathlib import Path
from typing import Any

from clwork import lab
from clwork.lab.page.mathml import mathml
from clwork.recordings import recorded_methods
from clwork.views.svg.dark import both_images

Notebook = dict[str, Any]
WIDGET = "application/vnd.jupyter.widget-view+json"
PLOTLY = "application/vnd.plotly.v1+json"
POSTER = re.compile(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]+)"')
IMAGE = re.compile(
    r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]+)" style="([^"]*)"/>'
)  # not behind a frame
BEHIND = re.compile(
    r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]+)" class="clwork-poster" style="([^"]*)"/>'
)
RECORDING = re.compile(r'<div data-clwork-recording="(\w+)">.*?</div>', re.DOTALL)  # a panel's still picture
FRAME = re.compile(r'(<iframe class="clwork-page[^>]*?) srcdoc="([^"]*)"')
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
SCRIPTS = re.compile(r"<script\b.*?</script>", re.DOTALL)


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
            if "".join(cell["source"]).startswith(("#@title Set-up", "import ", "from ")):
                cell["metadata"]["tags"] = ["hide-input"]
    return made


def page_output(output: dict[str, Any], frames: Path, to_frames: str) -> dict[str, Any] | None:
    """One output for a page; None for what only a kernel could show, such as a progress bar."""
    data = without_kernel(output)
    if "text/html" in data:
        body = RECORDING.sub(recorded_player, "".join(data["text/html"]))
        body = framed(SCRIPTS.sub("", body), frames, to_frames)
        body = BEHIND.sub(poster_in_both_themes, IMAGE.sub(in_both_themes, body))
        data["text/html"] = FORMULA.sub(lambda found: mathml(html.unescape(found[1]), "block"), body)
    elif "image/svg+xml" in data:
        data["text/html"] = both_images("".join(data.pop("image/svg+xml")), "figure", 'style="max-width:100%"')
    return output if data or "data" not in output else None


def without_kernel(output: dict[str, Any]) -> dict[str, Any]:
    """What an output holds, less what needs a kernel or plotly's library; nothing where a widget is all there is."""
    data: dict[str, Any] = output.get("data", {})
    data.pop(PLOTLY, None)
    if data.pop(WIDGET, None) is not None and data.keys() <= {"text/plain"}:
        data.clear()
    return data


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


def recorded_player(still: re.Match[str]) -> str:
    """The player of a method's recorded run, in place of a panel's picture of it; the picture where there is none."""
    return lab.player(still[1])._repr_html_() if still[1] in recorded_methods() else still[0]


def in_both_themes(image: re.Match[str]) -> str:
    """A picture of ours, and its twin for a dark page."""
    return both_images(base64.b64decode(image[2]).decode(), html.unescape(image[1]), f'style="{image[3]}"')


def poster_in_both_themes(image: re.Match[str]) -> str:
    """A poster and its twin, which go together where scripts run."""
    return in_both_themes(image).replace('class="clwork-', 'class="clwork-poster clwork-')


def for_hosts(notebook: Notebook) -> Notebook:
    """A copy for code hosts, which run no script: a picture for everything that is drawn, and little data."""
    made = copy.deepcopy(notebook)
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [output for output in map(host_output, cell["outputs"]) if output is not None]
    return made


def host_output(output: dict[str, Any]) -> dict[str, Any] | None:
    """One output for code hosts; None for what only a kernel could show."""
    data = without_kernel(output)
    poster = POSTER.search("".join(data.get("text/html", "")))
    if poster is not None:
        data.pop("text/html")
        data["image/svg+xml"] = base64.b64decode(poster[2]).decode()
    return output if data or "data" not in output else None
