"""A metric costs a function with its row in ``OF_CLOUD``, and a row in clwork/columns.py: all else finds it there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from clwork import columns, lab
from clwork.columns import SCORE, TABLE, Column
from clwork.lab import Panel
from clwork.metrics import geometry
from clwork.metrics.inputs import Vectors

from .panel.client import Client, values

OWN = Column("spread", "Made up: the largest coordinate.", better="higher", shown=("history", *SCORE))


def spread(x: Vectors) -> float:
    return float(np.abs(np.asarray(x)).max())


def test_a_row_and_a_function_bring_a_metric_everywhere(
    make_panel: Callable[..., Panel], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(geometry, "OF_CLOUD", {**geometry.OF_CLOUD, OWN.name: spread})
    monkeypatch.setattr(columns, "TABLE", (*TABLE, OWN))
    monkeypatch.setattr(columns, "_BY_NAME", {column.name: column for column in (*TABLE, OWN)})
    panel = make_panel(steps=2, probe_every=1)
    page = Client(panel)
    page.trained()
    assert panel.run.probe is not None and panel.run.probe.vectors is not None
    last = spread(panel.run.probe.vectors)
    assert panel.run.records()[-1][OWN.name] == pytest.approx(last)
    assert list(panel.run.history[OWN.name]) == [row[OWN.name] for row in panel.run.records()]
    numbers = Client(panel, "fresh1").ask()["measurements"]
    assert [OWN.name, f"{last:.4g}"] in numbers["values"] and [OWN.name, OWN.name] in numbers["columns"]
    page.known = {"runs": [{"id": "", "probe": -1, "row": 0, "verdict": -1, "columns": [OWN.name]}]}
    assert values(page.ask()["runs"][0]["rows"])[OWN.name][-1] == pytest.approx(last)
    desk = lab.desk()
    try:
        assert desk.frame()[OWN.name].tolist() == [pytest.approx(last)]
        news = desk._update({})
        assert OWN.name in [name for _, name in news["view"]["others"]] and OWN.name in news["runs"]["columns"]
    finally:
        desk.close()
