"""The examples that a run trains on: a reference to their source, or objects of the caller, checked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from .. import data
from .._validation import kind, path_like
from ..data.corpus import StreamedSentences, Triplets
from ..data.sources import CorpusRef, canonical_name, check_examples
from ..encoders import Encoder

NOTHING = object()


def an_encoder(name: str, encoder: object) -> object:
    """Check that a value is an encoder, or can be the name of one."""
    return encoder if isinstance(encoder, Encoder) else path_like(name, encoder)


def a_corpus(name: str, sentences: object) -> object:
    """Check that a value is a corpus: a name, a path (a file may be missing yet) or examples; return it unchanged."""
    if isinstance(sentences, str | os.PathLike):
        return path_like(name, sentences)
    check_examples(sentences)
    return sentences


def source_of(sentences: Any) -> tuple[CorpusRef, Any]:
    """Return a reference to a source, a file's by its absolute path; or the examples themselves, checked."""
    if isinstance(sentences, str | os.PathLike):
        return CorpusRef({"source": canonical_name(sentences)}), None
    given = check_examples(sentences)
    if isinstance(given, Mapping):
        return CorpusRef(dict(given)), None
    stream = not isinstance(given, Sequence | StreamedSentences)  # the latter may need a network
    if stream and next(iter(given), NOTHING) is NOTHING:
        raise ValueError(
            f"sentences is a stream ({kind(given)}) that gives no example; its __iter__ must start from the beginning "
            "at each loop"
        )
    return CorpusRef(), list(given) if isinstance(given, Triplets) else given


def read_again(sentences: Any) -> Any:
    """Read the examples that replace those which a run's folder does not hold; None unchanged."""
    if sentences is None:
        return None
    reference, given = source_of(sentences)
    return given if reference.source is None else data.sentences(reference.source)
