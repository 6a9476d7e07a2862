"""Sentences to token ids, with the word that each piece came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._validation import shown


class Tokens(NamedTuple):
    """A tokenised sentence: piece ids with the special ones, and for each piece the number of its word (-1: special).

    >>> Tokens([2, 7, 8, 9, 3], [-1, 0, 1, 1, -1]).truncate(4)
    Tokens(ids=[2, 7, 8, 3], words=[-1, 0, 1, -1])
    """

    ids: list[int]
    words: list[int]

    def truncate(self, max_length: int) -> Tokens:
        """Cut to ``max_length`` pieces: the first ones, then the special pieces that close the sentence."""
        if len(self.ids) <= max_length:
            return self
        tail = closing(self.words)
        return Tokens(cut(self.ids, max_length, tail), cut(self.words, max_length, tail))


def closing(words: list[int]) -> int:
    """Count the special pieces that close a sentence (one [SEP] for BERT)."""
    count = 0
    while count < len(words) and words[-1 - count] == -1:
        count += 1
    return count


def cut(values: list[int], max_length: int, tail: int) -> list[int]:
    """Keep the first values and the last ``tail`` ones, ``max_length`` in all."""
    return values if len(values) <= max_length else values[: max_length - tail] + values[len(values) - tail :]


def check_texts(texts: Iterable[str]) -> list[str]:
    """Convert a list, tuple, array, Series, generator or another ordered container to a list of str.

    Raises:
        TypeError: a single str or bytes; a container without an order or with several columns; an item that is no str.
        ValueError: a text with a lone surrogate, which no file and no tokenizer can hold.
    """
    rows = _listed(texts)
    for row, text in enumerate(rows):
        if not isinstance(text, str):
            raise TypeError(f"sentence {row} is {shown(text)} ({type(text).__name__}); every sentence must be a str")
        if not text.isascii():
            _check_writable(row, text)
    return rows


def _listed(texts: Any) -> list[Any]:
    kind = type(texts).__name__
    if isinstance(texts, str):
        raise TypeError(f"encode takes a sequence of sentences, got the single str {texts[:40]!r}; put it in a list")
    if isinstance(texts, bytes | bytearray | memoryview):
        raise TypeError(
            f"encode takes a sequence of sentences, got {kind}; decode it, and put the str in a list: {shown(texts)}"
        )
    if isinstance(texts, Set):
        raise TypeError(f"encode gives vectors in the order of the texts, and a {kind} has none; give sorted(texts)")
    if isinstance(texts, Mapping):
        raise TypeError(f"encode takes a sequence of sentences, got a {kind}; give list(texts.values()), or its keys")
    shape = getattr(texts, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise TypeError(f"encode takes one row of sentences, got a {kind} of shape {shape}; choose one column")
    try:
        each = iter(texts)
    except TypeError:
        raise TypeError(f"encode takes a sequence of sentences, got {shown(texts)} ({kind}); give a list") from None
    return list(each)


def _check_writable(row: int, text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"sentence {row} holds half of a surrogate pair ({text[error.start]!r} at character {error.start}), which "
            "is no text; repair it by text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')"
        ) from None


class Splitter:
    """A thread-safe tokenizer without padding and truncation that returns word numbers.

    Fast tokenizers of ``transformers`` change their truncation state at each call; their backend, with both switched
    off, does not. Settings that another caller left in the backend are switched off again.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.backend: Any = getattr(tokenizer, "backend_tokenizer", None)

    def __call__(self, texts: list[str], max_length: int) -> list[Tokens]:
        """Tokenize texts, cut at ``max_length`` pieces."""
        if self.backend is None:
            return [self._slow(text).truncate(max_length) for text in texts]
        encodings = self._ready().encode_batch(texts, add_special_tokens=True)
        return [
            Tokens(e.ids, [-1 if word is None else word for word in e.word_ids]).truncate(max_length) for e in encodings
        ]

    def ids(self, texts: list[str], max_length: int, tail: int) -> list[list[int]]:
        """Token ids alone, in less time; ``tail`` is how many special pieces close a sentence."""
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
        """Tokenize by a tokenizer written in Python, which has no word numbers: each piece counts as a word."""
        ids = self.tokenizer(text, verbose=False)["input_ids"]
        special = self.tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
        words, count = [], 0
        for is_special in special:
            words.append(-1 if is_special else count)
            count += not is_special
        return Tokens(list(ids), words)


def first_position(config: Any) -> int:
    """Return the number of a row's first position: RoBERTa-like models begin at ``pad_token_id + 1``, others at 0."""
    known = {"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "roberta-prelayernorm", "mpnet", "longformer"}
    return int(config.pad_token_id) + 1 if getattr(config, "model_type", "") in known else 0


def positions(config: Any, tokenizer: Any) -> int:
    """Return how many tokens a backbone takes, [CLS] and [SEP] included; those below the first are never used.

    A tokenizer without a limit reports 1e30.
    """
    table = getattr(config, "max_position_embeddings", None) or 512
    return int(min(table - first_position(config), tokenizer.model_max_length))


Places = npt.NDArray[np.int64]
# Token positions of one forward pass, padding included, as measured on two cores (docs/decisions.md): twice as many at
# bfloat16, for which weights are cast once a pass; more on a GPU.
PLACES_ON_CPU, PLACES_ON_GPU = 1024, 16_384
PLACES_PACKED = 16_384  # of rows laid end to end on a CPU: bounds the memory of one pass


def by_length(lengths: Sequence[int], places: int | None, rows: int | None = None) -> Iterator[Places]:
    """Group indices of lengths, longest first: at most ``places`` positions with padding, or ``rows`` rows a group.

    A row longer than ``places`` is a group of its own. None for both makes a single group.

    >>> [group.tolist() for group in by_length([3, 9, 4, 2], 10)]
    [[1], [2, 0], [3]]
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    start = 0
    while start < len(order):
        fit = len(order) if places is None else max(1, places // max(1, int(sizes[order[start]])))
        count = rows or fit
        yield order[start : start + count]
        start += count
