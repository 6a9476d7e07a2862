"""The plane on axes that never move, with what is known without a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from clwork import metrics
from clwork.views.alignment_plane import ALIGNMENT, COLLAPSED, RANDOM, UNIFORMITY, fixed_plane, landmarks, trail


def test_the_axes_are_the_same_whatever_is_drawn(records: list[dict[str, Any]]) -> None:
    figure = fixed_plane("run")
    figure.data[2].update(trail(records))
    assert figure.layout.xaxis.range == UNIFORMITY and figure.layout.yaxis.range == ALIGNMENT
    x, y = np.array(figure.data[2].x), np.array(figure.data[2].y)
    assert len(x) > 2 and (x > UNIFORMITY[0]).all() and (x < UNIFORMITY[1]).all() and (y < ALIGNMENT[1]).all()


def test_the_landmarks_are_what_the_metrics_say() -> None:
    generator = np.random.default_rng(0)
    one = np.tile(generator.normal(size=64), (200, 1)).astype(np.float32)
    some, others = (generator.normal(size=(400, 2048)).astype(np.float32) for _ in range(2))
    assert np.allclose((metrics.uniformity(one), metrics.alignment(one, one)), COLLAPSED, atol=1e-3)
    assert np.allclose((metrics.uniformity(some), metrics.alignment(some, others)), RANDOM, atol=0.05)


def test_what_is_not_known_is_no_landmark() -> None:
    assert landmarks()["text"] == ["collapsed", "random"]
    known = landmarks((-1.0, 0.5), (-2.5, 0.3))
    assert known["x"][2:] == [-1.0, -2.5] and known["text"][2:] == ["untrained", "recorded run"]
    assert len(known["textposition"]) == 4
    assert landmarks((-0.2, 0.1))["textposition"][2] != known["textposition"][2], "not on the word beside it"
