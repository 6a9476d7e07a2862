"""How much of a text an encoder's vocabulary covers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from .._validation import checked
from .encoder import ENCODER, Encoder
from .textcnn.word_vectors import WordTokenizer, split_words
from .tokens import check_texts


class Reading(NamedTuple):
    """How much of a text a vocabulary covers.

    Attributes:
        pieces: number of its pieces, or words.
        unknown: number of those outside the vocabulary: each is [UNK], or has a vector drawn at random.
        words: the unknown ones as written, each once; empty where the tokenizer does not report them.
    """

    pieces: int
    unknown: int
    words: tuple[str, ...]

    @property
    def share(self) -> float:
        """Share of unknown pieces; 1 for a text without pieces."""
        return self.unknown / self.pieces if self.pieces else 1.0


@checked(encoder=ENCODER)
def readings(encoder: Encoder, texts: Iterable[str]) -> list[Reading]:
    """Measure how much of each text the encoder's vocabulary covers; byte-level vocabularies cover everything.

    >>> from clwork.encoders import load_encoder
    >>> readings(load_encoder("mini"), ["A cat."])[0].share
    0.0

    Raises:
        TypeError: what :meth:`.Encoder.encode` refuses.
    """
    tokenizer: Any = encoder.tokenizer
    return [_read(tokenizer, text) for text in check_texts(texts)]


def _read(tokenizer: Any, text: str) -> Reading:
    if isinstance(tokenizer, WordTokenizer):
        words = split_words(text)
        unknown = [word for word in words if not tokenizer.knows(word)]
        return Reading(len(words), len(unknown), tuple(dict.fromkeys(unknown)))
    missing = getattr(tokenizer, "unk_token_id", None)
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        return Reading(len(ids), sum(piece == missing for piece in ids), ())
    encoding = backend.encode(text, add_special_tokens=False)
    spans = zip(encoding.ids, encoding.offsets, strict=True)
    unknown = [text[start:end] for piece, (start, end) in spans if piece == missing]
    return Reading(len(encoding.ids), len(unknown), tuple(dict.fromkeys(unknown)))
