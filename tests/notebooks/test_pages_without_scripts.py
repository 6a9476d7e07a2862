"""An executed notebook shows its figures where no script runs, and stays small."""

from __future__ import annotations

import base64
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
POSTER = 40_000  # of a poster, in base64
SHOWN = (
    "views.circle(np.eye(2))",
    "display(views.sphere(np.eye(3)))",
    "panel",
    "lab.desk()",
    "lab.playground()",
    "lab.linked({'a': np.eye(3), 'b': -np.eye(3)}, ['x', 'y', 'z'], neighbours=1)",
    "lab.player('simcse')",
    "lab.sphere()",
    "trained",
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
    notebook = new.new_notebook(cells=[new.new_code_cell(text) for text in (first, *SHOWN, RUN)])
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


def words(notebook: Any, source: str) -> str:
    """What a cell's output says where no script runs: its text, and the words in its picture."""
    (cell,) = [cell for cell in notebook.cells if cell.source == source]
    (output,) = cell.outputs
    page: str = output["data"]["text/html"]
    (picture,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    assert len(picture) < POSTER
    return page + base64.b64decode(picture).decode("utf-8")


def test_a_panel_shows_the_recorded_run_or_after_a_run_in_the_notebook_that_one(executed: Any) -> None:
    recorded = words(executed, "panel")
    assert "a recorded run of 80 steps" in recorded and "step 80 of 80<" in recorded and "Ready" not in recorded
    own = words(executed, "trained")
    assert " is finished" in own and "step 2 of 2<" in own and "recorded run" not in own
    assert own.count("<use ") + own.count("<circle ") > 200, "a mark for each sentence of the probe"


def test_no_widget_is_saved(executed: Any) -> None:
    assert len(json.dumps(executed.metadata)) < 2_000
    live = {kind for cell in executed.cells for output in cell.outputs for kind in output.get("data", {})}
    assert {"application/vnd.jupyter.widget-view+json", "application/vnd.plotly.v1+json"} <= live
