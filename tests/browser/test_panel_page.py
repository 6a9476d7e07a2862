"""The panel's page with a kernel simulated by this process: all controls, both themes, three sizes,
a busy kernel."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from clwork import methods
from clwork.lab.page import polling_page

from .kernel_page import wait_for
from .panel_stub import ROOT, Played, Stub, opened, until, until_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser]
SCHEMA = Path(polling_page.__file__).with_name("messages.schema.json")


@pytest.fixture
def stub() -> Stub:
    """A kernel that plays SimCSE's recorded run."""
    return Stub()


# What a reader sees: controls (the formula repeats numbers that have one), words, texts that their
# box cuts off.
# Sentences of the corpus are cut to the room they have, and whole under the pointer.
SEEN = """() => {
    const root = document.querySelector('.clwork-instrument'),
        box = (node) => node.getBoundingClientRect();
    const seen = (node) => box(node).width > 1 && box(node).height > 1
        && !node.closest('.unseen, [hidden]')
        && getComputedStyle(node).visibility === 'visible';
    const all = [...root.querySelectorAll('*')].filter(seen);
    const own = (node) => [...node.childNodes].filter((one) => one.nodeType === 3).map((one) =>
        one.data).join(' ');
    const texts = all.filter((node) => own(node).trim() && node.localName !== 'option'
        && !node.closest('math, .mover'));
    const cut = (node) => [node,
        node.parentElement].some((one) => one.scrollWidth > one.clientWidth + 1
        && getComputedStyle(one).overflowX !== 'visible'
            && getComputedStyle(one).display !== 'inline');
    const controls = 'button:not(.topic, .mover), input, select, textarea';
    const topics = all.filter((node) => node.matches('.topic')).map(box);
    const meet = (a, b) => a !== b && a.left < b.right && b.left < a.right && a.top < b.bottom
        && b.top < a.bottom;
    return {
        controls: all.filter((node) => node.matches(controls)).length,
        words: texts.flatMap((node) => own(node).match(/\\p{L}[\\p{L}\\d'’-]*/gu) ?? []).length,
        cut: texts.filter((node) => !node.closest('svg')
            && cut(node)).map((node) => `${node.className}: ${own(node)}`),
        collisions: topics.filter((one) => topics.some((other) => meet(one, other))).length,
        share: box(root.querySelector('.clouds')).width / box(root).width,
    };
}"""
SIZES = {
    (1280, 720): 0.6,
    (1440, 900): 0.6,
    (1920, 1080): 0.6,
    (420, 900): 0.9,
}  # and the cloud's least share of the width


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("method", methods.names())
def test_a_panel_shows_few_controls_and_words_and_cuts_no_text(
    clean: Page, method: str, theme: str
) -> None:
    stub, wrong = Stub(method), list[Any]()
    opened(clean, stub, theme)
    until(clean, f"{ROOT}.records[0].size > 0 && {ROOT}.settings")
    for (width, height), share in SIZES.items():
        clean.set_viewport_size({"width": width, "height": height})
        clean.wait_for_timeout(400)
        seen = clean.evaluate(SEEN)
        wrong += [(width, text) for text in seen["cut"]]
        if (
            seen["controls"] > 12
            or seen["words"] > 100
            or seen["share"] < share
            or seen["collisions"]
        ):
            wrong.append((width, {**seen, "cut": len(seen["cut"])}))
    clean.set_viewport_size({"width": 1280, "height": 720})
    train(clean, stub, 40)
    clean.wait_for_timeout(400)
    wrong += [("in training", text) for text in clean.evaluate(SEEN)["cut"]]
    assert not wrong, "\n".join(map(str, wrong))


def knob(name: str) -> str:
    return f".clwork-knob[data-name={name}]"


def train(page: Page, stub: Stub, step: int = 40) -> None:
    """Press Start and advance to a step."""
    page.click(".clwork-start")
    until(page, f"{ROOT}.runState.status === 'starting'")
    stub.advance(step)
    until(page, f"{ROOT}.records[0].last === {step} && {ROOT}.clock.t === {ROOT}.time.last")


