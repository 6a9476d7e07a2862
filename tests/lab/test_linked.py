"""Linked clouds: the widget gets every picture, text and neighbour; a still picture stands in where it must."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clwork import lab, metrics

pytestmark = pytest.mark.nightly


@pytest.fixture
def clouds() -> dict[str, Any]:
    random = np.random.default_rng(0)
    return {"narrow": random.standard_normal((30, 4)), "wide": random.standard_normal((30, 9))}


TEXTS = [f"sentence {row}" for row in range(30)]


def test_it_holds_pictures_texts_and_neighbours(clouds: dict[str, Any]) -> None:
    widget = lab.linked(clouds, TEXTS, ["a", "b"] * 15, neighbours=2)
    assert widget.names == ["narrow", "wide"] and widget.texts == TEXTS and widget.chosen == []
    assert [len(trace["x"]) for trace in widget.data[:2]] == [30, 30]
    assert all(isinstance(trace["x"], list) for trace in widget.data[:4]), "the script looks points up by their number"
    assert widget.near[1] == metrics.nearest(clouds["wide"], k=2).rows.tolist()
    assert widget.axes["dragmode"] == "select" and widget.axes["width"] > 500
    assert "narrow, wide" in widget.label


def test_each_widget_has_one_module_and_the_figure_is_imported(clouds: dict[str, Any]) -> None:
    """Nothing is put together from pieces: what the page imports are the files as they stand."""
    one, other = lab.linked(clouds, TEXTS), lab.linked(clouds, TEXTS)
    folder = Path(lab.__file__).parent / "linked"
    assert str(one._esm) == (folder / "linked.js").read_text(encoding="utf-8")
    assert one.figure is other.figure, "one copy of the figure's module serves all widgets"
    module = one.figure.source
    assert module == (folder.parent / "modules" / "live.js").read_text(encoding="utf-8")
    exported = re.search(r"^export \{(.*?)\};", module, re.DOTALL | re.MULTILINE)
    assert exported is not None and " as default" in exported[1]
    used = set(re.findall(r"\bfigure\.(\w+)", str(one._esm))) - {"default"}
    assert used and used <= set(re.findall(r"\w+", exported[1])), "linked.js takes only what live.js gives"


def test_rows_must_fit(clouds: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="'texts': 3, 'narrow': 30"):
        lab.linked(clouds, TEXTS[:3])
    many = np.random.default_rng(0).standard_normal((501, 3))
    with pytest.raises(ValueError, match="at most 500"):
        lab.linked({"a": many}, ["x"] * 501)


@pytest.mark.usefixtures("without_anywidget")
def test_without_anywidget_there_is_a_still_picture(clouds: dict[str, Any]) -> None:
    assert lab.linked(clouds, TEXTS).value.startswith("<svg")
