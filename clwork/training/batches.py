"""Batches as functions of seed and step, so that a checkpoint need not store their state."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import torch

from ..encoders.tokens import Tokens
from ..events import Event
from ..methods import Method
from ..wording import MANY_UNKNOWN, plural, unknown_tokens
from .false_negatives import InjectedFalseNegatives

# Returns the tokens of each example, in the form that the method reads.
Tokenize = Callable[[Sequence[Any]], list[Any]]
# Whether the method can train on an example, given its tokens.
Usable = Callable[[Any], bool]

# Substitutes that are drawn one by one.
FEW_SUBSTITUTES = 1000
# Consecutive unusable examples of a stream that raise an error.
MOST_UNUSABLE = 100_000
# Examples of a stream that are held in memory to be shuffled.
BUFFER = 10_000
# First examples of a stream, used as its sample.
SAMPLE = 2000
# Examples that estimate the usable share; this takes a third of a second.
USABLE_SAMPLE = 1000
NO_EXAMPLES = "the streamed source returned no example; check its name, split and column"


class TooFewExamplesError(ValueError):
    """Fewer different and usable examples than one batch."""


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


def _distinct(size: int, keyed: Iterable[tuple[Any, Any]], count: int) -> list[Any]:
    """Return the first ``size`` items whose keys are not None and differ.

    ``keyed`` yields key and item of the drawn examples, then of substitutes; ``count`` is the
    number of all examples, for the error if they are too few.
    """
    chosen: dict[Any, Any] = {}
    for key, item in keyed:
        if key is not None:
            # Of items with equal keys, the first stays.
            chosen.setdefault(key, item)
        if len(chosen) == size:
            return list(chosen.values())
    raise TooFewExamplesError(
        f"only {len(chosen)} of {plural(count, 'example')} can be used, fewer than one batch of "
        f"{size}; others repeat the tokens that are trained on, or do not suit the method: give "
        "more examples, a smaller batch_size, or a larger max_length if it cuts examples to equal "
        "tokens"
    )


def _substitutes(count: int, seed: int, step: int) -> Iterator[int]:
    """Yield numbers below ``count`` in a random order of this step, with repetition at first.

    A batch rarely needs more than a few, so a permutation of all is drawn only after these.
    """
    # A prime keeps seeds and steps apart; the factor differs from those of other random numbers.
    generator = torch.Generator().manual_seed(((seed + 1) * 1_000_003 + step) * 5)
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
        if self._per_epoch is None:
            epoch = 0
            number = step
        else:
            epoch, number = divmod(step, self._per_epoch)
        rows = self._draw(epoch, number * self._size, (number + 1) * self._size)
        if len(rows) < self._size and self._per_epoch is None:
            # The first epoch has ended, so its length is known: the step is of a later epoch.
            self._per_epoch = max(1, len(self._drawn) // self._size)
            return self.batch(step)

        # Tokenised together, which is faster than one by one.
        self._cache_tokens(rows)
        if self._injected is not None:
            rows = self._injected.inject(rows, step, self._key)

        # Replace equal examples.
        count = len(self._rows)
        substitutes = (self._rows[number] for number in _substitutes(count, self._seed, step))
        keyed = ((self._key(row), row) for row in chain(rows, substitutes))
        rows = _distinct(self._size, keyed, count)
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
            # A prime, so that two seeds do not share epochs.
            generator = torch.Generator().manual_seed(self._seed * 1_000_003 + epoch)
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


class StreamedBatches:
    """Batches from an iterable that is too long for memory.

    It is shuffled within a buffer and repeated without end. The arguments are those of
    :class:`IndexedBatches`; ``buffer`` is the number of examples in the buffer.
    """

    def __init__(
        self,
        examples: Iterable[Any],
        batch_size: int,
        seed: int,
        tokenize: Tokenize,
        buffer: int = BUFFER,
        usable: Usable | None = None,
        max_length: int = sys.maxsize,
    ) -> None:
        self._examples = examples
        self._size = batch_size
        self._seed = seed
        self._tokenize = tokenize
        self._buffer_size = max(buffer, batch_size)
        self._usable = usable
        self._max_length = max_length
        self._buffer: list[Any] = []
        # The stream stands before the batch of this step.
        self._next = 0
        self._stream = self._usable_examples()
        # Raw examples of the last batch.
        self.latest: list[Any] = []

    def batch(self, step: int) -> list[Any]:
        """Return the tokenised examples of one step; others of the buffer replace repeated ones.

        A stream has no random access: a later step skips the examples between, and an earlier one
        reads the stream from its beginning.
        """
        if step < self._next:
            self._next = 0
            self._stream = self._usable_examples()
        skipped = (step - self._next) * self._size
        self._next = step + 1
        drawn = list(islice(self._stream, skipped, skipped + self._size))
        count = len(self._buffer)
        substitutes = (self._buffer[row] for row in _substitutes(count, self._seed, step))
        batch = _distinct(self._size, map(self._keyed, chain(drawn, substitutes)), count)
        self.latest = [example for example, _ in batch]
        return [tokens for _, tokens in batch]

    def ahead(self, step: int) -> None:
        """Return None: examples read ahead would be missing from the training."""

    def _keyed(self, example: Any) -> tuple[Any, tuple[Any, Any]]:
        """Return the key of an example, and the example with its tokens."""
        (tokens,) = self._tokenize([example])
        return trained_ids(tokens, self._max_length, self._usable), (example, tokens)

    def _usable_examples(self) -> Iterator[Any]:
        """Yield the usable examples of the shuffled stream, tokenised in groups to test them."""
        stream = self._shuffled()
        usable = self._usable
        if usable is None:
            yield from stream
            return
        # Examples since the last usable one.
        unusable = 0
        while unusable < MOST_UNUSABLE:
            drawn = list(islice(stream, self._size))
            unusable += len(drawn)
            for example, tokens in zip(drawn, self._tokenize(drawn), strict=True):
                if usable(tokens):
                    unusable = 0
                    yield example
        raise ValueError(
            f"none of {unusable:,} consecutive examples can be used; give a source of another kind "
            "of text"
        )

    def _shuffled(self) -> Iterator[Any]:
        """Yield random examples of the buffer, each replaced by the next one of the source."""
        generator = torch.Generator().manual_seed(self._seed)
        source = self._endless()
        buffer = list(islice(source, self._buffer_size))
        self._buffer = buffer
        for example in source:
            row = int(torch.randint(len(buffer), (1,), generator=generator))
            drawn = buffer[row]
            buffer[row] = example
            yield drawn

    def _endless(self) -> Iterator[Any]:
        """Yield the examples again and again; ValueError if there is none."""
        is_empty = True
        while True:
            for example in self._examples:
                is_empty = False
                yield example
            if is_empty:
                raise ValueError(NO_EXAMPLES)


Batches = IndexedBatches | StreamedBatches


def make_batches(
    method: Method[Any], examples: Sequence[Any] | Iterable[Any], seed: int
) -> tuple[Batches, Sequence[str], list[Event]]:
    """Return the batches, sentences for the probe, and events about the examples.

    Of a pair or triplet, the probe measures the first sentence; of a stream, the sentences of its
    first examples. Sets ``method.kind``, the kind of the examples. Raises ValueError for examples
    that the method cannot train on, or that are too few for a batch.
    """
    config = method.config
    if isinstance(examples, Sequence):
        sample = examples
    else:
        sample = list(islice(examples, SAMPLE))
        if not sample:
            raise ValueError(NO_EXAMPLES)
    method.kind = method.check_examples(sample)
    injected = None
    # Some methods have this setting: the share of false negatives in a batch.
    if share := getattr(config, "same_group", 0.0):
        groups = getattr(sample, "groups", None)
        injected = InjectedFalseNegatives(sample, groups, share, config.batch_size, seed)
    arguments: dict[str, Any] = {
        "batch_size": config.batch_size,
        "seed": seed,
        "tokenize": method.tokenize,
        "usable": method.usable(),
        "max_length": config.max_length,
    }
    batches: Batches
    if isinstance(examples, Sequence):
        batches = IndexedBatches(examples, **arguments, injected=injected)
    else:
        batches = StreamedBatches(examples, **arguments)
    sentences = sample if isinstance(sample[0], str) else [example[0] for example in sample]
    events = _events_about(method, sample, sentences)
    _check_first_batch(batches, events)
    return batches, sentences, events


def _events_about(
    method: Method[Any], examples: Sequence[Any], sentences: Sequence[str]
) -> list[Event]:
    """Return events with the shares of usable examples, of unknown tokens, and of repetitions.

    The last two are reported only if there are many unknown tokens, or any repetition.
    """
    events: list[Event] = []
    # Usable examples, estimated from a sample at equal distances.
    usable = method.usable()
    if usable is not None:
        distance = max(1, len(examples) // USABLE_SAMPLE)
        sample = list(examples[::distance][:USABLE_SAMPLE])
        are_usable = [usable(tokens) for tokens in method.tokenize(sample)]
        events.append({"usable": sum(are_usable) / len(are_usable)})
    # Tokens that the encoder's vocabulary lacks.
    unknown = method.encoder.unknown_share(sentences)
    if unknown >= MANY_UNKNOWN:
        events.append({"unknown": unknown})
    # Examples that are equal apart from case and blanks.
    different = set()
    for example in examples:
        text = " ".join(example) if isinstance(example, tuple) else str(example)
        different.add(" ".join(text.split()).casefold())
    if len(different) < len(examples):
        events.append({"repeated": 1 - len(different) / len(examples)})
    return events


def _check_first_batch(batches: Batches, events: list[Event]) -> None:
    """Raise TooFewExamplesError if there are fewer different examples than in a batch.

    If many tokens are unknown, which makes different examples equal, this is named as the cause.
    """
    try:
        batches.ahead(0)
    except TooFewExamplesError as error:
        for event in events:
            if "unknown" in event:
                cause = unknown_tokens(event["unknown"])
                raise TooFewExamplesError(f"{cause} ({error})") from None
        raise
