"""Check the examples that a run trains on: a source by name or path, or objects of the caller."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from .. import data
from .._validation import kind
from ..data.corpus import StreamedSentences
from ..data.sources import CorpusRef, checked_examples, file_path, named


def source_of(sentences: Any) -> tuple[CorpusRef, Any]:
    """Return a reference to a source that can be read again, or checked examples."""
    if isinstance(sentences, str | os.PathLike):
        source = {"source": str(sentences)}
        if not named(sentences) and file_path(sentences) is not None:
            source = data.sentences(sentences).source
        return CorpusRef(source), None
    examples = checked_examples(sentences)
    if isinstance(examples, Mapping):
        return CorpusRef(dict(examples)), None
    # StreamedSentences may need a network.
    is_own_stream = not isinstance(examples, Sequence | StreamedSentences)
    if is_own_stream and not any(True for _ in examples):
        raise ValueError(
            f"sentences is a stream ({kind(examples)}) without examples; __iter__ must start from "
            "the beginning each time"
        )
    return CorpusRef(), examples


def read_again(sentences: Any) -> Any:
    """Return the examples for a run whose folder does not hold them; None for None."""
    if sentences is None:
        return None
    corpus, examples = source_of(sentences)
    return examples if corpus.source is None else data.sentences(corpus.source)
