"""The reader's own sentences: in the cloud at each look, and nothing of the run is another for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import data
from clwork.lab import Panel
from clwork.lab.panel.pictures import sentences as sentence_pictures
from clwork.lab.panel.pictures.sentences import MOST

from .conftest import SHORT
from .test_panel import PATIENCE, until

OWN = "The violin is tuned before the concert."


def shown(panel: Panel) -> list[str]:
    return [one["text"] for one in panel.pictures.sentences.drawn.widget.feed.now.get("own", [])]


def test_a_sentence_typed_before_the_start_goes_through_all_looks(make_panel: Callable[..., Panel]) -> None:
    panel = make_panel(probe_every=1)
    panel.pictures.sentences.own.line.value = f"  {OWN}  "
    assert panel.pictures.sentences.own.line.value == "", "the line is free for the next"
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "finished", panel.run.error
    assert shown(panel) == [OWN]
    assert np.allclose(panel.run.probe.own_vectors[OWN], panel.run.encoder.encode([OWN])[0], atol=1e-5)
    panel.pictures.sentences.own.forget.click()
    until(lambda: shown(panel) == [])


def test_a_sentence_typed_after_the_end_is_encoded_at_once(make_panel: Callable[..., Panel]) -> None:
    panel = make_panel(steps=2)
    panel.start()
    panel.wait(PATIENCE)
    for number in range(MOST + 1):
        panel.pictures.sentences.own.line.value = f"{OWN} {number}"
    until(lambda: shown(panel) == [f"{OWN} {number}" for number in range(1, MOST + 1)])


def test_being_looked_at_changes_no_result(corpus: data.Sentences) -> None:
    def losses(own: list[str]) -> tuple[list[float], list[float]]:
        run = clwork.start("simcse", sentences=corpus, **{**SHORT, "steps": 4, "probe_every": 1})
        until(lambda: run.probe is not None)
        assert run.probe is not None
        run.probe.own = own
        run.wait(PATIENCE)
        rows = run.records()
        return [row["loss"] for row in rows[1:]], [row["uniformity"] for row in rows]

    assert losses([OWN, "Another."]) == losses([])


def test_umap_lays_the_readers_sentences_out_among_the_others(
    make_panel: Callable[..., Panel], monkeypatch: pytest.MonkeyPatch
) -> None:
    laid: list[int] = []

    def flat(vectors: Any, seed: int, progress: Any) -> Any:  # UMAP itself takes half a minute to load
        laid.append(len(vectors))
        return np.asarray(vectors)[:, :2]

    monkeypatch.setattr(sentence_pictures, "umap_coordinates", flat)
    panel = make_panel(steps=2)
    points = panel.pictures.sentences
    points.own.line.value = OWN
    panel.start()
    panel.wait(PATIENCE)
    points.umap.click()
    until(lambda: not points.umap.disabled and points.drawn.widget.feed.now["kind"] == "umap")
    assert laid == [65] and shown(panel) == [OWN] and len(points.drawn.points) == 64
    points.own.line.value = f"{OWN} Again."
    until(lambda: shown(panel) == [OWN, f"{OWN} Again."])
    assert laid == [65, 66] and points.drawn.widget.feed.now["kind"] == "umap"
    points.own.forget.click()
    until(lambda: shown(panel) == [])
    points.pca.click()
    assert points.drawn.widget.feed.now["kind"] == "pca"
