"""Read text, tables (.txt, .csv, .tsv, .jsonl, .parquet) and data sets of the hub row by row."""

from __future__ import annotations

import csv
import difflib
import gzip
import hashlib
import io
import json
import os
import sys
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

from .._validation import check_characters, is_number, shown
from ..hub import reachable, unreachable
from ..wording import plural

Row = tuple[int, Mapping[str, Any]]  # line or row number, values by column

READABLE = (".txt", ".csv", ".tsv", ".jsonl", ".parquet")
ADVICE = {
    ".pdf": "extract its text first, for instance `pdftotext file.pdf file.txt`",
    ".docx": "save it as plain text (UTF-8)",
    ".xlsx": "save the sheet as CSV",
    ".json": "write one JSON object per line and name it .jsonl",
    ".pkl": "pickles can run code and are never opened; save it as .parquet or .jsonl",
}
SIGNATURES = {
    b"%PDF": ("a PDF", ADVICE[".pdf"]),
    b"PK\x03\x04": ("a zip archive (as .docx, .xlsx and .zip files are)", "save its text as .txt or its table as .csv"),
    b"\xff\xfe\0\0": ("text in UTF-32", "save it as UTF-8"),
    b"\0\0\xfe\xff": ("text in UTF-32", "save it as UTF-8"),
    b"\xff\xfe": ("text in UTF-16", "save it as UTF-8"),
    b"\xfe\xff": ("text in UTF-16", "save it as UTF-8"),
    b"version https://git-lfs": ("a Git LFS pointer, not the file itself", "fetch it with `git lfs pull`"),
}
TEXT_COLUMNS = ("sentence", "text", "sentences", "content")
PAIR_COLUMNS = (("sent0", "sent1"), ("anchor", "positive"), ("sentence1", "sentence2"))  # of a table without others
LABEL_COLUMNS = ("topic", "label")
GROUP_COLUMNS = ("article", "title", "group")
MOST_LINES = 10  # consecutive lines of a quoted field that could be rows
BLOCK, BLOCKS = 1 << 16, 64
_hub_switch = threading.Lock()


def full_path(path: Path) -> Path:
    """Make a path absolute and resolve its links, unless the target has another extension (as in the hub's cache)."""
    resolved = path.resolve()
    return resolved if extension(resolved) == extension(path) else path.parent.resolve() / path.name


def extension(path: Path) -> str:
    """Return the ending that names the format, in lower case, without a final ``.gz``."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


def check_file(path: Path) -> str:
    """Check that ``path`` is a readable file that is not empty, and return its format, such as ``.csv``."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name one file in it ({', '.join(READABLE)})")
    if path.exists() and not path.is_file():  # reading a pipe may block forever, and /dev/zero never ends
        raise ValueError(f"{path} is a pipe, a socket or a device, not a file; copy its content into a file")
    if path.is_symlink() and not path.exists():
        raise FileNotFoundError(f"{path} is a link to {os.readlink(path)}, which does not exist; correct the link")
    if not path.exists():
        similar = f"; there is no folder {path.parent} either"
        if path.parent.is_dir():
            close = difflib.get_close_matches(path.name, os.listdir(path.parent), n=3)
            similar = f"; did you mean {', '.join(close)}?" if close else ""
        raise FileNotFoundError(f"there is no file {path} (working directory {Path.cwd()}){similar}")
    ending = extension(path)
    allowed = READABLE[:-1] if path.name.lower().endswith(".gz") else READABLE  # Parquet compresses its data itself
    if ending not in allowed:
        advice = ADVICE.get(ending, "convert it to one of these")
        raise ValueError(f"{path} ends in {ending or 'nothing'!r}; readable endings are {', '.join(allowed)}; {advice}")
    if path.stat().st_size == 0:
        raise ValueError(f"{path} is empty (0 bytes); check how it was written")
    return ending


