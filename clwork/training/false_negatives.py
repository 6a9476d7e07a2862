"""Inject false negatives: pairs of sentences from one group, which a batch takes for negatives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

import torch

from ..wording import plural


class InjectedFalseNegatives:
    """Replaces the last rows of a batch by pairs of sentences from one group.

    ``plain`` are the rows of the corpus that belong to no group.
    """

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
                f"same_group={share:g} needs groups of sentences, but these sentences have none; "
                "give clwork.data.Sentences(texts, groups=...) or a table with a column 'group', "
                "or leave same_group out"
            )
        by_group = defaultdict(list)
        for row, group in enumerate(groups):
            by_group[group].append(row)
        self.plain: Sequence[int] = by_group.pop(None, range(len(texts)))
        self._groups = [rows for rows in by_group.values() if len({texts[row] for row in rows}) > 1]
        self._seed = seed
        self._pairs = round(share * size / 2)  # of a batch
        if len(self._groups) < self._pairs:
            raise ValueError(
                f"same_group={share:g} needs {plural(self._pairs, 'pair')} per batch, but only "
                f"{len(self._groups)} of the groups have two different sentences; give more "
                "groups, or lower same_group"
            )

    def inject(self, rows: Sequence[int], step: int, key: Callable[[int], Hashable]) -> list[int]:
        """Return the rows of a batch, the last of them replaced by pairs with different keys."""
        generator = torch.Generator().manual_seed(((self._seed + 1) * 1_000_003 + step) * 3)
        kept = list(rows[: max(0, len(rows) - 2 * self._pairs)])
        taken = {key(row) for row in kept}
        pairs: list[int] = []
        for group in torch.randperm(len(self._groups), generator=generator).tolist():
            if len(pairs) == 2 * self._pairs:
                break
            members = self._groups[group]
            order = torch.randperm(len(members), generator=generator).tolist()
            first, *others = [members[number] for number in order]
            second = next((row for row in others if key(row) != key(first)), first)
            keys = {key(first), key(second)}
            if len(keys) == 2 and not keys & taken:
                taken |= keys
                pairs += [first, second]
        return kept + pairs
