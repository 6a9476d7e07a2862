"""The panel's page with a kernel simulated by this process: all controls, both themes, three sizes, a busy kernel."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from clwork import methods
from clwork.lab.page import polling_page

from .conftest import page_without_errors
from .kernel_page import wait_for
from .panel_stub import ROOT, Played, Stub, opened, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser]
SCHEMA = Path(polling_page.__file__).with_name("messages.schema.json")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on which any error fails the test."""
    with page_without_errors(browser, 60_000) as page:
        yield page


@pytest.fixture
def stub() -> Stub:
    """A kernel that plays SimCSE's recorded run."""
    return Stub()


# What a reader sees: controls (the formula repeats numbers that have one), words, texts that their box cuts off.
SEEN = """() => {
    const root = document.querySelector('.clwork-instrument'), box = (node) => node.getBoundingClientRect();
    const seen = (node) => box(node).width > 1 && box(node).height > 1 && !node.closest('.unseen, [hidden]')
        && getComputedStyle(node).visibility === 'visible';
    const all = [...root.querySelectorAll('*')].filter(seen);
    const own = (node) => [...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data).join(' ');
    const texts = all.filter((node) => own(node).trim() && node.localName !== 'option' && !node.closest('math'));
    const cut = (node) => [node, node.parentElement].some((one) => one.scrollWidth > one.clientWidth + 1
        && getComputedStyle(one).overflowX !== 'visible' && getComputedStyle(one).display !== 'inline');
    const controls = 'button:not(.topic, .mover), input, select, textarea';
    const topics = all.filter((node) => node.matches('.topic')).map(box);
    const meet = (a, b) => a !== b && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return {
        controls: all.filter((node) => node.matches(controls)).length,
        words: texts.flatMap((node) => own(node).match(/\\p{L}[\\p{L}\\d'’-]*/gu) ?? []).length,
        cut: texts.filter((node) => !node.closest('svg') && cut(node)).map((node) => `${node.className}: ${own(node)}`),
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
    page: Page, method: str, theme: str
) -> None:
    stub, wrong = Stub(method), list[Any]()
    opened(page, stub, theme)
    until(page, f"{ROOT}.records[0].size > 0 && {ROOT}.settings")
    for (width, height), share in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(400)
        seen = page.evaluate(SEEN)
        wrong += [(width, text) for text in seen["cut"]]
        if (
            seen["controls"] > 12
            or seen["words"] > 120
            or seen["share"] < share
            or seen["collisions"]
        ):
            wrong.append((width, {**seen, "cut": len(seen["cut"])}))
    page.set_viewport_size({"width": 1280, "height": 720})
    train(page, stub, 40)
    page.wait_for_timeout(400)
    wrong += [("in training", text) for text in page.evaluate(SEEN)["cut"]]
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


def test_start_pause_resume_stop_and_the_previous_run_in_grey(page: Page, stub: Stub) -> None:
    opened(page, stub)
    until(page, f"{ROOT}.records[0].size > 0")
    page.click(".clwork-start")
    assert text(page, ".clwork-start") == "Pause", "at once, whenever the kernel answers"
    until(page, f"{ROOT}.runState.status === 'starting'")
    assert page.get_attribute(".bar", "data-busy") == "true"
    assert page.evaluate(f"{ROOT}.records[0].recorded"), (
        "what was there stays until there is something"
    )
    stub.advance(20)
    until(page, f"{ROOT}.records[0].id === 'run 1'")
    assert page.evaluate(f"{ROOT}.runs.previous.id") == "recorded:simcse"
    assert page.locator(".clwork-curve[data-cell=loss] .was-line").count() == 1
    stub.advance(40)
    until(page, f"{ROOT}.step === 40 && {ROOT}.clock.goal === null")
    until(page, "document.querySelector('.told').textContent === 'step 40'")
    assert text(page, ".clwork-left") == "40 of 300 · 12 s left"
    loss = text(page, ".clwork-curve[data-cell=loss] .curve-value")
    stub.advance(42)  # rows, and no probe
    until(page, f"{ROOT}.picture.head === 42")
    assert text(page, ".clwork-curve[data-cell=loss] .curve-value") != loss, (
        "the loss ticks with every row"
    )
    assert page.evaluate(f"{ROOT}.step") == 40, "dots move with probes only"

    page.click(".clwork-start")
    until(page, "document.querySelector('.clwork-start').textContent === 'Resume'")
    page.click(".clwork-start")
    until(page, "document.querySelector('.clwork-start').textContent === 'Pause'")
    page.click(".clwork-stop")
    stub.advance(42, "stopped")
    until(page, "document.querySelector('.clwork-start').textContent === 'Start'")
    assert page.is_disabled(".clwork-stop")

    train(page, stub, 4)
    assert page.evaluate(f"[{ROOT}.records[0].id, {ROOT}.runs.previous.id]") == ["run 2", "run 1"]
    assert page.evaluate(f"{ROOT}.runs.previous.probes.length") == 0, (
        "of the previous run only the curves are stored"
    )
    until(
        page,
        "/^Related .* [0-9]+° apart, strangers [0-9]+°/.test(document.querySelector('.verdict-text').textContent)",
    )


def test_a_dragged_control_moves_at_once_and_its_last_value_is_sent(page: Page, stub: Stub) -> None:
    opened(page, stub)
    until(page, f"{ROOT}.settings")
    box = page.locator("math [data-field=temperature]").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    until(page, "document.querySelectorAll('math [data-lit]').length > 0")
    began = time.monotonic()
    for part in range(20):
        page.mouse.move(x + 4 * part, y)
    shown = page.input_value(f"{knob('temperature')} input[type=text]")
    assert page.locator("math [data-field=temperature]").first.text_content() == shown != "0.05"
    page.mouse.up()
    seconds = time.monotonic() - began
    until(page, f"{ROOT}.layout.knobs.knobs.get('temperature').busy === 0")
    sent = [done["value"] for done in stub.done if done["name"] == "set"]
    assert len(sent) <= 8 * seconds + 3, "at most eight messages a second"
    assert sent[-1] == pytest.approx(float(shown), rel=1e-6)
    assert page.input_value(f"{knob('temperature')} input[type=text]") == shown
    assert stub.settings.values["temperature"] == pytest.approx(float(shown), rel=1e-3)


def test_an_invalid_value_stays_with_its_error_until_escape(page: Page, stub: Stub) -> None:
    opened(page, stub)
    until(page, f"{ROOT}.settings")
    page.click(".clwork-all")
    box = f"{knob('temperature')} input[type=text]"
    page.fill(box, "cold")
    page.press(box, "Enter")
    until(page, f"document.querySelector('{knob('temperature')}').classList.contains('wrong')")
    assert page.get_attribute(box, "aria-invalid") == "true" and page.input_value(box) == "cold"
    assert "cold" in text(page, f"{knob('temperature')} .knob-note")
    for name, wrong, note in (
        ("temperature", "0,1", "write a point"),
        ("steps", "0", "steps=0 is out of range"),
        ("steps", "2.7", "steps=2.7 is float"),
    ):
        page.fill(f"{knob(name)} .knob-box", wrong)
        page.press(f"{knob(name)} .knob-box", "Enter")
        until(
            page,
            f"document.querySelector('{knob(name)} .knob-note').textContent.includes('{note}')",
        )
        assert page.input_value(f"{knob(name)} .knob-box") == wrong
    page.click(".clwork-start")
    until(page, "document.querySelector('.clwork-state').textContent.includes('It did not start')")
    assert "write a point" in text(page, ".clwork-state") and stub.status == "ready"
    page.fill(f"{knob('steps')} input", "80")
    page.press(f"{knob('steps')} input", "Enter")
    page.fill(box, "0.2")
    page.press(box, "Enter")
    until(page, f"!document.querySelector('{knob('temperature')}').classList.contains('wrong')")
    assert stub.settings.values["temperature"] == 0.2
    page.fill(box, "7")
    page.press(box, "Escape")
    assert page.input_value(box) == "0.2"
    until(page, "document.querySelector('.clwork-left').textContent === '80 steps'")


def test_every_action_of_the_panel_works_by_keyboard(page: Page, stub: Stub) -> None:
    kernel = opened(page, stub)
    until(page, f"{ROOT}.records[0].size > 0 && {ROOT}.settings")
    page.focus(".clwork-all")
    page.keyboard.press("s")
    until(page, f"{ROOT}.runState.status === 'starting'")
    stub.advance(40)
    until(page, f"{ROOT}.step === 40 && {ROOT}.clock.goal === null")
    page.keyboard.press("ArrowLeft")
    until(page, f"{ROOT}.step < 40")
    page.keyboard.press("End")
    until(page, f"{ROOT}.step === 40")
    page.keyboard.press(".")
    until(page, "true")
    page.keyboard.press("/")
    until(page, "document.activeElement.classList.contains('clwork-search')")
    page.keyboard.type("weight decay")
    until(
        page, "document.querySelector('.clwork-drawer .sheet-note').textContent.startsWith('1 of ')"
    )
    page.keyboard.press("Escape")
    until(page, "document.querySelector('.clwork-sheet').hidden")
    page.focus("math [data-field=temperature]")
    before = page.input_value(f"{knob('temperature')} input[type=text]")
    assert page.get_attribute("math [data-field=temperature]", "aria-valuetext") == before
    page.keyboard.press("ArrowUp")
    until(
        page,
        f"document.querySelector('{knob('temperature')} input[type=text]').value !== '{before}'",
    )
    page.focus(".cloud-canvas")
    page.keyboard.press("ArrowRight")
    first = page.evaluate(f"{ROOT}.selection.hover")
    page.keyboard.press("ArrowRight")
    second = page.evaluate(f"{ROOT}.selection.hover")
    assert first >= 0 and second not in (first, -1)
    until(
        page,
        f"document.querySelector('.line-text').textContent === {ROOT}.records[0].texts[{second}]",
    )
    page.keyboard.press("Enter")
    until(page, f"{ROOT}.selection.chosen.length === 1")
    page.keyboard.press("Escape")
    until(page, f"{ROOT}.selection.chosen.length === 0")
    page.focus(".topic")
    until(page, f"{ROOT}.selection.lit !== null")
    page.keyboard.press("t")
    page.keyboard.type("a violin")
    page.keyboard.press("Enter")
    until(page, "document.activeElement.value === ''")
    wait_for(page, lambda: {"name": "typed", "texts": ["a violin"]} in stub.done)
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


def test_dialogs_hold_setup_and_settings_as_text(page: Page, stub: Stub) -> None:
    kernel = opened(page, stub)
    until(page, f"{ROOT}.settings")
    page.click(".clwork-setup")
    page.select_option(".clwork-corpus", "own text")
    page.locator(".entry-text").fill("A first sentence.\nA second one.")
    page.locator(".entry-text").blur()
    until(page, "document.querySelector('.chip-text').textContent.startsWith('own text')")
    assert stub.settings.corpus.typed["text"] == "A first sentence.\nA second one."
    page.select_option(".clwork-corpus", "wikipedia-mini")
    page.keyboard.press("Escape")
    page.click(".clwork-all")
    line = page.input_value(".clwork-settings-text")
    assert line.startswith("simcse seed=0 steps=300")
    page.fill(".clwork-settings-text", "simcse seed=5 temperature=0.5")
    page.click(".clwork-apply")
    until(page, f"document.querySelector('{knob('temperature')} input[type=text]').value === '0.5'")
    page.fill(".clwork-settings-text", "simcse warmth=1")
    page.click(".clwork-apply")
    until(page, "document.querySelector('.clwork-drawer').textContent.includes('no setting')")
    page.click(".sheet-shut")
    train(page, stub, 4)
    page.click(".clwork-compare")
    until(
        page,
        "document.querySelector('.clwork-state').textContent.includes('runs cannot be read <b>here</b>')",
    )
    assert page.locator(".clwork-instrument b").count() == 0, (
        "strings of the kernel are shown as text"
    )
    assert (
        "<b>here</b>" in text(page, ".clwork-state")
        and page.get_attribute(".clwork-state", "data-trouble") == "true"
    )
    check_messages(kernel.requests)


def test_sentences_and_topics_are_never_interpreted_as_markup(page: Page, stub: Stub) -> None:
    opened(page, stub)
    bad = "<script>globalThis.caught = 1</script><img src=x onerror='globalThis.caught = 1'>"
    page.click(".clwork-start")
    until(page, f"{ROOT}.runState.status === 'starting'")
    played = stub.sources[0]
    assert isinstance(played, Played)
    played.recording["texts"] = [bad, *played.recording["texts"][1:]]
    played.recording["labels"] = [bad] * 40 + list(played.recording["labels"] or [])[40:]
    played.recording["name"] = bad
    stub.advance(40)
    until(page, f"{ROOT}.records[0].id === 'run 1'")
    page.evaluate(f"{ROOT}.choose(0)")
    until(page, "document.querySelector('.line-text').textContent.startsWith('<script>')")
    assert page.evaluate("globalThis.caught === undefined")
    assert page.locator(".clwork-instrument img, .clwork-instrument script").count() == 0


def test_a_kernel_that_does_not_reply_is_reported_and_no_data_are_lost(
    page: Page, stub: Stub
) -> None:
    opened(page, stub)
    train(page, stub, 40)
    stub.deaf = True
    until(
        page,
        "document.querySelector('.state-text').textContent.startsWith('No message from the kernel since')",
    )
    assert text(page, ".state-text").endswith("The page shows step 40.")
    assert page.get_attribute(".clwork-state", "data-trouble") == "false", "it may be busy"
    stub.deaf = False
    stub.advance(60)
    until(page, f"{ROOT}.records[0].last === 60")
    until(page, "document.querySelector('.state-text').textContent.includes('is training')")
    page.evaluate("cutLine()")
    until(
        page,
        "document.querySelector('.state-text').textContent.includes('was restarted or shut down')",
    )
    assert 'clwork.open_run("run 1")' in text(page, ".state-text")
    assert page.get_attribute(".clwork-state", "data-trouble") == "true"
