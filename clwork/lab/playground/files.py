"""The playground's files: sentences read from one, a corpus sent by the page, and vectors written to one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from ... import _validation
from ...disk import disk_errors, write_whole
from ...wording import plural

MOST = 30  # sentences; more make no readable matrix
MOST_BYTES = 1 << 20  # of a file of sentences
MOST_UPLOADED = 1 << 29  # of a corpus


def own_sentences(lines: Sequence[str]) -> list[str]:
    """The sentences among what was typed, without blanks around them.

    Raises:
        ValueError: fewer than two, or more than can be shown.
    """
    typed = [line.strip() for line in lines if line.strip()]
    if not 2 <= len(typed) <= MOST:
        raise ValueError(f"{plural(len(typed), 'sentence was', 'sentences were')} given; give 2 to {MOST}, one a line")
    return typed


def sentences_of_file(name: str, content: bytes) -> tuple[list[str], str]:
    """The sentences of a text file, one a line, at most 30; and a sentence on what was read.

    Raises:
        ValueError: the file is too large, no text in UTF-8, or holds no sentence.
    """
    if len(content) > MOST_BYTES:
        raise ValueError(f"{name} has {len(content):,} bytes; give a text of at most {MOST_BYTES:,}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is no text in UTF-8; save it as plain text in UTF-8") from None
    if "\0" in text:
        raise ValueError(f"{name} holds binary data (a zero byte), not text; save it as plain text in UTF-8")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError(f"{name} holds no sentence; what was there is left as it was")
    left = f"; the first {MOST} of its {len(lines):,} are taken" if len(lines) > MOST else ""
    return lines[:MOST], f"{name} is read{left}. Press Compare."


class Upload:
    """A file that a page sends in pieces, kept in a folder of its own until :meth:`close`."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None

    def take(self, name: str, size: int, at: int, piece: bytes) -> Path | None:
        """Append a piece that begins at byte ``at`` of ``size``; return the file once it is whole.

        Raises:
            ValueError: the file is empty, too large, or pieces are missing before this one.
            DiskError: the disk refuses.
        """
        if not 0 < size <= MOST_UPLOADED:
            raise ValueError(f"{name} has {size:,} bytes; give a file of 1 to {MOST_UPLOADED:,}, or type its path")
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="clwork-upload-")
        path = Path(self._folder.name) / (re.sub(r"[^\w. -]", "_", Path(name).name).lstrip(".") or "corpus.txt")
        with disk_errors(path), open(path, "ab" if at else "wb") as file:
            if file.tell() != at:
                raise ValueError(f"a part of {name} is missing; send it again")
            file.write(piece)
            return path if file.tell() >= size else None

    def close(self) -> None:
        """Remove what was sent."""
        if self._folder is not None:
            self._folder.cleanup()


Vectors = npt.NDArray[np.float32]
ENDINGS = (".npy", ".parquet")


def export(
    path: str | Path, texts: Sequence[str], vectors: Mapping[str, Vectors], overwrite: bool = False
) -> tuple[Path, str]:
    """Write the sentences' vectors by each encoder; return the file, and a sentence on how to read it.

    ``.parquet``: a row a sentence, with a column ``sentence`` and a column of lists for each encoder. ``.npy``: the
    same as a structured array, without pickle, so that ``numpy.load(path)[encoder]`` is ``(N, D)``.

    Raises:
        ValueError: another ending.
        FileExistsError: something is there already, and ``overwrite`` is not set.
        DiskError: the disk refuses.
    """
    place = _validation.path("path", path).absolute()
    if place.suffix not in ENDINGS:
        raise ValueError(
            f"{place.name!r} ends in {place.suffix or 'nothing'!r}; name a file that ends in .npy or .parquet"
        )
    overwrite = _validation.flag("overwrite", overwrite)
    if place.is_dir():
        raise ValueError(f"{place} is a folder; name a file in it, such as {place / 'vectors.npy'}")
    if place.exists() and not overwrite:
        raise FileExistsError(f"{place} is there already and is left as it is; name another, or ask to replace it")
    first = next(iter(vectors))
    if place.suffix == ".npy":
        write_whole(place, lambda draft: _npy(draft, texts, vectors), parents=True)
        how = f"numpy.load({place.name!r})[{first!r}] is {vectors[first].shape}"
    else:
        write_whole(place, lambda draft: _parquet(draft, texts, vectors), parents=True)
        how = f"pandas.read_parquet({place.name!r}) has the columns {', '.join(['sentence', *vectors])}"
    return place, how


def _npy(draft: Path, texts: Sequence[str], vectors: Mapping[str, Vectors]) -> None:
    longest = max(1, *(len(text) for text in texts))
    fields = [(name, "<f4", (matrix.shape[1],)) for name, matrix in vectors.items()]
    table = np.zeros(len(texts), dtype=[("sentence", f"<U{longest}"), *fields])
    table["sentence"] = texts
    for name, matrix in vectors.items():
        table[name] = matrix
    with open(draft, "wb") as file:
        np.save(file, table, allow_pickle=False)


def _parquet(draft: Path, texts: Sequence[str], vectors: Mapping[str, Vectors]) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = {
        name: pyarrow.array(list(matrix), type=pyarrow.list_(pyarrow.float32())) for name, matrix in vectors.items()
    }
    parquet.write_table(pyarrow.table({"sentence": pyarrow.array(texts), **columns}), draft)
