"""Figures of notebook 04: the four factors, dots of seeds, and pairs before and after."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from clwork import views
from clwork.views.lessons.mechanisms import PULL, PUSH
from clwork.views.style import RULE


def inks(figure: Any, form: int) -> dict[str, str]:
    """Colours of the four factors in the panel of a form."""
    lines = [trace for trace in figure.data if trace.mode == "lines"][4 * form : 4 * form + 4]
    return {trace.name[0]: trace.line.color for trace in lines}


def test_each_form_lights_its_own_factors() -> None:
    figure = views.four_factors()
    assert inks(figure, 0) == {"1": PULL, "2": PUSH, "3": PUSH, "4": PUSH}
    assert inks(figure, 1) == {"1": PULL, "2": PUSH, "3": PUSH, "4": RULE}
    assert inks(figure, 2) == inks(figure, 3) == {"1": PULL, "2": RULE, "3": PUSH, "4": RULE}


def test_opt3_has_a_line_for_each_layer() -> None:
    pulls = [t for t in views.four_factors(["opt2", "opt3"]).data if t.mode == "lines" and t.name.startswith("1")]
    assert [sum(x is None for x in trace.x) for trace in pulls] == [2, 6]
    with pytest.raises(ValueError, match="base, opt1, opt2, opt3"):
        views.four_factors(["opt4"])


def test_dots_show_every_seed_and_bars_one_deviation() -> None:
    figure = views.seed_dots({"a": [1.0, 2.0, 3.0], "b": [5.0], "c": [1.0, math.nan]}, reference=("raw", 0.5))
    bars = [list(trace.x) for trace in figure.data if trace.mode == "lines"]
    assert bars == [[1.0, 3.0], [5.0, 5.0], [1.0, 1.0]]
    dots = [trace for trace in figure.data if trace.mode == "markers" and trace.name]
    assert [len(trace.x) for trace in dots] == [3, 1, 1]
    assert "2 ± 1, 3 seeds" in dots[0].hovertemplate and "one seed" in dots[1].hovertemplate
    assert figure.layout.shapes[0].x0 == 0.5
    nothing: list[dict[str, list[float]]] = [{}, {"a": []}, {"a": [math.nan]}]
    for bad in nothing:
        with pytest.raises(ValueError, match="no scores"):
            views.seed_dots(bad)


def test_pairs_are_joined_and_numbered_and_kinds_coloured() -> None:
    random = np.random.default_rng(0)
    first = random.normal(size=(4, 8))
    apart, close = random.normal(size=(4, 8)), first + 0.01 * random.normal(size=(4, 8))
    figure = views.pair_map({"before": (first, apart), "after": (first, close)}, ["alike"] * 2 + ["not"] * 2)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert len(lines) == 4 and [trace.showlegend for trace in lines] == [True, True, False, False]
    assert lines[0].line.color != lines[1].line.color

    def longest(trace: Any) -> float:
        x, y = (np.array([v for v in column if v is not None]).reshape(-1, 2) for column in (trace.x, trace.y))
        return float(np.hypot(x[:, 0] - x[:, 1], y[:, 0] - y[:, 1]).max())

    assert max(longest(trace) for trace in lines[2:]) < 0.1 < max(longest(trace) for trace in lines[:2])
    numbers = [trace for trace in figure.data if trace.mode == "text"]
    assert sorted({text for trace in numbers for text in trace.text}) == ["1", "2", "3", "4"]


def test_pairs_that_do_not_fit_are_refused() -> None:
    x = np.eye(4)
    with pytest.raises(ValueError, match="the same number"):
        views.pair_map({"a": (x, x[:3])})
    with pytest.raises(ValueError, match="the same number"):
        views.pair_map({"a": (x, x)}, kinds=["one"])
    with pytest.raises(ValueError, match="2 to 60"):
        views.pair_map({"a": (np.eye(70), np.eye(70))})