def text(page: Page, selector: str) -> str:
    return page.inner_text(selector).strip()


def test_start_pause_resume_stop_and_the_previous_run_in_grey(clean: Page, stub: Stub) -> None:
    opened(clean, stub)
    until(clean, f"{ROOT}.records[0].size > 0")
    clean.click(".clwork-start")
    assert text(clean, ".clwork-start") == "Pause", "at once, whenever the kernel answers"
    until(clean, f"{ROOT}.runState.status === 'starting'")
    assert clean.get_attribute(".bar", "value") is None, "it is being prepared"
    assert clean.evaluate(f"{ROOT}.records[0].recorded"), (
        "what was there stays until there is something"
    )
    stub.advance(20)
    until(clean, f"{ROOT}.records[0].id === 'run 1'")
    assert clean.evaluate(f"{ROOT}.runs.previous.id") == "recorded:simcse"
    assert clean.locator(".clwork-curve[data-cell=loss] .was-line").count() == 1
    stub.advance(40)
    until(clean, f"{ROOT}.step === 40 && {ROOT}.clock.goal === null")
    until_text(clean, ".told", "step 40")
    assert text(clean, ".clwork-left") == "40 of 300 · 12 s left"
    loss = text(clean, ".clwork-curve[data-cell=loss] .curve-value")
    stub.advance(42)  # rows, and no probe
    until(clean, f"{ROOT}.picture.head === 42")
    assert text(clean, ".clwork-curve[data-cell=loss] .curve-value") != loss, (
        "the loss ticks with every row"
    )
    assert clean.evaluate(f"{ROOT}.step") == 40, "dots move with probes only"

    clean.click(".clwork-start")
    until_text(clean, ".clwork-start", "Resume")
    clean.click(".clwork-start")
    until_text(clean, ".clwork-start", "Pause")
    mark = clean.locator(".clwork-curve[data-cell=loss] .event title", has_text="0.2")
    clean.fill(f"{knob('temperature')} .knob-box", "0.2")
    clean.press(f"{knob('temperature')} .knob-box", "Enter")
    mark.wait_for(state="attached")
    clean.click(".clwork-stop")
    stub.advance(42, "stopped")
    until_text(clean, ".clwork-start", "Start")
    mark.wait_for(state="detached")  # no step had the moved value
    assert clean.is_disabled(".clwork-stop")

    train(clean, stub, 4)
    assert clean.evaluate(f"[{ROOT}.records[0].id, {ROOT}.runs.previous.id]") == ["run 2", "run 1"]
    assert clean.evaluate(f"{ROOT}.runs.previous.probes.length") == 0, (
        "of the previous run only the curves are stored"
    )
    until(
        clean,
        "/^Related .* [0-9]+° apart, strangers "
        "[0-9]+°/.test(document.querySelector('.verdict-text').textContent)",
    )


def test_a_dragged_control_moves_at_once_and_its_last_value_is_sent(
    clean: Page, stub: Stub
) -> None:
    opened(clean, stub)
    until(clean, f"{ROOT}.settings")
    box = clean.locator("math [data-field=temperature]").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    clean.mouse.move(x, y)
    clean.mouse.down()
    until(clean, "document.querySelectorAll('math [data-lit]').length > 0")
    began = time.monotonic()
    for part in range(20):
        clean.mouse.move(x + 4 * part, y)
    shown = clean.input_value(f"{knob('temperature')} input[type=text]")
    assert clean.locator("math [data-field=temperature]").first.text_content() == shown != "0.05"
    clean.mouse.up()
    seconds = time.monotonic() - began
    until(clean, f"{ROOT}.layout.knobs.knobs.get('temperature').busy === 0")
    sent = [done["value"] for done in stub.done if done["name"] == "set"]
    assert len(sent) <= 8 * seconds + 3, "at most eight messages a second"
    assert sent[-1] == pytest.approx(float(shown), rel=1e-6)
    assert clean.input_value(f"{knob('temperature')} input[type=text]") == shown
    assert stub.settings.values["temperature"] == pytest.approx(float(shown), rel=1e-3)


