"""Posters: what a widget shows as one still picture, for pages where neither widgets nor scripts run."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

import clwork
from clwork import lab
from clwork.lab.instrument import poster

from .synthetic_recordings import TOPICS, recording

pytestmark = pytest.mark.nightly

SVG = "{http://www.w3.org/2000/svg}"
MOST = 40_000  # characters of a poster in a notebook's file


def drawn(html: str) -> ElementTree.Element:
    """The one picture of a page."""
    (data,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert len(data) < MOST
    return ElementTree.fromstring(base64.b64decode(data))


def words(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def marks(root: ElementTree.Element) -> int:
    return sum(len(list(root.iter(f"{SVG}{name}"))) for name in ("circle", "use"))


def test_a_player_s_poster_is_its_last_look_with_curves_and_plane() -> None:
    root = drawn(lab.player(recording(count=120, looks=4))._repr_html_().split("<iframe")[0])
    assert {"SimCSE: step 30 of 30", "loss (running mean)", "alignment", "uniformity"} <= set(words(root))
    assert {f"● {topic}" for topic in TOPICS} <= set(words(root))
    assert 120 <= marks(root) <= 130, "a mark a sentence, and those of the plane"


@pytest.mark.parametrize("count", [3, 1000])
def test_a_poster_is_small_however_many_sentences_there_are(count: int) -> None:
    drawn(lab.player(recording(count=count), recording(count=count, seed=1))._repr_html_().split("<iframe")[0])


@pytest.mark.parametrize("method", clwork.methods.names())
def test_the_recorded_run_of_every_method_has_a_poster(method: str) -> None:
    root = drawn(lab.player(method, "simcse")._repr_html_().split("<iframe")[0])
    assert marks(root) > 200 and any(text.startswith("B ") for text in words(root))


def test_two_runs_are_called_by_what_differs() -> None:
    cold, hot = (
        recording(settings={"temperature": t, "pooling": "mean"}, name="SimCSE notebook-00") for t in (0.02, 1.0)
    )
    player = lab.player(cold, hot)
    assert [one["differs"] for one in player.data] == ["τ = .02", "τ = 1"]
    assert {"A τ = .02: step 110 of 110", "B τ = 1: step 110 of 110"} <= set(
        words(drawn(player._repr_html_().split("<iframe")[0]))
    )
    assert lab.player(cold).data[0]["differs"] == "SimCSE"


@pytest.mark.parametrize(("state", "width"), [("sphere1 seed=3", 3), ("sphere1 shape=circle points=24", 2)])
def test_the_sphere_s_poster_is_its_state(state: str, width: int) -> None:
    one = lab.sphere(state=state, question="Where < here?")
    root = drawn(one._repr_html_().split("<iframe")[0])
    assert marks(root) == one.settings["points"] and "Where < here?" in words(root)
    other = lab.sphere(state=state.replace("seed=3", "seed=4").replace("24", "25"))
    assert one.poster() != other.poster()


def test_a_cloud_is_thinned_evenly() -> None:
    film: Any = lab.player(recording(count=1000)).data[0]
    figure = poster._cloud(film, "", 400, 300, 200)
    assert 180 <= sum(len(trace.x) for trace in figure.data) <= 210 and len(figure.data) == len(TOPICS)
