"""Transfer: SentEval's folds against scikit-learn's search, labels validated first, and explained failures."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

from clwork import metrics
from clwork.metrics.classifiers import NESTED, ROUNDS, SEED, _features

Floats = npt.NDArray[np.float32]


@dataclass
class Part:
    texts: list[str]
    labels: list[str]
    others: list[str] | None = None


@dataclass
class Task:
    splits: dict[str, Part]


@dataclass
class Table:
    """An encoder that returns stored vectors."""

    vectors: dict[str, Floats]
    seen: list[list[str]] = field(default_factory=list)

    def encode(self, texts: list[str]) -> Floats:
        self.seen.append(list(texts))
        return np.stack([self.vectors[text] for text in texts])


def made(count: int, classes: int, seed: int = 0, dims: int = 6, noise: float = 1.2) -> tuple[Part, dict[str, Floats]]:
    """Texts whose vectors are near their class's corner, with enough noise that no classifier is perfect."""
    random = np.random.default_rng(seed)
    labels = [str(i % classes) for i in range(count)]
    texts = [f"{seed}-{i}" for i in range(count)]
    vectors = np.eye(dims)[[int(label) for label in labels]] + noise * random.standard_normal((count, dims))
    return Part(texts, labels), dict(zip(texts, vectors.astype(np.float32), strict=True))


def matrix(part: Part, vectors: dict[str, Floats]) -> Floats:
    return np.stack([vectors[text] for text in part.texts])


def test_nested_folds_are_scikit_learn_s_nested_search() -> None:
    part, vectors = made(90, 2)
    found = metrics.transfer(Table(vectors), {"mr": Task({"all": part})}, folds=3)
    folds = StratifiedKFold(3, shuffle=True, random_state=SEED)
    search = GridSearchCV(LogisticRegression(max_iter=ROUNDS), {"C": [0.25, 0.5, 1, 2, 4, 8]}, cv=folds)
    expected = cross_val_score(search, matrix(part, vectors), part.labels, cv=folds).mean()
    assert set(found) == {"mr", "avg"} and type(found["mr"]) is float and found["avg"] == found["mr"]
    assert found["mr"] == pytest.approx(100 * expected, abs=1e-9) and 60 < found["mr"] < 95


def test_the_penalty_is_chosen_by_folds_of_train_or_by_validation() -> None:
    parts: dict[str, Part] = {}
    vectors: dict[str, Floats] = {}
    for seed, split in enumerate(("train", "validation", "test")):
        parts[split], new = made(90, 3, seed=seed)
        vectors |= new
    x = {split: matrix(part, vectors) for split, part in parts.items()}
    two = Task({"train": parts["train"], "test": parts["test"]})
    found = metrics.transfer(Table(vectors), {"trec": two, "sst2": Task(parts)}, folds=5, seed=7)
    folds = StratifiedKFold(5, shuffle=True, random_state=7)
    search = GridSearchCV(LogisticRegression(max_iter=ROUNDS), {"C": [0.5, 1, 2, 4, 8, 16, 32]}, cv=folds)
    expected = search.fit(x["train"], parts["train"].labels).score(x["test"], parts["test"].labels)
    assert found["trec"] == pytest.approx(100 * expected, abs=1e-9)
    models = [LogisticRegression(C=c, max_iter=ROUNDS).fit(x["train"], parts["train"].labels) for c in NESTED]
    scores = [model.score(x["validation"], parts["validation"].labels) for model in models]
    best = models[int(np.argmax(scores))].score(x["test"], parts["test"].labels)
    assert found["sst2"] == pytest.approx(100 * best, abs=1e-9)


def test_pairs_become_difference_and_product() -> None:
    vectors = {"u": np.array([1, 2], np.float32), "v": np.array([3, -1], np.float32)}
    task = Task({"all": Part(["u", "v"], ["0", "1"], ["v", "v"])})
    assert _features(Table(vectors), {"mrpc": task})["mrpc"]["all"].tolist() == [[2, 3, 3, -2], [0, 0, 9, 1]]


def test_classification_scores_are_scikit_learn_s_macro_means() -> None:
    random = np.random.default_rng(0)
    true, guess = random.integers(0, 7, 300), random.integers(0, 6, 300)  # one class is never guessed
    found = metrics.classification_scores(true.tolist(), guess.tolist())
    many = {"average": "macro", "zero_division": 0}
    assert found == pytest.approx(
        {
            "accuracy": 100 * accuracy_score(true, guess),
            "f1": 100 * f1_score(true, guess, **many),
            "precision": 100 * precision_score(true, guess, **many),
            "recall": 100 * recall_score(true, guess, **many),
        }
    )


def test_too_few_labels_of_a_class_are_refused_before_encoding() -> None:
    table = Table({})
    part = Part([str(i) for i in range(500)], ["objective"] * 498 + ["subjective"] * 2)
    with pytest.raises(ValueError, match=r"subj \(all\) has 'objective' 498, 'subjective' 2.*corrupt SUBJ"):
        metrics.transfer(table, {"subj": Task({"all": part})})
    with pytest.raises(ValueError, match="'x' 3"):
        metrics.transfer(table, {"a": Task({"all": Part(["a", "b", "c"], ["x"] * 3)})})
    assert table.seen == []


def test_a_collapsed_encoder_is_explained() -> None:
    part, vectors = made(40, 2)
    flat = {text: np.full(6, 0.1, np.float32) for text in vectors}
    with pytest.raises(metrics.CollapsedEncoderError, match="40 texts have the same vector"):
        metrics.transfer(Table(flat), {"a": Task({"all": part})}, folds=2)