def test_an_invalid_value_stays_with_its_error_until_escape(clean: Page, stub: Stub) -> None:
    opened(clean, stub)
    until(clean, f"{ROOT}.settings")
    clean.click(".clwork-all")
    box = f"{knob('temperature')} input[type=text]"
    clean.fill(box, "cold")
    clean.press(box, "Enter")
    until(clean, f"document.querySelector('{knob('temperature')}').classList.contains('wrong')")
    assert clean.get_attribute(box, "aria-invalid") == "true"
    assert clean.input_value(box) == "cold"
    assert "cold" in text(clean, f"{knob('temperature')} .knob-note")
    for name, wrong, note in (
        ("temperature", "0,1", "write a point"),
        ("steps", "0", "steps=0 is out of range"),
        ("steps", "2.7", "steps=2.7 is float"),
    ):
        clean.fill(f"{knob(name)} .knob-box", wrong)
        clean.press(f"{knob(name)} .knob-box", "Enter")
        until(
            clean,
            f"document.querySelector('{knob(name)} .knob-note').textContent.includes('{note}')",
        )
        assert clean.input_value(f"{knob(name)} .knob-box") == wrong
    clean.click(".clwork-start")
    until_text(clean, ".clwork-state", re.compile("It did not start"))
    assert "write a point" in text(clean, ".clwork-state")
    assert stub.status == "ready"
    clean.click(".clwork-all")
    clean.fill(f"{knob('steps')} input", "80")
    clean.press(f"{knob('steps')} input", "Enter")
    clean.fill(box, "0.2")
    clean.press(box, "Enter")
    until(clean, f"!document.querySelector('{knob('temperature')}').classList.contains('wrong')")
    assert stub.settings.values["temperature"] == 0.2
    clean.fill(box, "7")
    clean.press(box, "Escape")
    assert clean.input_value(box) == "0.2"
    until_text(clean, ".clwork-left", "80 steps")


def test_every_action_of_the_panel_works_by_keyboard(clean: Page, stub: Stub) -> None:
    kernel = opened(clean, stub)
    until(clean, f"{ROOT}.records[0].size > 0 && {ROOT}.settings")
    clean.focus(".clwork-all")
    clean.keyboard.press("s")
    until(clean, f"{ROOT}.runState.status === 'starting'")
    stub.advance(40)
    until(clean, f"{ROOT}.step === 40 && {ROOT}.clock.goal === null")
    clean.keyboard.press("ArrowLeft")
    until(clean, f"{ROOT}.step < 40")
    clean.keyboard.press("End")
    until(clean, f"{ROOT}.step === 40")
    clean.keyboard.press(".")
    until(clean, "true")
    clean.keyboard.press("/")
    until(clean, "document.querySelector('.settings-sheet:popover-open')")
    clean.keyboard.press("Escape")
    until(clean, "!document.querySelector('.clwork-sheet:popover-open')")
    clean.focus("math [data-field=temperature]")
    before = clean.input_value(f"{knob('temperature')} input[type=text]")
    assert clean.get_attribute("math [data-field=temperature]", "aria-valuetext") == before
    clean.keyboard.press("ArrowUp")
    until(
        clean,
        f"document.querySelector('{knob('temperature')} input[type=text]').value !== '{before}'",
    )
    clean.focus(".cloud-canvas")
    clean.keyboard.press("ArrowRight")
    first = clean.evaluate(f"{ROOT}.selection.hover")
    clean.keyboard.press("ArrowRight")
    second = clean.evaluate(f"{ROOT}.selection.hover")
    assert first >= 0
    assert second not in (first, -1)
    until(
        clean,
        f"document.querySelector('.line-text').textContent === {ROOT}.records[0].texts[{second}]",
    )
    clean.keyboard.press("Enter")
    until(clean, f"{ROOT}.selection.chosen >= 0")
    clean.keyboard.press("Escape")
    until(clean, f"{ROOT}.selection.chosen === -1")
    clean.focus(".topic:not([data-out=true])")
    clean.keyboard.press("Enter")
    until(clean, f"{ROOT}.selection.lit !== null")
    clean.keyboard.press("t")
    clean.keyboard.type("a violin")
    clean.keyboard.press("Enter")
    until(clean, "document.activeElement.value === ''")
    wait_for(clean, lambda: {"name": "typed", "texts": ["a violin"]} in stub.done)
    assert {"name": "step"} in stub.done
    forces = [done for done in stub.done if done["name"] == "forces"]
    assert forces == [{"name": "forces", "row": second}]
    check_messages(kernel.requests)


