"""Events of a run are data; one function converts them to text."""

from __future__ import annotations

from typing import Any

from clwork.events import WORDS, moves, sentence

SENTENCES: list[tuple[dict[str, Any], str]] = [
    (
        {"moved": {"temperature": [0.05, 0.1], "count": [1, 2]}},
        "temperature 0.05 → 0.1, count 1 → 2",
    ),
    ({"paused": 2.6}, "paused 3 s"),
    ({"resumed": 5}, "resumed from step 5"),
    ({"changed": "sentences"}, "sentences changed"),
    ({"forked": {"run": "a-001", "step": 4, "changed": {}}}, "forked from a-001 at step 4"),
    (
        {"forked": {"run": "a-001", "step": 4, "changed": {"seed": [0, 1]}}},
        "forked from a-001 at step 4: seed 0 → 1",
    ),
    (
        {"pooling": {"trained": "mean", "loaded": "mean", "auto": True, "declared": True}},
        "pooling auto: mean, the encoder's own",
    ),
    (
        {
            "pooling": {
                "trained": "mean",
                "loaded": "cls_before_pooler",
                "auto": True,
                "declared": False,
            }
        },
        "pooling auto: mean, since the encoder declares none",
    ),
    (
        {
            "pooling": {
                "trained": "cls_before_pooler",
                "loaded": "mean",
                "auto": False,
                "declared": True,
            }
        },
        "pooling cls_before_pooler, but the encoder as loaded has mean",
    ),
    ({"untrained": {"stsb": 86.66, "sickr": 70.0}}, "as loaded: stsb 86.7, sickr 70.0"),
    ({"usable": 0.6}, "60 % of sentences usable"),
    (
        {"unknown": 0.98},
        "98 % of the tokens are unknown to the encoder's vocabulary, so that different texts look "
        "equal; give an encoder of the texts' language, such as a multilingual one",
    ),
    ({"repeated": 0.976}, "97.6 % of examples repeat another one (apart from case and blanks)"),
    ({"lost": [4, 1, 4]}, "steps 1 to 4 missing from the record"),
    ({"lost": [1, 7, 7]}, "step 7 missing from the record"),
    ({"lost": [3, 1, 9]}, "3 steps between 1 and 9 missing from the record"),
    ({"overflow": 512.0}, "update skipped: a gradient exceeded float16 (loss scale now 512)"),
    ({"damaged": 1}, "1 damaged line of the record left out"),
    ({"damaged": 2}, "2 damaged lines of the record left out"),
]


def test_every_kind_has_a_text() -> None:
    for event, words in SENTENCES:
        row = {"step": 3, "events": [event, {"resumed": 2}]}
        assert sentence(row) == f"{words}; resumed from step 2"
        assert moves(row) == (words if "moved" in event else "")
    assert set(WORDS) == {kind for event, _ in SENTENCES for kind in event}
