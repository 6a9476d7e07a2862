"""Tables of text (.csv, .tsv, .jsonl, .parquet) as rows, and the choice of their columns."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from .._validation import check_characters, is_number, shown
from ..wording import plural
from .files import check_file, open_text

Row = tuple[int, Mapping[str, Any]]  # line or row number from 1, values by column

TEXT_COLUMNS = ("sentence", "text", "sentences", "content")
LABEL_COLUMNS = ("topic", "label")
GROUP_COLUMNS = ("article", "title", "group")
_SAMPLE = 4


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a table without holding the file in memory.

    Raises:
        FileNotFoundError, ValueError: as :func:`clwork.data.files.check_file`, and for malformed rows.
    """
    kind = check_file(path)
    if kind == ".parquet":
        return _parquet(path)
    if kind == ".jsonl":
        return _jsonl(path)
    if kind == ".txt":
        raise ValueError(f"{path} has no columns; a table is a .csv, .tsv, .jsonl or .parquet file")
    return _delimited(path, tabs=kind == ".tsv")


def _delimited(path: Path, tabs: bool) -> Iterator[Row]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # the default refuses texts over 128 KiB
    with open_text(path, newline="") as text:
        first = text.readline()
        while first and not first.strip():
            first = text.readline()
        # European spreadsheets separate CSV by semicolons.
        delimiter = "\t" if tabs else ";" if first.count(";") > first.count(",") else ","
        # Lone quotation marks are common in .tsv; read as CSV quoting, they would swallow lines.
        quoting: Literal[0, 3] = csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL
        header: list[str] = next(csv.reader([first], delimiter=delimiter, quoting=quoting), [])
        columns = [_unquote(name.strip()) if tabs else name.strip() for name in header]
        if not any(columns):
            raise ValueError(f"{path} is empty; its first line must name the columns")
        _check_columns(path, columns)
        # strict: an unclosed quotation mark would swallow all lines up to the next one
        reader = csv.reader(text, delimiter=delimiter, quoting=quoting, strict=True)
        try:
            for values in reader:
                if not values:
                    continue
                if len(values) != len(columns):
                    raise ValueError(_ragged(path, reader.line_num + 1, values, columns, delimiter))
                yield reader.line_num + 1, dict(zip(columns, map(_unquote, values) if tabs else values, strict=True))
        except csv.Error as error:
            raise ValueError(
                f"{path}, line {reader.line_num + 1}: {error}; a field in double quotes must close them before "
                f"{delimiter!r}, and double those inside it"
            ) from None


def _check_columns(path: Path, columns: Sequence[str]) -> None:
    """Refuse duplicate column names; blank ones are ignored."""
    twice = next((name for i, name in enumerate(columns) if name and name in columns[:i]), None)
    if twice is not None:
        raise ValueError(f"{path} has more than one column {twice!r} ({', '.join(columns[:8])}); rename all but one")


def _unquote(value: str) -> str:
    inner = value[1:-1]
    quoted = len(value) > 1 and value[0] == value[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if quoted else value


def _ragged(path: Path, line: int, values: Sequence[str], columns: Sequence[str], delimiter: str) -> str:
    return (
        f"{path}, line {line}: {plural(len(values), 'field')} where the first line names "
        f"{plural(len(columns), 'column')} "
        f"({', '.join(columns[:8])}); put fields that contain {delimiter!r} in double quotes, "
        "or, for one sentence per line, give the file the ending .txt"
    )


def _jsonl(path: Path) -> Iterator[Row]:
    with open_text(path) as text:
        for number, line in enumerate(text, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                if not isinstance(row, dict) or line.count(":") > len(row):  # fewer colons cannot hold a duplicate name
                    row = json.loads(line, object_pairs_hook=_object)
            except (ValueError, RecursionError) as error:  # not JSON, a number of 5,000 digits, a thousand brackets
                raise ValueError(
                    f"{path}, line {number} is not JSON ({error}); .jsonl has one object on each line"
                ) from None
            if not isinstance(row, dict):
                raise ValueError(
                    f"{path}, line {number} holds a {type(row).__name__} where an object such as "
                    '{"sentence": "..."} belongs; .jsonl has one object on each line'
                )
            yield number, row


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
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
            number = 0
            for batch in file.iter_batches():
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except (pyarrow.ArrowException, OSError, OverflowError, UnicodeDecodeError) as error:
        brief = " ".join(str(error).split())[:200]
        raise ValueError(f"{path} cannot be read as Parquet ({brief}); is it complete, and its ending true?") from None


def choose_column(columns: Sequence[str], wanted: str | None, where: str) -> str:
    """Choose the column that holds the sentences.

    Raises:
        ValueError: ``wanted`` is missing, or it is None and the choice is ambiguous.
    """
    seen = f"{where} has the columns {', '.join(map(repr, columns))}"
    if wanted is not None:
        if wanted in columns:
            return wanted
        raise ValueError(f"no column {wanted!r}: {seen}")
    by_name = {name.lower(): name for name in reversed(columns)}
    for name in TEXT_COLUMNS:
        if name in by_name:
            return by_name[name]
    if len(columns) != 1:
        raise ValueError(f"which column holds the sentences? {seen}; choose with column=")
    if len(columns[0].split()) > _SAMPLE:
        raise ValueError(
            f"{where} seems to begin with a sentence ({columns[0][:60]!r}) where the name of its column belongs; "
            "add a first line `sentence`, or give the file the ending .txt"
        )
    return columns[0]


def find_column(columns: Sequence[str], names: Sequence[str], taken: str) -> str | None:
    """Return the first of ``names`` among ``columns`` that is not the text column."""
    by_name = {name.lower(): name for name in reversed(columns)}
    return next((by_name[name] for name in names if name in by_name and by_name[name] != taken), None)


def text_of(value: object, column: str, where: str) -> str:
    """Strip a cell of the text column; a missing one is blank.

    Raises:
        ValueError: the cell does not hold text.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(
            f"{where}: column {column!r} holds {type(value).__name__} ({shown(value, 40)}), not text; "
            "choose another with column="
        )
    return check_characters(value.strip(), where)


def filled(value: object, column: str, where: str) -> str:
    """Strip a cell as :func:`text_of` does, of a column that may have no blanks.

    Raises:
        ValueError: the cell is blank, or does not hold text.
    """
    text = text_of(value, column, where)
    if not text:
        raise ValueError(
            f"{where}: {column!r} is {'missing' if value is None else 'blank'}; fill it, or leave the row out"
        )
    return text


def label_of(value: object, where: str) -> str:
    """Convert a label's cell to a word; a missing one or NaN is blank.

    Raises:
        ValueError: it holds characters that cannot be read.
    """
    missing = value is None or (not isinstance(value, str) and is_number(value) and value != value)
    return "" if missing else check_characters(str(value), where)