def check_messages(sent: list[dict[str, Any]]) -> None:
    """Check all requests of the page by the schema."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    check = jsonschema.Draft202012Validator({**schema, "$ref": "#/$defs/asked"})
    assert sent
    for message in sent:
        check.validate(message)


def test_dialogs_hold_setup_and_settings_as_text(clean: Page, stub: Stub) -> None:
    kernel = opened(clean, stub)
    until(clean, f"{ROOT}.settings")
    clean.click(".clwork-setup")
    clean.select_option(".clwork-corpus", "own text")
    clean.locator(".entry-text").fill("A first sentence.\nA second one.")
    clean.locator(".entry-text").blur()
    until_text(clean, ".clwork-setup", re.compile("^own text"))
    assert stub.settings.corpus.typed["text"] == "A first sentence.\nA second one."
    clean.select_option(".clwork-corpus", "wikipedia-mini")
    clean.keyboard.press("Escape")
    clean.click(".clwork-all")
    line = clean.input_value(".clwork-settings-text")
    assert line.startswith("lab.panel('simcse', seed=0, steps=300")
    clean.fill(f"{knob('temperature')} input[type=text]", "0.5")
    clean.press(f"{knob('temperature')} input[type=text]", "Enter")
    until(
        clean, "document.querySelector('.clwork-settings-text').value.endsWith('temperature=0.5)')"
    )
    clean.keyboard.press("Escape")
    train(clean, stub, 4)
    clean.click(".clwork-compare")
    until_text(clean, ".clwork-state", re.compile("runs cannot be read <b>here</b>"))
    assert clean.locator(".clwork-instrument b").count() == 0, (
        "strings of the kernel are shown as text"
    )
    assert "<b>here</b>" in text(clean, ".clwork-state")
    assert clean.get_attribute(".clwork-state", "data-trouble") == "true"
    check_messages(kernel.requests)


def test_sentences_and_topics_are_never_interpreted_as_markup(clean: Page, stub: Stub) -> None:
    opened(clean, stub)
    bad = "<script>globalThis.caught = 1</script><img src=x onerror='globalThis.caught = 1'>"
    clean.click(".clwork-start")
    until(clean, f"{ROOT}.runState.status === 'starting'")
    played = stub.sources[0]
    assert isinstance(played, Played)
    played.recording["texts"] = [bad, *played.recording["texts"][1:]]
    played.recording["labels"] = [bad] * 40 + list(played.recording["labels"] or [])[40:]
    played.recording["name"] = bad
    stub.advance(40)
    until(clean, f"{ROOT}.records[0].id === 'run 1'")
    clean.evaluate(f"{ROOT}.choose(0)")
    until_text(clean, ".line-text", re.compile("^<script>"))
    assert clean.evaluate("globalThis.caught === undefined")
    assert clean.locator(".clwork-instrument img, .clwork-instrument script").count() == 0


def test_a_kernel_that_does_not_reply_is_reported_and_no_data_are_lost(
    clean: Page, stub: Stub
) -> None:
    opened(clean, stub)
    train(clean, stub, 40)
    stub.deaf = True
    until_text(clean, ".state-text", re.compile("^The kernel is busy"))
    assert clean.get_attribute(".clwork-state", "data-trouble") == "false", "it may be busy"
    stub.deaf = False
    stub.advance(60)
    until(clean, f"{ROOT}.records[0].last === 60")
    until_text(clean, ".state-text", re.compile("is training"))
    clean.evaluate("cutLine()")
    until_text(clean, ".state-text", re.compile("^The kernel has stopped"))
    assert 'clwork.open_run("run 1")' in text(clean, ".state-text")
    assert clean.get_attribute(".clwork-state", "data-trouble") == "true"
