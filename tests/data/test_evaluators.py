"""Handwritten triplets and paraphrases, graded and silver pairs; and files of triplets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clwork import data, load_encoder
from clwork.data import sources, tables, triplets
from clwork.encoders.model_files import SHA256
from scripts import silver_pairs

Writer = Callable[[str, list[dict[str, Any]]], Path]


def overlap(a: str, b: str) -> float:
    """F1 of the word sets."""
    one, other = (set(re.findall(r"[a-z']+", text.lower())) for text in (a, b))
    return 2 * len(one & other) / (len(one) + len(other))


def test_handwritten_triplets_and_paraphrases() -> None:
    rows = triplets()
    assert len(rows) == 240 and all(len(row) == 3 for row in rows)
    texts = [text.casefold() for row in rows for text in row]
    assert len(set(texts)) == len(texts)
    assert all(text == text.strip() and text[-1] == "." and len(text.split()) >= 3 for text in texts)
    entailed = sum(overlap(p, e) for p, e, _ in rows) / 240
    contradicted = sum(overlap(p, c) for p, _, c in rows) / 240
    assert contradicted > 0.7 and entailed < 0.2, "counting words ranks the contradiction first"
    pairs = data.paraphrases()
    assert len(pairs) == 120 and len({text.casefold() for row in pairs for text in row}) == 240
    assert 50 <= sum(overlap(*row) < 0.45 for row in pairs) <= 70


def test_graded_pairs_are_distributed_over_the_grades() -> None:
    pairs = data.graded_pairs()
    texts = [*pairs.sentences1, *pairs.sentences2]
    assert len(pairs) == 300 and len({text.casefold() for text in texts}) == 600
    assert all(text == text.strip() and text[-1] in ".?" for text in texts)
    assert all(score * 4 == int(score * 4) and 0 <= score <= 5 for score in pairs.scores)
    assert min(Counter(min(4, int(score)) for score in pairs.scores).values()) >= 40
    assert pairs.subsets is not None and min(Counter(pairs.subsets).values()) >= 13


def test_silver_pairs_are_even_over_the_range_and_sentences_of_the_corpus() -> None:
    pairs = data.silver_pairs()
    texts = {*pairs.sentences1, *pairs.sentences2}
    assert len(pairs) == 2000 and len(texts) == 4000 and texts <= {*data.sentences("wikipedia-mini")}
    counts = np.histogram(pairs.scores, bins=silver_pairs.STEPS, range=(0, silver_pairs.HIGHEST))[0]
    assert counts.sum() == 2000 and counts.min() >= 48, "fifty in each step, except for rounding at its ends"
    assert pairs.provenance["sha256"] == SHA256 and "not people's" in pairs.provenance["judge"]


@pytest.mark.nightly
def test_silver_scores_are_the_strong_encoder_s_cosines() -> None:
    pairs, encoder = data.silver_pairs(), load_encoder("all-MiniLM-L6-v2", device="cpu")
    left, right = (encoder.encode(column[:60]) for column in (pairs.sentences1, pairs.sentences2))
    cosines = (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
    np.testing.assert_allclose(cosines, pairs.scores[:60], atol=1e-3)


def test_files_of_triplets(tmp_path: Path, jsonl: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in sources.TRIPLET_COLUMNS:
        path = tmp_path / "t.csv"
        path.write_text(f"id,{','.join(reversed(columns))}\n1,three,two,one\n2,three,,one\n", encoding="utf-8")
        assert triplets(path) == [("one", "two", "three")], "the row with a blank cell is left out"
    rows = [{"premise": " a ", "entailment": "b", "contradiction": "c"}, {"premise": "d"}]
    with pytest.raises(ValueError, match="row 2: no entailment, contradiction; the columns are premise"):
        triplets(jsonl("t.jsonl", rows))
    with pytest.raises(ValueError, match="'sentence1', 'sentence2'; triplets need one of: premise"):
        triplets(jsonl("t.jsonl", [{"sentence1": "a", "sentence2": "b"}]))
    with pytest.raises(TypeError, match="list"):
        triplets([("a", "b", "c")])  # type: ignore[arg-type]

    def load(name: str, split: str, data_files: str) -> list[dict[str, str]]:
        assert (name, split, data_files) == ("princeton-nlp/datasets-for-simcse", "train", "nli_for_simcse.csv")
        return [{"sent0": "a", "sent1": "b", "hard_neg": "c"}]

    monkeypatch.setattr(tables, "load_from_hub", load)
    assert triplets("hub") == [("a", "b", "c")]
