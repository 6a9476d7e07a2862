"""Inject false negatives: pairs of sentences from one group, which a batch takes for negatives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

import torch

from ..wording import plural


class InjectedFalseNegatives:
    """Replaces the last rows of a batch by pairs of sentences from one group.

    The sentences of a group mean the same, so in a batch each of a pair is a false negative of the
    other. ``plain`` are the rows of the corpus that belong to no group, from which batches are
    drawn.

    Args:
        texts: the sentences of the corpus.
        groups: the group of each sentence, None for one without; None if the corpus has no groups.
        share: share of a batch that consists of such pairs.
        size: sentences in a batch.
        seed: seed of the random choice.

    Raises:
        ValueError: the corpus has no groups, or too few with two different sentences.
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
        # Number of pairs in a batch.
        self._pairs = round(share * size / 2)
        if len(self._groups) < self._pairs:
            raise ValueError(
                f"same_group={share:g} needs {plural(self._pairs, 'pair')} per batch, but only "
                f"{len(self._groups)} of the groups have two different sentences; give more "
                "groups, or lower same_group"
            )

    def inject(self, rows: Sequence[int], step: int, key: Callable[[int], Hashable]) -> list[int]:
        """Return the rows of a batch, the last of them replaced by pairs.

        Each pair is of another group. ``key`` returns what the sentences of a batch must differ in;
        a group is skipped if its pair has the key of a sentence that is already in the batch.
        """
        generator = torch.Generator().manual_seed(((self._seed + 1) * 1_000_003 + step) * 3)
        plain_rows = list(rows[: max(0, len(rows) - 2 * self._pairs)])
        keys_in_batch = {key(row) for row in plain_rows}
        paired_rows: list[int] = []
        for group in torch.randperm(len(self._groups), generator=generator).tolist():
            if len(paired_rows) == 2 * self._pairs:
                break
            members = self._groups[group]
            order = torch.randperm(len(members), generator=generator).tolist()
            first, *others = [members[number] for number in order]
            # The first itself if all sentences of the group are equal; then the group is skipped.
            second = next((row for row in others if key(row) != key(first)), first)
            keys = {key(first), key(second)}
            if len(keys) == 2 and not keys & keys_in_batch:
                keys_in_batch |= keys
                paired_rows += [first, second]
        return plain_rows + paired_rows
