"""Tokenization: sentences to token ids, with the number of the word that each token belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

SAMPLED = 200  # texts that estimate the share of unknown tokens
Indices = npt.NDArray[np.int64]
# Token positions of one forward pass, padding included: the fastest number on two cores
# (docs/decisions.md). It is doubled in bfloat16, because each pass casts the weights once, and is
# larger on a GPU.
POSITIONS_ON_CPU = 1024
POSITIONS_ON_GPU = 16_384
POSITIONS_PACKED = 16_384  # of a pass over packed rows on a CPU; limits its memory


class Tokens(NamedTuple):
    """Token ids of a sentence, and the number of each token's word (-1: a special token)."""

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
    if len(values) <= max_length:
        return values
    return values[: max_length - tail] + values[len(values) - tail :]


class Splitter:
    """A thread-safe tokenizer that returns word numbers; it neither truncates nor pads."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.backend: Any = getattr(tokenizer, "backend_tokenizer", None)

    def __call__(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of each text."""
        if self.backend is None:
            return [self._without_backend(text) for text in texts]
        encodings = self._untouched_backend().encode_batch(texts)
        return [
            Tokens(encoding.ids, [-1 if word is None else word for word in encoding.word_ids])
            for encoding in encodings
        ]

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return only the token ids of each text, which is faster."""
        if self.backend is None:
            return [self._without_backend(text).ids for text in texts]
        return [encoding.ids for encoding in self._untouched_backend().encode_batch_fast(texts)]

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Return the share of unknown tokens in up to ``SAMPLED`` texts; 0 without a token."""
        sample = texts[:: max(1, len(texts) // SAMPLED)][:SAMPLED]
        pieces = [
            token
            for tokens in self(sample)
            for token, word in zip(tokens.ids, tokens.words, strict=True)
            if word != -1
        ]
        if hasattr(self.tokenizer, "is_unknown"):  # a WordTokenizer
            unknown = sum(map(self.tokenizer.is_unknown, pieces))
        else:
            unknown = pieces.count(self.tokenizer.unk_token_id)
        return float(unknown / max(1, len(pieces)))

    def _untouched_backend(self) -> Any:
        """Return the backend; a call of the tokenizer may have left truncation or padding on."""
        if self.backend.truncation is not None:
            self.backend.no_truncation()
        if self.backend.padding is not None:
            self.backend.no_padding()
        return self.backend

    def _without_backend(self, text: str) -> Tokens:
        """Tokenize without a backend, which numbers the words: each token counts as one."""
        ids = self.tokenizer(text, verbose=False)["input_ids"]
        special = self.tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
        words = np.cumsum(1 - np.array(special, dtype=int)) - 1
        return Tokens(list(ids), np.where(special, -1, words).tolist())


def by_length(
    lengths: Sequence[int], positions: int | None, rows: int | None = None
) -> Iterator[Indices]:
    """Group indices by length, longest first.

    A group holds ``rows`` indices if given, else at most ``positions`` tokens with padding.
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    start = 0
    while start < len(order):
        longest = max(1, int(sizes[order[start]]))
        count = len(order) if positions is None else max(1, positions // longest)
        if rows is not None:
            count = rows
        yield order[start : start + count]
        start += count