@contextmanager
def open_text(path: Path, newline: str | None = None) -> Iterator[io.TextIOWrapper]:
    """Context: open UTF-8 text, plain or gzip; errors in the block are raised as ValueErrors with a remedy."""
    with open(path, "rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    if not packed and path.name.lower().endswith(".gz"):
        raise ValueError(f"{path} ends in .gz but is not gzip-compressed; correct its ending")
    try:
        with gzip.open(path, "rb") if packed else open(path, "rb") as stream:
            buffered = io.BufferedReader(cast(io.RawIOBase, stream), 1 << 16)
            head = buffered.peek(4096)[:4096]
            for signature, (what, advice) in SIGNATURES.items():
                if head.startswith(signature):
                    raise ValueError(f"{path} holds {what}, not text in UTF-8; {advice}")
            if b"\0" in head:
                raise ValueError(f"{path} holds binary data (a zero byte near its start), not text; save it as UTF-8")
            if head.startswith(b"\xef\xbb\xbf"):  # byte order mark
                buffered.read(3)
            yield io.TextIOWrapper(cast(BinaryIO, buffered), encoding="utf-8", newline=newline)
    except UnicodeDecodeError as error:
        around = error.object[max(0, error.start - 12) : error.start + 12].decode("latin-1")
        guess = "Latin-1 or Windows-1252; convert it with `iconv -f WINDOWS-1252 -t UTF-8 old.txt > new.txt`"
        # European texts have few letters beyond ASCII.
        if sum(byte > 127 for byte in error.object) > len(error.object) / 4:
            guess = "an encoding of another script, such as GB18030, Big5, Shift-JIS or KOI8-R; find out which, and "
            guess += "convert it with `iconv -f ENCODING -t UTF-8 old.txt > new.txt`"
        raise ValueError(
            f"{path} is not UTF-8: byte 0x{error.object[error.start]:02x} near {around!r}. It is probably {guess}"
        ) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path} is damaged gzip data ({error}); copy or download it again") from None


def lines(path: Path) -> Iterator[str]:
    """Yield the non-blank lines of a text file, stripped."""
    with open_text(path) as text:
        for number, line in enumerate(text, start=1):
            if line := line.strip():
                if "\0" in line:
                    raise ValueError(f"{path} holds binary data (a zero byte in line {number}); save it as UTF-8 text")
                yield line


