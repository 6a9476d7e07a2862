"""Tokenization: sentences to token ids, with the number of the word that each token belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


class Tokens(NamedTuple):
    """Token ids of a sentence, and the number of each token's word (-1: a special token).

    ``The farther dog`` is [CLS] the far ##ther dog [SEP], with the words -1, 0, 1, 1, 2, -1.
    """

    ids: list[int]
    words: list[int]

    def truncate(self, max_length: int) -> Tokens:
        """Truncate to ``max_length`` tokens, but retain the special tokens at the end."""
        last = closing(self.words)
        return Tokens(cut(self.ids, max_length, last), cut(self.words, max_length, last))


def closing(words: list[int]) -> int:
    """Count the special tokens at the end of a sentence (one [SEP] for BERT)."""
    count = 0
    while count < len(words) and words[-1 - count] == -1:
        count += 1
    return count


def cut(values: list[int], max_length: int, last: int) -> list[int]:
    """Truncate to ``max_length`` values, of which the last ``last`` stay the last."""
    if len(values) <= max_length:
        return values
    return values[: max_length - last] + values[len(values) - last :]


def split(tokenizer: Any, texts: Sequence[str]) -> list[Tokens]:
    """Return the tokens of each text, neither truncated nor padded; thread-safe."""
    # Most tokenizers of transformers have a backend, written in Rust, which numbers the words.
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return [_without_backend(tokenizer, text) for text in texts]
    # A call of the tokenizer by someone else may have turned these on. They are changed only then,
    # since the backend cannot be changed while another thread uses it.
    if backend.truncation is not None:
        backend.no_truncation()
    if backend.padding is not None:
        backend.no_padding()
    tokens = []
    for encoding in backend.encode_batch(texts):
        words = [-1 if word is None else word for word in encoding.word_ids]
        tokens.append(Tokens(encoding.ids, words))
    return tokens


def _without_backend(tokenizer: Any, text: str) -> Tokens:
    """Tokenize a text by a tokenizer that numbers no words: each token counts as a word."""
    ids = tokenizer(text, verbose=False)["input_ids"]
    special = tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
    words = np.cumsum(1 - np.array(special, dtype=int)) - 1
    return Tokens(list(ids), np.where(special, -1, words).tolist())
