"""Batches as functions of seed and step, so that a checkpoint need not store their state."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Protocol

import torch

from ..wording import plural
from .false_negatives import InjectedFalseNegatives, Pairs

Tokenize = Callable[[Sequence[Any]], list[Any]]
Usable = Callable[[Any], bool]
MOST_UNUSABLE = 100_000  # consecutive unusable examples of a stream that raise an error


def _key(example: Any) -> Any:
    return tuple(example) if isinstance(example, list) else example


class Batches(Protocol):
    """A source of batches: tokenised examples for steps 0, 1, 2 and so on."""

    latest: list[Any]  # raw examples of the last batch
    false_negatives: Pairs  # rows of that batch with injected pairs of sentences from one group

    def batch(self, step: int) -> list[Any]:
        """Return the tokenised examples of one step."""
        ...

    def ahead(self, step: int) -> tuple[list[Any], list[Any]] | None:
        """Return raw and tokenised examples of a later step without changing state; None for a stream."""
        ...


class IndexedBatches:
    """Batches from a sequence: a new permutation every epoch, without the last incomplete batch.

    Each example is tokenised when it is first drawn, and cached. Repeated examples in a batch are dropped, since they
    would be each other's negatives. Examples that are not ``usable`` are skipped when they are drawn, since checking
    the complete corpus first would delay every run.

    Raises:
        ValueError: fewer examples than one batch, or fewer usable examples after the first epoch.

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
    ) -> None:
        self._rows = range(len(examples)) if injected is None else injected.plain
        if len(self._rows) < batch_size:
            raise ValueError(
                f"the corpus has {plural(len(self._rows), 'example')}, fewer than one batch of {batch_size}; "
                "give more examples, or a smaller batch_size"
            )
        self._examples, self._size, self._seed, self._tokenize = examples, batch_size, seed, tokenize
        self._usable, self._injected = usable, injected
        self._tokens: dict[int, Any] = {}
        self.latest: list[Any] = []
        self.false_negatives = Pairs()
        self._epoch = -1
        self._order: Iterator[int] = iter(())
        self._drawn: list[int] = []
        # batches per epoch; None until the usable examples are counted at the end of the first epoch
        self._per_epoch = len(self._rows) // batch_size if usable is None else None

    def batch(self, step: int) -> list[Any]:
        """Return the tokenised examples of one step."""
        epoch, place = (0, step) if self._per_epoch is None else divmod(step, self._per_epoch)
        picked = self._draw(epoch, (place + 1) * self._size)[place * self._size :]
        if len(picked) < self._size:
            self._per_epoch = self._batches_per_epoch()
            return self.batch(step)
        picked, pairs = (picked, Pairs()) if self._injected is None else self._injected.inject(picked, step)
        unique = list({_key(self._examples[i]): i for i in picked}.values())
        self._cache_tokens(unique)
        self.latest = [self._examples[i] for i in unique]
        self.false_negatives = [(unique.index(first), unique.index(second)) for first, second in pairs]
        return [self._tokens[i] for i in unique]

    def ahead(self, step: int) -> tuple[list[Any], list[Any]]:
        """See :meth:`Batches.ahead`; a copy of this object draws the examples."""
        other = copy.copy(self)
        other._tokens, other._epoch, other._drawn = dict(self._tokens), -1, []
        tokens = other.batch(step)
        return other.latest, tokens

    def _draw(self, epoch: int, count: int) -> list[int]:
        """Return the rows of the first ``count`` usable examples of an epoch, or of all if there are fewer."""
        if epoch != self._epoch:
            generator = torch.Generator().manual_seed(self._seed * 1_000_003 + epoch)
            self._epoch, self._drawn = epoch, []
            self._order = map(self._rows.__getitem__, torch.randperm(len(self._rows), generator=generator).tolist())
        while len(self._drawn) < count:
            next_ones = list(islice(self._order, self._size))
            if not next_ones:
                break
            if self._usable is not None:
                self._cache_tokens(next_ones)
                next_ones = [i for i in next_ones if self._usable(self._tokens[i])]
            self._drawn += next_ones
        return self._drawn[:count]

    def _cache_tokens(self, places: list[int]) -> None:
        new = [i for i in places if i not in self._tokens]
        if new:
            self._tokens.update(zip(new, self._tokenize([self._examples[i] for i in new]), strict=True))

    def _batches_per_epoch(self) -> int:
        usable = len(self._draw(0, len(self._rows)))
        if usable < self._size:
            raise ValueError(
                f"only {usable} of {plural(len(self._rows), 'example')} can be used, fewer than one batch of "
                f"{self._size}; give more examples, or a smaller batch_size"
            )
        return usable // self._size


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
    ) -> None:
        self._examples, self._size, self._seed, self._tokenize = examples, batch_size, seed, tokenize
        self._buffer, self._usable = max(buffer, batch_size), usable
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
            usable = [e for e, tokens in zip(drawn, self._tokenize(drawn), strict=True) if self._usable(tokens)]
            since = 0 if usable else since + len(drawn)
            yield from usable
        raise ValueError(f"none of {since:,} consecutive examples can be used; give a source of another kind of text")

    def _shuffled(self) -> Iterator[Any]:
        generator = torch.Generator().manual_seed(self._seed)
        source = iter(self._endless())
        held = list(islice(source, self._buffer))
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
                raise ValueError("the streamed source returned no example; check its name, split and column")

    def batch(self, step: int) -> list[Any]:
        """Return the tokenised examples of one step."""
        if step < self._next:
            self._next, self._stream = 0, self._chosen()
        skip = (step - self._next) * self._size
        self._next = step + 1
        self.latest = list({_key(e): e for e in islice(self._stream, skip, skip + self._size)}.values())
        return self._tokenize(self.latest)

    def ahead(self, step: int) -> None:
        """Return None: examples read ahead would be missing from the training."""
