"""Check the examples that a run trains on: a source by name or path, or objects of the caller."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from .. import data
from .._validation import kind, path_like
from ..data.corpus import StreamedSentences
from ..data.sources import CorpusRef, check_examples, file_path, named
from ..encoders import Encoder

NOTHING = object()


def an_encoder(name: str, encoder: object) -> object:
    return encoder if isinstance(encoder, Encoder) else path_like(name, encoder)


def a_corpus(name: str, sentences: object) -> object:
    """Check that a value is a corpus: a name, a path (not checked to exist) or examples; return it unchanged."""
    if isinstance(sentences, str | os.PathLike):
        return path_like(name, sentences)
    check_examples(sentences)
    return sentences


def source_of(sentences: Any) -> tuple[CorpusRef, Any]:
    """Return a reference to a source that has been or can be read; or checked examples."""
    if isinstance(sentences, str | os.PathLike):
        is_file = not named(sentences) and file_path(sentences) is not None
        source = data.sentences(sentences).source if is_file else {"source": str(sentences)}
        return CorpusRef(source), None
    given = check_examples(sentences)
    if isinstance(given, Mapping):
        return CorpusRef(dict(given)), None
    stream = not isinstance(
        given, Sequence | StreamedSentences
    )  # StreamedSentences may need a network
    if stream and next(iter(given), NOTHING) is NOTHING:
        raise ValueError(
            f"sentences is a stream ({kind(given)}) without examples; __iter__ must start from the beginning each time"
        )
    return CorpusRef(), given


def read_again(sentences: Any) -> Any:
    """Return the examples for a run whose folder does not hold them; None if ``sentences`` is None."""
    if sentences is None:
        return None
    reference, given = source_of(sentences)
    return given if reference.source is None else data.sentences(reference.source)
