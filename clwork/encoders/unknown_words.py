"""How much of a text an encoder's vocabulary can read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..edges import checked
from .encoder import ENCODER, Encoder
from .textcnn.word_vectors import WordTokenizer, split_words
from .tokens import check_texts


class Reading(NamedTuple):
    """A text as a vocabulary reads it.

    Attributes:
        pieces: into how many pieces, or words, it falls.
        unknown: how many of them the vocabulary does not know: each is [UNK], or has a vector drawn at random.
        words: the unknown ones as they are written, each once; empty where the tokenizer does not tell.
    """

    pieces: int
    unknown: int
    words: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share that cannot be read; 1 where nothing is left of the text at all."""
        return self.unknown / self.pieces if self.pieces else 1.0


@checked(encoder=ENCODER)
def readings(encoder: Encoder, texts: Iterable[str]) -> list[Reading]:
    """How the encoder's vocabulary reads each text; an encoder of pieces of bytes can read everything.

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
    found = backend.encode(text, add_special_tokens=False)
    unread = [text[start:end] for piece, (start, end) in zip(found.ids, found.offsets, strict=True) if piece == missing]
    return Reading(len(found.ids), len(unread), tuple(dict.fromkeys(unread)))
