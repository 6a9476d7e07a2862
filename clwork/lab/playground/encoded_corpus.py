"""A corpus to look neighbours up in: its vectors, cached on disk by encoder and corpus."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from filelock import FileLock, Timeout

from ...data import sentences
from ...data.corpus import digest
from ...disk import cache_folder, disk_errors, is_plain_file
from ...encoders import Encoder
from ...encoders.corpus_vectors import encoded_windows
from ...encoders.disk.vector_file import VectorFile

Progress = Callable[[int, int], None]
Matrix = npt.NDArray[np.float16]
MOST = 1_000_000  # sentences
AT_ONCE = 256  # sentences encoded between two looks at Stop
ROWS = 16_384  # vectors compared at once
MOST_BYTES = 4 << 30  # of all cached vectors together; the least recently used are removed
KEPT = re.compile(r"[0-9a-f]{32}-[0-9a-f]{32}\.(npy|part)")


@dataclass(frozen=True)
class Corpus:
    """Sentences to search in, and their identifying digest."""

    texts: Sequence[str]
    fingerprint: str

    @staticmethod
    def of(source: Any, most: int) -> Corpus:
        """At most so many sentences of what :func:`clwork.data.sentences` takes, at equal distances, without repeats.

        They are in a shuffled order, the same each time: those encoded before a Stop are then a fair sample. A stream
        gives its first ones.

        Raises:
            Exception: what :func:`clwork.data.sentences` raises.
        """
        examples: Any = sentences(source)
        if hasattr(examples, "__len__"):
            step = max(1.0, len(examples) / most)
            drawn: Iterable[str] = (examples[int(k * step)] for k in range(min(most, len(examples))))
        else:
            drawn = islice(examples, most)
        texts = list(dict.fromkeys(drawn))
        texts = [texts[k] for k in np.random.default_rng(0).permutation(len(texts))]
        return Corpus(texts, digest(texts))


def encoded(
    encoder: Encoder,
    corpus: Corpus,
    report: Progress = lambda done, total: None,
    over: threading.Event | None = None,
    enough: int = MOST,
) -> Matrix:
    """Vectors of the corpus at length 1, in half precision, mapped from a file: ``(N, D)``.

    The file is kept in the user's cache folder, named by the fingerprints of encoder and corpus, so that the next call
    opens it at once. Cosines from it are good to 0.001. When ``over`` is set, or ``enough`` rows are
    done, only these are returned, and the next call continues there.

    Raises:
        ValueError: the encoder gives NaN or infinity.
        RuntimeError: another process is encoding this corpus now.
        DiskError: the disk refuses.
    """
    folder = cache_folder() / "vectors"
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{encoder.fingerprint()}-{corpus.fingerprint}"
        kept, part = (VectorFile(folder / f"{name}.{ending}", encoder.dim, "float16") for ending in ("npy", "part"))
        if kept.is_whole(len(corpus.texts)):
            os.utime(kept.path)
            return kept.mapped()
        try:
            with FileLock(folder / f"{name}.lock", timeout=0):
                done = _encode(encoder, corpus.texts, part, report, lambda rows: rows >= enough or _is_set(over))
                if done == len(corpus.texts):
                    os.replace(part.path, kept.path)
                    part = kept
                _make_room(folder, part.path)
                return part.mapped()
        except Timeout:
            raise RuntimeError("this corpus is being encoded by another kernel; wait until it is done there") from None


def _is_set(over: threading.Event | None) -> bool:
    return over is not None and over.is_set()


def _encode(
    encoder: Encoder, texts: Sequence[str], part: VectorFile, report: Progress, rest: Callable[[int], bool]
) -> int:
    """Append vectors to the file until it is complete or ``rest(rows)`` is true; its length stores the progress."""
    total = len(texts)
    with part as file:
        windows = (list(texts[start : start + AT_ONCE]) for start in range(file.rows, total, AT_ONCE))
        written = encoded_windows(encoder, windows, file, unit=True)
        while file.rows < total and not rest(file.rows):
            report(file.rows, total)
            next(written)
        if file.rows == total:
            file.finish()
    report(part.rows, total)
    return part.rows


def _make_room(folder: Path, used: Path) -> None:
    """Remove the least recently used vectors until all together are below the limit."""
    files = [path for path in folder.iterdir() if KEPT.fullmatch(path.name) and is_plain_file(path)]
    files.sort(key=lambda path: path.stat().st_mtime)
    size = sum(path.stat().st_size for path in files)
    for path in files:
        if size > MOST_BYTES and path != used:
            size -= path.stat().st_size
            with suppress(OSError):  # another process has it open, which prevents that on some systems
                path.unlink()
                path.with_suffix(".lock").unlink(missing_ok=True)
