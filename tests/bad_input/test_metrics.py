"""Bad vectors, labels, pairs and numbers for metrics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from clwork import metrics
from clwork.data import StsPairs

from .table import Case, hold, refused, table, taken

NAN, INF = float("nan"), float("inf")
X = torch.randn(24, 6, generator=torch.Generator().manual_seed(0))
GROUPS = [f"article {row // 3}" for row in range(24)]
M: Any = metrics
knn = M.knn_label_accuracy


class Letters:
    """An encoder of a few lines: how often a sentence has each of some letters."""

    def encode(self, texts: list[str]) -> Any:
        return np.array([[text.count(letter) + 0.1 for letter in "abcdefgh"] for text in texts])


class Says:
    """An encoder that answers whatever it was told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def encode(self, texts: list[str]) -> Any:
        return self.answer


ENC: Any = Letters()
METRICS: dict[str, Callable[[Any], Any]] = {
    "alignment": lambda x: M.alignment(x, x),
    "uniformity": lambda x: M.uniformity(x),
    "mean_cosine": lambda x: M.mean_cosine(x),
    "std_sqrt_d": lambda x: M.std_sqrt_d(x),
    "singular_values": lambda x: M.singular_values(x).sum(),
    "effective_rank": lambda x: M.effective_rank(x),
    "top_eigenvalue_share": lambda x: M.top_eigenvalue_share(x),
    "similarity_sum": lambda x: M.similarity_sum(x),
    "diagnose": lambda x: M.diagnose(x).signals["mean_cosine"],
    "pair_auc": lambda x: M.pair_auc(x, GROUPS),
    "knn_label_accuracy": lambda x: knn(x, GROUPS, k=3),
    "nearest": lambda x: M.nearest(x, k=3).cosines.sum(),
    "retrieval": lambda x: M.retrieval(x, GROUPS, k=3)["mrr_at_3"],
    "neighbour_agreement": lambda x: M.neighbour_agreement(x, x, k=3),
}


def with_entry(value: float) -> torch.Tensor:
    bad = X.clone()
    bad[1, 2] = value
    return bad


VECTORS: list[tuple[str, Any, type[Exception], str]] = [
    ("NaN", with_entry(NAN), ValueError, "has NaN or infinity in 1 of 24 rows; look at the run's loss"),
    ("infinity", with_entry(INF), ValueError, "has NaN or infinity in 1 of 24 rows"),
    ("no columns", X[:, :0], ValueError, "at least . rows and 1 column are needed"),
    ("one vector", X[0], ValueError, r"has shape \(6,\); it must be \(N, D\)"),
    ("three dimensions", X[None], ValueError, r"has shape \(1, 24, 6\)"),
    ("bools", X > 0, TypeError, "is of type Tensor of torch.bool; pass vectors"),
    ("bools in an array", (X > 0).numpy(), TypeError, "is of type array of bool; pass vectors"),
    ("complex numbers", X.to(torch.complex64), TypeError, "is of type Tensor of torch.complex64"),
    ("words in an array", np.array([["a", "b"]]), TypeError, "is of type array of <U1"),
    ("objects in an array", np.array([[1, None]]), TypeError, "is of type array of object"),
    ("masked", np.ma.masked_greater(X.numpy(), 0), TypeError, "is of type MaskedArray"),
    ("sparse", X.to_sparse(), TypeError, r"is a sparse or nested tensor; pass a plain one, .*to_dense"),
    ("without numbers", X.to("meta"), ValueError, "on the device 'meta' and holds no numbers"),
    ("a list", X.tolist(), TypeError, "is of type list; pass vectors as a torch.Tensor or numpy array"),
    ("a data frame", pd.DataFrame(X.numpy()), TypeError, "is of type DataFrame; pass vectors"),
    ("None", None, TypeError, "is of type NoneType; pass vectors"),
    ("a word", "vectors", TypeError, "is of type str; pass vectors"),
    ("an encoder", ENC, TypeError, "is of type Letters; pass vectors"),
]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("name", "bad", "error", "match"), VECTORS, ids=[row[0] for row in VECTORS])
def test_vectors(metric: str, name: str, bad: Any, error: type[Exception], match: str) -> None:
    hold(refused(name, error, match, lambda _: METRICS[metric](bad)), Path())


@pytest.mark.parametrize("metric", METRICS)
def test_what_is_taken(metric: str) -> None:
    """Whole numbers, half precision, a gradient, rows of zeros, arrays that are read-only or of other byte order."""
    zeros, still, strange = X.clone(), X.numpy().copy(), X.numpy().astype(">f8")
    zeros[2] = 0
    still.flags.writeable = False
    for good in (
        X.half(),
        X.double(),
        X.clone().requires_grad_(),
        zeros,
        (9 * X).long(),
        still,
        strange,
        X.numpy()[::-1],
    ):
        assert np.isfinite(float(METRICS[metric](good)))


