"""Handwritten triplets and paraphrases, graded and silver pairs; and files of triplets."""

from __future__ import annotations

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


def test_silver_pairs_are_even_over_the_range_and_sentences_of_the_corpus() -> None:
    pairs = data.silver_pairs()
    texts = {*pairs.sentences1, *pairs.sentences2}
    assert (
        len(pairs) == 2000 and len(texts) == 4000 and texts <= {*data.sentences("wikipedia-mini")}
    )
    counts = np.histogram(pairs.scores, bins=silver_pairs.STEPS, range=(0, silver_pairs.HIGHEST))[0]
    assert counts.sum() == 2000 and counts.min() >= 48, (
        "fifty in each step, except for rounding at its ends"
    )
    assert pairs.provenance["sha256"] == SHA256 and "not people's" in pairs.provenance["evaluator"]


@pytest.mark.nightly
def test_silver_scores_are_the_strong_encoder_s_cosines() -> None:
    pairs, encoder = data.silver_pairs(), load_encoder("all-MiniLM-L6-v2", device="cpu")
    left, right = (encoder.encode(column[:60]) for column in (pairs.sentences1, pairs.sentences2))
    cosines = (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
    np.testing.assert_allclose(cosines, pairs.scores[:60], atol=1e-3)


def test_files_of_triplets(tmp_path: Path, jsonl: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in sources.TRIPLET_COLUMNS:
        path = tmp_path / "t.csv"
        path.write_text(
            f"id,{','.join(reversed(columns))}\n1,three,two,one\n2,three,,one\n", encoding="utf-8"
        )
        assert triplets(path) == [("one", "two", "three")], "the row with a blank cell is left out"
    rows = [{"premise": " a ", "entailment": "b", "contradiction": "c"}, {"premise": "d"}]
    with pytest.raises(
        ValueError, match="row 2 lacks entailment, contradiction; its columns are premise"
    ):
        triplets(jsonl("t.jsonl", rows))
    with pytest.raises(ValueError, match="'sentence1', 'sentence2'; triplets need one of: premise"):
        triplets(jsonl("t.jsonl", [{"sentence1": "a", "sentence2": "b"}]))
    with pytest.raises(TypeError, match="list"):
        triplets([("a", "b", "c")])  # type: ignore[arg-type]

    def load(name: str, split: str, data_files: str) -> list[dict[str, str]]:
        assert (name, split, data_files) == (
            "princeton-nlp/datasets-for-simcse",
            "train",
            "nli_for_simcse.csv",
        )
        return [{"sent0": "a", "sent1": "b", "hard_neg": "c"}]

    monkeypatch.setattr(tables, "load_from_hub", load)
    assert triplets("hub") == [("a", "b", "c")]
