"""What is sent to the cloud: places in 16 bits, few looks again and again, own sentences with their trails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork.lab.page.sentence_cloud import AT_ONCE, MOST, LookHistory, SentenceCloud, topics_of
from clwork.views.style import DARK, PALETTE, SYMBOLS, colour, symbol

TEXTS, LABELS = ["one", "two", "three"], ["b", "a", "b"]


def places(look: dict[str, Any]) -> Any:
    return np.frombuffer(look["at"], dtype="<i2").reshape(-1, 2) * (2.0 / 32767)


def test_places_arrive_to_four_digits_and_texts_are_sent_once() -> None:
    cloud = SentenceCloud((400, 300))
    cloud.begin(TEXTS, LABELS)
    about: list[Any] = []
    cloud.widget.feed.observe(lambda change: about.append(change["new"]), names="about")
    generator = np.random.default_rng(0)
    for step in range(3):
        points = generator.uniform(-1.4, 1.4, (3, 2))
        cloud.show(points, step, f"step {step}")
        now = cloud.widget.feed.now
        assert np.abs(places(now) - points).max() < 1e-4 and now["caption"] == f"step {step}"
    assert about == [] and cloud.widget.feed.about["topics"] == [1, 0, 1]
    assert [look["step"] for look in cloud.widget.feed.now["since"]] == [0, 1], "looks before this one"
    assert [trace.name for trace in cloud.figure().data] == ["a", "b"]


def test_another_run_leaves_no_trail() -> None:
    cloud = SentenceCloud((400, 300))
    for _ in range(2):
        cloud.begin(TEXTS, LABELS)
        assert cloud.widget.feed.trail == [] and cloud.widget.feed.now == {}
        for step in range(3 * AT_ONCE):
            cloud.show(np.zeros((3, 2)), step, "")
        assert len(cloud.widget.feed.trail) > AT_ONCE


def test_a_layout_that_is_no_look_is_not_part_of_a_trail() -> None:
    cloud = SentenceCloud((400, 300))
    cloud.begin(TEXTS, None)
    cloud.show(np.ones((3, 2)), 1, "", kind="umap")
    cloud.show(np.ones((3, 2)), 2, "")
    assert cloud.widget.feed.now["since"] == []


def test_long_runs_keep_their_first_look_and_stay_small() -> None:
    history = LookHistory()
    for step in range(5000):
        history.add({"step": step})
        assert len(history.trail) <= MOST and len(history.since) < AT_ONCE
    steps = [look["step"] for look in [*history.trail, *history.since]]
    assert steps[0] == 0 and steps == sorted(set(steps)) and len(steps) > MOST / 3
    gaps = np.diff(steps)
    assert gaps.max() <= 2 * gaps.min() * 2, "spread over the whole run"


def test_eleven_topics_differ_in_colour_and_all_pairs_of_cues_are_unlike() -> None:
    assert len({colour(place) for place in range(11)}) == 11
    assert len({(colour(place), symbol(place)) for place in range(len(PALETTE) * len(SYMBOLS))}) == 77
    assert set(PALETTE) <= set(DARK) and len({DARK[shade] for shade in PALETTE}) == 11
    assert topics_of(None, 2) == (["sentences"], [0, 0])


@pytest.mark.usefixtures("without_anywidget")
def test_without_anywidget_a_still_picture_takes_its_place() -> None:
    cloud = SentenceCloud((400, 300))
    cloud.begin(TEXTS, LABELS)
    assert cloud.live is False and cloud.widget.value.startswith("<svg")
    before = cloud.widget.value
    cloud.show(np.eye(3)[:, :2], 1, "step 1")
    assert cloud.widget.value != before and "step 1" in cloud.widget.value
