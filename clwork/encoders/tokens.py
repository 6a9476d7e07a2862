"""Tokenization: sentences to token ids, with the number of the word that each token belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from .batching import evaluating

Encoder = Any  # stands for .encoder.Encoder, whose module imports this one
SAMPLED = 200  # number of texts that estimate the share of unknown tokens


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


class Splitter:
    """A thread-safe tokenizer that returns word numbers; it neither truncates nor pads.

    Most tokenizers of transformers have a ``backend``, written in Rust, which numbers the words.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.backend: Any = getattr(tokenizer, "backend_tokenizer", None)

    def __call__(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of each text."""
        if self.backend is None:
            return [self._without_backend(text) for text in texts]
        tokens = []
        for encoding in self._untouched_backend().encode_batch(texts):
            words = [-1 if word is None else word for word in encoding.word_ids]
            tokens.append(Tokens(encoding.ids, words))
        return tokens

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return only the token ids of each text, which is faster."""
        if self.backend is None:
            return [self._without_backend(text).ids for text in texts]
        return [encoding.ids for encoding in self._untouched_backend().encode_batch_fast(texts)]

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Return the share of unknown tokens in up to ``SAMPLED`` texts; 0 without a token."""
        sample = texts[:: max(1, len(texts) // SAMPLED)][:SAMPLED]  # from all parts of the list
        of_words = [
            token
            for tokens in self(sample)
            for token, word in zip(tokens.ids, tokens.words, strict=True)
            if word != -1
        ]
        return of_words.count(self.tokenizer.unk_token_id) / max(1, len(of_words))

    def _untouched_backend(self) -> Any:
        """Return the backend without truncation and padding.

        A call of the tokenizer by someone else may have turned them on.
        """
        if self.backend.truncation is not None:
            self.backend.no_truncation()
        if self.backend.padding is not None:
            self.backend.no_padding()
        return self.backend

    def _without_backend(self, text: str) -> Tokens:
        """Tokenize a text by a tokenizer that numbers no words: each token counts as a word."""
        ids = self.tokenizer(text, verbose=False)["input_ids"]
        special = self.tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
        words = np.cumsum(1 - np.array(special, dtype=int)) - 1
        return Tokens(list(ids), np.where(special, -1, words).tolist())


def token_sample(
    encoder: Encoder, texts: Iterable[str], each: int = 5, *, generator: torch.Generator
) -> npt.NDArray[np.float32]:
    """Return last-layer vectors of ``each`` random tokens per text; of all, if it has fewer.

    Special tokens are excluded. MoCoUTRL draws five tokens, its released code three (M14).

    Shapes: ``(N, hidden_dim)`` float32, N at most ``each`` times the number of texts. The generator
    must be on the CPU.

    >>> from clwork.encoders import load_encoder
    >>> token_sample(load_encoder("mini"), ["A cat."], each=2, generator=torch.Generator()).shape
    (2, 256)
    """
    vectors = []
    with evaluating(encoder):
        for tokens in encoder.tokenize(texts):
            of_words = [index for index, word in enumerate(tokens.words) if word >= 0]
            drawn = torch.randperm(len(of_words), generator=generator)[:each].tolist()
            chosen = [of_words[number] for number in drawn]
            states = encoder.last_states(encoder.collate([tokens.ids]))[0]  # (T, D)
            vectors.append(states[chosen].float().cpu().numpy())
    return np.concatenate(vectors)
