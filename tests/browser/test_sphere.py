"""The sphere lab in a browser, from a file, with no server and no kernel: losses, controls,
layout."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from clwork import lab, losses, metrics
from clwork.lab.sphere_view import Sphere
from clwork.losses.infonce import info_nce

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

LAB = "document.querySelector('.clwork-sphere').lab"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(180_000)
    yield page
    page.close()


def opened(page: Page, folder: Path, made: Sphere) -> Page:
    """Open the lab as a file; a request or an error of the page fails the test."""
    events: list[str] = []
    page.on("request", lambda request: events.append(request.url))
    page.on("pageerror", lambda error: events.append(str(error)))
    file = folder / "sphere.html"
    file.write_text(made.html(), encoding="utf-8")
    page.goto(file.as_uri())
    # an arrow function, because the page forbids evaluating strings
    page.wait_for_function(f"() => {LAB}?.frames > 0")
    assert events == [file.as_uri()], "nothing but the file itself"
    return page


def until_step(page: Page, step: int) -> None:
    page.wait_for_function(f"() => {LAB}.world.step >= {step}")


NOW = f"""(({{ world, text }}) => ({{
  step: world.step,
  settings: world.settings,
  x: Array.from(world.x),
  measured: world.measured,
  text,
}}))({LAB})"""
BATCH = f"""(({{ now, x, N, D }}) => ({{
  anchors: Array.from(now.anchors),
  partners: Array.from(now.partners),
  z2: Array.from(now.z2),
  allowed: Array.from(now.allowed),
  x: Array.from(x),
  D,
}}))({LAB}.world)"""
# In pixels of the page: x and y of point 5, and of the leftmost point of the circle.
PLACES = f"""(({{ scene, parts }}) => {{
  const box = parts.canvas.getBoundingClientRect();
  const [x, y] = scene.spots[5];
  const left = box.x + box.width / 2 - scene.radius;
  return [box.x + x, box.y + y, left, box.y + box.height / 2];
}})({LAB})"""


def now(page: Page) -> dict[str, Any]:
    """The state of the page: step, settings, positions, measurements, and its text."""
    state: dict[str, Any] = page.evaluate(NOW)
    return state


CALL = f"""([name, one, two, D, options]) => {{
  if (options.allowed) options.allowed = Uint8Array.from(options.allowed);
  const found = {LAB}.losses[name](Float64Array.from(one), Float64Array.from(two), D, options);
  const sum = (k) => Array.from(found.pulls[k], (value, i) => value + found.pushes[k][i]);
  return {{ loss: found.loss, one: sum(0), two: sum(1) }};
}}"""


def by_page(
    page: Page, name: str, z1: torch.Tensor, z2: torch.Tensor, **options: Any
) -> tuple[float, Any, Any]:
    """A loss that the page computes, and its gradients by both views, each ``(B, D)``."""
    arguments = [name, z1.flatten().tolist(), z2.flatten().tolist(), z1.shape[1], options]
    result = page.evaluate(CALL, arguments)
    one = np.array(result["one"]).reshape(z1.shape)
    two = np.array(result["two"]).reshape(z2.shape)
    return result["loss"], one, two


def by_torch(loss: torch.Tensor, z1: torch.Tensor, z2: torch.Tensor) -> tuple[float, Any, Any]:
    """The same from torch."""
    one, two = torch.autograd.grad(loss, (z1, z2))
    return float(loss.detach()), one.numpy(), two.numpy()


def same(found: tuple[float, Any, Any], expected: tuple[float, Any, Any]) -> None:
    """Check that loss and gradients are equal."""
    assert np.abs(expected[1]).max() > 1e-3, "there is a gradient to agree with"
    assert found[0] == pytest.approx(expected[0], abs=1e-5)
    assert np.abs(found[1] - expected[1]).max() < 1e-5
    assert np.abs(found[2] - expected[2]).max() < 1e-5


def views(width: int, count: int = 12) -> tuple[torch.Tensor, torch.Tensor]:
    """Two views as leaf tensors of any length: only directions may have an effect."""
    generator = torch.Generator().manual_seed(width)
    z1 = torch.randn(count, width, generator=generator, dtype=torch.float64)
    z2 = z1 + 0.7 * torch.randn(count, width, generator=generator, dtype=torch.float64)
    return z1.requires_grad_(), z2.requires_grad_()


@pytest.fixture
def numbers(page: Page, tmp_path: Path) -> Page:
    return opened(page, tmp_path, lab.sphere())


def test_the_losses_equal_those_of_clwork(numbers: Page) -> None:
    for width, temperature in ((2, 0.05), (3, 0.5)):
        z1, z2 = views(width)
        expected = by_torch(losses.simcse(z1, z2, temperature=temperature), z1, z2)
        same(by_page(numbers, "infoNCE", z1, z2, temperature=temperature), expected)
    predictor = torch.tensor(
        [[1.0, 0.2, 0.0], [0.2, 0.6, -0.1], [0.0, -0.1, 0.3]], dtype=torch.float64
    )
    for stop in (True, False):
        u1, u2 = normalize(z1, dim=1), normalize(z2, dim=1)
        loss = losses.gclsr(
            u1 @ predictor.T, u2, u2 @ predictor.T, u1, group_dim=3, stop_gradient=stop
        )
        options = {"predictor": predictor.flatten().tolist(), "stopGradient": stop}
        same(by_page(numbers, "withoutNegatives", z1, z2, **options), by_torch(loss, z1, z2))


def test_alignment_and_uniformity(numbers: Page) -> None:
    def even(z: torch.Tensor) -> torch.Tensor:
        return torch.pdist(normalize(z, dim=1)).pow(2).mul(-2).exp().mean().log()

    for width in (2, 3):
        z1, z2 = views(width)
        apart = (normalize(z1, dim=1) - normalize(z2, dim=1)).pow(2).sum(dim=1).mean()
        expected = by_torch(0.6 * apart + 1.3 * (even(z1) + even(z2)) / 2, z1, z2)
        same(by_page(numbers, "alignmentUniformity", z1, z2, pull=0.6, push=1.3), expected)
        ours = 0.6 * metrics.alignment(z1.detach(), z2.detach())
        ours += 1.3 * (metrics.uniformity(z1.detach()) + metrics.uniformity(z2.detach())) / 2
        assert expected[0] == pytest.approx(ours, abs=1e-5)


def test_a_step_follows_the_gradient_of_the_shared_core(page: Page, tmp_path: Path) -> None:
    """From the page's batch to the page's move, through positives, noise and normalisation."""
    for shape in ("circle", "sphere"):
        opened(
            page,
            tmp_path,
            lab.sphere(
                shape=shape, points=24, meanings=6, noise=0.3, step_size=0.001, batch_size=9
            ),
        )
        batch = page.evaluate(BATCH)
        width = batch["D"]
        start = torch.tensor(batch["x"], dtype=torch.float64).reshape(24, width).requires_grad_()
        noise = (
            torch.tensor(batch["z2"], dtype=torch.float64).reshape(-1, width)
            - start.detach()[batch["partners"]]
        )
        seen = torch.tensor(batch["allowed"], dtype=torch.bool).reshape(9, 9) | torch.eye(
            9, dtype=torch.bool
        )
        weights = torch.zeros(9, 9, dtype=torch.float64).masked_fill(~seen, -math.inf)
        view = start[batch["partners"]] + noise
        loss = 9 * info_nce(start[batch["anchors"]], view, temperature=0.2, log_weights=weights)
        (slope,) = torch.autograd.grad(loss, start)
        expected = normalize(start.detach() - 0.001 * slope, dim=1)
        page.click("button >> text=Step")
        found = torch.tensor(now(page)["x"], dtype=torch.float64).reshape(24, width)
        assert (expected - start.detach()).abs().max() > 1e-3
        assert (found - expected).abs().max() < 1e-5


def test_playing_lowers_the_loss_and_reset_restores_the_start(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, lab.sphere(seed=5))
    start = now(page)
    page.click("button.play")
    until_step(page, 90)
    page.click("button.play")
    end = now(page)
    for name in ("loss", "alignment", "uniformity"):
        assert end["measured"][name] < start["measured"][name] - 0.3, name
    assert page.get_attribute(".says", "data-kind") == "good"
    page.click("button >> text=Reset")
    again = now(page)
    assert again == start
    page.click("button >> text=Step")
    assert now(page)["step"] == 1
    assert now(page)["x"] != start["x"]


def test_the_text_restores_the_state_of_the_page(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, lab.sphere(points=40, seed=3))
    page.click("button.play")
    until_step(page, 10)
    page.fill(".control[data-name=temperature] input", "80")
    until_step(page, 15)
    page.click("button.play")
    page.click(".more summary")
    page.fill(".control[data-name=chosen] input", "7")
    page.keyboard.press("Enter")
    before = now(page)
    text = page.input_value(".copy input")
    assert text == before["text"]
    assert len(text) < 600

    assert page.evaluate(f"{LAB}.record.marks.length") == 1, (
        "the change of temperature is marked on the curves"
    )
    page.click("button >> text=Copy")
    assert page.input_value(".copy input") == before["text"]
    # the clipboard answers later
    selected = "text => document.getSelection().toString() === text"
    page.wait_for_function(selected, arg=before["text"])

    page.click("button >> text=Reset")
    page.fill(".copy input", text)
    page.click("button >> text=Load")
    after = now(page)
    assert (after["step"], after["settings"]) == (before["step"], before["settings"])
    assert np.abs(np.array(after["x"]) - before["x"]).max() < 2e-4
    opened(page, tmp_path, lab.sphere(state=text))
    fresh = now(page)
    assert (fresh["step"], fresh["settings"], fresh["x"]) == (
        after["step"],
        after["settings"],
        after["x"],
    )


def test_buttons_of_the_question_start_anew_with_their_settings(page: Page, tmp_path: Path) -> None:
    question = "Where do they end [with the pull only](push=0), and [with both](pull=2 push=1)?"
    opened(page, tmp_path, lab.sphere(points=20, temperature=0.5, question=question))
    assert page.inner_text(".ask") == ("Where do they end with the pull only, and with both?")
    started = now(page)
    page.get_by_role("button", name="with the pull only").click()
    until_step(page, 5)
    found = now(page)
    assert found["settings"] == started["settings"] | {"push": 0}
    page.get_by_role("button", name="Pause").click()
    # from the first state, not from where the other button led
    page.clock.install()
    page.clock.pause_at("2030-01-01")
    page.get_by_role("button", name="with both").click()
    assert now(page)["x"] == started["x"]
    assert now(page)["settings"] == started["settings"] | {"pull": 2, "push": 1}


def test_a_point_can_be_dragged_and_its_forces_follow(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, lab.sphere(shape="circle", points=12, meanings=6, start="random"))
    x, y, left, middle = page.evaluate(PLACES)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(left, middle, steps=8)
    page.mouse.up()
    found = now(page)
    assert found["settings"]["chosen"] == 5
    assert np.allclose(found["x"][10:12], [-1, 0], atol=0.05), "where the pointer let it go"
    assert "point 5" in page.inner_text(".who")
    assert "partner" in page.inner_text("tbody tr >> nth=0")
    shares = page.evaluate(
        f"{LAB}.world.forces.filter((force) => force.kind === 'push').map((force) => force.share)"
    )
    assert shares == sorted(shares, reverse=True)
    assert len(shares) == 10, "all others, but not the partner's view of itself"
