"""The desk's page in a browser without JupyterLab, connected to a desk of this process: every control."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clwork import lab
from clwork.run_folder.config import RunConfig
from clwork.run_folder.folder import RunFolder
from clwork.run_folder.schema import Parent

from ..lab.test_desk import recipes, store
from .kernel_page import KernelPage, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TAUS, RATES = (0.02, 0.05, 0.2), (1e-5, 3e-5)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[lab.Desk]:
    """A sweep of two settings with two seeds each, and a fork."""
    for tau in TAUS:
        for rate in RATES:
            for seed in range(2):
                place = store(tmp_path, f"run-{tau}-{rate}-{seed}", seed=seed, temperature=tau, learning_rate=rate)
                steps = range(16 if tau == 0.2 else 21)
                scores = [{"loss": 3 - s / 20 - tau, "silver": 50 + s * tau + seed} for s in steps]
                rows = [{"step": s, "gradient_norm": 10 ** (2 - s / 5), **scores[s]} for s in steps]
                (place / "record.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    place = store(tmp_path, "branch", seed=1, temperature=0.1, learning_rate=1e-5)
    parent = Parent(run="run-0.05-1e-05-1", step=10, changed={"temperature": [0.05, 0.1]})
    replace(RunConfig.read(RunFolder(place)), parent=parent).write(RunFolder(place))
    desk = lab.desk(tmp_path)
    desk._reader.wait_until_read()
    yield desk
    desk.close()


def opened(page: Page, desk: lab.Desk, theme: str = "light") -> KernelPage:
    kernel = KernelPage(page, desk, "desk")
    kernel.open(theme)
    page.locator("tbody th").first.wait_for()
    return kernel


def names(page: Page) -> Any:
    return page.locator("tbody th .name").all_text_contents()


def test_the_table_sorts_filters_and_shows_differing_settings_first(page: Page, desk: lab.Desk) -> None:
    kernel = opened(page, desk)
    heads = page.locator("thead th[aria-sort]")
    assert heads.all_text_contents()[:4] == ["run", "temperature τ", "learning rate η", "seed"]
    assert names(page) == [("↳\N{NO-BREAK SPACE}" if name == "branch" else "") + name for name in recipes(desk)]
    assert page.locator(".fork-step").text_content() == " at 10"
    page.get_by_role("button", name="silver score").click()
    page.get_by_role("button", name="silver score").press("Enter")
    assert page.locator("th[aria-sort=descending]").count() == 1
    assert names(page)[:2] == ["run-0.2-1e-05-1", "run-0.2-3e-05-1"] and names(page)[-1] == "branch"
    wait_for(page, lambda: recipes(desk) == names(page))
    page.locator(".clwork-filter").press_sequentially("temperature=0.2 seed=0")
    assert sorted(names(page)) == ["run-0.2-1e-05-0", "run-0.2-3e-05-0"]
    assert heads.nth(1).text_content() == "learning rate η"
    assert page.locator(".head .left").text_content() == "2 of 13"
    wait_for(page, lambda: recipes(desk) == names(page))
    page.locator(".clwork-filter").fill("")
    page.locator(".clwork-status").select_option("finished")
    assert len(names(page)) == 9 and kernel.errors == []


def test_a_shorter_run_ends_with_a_dot_and_a_wide_range_has_a_log_axis(page: Page, desk: lab.Desk) -> None:
    opened(page, desk)
    page.locator(".clwork-extra-column").select_option("gradient_norm")
    page.locator(".legend", has_text="gradient norm (log axis)").wait_for()
    assert {"0.01", "100"} <= set(page.locator(".chart .tick").all_text_contents())
    assert page.locator(".ended").count() == len(RATES), "those of the largest temperature"


def test_every_action_of_the_desk_works_by_keyboard(page: Page, desk: lab.Desk) -> None:
    kernel = opened(page, desk)
    page.locator(".rows").focus()
    page.keyboard.press("Space")
    assert page.locator(".chosen").text_content() == "12 of 13 chosen"
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    assert page.locator(".chosen").text_content() == "10 of 13 chosen"
    wait_for(page, lambda: len(desk.chosen) == 10)
    page.keyboard.press("Control+a")
    assert page.locator(".chosen").text_content() == "13 of 13 chosen"
    page.keyboard.press("End")
    active = page.locator(".rows").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active} .name").text_content() == names(page)[-1]
    page.keyboard.press("Enter")
    sheet = page.locator(".details")
    sheet.wait_for()
    assert sheet.locator("h3").text_content() == names(page)[-1] and "lab.player(" in str(sheet.text_content())
    assert page.evaluate("document.activeElement.className") == "details"
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.className") == "rows", "the focus is where it was"
    page.keyboard.press("/")
    page.keyboard.type("branch")
    assert names(page) == ["↳ branch"] or names(page) == ["branch"]
    assert kernel.errors == []


def test_several_runs_are_deleted_with_one_confirmation(page: Page, desk: lab.Desk) -> None:
    kernel = opened(page, desk)
    page.locator(".clwork-filter").fill("temperature=0.02")
    page.locator(".clwork-delete-chosen").click()
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert "Delete 4 runs: run-0.02-1e-05-0," in str(alert.text_content()) and "Lost: settings" in str(
        alert.text_content()
    )
    assert page.evaluate("document.activeElement.textContent") == "Keep"
    page.keyboard.press("Enter")
    alert.wait_for(state="detached")
    assert len(desk.runs) == 13
    page.locator(".clwork-delete-chosen").click()
    page.locator(".clwork-sure").click()
    page.get_by_text("are free").wait_for()
    assert len(desk.runs) == 9 and names(page) == [] and kernel.errors == []


def test_an_active_run_is_updated_and_cannot_be_deleted(page: Page, desk: lab.Desk) -> None:
    place = store(desk.folder, "at-work", seed=9, temperature=0.7)
    files = RunFolder(place)
    files.write_state("running", 20)
    files.lock()  # as the training process does
    try:
        kernel = opened(page, desk)
        row = page.locator("tbody tr", has_text="at-work")
        row.get_by_text("▶ running").wait_for()
        page.locator(".rows").focus()
        page.keyboard.press("End")
        for step in (21, 25):
            with open(place / "record.jsonl", "a") as record:
                record.write(json.dumps({"step": step, "loss": step / 7}) + "\n")
            row.get_by_text(f"{step} of 20").wait_for()
            row.get_by_text(f"{step / 7:.4g}", exact=True).wait_for()
        assert page.evaluate("document.activeElement.className") == "rows", "the focus stays"
        row.get_by_role("button", name="at-work").click()
        assert page.locator(".details .clwork-delete").is_disabled() and page.locator(".clwork-rename").is_disabled()
        page.keyboard.press("Escape")
        page.locator(".clwork-filter").fill("at-work")
        page.locator(".clwork-delete-chosen").click()
        page.get_by_text("⚠ Nothing to delete: all of these are being trained").wait_for()
    finally:
        files.unlock()
    files.write_state("stopped", 25)
    row.get_by_text("■ stopped").wait_for()
    assert kernel.errors == []
