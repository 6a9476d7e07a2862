from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clwork.data import hub_datasets, pairs, paraphrases, triplets

Writer = Callable[[str, list[dict[str, Any]]], Path]


def overlap(a: str, b: str) -> float:
    """F1 of the word sets."""
    one, other = (set(re.findall(r"[a-z']+", text.lower())) for text in (a, b))
    return 2 * len(one & other) / (len(one) + len(other))


def test_handwritten_triplets() -> None:
    rows = triplets()
    assert len(rows) == 240 and all(len(row) == 3 for row in rows)
    texts = [text.casefold() for row in rows for text in row]
    assert len(set(texts)) == len(texts)
    assert all(text == text.strip() and text[-1] == "." and len(text.split()) >= 3 for text in texts)
    entailed = sum(overlap(p, e) for p, e, _ in rows) / 240
    contradicted = sum(overlap(p, c) for p, _, c in rows) / 240
    assert contradicted > 0.7 and entailed < 0.2  # counting words ranks the contradiction first
    assert sum(overlap(p, c) > overlap(p, e) for p, e, c in rows) > 230


def test_handwritten_paraphrases() -> None:
    rows = paraphrases()
    assert len(rows) == 120 and all(len(row) == 2 for row in rows)
    texts = [text.casefold() for row in rows for text in row]
    assert len(set(texts)) == len(texts)
    assert 50 <= sum(overlap(*row) < 0.45 for row in rows) <= 70


def test_files_of_triplets(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for columns in pairs.TRIPLET_COLUMNS:
        with subtests.test(columns=columns):
            path = tmp_path / "t.csv"
            path.write_text(f"id,{','.join(reversed(columns))}\n1,three,two,one\n2,three,,one\n", encoding="utf-8")
            assert triplets(path) == [("one", "two", "three")]  # the row with a blank cell is left out


def test_jsonl(jsonl: Writer) -> None:
    rows = [{"premise": " a ", "entailment": "b", "contradiction": "c"}, {"premise": "d"}]
    with pytest.raises(ValueError, match="row 2: no entailment, contradiction; the columns are premise"):
        triplets(jsonl("t.jsonl", rows))
    assert triplets(str(jsonl("t.jsonl", rows[:1]))) == [("a", "b", "c")]


def test_wrong_files(tmp_path: Path, jsonl: Writer) -> None:
    with pytest.raises(ValueError, match="'sentence1', 'sentence2'; triplets need one of: premise"):
        triplets(jsonl("t.jsonl", [{"sentence1": "a", "sentence2": "b"}]))
    with pytest.raises(ValueError, match="no complete triplet"):
        triplets(jsonl("t.jsonl", [{"premise": "a", "entailment": None, "contradiction": "c"}]))
    with pytest.raises(ValueError, match="has no columns"):
        (tmp_path / "t.txt").write_text("a\n", encoding="utf-8")
        triplets(tmp_path / "t.txt")
    with pytest.raises(FileNotFoundError, match=r"no file .*nothing\.csv"):
        triplets(tmp_path / "nothing.csv")
    with pytest.raises(TypeError, match="list"):
        triplets([("a", "b", "c")])  # type: ignore[arg-type]


def test_simcse_triplets_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, split: str, data_files: str) -> list[dict[str, str]]:
        assert (name, split, data_files) == ("princeton-nlp/datasets-for-simcse", "train", "nli_for_simcse.csv")
        return [{"sent0": "a", "sent1": "b", "hard_neg": "c"}]

    monkeypatch.setattr(hub_datasets, "load", load)
    assert triplets("hub") == [("a", "b", "c")]
