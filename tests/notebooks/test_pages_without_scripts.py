"""The outputs of an executed notebook are small and hold no widget."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
# Characters of an output.
MOST = 100_000
SHOWN = (
    "views.spectrum({'one': np.eye(3)})",
    "display(views.spectrum({'one': np.eye(3)}))",
    "lab.panel('simcse')",
)
pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    new: Any = nbformat.v4
    first = "import numpy as np\nfrom clwork import lab, views"
    notebook = new.new_notebook(cells=[new.new_code_cell(text) for text in (first, *SHOWN)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
        patch.setenv("CLWORK_RUNS", str(tmp_path_factory.mktemp("runs")))
        NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    return notebook


def test_an_output_is_small(executed: Any) -> None:
    for cell, shown in enumerate(SHOWN, 1):
        outputs = json.dumps(executed.cells[cell].outputs)
        assert executed.cells[cell].outputs, shown
        assert len(outputs) < MOST, shown


def test_no_widget_is_saved(executed: Any) -> None:
    assert len(json.dumps(executed.metadata)) < 2_000
    kinds: set[str] = set()
    for cell in executed.cells:
        for output in cell.outputs:
            kinds |= output.get("data", {}).keys()
    assert {"application/vnd.jupyter.widget-view+json", "application/vnd.plotly.v1+json"} <= kinds
