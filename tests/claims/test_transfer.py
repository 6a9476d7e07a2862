"""Transfer tasks of the evidence: splits and labels, and SentEval's folds against scikit-learn's
search."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

from scripts.evidence.transfer import NESTED, ROUNDS, SEED, cut, read_task, score

Part = tuple[list[str], list[str]]
Vectors = dict[str, npt.NDArray[Any]]


def made(
    count: int, classes: int, seed: int = 0, dims: int = 6, noise: float = 1.2
) -> tuple[Part, Vectors]:
    """Texts whose vectors are near their class's corner, with enough noise that no classifier is
    perfect."""
    random = np.random.default_rng(seed)
    labels = [str(i % classes) for i in range(count)]
    texts = [f"{seed}-{i}" for i in range(count)]
    vectors = np.eye(dims)[[int(label) for label in labels]] + noise * random.standard_normal(
        (count, dims)
    )
    return (texts, labels), dict(zip(texts, vectors.astype(np.float32), strict=True))


def table(vectors: Vectors) -> Any:
    return lambda texts: np.stack([vectors[text] for text in texts])


def test_nested_folds_are_scikit_learn_s_nested_search() -> None:
    (texts, labels), vectors = made(90, 2)
    found = score({"all": (texts, labels)}, table(vectors), folds=3)
    folds = StratifiedKFold(3, shuffle=True, random_state=SEED)
    search = GridSearchCV(
        LogisticRegression(max_iter=ROUNDS), {"C": [0.25, 0.5, 1, 2, 4, 8]}, cv=folds
    )
    expected = cross_val_score(search, table(vectors)(texts), labels, cv=folds).mean()
    assert found["accuracy"] == pytest.approx(100 * expected, abs=1e-9)
    assert 60 < found["accuracy"] < 95


def test_the_penalty_is_chosen_by_folds_of_train_or_by_validation() -> None:
    parts: dict[str, Part] = {}
    vectors: Vectors = {}
    for seed, split in enumerate(("train", "validation", "test")):
        parts[split], new = made(90, 3, seed=seed)
        vectors |= new
    x = {split: table(vectors)(texts) for split, (texts, _) in parts.items()}
    y = {split: labels for split, (_, labels) in parts.items()}
    two = score({"train": parts["train"], "test": parts["test"]}, table(vectors), folds=5)
    folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
    search = GridSearchCV(
        LogisticRegression(max_iter=ROUNDS), {"C": [0.5, 1, 2, 4, 8, 16, 32]}, cv=folds
    )
    expected = search.fit(x["train"], y["train"]).score(x["test"], y["test"])
    assert two["accuracy"] == pytest.approx(100 * expected, abs=1e-9)
    models = [LogisticRegression(C=c, max_iter=ROUNDS).fit(x["train"], y["train"]) for c in NESTED]
    scores = [model.score(x["validation"], y["validation"]) for model in models]
    best = models[int(np.argmax(scores))].score(x["test"], y["test"])
    assert score(parts, table(vectors))["accuracy"] == pytest.approx(100 * best, abs=1e-9)


def test_trec_has_its_coarse_classes_and_mr_one_split(tmp_path: Path) -> None:
    rows: dict[str, list[dict[str, Any]]] = {
        "trec/train": [{"text": "how far", "label": "fine", "label_coarse": "NUM"}],
        "trec/test": [{"text": "who", "label": "fine", "label_coarse": "HUM"}],
        "mr/all": [{"sentence": "good", "label": 1}],
    }
    for name, lines in rows.items():
        path = tmp_path / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert read_task("trec", tmp_path) == {
        "train": (["how far"], ["NUM"]),
        "test": (["who"], ["HUM"]),
    }
    assert read_task("mr", tmp_path) == {"all": (["good"], ["1"])}
    with pytest.raises(FileNotFoundError, match="wos"):
        read_task("wos", tmp_path)


def test_wos_is_split_shuffled_and_in_proportion() -> None:
    counts = {
        "CS": 140,
        "Medical": 310,
        "Civil": 90,
        "ECE": 120,
        "biochemistry": 120,
        "MAE": 70,
        "Psychology": 150,
    }
    labels = [label for label, count in counts.items() for _ in range(count)]
    texts = [f"{label} {i}" for label, count in counts.items() for i in range(count)]
    splits = cut(texts, labels)
    for split, share in (("train", 0.8), ("validation", 0.1), ("test", 0.1)):
        assert Counter(splits[split][1]) == {
            label: round(share * count) for label, count in counts.items()
        }
    every = [text for part, _ in splits.values() for text in part]
    assert len(set(every)) == len(every) == 1000, "no row is in two parts, and none is lost (M16)"
    assert "CS 0" in splits["train"][0]
    assert set(splits["test"][0]) != {f"CS {i}" for i in range(14)}
    assert cut(texts, labels) == splits