def pairs(**changes: Any) -> dict[str, Any]:
    given = {"sentences1": ["abc", "bcd", "cde", "def"], "sentences2": ["ab", "gh", "cd", "ab"], "scores": [5, 1, 3, 2]}
    return {"own": SimpleNamespace(**({"subsets": None} | given | changes))}


def task(labels: Any = None, texts: Any = None, others: Any = None) -> dict[str, Any]:
    texts = [letter * (1 + row) for row in range(6) for letter in "abcd"] if texts is None else texts
    labels = ["x", "y"] * 12 if labels is None else labels
    return {"own": SimpleNamespace(splits={"all": SimpleNamespace(texts=texts, labels=labels, others=others)})}


NUMBERS = [
    refused(
        "alpha in words", TypeError, "alpha='2' is str; give a plain number", lambda _: M.alignment(X, X, alpha="2")
    ),
    refused("alpha true", TypeError, "alpha=True is bool", lambda _: M.alignment(X, X, alpha=True)),
    refused(
        "alpha NaN", ValueError, "alpha is nan; it must be finite and above 0", lambda _: M.alignment(X, X, alpha=NAN)
    ),
    refused(
        "alpha of 400 digits",
        ValueError,
        "alpha=1000.* is too large for a float",
        lambda _: M.alignment(X, X, alpha=10**400),
    ),
    refused("t of None", TypeError, "t=None is NoneType", lambda _: M.uniformity(X, t=None)),
    refused("t in a tensor", TypeError, "t=tensor.* is Tensor", lambda _: M.uniformity(X, t=torch.tensor(2.0))),
    refused("t infinite", ValueError, "t is inf", lambda _: M.uniformity(X, t=INF)),
    refused(
        "centre in words",
        TypeError,
        "centre='no' is str; give True or False",
        lambda _: M.effective_rank(X, centre="no"),
    ),
    refused("half a neighbour", TypeError, "k=2.5 is float; give an int", lambda _: knn(X, GROUPS, k=2.5)),
    refused("neighbours in words", TypeError, "k='3' is str; give an int", lambda _: M.nearest(X, k="3")),
    refused("neighbours true", TypeError, "k=True is bool", lambda _: M.retrieval(X, GROUPS, k=True)),
    refused("no neighbours", TypeError, "k=None is NoneType", lambda _: M.neighbour_agreement(X, X, k=None)),
    refused(
        "neighbours of 5,000 digits",
        ValueError,
        "k is an int of .* bits; it must lie in",
        lambda _: M.nearest(X, k=10**5000),
    ),
    refused(
        "pairs NaN",
        TypeError,
        "max_pairs=nan is float; give an int",
        lambda _: M.pair_auc(X, GROUPS, max_pairs=NAN),
    ),
    refused("pairs in words", TypeError, "max_pairs='9' is str", lambda _: M.pair_auc(X, GROUPS, max_pairs="9")),
    refused("a seed below 0", ValueError, "seed=-1 is out of range", lambda _: M.pair_auc(X, GROUPS, seed=-1)),
    refused(
        "a generator that is a seed",
        TypeError,
        "generator=3 is int; give a torch.Generator",
        lambda _: M.pair_auc(X, GROUPS, generator=3),
    ),
    refused(
        "numpy's generator",
        TypeError,
        "is Generator; give a torch.Generator",
        lambda _: M.pair_auc(X, GROUPS, generator=np.random.default_rng(0)),
    ),
    taken("numpy's numbers", lambda _: M.alignment(X, X.flip(0), alpha=np.float32(2)) > M.uniformity(X, t=np.int64(2))),
    taken("numpy's neighbours", lambda _: M.nearest(X, k=np.int64(3)).rows.shape == (24, 3)),
    taken("numpy's name of a score", lambda _: "mrr_at_3" in M.retrieval(X, GROUPS, k=np.int32(3))),
    taken("numpy's flag", lambda _: M.effective_rank(X, centre=np.True_) < 6),
    taken(
        "numpy's pairs and seed",
        lambda _: 0 <= M.pair_auc(X, GROUPS, max_pairs=np.int64(20), seed=np.int64(3)) <= 1,
    ),
]

