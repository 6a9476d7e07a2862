"""Batches as functions of seed and step, so that a checkpoint need not store their state."""

from __future__ import annotations

import copy
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import torch

from ..encoders.tokens import Tokens
from ..events import Event
from ..methods import Method
from ..methods.base import SEED_FACTOR, seed_of_step
from ..wording import MANY_UNKNOWN, plural, unknown_tokens_message

# Returns the tokens of each example, in the form that the method reads.
Tokenize = Callable[[Sequence[Any]], list[Any]]
# Whether the method can train on an example, given its tokens.
Usable = Callable[[Any], bool]

# Substitutes that are drawn one by one.
FEW_SUBSTITUTES = 1000


def trained_ids(tokens: Any, max_length: int, usable: Usable | None = None) -> Any:
    """Return the token ids of an example that are trained on; None if it is not usable.

    The examples of a batch must differ in these, since an equal example would be a negative. The
    ids of a pair or triplet are a tuple of tuples; for tokens of any other type, which a user's own
    method may have, their ``repr`` stands for the ids.
    """
    if usable is not None and not usable(tokens):
        return None
    # Some methods store the tokens with the sentence's text.
    tokens = getattr(tokens, "tokens", tokens)
    if isinstance(tokens, Tokens):
        return tuple(tokens.truncate(max_length).ids)
    if isinstance(tokens, tuple):
        return tuple(trained_ids(sentence, max_length) for sentence in tokens)
    return repr(tokens)


def _substitutes(count: int, seed: int, step: int) -> Iterator[int]:
    """Yield numbers below ``count`` in a random order of this step, with repetition at first.

    A batch rarely needs more than a few, so a permutation of all is drawn only after these.
    """
    # Times 5, as the step's other random numbers have 2 (Draws) and 3 (injected pairs).
    generator = torch.Generator().manual_seed(seed_of_step(seed, step) * 5)
    for _ in range(FEW_SUBSTITUTES):
        yield int(torch.randint(count, (1,), generator=generator))
    yield from torch.randperm(count, generator=generator).tolist()


