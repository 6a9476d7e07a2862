"""The examples of each step, a function of seed and step: nothing has to be stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Protocol

import torch

from ..wording import plural
from .false_negatives import Pairs, Planting

Tokenize = Callable[[Sequence[Any]], list[Any]]
Usable = Callable[[Any], bool]
PATIENCE = 100_000  # examples of a stream in a row that cannot be used, before it is given up


def _key(example: Any) -> Any:
    return tuple(example) if isinstance(example, list) else example


class Batches(Protocol):
    """A source of batches: tokenised examples for steps 0, 1, 2 and on."""

    latest: list[Any]  # the examples of the last batch, not tokenised
    together: Pairs  # planted in it: places of two sentences of one group

    def batch(self, step: int) -> list[Any]:
        """Tokenised examples of one step."""
        ...

    def ahead(self, step: int) -> tuple[list[Any], list[Any]] | None:
        """Examples of a later step, raw and tokenised, without a change of state; None if they cannot be read ahead."""
        ...


class IndexedBatches:
    """Batches from a sequence: every epoch a fresh permutation, its last incomplete batch dropped.

    Each example is tokenised when it is first drawn, and cached. Equal examples within a batch are taken once: as each
    other's negatives they would teach that a sentence differs from itself. Examples that are not ``usable`` are skipped
    as they are drawn: checking a whole corpus first would delay the start of every run.

    Raises:
        ValueError: the sequence, or what is usable of it once all of it was checked, is shorter than one batch.
    """

    def __init__(
        self,
        examples: Sequence[Any],
        batch_size: int,
        seed: int,
        tokenize: Tokenize,
        usable: Usable | None = None,
        planting: Planting | None = None,
    ) -> None:
        self._rows = range(len(examples)) if planting is None else planting.plain
        if len(self._rows) < batch_size:
            raise ValueError(
                f"the corpus has {plural(len(self._rows), 'example')}, fewer than one batch of {batch_size}; "
                "give more, or set a smaller batch_size"
            )
        self._examples, self._size, self._seed, self._tokenize = examples, batch_size, seed, tokenize
        self._usable, self._planting = usable, planting
        self._known: dict[int, Any] = {}
        self.latest: list[Any] = []
        self.together = Pairs()
        self._epoch = -1
        self._order: Iterator[int] = iter(())
        self._drawn: list[int] = []
        # batches per epoch; usable examples are counted at the end of the first epoch
        self._whole = len(self._rows) // batch_size if usable is None else None

    def batch(self, step: int) -> list[Any]:
        """The tokenised examples of one step."""
        epoch, place = (0, step) if self._whole is None else divmod(step, self._whole)
        picked = self._draw(epoch, (place + 1) * self._size)[place * self._size :]
        if len(picked) < self._size:
            self._whole = self._counted()
            return self.batch(step)
        picked, pairs = (picked, Pairs()) if self._planting is None else self._planting.planted(picked, step)
        unique = list({_key(self._examples[i]): i for i in picked}.values())
        self._learn(unique)
        self.latest = [self._examples[i] for i in unique]
        self.together = [(unique.index(first), unique.index(second)) for first, second in pairs]
        return [self._known[i] for i in unique]

    def ahead(self, step: int) -> tuple[list[Any], list[Any]]:
        """See :meth:`Batches.ahead`."""
        apart = IndexedBatches(self._examples, self._size, self._seed, self._tokenize, self._usable, self._planting)
        apart._known, apart._whole = dict(self._known), self._whole
        tokens = apart.batch(step)
        return apart.latest, tokens

    def _draw(self, epoch: int, count: int) -> list[int]:
        """The first ``count`` usable examples of an epoch, or fewer at its end."""
        if epoch != self._epoch:
            generator = torch.Generator().manual_seed(self._seed * 1_000_003 + epoch)
            self._epoch, self._drawn = epoch, []
            self._order = map(self._rows.__getitem__, torch.randperm(len(self._rows), generator=generator).tolist())
        while len(self._drawn) < count:
            next_ones = list(islice(self._order, self._size))
            if not next_ones:
                break
            if self._usable is not None:
                self._learn(next_ones)
                next_ones = [i for i in next_ones if self._usable(self._known[i])]
            self._drawn += next_ones
        return self._drawn[:count]

    def _learn(self, places: list[int]) -> None:
        new = [i for i in places if i not in self._known]
        if new:
            self._known.update(zip(new, self._tokenize([self._examples[i] for i in new]), strict=True))

    def _counted(self) -> int:
        """Batches per epoch, now that every example has been checked."""
        usable = len(self._draw(0, len(self._rows)))
        if usable < self._size:
            raise ValueError(
                f"of {plural(len(self._rows), 'example')} only {usable} can be used, "
                f"fewer than one batch of {self._size}; "
                "give more, or set a smaller batch_size"
            )
        return usable // self._size


class StreamedBatches:
    """Batches from an iterable too long for the memory, shuffled within a buffer; restarts at its end.

    Asking for an earlier step, or resuming at a later one, reads the stream again from its start.

    Raises:
        ValueError: the stream is empty, or none of PATIENCE examples in a row is ``usable``.
    """

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
        self.together = Pairs()  # a stream has no groups

    def _chosen(self) -> Iterator[Any]:
        if self._usable is None:
            yield from self._shuffled()
            return
        stream, since = self._shuffled(), 0
        while since < PATIENCE:
            drawn = list(islice(stream, self._size))
            usable = [e for e, tokens in zip(drawn, self._tokenize(drawn), strict=True) if self._usable(tokens)]
            since = 0 if usable else since + len(drawn)
            yield from usable
        raise ValueError(f"of {since:,} examples in a row none can be used; give a source of another kind of text")

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
                raise ValueError("the streamed source gave no example; check its name, split and column")

    def batch(self, step: int) -> list[Any]:
        """The tokenised examples of one step."""
        if step < self._next:
            self._next, self._stream = 0, self._chosen()
        skip = (step - self._next) * self._size
        self._next = step + 1
        self.latest = list({_key(e): e for e in islice(self._stream, skip, skip + self._size)}.values())
        return self._tokenize(self.latest)

    def ahead(self, step: int) -> None:
        """None: what is read ahead of a stream would be lost to the training."""
