"""Transfer tasks: accuracy of a linear classifier on frozen vectors (SentEval, Conneau & Kiela 2018)."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import AtLeastTwo, checked, kind, shown, strings
from ..wording import plural
from .inputs import (
    CollapsedEncoderError,
    Encodes,
    cause_of_equal_vectors,
    check_encoder,
    check_tasks,
    encoded,
    label_list,
)

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[Any]
# SentEval's grids for scikit-learn's C, the inverse strength of the L2 penalty
NESTED = tuple(2.0**power for power in range(-2, 4))
TRAIN_TEST = tuple(2.0**power for power in range(-1, 6))
SEED = 1111  # the seed of SentEval
LOPSIDED = 0.95
ROUNDS = 100  # optimizer iterations as in SentEval; 1,000 add at most one point of accuracy
SPLITS = ({"all"}, {"train", "test"}, {"train", "validation", "test"})


@checked()
def transfer(
    enc: Encodes, tasks: Mapping[str, Any], *, folds: AtLeastTwo = 10, seed: int = SEED, details: bool = False
) -> dict[str, float]:
    """Return the accuracy × 100 of a logistic regression on each task, and their mean as ``"avg"``; range [0, 100].

    The procedure is SentEval's, with scikit-learn's classifier. The penalty of a task with the split ``all`` (MR, CR,
    SUBJ, MPQA) is chosen by nested stratified folds (minutes at ``folds=10``); with ``train`` and ``test`` (TREC, MRPC)
    by stratified folds of ``train``; else (SST2, WOS) on ``validation``. A pair has the feature ``[|u − v|, u ⊙ v]``.
    ``details=True`` adds ``"task/f1"``, ``"task/precision"``, ``"task/recall"`` (of :func:`classification_scores`) and
    ``"task/majority"``, the accuracy of always predicting the largest class.

    Raises:
        CollapsedEncoderError: all texts have the same vector.
        ValueError: unknown splits, a class with fewer rows than folds, or one class with 95 % or more of the rows.
    """
    from sklearn.exceptions import ConvergenceWarning

    check_encoder(enc)
    check_tasks(tasks, "{'mr': task}")
    for name, task in tasks.items():
        _check(name, task, folds)
    features = _features(enc, tasks)
    accuracies: dict[str, float] = {}
    more: dict[str, float] = {}
    for name, task in tasks.items():
        labels = {split: np.array(part.labels) for split, part in task.splits.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # each fit warns, because of the few ROUNDS
            accuracy, true, predicted = _classify(features[name], labels, folds, seed)
        accuracies[name] = 100 * accuracy
        scores = classification_scores(true.tolist(), predicted.tolist())
        more |= {f"{name}/{key}": scores[key] for key in ("f1", "precision", "recall")}
        more[f"{name}/majority"] = 100 * max(Counter(true.tolist()).values()) / len(true)
    accuracies["avg"] = float(np.mean(list(accuracies.values())))
    return accuracies | more if details else accuracies


def classification_scores(true: Sequence[Any], predicted: Sequence[Any]) -> dict[str, float]:
    """Return ``accuracy`` and macro-averaged ``precision``, ``recall`` and ``f1``, × 100; range [0, 100].

    ``accuracy`` is the share of correct predictions; the one-against-rest average of MoCoUTRL's eq. 13 would be higher
    (M12). A class that is never predicted has precision 0.

    >>> classification_scores(["a", "a", "b", "c"], ["a", "b", "b", "b"])["accuracy"]
    50.0
    """
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    count = len(true) if hasattr(true, "__len__") else 0
    known = [label_list(true, "true", count), label_list(predicted, "predicted", count)]
    if not count or None in known[0] + known[1]:
        raise ValueError("true and predicted need at least one label, and none may be None or NaN; leave such rows out")
    if len({isinstance(label, str) for label in known[0] + known[1]}) > 1:
        raise TypeError("true and predicted mix strings and numbers, which are never equal; use one of the two")
    precision, recall, f1, _ = precision_recall_fscore_support(*known, average="macro", zero_division=0.0)
    scores = {"accuracy": accuracy_score(*known), "f1": f1, "precision": precision, "recall": recall}
    return {name: 100 * float(score) for name, score in scores.items()}


def _check(name: str, task: Any, folds: int) -> None:
    if not isinstance(getattr(task, "splits", None), Mapping):
        raise TypeError(f"{name} is {kind(task)} ({shown(task, 16)}), without splits; use clwork.data.transfer_task")
    if set(task.splits) not in SPLITS:
        raise ValueError(
            f"{name} has the splits {', '.join(task.splits)}; use all; train, test; or train, validation, test"
        )
    for split, part in task.splits.items():
        where = f"{name} ({split})"
        lengths = [len(strings(f"{where}: texts", texts)) for texts in (part.texts, part.others) if texts is not None]
        if len(set(lengths)) > 1:
            found = " and ".join(map(str, lengths))
            raise ValueError(f"{where}: texts and others have {found} rows; the numbers must be equal")
        counts = Counter(label_list(part.labels, f"{where}: labels", lengths[0]))
        if None in counts:
            rows = plural(counts[None], "row has", "rows have")
            raise ValueError(f"{where}: {rows} no label (None or NaN), of {lengths[0]} rows; leave these rows out")
        rows = ", ".join(f"{label!r} {count}" for label, count in counts.most_common(10)) or "no rows"
        if len(counts) < 2 or max(counts.values()) >= LOPSIDED * len(part.labels):
            raise ValueError(
                f"{where} has {rows}: always predicting the largest class is nearly always correct, so accuracy is "
                "meaningless; check that the file is complete (a corrupt SUBJ file gave every encoder 99.6 %)"
            )
        needed = folds + 2 if split == "all" else folds if split == "train" and len(task.splits) == 2 else 1
        if min(counts.values()) < needed:
            raise ValueError(f"{where} has {rows}; {folds} folds need at least {needed} of each: use fewer folds")


def _features(enc: Encodes, tasks: Mapping[str, Any]) -> dict[str, dict[str, Floats]]:
    """Return the feature matrix of every split of every task; encode each distinct text once."""
    parts = [part for task in tasks.values() for part in task.splits.values()]
    texts = list(dict.fromkeys(text for part in parts for text in (*part.texts, *(part.others or ()))))
    vectors = encoded(enc, texts).cpu().float().numpy()  # (T, D)
    if np.ptp(vectors, axis=0).max() <= 1e-6 * max(float(np.abs(vectors).max()), 1e-30):
        raise CollapsedEncoderError(
            f"all {len(texts)} texts have the same vector: {cause_of_equal_vectors(enc, texts)}"
        )
    place = {text: row for row, text in enumerate(texts)}

    def matrix(part: Any) -> Floats:
        left = vectors[[place[text] for text in part.texts]]
        if part.others is None:
            return left
        right = vectors[[place[text] for text in part.others]]
        return np.concatenate([np.abs(left - right), left * right], axis=1)  # (N, 2D)

    return {name: {split: matrix(part) for split, part in task.splits.items()} for name, task in tasks.items()}


def _classify(x: Mapping[str, Floats], y: Mapping[str, Labels], folds: int, seed: int) -> tuple[float, Labels, Labels]:
    """Return the accuracy in [0, 1], the true and the predicted labels."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict

    def search(strengths: Sequence[float], splitter: Any) -> Any:
        return GridSearchCV(LogisticRegression(max_iter=ROUNDS), {"C": list(strengths)}, cv=splitter)

    if "all" in y:
        splitter = StratifiedKFold(folds, shuffle=True, random_state=SEED)  # SentEval fixes the seed of these folds
        predicted = cross_val_predict(search(NESTED, splitter), x["all"], y["all"], cv=splitter)
        right = predicted == y["all"]
        return float(np.mean([right[at].mean() for _, at in splitter.split(x["all"], y["all"])])), y["all"], predicted
    if "validation" in y:
        models = [LogisticRegression(C=c, max_iter=ROUNDS).fit(x["train"], y["train"]) for c in NESTED]
        model = max(models, key=lambda fitted: float(fitted.score(x["validation"], y["validation"])))
    else:
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
        model = search(TRAIN_TEST, splitter).fit(x["train"], y["train"])
    predicted = np.asarray(model.predict(x["test"]))
    return float((predicted == y["test"]).mean()), y["test"], predicted
