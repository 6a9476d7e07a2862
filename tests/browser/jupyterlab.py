"""What tests do in JupyterLab: open and run a notebook, scroll to its panel, set the theme, collect
its errors."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playwright.sync_api import TimeoutError

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


NOTEBOOK = "00_start_here.ipynb"
# milliseconds
MINUTES = 60_000
# seconds that the notebook's cells may take on a slow, busy machine
PATIENCE = 400
AT_END = """() => {
    const panel = document.querySelector('.jp-WindowedPanel-outer');
    return panel.scrollTop + panel.clientHeight >= panel.scrollHeight - 5;
}"""


def open_notebook(page: Page, address: str) -> None:
    """Open a notebook and wait for its kernel; running a cell earlier opens a dialog to select
    one."""
    page.goto(address)
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    page.locator(".jp-StatusBar-TextItem", has_text=re.compile(r"\| Idle$")).wait_for()


def open_and_run(page: Page, address: str) -> None:
    open_notebook(page, address)
    # on a busy machine a menu may close under the pointer
    for _ in range(5):
        page.locator(".lm-MenuBar-itemLabel", has_text=re.compile("^Run$")).click()
        page.locator(".lm-Menu-itemLabel", has_text=re.compile("^Run All Cells$")).click()
        begun = page.locator(".jp-InputPrompt", has_text=re.compile(r"\[(\*|\d+)\]")).first
        try:
            begun.wait_for(state="attached", timeout=20_000)
            return
        except TimeoutError:
            page.keyboard.press("Escape")
    raise AssertionError("'Run All Cells' ran nothing")


def scroll_to_panel(page: Page) -> Locator:
    """Scroll until the panel is attached: JupyterLab detaches cells that are far away."""
    start = page.locator(".clwork-start").first
    page.locator(".jp-WindowedPanel-outer").first.hover()
    end = time.monotonic() + PATIENCE
    while start.count() == 0 or not start.is_visible():
        assert time.monotonic() < end, "no panel came to be seen; cells that failed: " + str(
            error_outputs(page)
        )
        page.mouse.wheel(0, 350)
        page.wait_for_timeout(400)
        if page.evaluate(AT_END):
            # more cells may have run in the meantime: start again at the top
            page.mouse.wheel(0, -100_000)
            page.wait_for_timeout(400)
    start.scroll_into_view_if_needed()
    return start


def wait_until_all_have_run(page: Page) -> None:
    """Wait until the kernel has been idle for four seconds; by then the page is back at its first
    live output."""
    idle, end = 0, time.monotonic() + PATIENCE
    while idle < 8:
        assert time.monotonic() < end, "cells still run; those that failed: " + str(
            error_outputs(page)
        )
        page.wait_for_timeout(500)
        status = page.locator(".jp-Notebook-ExecutionIndicator").first.get_attribute("data-status")
        idle = idle + 1 if status == "idle" else 0


def until(view: Locator, script: str, wanted: Callable[[Any], Any]) -> Any:
    """The value of ``script`` on the view, as soon as it is ``wanted``."""
    end = time.monotonic() + 240
    while not wanted(found := view.evaluate(script)):
        assert time.monotonic() < end, f"waited in vain: {found!r}; {view.text_content()!r:.500}"
        view.page.wait_for_timeout(500)
    return found


def serious(broken: list[str]) -> list[str]:
    """Errors of the page, except anywidget's warning that a busy machine took two seconds to
    start a figure.

    Such a figure still works: its data come through a separate model, the ``Feed`` of
    ``clwork.lab.page.notebook``.
    """
    return [error for error in broken if error != "[anywidget] Failed to initialize model."]


def error_outputs(page: Page) -> list[str]:
    """Texts of tracebacks, and of error messages on stderr."""
    failed = page.locator(
        '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"]'
    ).all_inner_texts()
    wrote = page.locator(
        '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]'
    ).all_inner_texts()
    return failed + [text for text in wrote if "Error" in text or "Traceback" in text]


THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


def set_theme(page: Page, name: str) -> None:
    """Set the theme by the menu, as a reader does."""
    light = "true" if name == "JupyterLab Light" else "false"
    if page.evaluate("() => document.body.dataset.jpThemeLight") == light:
        return
    page.locator(".lm-MenuBar-itemLabel", has_text=re.compile("^Settings$")).click()
    page.locator(".lm-Menu-itemLabel", has_text=re.compile("^Theme$")).click()
    page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{name}$")).click()
    page.wait_for_function(f"() => document.body.dataset.jpThemeLight === '{light}'")
    page.keyboard.press("Escape")
    page.wait_for_timeout(1500)


def save(page: Page) -> None:
    """Save the notebook."""
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator(
        '.jp-NotebookPanel-toolbar [data-jp-item-name="save"] button, '
        '.jp-NotebookPanel-toolbar [data-jp-item-name="save"] jp-button'
    ).first.click()
    page.locator(".lm-TabBar-tab.jp-mod-current:not(.jp-mod-dirty)").first.wait_for()
