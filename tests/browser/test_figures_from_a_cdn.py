"""Figures as Colab and Kaggle show them: plotly.js comes once a page, and where it does not come there are pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import plotly.io as pio
import pytest
from plotly.offline import get_plotlyjs

from clwork import views

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser

COUNT = 10
MOST = 60_000  # bytes of a figure's output: plotly.js has 5 MB
SHOWN = """() => [...document.querySelectorAll('.clwork-still')].map(
    still => still.naturalWidth > 100 && still.clientWidth > 100 && still.checkVisibility())"""
COVERED = """() => [...document.querySelectorAll('.clwork-still')].every(still => {
    const [old, now] = [still, still.parentElement.querySelector('.main-svg')].map(one => one.getBoundingClientRect());
    return Math.abs(old.width - now.width) < 2 && Math.abs(old.height - now.height) < 2 && old.top === now.top;
})"""


@pytest.fixture(params=["colab", "kaggle"])
def outputs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A page of ten figures' outputs, with a sentence that would end a script."""
    monkeypatch.setattr(pio.renderers, "_default_renderers", [pio.renderers[request.param]])
    figures = [views.circle(np.eye(2), title=f"{number} </script>") for number in range(COUNT)]
    bodies = [figure._repr_mimebundle_()["text/html"] for figure in figures]
    assert max(map(len, bodies)) < MOST and all("mathjax" not in body.lower() for body in bodies)
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><body>{''.join(bodies)}</body>", encoding="utf-8")
    return file


def faults_of(page: Page) -> list[str]:
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    return faults


def test_plotly_comes_once_for_all_figures(browser: Browser, outputs: Path) -> None:
    page = browser.new_page()
    faults, asked = faults_of(page), list[str]()

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        headers = {"access-control-allow-origin": "*", "content-type": "text/javascript; charset=utf-8"}
        route.fulfill(body=get_plotlyjs(), headers=headers)

    page.route(re.compile("^https:"), answer)
    page.goto(outputs.as_uri())
    page.wait_for_function(f"document.querySelectorAll('.js-plotly-plot .main-svg').length >= {COUNT}")
    assert len(asked) == 1 and "cdn.plot.ly" in asked[0], asked
    page.wait_for_function(COVERED)
    assert page.locator(".js-plotly-plot").count() == COUNT and faults == []
    page.close()


def test_without_a_network_the_pictures_stay(browser: Browser, outputs: Path) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    faults, told = faults_of(page), list[str]()
    page.on("console", lambda message: told.append(message.text) if message.type == "info" else None)
    page.goto(outputs.as_uri())
    for _ in range(100):
        if len(told) == COUNT:
            break
        page.wait_for_timeout(50)
    assert len(told) == COUNT and "no network: a still picture" in told[0], told
    assert page.evaluate(SHOWN) == [True] * COUNT and page.locator(".js-plotly-plot").count() == 0 and faults == []
    context.close()
