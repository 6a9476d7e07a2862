"""Which examples make up which step: a function of the seed and the step's number, so that nothing has to be stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Protocol

import torch

Tokenize = Callable[[Sequence[Any]], list[Any]]


def _key(example: Any) -> Any:
    """What makes two examples equal, hashable also for triplets that came as lists."""
    return tuple(example) if isinstance(example, list) else example


class Batches(Protocol):
    """A source of batches: tokenised examples for steps 0, 1, 2 and on."""

    def batch(self, step: int) -> list[Any]:
        """The tokenised examples of one step."""
        ...


class IndexedBatches:
    """Batches from a sequence: every epoch a fresh permutation, its last incomplete batch dropped.

    An example is tokenised the first time it comes up and kept. Equal examples within a batch are taken once: as each
    other's negatives they would teach that a sentence differs from itself.

    Raises:
        ValueError: the sequence is shorter than one batch.
    """

    def __init__(self, examples: Sequence[Any], batch_size: int, seed: int, tokenize: Tokenize) -> None:
        if len(examples) < batch_size:
            raise ValueError(
                f"there are {len(examples)} examples, fewer than one batch of {batch_size}; "
                "give more, or set a smaller batch_size"
            )
        self._examples, self._size, self._seed, self._tokenize = examples, batch_size, seed, tokenize
        self._known: dict[int, Any] = {}
        self._epoch, self._order = -1, torch.empty(0)

    def batch(self, step: int) -> list[Any]:
        """The tokenised examples of one step."""
        epoch, place = divmod(step, len(self._examples) // self._size)
        if epoch != self._epoch:
            generator = torch.Generator().manual_seed(self._seed * 1_000_003 + epoch)
            self._epoch, self._order = epoch, torch.randperm(len(self._examples), generator=generator)
        picked = self._order[place * self._size : (place + 1) * self._size].tolist()
        unique = list({_key(self._examples[i]): i for i in picked}.values())
        new = [i for i in unique if i not in self._known]
        if new:
            self._known.update(zip(new, self._tokenize([self._examples[i] for i in new]), strict=True))
        return [self._known[i] for i in unique]


class StreamedBatches:
    """Batches from an iterable that is too long to hold, shuffled within a buffer; begins again when it ends.

    Asking for an earlier step, or resuming at a later one, reads the stream anew from its start.
    """

    def __init__(
        self, examples: Iterable[Any], batch_size: int, seed: int, tokenize: Tokenize, buffer: int = 10_000
    ) -> None:
        self._examples, self._size, self._seed, self._tokenize = examples, batch_size, seed, tokenize
        self._buffer = max(buffer, batch_size)
        self._next = 0
        self._stream = self._shuffled()

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
            self._next, self._stream = 0, self._shuffled()
        skip = (step - self._next) * self._size
        self._next = step + 1
        return self._tokenize(list({_key(e): e for e in islice(self._stream, skip, skip + self._size)}.values()))