LABELS = [
    refused(
        "no labels",
        TypeError,
        "labels is NoneType .*; give a list, one for each vector",
        lambda _: knn(X, None),
    ),
    refused("labels in one word", TypeError, "labels is str", lambda _: knn(X, "a" * 24)),
    refused("labels in a dict", TypeError, "groups is dict", lambda _: M.retrieval(X, dict.fromkeys(GROUPS))),
    refused("labels in a set", TypeError, "groups is set", lambda _: M.pair_auc(X, set(range(24)))),
    refused("labels in a generator", TypeError, "groups is generator", lambda _: M.pair_auc(X, (g for g in GROUPS))),
    refused(
        "too few labels",
        ValueError,
        "23 labels for 24 vectors; there must be one each",
        lambda _: knn(X, GROUPS[1:]),
    ),
    refused(
        "labels that are lists",
        TypeError,
        r"labels, row 0: \['a'\] is list; give words or whole numbers",
        lambda _: knn(X, [["a"]] * 24),
    ),
    refused(
        "labels that hold lists",
        TypeError,
        "labels, row 0: .* is tuple; give words",
        lambda _: knn(X, [(["a"],)] * 24),
    ),
    refused(
        "labels that are tensors",
        TypeError,
        "labels, row 0: .* is Tensor",
        lambda _: knn(X, list(torch.arange(24))),
    ),
    refused(
        "labels in a table",
        TypeError,
        "labels, row 0: .* is list",
        lambda _: knn(X, torch.zeros(24, 2)),
    ),
    refused("one group", ValueError, "both pairs within a group and pairs across", lambda _: M.pair_auc(X, ["a"] * 24)),
    refused("only NaN", ValueError, "0 rows with a group", lambda _: M.pair_auc(X, [NAN] * 24)),
    refused("no vectors of groups", TypeError, "x is of type NoneType", lambda _: M.retrieval(None, GROUPS)),
    taken(
        "labels in a tensor",
        lambda _: knn(X, torch.arange(24) // 12, k=3) == knn(X, [row // 12 for row in range(24)], k=3),
    ),
    taken(
        "labels in an array",
        lambda _: knn(X, np.array(GROUPS), k=3) == knn(X, GROUPS, k=3),
    ),
    taken("labels in a series", lambda _: M.retrieval(X, pd.Series(GROUPS), k=3) == M.retrieval(X, GROUPS, k=3)),
    taken(
        "NaN is left out as None is",
        lambda _: knn(X, [NAN, *GROUPS[1:]], k=3) == knn(X, [None, *GROUPS[1:]], k=3),
    ),
]

STS = [
    refused(
        "an encoder by its name",
        TypeError,
        "enc is str .'mini'.; give an encoder, such as clwork.load_encoder",
        lambda _: M.sts("mini", pairs()),
    ),
    refused("no encoder", TypeError, "enc is NoneType", lambda _: M.sts(None, pairs())),
    refused(
        "pairs without a name",
        TypeError,
        "tasks is SimpleNamespace .*; give a dict, as",
        lambda _: M.sts(ENC, pairs()["own"]),
    ),
    refused("pairs in a list", TypeError, "tasks is list .*; give a dict", lambda _: M.sts(ENC, [pairs()["own"]])),
    refused("no pairs", ValueError, "tasks are .*; give at least one", lambda _: M.sts(ENC, {})),
    refused(
        "rows for pairs",
        TypeError,
        "own is .* without sentences1, sentences2, scores, subsets; give what",
        lambda _: M.sts(ENC, {"own": [("a", "b", 1)]}),
    ),
    refused(
        "an unknown aggregation",
        ValueError,
        "aggregation='median' is not known.*; give one of 'all', 'mean', 'wmean'",
        lambda _: M.sts(ENC, pairs(), aggregation="median"),
    ),
    refused(
        "aggregations",
        TypeError,
        "aggregation=array.* is ndarray; give one of",
        lambda _: M.sts(ENC, pairs(), aggregation=np.array(["all", "mean"])),
    ),
    refused("details in words", TypeError, "details='no' is str", lambda _: M.sts(ENC, pairs(), details="no")),
    refused(
        "a sentence of None",
        TypeError,
        "own: sentences2, row 1: None is NoneType; every sentence must be a str",
        lambda _: M.sts(ENC, pairs(sentences2=["a", None, "b", "c"])),
    ),
    refused(
        "a sentence of NaN",
        TypeError,
        "own: sentences1, row 0: nan is float",
        lambda _: M.sts(ENC, pairs(sentences1=[NAN, "a", "b", "c"])),
    ),
    refused(
        "sentences in one word",
        TypeError,
        "own: sentences1 is str .*; give a list",
        lambda _: M.sts(ENC, pairs(sentences1="abcd")),
    ),
    refused(
        "infinite gold",
        ValueError,
        "own, row 2: the gold score inf is no finite number; leave the pair out",
        lambda _: M.sts(ENC, pairs(scores=[1, 2, INF, 3])),
    ),
    refused(
        "gold in words",
        ValueError,
        "own, row 0: the gold score '5' is no finite number",
        lambda _: M.sts(ENC, pairs(scores=["5", 2, 1, 3])),
    ),
    refused(
        "gold that is true",
        ValueError,
        "own, row 0: the gold score True",
        lambda _: M.sts(ENC, pairs(scores=[True, False, True, False])),
    ),
    refused(
        "gold of 5,000 digits",
        ValueError,
        "own, row 1: the gold score an int of .* bits",
        lambda _: M.sts(ENC, pairs(scores=[1, 10**5000, 2, 3])),
    ),
    refused(
        "gold that is missing",
        ValueError,
        "1 of 4 pairs have a gold score; at least 2",
        lambda _: M.sts(ENC, pairs(scores=[1, None, NAN, None])),
    ),
    refused(
        "equal gold",
        ValueError,
        "all 4 gold scores are 3; pairs that people scored equal",
        lambda _: M.sts(ENC, pairs(scores=[3] * 4)),
    ),
    refused(
        "columns of unequal length", ValueError, "they must have the same", lambda _: M.sts(ENC, pairs(scores=[1, 2]))
    ),
    refused(
        "vectors in a list",
        TypeError,
        "the encoder's output is of type list; pass vectors",
        lambda _: M.sts(Says([[1.0]]), pairs()),
    ),
    refused(
        "too few vectors",
        ValueError,
        "the encoder returned 2 vectors for 7 sentences",
        lambda _: M.sts(Says(X[:2]), pairs()),
    ),
    refused("one vector", ValueError, "the encoder's output has shape", lambda _: M.sts(Says(X[0]), pairs())),
    refused(
        "vectors that are NaN", ValueError, "the encoder's output has NaN", lambda _: M.sts(Says(X[:7] * NAN), pairs())
    ),
    refused(
        "vectors all the same",
        metrics.CollapsedEncoderError,
        "The encoder has collapsed: look at",
        lambda _: M.sts(Says(torch.ones(7, 3)), pairs()),
    ),
    taken("no pair above 4", lambda _: -100 <= M.sts(ENC, pairs(scores=[4.0, 1, 3, 2]))["own"] <= 100),
    taken("a blank sentence", lambda _: -100 <= M.sts(ENC, pairs(sentences1=["", "bcd", "cde", "def"]))["own"] <= 100),
    taken(
        "gold in an array",
        lambda _: M.sts(ENC, pairs(scores=np.array([5, 1, 3, 2])))["own"] == M.sts(ENC, pairs())["own"],
    ),
    taken(
        "clwork's own pairs",
        lambda _: (
            -100
            <= M.sts(ENC, {"own": StsPairs("own", ["ab", "b", "c"], ["a", "c", "d"], [1.0, 2.0, 3.0])})["own"]
            <= 100
        ),
    ),
]

TRANSFER = [
    refused("a transfer by the encoder's name", TypeError, "enc is str", lambda _: M.transfer("mini", task())),
    refused("tasks in a list", TypeError, "tasks is list", lambda _: M.transfer(ENC, [task()["own"]])),
    refused(
        "a task without splits",
        TypeError,
        "own is list without splits; give what clwork.data.transfer_task",
        lambda _: M.transfer(ENC, {"own": [1]}),
    ),
    refused("half a fold", TypeError, "folds=2.5 is float; give an int", lambda _: M.transfer(ENC, task(), folds=2.5)),
    refused("folds true", TypeError, "folds=True is bool", lambda _: M.transfer(ENC, task(), folds=True)),
    refused(
        "a transfer's seed below 0",
        ValueError,
        "seed=-1 is out of range",
        lambda _: M.transfer(ENC, task(), folds=2, seed=-1),
    ),
    refused("no seed", TypeError, "seed=None is NoneType", lambda _: M.transfer(ENC, task(), folds=2, seed=None)),
    refused(
        "a text of None",
        TypeError,
        r"own \(all\): texts, row 0: None is NoneType",
        lambda _: M.transfer(ENC, task(texts=[None] * 24), folds=2),
    ),
    refused(
        "a label of NaN",
        ValueError,
        r"own \(all\): 1 row has no label .*; leave them out",
        lambda _: M.transfer(ENC, task(labels=[NAN, *["x", "y"] * 11, "x"]), folds=2),
    ),
    refused(
        "labels in lists",
        TypeError,
        r"own \(all\): labels, row 0: .* is list",
        lambda _: M.transfer(ENC, task(labels=[["x"]] * 24), folds=2),
    ),
    refused(
        "one class",
        ValueError,
        "naming the largest class would be nearly always right",
        lambda _: M.transfer(ENC, task(labels=["x"] * 24), folds=2),
    ),
    taken("numpy's folds", lambda _: 0 <= M.transfer(ENC, task(), folds=np.int64(2))["own"] <= 100),
    taken(
        "classes in an array",
        lambda _: M.transfer(ENC, task(labels=np.array(["x", "y"] * 12)), folds=2) == M.transfer(ENC, task(), folds=2),
    ),
    refused(
        "answers that are NaN",
        ValueError,
        "predicted, row 1: the label is missing",
        lambda _: M.classification_scores([0, 1], [0, NAN]),
    ),
    refused(
        "answers of two kinds",
        TypeError,
        "some labels are words and some are numbers",
        lambda _: M.classification_scores(["0", "1"], [0, 1]),
    ),
    refused("answers in a number", TypeError, "true is int", lambda _: M.classification_scores(3, 3)),
    refused(
        "answers in lists", TypeError, "true, row 0: .* is list", lambda _: M.classification_scores([["a"]], [["a"]])
    ),
    taken(
        "answers in arrays",
        lambda _: M.classification_scores(np.array([0, 1]), torch.tensor([0, 1]))["accuracy"] == 100,
    ),
]

SEEDS = {"a": [3.0, 3.1, 2.9], "b": [1.0, 1.1, 0.9]}
DIFFERENCES = [
    refused(
        "scores in a list",
        TypeError,
        "scores is list .*; give a dict of lists, one for each method",
        lambda _: M.differences([[1, 2, 3]]),
    ),
    refused(
        "a score without seeds",
        TypeError,
        "scores of 'b' are float .*; give a list of numbers",
        lambda _: M.differences({"a": [1, 2, 3], "b": 2.0}),
    ),
    refused(
        "scores in words",
        TypeError,
        "a score of 'b'='2' is str; give a plain number",
        lambda _: M.differences({"a": [1, 2, 3], "b": ["1", "2", "3"][1:] * 2}),
    ),
    refused(
        "a score of None",
        TypeError,
        "a score of 'a'=None is NoneType",
        lambda _: M.differences({"a": [1, 2, None], "b": [1, 2, 3]}),
    ),
    refused(
        "a score of NaN",
        ValueError,
        "a score is NaN or infinite; leave out the method",
        lambda _: M.differences({"a": [1, 2, NAN], "b": [1, 2, 3]}),
    ),
    refused(
        "a score of 5,000 digits",
        ValueError,
        "a score of 'a'=an int of .* is too large",
        lambda _: M.differences({"a": [1, 2, 10**5000], "b": [1, 2, 3]}),
    ),
    refused(
        "confidence in per cent",
        ValueError,
        "confidence=95.0 is out of range; give a number between 0 and 1, such as 0.95",
        lambda _: M.differences(SEEDS, 95),
    ),
    refused(
        "seeds of one method only",
        ValueError,
        "3 and 4 values cannot be paired; give one of each seed, in the same order",
        lambda _: M.paired([1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0]),
    ),
    refused(
        "two pairs",
        ValueError,
        "at least two methods with 3 seeds or more are needed",
        lambda _: M.paired([1.0, 2.0], [1.0, 3.0]),
    ),
    refused("a p value of 2", ValueError, "p_values=2.0 is not a probability", lambda _: M.holm([0.1, 2])),
    refused("p values in words", TypeError, "scores of 'p_values' are str", lambda _: M.holm("0.1")),
    refused(
        "one name for two methods",
        TypeError,
        r"names='ab' is no pair of strings; give two names",
        lambda _: M.paired([1.0, 2.0, 4.0], [1.0, 3.0, 5.0], names="ab"),
    ),
    refused("confidence of NaN", ValueError, "confidence=nan is out of range", lambda _: M.differences(SEEDS, NAN)),
    refused("confidence in words", TypeError, "confidence='high' is str", lambda _: M.differences(SEEDS, "high")),
    taken(
        "scores in arrays",
        lambda _: M.differences({name: np.array(values) for name, values in SEEDS.items()}) == M.differences(SEEDS),
    ),
    taken(
        "scores in tensors",
        lambda _: (
            M.differences({name: torch.tensor(values).double() for name, values in SEEDS.items()})[0].verdict
            == "higher"
        ),
    ),
]


@table(*NUMBERS, *LABELS, *STS, *TRANSFER, *DIFFERENCES)
def test_it(case: Case, tmp_path: Path) -> None:
    hold(case, tmp_path)
