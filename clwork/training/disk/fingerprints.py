"""Short digests that differ where what a run is made of differs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from ...data import Sentences


def fingerprint(thing: Any) -> str:
    """Of an encoder, its weights, pooling and tokenizer; of examples, all of them, or what identifies a stream.

    Empty where nothing can be said: a stream that does not know its source.
    """
    if isinstance(thing, Sequence) and len(thing) and isinstance(thing[0], str) and not isinstance(thing, Sentences):
        thing = Sentences(thing)  # a list, and the copy of it that a run's folder keeps, are alike
    if hasattr(thing, "fingerprint"):
        return str(thing.fingerprint())
    if not isinstance(thing, Sequence):
        return ""
    found = hashlib.blake2b(digest_size=16)
    for example in thing:
        found.update(json.dumps(example, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()