def fingerprint(path: Path, *more: str | None) -> str:
    """Hash a file's size and bytes (above 4 MiB: 64 evenly spread blocks) and ``more`` to 32 hex digits."""
    size = path.stat().st_size
    digest = hashlib.blake2b(repr((size, more)).encode("utf-8", "surrogatepass"), digest_size=16)
    with open(path, "rb") as file:
        for number in range(BLOCKS):
            file.seek(number * BLOCK if size <= BLOCK * BLOCKS else number * (size - BLOCK) // (BLOCKS - 1))
            digest.update(file.read(BLOCK))
    return digest.hexdigest()


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a table without holding the file in memory."""
    ending = check_file(path)
    if ending == ".txt":
        raise ValueError(f"{path} has no columns; a table is a .csv, .tsv, .jsonl or .parquet file")
    if ending == ".parquet":
        return _parquet(path)
    return _jsonl(path) if ending == ".jsonl" else _delimited(path, tabs=ending == ".tsv")


def _delimited(path: Path, tabs: bool) -> Iterator[Row]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # the default refuses texts over 128 KiB
    with open_text(path, newline="") as text:
        first = next((line for line in text if line.strip()), "")
        # European spreadsheets separate CSV by semicolons, other programs by tabs.
        delimiter = "\t" if tabs else max(",;\t", key=first.count)
        tabs = delimiter == "\t"
        # Unpaired quotation marks are common in .tsv; read as CSV quotes, they would join lines.
        quoting: Literal[0, 3] = csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL
        header: list[str] = next(csv.reader([first], delimiter=delimiter, quoting=quoting), [])
        columns = [_unquoted(name.strip()) if tabs else name.strip() for name in header]
        if not any(columns):
            raise ValueError(f"{path} is empty; its first line must name the columns")
        _check_columns(path, columns)
        row: list[str] = []  # its lines, while it is read
        # strict: an unclosed quotation mark would join all lines up to the next one
        limited = _limited(text, row, delimiter, len(columns))
        reader, number = csv.reader(limited, delimiter=delimiter, quoting=quoting, strict=True), 1
        try:
            for values in reader:
                row.clear()
                number = reader.line_num + 1
                if values and len(values) != len(columns):
                    raise ValueError(
                        f"{path}, line {number}: {plural(len(values), 'field')}, but the first line names "
                        f"{plural(len(columns), 'column')} ({', '.join(columns[:8])}); put fields that contain "
                        f"{delimiter!r} in double quotes, or rename a file of one sentence per line to .txt"
                    )
                if values:
                    yield number, dict(zip(columns, map(_unquoted, values) if tabs else values, strict=True))
        except csv.Error as error:
            raise ValueError(
                f"{path}, line {number + 1}: {error} in the row that begins here; close a field's double quotes "
                f"before {delimiter!r}, and double the quotes inside it"
            ) from None


def _limited(text: Iterable[str], row: list[str], delimiter: str, columns: int) -> Iterator[str]:
    """Append each line to ``row`` and yield it; raise csv.Error if a quotation mark seems to join many rows."""
    alike = 0  # consecutive lines within one row that could be rows themselves, without blank ones
    for line in text:
        fields = len(next(csv.reader([line], delimiter=delimiter), [])) if row else -1
        alike = alike + (fields > 0) if fields in (0, columns) else 0
        row.append(line)
        if alike > MOST_LINES:
            raise csv.Error(f"a quoted field holds {alike} lines that resemble rows")
        yield line


def _check_columns(path: Path, columns: Sequence[str]) -> None:
    twice = next((name for i, name in enumerate(columns) if name and name in columns[:i]), None)
    if twice is not None:
        raise ValueError(f"{path} has more than one column {twice!r} ({', '.join(columns[:8])}); rename the others")


def _unquoted(value: str) -> str:
    inner = value[1:-1]
    quoted = len(value) > 1 and value[0] == value[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if quoted else value


def _jsonl(path: Path) -> Iterator[Row]:
    with open_text(path) as text:
        for number, line in enumerate(text, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line, object_pairs_hook=_unique)
            except (ValueError, RecursionError) as error:  # not JSON, too long a number, or nested too deeply
                raise ValueError(
                    f"{path}, line {number} is not JSON ({error}); .jsonl has one object on each line"
                ) from None
            if not isinstance(row, dict):
                raise ValueError(
                    f"{path}, line {number} holds a {type(row).__name__}, not an object such as "
                    '{"sentence": "..."}; .jsonl has one object on each line'
                )
            yield number, row


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"the name {shown(twice)} comes twice in one object; rename one")
    return row


def _parquet(path: Path) -> Iterator[Row]:
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            _check_columns(path, file.schema_arrow.names)
            yield from enumerate((row for batch in file.iter_batches() for row in batch.to_pylist()), start=1)
    except (pyarrow.ArrowException, OSError, OverflowError, UnicodeDecodeError) as error:
        brief = " ".join(str(error).split())[:200]
        raise ValueError(f"{path} cannot be read as Parquet ({brief}); check its completeness and its ending") from None


def choose_column(columns: Sequence[str], wanted: str | None, where: str) -> str:
    """Return the column that holds the sentences: ``wanted``, else the only likely one."""
    present = f"{where} has the columns {', '.join(map(repr, columns))}"
    by_name = {name.lower(): name for name in reversed(columns)}
    if wanted is not None:
        if wanted.lower() not in by_name:
            raise ValueError(f"no column {wanted!r}: {present}")
        return wanted if wanted in columns else by_name[wanted.lower()]
    for name in TEXT_COLUMNS:
        if name in by_name:
            return by_name[name]
    if len(columns) != 1:
        pair = next((names for names in PAIR_COLUMNS if set(names) <= by_name.keys()), None)
        pairs = f". If these are pairs, leave the columns other than {' and '.join(pair)} out" if pair else ""
        raise ValueError(
            f"{present}; choose the one that holds the sentences with column=, as in "
            f"clwork.data.sentences(..., column={columns[-1]!r}){pairs}"
        )
    if len(columns[0].split()) > 4:
        raise ValueError(
            f"{where} seems to begin with a sentence ({columns[0][:60]!r}) instead of a column's name; add a "
            "first line `sentence`, or rename the file to .txt"
        )
    return columns[0]


def find_column(columns: Sequence[str], names: Sequence[str], taken: str) -> str | None:
    """Return the first of ``names`` among ``columns`` that is not the text column."""
    by_name = {name.lower(): name for name in reversed(columns)}
    return next((by_name[name] for name in names if name in by_name and by_name[name] != taken), None)


def text_of(value: object, column: str, where: str) -> str:
    """Return a cell of the text column, stripped; empty if it is missing."""
    if value is not None and not isinstance(value, str):
        raise ValueError(
            f"{where}: column {column!r} holds {type(value).__name__} ({shown(value, 40)}), not text; "
            "choose another with column=, as in clwork.data.sentences(..., column=...)"
        )
    return check_characters((value or "").strip(), where)


def filled(value: object, column: str, where: str) -> str:
    """Return a cell as :func:`text_of` does; raise if it is blank."""
    text = text_of(value, column, where)
    if not text:
        raise ValueError(
            f"{where}: {column!r} is {'missing' if value is None else 'blank'}; fill it, or leave the row out"
        )
    return text


def label_of(value: object, where: str) -> str:
    """Convert a label's cell to a string; empty if it is missing or NaN."""
    if value is None or (not isinstance(value, str) and is_number(value) and value != value):
        return ""
    if isinstance(value, float) and value.is_integer():  # 1.0 and 1 are one label
        value = int(value)
    return check_characters(str(value).strip(), where)


def load_from_hub(
    name: str,
    split: str,
    streaming: bool = False,
    data_files: str | None = None,
    instead: str = f"'wikipedia-mini' or a file ({', '.join(READABLE)})",
) -> Any:
    """Load a split of ``owner/name[:configuration]`` from the hub, or offline from the cache of an earlier load."""
    import datasets

    repository, _, configuration = name.partition(":")
    arguments = {"split": split, "streaming": streaming, "data_files": data_files}
    try:
        if reachable():
            return datasets.load_dataset(repository, configuration or None, **arguments)
        with _hub_switch:  # restrict ``datasets`` to its cache, instead of retrying a hub that does not answer
            before, datasets.config.HF_HUB_OFFLINE = datasets.config.HF_HUB_OFFLINE, True
            try:
                return datasets.load_dataset(repository, configuration or None, **arguments)
            finally:
                datasets.config.HF_HUB_OFFLINE = before
    except ConnectionError:
        raise unreachable(name, instead) from None
    except (FileNotFoundError, ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        brief = " ".join(str(error).split())[:400]
        if isinstance(error, FileNotFoundError):
            raise FileNotFoundError(
                f"there is no data set {name!r} on the hub, or you have no access ({brief}); check its name on "
                "https://huggingface.co/datasets. If you mean a file, give its path with the ending"
            ) from None
        raise ValueError(
            f"the data set {name!r} cannot be read with split={split!r}: {brief}. "
            "Choose a configuration with 'owner/name:configuration', or a split with split="
        ) from None


def hub_rows(data: Any) -> Iterator[Row]:
    """Yield the rows of a hub split, with class numbers replaced by class names; empty for an unknown class."""
    classes = {name: getattr(feature, "names", None) for name, feature in (data.features or {}).items()}
    for number, row in enumerate(data):
        named = {
            name: names[row[name]] if row[name] is not None and row[name] >= 0 else ""
            for name, names in classes.items()
            if names
        }
        yield number, row | named
