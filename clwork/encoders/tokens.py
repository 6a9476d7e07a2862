"""Tokenization: sentences to token ids, with the number of the word that each token belongs to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._validation import check_characters, strings

SAMPLED = 200  # texts that estimate the share of unknown tokens
Indices = npt.NDArray[np.int64]
# Token positions of one forward pass, padding included: the fastest number on two cores (docs/decisions.md). It is
# doubled in bfloat16, because each pass casts the weights once, and larger on a GPU.
POSITIONS_ON_CPU, POSITIONS_ON_GPU = 1024, 16_384
POSITIONS_PACKED = 16_384  # token positions of a pass over packed rows on a CPU; limits its memory


class Tokens(NamedTuple):
    """Token ids of a sentence with special tokens, and the number of each token's word (-1: special)."""

    ids: list[int]
    words: list[int]

    def truncate(self, max_length: int) -> Tokens:
        """Truncate to ``max_length`` tokens, but retain the special tokens at the end."""
        tail = closing(self.words)
        return Tokens(cut(self.ids, max_length, tail), cut(self.words, max_length, tail))


def closing(words: list[int]) -> int:
    """Count the special tokens at the end of a sentence (one [SEP] for BERT)."""
    count = 0
    while count < len(words) and words[-1 - count] == -1:
        count += 1
    return count


def cut(values: list[int], max_length: int, tail: int) -> list[int]:
    """Truncate to ``max_length`` values, but retain the last ``tail``."""
    return (
        values
        if len(values) <= max_length
        else values[: max_length - tail] + values[len(values) - tail :]
    )


def check_texts(texts: Any) -> list[str]:
    """Convert a list, tuple, array, Series, generator or another ordered container to a list of str."""
    rows = strings("texts", texts)
    for row, text in enumerate(rows):
        if not text.isascii():
            check_characters(text.replace("\0", " "), f"texts, row {row},")
    return rows


def unknown_share(tokenizer: Any, texts: Sequence[str]) -> float:
    """Return the share of unknown tokens in up to ``SAMPLED`` of the texts; 0 without any token."""
    sample = texts[:: max(1, len(texts) // SAMPLED)][:SAMPLED]
    counts = [count_pieces(tokenizer, text) for text in sample]
    pieces = sum(count for count, _ in counts)
    return sum(unknown for _, unknown in counts) / pieces if pieces else 0.0


def count_pieces(tokenizer: Any, text: str) -> tuple[int, int]:
    """Count a text's tokens, and those outside the vocabulary; a byte-level vocabulary covers everything."""
    if hasattr(tokenizer, "unknown_words"):  # a WordTokenizer
        return len(tokenizer(text)["input_ids"]), len(tokenizer.unknown_words(text))
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        ids = backend.encode(text, add_special_tokens=False).ids
    else:
        ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    return len(ids), ids.count(tokenizer.unk_token_id)


class Splitter:
    """A thread-safe tokenizer that returns word numbers; it does not pad."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.backend: Any = getattr(tokenizer, "backend_tokenizer", None)

    def __call__(self, texts: list[str], max_length: int) -> list[Tokens]:
        if self.backend is None:
            return [self._slow(text).truncate(max_length) for text in texts]
        encodings = self._ready().encode_batch(texts, add_special_tokens=True)
        return [
            Tokens(e.ids, [-1 if word is None else word for word in e.word_ids]).truncate(
                max_length
            )
            for e in encodings
        ]

    def ids(self, texts: list[str], max_length: int, tail: int) -> list[list[int]]:
        """Return only token ids, which is faster; ``tail`` counts the special tokens at a sentence's end."""
        if self.backend is None:
            return [tokens.ids for tokens in self(texts, max_length)]
        encodings = self._ready().encode_batch_fast(texts, add_special_tokens=True)
        return [cut(e.ids, max_length, tail) for e in encodings]

    def _ready(self) -> Any:
        if self.backend.truncation is not None:
            self.backend.no_truncation()
        if self.backend.padding is not None:
            self.backend.no_padding()
        return self.backend

    def _slow(self, text: str) -> Tokens:
        """Tokenize with a tokenizer written in Python, which has no word numbers: each token counts as a word."""
        ids = self.tokenizer(text, verbose=False)["input_ids"]
        special = self.tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
        numbers = itertools.count()
        return Tokens(list(ids), [-1 if is_special else next(numbers) for is_special in special])


def by_length(
    lengths: Sequence[int], positions: int | None, rows: int | None = None
) -> Iterator[Indices]:
    """Group indices by length, longest first: ``rows`` each if given, else at most ``positions`` padded tokens."""
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    start = 0
    while start < len(order):
        fit = (
            len(order)
            if positions is None
            else max(1, positions // max(1, int(sizes[order[start]])))
        )
        count = rows or fit
        yield order[start : start + count]
        start += count
