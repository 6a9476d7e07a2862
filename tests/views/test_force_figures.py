"""The force view's figures: directions, who is shown, escaped texts, and still pictures of all of them."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

import numpy as np
import pytest

from clwork import views

pytestmark = pytest.mark.nightly


@dataclass
class Made:
    """A pair as the figures take it."""

    text: str
    pull: float
    kind: str = "in-batch negative"
    name: str = "view 2"
    score: float = 0.5
    weight: float | None = 0.1

    @property
    def gradient(self) -> float:
        return -self.pull


def test_pulls_go_right_and_pushes_left_with_the_positive_first() -> None:
    pairs = [Made("far <b>", -0.5), Made("own", 0.2, "positive"), Made("near", -0.1)]
    figure = views.force_bars(pairs)
    pulls, pushes = figure.data
    assert pulls.y == ("1. own (positive)",) and pulls.x == (0.2,)
    assert pushes.y == ("2. far &lt;b&gt; (in-batch negative)", "3. near (in-batch negative)")
    assert pushes.x == (-0.5, -0.1)
    assert list(figure.layout.yaxis.categoryarray) == [*pulls.y, *pushes.y]
    assert "far &lt;b&gt;" in pushes.customdata[0] and "cosine 0.5" in pushes.customdata[0]
    assert "far &lt;b&gt;" in views.to_svg(figure)


def test_only_the_strongest_are_shown_and_the_others_are_told() -> None:
    pairs = [Made(f"sentence {k}", -float(k)) for k in range(1, 15)] + [Made("own", 0.001, "positive")]
    figure = views.force_bars(pairs, shown=4)
    shown = [label for trace in figure.data for label in trace.y]
    assert shown[0].startswith("1. own") and [label.split()[2] for label in shown[1:]] == ["14", "13", "12"]
    assert "the other 11: 66 in all" in figure.layout.title.text


def test_where_several_sets_of_vectors_meet_their_names_are_told() -> None:
    pairs = [Made("own", 0.2, "positive", "layer 1"), Made("own", 0.3, "positive", "layer 2")]
    assert views.force_bars(pairs).data[0].y == ("1. own (positive, layer 2)", "2. own (positive, layer 1)")


def test_names_and_title_of_the_bars_are_not_cut_in_a_still_picture() -> None:
    pairs = [Made("The quick brown fox jumps over the lazy dog " * 3, -1.0 - k, "in-batch negative") for k in range(40)]
    root = ElementTree.fromstring(views.to_svg(views.force_bars(pairs, width=640)))
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        x, size = float(text.attrib["x"]), float(text.attrib["font-size"])
        long = 0.52 * size * len(text.text or "")  # the mean width of a letter
        start = {"start": x, "middle": x - long / 2, "end": x - long}[text.attrib["text-anchor"]]
        assert start >= 0 and start + long <= 640, text.text


def test_the_matrix_marks_the_chosen_row() -> None:
    values = np.array([[0.9, 0.1], [0.2, 0.8]])
    figure = views.force_matrix(values, ["a <i>", "b"], 1)
    (heat,) = figure.data
    assert np.allclose(heat.z, values) and heat.y[0] == "1. a &lt;i&gt;"
    (mark,) = figure.layout.shapes
    assert (mark.y0, mark.y1, mark.x1) == (0.5, 1.5, 1.5)
    assert figure.layout.yaxis.tickvals == ("2. b",) and "▶" in views.to_svg(figure)
    with pytest.raises(ValueError, match="one name for each"):
        views.force_matrix(values, ["a"], 0)


def test_a_gradient_is_blue_where_it_pulls_and_reaches_to_the_largest_push() -> None:
    (heat,) = views.force_matrix(np.array([[-9.0, 0.5], [0.25, -9.0]]), ["a", "b"], 0, gradient=True).data
    assert (heat.zmin, heat.zmax) == (-0.5, 0.5)
    assert heat.colorscale[0][1] == "#0072B2" and heat.colorscale[-1][1] == "#D55E00"


def test_of_a_large_batch_those_that_matter_to_the_row() -> None:
    matrix = np.zeros((100, 100))
    matrix[7, [3, 50, 99]] = [0.1, -5.0, 2.0]
    assert views.around(7, matrix, most=3) == [7, 50, 99]
    assert views.around(0, matrix[:5, :5], most=10) == [0, 1, 2, 3, 4]


def test_shares_add_up_to_a_hundred_and_are_of_absolute_values() -> None:
    figure = views.force_shares({"contrast": (3.0, 1.0), "λ · distance": (-1.0, 3.0)}, {"positive": 0.2, "noise": -0.1})
    loss, gradient, pull, push = figure.data
    assert list(loss.x) == [75.0, 25.0] and list(gradient.x) == [25.0, 75.0]
    assert (pull.y, push.y) == (("positive",), ("noise",)) and push.x == (-0.1,)
    assert "λ · distance" in views.to_svg(figure)
    assert len(views.force_shares({"loss": (0.0, 0.0)}, {}).data) == 2
