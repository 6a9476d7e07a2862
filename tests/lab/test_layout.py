"""The panel's pictures come from one list: a row there is all that the panel asks of a new one."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets
import pytest

from clwork.lab import Panel
from clwork.lab.layout import SLOTS, WIDE, Slot
from clwork.lab.pictures import board
from clwork.training import Run
from clwork.views import Tracks

from .test_panel import PATIENCE


class LastLoss:
    """A picture of one number."""

    def __init__(self, tracks: Tracks, size: tuple[int, int]) -> None:
        self.tracks, self.told = tracks, list[str]()
        self.box = widgets.HTML(layout=widgets.Layout(width=f"{size[0]}px", height=f"{size[1]}px"))

    def draw(self, run: Run) -> None:
        self.box.value = f"{run.name}: {self.tracks.last('loss')}"
        self.told.append(self.box.value)

    def clear(self) -> None:
        self.told.append("cleared")


def test_a_new_picture_is_a_row_of_the_list(make_panel: Callable[..., Panel], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "SLOTS", (*SLOTS, Slot("last_loss", "foot", (WIDE, 30), LastLoss)))
    panel = make_panel(steps=2)
    picture: LastLoss = panel.pictures.last_loss
    assert panel.children[-1] is picture.box and picture.told == ["cleared"]
    for _ in range(2):
        panel.start()
        panel.wait(PATIENCE)
        assert panel.run.status == "finished", panel.run.error
        assert picture.told[-1] == f"{panel.run.name}: {panel.run.records()[-1]['loss']}"
    again = picture.told.index("cleared", 2)
    assert picture.told[again - 1].split(":")[0] != picture.told[again + 1].split(":")[0]


def test_every_picture_has_the_size_of_its_row_and_the_rows_fit(make_panel: Callable[..., Panel]) -> None:
    panel = make_panel()
    for slot in SLOTS:
        layout = getattr(panel.pictures, slot.name).drawn.box.layout
        assert (layout.width, layout.height) == tuple(f"{pixels}px" for pixels in slot.size)
    assert len({slot.name for slot in SLOTS}) == len(SLOTS)
    assert sum(slot.size[0] for slot in SLOTS if slot.place == "below") <= WIDE
    with pytest.raises(AttributeError, match="no picture 'clouds'"):
        _ = panel.pictures.clouds
