"""Batches as functions of seed and step, so that a checkpoint need not store their state."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, cycle, islice
from typing import Any

import torch

from ..encoders.tokens import Tokens
from ..wording import plural
from .false_negatives import InjectedFalseNegatives, Pairs

Tokenize = Callable[[Sequence[Any]], list[Any]]
Usable = Callable[[Any], bool]
FEW_SUBSTITUTES = 1000  # substitutes that are drawn one by one
MOST_UNUSABLE = 100_000  # consecutive unusable examples of a stream that raise an error


class TooFewExamples(ValueError):
    """Fewer different and usable examples than one batch."""


def trained_ids(tokens: Any, max_length: int, usable: Usable | None = None) -> Any:
    """Return the token ids of an example that are trained on, in which those of a batch differ; None if not usable."""
    if usable is not None and not usable(tokens):
        return None
    tokens = getattr(tokens, "tokens", tokens)  # without the text and other fields
    if isinstance(tokens, Tokens):
        return tuple(tokens.truncate(max_length).ids)
    if isinstance(tokens, tuple):  # the parts of a pair or triplet
        return tuple(trained_ids(part, max_length) for part in tokens)
    return repr(tokens)


def _full(size: int, keyed: Iterable[tuple[Any, Any]], count: int) -> list[Any]:
    """Return the first ``size`` of ``count`` items whose keys are not None and differ."""
    found: dict[Any, Any] = {}
    for key, item in keyed:
        if key is not None:
            found.setdefault(key, item)
        if len(found) == size:
            return list(found.values())
    raise TooFewExamples(
        f"only {len(found)} of {plural(count, 'example')} can be used, fewer than one batch of {size}; others repeat "
        "the tokens that are trained on, or do not suit the method: give more examples, a smaller batch_size, or a "
        "larger max_length if it cuts examples to equal tokens"
    )


def _substitutes(count: int, seed: int, step: int) -> Iterator[int]:
    """Yield numbers below ``count`` in a random order of this step, at first with repetition, in the end each.

    A batch rarely needs more than a few, so a permutation of all is drawn only if these were not enough.
    """
    generator = torch.Generator().manual_seed(((seed + 1) * 1_000_003 + step) * 5)
    for _ in range(FEW_SUBSTITUTES):
        yield int(torch.randint(count, (1,), generator=generator))
    yield from torch.randperm(count, generator=generator).tolist()


class IndexedBatches:
    """Batches from a sequence: a new permutation every epoch, without the last incomplete batch.

    Each example is tokenised when it is first drawn, and cached. An example with the first ``max_length`` token ids of
    another one in the batch would be its negative; a random example replaces it. Examples that are not ``usable`` are
    skipped when they are drawn, since checking the complete corpus first would delay every run.

    Raises:
        ValueError: fewer different examples than one batch, or fewer usable examples after the first epoch.

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
        injected: InjectedFalseNegatives | None = None,
        max_length: int = sys.maxsize,
    ) -> None:
        self._rows = range(len(examples)) if injected is None else injected.plain
        if len(self._rows) < batch_size:
            raise ValueError(
                f"the corpus has {plural(len(self._rows), 'example')}, fewer than one batch of {batch_size}; "
                "give more examples, or a smaller batch_size"
            )
        self._examples, self._size, self._seed, self._tokenize = (
            examples,
            batch_size,
            seed,
            tokenize,
        )
        self._usable, self._injected, self._max_length = usable, injected, max_length
        self._tokens: dict[int, Any] = {}
        self.latest: list[Any] = []  # raw examples of the last batch
        self.false_negatives = (
            Pairs()
        )  # rows of that batch with injected pairs of sentences from one group
        self._epoch = -1
        self._order: Iterator[int] = iter(())
        self._drawn: list[int] = []
        # batches per epoch; None until the usable examples are counted at the end of the first epoch
        self._per_epoch = len(self._rows) // batch_size if usable is None else None

    def batch(self, step: int) -> list[Any]:
        """Return the tokenised examples of one step."""
        epoch, place = (0, step) if self._per_epoch is None else divmod(step, self._per_epoch)
        picked = self._draw(epoch, place * self._size, (place + 1) * self._size)
        if len(picked) < self._size and self._per_epoch is None:
            self._per_epoch = max(1, len(self._drawn) // self._size)
            return self.batch(step)
        self._cache_tokens(picked)
        picked, pairs = (
            (picked, Pairs())
            if self._injected is None
            else self._injected.inject(picked, step, self._key)
        )
        others = map(self._rows.__getitem__, _substitutes(len(self._rows), self._seed, step))
        rows = _full(
            self._size, ((self._key(row), row) for row in chain(picked, others)), len(self._rows)
        )
        self.latest = [self._examples[i] for i in rows]
        self.false_negatives = [(rows.index(first), rows.index(second)) for first, second in pairs]
        return [self._tokens[i] for i in rows]

    def _key(self, row: int) -> Any:
        self._cache_tokens([row])
        return trained_ids(self._tokens[row], self._max_length, self._usable)

    def ahead(self, step: int) -> tuple[list[Any], list[Any]]:
        """Return raw and tokenised examples of a later step without changing state; a copy of this object draws."""
        other = copy.copy(self)
        other._tokens, other._epoch, other._drawn = dict(self._tokens), -1, []
        tokens = other.batch(step)
        return other.latest, tokens

    def _draw(self, epoch: int, start: int, stop: int) -> list[int]:
        """Return the rows of the usable examples ``start`` to ``stop`` of an epoch; fewer at its end."""
        if epoch != self._epoch:
            generator = torch.Generator().manual_seed(self._seed * 1_000_003 + epoch)
            self._epoch, self._drawn = epoch, []
            self._order = map(
                self._rows.__getitem__,
                torch.randperm(len(self._rows), generator=generator).tolist(),
            )
        while len(self._drawn) < stop:
            next_ones = list(islice(self._order, self._size))
            if not next_ones:
                break
            if self._usable is not None:
                self._cache_tokens(next_ones)
                next_ones = [i for i in next_ones if self._key(i) is not None]
            self._drawn += next_ones
        return self._drawn[start:stop]

    def _cache_tokens(self, places: list[int]) -> None:
        new = [i for i in places if i not in self._tokens]
        if new:
            self._tokens.update(
                zip(new, self._tokenize([self._examples[i] for i in new]), strict=True)
            )


class StreamedBatches:
    """Batches from an iterable that is too long for memory, shuffled within a buffer and repeated without end."""

    def __init__(
        self,
        examples: Iterable[Any],
        batch_size: int,
        seed: int,
        tokenize: Tokenize,
        buffer: int = 10_000,
        usable: Usable | None = None,
        max_length: int = sys.maxsize,
    ) -> None:
        self._examples, self._size, self._seed, self._tokenize = (
            examples,
            batch_size,
            seed,
            tokenize,
        )
        self._buffer, self._usable, self._max_length = max(buffer, batch_size), usable, max_length
        self._held: list[Any] = []
        self._next = 0
        self._stream = self._chosen()
        self.latest: list[Any] = []
        self.false_negatives = Pairs()

    def _chosen(self) -> Iterator[Any]:
        if self._usable is None:
            yield from self._shuffled()
            return
        stream, since = self._shuffled(), 0
        while since < MOST_UNUSABLE:
            drawn = list(islice(stream, self._size))
            usable = [
                e
                for e, tokens in zip(drawn, self._tokenize(drawn), strict=True)
                if self._usable(tokens)
            ]
            since = 0 if usable else since + len(drawn)
            yield from usable
        raise ValueError(
            f"none of {since:,} consecutive examples can be used; give a source of another kind of text"
        )

    def _shuffled(self) -> Iterator[Any]:
        generator = torch.Generator().manual_seed(self._seed)
        source = iter(self._endless())
        held = self._held = list(islice(source, self._buffer))
        for example in source:
            place = int(torch.randint(len(held), (1,), generator=generator))
            held[place], example = example, held[place]
            yield example

    def _endless(self) -> Iterator[Any]:
        for _ in cycle((0,)):
            empty = True
            for example in self._examples:
                empty = False
                yield example
            if empty:
                raise ValueError(
                    "the streamed source returned no example; check its name, split and column"
                )

    def batch(self, step: int) -> list[Any]:
        """Return the tokenised examples of one step; random examples of the buffer replace repeated ones."""
        if step < self._next:
            self._next, self._stream = 0, self._chosen()
        skip = (step - self._next) * self._size
        self._next = step + 1
        drawn = list(islice(self._stream, skip, skip + self._size))
        others = map(self._held.__getitem__, _substitutes(len(self._held), self._seed, step))
        tokenized = ((example, self._tokenize([example])[0]) for example in chain(drawn, others))
        keyed = ((trained_ids(one[1], self._max_length, self._usable), one) for one in tokenized)
        batch = _full(self._size, keyed, len(self._held))
        self.latest = [example for example, _ in batch]
        return [tokens for _, tokens in batch]

    def ahead(self, step: int) -> None:
        """Return None: examples read ahead would be missing from the training."""


Batches = IndexedBatches | StreamedBatches
