"""What happens in a run is data, and is put into words in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from clwork.events import WORDS, moves, sentence
from clwork.training import RunFolder
from clwork.training.disk.record import Record
from clwork.training.disk.schema import CheckpointMeta, Event, check_row
from clwork.views import RunColumns

TOLD: list[tuple[dict[str, Any], str]] = [
    ({"moved": {"temperature": [0.05, 0.1], "count": [1, 2]}}, "temperature 0.05 → 0.1, count 1 → 2"),
    ({"paused": 2.6}, "paused 3 s"),
    ({"resumed": 5}, "resumed from step 5"),
    ({"changed": "sentences"}, "sentences changed"),
    ({"forked": {"run": "a-001", "step": 4, "changed": {}}}, "forked from a-001 at step 4"),
    (
        {"forked": {"run": "a-001", "step": 4, "changed": {"seed": [0, 1]}}},
        "forked from a-001 at step 4: seed 0 → 1",
    ),
    ({"usable": 0.6}, "60 % of sentences usable"),
    ({"lost": [4, 1, 4]}, "steps 1 to 4 missing from the record"),
    ({"lost": [1, 7, 7]}, "step 7 missing from the record"),
    ({"lost": [3, 1, 9]}, "3 steps between 1 and 9 missing from the record"),
    ({"damaged": 1}, "1 damaged line of the record left out"),
    ({"damaged": 2}, "2 damaged lines of the record left out"),
    ({"told": "of old"}, "of old"),
]


def test_every_kind_has_words_and_a_schema_and_is_read_back() -> None:
    for event, words in TOLD:
        row = check_row({"step": 3, "events": [event, {"resumed": 2}]}, Path("record.jsonl"))
        assert sentence(row) == f"{words}; resumed from step 2"
        assert Event.model_validate(event).model_dump(exclude_unset=True) == event
    assert set(WORDS) == set(Event.model_fields) == {kind for event, _ in TOLD for kind in event}


def test_what_is_no_event_is_refused() -> None:
    wrong: list[Any] = [[{"moved": {"temperature": [0.1]}}], [{}], ["paused"], [{"paused": None}], {"a": 1}]
    for events in wrong:
        with pytest.raises(ValueError, match=r"record\.jsonl is damaged"):
            check_row({"step": 3, "events": events}, Path("record.jsonl"))


def test_a_sentence_of_an_older_run_is_shown_as_it_is(tmp_path: Path) -> None:
    lines = ['{"step": 0}', '{"step": 1, "loss": 2.0, "event": "temperature 0.05 → 0.1; paused 3 s"}']
    (tmp_path / "record.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    record = Record(RunFolder(tmp_path), upto=1)
    record.add({"step": 2, "events": [{"moved": {"temperature": [0.1, 0.2]}}, {"paused": 1.0}]})
    again = Record(RunFolder(tmp_path))
    expected = ["", "temperature 0.05 → 0.1; paused 3 s", "temperature 0.1 → 0.2; paused 1 s"]
    assert again.frame()["event"].tolist() == expected and "events" not in again.frame()
    assert [moves(row) for row in again.rows()] == ["", expected[1], "temperature 0.1 → 0.2"]
    assert (
        moves({"step": 3, "events": [{"told": "temperature 0.1 → 0.2"}, {"told": "paused 3 s"}]})
        == "temperature 0.1 → 0.2"
    )
    drawn = [(1, expected[1]), (2, expected[2])]
    assert RunColumns(again.rows()).events == RunColumns(pd.DataFrame(again.rows()).to_dict("records")).events == drawn


def test_what_an_older_checkpoint_has_to_tell_is_kept() -> None:
    meta = CheckpointMeta(
        step=3,
        config={},
        seconds=1.0,
        probe_seconds=0.0,
        events=["paused 3 s", Event(moved={"temperature": [0.1, 0.2]})],
    )
    assert meta.pending_events() == [{"told": "paused 3 s"}, {"moved": {"temperature": [0.1, 0.2]}}]
