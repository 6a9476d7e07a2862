"""A sentence of a lesson acts on a panel as the page's own controls do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clwork import lab
from clwork.lab.panel.panel import Panel

from .client import Client, ended

Make = Callable[..., tuple[Panel, Client]]


def acted(page: Client) -> Any:
    """What the page learns of the sentence's actions with its next reply."""
    return page.request().get("act", {}).get("actions")


def press(panel: Panel, **actions: Any) -> str:
    """Press the button of a sentence; return what is then below it."""
    act = lab.act(panel, "[Do it] now.", reveal="Look there.", **actions)
    act._button.click()
    text: str = act._result.value
    assert act._button.icon == ("" if "⚠" in text else "check")
    assert ("Look there." in text) == ("⚠" not in text)
    return text


@pytest.mark.parametrize(
    ("action", "command"),
    [
        ({"temperature": 0.5}, {"name": "set", "setting": "temperature", "value": 0.5}),
        ({"steps": 7}, {"name": "set", "setting": "steps", "value": 7}),
        ({"type": "a violin concerto"}, {"name": "typed", "texts": ["a violin concerto"]}),
    ],
)
def test_an_action_leads_to_the_state_of_the_pages_command(
    make: Make, action: dict[str, Any], command: dict[str, Any]
) -> None:
    def state(page: Client) -> tuple[Any, Any]:
        news = page.request()
        return news["settings"], news["typed"]

    first, untouched = state(make()[1]), make()[1]
    (panel, page), (_, pressed) = make(), make()
    press(panel, **action)
    pressed.request(**{"command" if key == "name" else key: v for key, v in command.items()})
    pressed.known = {}
    assert state(page) == state(pressed) != first == state(untouched)


def test_start_fork_and_compare_act_on_runs(make: Make) -> None:
    panel, page = make(steps=4, keep_every=2)
    page.request()
    assert "no run yet to compare with: press Start" in press(panel, compare=True)
    assert "no run yet to fork: press Start" in press(panel, fork=2)
    press(panel, temperature=0.2, start=True)
    page.until(ended)
    first = panel.run
    assert first.config.temperature == 0.2
    press(panel, compare=True)
    assert [source.id for source in panel.sources] == [str(first.folder), "recorded:simcse"]
    press(panel, compare=False)
    assert len(panel.sources) == 1
    press(panel, temperature=0.3, fork=3)
    page.until(ended)
    parent = panel.run.run_config.parent
    assert (parent.run, parent.step) == (first.name, 2), "of a run that has ended"
    assert panel.run.config.temperature == 0.3


def test_one_step_is_trained(make: Make) -> None:
    panel, page = make(steps=4)
    press(panel, step=1)
    page.until(lambda news: news["state"]["step"] == 1)
    assert panel.run.status == "paused"
    press(panel, step=1)
    page.until(lambda news: news["state"]["step"] == 2)
    assert "batch size" in press(panel, batch_size=16), "it is fixed while the run is active"


def test_a_page_moves_by_the_news_and_only_once(make: Make) -> None:
    panel, page = make()
    assert acted(page) is None
    press(panel, scrub=0, view="umap")
    assert acted(page) == {"scrub": 0, "view": "umap"}
    assert acted(page) is None
    press(panel, scrub=0, view="umap")
    assert acted(page) == {"scrub": 0, "view": "umap"}, "a second press"
    # all in one message, at once
    pushed = [content["news"] for content, _ in page.sent if content["answer"] is None]
    assert [news["act"]["version"] for news in pushed] == [1, 2]


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ({"temperature": -1}, "temperature"),
        ({"view": "tsne"}, "give one of 'pca', 'umap'"),
        ({"scrub": -1}, "at least 0"),
    ],
)
def test_a_refused_action_says_why_and_moves_no_page(
    make: Make, actions: dict[str, Any], why: str
) -> None:
    panel, page = make()
    before = page.request()["settings"]
    assert why in press(panel, **actions).replace("&#x27;", "'")
    assert acted(page) is None
    page.known = {}
    assert page.request()["settings"] == before


def test_what_cannot_be_an_act(make: Make) -> None:
    panel, _ = make()
    with pytest.raises(ValueError, match=r"'temprature'.*\btemperature\b.*'start'.*'scrub'"):
        lab.act(panel, "[Set τ]", temprature=0.5)
    for sentence in ("Set τ.", "Set [τ.", "Set [] now."):
        with pytest.raises(ValueError, match=r"in \[brackets\]"):
            lab.act(panel, sentence, temperature=0.5)


def test_a_static_page_has_the_sentence_and_no_button(make: Make) -> None:
    panel, _ = make()
    act = lab.act(panel, "[Set `τ` <b>], *then* look.", temperature=0.5)
    data, _ = act._repr_mimebundle_()
    text = data["text/html"]
    assert "Set <code>τ</code> &lt;b&gt;, <em>then</em> look." in text
    assert "button" not in text
    act.close()
