"""The page of JupyterLab, VS Code or Colab states its theme; without one the system's theme
applies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from clwork import lab
from clwork.lab.evidence_view import STYLE
from clwork.views.style import DARK, GROUND, PALETTE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

# attributes of <html> and <body>, and whether they mean dark
THEMES = {
    "JupyterLab dark": ("", 'data-jp-theme-light="false"', True),
    "JupyterLab light": ("", 'data-jp-theme-light="true"', False),
    "VS Code dark": ("", 'class="vscode-dark" data-vscode-theme-kind="vscode-dark"', True),
    "VS Code light": ("", 'class="vscode-light"', False),
    "VS Code high contrast": ("", 'class="vscode-high-contrast"', True),
    "VS Code high contrast light": (
        "",
        'class="vscode-high-contrast vscode-high-contrast-light"',
        False,
    ),
    "VS Code dark, by its attribute alone": ("", 'data-vscode-theme-kind="vscode-dark"', True),
    "VS Code light, by its attribute alone": ("", 'data-vscode-theme-kind="vscode-light"', False),
    "VS Code by its colours": ('style="--vscode-editor-background: #1e1e1e"', "", True),
    "Colab dark": ("theme=dark", "", True),
    "Colab light": ("theme=light", "", False),
}
# A box as ipywidgets makes it
BOX = f"""<style>select {{ background-image: var(--jp-widgets-dropdown-arrow) }}</style>{STYLE}
<div class="clwork-evidence"><select><option>one</option></select></div>"""
# Figures by clwork and by somebody else; the script sets their ground as plotly does
FIGURES = '<div class="js-plotly-plot"><svg class="main-svg"><path/></svg></div>' * 2
FIGURES += f"""<script>
for (const [index, ground] of ["{GROUND}", "white"].entries())
  document.querySelectorAll(".main-svg")[index].style.background = ground;
for (const line of document.querySelectorAll("path")) line.style.stroke = "{PALETTE[1]}";
</script>"""
GROUNDS = (
    "[...document.querySelectorAll('.main-svg')].map(one => getComputedStyle(one).backgroundColor)"
)
LINES = "[...document.querySelectorAll('path')].map(one => getComputedStyle(one).stroke)"
ARROW = "getComputedStyle(document.querySelector('select')).backgroundImage"


def in_rgb(colour: str) -> str:
    """A colour as a browser tells it."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return f"rgb({red}, {green}, {blue})"


# Ground and line of a light figure
LIGHT = (in_rgb(GROUND), in_rgb(PALETTE[1]))


def opened(browser: Browser, place: Path, text: str, system: Literal["light", "dark"]) -> Page:
    place.write_text(text, encoding="utf-8")
    page = browser.new_page(color_scheme=system)
    page.goto(place.as_uri())
    return page


def test_a_frame_and_a_widget_use_the_theme_of_their_page(browser: Browser, tmp_path: Path) -> None:
    frame, wrong = lab.sphere(points=4)._repr_html_(), []
    for name, (root, body, dark) in THEMES.items():
        # the reader's system has the opposite theme
        system: Literal["light", "dark"] = "light" if dark else "dark"
        whole = f"<!doctype html><html {root}><body {body}>{BOX}{FIGURES}{frame}</body></html>"
        page = opened(browser, tmp_path / "frame.html", whole, system)
        sphere = page.frame_locator("iframe").locator(".clwork-sphere")
        sphere.locator("button").first.wait_for()
        if sphere.get_attribute("data-theme") != ("dark" if dark else "light"):
            wrong.append(f"{name}: frame")
        if "colours" not in name and ("e8eaed" in page.evaluate(ARROW)) != dark:
            wrong.append(f"{name}: the arrow of a drop-down cannot be seen")
        own, other = zip(page.evaluate(GROUNDS), page.evaluate(LINES), strict=True)
        if own != (("rgb(17, 17, 17)", in_rgb(DARK[PALETTE[1]])) if dark else LIGHT):
            wrong.append(f"{name}: a figure has {own}")
        if other != ("rgb(255, 255, 255)", LIGHT[1]):
            wrong.append(f"{name}: somebody else's figure has {other}")
        page.close()
    assert wrong == []
