"""Read text, tables (.txt, .csv, .tsv, .jsonl, .parquet) and data sets of the hub row by row."""

from __future__ import annotations

import csv
import difflib
import gzip
import hashlib
import json
import os
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TextIO

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
TEXT_COLUMNS = ("sentence", "text", "sentences", "content")
PAIR_COLUMNS = (
    ("sent0", "sent1"),
    ("anchor", "positive"),
    ("sentence1", "sentence2"),
)  # of a table without others
LABEL_COLUMNS = ("topic", "label")
GROUP_COLUMNS = ("article", "title", "group")
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
    if path.exists() and not path.is_file():
        raise ValueError(
            f"{path} is a pipe, a socket or a device, not a file; copy its content into a file"
        )
    if not path.exists():
        raise FileNotFoundError(
            f"there is no file {path} (working directory {Path.cwd()}){_similar(path)}"
        )
    ending = extension(path)
    # Parquet compresses its data itself.
    allowed = READABLE[:-1] if path.name.lower().endswith(".gz") else READABLE
    if ending not in allowed:
        advice = ADVICE.get(ending, "convert it to one of these")
        raise ValueError(
            f"{path} ends in {ending or 'nothing'!r}; readable endings are {', '.join(allowed)}; {advice}"
        )
    if path.stat().st_size == 0:
        raise ValueError(f"{path} is empty (0 bytes); check how it was written")
    return ending


def _similar(path: Path) -> str:
    """Suggest files with similar names in the folder of a missing file."""
    if not path.parent.is_dir():
        return f"; there is no folder {path.parent} either"
    others = [
        name for name in os.listdir(path.parent) if name != path.name
    ]  # a link without a target is listed
    close = difflib.get_close_matches(path.name, others, n=3)
    return f"; did you mean {', '.join(close)}?" if close else ""


@contextmanager
def open_text(path: Path, newline: str | None = None) -> Iterator[TextIO]:
    """Context: open UTF-8 text, plain or gzip; errors in the block are raised as ValueErrors with a remedy."""
    opener: Any = gzip.open if path.name.lower().endswith(".gz") else open
    try:
        with opener(path, "rt", encoding="utf-8-sig", newline=newline) as text:
            yield text
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {_probable_encoding(error)}") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(
            f"{path} is no complete gzip file ({error}); copy it again, or correct its ending"
        ) from None


def _probable_encoding(error: UnicodeDecodeError) -> str:
    """Describe the first byte that is not UTF-8, the probable encoding, and how to convert the file."""
    around = error.object[max(0, error.start - 12) : error.start + 12].decode("latin-1")
    found = f"byte 0x{error.object[error.start]:02x} near {around!r}"
    # European texts have few letters beyond ASCII.
    if sum(byte > 127 for byte in error.object) > len(error.object) / 4 or b"\0" in error.object:
        return (
            f"{found}. It is binary data, or text in UTF-16, GB18030, Big5, Shift-JIS or another encoding; find out "
            "which, and convert it with `iconv -f ENCODING -t UTF-8 old.txt > new.txt`"
        )
    return (
        f"{found}. It is probably Latin-1 or Windows-1252; convert it with "
        "`iconv -f WINDOWS-1252 -t UTF-8 old.txt > new.txt`"
    )


def lines(path: Path) -> Iterator[str]:
    """Yield the non-blank lines of a text file, stripped."""
    with open_text(path) as text:
        for number, line in enumerate(text, start=1):
            if line := line.strip():
                if "\0" in line:
                    raise ValueError(
                        f"{path} holds binary data (a zero byte in line {number}); save it as UTF-8 text"
                    )
                yield line


def fingerprint(path: Path, *more: str | None) -> str:
    """Hash a file's size and bytes (above 4 MiB: 64 evenly spread blocks) and ``more`` to 32 hex digits."""
    size = path.stat().st_size
    digest = hashlib.blake2b(repr((size, more)).encode("utf-8", "surrogatepass"), digest_size=16)
    with open(path, "rb") as file:
        for number in range(BLOCKS):
            file.seek(
                number * BLOCK
                if size <= BLOCK * BLOCKS
                else number * (size - BLOCK) // (BLOCKS - 1)
            )
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
        reader = csv.reader(text, delimiter=delimiter, quoting=quoting, strict=True)
        number = 1
        try:
            for values in reader:
                number = reader.line_num + 1
                if values and len(values) != len(columns):
                    raise ValueError(
                        f"{path}, line {number}: {plural(len(values), 'field')}, but the first line names "
                        f"{plural(len(columns), 'column')} ({', '.join(columns[:8])}); put fields that contain "
                        f"{delimiter!r} in double quotes, or rename a file of one sentence per line to .txt"
                    )
                if values:
                    yield (
                        number,
                        dict(zip(columns, map(_unquoted, values) if tabs else values, strict=True)),
                    )
        except csv.Error as error:
            raise ValueError(
                f"{path}, line {number + 1}: {error} in the row that begins here; close a field's double quotes "
                f"before {delimiter!r}, and double the quotes inside it"
            ) from None


def _check_columns(path: Path, columns: Sequence[str]) -> None:
    twice = next((name for i, name in enumerate(columns) if name and name in columns[:i]), None)
    if twice is not None:
        raise ValueError(
            f"{path} has more than one column {twice!r} ({', '.join(columns[:8])}); rename the others"
        )


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
                row = json.loads(line)
            except (
                ValueError,
                RecursionError,
            ) as error:  # not JSON, too long a number, or nested too deeply
                raise ValueError(
                    f"{path}, line {number} is not JSON ({error}); .jsonl has one object on each line"
                ) from None
            if not isinstance(row, dict):
                raise ValueError(
                    f"{path}, line {number} holds a {type(row).__name__}, not an object such as "
                    '{"sentence": "..."}; .jsonl has one object on each line'
                )
            yield number, row


def _parquet(path: Path) -> Iterator[Row]:
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            _check_columns(path, file.schema_arrow.names)
            yield from enumerate(
                (row for batch in file.iter_batches() for row in batch.to_pylist()), start=1
            )
    except (pyarrow.ArrowException, OSError, OverflowError, UnicodeDecodeError) as error:
        brief = " ".join(str(error).split())[:200]
        raise ValueError(
            f"{path} cannot be read as Parquet ({brief}); check its completeness and its ending"
        ) from None


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
        pairs = (
            f". If these are pairs, leave the columns other than {' and '.join(pair)} out"
            if pair
            else ""
        )
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
    return next(
        (by_name[name] for name in names if name in by_name and by_name[name] != taken), None
    )


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
        with (
            _hub_switch
        ):  # restrict ``datasets`` to its cache, instead of retrying a hub that does not answer
            before, datasets.config.HF_HUB_OFFLINE = datasets.config.HF_HUB_OFFLINE, True
            try:
                return datasets.load_dataset(repository, configuration or None, **arguments)
            finally:
                datasets.config.HF_HUB_OFFLINE = before
    except ConnectionError:
        raise unreachable(name, instead) from None
    except (
        FileNotFoundError,
        ValueError,
        RuntimeError,
        datasets.exceptions.DatasetsError,
    ) as error:
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
    classes = {
        name: getattr(feature, "names", None) for name, feature in (data.features or {}).items()
    }
    for number, row in enumerate(data):
        named = {
            name: names[row[name]] if row[name] is not None and row[name] >= 0 else ""
            for name, names in classes.items()
            if names
        }
        yield number, row | named
