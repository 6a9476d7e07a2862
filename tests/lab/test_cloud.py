"""The board of a large cloud: all points drawn, UMAP in the background, and a stop."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from clwork import lab
from clwork.lab.cloud import cloud as module
from clwork.projections import PcaBasis

pytestmark = pytest.mark.nightly

DRAW = np.random.default_rng(0)
X = DRAW.standard_normal((1200, 16)).astype(np.float32) + np.repeat([[0.0], [1.0]], 600, axis=0).astype(np.float32)
LABELS = ["left"] * 600 + ["right"] * 600
TEXTS = [f"sentence {row}" for row in range(1199)] + ["long " * 100]


def shown(board: lab.Cloud) -> list[Any]:
    return list(board.figure().data)


def test_every_point_is_drawn_by_the_graphics_card_and_the_still_picture_has_some() -> None:
    board = lab.cloud(X, LABELS, TEXTS)
    left, right = shown(board)
    assert (left.type, left.name, len(left.x), len(right.x)) == ("scattergl", "left", 600, 600)
    expected = PcaBasis.fit(X).transform(X)
    np.testing.assert_allclose(np.stack([left.x, left.y], axis=1), expected[:600], atol=1e-5)
    assert left.text[3] == "sentence 3" and len(right.text[-1].replace("<br>", "")) <= module.SHORT
    assert "1,200 sentences by PCA" in board.state.value and board.stop.layout.display == "none"
    data, _ = board._repr_mimebundle_()
    assert 500 < data["text/html"].count("<circle") + data["text/html"].count("<use") or "base64" in data["text/html"]


def test_umap_is_computed_in_the_background_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    go_on = threading.Event()

    def slowly(vectors: Any, seed: int, *, progress: Any) -> Any:
        calls.append(seed)
        progress(0.25, "UMAP: round 50 of 200")
        assert go_on.wait(30)
        return vectors[:, :2]

    monkeypatch.setattr(module, "umap_coordinates", slowly)
    board = lab.cloud(X, seed=7).show_plane("UMAP")
    while "25 %" not in board.state.value:
        board.wait(0.01)
    assert board.stop.layout.display == "" and shown(board)[0].x[0] != X[0, 0] / np.linalg.norm(X[0])
    go_on.set()
    board.wait(30)
    assert "by UMAP" in board.state.value and board.stop.layout.display == "none"
    np.testing.assert_allclose(shown(board)[0].x, (X / np.linalg.norm(X, axis=1, keepdims=True))[:, 0], atol=1e-6)
    board.show_plane("PCA").show_plane("UMAP")
    assert calls == [7], "it is kept"
    assert "by UMAP" in board.state.value


@pytest.mark.slow
def test_umap_stops_when_it_is_told_to() -> None:
    board = lab.cloud(X + 0.5).show_plane("UMAP")
    board.stop.click()
    board.wait(120)
    assert board.idle.is_set() and board.by.value == "PCA"
    assert "UMAP was stopped" in board.state.value and "UMAP" not in board._planes


def test_what_goes_wrong_in_the_background_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any, **named: Any) -> Any:
        raise ImportError("umap-learn is not installed; run: pip install umap-learn")

    monkeypatch.setattr(module, "umap_coordinates", fail)
    board = lab.cloud(X).show_plane("UMAP").wait(30)
    assert "pip install umap-learn" in board.state.value and board.by.value == "PCA"


def test_bad_clouds_are_refused_with_the_remedy() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"vectors": X[:3]}, "3 vectors; a cloud takes 4 to 200,000"),
        ({"vectors": np.broadcast_to(X[:1], (200_001, 16))}, "200,001 vectors; a cloud takes 4 to 200,000"),
        ({"vectors": X, "labels": ["a"]}, r"'labels': 1.*one label and one text for each"),
        ({"vectors": X, "texts": ["a"]}, r"'texts': 1"),
        ({"vectors": X * np.nan}, "NaN or infinity"),
        ({"vectors": 3}, "must be a matrix"),
    ]
    for arguments, match in refused:
        with pytest.raises(ValueError, match=match):
            lab.cloud(**arguments)
    with pytest.raises(ValueError, match="PCA"):
        lab.cloud(X).show_plane("t-SNE")
