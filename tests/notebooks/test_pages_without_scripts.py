"""An executed notebook shows its figures where no script runs, and stays small."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

ROOT = Path(__file__).resolve().parents[2]
MOST = 100_000  # characters of a figure in a file: JSON and picture
SHOWN = (
    "views.circle(np.eye(2))",
    "display(views.sphere(np.eye(3)))",
    "lab.desk()",
    "lab.playground()",
)
RUN = "trained.start()\nassert trained.wait().run.status == 'finished'"
pytestmark = pytest.mark.nightly


class Pictures(HTMLParser):
    """Counts what a browser draws without running a script."""

    def __init__(self) -> None:
        super().__init__()
        self.found = 0

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.found += tag in ("img", "svg")


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    new: Any = nbformat.v4
    first = "import numpy as np\nfrom clwork import lab, views\npanel = lab.panel('simcse', steps=2)\n"
    first += "trained = lab.panel('simcse', steps=2, batch_size=8)"
    notebook = new.new_notebook(cells=[new.new_code_cell(text) for text in (first, *SHOWN, "panel", "trained", RUN)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
        patch.setenv("CLWORK_RUNS", str(tmp_path_factory.mktemp("runs")))
        NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    return notebook


def page(notebook: Any, cell: int) -> Pictures:
    new: Any = nbformat.v4
    exporter: Any = HTMLExporter
    alone = new.new_notebook(cells=[notebook.cells[cell]], metadata=notebook.metadata)
    pictures = Pictures()
    pictures.feed(exporter().from_notebook_node(alone)[0])
    return pictures


def test_every_figure_is_a_picture_where_no_script_runs(executed: Any) -> None:
    assert page(executed, 0).found == 0, "the page itself has no picture, so the one counted is the figure's"
    for cell, shown in enumerate(SHOWN, 1):
        assert page(executed, cell).found == 1, shown
        outputs = json.dumps(executed.cells[cell].outputs)
        assert len(re.sub(r'srcdoc=\\"[^"]*"', "", outputs)) < MOST, f"{shown}: besides what moves, in its own frame"


def test_a_panel_states_what_it_shows_and_marks_where_its_recorded_run_may_be_played(executed: Any) -> None:
    (output,) = next(cell for cell in executed.cells if cell.source == "panel").outputs
    assert 'data-clwork-recording="simcse"' in output["data"]["text/html"]
    (output,) = next(cell for cell in executed.cells if cell.source == "trained").outputs
    own = output["data"]["text/html"]
    assert " is finished" in own and "data-clwork-recording" not in own


def test_no_widget_is_saved(executed: Any) -> None:
    assert len(json.dumps(executed.metadata)) < 2_000
    live = {kind for cell in executed.cells for output in cell.outputs for kind in output.get("data", {})}
    assert {"application/vnd.jupyter.widget-view+json", "application/vnd.plotly.v1+json"} <= live
