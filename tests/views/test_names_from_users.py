"""Names and sentences of users and of foreign folders are shown unchanged, as text."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clwork import views
from clwork.views.style import plain, shortened, wrapped

from ..strategies import HOLD

NASTY = "<img src=x onerror=alert(1)><b>%{nasty}</b> $nasty$ &lt;\x01\x1b\ufffe\u2028"
RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(6, 4))
ROWS = [
    {"step": n, "loss": 1.0 + n, "alignment": 0.1 * n, "uniformity": -0.1 * n, NASTY: 1.0}
    for n in range(4)
]
LINE = ([0, 1], [1.0, 2.0])

# What takes names; a figure that is added to `views` and takes some belongs here.
FIGURES: dict[str, Callable[[str], go.Figure]] = {
    "overlay": lambda name: views.overlay({name: [ROWS, ROWS]}, ["loss", name]),
    "plane": lambda name: views.plane({name: ROWS, "other": ROWS}),
    "plane of seeds": lambda name: views.plane({name: [ROWS, ROWS], "other": [ROWS]}),
    "side by side": lambda name: views.side_by_side(
        views.common_axes({name: VECTORS, "b": VECTORS}), [name] * 6, [name] * 6
    ),
    "layers": lambda name: views.layer_grid({(0, name): 1.0, (1, "b"): 2.0}, title="scores"),
    "spectrum": lambda name: views.spectrum({name: VECTORS, "b": VECTORS}),
    "lines": lambda name: views.lines({name: LINE}, title="one", levels={name: 1.0}),
    "intervals": lambda name: views.intervals({name: {name: (1.0, 0.5, 1.5), "b": (1.0, 0, 2)}}),
}


@pytest.mark.parametrize("kind", FIGURES)
def test_names_are_escaped_for_plotly(kind: str) -> None:
    figure = FIGURES[kind](NASTY)
    text = json.dumps(json.loads(figure.to_json()), ensure_ascii=False)
    assert "&lt;img" in text, "the name is shown"
    for mark in ("<img", "%{nasty", "$nasty", "\\u0001"):
        assert mark not in text


@HOLD
@given(st.text(st.characters(codec=None), min_size=1, max_size=30))
def test_a_shown_name_has_no_markup(name: str) -> None:
    for cut in (plain(name), shortened(name), wrapped(name)):
        shown = cut.replace("<br>", "")
        assert "<" not in shown
        assert "%{" not in shown
        assert "$" not in shown
