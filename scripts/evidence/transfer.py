"""Transfer tasks: accuracy of a linear classifier on frozen vectors (SentEval).

MR and TREC have SentEval's splits. WOS is split 8:1:1 within each class, always in the same way.
(MoCoUTRL's script does not shuffle, and its parts share boundary rows: M16.)
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, precision_recall_fscore_support
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict

from clwork.claims.measures import Measures, represent
from clwork.encoders import Encoder

# The tasks of each measure, and the files of each task.
TRANSFER = {"transfer": ("mr", "trec"), "wos": ("wos",), "wos_f1": ("wos",)}
FILES = {"mr": ("all",), "trec": ("train", "test"), "wos": ("all",)}
# The first of these columns that a file has; TREC's six classes are its coarse labels.
LABELS = ("label_coarse", "coarse_label", "label")
# SentEval's grids for scikit-learn's C, the inverse strength of the L2 penalty.
NESTED = tuple(2.0**power for power in range(-2, 4))
TRAIN_TEST = tuple(2.0**power for power in range(-1, 6))
SEED = 1111
FOLDS = 10
ROUNDS = 100  # optimizer iterations as in SentEval; 1,000 add at most one point of accuracy
Task = Mapping[str, tuple[list[str], list[str]]]
"""Texts and labels by split: all; train and test; or train, validation and test."""


def measure_transfer(
    encoder: Encoder, pooling: str, wanted: Iterable[str], folder: Path
) -> Measures:
    """Train linear classifiers on the vectors and return the measures ``wanted``."""
    names = dict.fromkeys(task for measure in wanted for task in TRANSFER[measure])
    tasks = {task: read_task(task, folder / "transfer") for task in names}
    scores = {
        name: score(task, lambda texts: represent(encoder, pooling, texts))
        for name, task in tasks.items()
    }
    values: Measures = {}
    if "wos" in scores:
        values |= {"wos": scores["wos"]["accuracy"], "wos_f1": scores["wos"]["f1"]}
    if {"mr", "trec"} <= scores.keys():
        values["transfer"] = (scores["mr"]["accuracy"] + scores["trec"]["accuracy"]) / 2
    return values


def read_task(name: str, folder: Path) -> Task:
    """Read a task from ``<name>/<split>.jsonl``, with a text and a label in each line."""
    splits = {split: read_split(folder / name / f"{split}.jsonl") for split in FILES[name]}
    return cut(*splits["all"]) if name == "wos" else splits


def read_split(path: Path) -> tuple[list[str], list[str]]:
    """Return the texts and labels of a file."""
    texts, labels = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        texts.append(str(row["text"] if "text" in row else row["sentence"]))
        labels.append(str(next(row[name] for name in LABELS if name in row)).strip())
    return texts, labels


def cut(texts: Sequence[str], labels: Sequence[str]) -> Task:
    """Split 8:1:1 into train, validation and test within every class; rows keep their order."""
    random = np.random.default_rng(0)
    label_of_row = np.array(labels)
    chosen: dict[str, list[int]] = {"train": [], "validation": [], "test": []}
    for label in sorted(set(labels)):
        shuffled = random.permutation(np.flatnonzero(label_of_row == label)).tolist()
        count = round(0.1 * len(shuffled))
        chosen["validation"] += shuffled[:count]
        chosen["test"] += shuffled[count : 2 * count]
        chosen["train"] += shuffled[2 * count :]
    return {
        split: ([texts[i] for i in sorted(rows)], [labels[i] for i in sorted(rows)])
        for split, rows in chosen.items()
    }


def score(
    task: Task, encode: Callable[[list[str]], npt.NDArray[Any]], folds: int = FOLDS
) -> dict[str, float]:
    """Return accuracy, precision, recall and F1, × 100, of a logistic regression on the vectors.

    The penalty of a task with the split ``all`` is chosen by nested stratified folds; with
    ``train`` and ``test`` by stratified folds of ``train``; else on ``validation``.
    """
    distinct = list(dict.fromkeys(text for texts, _ in task.values() for text in texts))
    row_of = {text: row for row, text in enumerate(distinct)}
    vectors = encode(distinct)
    x = {split: vectors[[row_of[text] for text in texts]] for split, (texts, _) in task.items()}
    y = {split: np.array(labels) for split, (_, labels) in task.items()}
    folded = StratifiedKFold(folds, shuffle=True, random_state=SEED)
    with warnings.catch_warnings():
        # Each fit warns, because of the few ROUNDS.
        warnings.simplefilter("ignore", ConvergenceWarning)
        if "all" in y:
            predicted = cross_val_predict(search(NESTED, folded), x["all"], y["all"], cv=folded)
            right = predicted == y["all"]
            accuracy = np.mean([right[rows].mean() for _, rows in folded.split(x["all"], y["all"])])
            scores = classification_scores(y["all"].tolist(), predicted.tolist())
            # SentEval's accuracy is the mean over the folds.
            return {**scores, "accuracy": 100 * float(accuracy)}
        if "validation" in y:
            models = [
                LogisticRegression(C=c, max_iter=ROUNDS).fit(x["train"], y["train"]) for c in NESTED
            ]
            model = max(models, key=lambda one: float(one.score(x["validation"], y["validation"])))
        else:
            model = search(TRAIN_TEST, folded).fit(x["train"], y["train"])
    return classification_scores(y["test"].tolist(), model.predict(x["test"]).tolist())


def search(strengths: Sequence[float], folds: StratifiedKFold) -> GridSearchCV:
    """Return a classifier that chooses its penalty by folds."""
    return GridSearchCV(LogisticRegression(max_iter=ROUNDS), {"C": list(strengths)}, cv=folds)


def classification_scores(true: Sequence[Any], predicted: Sequence[Any]) -> dict[str, float]:
    """Return ``accuracy`` and macro-averaged ``precision``, ``recall`` and ``f1``, × 100.

    ``accuracy`` is the share of correct predictions; the one-against-rest average of MoCoUTRL's
    eq. 13 would be higher (discrepancy M12). A class that is never predicted has precision 0.
    """
    precision, recall, f1, _ = precision_recall_fscore_support(
        true, predicted, average="macro", zero_division=0.0
    )
    scores = {
        "accuracy": accuracy_score(true, predicted),
        "f1": f1,
        "precision": precision,
        "recall": recall,
    }
    return {name: 100 * float(score) for name, score in scores.items()}
