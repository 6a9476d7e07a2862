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
import torch
from filelock import FileLock, Timeout

from ...arithmetic import normalize
from ...data import sentences
from ...data.corpus import digest
from ...disk import cache_folder, disk_errors, is_plain_file
from ...encoders import Encoder
from ...metrics import Neighbours, nearest

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
        kept, shape = folder / f"{name}.npy", (len(corpus.texts), encoder.dim)
        if (vectors := _opened(kept, shape)) is not None:
            os.utime(kept)
            return vectors
        try:
            with FileLock(folder / f"{name}.lock", timeout=0):
                part = folder / f"{name}.part"
                done = _encode(encoder, corpus.texts, part, report, lambda rows: rows >= enough or _is_set(over))
                if done == len(corpus.texts):
                    os.replace(part, kept)
                    part = kept
                _make_room(folder, part)
                return _mapped(part, (done, shape[1]), _header(shape))
        except Timeout:
            raise RuntimeError("this corpus is being encoded by another kernel; wait until it is done there") from None


def _header(shape: tuple[int, int]) -> bytes:
    """The header of a .npy file of that shape; rows of float16 follow."""
    import io

    out = io.BytesIO()
    about = {"descr": np.dtype(np.float16).newbyteorder("<").str, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(out, about)
    return out.getvalue()


def _is_set(over: threading.Event | None) -> bool:
    return over is not None and over.is_set()


def _encode(encoder: Encoder, texts: Sequence[str], part: Path, report: Progress, rest: Callable[[int], bool]) -> int:
    """Append vectors to the file until it is complete or ``rest(rows)`` is true; its length stores the progress."""
    header, row = _header((len(texts), encoder.dim)), 2 * encoder.dim
    if not is_plain_file(part):
        part.write_bytes(header)
    done = max(0, part.stat().st_size - len(header)) // row
    with open(part, "r+b") as file:
        file.truncate(len(header) + done * row)
        file.seek(0, os.SEEK_END)
        while done < len(texts) and not rest(done):
            report(done, len(texts))
            vectors = torch.from_numpy(encoder.encode(list(texts[done : done + AT_ONCE])))
            if not torch.isfinite(vectors).all():
                raise ValueError(f"{encoder.name} gives NaN or infinity for sentences of the corpus; choose another")
            file.write(normalize(vectors).numpy().astype("<f2").tobytes())
            file.flush()
            done += len(vectors)
        os.fsync(file.fileno())
    report(done, len(texts))
    return done


def _opened(path: Path, shape: tuple[int, int]) -> Matrix | None:
    """The vectors in a file; None if its header or size are wrong."""
    header = _header(shape)
    if not is_plain_file(path) or path.stat().st_size != len(header) + 2 * shape[0] * shape[1]:
        return None
    with open(path, "rb") as file:
        if file.read(len(header)) != header:
            return None
    return _mapped(path, shape, header)


def _mapped(path: Path, shape: tuple[int, int], header: bytes) -> Matrix:
    if not shape[0]:
        return np.zeros(shape, dtype=np.float16)  # an empty file cannot be mapped
    return np.memmap(path, dtype="<f2", mode="r", offset=len(header), shape=shape)


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


def nearest_of(
    queries: npt.NDArray[np.float32], vectors: Matrix, k: int, report: Progress = lambda done, total: None
) -> Neighbours:
    """As :func:`clwork.metrics.nearest`, in parts: only a few megabytes of a mapped file are in memory.

    Shapes: queries ``(Q, D)``, vectors ``(N, D)``; fewer than ``k`` columns come back where N is smaller.
    """
    rows = np.zeros((len(queries), 0), dtype=np.int64)
    cosines = np.zeros((len(queries), 0))
    for start in range(0, len(vectors), ROWS):
        report(start, len(vectors))
        part = np.asarray(vectors[start : start + ROWS], dtype=np.float32)
        best_here = nearest(queries, part, k=min(k, len(part)))
        rows = np.concatenate([rows, best_here.rows + start], axis=1)
        cosines = np.concatenate([cosines, best_here.cosines], axis=1)
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :k]  # of equal ones the earlier row
        rows, cosines = np.take_along_axis(rows, best, axis=1), np.take_along_axis(cosines, best, axis=1)
    return Neighbours(rows, cosines)
