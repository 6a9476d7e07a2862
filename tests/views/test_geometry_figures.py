from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clwork import views
from clwork.projections import PcaBasis

Cloud = tuple[np.ndarray[Any, Any], list[str]]


def test_a_fixed_basis_moves_only_points_that_moved(cloud: Cloud) -> None:
    basis = PcaBasis.fit(cloud[0])
    moved = cloud[0].copy()
    moved[7] = -moved[7]
    change = np.abs(basis.transform(moved) - basis.transform(cloud[0])).max(axis=1)
    assert change[7] > 0.1 and np.delete(change, 7).max() < 1e-12


def test_histogram_rows_count_every_pair_once() -> None:
    scores = [0.0, 0.9, 1.0, 4.0, 5.0]
    figure = views.cosine_histogram([0.1, 0.2, 0.3, 0.8, 0.9], scores)
    titles = " ".join(note.text for note in figure.layout.annotations)
    assert (
        "gold 4–5<br>(2 pairs)" in titles
        and "gold 0–1<br>(2 pairs)" in titles
        and "gold 1–2<br>(1 pair)" in titles
    )
    assert [round(float(sum(trace.y))) for trace in figure.data] == [100, 100, 100], (
        "rows without a pair are left out"
    )


def test_similarity_is_the_cosine() -> None:
    figure = views.similarity_matrix(np.array([[2.0, 0.0], [1.0, 1.0]]), ["one", "two"])
    assert np.allclose(figure.data[0].z, [[1.0, 0.5**0.5], [0.5**0.5, 1.0]])
    with pytest.raises(ValueError, match="at most 100"):
        views.similarity_matrix(np.ones((101, 2)), ["x"] * 101)
