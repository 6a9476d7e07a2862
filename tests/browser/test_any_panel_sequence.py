"""Random sequences of a reader's actions: no error, and all parts of the picture show one step or
say theirs."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from .kernel_page import KernelPage
from .panel_stub import ROOT, until
from .test_compare_page import panel_of, trained_panel

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from clwork.lab.panel.panel import Panel

pytestmark = pytest.mark.browser
SEQUENCES, ACTIONS = 20, 30
IN_SMOKE = 2  # sequences of the smoke test

# What is wrong on the page: a part of another step than the picture's that does not say its step; a
# cloud, verdict or
# formula that is not of the step that it says; a part that was not drawn. Dots that still move are
# not compared.
WRONG = """async () => {
    await new Promise(requestAnimationFrame); // after the page has drawn what it has received
    const root = document.querySelector('.clwork-instrument'), page = root.instrument,
        { picture } = page, wrong = [];
    if (page.asked) picture.draw(); // something has arrived since; the next frame would show it
    const find = (name) => root.querySelector(name), text = (name) => find(name).textContent;
    const shown = Number(find('.told').dataset.step);
    const says = (part, step) => new RegExp(`(step| at) ${step}(?!\\d)`).test(part.textContent);
    for (const part of root.querySelectorAll('[data-step]')) {
        const step = Number(part.dataset.step), named = part.closest('.clwork-cloud') ?? part;
        if (part.getClientRects().length && step !== shown && !says(named, step))
            wrong.push([part.className, step, shown, named.textContent]);
    }
    if (text('.told') !== `step ${shown}`) wrong.push(['told', shown]);
    const rests = !page.clock.goal && !page.clock.playing && !page.asked
        && Number.isInteger(page.step);
    picture.clouds.forEach((cloud, run) => {
        const record = page.records[run], step = Number(cloud.root.dataset.step);
        const places = record.probes.length ? record.places(step, page.view) : [];
        if (rests && places.some((place, i) => place !== cloud.scene.xy[i])) wrong.push(['dots',
            run, step]);
        for (const { step: at, told } of cloud.scene.own)
            if ((at !== step) !== told.includes(`step ${at}`)) wrong.push(['own', at, told]);
    });
    const { step } = find('.clwork-verdict').dataset, { steps, probes } = page.records[0];
    const trend = step && probes[steps.indexOf(Number(step))].trend;
    // of two runs each has its sentence
    const each = page.records.map((one, run) => run ? one.trend(page.step) : trend);
    const told = each.length < 2 ? trend : `A: ${each[0]}\\nB: ${each[1]}`;
    if (step && told !== text('.verdict-text'))
        wrong.push(['verdict', step]);
    const numbers = find('.clwork-formula').dataset.step;
    if (numbers !== page.strokes?.step.toString()) wrong.push(['formula', numbers]);
    return [...wrong, ...picture.failures.values()].map(String);
}"""


@pytest.fixture(scope="module")
def other() -> str:
    """The id of a run to compare with, shorter than the panel's."""
    panel = trained_panel(steps=20, temperature=0.2)
    return str(panel.run.folder)


def quick_map(probes: list[Any], _: Any) -> list[Any]:
    """Return some map in place of UMAP, which takes a minute to compile."""
    return [np.tanh(3 * np.asarray(probe[:, :2], dtype=np.float32)) for probe in probes]


class Reader:
    """Acts on a panel's page like a reader."""

    def __init__(self, page: Page, panel: Panel, other: str, seed: int) -> None:
        self.page, self.panel, self.other, self.random = page, panel, other, random.Random(seed)
        self.kernel, self.theme = KernelPage(page, panel, "panel"), "light"

    def reload(self) -> None:
        self.kernel.open(self.theme)
        until(
            self.page,
            f"document.querySelector('.clwork-instrument') && {ROOT}.records[0].probes.length > 1",
        )

    def click(self, selector: str) -> None:
        self.page.evaluate("selector => document.querySelector(selector).click()", selector)

    def compare(self) -> None:
        run = self.random.choice([self.other, ""])
        self.page.evaluate(f"run => {{ {ROOT}.act('compare', {{ run }}); }}", run)

    def scrub(self) -> None:
        self.page.evaluate(
            """part => {
              const time = document.querySelector('.time');
              time.value = Math.round(part * Number(time.max));
              time.dispatchEvent(new Event('input'));
            }""",
            self.random.choice([0, 0.3, 0.6, 0.8, 1]),
        )

    def fork(self) -> None:
        for _ in range(self.random.choice([1, 2, 2])):
            self.click(".clwork-fork")

    def umap(self) -> None:
        self.click(f".kinds button:nth-child({self.random.choice([1, 2])})")

    def choose(self) -> None:
        self.page.evaluate(f"row => {{ {ROOT}.choose(row); }}", self.random.choice([-1, 3, 11, 40]))

    def type(self) -> None:
        self.page.fill(
            ".clwork-own",
            self.random.choice(["", "A violin concerto", "The king of France", "An enzyme"]),
        )
        self.page.press(".clwork-own", "Enter")

    def change_theme(self) -> None:
        self.theme = self.random.choice(["light", "dark"])
        self.page.evaluate(
            "theme => document.documentElement.setAttribute('theme', theme)", self.theme
        )

    @property
    def actions(self) -> dict[str, Callable[[], None]]:
        tabs = {
            name: lambda name=name: self.click(f"[data-tab={name}]") for name in ("plane", "curves")
        }
        return {
            **tabs,
            "compare": self.compare,
            "scrub": self.scrub,
            "fork": self.fork,
            "umap": self.umap,
            "choose": self.choose,
            "type": self.type,
            "reload": self.reload,
            "theme": self.change_theme,
        }


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(seed, marks=[pytest.mark.smoke] * (seed < IN_SMOKE))
        for seed in range(SEQUENCES)
    ],
)
def test_any_sequence_of_actions_shows_one_step(
    clean: Page, other: str, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(
        importlib.import_module("clwork.lab.panel.recorded"), "aligned_umap", quick_map
    )
    panel = panel_of(steps=40, probe_every=4)
    reader = Reader(clean, panel, other, seed)
    panel.start()
    try:
        reader.reload()
        done: list[str] = []
        for _ in range(ACTIONS):
            done.append(reader.random.choice(list(reader.actions)))
            reader.actions[done[-1]]()
            clean.wait_for_timeout(reader.random.choice([20, 60, 200]))
            wrong = clean.evaluate(WRONG)
            assert not wrong, (done, wrong)
    finally:
        panel.stop()
        panel.wait()
        panel.close()
