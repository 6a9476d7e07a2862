"""A column of the history is described once: its row decides where it is seen."""

from __future__ import annotations

from typing import Any

import pytest

from clwork import columns, data, views
from clwork.columns import TABLE, Column
from clwork.encoders import load_encoder
from clwork.training.probe import make_probe
from clwork.views._curves import titles


def test_what_a_look_measures_has_a_row() -> None:
    texts = data.sentences("wikipedia-mini")[:100]
    measured = make_probe(texts, None).measure(load_encoder("mini", device="cpu"), 0, whole=True)
    assert set(measured) <= {column.name for column in TABLE} and len(measured) == 9


def test_a_new_row_alone_brings_a_column_into_every_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Column(
        "hubness",
        "Made up.",
        unit="× 100",
        scale=100.0,
        better="lower",
        cell="validation",
        shown=("numbers", "desk", "choice"),
    )
    monkeypatch.setattr(columns, "TABLE", (*TABLE, own))
    monkeypatch.setattr(columns, "_BY_NAME", {column.name: column for column in (*TABLE, own)})
    rows: list[dict[str, Any]] = [{"step": step, "hubness": 0.25} for step in range(3)]
    drawn = next(trace for trace in views.curves(rows).data if trace.name == "hubness × 100")
    assert list(drawn.y) == [25.0] * 3
    over = views.overlay({"run": [rows]}, ("hubness",))
    assert over.layout.annotations[0].text == "hubness × 100 (lower is better)" and over.data[0].y[-1] == 25.0
    assert titles()[-1] == "validation × 100", "its columns no longer agree on which way is better"
    assert "hubness" in columns.shown("numbers")
    assert columns.choices(["loss", "hubness"], ["loss"]) == ["hubness"] and "hubness" in columns.shown("desk")
