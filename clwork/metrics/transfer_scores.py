"""Transfer: how well does a linear classifier over frozen vectors do (SentEval, Conneau & Kiela 2018)?"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from .. import _validation
from .._validation import kind, shown
from ..wording import plural
from .sts_scores import CollapsedEncoderError, Encodes
from .vectors import as_matrix, check_answers, check_encoder, check_tasks, label_list, texts_of

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int64]
# SentEval's grids for scikit-learn's C, the inverse strength of the L2 penalty
NESTED = tuple(2.0**power for power in range(-2, 4))
TRAIN_TEST = tuple(2.0**power for power in range(-1, 6))
SEED = 1111  # SentEval's own
LOPSIDED = 0.95
ROUNDS = 100  # of the optimizer, as in SentEval; ten times as many take ten times as long, for up to a point more


class LabelledLike(Protocol):
    """Texts and their classes; ``others`` are the second sentences of pairs, or None."""

    @property
    def texts(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def labels(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def others(self) -> Sequence[str] | None: ...  # noqa: D102


class TransferLike(Protocol):
    """A task by its splits: ``all``; ``train`` and ``test``; or ``train``, ``validation`` and ``test``."""

    @property
    def splits(self) -> Mapping[str, LabelledLike]: ...  # noqa: D102


def transfer(
    enc: Encodes, tasks: Mapping[str, TransferLike], *, folds: int = 10, seed: int = SEED, details: bool = False
) -> dict[str, float]:
    """Accuracy × 100 of a logistic regression on each task, and their plain mean as ``"avg"``.

    SentEval's procedure with scikit-learn's classifier. The splits of a task decide how the penalty is chosen:

    - ``all`` (MR, CR, SUBJ, MPQA): nested stratified folds. Every fold is a test set once, and inner folds over the
      rest choose the penalty.
    - ``train`` and ``test`` (TREC, MRPC): stratified folds over ``train``.
    - ``train``, ``validation`` and ``test`` (SST2, WOS): ``validation``.

    A text is its vector as the encoder gives it; a pair ``(u, v)`` is ``[|u − v|, u ⊙ v]``. Every text is encoded once.
    ``details=True`` adds ``"task/f1"``, ``"task/precision"``, ``"task/recall"`` (of :func:`classification_scores`) and
    ``"task/floor"``, the accuracy of always naming the largest class. Figures of the torch classifier that SentEval's
    users mostly report differ by some tenths.

    The cost of ``all`` grows with the square of ``folds``: MR with 256 dimensions takes minutes at 10.

    Range [0, 100].

    Raises:
        CollapsedEncoderError: an encoder (a ValueError) gives all texts the same vector.
        TypeError: no encoder, no tasks by name, a text that is no str, or an option of another kind.
        ValueError: no tasks, unknown splits, folds < 2, fewer rows of a class than folds, one class with 95 % or more
            of the rows (accuracy then says nothing, and the file may be corrupt), or an encoder that returns NaN or
            the wrong number of vectors.
    """
    from sklearn.exceptions import ConvergenceWarning

    check_encoder(enc)
    check_tasks(tasks, "{'mr': task}")
    folds, seed, details = (
        _validation.whole("folds", folds),
        _validation.seed(seed),
        _validation.flag("details", details),
    )
    if folds < 2:
        raise ValueError(f"folds is {shown(folds)}; at least 2 are needed, SentEval's default is 10")
    for name, task in tasks.items():
        if not isinstance(getattr(task, "splits", None), Mapping):
            raise TypeError(
                f"{name} is {kind(task)} without splits; give what clwork.data.transfer_task does: {shown(task, 16)}"
            )
        _check(name, task.splits, folds)
    features = _features(enc, tasks)
    accuracies: dict[str, float] = {}
    parts: dict[str, float] = {}
    for name, task in tasks.items():
        labels = {split: np.array(part.labels) for split, part in task.splits.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # raised at each fit, see ROUNDS
            accuracy, true, predicted = PROCEDURES[_kind(task.splits)](features[name], labels, folds, seed)
        accuracies[name] = 100 * accuracy
        scores = classification_scores(true.tolist(), predicted.tolist())
        floor = max(Counter(true.tolist()).values()) / len(true)
        parts |= {f"{name}/{key}": scores[key] for key in scores if key != "accuracy"} | {f"{name}/floor": 100 * floor}
    accuracies["avg"] = float(np.mean(list(accuracies.values())))
    return accuracies | parts if details else accuracies


def classification_scores(true: Sequence[Any], predicted: Sequence[Any]) -> dict[str, float]:
    """``accuracy`` and macro-averaged ``precision``, ``recall`` and ``f1``, × 100; MTEB's names.

    Macro means: of each class, then their plain mean. So ``f1`` is the mean of the classes' F1, which is not the F1 of
    the two other columns. ``accuracy`` is the share of right answers; averaging it over classes one against the rest,
    as MoCoUTRL's eq. 13 reads, would count every class's easy "no" and flatter the result (M12). A class that is never
    predicted has precision 0.

    >>> classification_scores(["a", "a", "b", "c"], ["a", "b", "b", "b"])["accuracy"]
    50.0

    Range [0, 100].

    Raises:
        TypeError: no lists of words or numbers, or both mixed.
        ValueError: none, not as many answers as questions, or one that is missing.
    """
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    check_answers(true, predicted)
    precision, recall, f1, _ = precision_recall_fscore_support(true, predicted, average="macro", zero_division=0.0)
    scores = {"accuracy": accuracy_score(true, predicted), "f1": f1, "precision": precision, "recall": recall}
    return {name: 100 * float(score) for name, score in scores.items()}


def _kind(splits: Mapping[str, LabelledLike]) -> tuple[str, ...]:
    return tuple(sorted(splits))


def _check(name: str, splits: Mapping[str, LabelledLike], folds: int) -> None:
    """Check splits and labels before anything is encoded."""
    if _kind(splits) not in PROCEDURES:
        known = "; ".join(", ".join(kind) for kind in PROCEDURES)
        raise ValueError(f"{name} has the splits {', '.join(splits) or 'none'}; what can be scored has {known}")
    for split, part in splits.items():
        where = f"{name} ({split})"
        others = part.texts if part.others is None else part.others
        for column, texts in (("texts", part.texts), ("others", others)):
            texts_of(texts, f"{where}: {column}")
        if not len(part.texts) == len(part.labels) == len(others):
            raise ValueError(f"{where}: texts, labels and others have different lengths; they must have the same")
        counts = Counter(label_list(part.labels, f"{where}: labels", len(part.texts)))
        if None in counts:
            raise ValueError(
                f"{where}: {plural(counts[None], 'row has', 'rows have')} no label (None or NaN); leave them out"
            )
        largest, fewest = max(counts.values(), default=0), min(counts.values(), default=0)
        rows = ", ".join(f"{label!r} {count}" for label, count in counts.most_common(10)) or "no rows"
        if len(counts) < 2 or largest >= LOPSIDED * len(part.labels):
            raise ValueError(
                f"{where} has {rows}: naming the largest class would be nearly always right, so accuracy says nothing. "
                f"Is the file complete? A corrupt SUBJ of this kind gave every encoder 99.6 %"
            )
        # nested folds take a fold away before they fold again
        needed = {("all",): folds + 2, ("test", "train"): folds}.get(_kind(splits), 1) if split != "test" else 1
        if fewest < needed:
            raise ValueError(f"{where} has {rows}; {folds} folds need {needed} rows of each class or more: lower folds")


def _features(enc: Encodes, tasks: Mapping[str, TransferLike]) -> dict[str, dict[str, Floats]]:
    """The matrix of every split of every task, from one pass over the distinct texts."""
    columns = [
        column
        for task in tasks.values()
        for part in task.splits.values()
        for column in (part.texts, part.others)
        if column is not None
    ]
    texts = list(dict.fromkeys(text for column in columns for text in column))
    vectors = as_matrix(enc.encode(texts), "the encoder's output").cpu().float().numpy()  # (T, D)
    if len(vectors) != len(texts):
        raise ValueError(f"the encoder returned {len(vectors)} vectors for {len(texts)} texts; it must give one each")
    if np.ptp(vectors, axis=0).max() <= 1e-6 * max(float(np.abs(vectors).max()), 1e-30):
        raise CollapsedEncoderError(
            f"all {len(texts)} texts have the same vector, so there is nothing to classify by. The encoder has "
            "collapsed: look at clwork.metrics.diagnose(vectors), go back to an earlier checkpoint, or lower the "
            "learning rate"
        )
    place = {text: row for row, text in enumerate(texts)}

    def matrix(part: LabelledLike) -> Floats:
        left = vectors[[place[text] for text in part.texts]]
        if part.others is None:
            return left
        right = vectors[[place[text] for text in part.others]]
        return np.concatenate([np.abs(left - right), left * right], axis=1)  # (N, 2D)

    return {name: {split: matrix(part) for split, part in task.splits.items()} for name, task in tasks.items()}


Labels = npt.NDArray[Any]
Outcome = tuple[float, Labels, Labels]  # accuracy in [0, 1], true labels, predicted labels


def _classifier(seed: int, strength: float = 1.0) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=strength, max_iter=ROUNDS, random_state=seed)


def _predict(x: Floats, y: Labels, strength: float, seed: int, questions: Floats) -> Labels:
    return np.asarray(_classifier(seed, strength).fit(x, y).predict(questions))


def _folds(folds: int, seed: int) -> Any:
    from sklearn.model_selection import StratifiedKFold

    return StratifiedKFold(n_splits=folds, shuffle=True, random_state=seed)


def _best(x: Floats, y: Labels, strengths: Sequence[float], folds: int, seed: int) -> float:
    """The penalty with the highest mean accuracy over folds; the first, and so the stronger one, of equals."""
    from sklearn.model_selection import GridSearchCV

    search = GridSearchCV(_classifier(seed), {"C": list(strengths)}, cv=_folds(folds, seed), refit=False)
    return float(search.fit(x, y).best_params_["C"])


def _nested(x: Mapping[str, Floats], y: Mapping[str, Labels], folds: int, seed: int) -> Outcome:
    features, labels = x["all"], y["all"]
    accuracies, predicted = [], labels.copy()
    for rest, at in _folds(folds, SEED).split(features, labels):  # SentEval fixes the seed of these folds
        strength = _best(features[rest], labels[rest], NESTED, folds, SEED)
        predicted[at] = _predict(features[rest], labels[rest], strength, seed, features[at])
        accuracies.append(float((predicted[at] == labels[at]).mean()))
    return float(np.mean(accuracies)), labels, predicted


def _train_test(x: Mapping[str, Floats], y: Mapping[str, Labels], folds: int, seed: int) -> Outcome:
    strength = _best(x["train"], y["train"], TRAIN_TEST, folds, seed)
    return _outcome(x, y, strength, seed)


def _three_parts(x: Mapping[str, Floats], y: Mapping[str, Labels], folds: int, seed: int) -> Outcome:
    guesses = [_predict(x["train"], y["train"], strength, seed, x["validation"]) for strength in NESTED]
    strength = NESTED[int(np.argmax([(guess == y["validation"]).mean() for guess in guesses]))]
    return _outcome(x, y, strength, seed)


def _outcome(x: Mapping[str, Floats], y: Mapping[str, Labels], strength: float, seed: int) -> Outcome:
    predicted = _predict(x["train"], y["train"], strength, seed, x["test"])
    return float((predicted == y["test"]).mean()), y["test"], predicted


Procedure = Callable[[Mapping[str, Floats], Mapping[str, Labels], int, int], Outcome]
PROCEDURES: dict[tuple[str, ...], Procedure] = {
    ("all",): _nested,
    ("test", "train"): _train_test,
    ("test", "train", "validation"): _three_parts,
}