class IndexedBatches:
    """Batches from a sequence: a new permutation every epoch, without the last incomplete batch.

    Each example is tokenised when it is first drawn. An example with the first ``max_length`` token
    ids of another one in the batch would be its negative, so a random example replaces it. Examples
    that are not ``usable`` are skipped when they are drawn, since checking the complete corpus
    first would delay every run.

    Args:
        examples: sentences, pairs or triplets; a *row* is the index of an example.
        batch_size: examples in a batch.
        seed: seed of all permutations and substitutes.
        tokenize: returns the tokens of a list of examples.
        usable: whether the method can train on an example's tokens; None: it can on all.
        max_length: number of tokens that are trained on.
        injected: replaces rows of each batch by false negatives, see
            :class:`.InjectedFalseNegatives`.

    Raises:
        ValueError: fewer different examples than one batch, or fewer usable ones.

    >>> batches = IndexedBatches(["a", "b", "c", "d"], batch_size=2, seed=0, tokenize=list)
    >>> sorted(batches.batch(0) + batches.batch(1))
    ['a', 'b', 'c', 'd']
    """

    def __init__(
        self,
        examples: Sequence[Any],
        batch_size: int,
        seed: int,
        tokenize: Tokenize,
        usable: Usable | None = None,
        max_length: int = sys.maxsize,
        injected: InjectedFalseNegatives | None = None,
    ) -> None:
        self._injected = injected
        self._rows = range(len(examples)) if injected is None else injected.plain
        if len(self._rows) < batch_size:
            raise ValueError(
                f"the corpus has {plural(len(self._rows), 'example')}, fewer than one batch of "
                f"{batch_size}; give more examples, or a smaller batch_size"
            )
        self._examples = examples
        self._size = batch_size
        self._seed = seed
        self._tokenize = tokenize
        self._usable = usable
        self._max_length = max_length
        self._tokens: dict[int, Any] = {}
        # Raw examples of the last batch.
        self.latest: list[Any] = []
        # The present epoch: its rows that are not drawn yet, and the usable ones so far.
        self._epoch = -1
        self._order: Iterator[int] = iter(())
        self._drawn: list[int] = []
        # Batches in an epoch; None until the first epoch has counted the usable examples.
        self._per_epoch = len(self._rows) // batch_size if usable is None else None

    def batch(self, step: int) -> list[Any]:
        """Return the tokenised examples of one step."""
        # The epoch of the step, and the number of its batch in the epoch.
        if self._per_epoch is None:
            epoch = 0
            number = step
        else:
            epoch, number = divmod(step, self._per_epoch)
        rows = self._draw(epoch, number * self._size, (number + 1) * self._size)
        if len(rows) < self._size and self._per_epoch is None:
            # The first epoch has ended, so now the number of its batches is known, and the step is
            # one of a later epoch: begin again.
            self._per_epoch = max(1, len(self._drawn) // self._size)
            return self.batch(step)

        # Tokenised together, which is faster than one by one.
        self._cache_tokens(rows)
        if self._injected is not None:
            rows = self._injected.inject(rows, step, self._key)

        rows = self._distinct(rows, step)
        self.latest = [self._examples[row] for row in rows]
        return [self._tokens[row] for row in rows]

    def ahead(self, step: int) -> tuple[list[Any], list[Any]]:
        """Return raw and tokenised examples of a later step; this object does not change."""
        other = copy.copy(self)
        # Everything that batch() changes in place is replaced in the copy.
        other._tokens = dict(self._tokens)
        other._epoch = -1
        other._drawn = []
        tokens = other.batch(step)
        return other.latest, tokens

    def _draw(self, epoch: int, start: int, stop: int) -> list[int]:
        """Return rows ``start`` to ``stop`` of an epoch's usable examples; fewer at its end.

        Rows are drawn from the epoch's permutation until ``stop`` usable ones are known.
        """
        if epoch != self._epoch:
            # So that no epoch of a run has the order of an epoch with another seed.
            generator = torch.Generator().manual_seed(self._seed * SEED_FACTOR + epoch)
            self._epoch = epoch
            self._drawn = []
            order = torch.randperm(len(self._rows), generator=generator).tolist()
            self._order = (self._rows[index] for index in order)
        while len(self._drawn) < stop:
            # As many as a batch, which are tokenised together.
            rows = list(islice(self._order, self._size))
            # The end of the epoch.
            if not rows:
                break
            if self._usable is not None:
                self._cache_tokens(rows)
                rows = [row for row in rows if self._key(row) is not None]
            self._drawn += rows
        return self._drawn[start:stop]

    def _distinct(self, rows: list[int], step: int) -> list[int]:
        """Return the rows of a batch, with random others in place of equal examples."""
        count = len(self._rows)
        substitutes = (self._rows[number] for number in _substitutes(count, self._seed, step))
        row_by_key: dict[Any, int] = {}
        for row in chain(rows, substitutes):
            key = self._key(row)
            if key is not None:
                # Of examples with equal keys, the first stays.
                row_by_key.setdefault(key, row)
            if len(row_by_key) == self._size:
                return list(row_by_key.values())
        raise ValueError(
            f"only {len(row_by_key)} of {plural(count, 'example')} can be used, fewer than one "
            f"batch of {self._size}; others repeat the tokens that are trained on, or do not suit "
            "the method: give more examples, a smaller batch_size, or a larger max_length if it "
            "cuts examples to equal tokens"
        )

    def _key(self, row: int) -> Any:
        """Return what the example of a row must differ in, see :func:`trained_ids`."""
        self._cache_tokens([row])
        return trained_ids(self._tokens[row], self._max_length, self._usable)

    def _cache_tokens(self, rows: list[int]) -> None:
        """Tokenise the examples of these rows that have not been tokenised yet."""
        new = [row for row in rows if row not in self._tokens]
        if new:
            tokens = self._tokenize([self._examples[row] for row in new])
            self._tokens.update(zip(new, tokens, strict=True))


class InjectedFalseNegatives:
    """Replaces the last rows of a batch by pairs of sentences from one group.

    The sentences of a group mean the same, so in a batch each of a pair is a false negative of the
    other.

    Attributes:
        plain: the rows from which batches are drawn before pairs are injected: those that belong
            to no group. If every sentence has a group, as in a corpus whose groups are articles,
            they are all rows.

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
        without_group = by_group.pop(None, [])
        self.plain: Sequence[int] = without_group or range(len(texts))
        # The rows of each group with two different sentences.
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

    def inject(
        self, rows: Sequence[int], step: int, key_of: Callable[[int], Hashable]
    ) -> list[int]:
        """Return the rows of a batch, the last of them replaced by pairs, each of another group.

        Args:
            rows: the rows of the batch.
            step: number of the step, for the random choice of groups and pairs.
            key_of: returns what the sentence of a row is compared by: two sentences of a batch must
                not have the same key, since they would be equal.
        """
        # Times 3, as the step's other random numbers have 2 (Draws) and 5 (substitutes).
        generator = torch.Generator().manual_seed(seed_of_step(self._seed, step) * 3)
        plain_rows = list(rows[: max(0, len(rows) - 2 * self._pairs)])
        keys_in_batch = {key_of(row) for row in plain_rows}
        paired_rows: list[int] = []
        for group in torch.randperm(len(self._groups), generator=generator).tolist():
            if len(paired_rows) == 2 * self._pairs:
                break
            # A random row of the group, and a random other one that is not equal to it.
            members = self._groups[group]
            order = torch.randperm(len(members), generator=generator).tolist()
            first, *others = [members[number] for number in order]
            first_key = key_of(first)
            second = next((row for row in others if key_of(row) != first_key), None)
            if second is None:
                # The sentences of the group are equal up to max_length.
                continue
            pair_keys = {first_key, key_of(second)}
            # The group is skipped if one of its pair is in the batch already.
            if pair_keys.isdisjoint(keys_in_batch):
                keys_in_batch |= pair_keys
                paired_rows += [first, second]
        return plain_rows + paired_rows


def make_batches(
    method: Method[Any], examples: Sequence[Any], seed: int
) -> tuple[IndexedBatches, Sequence[str], list[Event]]:
    """Return the batches, sentences for the probe, and an event if many tokens are unknown.

    Of a pair or triplet, the probe measures the first sentence. Sets ``method.kind``, the kind of
    the examples. Raises ValueError for examples that the method cannot train on, or that are too
    few for a batch.
    """
    config = method.config
    method.kind = method.check_examples(examples)
    injected = None
    # Some methods have this setting: the share of false negatives in a batch.
    if share := getattr(config, "same_group", 0.0):
        groups = getattr(examples, "groups", None)
        injected = InjectedFalseNegatives(examples, groups, share, config.batch_size, seed)
    batches = IndexedBatches(
        examples,
        config.batch_size,
        seed,
        method.tokenize,
        usable=method.usable(),
        max_length=config.max_length,
        injected=injected,
    )
    is_text = isinstance(examples[0], str)
    sentences = examples if is_text else [example[0] for example in examples]

    # Tokens that the encoder's vocabulary lacks make different examples equal.
    unknown = method.encoder.unknown_share(sentences)
    has_many_unknown = unknown >= MANY_UNKNOWN
    try:
        batches.batch(0)
    except ValueError as error:
        if has_many_unknown:
            raise ValueError(f"{unknown_tokens_message(unknown)} ({error})") from None
        raise
    return batches, sentences, [{"unknown": unknown}] if has_many_unknown else []
