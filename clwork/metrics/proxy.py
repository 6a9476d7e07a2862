"""Similarity by a corpus's own articles and topics, a proxy where no human scores are available."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .. import _validation
from .._validation import shown
from ..arithmetic import normalize
from .vectors import Vectors, as_matrix, label_list, precise

CHUNK = 1024  # rows compared at a time
Whole = npt.NDArray[np.int64]


def pair_auc(
    x: Vectors,
    groups: Sequence[Hashable | None],
    max_pairs: int = 200_000,
    seed: int = 0,
    generator: torch.Generator | None = None,
) -> float:
    """Probability that two sentences of one group (an article) have a higher cosine than two of different groups.

    0.5 is chance, 1.0 perfect; ties count half. All pairs are used where there are no more than ``max_pairs``, else
    half as many of each kind, drawn with replacement from ``generator`` (a torch.Generator; default: a new one from
    ``seed``). Rows whose group is None or NaN are left out.

    Shapes: x ``(N, D)``, groups N labels.

    Raises:
        TypeError: x is not a tensor or array of numbers, groups is no list, or an option is of another kind.
        ValueError: as many groups as rows are needed, with at least one pair of each kind; NaN or infinity; max_pairs
        < 2.
    """
    from sklearn.metrics import roc_auc_score

    max_pairs = _validation.whole("max_pairs", max_pairs)
    _validation.generator(generator, optional=True)
    seed = _validation.seed(seed)
    if max_pairs < 2:
        raise ValueError(f"max_pairs is {shown(max_pairs)}; at least 2 are needed, one of each kind")
    points, codes, _ = _labelled(x, groups, "groups")
    count, sizes = len(codes), np.bincount(codes) if len(codes) else np.zeros(0, dtype=np.int64)
    alike = int((sizes * (sizes - 1)).sum()) // 2
    if alike == 0 or alike == count * (count - 1) // 2:
        raise ValueError(
            f"{count} rows with a group, in {len(sizes)} groups: both pairs within a group and pairs across groups "
            f"are needed; take several sentences of each of several articles"
        )
    if count * (count - 1) // 2 <= max_pairs:
        left, right = np.triu_indices(count, k=1)
    else:
        source = torch.Generator().manual_seed(seed) if generator is None else generator
        within, across = _pairs_within(codes, max_pairs // 2, source), _pairs_across(codes, max_pairs // 2, source)
        left, right = np.concatenate([within, across], axis=1)
    return float(roc_auc_score(codes[left] == codes[right], _pair_cosines(points, left, right)))


def knn_label_accuracy(x: Vectors, labels: Sequence[Hashable | None], k: int = 10) -> float:
    """Accuracy of guessing each sentence's topic from its k nearest others by cosine (leave-one-out, majority vote).

    Ties go to the topic whose votes are nearest in sum. The floor to compare with is the share of the largest topic,
    not 0. Rows whose label is None or NaN are left out. The cost grows with the square of N: 1,000 rows take
    milliseconds.

    Shapes: x ``(N, D)``, labels N. Range [0, 1].

    Raises:
        TypeError: x is not a tensor or array of numbers, labels is no list, or k is no whole number.
        ValueError: as many labels as rows are needed; NaN or infinity; k not in [1, N - 1].
    """
    points, codes, names = _labelled(x, labels, "labels")
    count, k = len(codes), _validation.whole("k", k)
    if not 1 <= k < count:
        raise ValueError(
            f"k is {shown(k)} with {count} labelled rows; it must lie in [1, {count - 1}]: others to ask are needed"
        )
    topics = torch.from_numpy(codes)
    right = 0
    for start in range(0, count, CHUNK):
        cosines = points[start : start + CHUNK] @ points.T  # (C, N)
        rows = torch.arange(len(cosines))
        cosines[rows, rows + start] = -torch.inf  # a sentence is not its own neighbour
        near, at = cosines.topk(k, dim=1)  # (C, k)
        # cosine + 1 is at most 2, so a sum of k of them over 4k stays below one vote: it only breaks ties
        votes = torch.zeros(len(cosines), len(names), dtype=points.dtype)
        votes.scatter_add_(1, topics[at], 1 + (near + 1) / (4 * k))
        right += int((votes.argmax(dim=1) == topics[start : start + CHUNK]).sum())
    return right / count


def _labelled(x: Vectors, labels: Sequence[Hashable | None], name: str) -> tuple[Tensor, Whole, list[Hashable]]:
    """Unit vectors on the CPU and label numbers of the rows that have a label, and the labels by number."""
    matrix = as_matrix(x, "x")
    known = label_list(labels, name, len(matrix))
    keep = [i for i, label in enumerate(known) if label is not None]
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(known[i], len(numbers)) for i in keep]
    points = normalize(precise(matrix.cpu()[keep]))
    return points, np.array(codes, dtype=np.int64), list(numbers)


def _pair_cosines(points: Tensor, left: Whole, right: Whole) -> npt.NDArray[np.float64]:
    """Cosines of the pairs: from the product of all with all where that is small, else a chunk at a time."""
    if len(points) <= 2 * CHUNK:
        return (points @ points.T).numpy()[left, right]
    step = 64 * CHUNK
    parts = [
        (points[left[i : i + step]] * points[right[i : i + step]]).sum(dim=1).numpy() for i in range(0, len(left), step)
    ]
    return np.concatenate(parts)


def _draw(high: Whole, generator: torch.Generator) -> Whole:
    """A uniform whole number in [0, high) for each entry of ``high``."""
    return np.asarray((torch.rand(len(high), generator=generator, dtype=torch.float64).numpy() * high), dtype=np.int64)


def _pairs_within(codes: Whole, count: int, generator: torch.Generator) -> Whole:
    """``(2, count)`` places of pairs of one group, uniform over all such pairs."""
    order = np.argsort(codes, kind="stable")  # rows, group by group
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    pairs = np.cumsum(sizes * (sizes - 1))  # a group is drawn as often as it has pairs
    group = np.searchsorted(pairs, _draw(np.full(count, pairs[-1]), generator), side="right")
    first = _draw(sizes[group], generator)
    other = _draw(sizes[group] - 1, generator)
    other += other >= first  # any place but the first one
    return np.stack([order[starts[group] + first], order[starts[group] + other]])


def _pairs_across(codes: Whole, count: int, generator: torch.Generator) -> Whole:
    """``(2, count)`` places of pairs of different groups, uniform over all such pairs, by the same trick as within."""
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    total = len(codes)
    pairs = np.cumsum(sizes * (total - sizes))
    group = np.searchsorted(pairs, _draw(np.full(count, pairs[-1]), generator), side="right")
    first = starts[group] + _draw(sizes[group], generator)
    other = _draw(total - sizes[group], generator)
    other += np.where(other >= starts[group], sizes[group], 0)  # skip the group itself
    return np.stack([order[first], order[other]])
