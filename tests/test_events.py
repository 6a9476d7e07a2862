"""Events of a run are data; one function converts them to text."""

from __future__ import annotations

from typing import Any

from clwork.events import WORDS, moves, sentence

SENTENCES: list[tuple[dict[str, Any], str]] = [
    (
        {"moved": {"temperature": [0.05, 0.1], "count": [1, 2]}},
        "temperature 0.05 → 0.1, count 1 → 2",
    ),
    ({"resumed": 5}, "resumed from step 5"),
    ({"forked": {"run": "a-001", "step": 4, "changed": {}}}, "forked from a-001 at step 4"),
    (
        {"forked": {"run": "a-001", "step": 4, "changed": {"seed": [0, 1]}}},
        "forked from a-001 at step 4: seed 0 → 1",
    ),
    ({"usable": 0.6}, "60 % of sentences usable"),
    (
        {"unknown": 0.98},
        "98 % of the tokens are unknown to the encoder's vocabulary, so that different texts look "
        "equal; give an encoder of the texts' language, such as a multilingual one",
    ),
    ({"overflow": 512.0}, "update skipped: a gradient exceeded float16 (loss scale now 512)"),
]


def test_every_kind_has_a_text() -> None:
    for event, words in SENTENCES:
        row = {"step": 3, "events": [event, {"resumed": 2}]}
        assert sentence(row) == f"{words}; resumed from step 2"
        assert moves(row) == (words if "moved" in event else "")
    assert set(WORDS) == {kind for event, _ in SENTENCES for kind in event}
