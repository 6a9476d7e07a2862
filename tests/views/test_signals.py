from __future__ import annotations

import numpy as np
import pytest

from clwork import views


def test_a_vector_and_its_spectrum_before_and_after() -> None:
    start = np.sin(np.linspace(0, 6, 50)) + 0.4
    figure = views.augmented_vector(start, {"mean out": start - start.mean(), "nothing": start})
    lines = [trace for trace in figure.data if trace.type == "scatter"]
    assert len(lines) == 8 and len(figure.data) == 10
    assert np.allclose(lines[1].y, start - start.mean())
    assert lines[2].y[0] == pytest.approx(50 * start.mean()) and lines[3].y[0] == pytest.approx(0, abs=1e-9)
    assert np.allclose(lines[2].y[1:], lines[3].y[1:])  # all other frequencies stay
    bars = [trace for trace in figure.data if trace.type == "bar"]
    assert np.allclose(bars[0].y, -start.mean()) and not np.any(bars[1].y)
    assert [note.text for note in figure.layout.annotations] == ["mean out", "nothing"]


def test_what_is_no_vector_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one augmentation"):
        views.augmented_vector(np.ones(4), {})
    with pytest.raises(ValueError, match=r"shape \(2, 2\)"):
        views.augmented_vector(np.ones((2, 2)), {"a": np.ones((2, 2))})
    with pytest.raises(ValueError, match="keeps the width"):
        views.augmented_vector(np.ones(4), {"a": np.ones(5)})


def test_weights_are_shares_of_the_largest_and_words_may_repeat() -> None:
    figure = views.word_weights(["the", "<cat>", "the"], {"a": [1.0, 4.0, -2.0], "b": [0.0, 0.0, 0.0]})
    first, second = figure.data
    assert list(first.x) == [0.25, 1.0, -0.5] and not any(second.x)
    assert list(first.y) == ["1. the", "2. &lt;cat&gt;", "3. the"]
    assert first.marker.pattern.shape != second.marker.pattern.shape
    assert first.marker.pattern.fillmode == second.marker.pattern.fillmode == "overlay"  # white on the bar's colour


def test_a_weight_for_each_word() -> None:
    with pytest.raises(ValueError, match="one weight per word"):
        views.word_weights(["a", "b"], {"a": [1.0]})
    with pytest.raises(ValueError, match="no weights to draw"):
        views.word_weights(["a", "b"], {})
