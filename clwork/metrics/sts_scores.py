"""Semantic textual similarity: does the cosine of two sentences rank pairs as people do (SimCSE, appendix B)?"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .. import _validation
from .._validation import is_finite, is_number, shown
from ..arithmetic import normalize
from ..wording import plural
from .vectors import as_matrix, check_encoder, check_tasks, precise, texts_of

Floats = npt.NDArray[np.float64]
Aggregation = Literal["all", "mean", "wmean"]
YEARLY = "sts1"  # SemEval's tasks of 2012 to 2016, which have subsets; the hub's copies do not name them
SMALLEST_SPREAD = (
    1e-9  # cosines that differ by less differ by rounding; two float32 copies of a vector give about 1e-14
)


class StsLike(Protocol):
    """Pairs of sentences that people scored; ``subsets`` names each row's part of the task, or is None."""

    @property
    def sentences1(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def sentences2(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def scores(self) -> Sequence[float | None]: ...  # noqa: D102
    @property
    def subsets(self) -> Sequence[str] | None: ...  # noqa: D102


class Encodes(Protocol):
    """Anything that turns sentences into vectors."""

    def encode(self, texts: list[str]) -> Any: ...  # noqa: D102


class CollapsedEncoderError(ValueError):
    """All pairs got the same cosine, so there is nothing to rank; scipy would say nan."""


def sts(
    enc: Encodes, tasks: Mapping[str, StsLike], aggregation: Aggregation = "all", details: bool = False
) -> dict[str, float]:
    """Spearman correlation × 100 between cosines and gold scores, by task, and their plain mean as ``"avg"``.

    ``"all"`` (SimCSE and most later papers) puts the subsets of a task together and ranks once; ``"mean"`` and
    ``"wmean"`` average the subsets' own correlations, plainly or by size. They are different numbers: say which one
    you report. Every sentence is encoded once, however often and in whichever task it occurs. Rows without a gold
    score (None or nan) are dropped. ``details=True`` adds an entry ``"task/subset"`` for each subset.

    Range [-100, 100].

    Warns:
        UserWarning: ``"mean"`` or ``"wmean"`` is asked of a yearly task that came without its subsets.

    Raises:
        CollapsedEncoderError: an encoder (a ValueError) gives all pairs of a task the same cosine.
        TypeError: no encoder, no tasks by name, or a sentence that is no str.
        ValueError: no tasks, an unknown aggregation, columns of different length, fewer than two scored pairs, gold
            scores that are infinite, no numbers or equal throughout, or an encoder that returns NaN or the wrong number
            of vectors.
    """
    _validation.choice("aggregation", aggregation, get_args(Aggregation))
    check_encoder(enc)
    check_tasks(tasks, "{'stsb': pairs}")
    details = _validation.flag("details", details)
    rows = {name: _scored(name, pairs) for name, pairs in tasks.items()}
    whole = [name for name in rows if name.startswith(YEARLY) and tasks[name].subsets is None]
    if aggregation != "all" and whole:
        warnings.warn(
            f"{', '.join(whole)} came without subsets, so {aggregation!r} is the same as 'all' there; read the task "
            "from a folder of <subset>.jsonl files",
            stacklevel=2,
        )
    cosine = _cosines(enc, rows)
    correlations: dict[str, float] = {}
    parts: dict[str, float] = {}
    for name, (_, _, gold, subsets) in rows.items():
        places = {part: np.flatnonzero(subsets == part) for part in dict.fromkeys(subsets.tolist())}
        if details or aggregation != "all":
            each = {part: _spearman(f"{name}/{part}", cosine[name][at], gold[at]) for part, at in places.items()}
            parts |= {f"{name}/{part}": value for part, value in each.items() if part}
        if aggregation == "all":
            correlations[name] = _spearman(name, cosine[name], gold)
        else:
            weights = [len(places[part]) if aggregation == "wmean" else 1 for part in each]
            correlations[name] = float(np.average(list(each.values()), weights=weights))
    correlations["avg"] = float(np.mean(list(correlations.values())))
    return correlations | parts if details else correlations


def sts_correlations(enc: Encodes, pairs: StsLike) -> dict[str, float]:
    """Correlate three similarities of two sentences with their gold scores, × 100, under MTEB's names.

    ``cosine_``, and ``manhattan_`` and ``euclidean_`` of minus the distance, each ``_pearson`` and ``_spearman``.
    Subsets are put together; :func:`sts` gives ``cosine_spearman`` of many tasks from one pass.

    Range [-100, 100].

    Raises:
        CollapsedEncoderError: an encoder (a ValueError) gives all pairs the same cosine.
        TypeError: no encoder, or no pairs.
        ValueError: as for :func:`sts`.
    """
    from scipy.stats import pearsonr, spearmanr

    check_encoder(enc)
    rows = {"pairs": _scored("pairs", pairs)}
    vectors, places = _encoded(enc, rows)
    left, right = (vectors[at] for at in places["pairs"])  # (P, D)
    gold = rows["pairs"][2]
    similarities = {
        "cosine": (normalize(left) * normalize(right)).sum(dim=1),
        "manhattan": -(left - right).abs().sum(dim=1),
        "euclidean": -(left - right).norm(dim=1),
    }
    _spearman("pairs", similarities["cosine"].cpu().numpy(), gold)  # raises for a collapsed encoder
    correlations = {}
    for name, values in similarities.items():
        measured = values.cpu().numpy()
        correlations[f"{name}_pearson"] = 100 * float(pearsonr(measured, gold).statistic)
        correlations[f"{name}_spearman"] = 100 * float(spearmanr(measured, gold).statistic)
    return correlations


Scored = tuple[list[str], list[str], Floats, npt.NDArray[Any]]


def _scored(name: str, pairs: StsLike) -> Scored:
    """The rows that have a gold score: sentences, sentences, scores, and each row's subset ('' for none)."""
    absent = [column for column in ("sentences1", "sentences2", "scores", "subsets") if not hasattr(pairs, column)]
    if absent:
        raise TypeError(
            f"{name} is {shown(pairs, 40)}, without {', '.join(absent)}; give what clwork.data.sts_pairs does"
        )
    subsets = [""] * len(pairs.scores) if pairs.subsets is None else list(pairs.subsets)
    lengths = len(pairs.sentences1), len(pairs.sentences2), len(pairs.scores), len(subsets)
    if len(set(lengths)) > 1:
        raise ValueError(
            f"{name}: sentences1, sentences2, scores and subsets have {lengths} rows; they must have the same"
        )
    first, second = texts_of(pairs.sentences1, f"{name}: sentences1"), texts_of(pairs.sentences2, f"{name}: sentences2")
    scores = [_score(score, f"{name}, row {row}") for row, score in enumerate(pairs.scores)]
    keep = [i for i, score in enumerate(scores) if score is not None]
    if len(keep) < 2:
        raise ValueError(
            f"{name}: {len(keep)} of {plural(lengths[0], 'pair has', 'pairs have')} a gold score; "
            "at least 2 are needed to rank them"
        )
    gold = np.array([scores[i] for i in keep], dtype=np.float64)
    return [first[i] for i in keep], [second[i] for i in keep], gold, np.array([subsets[i] for i in keep], dtype=object)


def _score(score: object, where: str) -> float | None:
    """A gold score; None for None and NaN."""
    if score is None or (is_number(score) and score != score):
        return None
    if not is_number(score) or not is_finite(score):
        raise ValueError(f"{where}: the gold score {shown(score)} is no finite number; leave the pair out")
    return float(score)  # type: ignore[arg-type]


def _cosines(enc: Encodes, rows: Mapping[str, Scored]) -> dict[str, Floats]:
    """Cosine of each pair, by task; a zero vector has cosine 0 with all."""
    vectors, places = _encoded(enc, rows)
    points = normalize(vectors)
    return {name: (points[a] * points[b]).sum(dim=1).cpu().numpy() for name, (a, b) in places.items()}  # (P,)


def _encoded(enc: Encodes, rows: Mapping[str, Scored]) -> tuple[Tensor, dict[str, tuple[Tensor, Tensor]]]:
    """Encode the distinct sentences once: their vectors (N, D), and by task the rows of each pair's two."""
    texts = list(dict.fromkeys(text for first, second, *_ in rows.values() for text in (*first, *second)))
    vectors = as_matrix(enc.encode(texts), "the encoder's output")
    if len(vectors) != len(texts):
        raise ValueError(
            f"the encoder returned {plural(len(vectors), 'vector')} for {plural(len(texts), 'sentence')}; "
            "it must give one each"
        )
    place = {text: i for i, text in enumerate(texts)}
    places = {
        name: (torch.tensor([place[t] for t in first]), torch.tensor([place[t] for t in second]))
        for name, (first, second, *_) in rows.items()
    }
    return precise(vectors), places


def _spearman(name: str, cosines: Floats, gold: Floats) -> float:
    """Spearman × 100 (average ranks for ties), with an explanation where it is undefined."""
    from scipy.stats import spearmanr

    if len(gold) < 2:
        raise ValueError(f"{name}: {len(gold)} scored pair; at least 2 are needed to rank them")
    if np.ptp(gold) == 0:
        raise ValueError(
            f"{name}: all {len(gold)} gold scores are {gold[0]:g}; pairs that people scored equal cannot be ranked"
        )
    if np.ptp(cosines) < SMALLEST_SPREAD:
        raise CollapsedEncoderError(
            f"{name}: all {len(cosines)} pairs have the cosine {cosines[0]:.6f}, so there is no ranking to compare. "
            f"The encoder has collapsed: look at clwork.metrics.diagnose(vectors), go back to an earlier checkpoint, "
            f"or lower the learning rate"
        )
    return 100 * float(spearmanr(cosines, gold).statistic)
