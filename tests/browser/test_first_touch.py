"""The outputs of the first notebook are interactive when its page opens, before any cell is run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scripts import first_output

from .conftest import Lab
from .jupyterlab import open_and_run

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
FRAME = "iframe.clwork-page"


@pytest.fixture
def trusting(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """JupyterLab as ``make lab`` prepares it."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(lab.folder.parent / "data"))
    assert first_output.sign(lab.folder / first_output.NOTEBOOK.name)
    return lab


def test_the_lab_responds_before_any_cell_was_run(trusting: Lab, page: Page) -> None:
    page.goto(trusting.address(first_output.NOTEBOOK.name))
    frame = page.frame_locator(FRAME).first
    play = frame.get_by_role("button", name="Play")
    play.click()
    frame.get_by_text(re.compile(r"^step [1-9]")).wait_for()
    shown = page.locator(".jp-OutputArea-output:not(.jp-RenderedImage)")
    assert shown.count() == 1, "nobody ran a cell"


SCROLLED = "() => document.querySelector('.jp-WindowedPanel-outer').scrollTop"


def test_run_all_ends_at_the_first_interactive_output(trusting: Lab, page: Page) -> None:
    open_and_run(page, trusting.address(first_output.NOTEBOOK.name))
    # JupyterLab goes to the last cell
    page.wait_for_function(f"() => ({SCROLLED})() > 2000")
    # and comes back once all have run
    page.wait_for_function(f"() => ({SCROLLED})() < 600", timeout=400_000)
    inside = (
        "() => { const box = document.querySelector('iframe.clwork-page').getBoundingClientRect();"
    )
    page.wait_for_function(f"{inside} return box.top >= 0 && box.bottom <= innerHeight; }}")
    assert page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").count() >= 1


@pytest.mark.parametrize("where", ["another cell", "the lab"])
def test_only_our_own_output_is_trusted(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    notebook: dict[str, Any] = first_output.read()
    foreign = {
        "data": {"text/html": ["<script>alert(1)</script>"]},
        "execution_count": None,
        "metadata": {},
    }
    output = [{**foreign, "output_type": "execute_result"}]
    if where == "the lab":
        first_output.cell_of(notebook)["outputs"][0]["data"]["text/html"][0] += (
            "<script>alert(1)</script>"
        )
    else:
        next(cell for cell in notebook["cells"] if cell["id"] == "c01")["outputs"] = output
    path = tmp_path / "changed.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert not first_output.sign(path)
