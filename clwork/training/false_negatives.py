"""Inject false negatives: pairs of sentences from one group, which a batch treats as each other's negatives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

import torch
from torch import Tensor

from ..wording import plural

Pairs = list[tuple[int, int]]


class InjectedFalseNegatives:
    """Replaces the last rows of a batch by pairs of sentences from one group."""

    def __init__(
        self,
        texts: Sequence[str],
        groups: Sequence[str | None] | None,
        share: float,
        size: int,
        seed: int,
    ) -> None:
        if groups is None:
            raise ValueError(
                f"same_group={share:g} needs groups of sentences, but these sentences have none; give "
                "clwork.data.Sentences(texts, groups=...) or a table with a column 'group', or leave same_group out"
            )
        by_group = defaultdict(list)
        for row, group in enumerate(groups):
            by_group[group].append(row)
        self.plain: Sequence[int] = by_group.pop(None, range(len(texts)))
        self._groups = [rows for rows in by_group.values() if len({texts[row] for row in rows}) > 1]
        self._seed, self._count = seed, round(share * size / 2)
        if len(self._groups) < self._count:
            raise ValueError(
                f"same_group={share:g} needs {plural(self._count, 'pair')} per batch, but only {len(self._groups)} of "
                "the groups have two different sentences; give more groups, or lower same_group"
            )

    def inject(
        self, picked: Sequence[int], step: int, key: Callable[[int], Hashable]
    ) -> tuple[list[int], Pairs]:
        """Replace the last rows of ``picked`` by pairs of rows with different keys; return all rows and the pairs."""
        generator = torch.Generator().manual_seed(((self._seed + 1) * 1_000_003 + step) * 3)
        rows, pairs = list(picked[: max(0, len(picked) - 2 * self._count)]), Pairs()
        taken = set(map(key, rows))
        for group in torch.randperm(len(self._groups), generator=generator).tolist():
            if len(pairs) == self._count:
                break
            members = self._groups[group]
            drawn = [
                members[place]
                for place in torch.randperm(len(members), generator=generator).tolist()
            ]
            second = next((row for row in drawn if key(row) != key(drawn[0])), drawn[0])
            both = {key(drawn[0]), key(second)}
            if len(both) == 2 and not both & taken:
                taken |= both
                pairs.append((drawn[0], second))
        return rows + [row for pair in pairs for row in pair], pairs


def agreement(masked: Tensor, pairs: Pairs) -> dict[str, Tensor]:
    """Precision, recall and F1 of a mask ``(B, B)`` against the injected pairs; F1 of a random mask of its size."""
    injected = torch.zeros_like(masked)
    for first, second in pairs:
        injected[first, second] = injected[second, first] = True
    hits, found, due = (cells.sum().float() for cells in (masked & injected, masked, injected))
    total = len(masked) * (len(masked) - 1)
    return {
        "mask_precision": hits / found.clamp(min=1),
        "mask_recall": hits / due,
        "mask_f1": 2 * hits / (found + due),
        # m masked and p injected of n pairs: 2mp / (n (m + p))
        "mask_f1_by_chance": 2 * found * due / (total * (found + due)),
    }
