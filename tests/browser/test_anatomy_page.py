"""The anatomy's page: a step, a moved temperature and a chosen sentence change all its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clwork import lab

from .kernel_page import KernelPage

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
ROOT = ".clwork-anatomy"


def test_step_slider_and_choice_act_on_all_parts(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1040, "height": 1000})
    page.set_default_timeout(60_000)
    view = lab.anatomy("simcse", encoder="mini")
    kernel = KernelPage(page, view, "anatomy")
    kernel.open()
    page.wait_for_selector(f"{ROOT}[data-step='0']")
    assert page.locator(f"{ROOT} .cell").count() == 64

    # the recorded run is there before the reader does anything, and a click names a step's forces
    recorded, own = page.locator(f"{ROOT} .timeline h3").all()
    forces = [step["positive"] for step in view.about["forces"]["steps"]]
    assert f"untrained: positive pulls with {forces[0]:.2g}" in recorded.inner_text()
    bands = page.locator(f"{ROOT} .runs")
    width = bands.evaluate("node => node.clientWidth")
    bands.click(position={"x": 36 + (width - 44) * 30.5 / len(forces), "y": 60})
    assert f"after 30 steps: positive pulls with {forces[30]:.2g}" in recorded.inner_text()
    assert "press Step" in own.inner_text()
    page.keyboard.press("ArrowRight")
    assert "after 31 steps" in own.inner_text()

    page.get_by_role("button", name="10 steps").click()
    page.wait_for_selector(f"{ROOT}[data-step='10']")
    force = view.moment_part()["timeline"][10]["positive"]
    assert f"after 10 steps: positive pulls with {force:.2g}" in own.inner_text()
    assert "after 10 steps" in recorded.inner_text()
    # the fox is nearest to the wolverine now; it was not before
    columns = page.locator(f"{ROOT} .column")
    assert "fox" not in columns.nth(0).locator(".near").first.inner_text()
    assert "fox" in columns.nth(1).locator(".near").first.inner_text()

    page.get_by_role("button", name="5 She wrote").click()
    page.wait_for_function("() => document.querySelector('.clwork-anatomy').page.moment.row === 4")
    assert "She wrote" in page.locator(f"{ROOT} .softmax .right").inner_text()

    loss = page.locator(ROOT).get_attribute("data-loss")
    page.get_by_role("slider", name="temperature τ").fill("100")
    page.wait_for_function(
        "before => document.querySelector('.clwork-anatomy').dataset.loss !== before", arg=loss
    )
    # at the largest temperature the shares are nearly equal
    shares = page.locator(f"{ROOT} .softmax .line .number").all_inner_texts()
    assert all(5 < float(share.removesuffix(" %")) < 20 for share in shares)
    assert kernel.errors == []
    page.close()
    view.close()


def test_a_page_without_a_kernel_replays_ten_steps(browser: Browser) -> None:
    view = lab.anatomy("simcse", encoder="mini")
    frame = view._recorded_page()
    assert len(frame) < 400_000
    assert view.moment_part()["step"] == 0, "the widget itself begins again"
    view.close()
    page = browser.new_page(viewport={"width": 1040, "height": 1000})
    page.set_content(frame)
    inside = page.frame_locator("iframe")
    inside.locator(f"{ROOT}[data-step='0']").wait_for()
    assert "Recorded run" in inside.locator(".timeline h3").first.inner_text()
    inside.get_by_role("button", name="10 steps").click()
    inside.locator(f"{ROOT}[data-step='10']").wait_for()
    assert "fox" in inside.locator(".column").nth(1).locator(".near").first.inner_text()
    inside.get_by_role("button", name="5 She wrote").click()
    assert "needs Python" in inside.locator(".state").inner_text()
    page.close()
