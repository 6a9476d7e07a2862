"""Proxies of similarity from a corpus's articles and topics, for corpora without human ratings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..arithmetic import normalize
from .inputs import Vectors, as_matrix, label_list, precise
from .neighbours import nearest

CHUNK = 1024  # rows in a block
Ints = npt.NDArray[np.int64]


def pair_auc(x: Vectors, groups: Sequence[Hashable | None], max_pairs: int = 200_000) -> float:
    """Probability that a pair from one group has a higher cosine than a pair from different groups.

    A group is an article, for example. 0.5 is chance, 1.0 perfect; ties count half. If there are
    more than ``max_pairs`` pairs, half that number of each kind is drawn with replacement. Rows
    whose group is None or NaN are left out.

    Shapes: x ``(N, D)``, groups N labels. Range [0, 1].

    Raises:
        ValueError: there is no pair within a group, or none across groups.
    """
    from sklearn.metrics import roc_auc_score

    points, codes, _ = _labelled(x, groups, "groups")
    count = len(codes)
    sizes = np.bincount(codes, minlength=1)
    pairs = count * (count - 1) // 2
    pairs_within = int((sizes * (sizes - 1)).sum()) // 2
    if pairs_within in (0, pairs):
        raise ValueError(
            f"{count} rows with a group, in {len(sizes)} groups: pairs within a group and pairs "
            "across groups are needed; use several sentences of each of several articles"
        )
    if pairs <= max_pairs:
        left, right = np.triu_indices(count, k=1)
    else:
        generator = torch.Generator().manual_seed(0)
        within = _draw_pairs(codes, max_pairs // 2, generator, within=True)
        across = _draw_pairs(codes, max_pairs // 2, generator, within=False)
        left, right = np.concatenate([within, across], axis=1)
    return float(roc_auc_score(codes[left] == codes[right], _pair_cosines(points, left, right)))


def knn_label_accuracy(x: Vectors, labels: Sequence[Hashable | None], k: int = 10) -> float:
    """Accuracy of predicting each sentence's topic from its k nearest neighbours.

    Leave-one-out, by majority vote; ties go to the topic with the larger sum of cosines. Rows whose
    label is None or NaN are left out.

    Shapes: x ``(N, D)``, labels N. Range [0, 1]; compare with the share of the largest topic.
    """
    points, codes, names = _labelled(x, labels, "labels")
    neighbours = nearest(points, k=k)  # (N, k)
    # cosine + 1 is at most 2, so k of them over 4k sum up to less than a vote and only break ties.
    weights = 1 + (neighbours.cosines + 1) / (4 * k)
    votes = np.zeros((len(codes), len(names)))
    np.add.at(votes, (np.arange(len(codes))[:, None], codes[neighbours.rows]), weights)
    return float((votes.argmax(axis=1) == codes).mean())


def _labelled(
    x: Vectors, labels: Sequence[Hashable | None], name: str
) -> tuple[Tensor, Ints, list[Hashable]]:
    """Return unit vectors and label numbers of the rows with a label, and the labels."""
    matrix = as_matrix(x, "x")
    known = label_list(labels, name, len(matrix))
    rows = [row for row, label in enumerate(known) if label is not None]
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(known[row], len(numbers)) for row in rows]
    return normalize(precise(matrix.cpu()[rows])), np.array(codes, dtype=np.int64), list(numbers)


def _pair_cosines(points: Tensor, left: Ints, right: Ints) -> npt.NDArray[np.float64]:
    """Return the cosines of pairs, in blocks if the matrix of all cosines is large."""
    if len(points) <= 2 * CHUNK:
        return (points @ points.T).numpy()[left, right]
    step = 64 * CHUNK
    parts = [
        (points[left[i : i + step]] * points[right[i : i + step]]).sum(dim=1).numpy()
        for i in range(0, len(left), step)
    ]
    return np.concatenate(parts)


def _draw(high: Ints, generator: torch.Generator) -> Ints:
    """Draw a uniform integer in [0, high) for each entry of ``high``."""
    uniform = torch.rand(len(high), generator=generator, dtype=torch.float64).numpy()
    return np.asarray(uniform * high, dtype=np.int64)


def _draw_pairs(codes: Ints, count: int, generator: torch.Generator, *, within: bool) -> Ints:
    """Draw row pairs ``(2, count)`` uniformly from the pairs within groups, or across groups."""
    order = np.argsort(codes, kind="stable")  # rows, group by group
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    partners = sizes - 1 if within else len(codes) - sizes
    pairs = np.cumsum(sizes * partners)  # probability proportional to the group's number of pairs
    group = np.searchsorted(pairs, _draw(np.full(count, pairs[-1]), generator), side="right")
    first, other = _draw(sizes[group], generator), _draw(partners[group], generator)
    if within:
        other += starts[group] + (other >= first)  # any row of the group except ``first``
    else:
        other += np.where(other >= starts[group], sizes[group], 0)  # skip the group itself
    return np.stack([order[starts[group] + first], order[other]])
