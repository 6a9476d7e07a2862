"""The vectors of a whole corpus in one file: windows of sentences, sorted by length, written in the corpus's order."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from filelock import FileLock, Timeout

from .. import _validation
from .._validation import checked, shown
from ..arithmetic import normalize
from ..data import sentences
from ..data.corpus import StreamedSentences
from ..disk import disk_errors, is_plain_file, to_json, write_whole
from ..precision import forward_pass, resolve
from ..wording import plural
from .disk.vector_file import Mapped, VectorFile
from .encoder import ENCODER, Encoder
from .tokens import check_texts

WINDOW = 4096  # sentences between two writes; of the mini's 1.4 % more positions than with the whole corpus sorted
AT_ONCE_ON_CPU = 512  # sentences of similar length between two movements of the bar; on a GPU the whole window
PRECISIONS, DTYPES = ("auto", "float32", "bfloat16"), ("float32", "float16")
Tick = Callable[[int], object]
Source = str | os.PathLike[str] | Iterable[str] | Mapping[str, Any]


@checked(encoder=ENCODER)
def encode_corpus(
    encoder: Encoder,
    source: Source,
    out: str | Path,
    *,
    precision: Literal["auto", "float32", "bfloat16"] = "auto",
    dtype: Literal["float32", "float16"] = "float32",
    window: int = WINDOW,
    batch_size: int | None = None,
    progress: bool = True,
) -> Mapped:
    """Write the vectors of all sentences of a corpus to a ``.npy`` file, and return it mapped into memory.

    Sentences are read in windows, sorted by length within each and encoded in batches of a number of positions, see
    :meth:`.Encoder.encode`; rows keep the order of the corpus. In memory are one window and its vectors, whatever the
    size of the corpus. ``out.part`` grows by a window at a time and becomes ``out`` when it is whole; ``out.json`` says
    of which encoder and sentences it is. Called again after an interrupt or a kill it goes on with the next window,
    and once the file is whole it opens it. Sentences that are done are read and compared, not encoded.

    Args:
        encoder: as of :func:`clwork.load_encoder`.
        source: what :func:`clwork.data.sentences` takes. Of a name or a path sentences are read while they are
            encoded, as with its ``streaming``; a list is in memory anyway.
        out: path of the file, ending in ``.npy``; ``np.load(out, mmap_mode="r")`` opens it.
        precision: of the forward pass; ``"auto"``: bfloat16 where the processor or the GPU has it, or what the file was
            begun with.
        dtype: of the numbers in the file; half of it, ``"float16"``, changes a cosine by less than 0.001.
        window: sentences that are sorted and written together; a kill loses one window at most.
        batch_size: sentences in a batch; None: as many as fit a number of positions.
        progress: show a bar with the time that is left. For that a file is counted first; of a stream from the hub
            there is no such time.

    Shapes: returns ``(N, encoder.dim)``, read-only; rows are not scaled to length 1.

    Raises:
        TypeError: no encoder, or ``source`` is none.
        ValueError: ``out`` was made or begun by another encoder, from other sentences, or at another ``precision`` or
            ``dtype``; NaN or infinity in the vectors; no sentence; a name or a number that is not known.
        FileNotFoundError: no such source, or no such folder.
        FileExistsError: a file that is not of this function stands there.
        RuntimeError: another process writes it now.
        DiskError: the disk refuses.
    """
    target = _checked_target(out)
    kept = _validation.choice("precision", precision, PRECISIONS)
    stored = _validation.choice("dtype", dtype, DTYPES)
    window = _validation.whole("window", window, 1)
    batch_size = None if batch_size is None else _validation.whole("batch_size", batch_size, 1)
    texts = sentences(source, streaming=isinstance(source, str | os.PathLike))
    wanted = Written(encoder.fingerprint(), resolve(kept, encoder.device.type).name, stored)
    fixed = ("dtype",) if kept == "auto" else ("dtype", "precision")
    work = _Work(encoder, texts, target, wanted, fixed)
    with disk_errors(target), _locked(target):
        if not work.is_done():
            work.fill(window, batch_size, progress)
            os.replace(work.file.path, target)
    mapped: Mapped = np.load(target, mmap_mode="r")
    return mapped


def encoded_windows(
    encoder: Encoder,
    windows: Iterable[list[str]],
    file: VectorFile,
    *,
    precision: str = "float32",
    batch_size: int | None = None,
    unit: bool = False,
    tick: Tick = lambda count: None,
) -> Iterator[int]:
    """Append the vectors of each window to an open file, and yield the number of rows after each.

    ``unit`` scales them to length 1 first; ``tick(n)`` is called whenever ``n`` more sentences are encoded.

    Raises:
        ValueError: NaN or infinity, or a number that the file's type does not reach.
    """
    for texts in windows:
        with forward_pass(encoder.device, precision):
            vectors = _of_window(encoder, texts, batch_size, tick)
        if not np.isfinite(vectors).all():
            raise ValueError(f"{encoder.name} gives NaN or infinity for sentences of the corpus; choose another")
        file.append(normalize(torch.from_numpy(vectors)).numpy() if unit else vectors)
        yield file.rows


def _of_window(encoder: Encoder, texts: list[str], batch_size: int | None, tick: Tick) -> npt.NDArray[np.float32]:
    """Encode sentences longest first, a part at a time; the vectors ``(len(texts), dim)`` are in their order."""
    vectors = np.zeros((len(texts), encoder.dim), dtype=np.float32)
    order = sorted(range(len(texts)), key=lambda row: -len(texts[row]))
    at_once = AT_ONCE_ON_CPU if encoder.device.type == "cpu" else max(1, len(order))
    for start in range(0, len(order), at_once):
        rows = order[start : start + at_once]
        vectors[rows] = encoder.encode([texts[row] for row in rows], batch_size)
        tick(len(rows))
    return vectors


@dataclass(frozen=True)
class Written:
    """What ``out.json`` says of a file of vectors.

    Attributes:
        encoder: its fingerprint.
        precision: of the forward passes.
        dtype: of the numbers.
        rows: sentences that are done.
        sentences: the digest of these.
    """

    encoder: str
    precision: str
    dtype: str
    rows: int = 0
    sentences: str = ""

    @staticmethod
    def read(path: Path) -> Written | None:
        """Read it back; None where there is none.

        Raises:
            FileExistsError: something else is there.
        """
        if not path.exists():
            return None
        try:
            found = Written(**json.loads(path.read_text(encoding="utf-8")))
            if isinstance(found.rows, int) and found.rows >= 0:
                return found
        except (TypeError, ValueError):
            pass
        raise FileExistsError(f"{path} was not written by clwork.encode_corpus; move it away, or give another path")

    def check(self, wanted: Written, fixed: Iterable[str], place: Path) -> None:
        """Check that ``place`` can be gone on with: of the same encoder, and equal in what is ``fixed``.

        Raises:
            ValueError: it is of another encoder, or at another precision or type.
        """
        if self.encoder != wanted.encoder:
            raise ValueError(
                f"{place} holds vectors of another encoder (its fingerprint is {self.encoder}, this one's "
                f"{wanted.encoder}); give that one, or another path, or delete {place}"
            )
        for name in fixed:
            there, here = getattr(self, name), getattr(wanted, name)
            if there != here:
                raise ValueError(
                    f"{place} was begun with {name}={there!r}, and here it is {here!r}; give {name}={there!r}, or "
                    f"another path, or delete {place}"
                )


class _Work:
    """The corpus, the file that it goes to, and what is done of it."""

    def __init__(
        self, encoder: Encoder, texts: Iterable[str], target: Path, wanted: Written, fixed: Iterable[str]
    ) -> None:
        self.encoder, self.texts, self.target, self.wanted, self.fixed = encoder, texts, target, wanted, fixed
        self.file = VectorFile(_beside(target, ".part"), encoder.dim, wanted.dtype)
        self.record = _beside(target, ".json")

    def is_done(self) -> bool:
        """Whether the file is whole and of these sentences; what is in the way is refused."""
        stored = Written.read(self.record)
        place = next((path for path in (self.target, self.file.path) if path.exists()), None)
        if place is None:
            return False
        if stored is None:
            raise FileExistsError(
                f"{place} is there already, and no {self.record.name} says whose vectors it holds; move it away, or "
                "give another path"
            )
        stored.check(self.wanted, self.fixed, place)
        self.wanted = stored
        if place == self.file.path:
            return False
        if not VectorFile(place, self.encoder.dim, stored.dtype).is_whole(stored.rows):
            raise ValueError(f"{place} is damaged: it should have {plural(stored.rows, 'row')}; delete it")
        if self._past(stored).take(1):
            raise _changed(place, f"the source has more than its {plural(stored.rows, 'sentence')} now")
        return True

    def fill(self, window: int, batch_size: int | None, progress: bool) -> None:
        """Encode what is not done yet."""
        from tqdm.auto import tqdm

        total = self._total() if progress else None
        if self.file.rows < self.wanted.rows:  # taken away, or cut
            self.wanted = replace(self.wanted, rows=0, sentences="")
        done = self.wanted
        past = self._past(done)
        self._note(done)  # before there is a file: whose it is shows from its first moment
        with (
            self.file as file,
            tqdm(total=total, initial=done.rows, desc="encode", unit="sentence", disable=not progress) as bar,
        ):
            file.cut(done.rows)
            windows = iter(lambda: past.take(window), [])
            options: dict[str, Any] = {"precision": done.precision, "batch_size": batch_size, "tick": bar.update}
            for rows in encoded_windows(self.encoder, windows, file, **options):
                self._note(replace(done, rows=rows, sentences=past.digest))
            if not file.rows:
                raise ValueError("source holds no sentence; give one with at least one")
            file.finish()

    def _note(self, done: Written) -> None:
        write_whole(self.record, to_json(vars(done)))

    def _total(self) -> int | None:
        """How many sentences there are; None where finding out would take a second download."""
        if isinstance(self.texts, StreamedSentences):
            return None if self.texts.fingerprint() is None else sum(1 for _ in self.texts)
        return len(self.texts)  # type: ignore[arg-type]

    def _past(self, done: Written) -> _Taken:
        """The sentences after those that are done.

        Raises:
            ValueError: those are other ones now.
        """
        taken = _Taken(self.texts)
        while taken.count < done.rows and taken.take(min(WINDOW, done.rows - taken.count)):
            pass
        if taken.count != done.rows or (done.rows and taken.digest != done.sentences):
            raise _changed(self.target, f"the source does not begin with its {plural(done.rows, 'sentence')} any more")
        return taken


class _Taken:
    """Sentences taken one after another, and the digest of those taken so far, in 32 hex digits."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._rest, self._hash, self.count = iter(texts), hashlib.blake2b(digest_size=16), 0

    def take(self, count: int) -> list[str]:
        """The next ones, ``count`` at most."""
        texts = check_texts(islice(self._rest, count))
        for text in texts:
            self._hash.update(text.encode("utf-8") + b"\0")
        self.count += len(texts)
        return texts

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def _changed(place: Path, how: str) -> ValueError:
    beside = ", ".join(_beside(place, ending).name for ending in (".part", ".json"))
    return ValueError(
        f"{place} has the vectors of other sentences: {how}; give the source as it was, or another path, or delete "
        f"what is there ({place.name}, {beside})"
    )


def _checked_target(out: str | Path) -> Path:
    target = _validation.path("out", out).absolute()
    if target.suffix != ".npy":
        raise ValueError(f"out={shown(str(out), 200)} must end in .npy; it is a file of numpy's")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {target.parent} for out; make it first")
    for path in (target, _beside(target, ".part"), _beside(target, ".json")):
        if path.exists() and not is_plain_file(path):
            raise FileExistsError(f"{path} stands where a file belongs, for out={shown(str(out), 200)}")
    return target


def _beside(target: Path, ending: str) -> Path:
    return target.with_name(target.name + ending)


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Keep other processes away from a file while it is written.

    Raises:
        RuntimeError: another process has it.
    """
    lock = _beside(target, ".lock")
    try:
        with FileLock(lock, timeout=0):
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)
    except Timeout:
        raise RuntimeError(f"{target} is being written by another process; wait until it is done there") from None
