"""A page with Colab's rules: a widget needs the metadata of its display, and pushes of threads are
dropped."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import clwork
from clwork import lab
from clwork.lab.page import polling_page
from tests.lab.as_on_colab import ADDRESS, VIEW, colab_modules, displayed

from .conftest import PATIENCE
from .kernel_page import KernelPage

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def show(page: Page, widget: Any, module: str) -> KernelPage | None:
    """Show a widget as Colab does: without metadata that name the manager the output stays
    blank."""
    data, metadata = displayed(widget)
    assert data[VIEW]["model_id"] == widget.model_id
    manager = metadata.get(VIEW, {}).get("colab", {}).get("custom_widget_manager", {}).get("url")
    if manager != ADDRESS:
        page.set_content("<!doctype html><p>blank</p>")
        return None
    kernel = KernelPage(page, widget, module, drops=True)
    kernel.open()
    return kernel


@pytest.fixture
def colab(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in colab_modules().items():
        monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads push as often as possible, so that a push that is not dropped is noticed."""
    monkeypatch.setattr(polling_page, "PUSH_AFTER", 0.0)
    monkeypatch.setattr(polling_page, "PUSH_EVERY", 0.05)


def test_a_run_is_shown_to_its_end_although_all_pushes_are_dropped(
    page: Page, eager: None, colab: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLWORK_RUNS", str(tmp_path))
    corpus = clwork.data.sentences("wikipedia-mini")[:96]
    panel = lab.panel("simcse", sentences=corpus, steps=6, batch_size=8)
    kernel = show(page, panel, "panel")
    assert kernel is not None, "Colab would show a blank box"
    page.locator(".clwork-start").click()
    page.get_by_text("The run has finished").or_(
        page.locator(".state-text", has_text="finished")
    ).first.wait_for(timeout=1000 * PATIENCE)
    assert panel.run is not None
    assert panel.run.status == "finished"
    instrument = "document.querySelector('.clwork-instrument').instrument"
    record = f"{instrument}.records[0].history.series('loss').steps"
    page.wait_for_function(f"{record}.at(-1) === 6", timeout=1000 * PATIENCE)
    assert page.evaluate(f"{record}.length") == 6
    assert kernel.dropped > 0
    assert kernel.errors == []
    panel.close()
