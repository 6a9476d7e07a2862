"""Proxies of similarity from a corpus's articles and topics, for corpora without human ratings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..arithmetic import normalize
from .inputs import Vectors, as_matrix, label_codes, precise

# With at most this many vectors, the matrix of all cosines is computed at once (32 MB).
MOST_IN_MATRIX = 2048
# Otherwise the cosines of this many pairs at once, since each pair needs two copies of a vector.
PAIRS_AT_ONCE = 65_536
Ints = npt.NDArray[np.int64]


def pair_auc(x: Vectors, groups: Sequence[Hashable | None], max_pairs: int = 200_000) -> float:
    """Return the probability that a pair within a group is nearer than a pair across groups.

    Nearer means a higher cosine; a group is an article, for example. 0.5 is chance, 1.0 perfect;
    ties count half (the area under the ROC curve). If there are more than ``max_pairs`` pairs,
    half that number within groups and half across groups is drawn with replacement, always the
    same ones. Rows whose group is None or NaN are left out.

    Shapes: x ``(N, D)``, groups N labels. Range [0, 1].

    Raises:
        ValueError: there is no pair within a group, or none across groups.

    >>> vectors = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]])
    >>> pair_auc(vectors, ["cats", "cats", "rain", "rain"])
    1.0
    """
    from sklearn.metrics import roc_auc_score

    # The rows with a group, and the number of each row's group; -1 stands for none.
    matrix = as_matrix(x, "x")
    every_code = label_codes(groups, "groups", len(matrix))
    labelled = np.flatnonzero(every_code >= 0)
    points = normalize(precise(matrix.cpu()[labelled]))
    codes = every_code[labelled]

    # Count the pairs: all, and those within groups.
    count = len(codes)
    sizes = np.bincount(codes, minlength=1)
    pairs = count * (count - 1) // 2
    pairs_within = int((sizes * (sizes - 1)).sum()) // 2
    if pairs_within in (0, pairs):
        raise ValueError(
            f"{count} rows with a group, in {len(sizes)} groups: pairs within a group and pairs "
            "across groups are needed; use several sentences of each of several articles"
        )

    # Compare all pairs, or a sample.
    if pairs <= max_pairs:
        left, right = np.triu_indices(count, k=1)
    else:
        generator = torch.Generator().manual_seed(0)
        within = _draw_pairs(codes, max_pairs // 2, generator, within=True)
        across = _draw_pairs(codes, max_pairs // 2, generator, within=False)
        left, right = np.concatenate([within, across], axis=1)
    return float(roc_auc_score(codes[left] == codes[right], _pair_cosines(points, left, right)))


def _pair_cosines(points: Tensor, left: Ints, right: Ints) -> npt.NDArray[np.float64]:
    """Return the cosines of P pairs of unit vectors ``(N, D)``.

    Pair p consists of the rows ``left[p]`` and ``right[p]``.
    """
    if len(points) <= MOST_IN_MATRIX:
        return (points @ points.T).numpy()[left, right]
    blocks = []
    for start in range(0, len(left), PAIRS_AT_ONCE):
        block = slice(start, start + PAIRS_AT_ONCE)
        blocks.append((points[left[block]] * points[right[block]]).sum(dim=1).numpy())
    return np.concatenate(blocks)


def _draw(high: Ints, generator: torch.Generator) -> Ints:
    """Draw a uniform integer in [0, high) for each entry of ``high``."""
    uniform = torch.rand(len(high), generator=generator, dtype=torch.float64).numpy()
    return np.asarray(uniform * high, dtype=np.int64)


def _draw_pairs(codes: Ints, count: int, generator: torch.Generator, *, within: bool) -> Ints:
    """Draw pairs of rows ``(2, count)`` uniformly from the pairs within groups, or across groups.

    Args:
        codes: the number of each row's group, ``(N,)``.
        count: the number of pairs; a pair can be drawn more than once.
        generator: the source of the random numbers.
        within: whether both rows of a pair are of the same group, or of different groups.
    """
    # The rows sorted by group: those of group g have the places starts[g] to
    # starts[g] + sizes[g] - 1 in this list.
    order = np.argsort(codes, kind="stable")  # (N,)
    sizes = np.bincount(codes)  # (groups,)
    starts = np.cumsum(sizes) - sizes  # (groups,)

    # Draw the group of the first row, with a probability proportional to its number of pairs.
    partners = sizes - 1 if within else len(codes) - sizes  # partners of a row of each group
    pairs_up_to_group = np.cumsum(sizes * partners)
    drawn_pairs = _draw(np.full(count, pairs_up_to_group[-1]), generator)
    group = np.searchsorted(pairs_up_to_group, drawn_pairs, side="right")  # (count,)

    # Draw the first row, by its number within its group, and its partner, by its number among all
    # partners of that row.
    first = _draw(sizes[group], generator)
    partner = _draw(partners[group], generator)
    # The partner's place in the list.
    if within:
        # All rows of the group but the first one: from there on, one place further.
        place = starts[group] + partner + (partner >= first)
    else:
        # All rows but those of the group: from there on, as many places further as it has rows.
        place = partner + np.where(partner >= starts[group], sizes[group], 0)
    return np.stack([order[starts[group] + first], order[place]])
