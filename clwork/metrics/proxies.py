"""Proxies of similarity from a corpus's articles and topics, for corpora without human ratings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .._validation import AtLeastTwo, checked
from ..arithmetic import normalize
from .inputs import AS_IT_IS, Vectors, as_matrix, label_list, precise
from .neighbours import nearest

CHUNK = 1024  # rows in a block
Ints = npt.NDArray[np.int64]


@checked(x=AS_IT_IS, groups=AS_IT_IS)
def pair_auc(
    x: Vectors,
    groups: Sequence[Hashable | None],
    max_pairs: AtLeastTwo = 200_000,
) -> float:
    """Probability that a pair from one group (an article) has a higher cosine than a pair from different groups.

    0.5 is chance, 1.0 perfect; ties count half. If there are more than ``max_pairs`` pairs, half that number of each
    kind is drawn with replacement. Rows whose group is None or NaN are left out. Shapes: x ``(N, D)``, groups N labels.
    """
    from sklearn.metrics import roc_auc_score

    points, codes, _ = _labelled(x, groups, "groups")
    count, sizes = len(codes), np.bincount(codes) if len(codes) else np.zeros(0, dtype=np.int64)
    alike = int((sizes * (sizes - 1)).sum()) // 2
    if alike == 0 or alike == count * (count - 1) // 2:
        raise ValueError(
            f"{count} rows with a group, in {len(sizes)} groups: pairs within a group and pairs across groups are "
            "needed; use several sentences of each of several articles"
        )
    if count * (count - 1) // 2 <= max_pairs:
        left, right = np.triu_indices(count, k=1)
    else:
        source = torch.Generator().manual_seed(0)
        drawn = [
            _draw_pairs(codes, max_pairs // 2, source, within=within) for within in (True, False)
        ]
        left, right = np.concatenate(drawn, axis=1)
    return float(roc_auc_score(codes[left] == codes[right], _pair_cosines(points, left, right)))


def knn_label_accuracy(x: Vectors, labels: Sequence[Hashable | None], k: int = 10) -> float:
    """Accuracy of predicting each sentence's topic from its k nearest neighbours (leave-one-out, majority vote).

    Ties go to the topic with the larger sum of cosines. Rows whose label is None or NaN are left out. Shapes: x ``(N,
    D)``, labels N. Range [0, 1]; compare with the share of the largest topic.
    """
    points, codes, names = _labelled(x, labels, "labels")
    found = nearest(points, k=k)  # (N, k)
    # cosine + 1 is at most 2, so the sum of k of them over 4k is below one vote and only breaks ties
    votes = np.zeros((len(codes), len(names)))
    np.add.at(
        votes,
        (np.arange(len(codes))[:, None], codes[found.rows]),
        1 + (found.cosines + 1) / (4 * k),
    )
    return float((votes.argmax(axis=1) == codes).mean())


def _labelled(
    x: Vectors, labels: Sequence[Hashable | None], name: str
) -> tuple[Tensor, Ints, list[Hashable]]:
    """Return unit vectors on the CPU and label numbers of the rows with a label, and the labels."""
    matrix = as_matrix(x, "x")
    known = label_list(labels, name, len(matrix))
    rows = [i for i, label in enumerate(known) if label is not None]
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(known[i], len(numbers)) for i in rows]
    return normalize(precise(matrix.cpu()[rows])), np.array(codes, dtype=np.int64), list(numbers)


def _pair_cosines(points: Tensor, left: Ints, right: Ints) -> npt.NDArray[np.float64]:
    """Return the cosines of pairs, from the matrix of all cosines if it is small, else in blocks."""
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
    return np.asarray(
        (torch.rand(len(high), generator=generator, dtype=torch.float64).numpy() * high),
        dtype=np.int64,
    )


def _draw_pairs(codes: Ints, count: int, generator: torch.Generator, *, within: bool) -> Ints:
    """Draw row pairs ``(2, count)`` uniformly from all pairs within a group, or from all pairs across groups."""
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
