"""The panel's pictures come from one list: one call adds a new one."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clwork.lab import Panel
from clwork.lab.panel.frame import STYLES
from clwork.lab.panel.pictures import picture as registry
from clwork.lab.panel.pictures import pictures as board
from clwork.lab.panel.pictures.picture import SLOTS

from .test_panel import PATIENCE

OWN = '''
import ipywidgets as widgets

from clwork.lab.panel.pictures.picture import Slot, add_picture


class LastLoss:
    """A picture of one number."""

    def __init__(self, shown, size):
        self.tracks, self.drawn = shown.tracks, []
        self.box = widgets.HTML(layout=widgets.Layout(width=f"{size[0]}px", height=f"{size[1]}px"))

    def draw(self, run):
        self.box.value = f"{run.name}: {self.tracks.last('loss')}"
        self.drawn.append(self.box.value)

    def clear(self):
        self.drawn.append("cleared")


add_picture(Slot("last_loss", "foot", (800, 30), LastLoss))
'''


def test_a_new_picture_is_one_module(
    make_panel: Callable[..., Panel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "SLOTS", list(SLOTS))
    monkeypatch.setattr(board, "SLOTS", registry.SLOTS)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "one_more_picture.py").write_text(OWN, encoding="utf-8")
    for _ in range(2):  # a cell that is run again replaces the picture
        importlib.reload(importlib.import_module("one_more_picture"))
    panel = make_panel(steps=2)
    picture = panel.pictures.last_loss
    assert panel.children[-1] is picture.box and picture.drawn == ["cleared"]
    for _ in range(2):
        panel.start()
        panel.wait(PATIENCE)
        assert panel.run.status == "finished", panel.run.error
        assert picture.drawn[-1] == f"{panel.run.name}: {panel.run.records()[-1]['loss']}"
    again = picture.drawn.index("cleared", 2)
    assert picture.drawn[again - 1].split(":")[0] != picture.drawn[again + 1].split(":")[0]
    sys.modules.pop("one_more_picture")


def inside(widget: Any) -> Iterator[Any]:
    """A widget and all that it holds."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from inside(child)


def test_every_picture_stands_once_in_the_part_that_its_row_names(make_panel: Callable[..., Panel]) -> None:
    panel = make_panel()
    assert len({slot.name for slot in SLOTS}) == len(SLOTS)
    everything = list(inside(panel))
    for slot in SLOTS:
        box = getattr(panel.pictures, slot.name).box
        assert everything.count(box) == 1
        if slot.place != "foot":
            part = next(one for one in everything if f"clwork-{slot.place}" in one._dom_classes)
            assert box in part.children
    with pytest.raises(AttributeError, match="no picture 'clouds'"):
        _ = panel.pictures.clouds


def test_the_screen_fixes_no_size_in_pixels_outside_of_its_style_sheet(make_panel: Callable[..., Panel]) -> None:
    """What is as large as its box is told so by a class, and the style sheet knows every class of a part."""
    panel = make_panel()
    stage = next(one for one in inside(panel) if "clwork-stage" in one._dom_classes)
    for figure in (one for one in inside(stage) if "clwork-fills" in one._dom_classes):
        assert figure.layout.width is None and figure.layout.height is None
    known = set(re.findall(r"\.(clwork-[a-z]+)", "".join(sheet.read_text(encoding="utf-8") for sheet in STYLES)))
    parts = {name for child in stage.children for name in child._dom_classes if name.startswith("clwork-")}
    assert parts and parts <= known
