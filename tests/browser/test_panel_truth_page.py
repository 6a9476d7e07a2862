"""All parts of the panel's picture show the same step, or say which step they show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clwork.lab.panel.panel import Panel

from ..lab.panel.client import until as wait_until
from .kernel_page import KernelPage
from .panel_stub import ROOT, Played, Stub, opened, until, until_text
from .test_compare_page import panel_of, trained_panel
from .test_panel_page import train

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
STEP = "document.querySelector('.told').textContent"


def test_another_run_compared_while_a_chart_is_hidden_stops_no_part(clean: Page) -> None:
    first = trained_panel(temperature=0.2)
    panel = trained_panel()
    KernelPage(clean, panel, "panel").open()
    until(clean, f"{ROOT}.records[0].probes.length > 1")
    for shown, then in (("plane", "curves"), ("curves", "plane")):
        clean.click(f"[data-tab={shown}]")
        clean.click(f"[data-tab={then}]")
        until(clean, f"{STEP} === 'step 6'")
        clean.evaluate(f"{ROOT}.act('compare', {{ run: {str(first.run.folder)!r} }})")
        until(clean, f"{ROOT}.records[1]?.probes.length > 1")
        clean.evaluate(f"{ROOT}.clock.jump(1)")
        until(clean, f"{STEP} === 'step 2'")
        clean.click(f"[data-tab={shown}]")
        dot = "trail-now" if shown == "plane" else "head-dot"
        until(clean, f"document.querySelectorAll('.{dot}').length >= 2")
        clean.evaluate(f"{ROOT}.act('compare', {{ run: '' }})")
        until(clean, f"{ROOT}.records.length === 1")
        clean.evaluate(f"{ROOT}.clock.jump({ROOT}.time.last)")


def test_a_part_that_cannot_be_drawn_is_reported_and_the_others_are_drawn(page: Page) -> None:
    stub = Stub()
    opened(page, stub)
    train(page, stub, 40)
    page.evaluate(f"() => {{ {ROOT}.picture.curves.show = () => {{ throw Error('no ink'); }}; }}")
    stub.advance(60)
    until(page, f"{STEP} === 'step 60'")
    until_text(page, ".state-text", re.compile("^Drawing the curves failed"))
    assert "no ink" in page.inner_text(".state-text")
    until_text(page, ".movers-title", re.compile("→ step 60$"))
    page.evaluate(f"() => {{ delete {ROOT}.picture.curves.show; }}")
    stub.advance(80)
    until_text(page, ".state-text", re.compile("is training"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_that_was_filled_outside_the_document_has_the_colours_of_its_theme(
    clean: Page, theme: str
) -> None:
    stub = Stub()
    KernelPage(clean, stub, "panel").open(theme, detached=True)
    clean.wait_for_timeout(800)  # the theme is read again after 400 ms
    clean.evaluate("attach()")
    until(clean, "document.querySelector('.clwork-instrument')")
    until(clean, f"{ROOT}.picture.clouds[0].scene?.xy.length")
    expected = {
        "light": ["#ffffff", "#1d232b", "#0b62c4"],
        "dark": ["#14181d", "#e9edf1", "#6cb2ff"],
    }[theme]
    until(
        clean,
        f"['ground', 'ink', 'accent'].map((name) => {ROOT}.inks[name]).join() === "
        f"'{','.join(expected)}'",
        10,
    )


def long_run(**settings: Any) -> Panel:
    """A panel whose run is paused at step 12, with probes every two steps."""
    panel = panel_of(steps=40, **settings)
    panel.step()
    wait_until(lambda: panel.run is not None and panel.run.status == "paused")
    while panel.run.step < 12:
        panel.run.step_once()
    return panel


# The step of each part in view: [class, step].
PARTS = """[...document.querySelectorAll('[data-step]')].filter((part) =>
    part.getClientRects().length).map((part) => [part.className, Number(part.dataset.step)])"""


def asked_to_fork(page: Page) -> Panel:
    """The open panel of a run that waits at step 12, whose fork at step 4 asks to end the run."""
    panel = long_run()
    run = panel.run
    KernelPage(page, panel, "panel").open()
    until(page, f"{ROOT}.clock.t === 6 && {STEP} === 'step 12'")
    page.evaluate(f"{ROOT}.clock.jump(2), {ROOT}.moved()")
    until_text(page, ".clwork-fork", "Fork at ≤ 4")
    page.click(".clwork-fork")
    until_text(page, ".clwork-fork", "End the run and fork?")
    assert panel.run is run
    return panel


def test_a_fork_begins_at_a_checkpoint_and_asks_before_it_ends_a_run(clean: Page) -> None:
    panel = asked_to_fork(clean)
    parent = panel.run
    clean.keyboard.press("Escape")
    until_text(clean, ".clwork-fork", "Fork at ≤ 4")
    clean.click(".clwork-fork")
    clean.wait_for_timeout(300)
    assert panel.run is parent
    assert parent.alive
    clean.click(".clwork-fork")
    until(clean, f"{ROOT}.records[0].name !== {parent.name!r}")
    assert panel.run.run_config.parent is not None
    assert panel.run.run_config.parent.step == 0
    assert not panel.run.run_config.parent.changed
    until(clean, f"{ROOT}.records[0].last > 8")
    assert clean.evaluate(f"{ROOT}.records[0].steps.slice(0, 5)") == [0, 2, 4, 6, 8]
    assert [row["loss"] for row in panel.run.records()[1:9]] == [
        row["loss"] for row in parent.records()[1:9]
    ]
    panel.stop()
    panel.wait()


def test_a_run_that_has_ended_takes_the_question_of_the_fork_along(clean: Page) -> None:
    panel = asked_to_fork(clean)
    panel.stop()
    panel.wait()
    until_text(clean, ".clwork-fork", "Fork at ≤ 4")


def test_own_sentences_forces_and_formula_say_their_step_when_time_is_moved_back(
    clean: Page,
) -> None:
    panel = long_run()
    KernelPage(clean, panel, "panel").open()
    until(clean, f"{ROOT}.clock.t === 6 && {STEP} === 'step 12'")
    clean.fill(".clwork-own", "A violin concerto")
    clean.press(".clwork-own", "Enter")
    clean.evaluate(f"{ROOT}.choose(3)")
    until(clean, f"{ROOT}.strokes && {ROOT}.picture.clouds[0].own.length")
    assert {step for _, step in clean.evaluate(PARTS)} == {12}
    assert clean.locator("[data-elsewhere]").count() == 0
    clean.evaluate(f"{ROOT}.clock.jump(2), {ROOT}.moved()")
    until(clean, f"{STEP} === 'step 4'")
    steps = {name.split(" ")[-1]: step for name, step in clean.evaluate(PARTS)}
    assert steps["clwork-formula"] == 12
    assert steps["cloud-frame"] == steps["curves"] == 4
    dimmed = clean.locator("[data-elsewhere]").evaluate_all(
        "parts => parts.map((part) => part.className).sort()"
    )
    assert dimmed == ["clwork-formula"]
    assert clean.inner_text(".clwork-formula .at-step") == "step 12"
    assert "forces at step 12" in clean.inner_text(".cloud-note")
    assert clean.evaluate(
        f"{ROOT}.picture.clouds[0].scene.own.map(({{ told, dimmed }}) => [told, dimmed])"
    ) == [[" (step 12)", True]]
    assert clean.evaluate(f"{ROOT}.picture.clouds[0].scene.dimmed")
    parent = panel.run
    for _ in range(2):
        clean.click(".clwork-fork")
    until(clean, f"{ROOT}.records[0].name !== {parent.name!r}")
    until(clean, f"!{ROOT}.strokes || {ROOT}.records[0].last >= {ROOT}.strokes.step")
    assert clean.get_attribute(".clwork-formula", "data-numbers") == "false" or panel.run.step > 4
    panel.stop()
    panel.wait()


def test_two_runs_of_different_length_each_say_their_step(clean: Page) -> None:
    short = trained_panel(steps=4)
    panel = trained_panel(steps=8)
    KernelPage(clean, panel, "panel").open()
    until(clean, f"{ROOT}.records[0].probes.length > 1")
    clean.evaluate(f"{ROOT}.act('compare', {{ run: {str(short.run.folder)!r} }})")
    until(clean, f"{ROOT}.records[1]?.probes.length > 1")
    until(clean, f"{STEP} === 'step 8'")
    assert clean.locator(".cloud-frame").evaluate_all(
        "all => all.map((one) => one.dataset.step)"
    ) == ["8", "4"]
    assert clean.locator(".cloud-head > .at-step").all_inner_texts() == ["", "step 4"]
    assert clean.inner_text(".movers-when") == "A at step 8, B at step 4"
    assert (
        clean.locator(".clwork-curve[data-cell=loss] .curve-value span")
        .nth(1)
        .inner_text()
        .endswith(" at 4")
    )
    clean.evaluate(f"{ROOT}.clock.jump(1), {ROOT}.moved()")
    until(clean, f"{STEP} === 'step 2'")
    assert clean.locator("[data-elsewhere]").count() == 0
    assert clean.inner_text(".movers-when") == ""


def test_new_probes_and_own_sentences_are_placed_in_a_umap(clean: Page) -> None:
    stub = Stub()
    opened(clean, stub)
    train(clean, stub, 40)
    played = stub.sources[0]
    assert isinstance(played, Played)
    whole, laid, end = played.recording["umap"], 4, played.recording["measurements"][-1]["step"]
    first = {
        "steps": whole["steps"][:laid],
        "span": whole["span"],
        "measurements": whole["measurements"][:laid],
    }
    last = first["steps"][-1]
    clean.evaluate(
        f"layout => {{ {ROOT}.umap = {{ working: true }}; {ROOT}.lay({{ layouts: [layout] }}); }}",
        first,
    )
    until(
        clean,
        f"{ROOT}.view === 'umap' && "
        f"document.querySelector('.cloud-note').textContent.includes('UMAP')",
    )
    before = clean.evaluate(f"{ROOT}.clock.jump({ROOT}.time.t({last})), {ROOT}.positions()")
    stub.advance(end)
    until(clean, f"{ROOT}.records[0].last === {end}")
    clean.evaluate(f"{ROOT}.toNow()")
    until(clean, f"{ROOT}.step === {end} && !{ROOT}.clock.goal")
    until(
        clean,
        f"document.querySelector('.cloud-note').textContent.includes('UMAP up to step "
        f"{last}, then')",
    )
    later = clean.evaluate(f"{ROOT}.positions()")
    assert later != before, "new probes move the dots"
    # the nearest sentences of row 7
    near = f"step => {ROOT}.records[0].near({ROOT}.records[0].probeAt(step), 7)"
    middle = [
        sum(before[2 * row] for row in rows) / 5
        for rows in (clean.evaluate(near, at) for at in (last, end))
    ]
    assert later[14] - before[14] == pytest.approx(middle[1] - middle[0], abs=1e-4), (
        "it moves with them"
    )
    place = f"at => {ROOT}.records[0].placeOf(at, {end}, {ROOT}.view)"
    axes = clean.evaluate(f"[...{ROOT}.records[0].unpacked({ROOT}.records[0].probes.length - 1)]")
    points = np.array(axes).reshape(-1, clean.evaluate(f"{ROOT}.records[0].axes"))
    nearest = np.argsort(((points - points[7]) ** 2).sum(axis=1), kind="stable")[:5]
    own = clean.evaluate(place, points[7].tolist())
    assert own == pytest.approx(np.array(later).reshape(-1, 2)[nearest].mean(axis=0), abs=1e-4), (
        "among its nearest"
    )
