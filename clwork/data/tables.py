"""Read text files, tables (.csv, .tsv, .jsonl, .parquet) and data sets of the hub.

pandas and datasets read; this module chooses their options and explains their errors.
"""

from __future__ import annotations

import csv
import gzip
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._validation import kind, nearest, shown
from ..hub import unreachable

if TYPE_CHECKING:
    import pandas as pd

READABLE = (".txt", ".csv", ".tsv", ".jsonl", ".parquet")
# Names of columns that are recognized without being named, the preferred one first.
TEXT_COLUMNS = ("sentence", "text", "sentences", "content")
LABEL_COLUMNS = ("topic", "label")
GROUP_COLUMNS = ("article", "title", "group")


def extension(path: Path) -> str:
    """Return the ending that names the format: ``.csv`` for ``Texts.CSV.gz``."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


def check_file(path: Path) -> str:
    """Check that a path is that of a readable file; return its :func:`extension`."""
    if not path.exists():
        in_folder = os.listdir(path.parent) if path.parent.is_dir() else []
        raise FileNotFoundError(
            f"there is no file {path} (working directory {Path.cwd()})"
            f"{nearest(path.name, in_folder)}"
        )
    if not path.is_file():
        raise ValueError(f"{path} is a folder, not a file; name one file ({', '.join(READABLE)})")
    ending = extension(path)
    if ending not in READABLE:
        raise ValueError(
            f"{path} ends in {ending or 'nothing'!r}; convert it to one of {', '.join(READABLE)}"
        )
    return ending


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Context in which a reader's errors become ValueErrors with the file's name and a remedy."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not UTF-8 (byte 0x{error.object[error.start]:02x}); convert it with "
            "`iconv -f ENCODING -t UTF-8 old.txt > new.txt`, where ENCODING is often WINDOWS-1252, "
            "UTF-16 or GB18030"
        ) from None
    except (ValueError, EOFError, OSError, zlib.error) as error:
        brief = " ".join(str(error).split())[:300]
        raise ValueError(
            f"{path} cannot be read ({brief}); check that it is complete and has the right ending"
        ) from None


def open_text(path: Path) -> Any:
    """Open UTF-8 text for reading, plain or gzip, with or without a byte order mark."""
    opener: Any = gzip.open if path.name.lower().endswith(".gz") else open
    return opener(path, "rt", encoding="utf-8-sig")


def lines(path: Path) -> list[str]:
    """Return the non-blank lines of a text file, stripped."""
    with file_errors(path), open_text(path) as text:
        return [line.strip() for line in text if line.strip()]


def read_table(path: Path) -> pd.DataFrame:
    """Return a .csv, .tsv, .jsonl or .parquet file as a DataFrame.

    All cells of .csv and .tsv are strings, and empty cells ``""``; the other formats have types.
    """
    import pandas as pd

    ending = check_file(path)
    with file_errors(path):
        if ending == ".parquet":
            frame = pd.read_parquet(path)
        elif ending == ".jsonl":
            # dtype=False: a sentence such as "2026" stays text.
            frame = pd.read_json(path, lines=True, dtype=False, encoding="utf-8-sig")
        else:
            frame = _read_delimited(path)
    # Column names may be numbers, or have blanks at their ends.
    frame.columns = frame.columns.astype(str).str.strip()
    return frame


def _read_delimited(path: Path) -> pd.DataFrame:
    """Read a .csv or .tsv file; a .csv file may also be separated by semicolons or tabs."""
    import pandas as pd

    separator = _separator(path)
    has_tabs = separator == "\t"
    frame = pd.read_csv(
        path,
        sep=separator,
        # Unpaired quotation marks are common between tabs; as CSV quotes, they would join lines.
        quoting=csv.QUOTE_NONE if has_tabs else csv.QUOTE_MINIMAL,
        dtype=str,
        # A sentence such as "None" or "NA" is no missing cell.
        keep_default_na=False,
        encoding="utf-8-sig",
    )
    # If lines have more fields than the header, pandas takes their first fields for row names.
    if not isinstance(frame.index, pd.RangeIndex):
        raise ValueError(
            f"lines have more fields than the {frame.shape[1]} columns that the first line "
            f"names; put fields that contain {separator!r} in double quotes, or rename a "
            "file of one sentence per line to .txt"
        )
    if has_tabs:
        return frame.rename(columns=_unquoted).map(_unquoted)
    return frame


def _separator(path: Path) -> str:
    """Return the separator of a .csv or .tsv file, which in a .csv file is guessed.

    European spreadsheets separate CSV by semicolons, and other programs by tabs. So it is the most
    frequent of the three signs in the first line that is not blank.
    """
    if extension(path) == ".tsv":
        return "\t"
    with open_text(path) as text:
        header = next((line for line in text if line.strip()), "")
    return max(",;\t", key=header.count)


def _unquoted(cell: str) -> str:
    """Remove the quotes around a whole cell: ``"A ""cat"" sleeps"`` becomes ``A "cat" sleeps``.

    A cell with an unpaired quotation mark is unchanged.
    """
    inner = cell[1:-1]
    is_enclosed = len(cell) > 1 and cell[0] == cell[-1] == '"'
    # Within a quoted cell each quotation mark is doubled.
    has_unpaired_quote = '"' in inner.replace('""', "")
    return inner.replace('""', '"') if is_enclosed and not has_unpaired_quote else cell


def choose_column(columns: Sequence[str], wanted: str | None, where: str) -> str:
    """Return the column that holds the sentences.

    It is ``wanted``, in any case of letters; else the first of :data:`TEXT_COLUMNS`; else the only
    column. ``where`` names the table in errors.
    """
    if not columns:
        raise ValueError(f"{where} has no rows; check how it was written, or choose another split")
    present = f"{where} has the columns {', '.join(map(repr, columns))}"
    # Reversed, so that of two names that differ only in case the first one is chosen.
    by_name = {name.lower(): name for name in reversed(columns)}
    if wanted is not None:
        if wanted.lower() not in by_name:
            raise ValueError(f"no column {wanted!r}{nearest(wanted, columns)}: {present}")
        return wanted if wanted in columns else by_name[wanted.lower()]
    for name in TEXT_COLUMNS:
        if name in by_name:
            return by_name[name]
    if len(columns) > 1:
        raise ValueError(
            f"{present}; choose the one that holds the sentences with column=, as in "
            f"clwork.data.sentences(..., column={columns[-1]!r})"
        )
    # Five words are hardly the name of a column: the file has no header.
    if len(columns[0].split()) > 4:
        raise ValueError(
            f"{where} seems to begin with a sentence ({columns[0][:60]!r}) instead of a column's "
            "name; add a first line `sentence`, or rename the file to .txt"
        )
    return columns[0]


def find_column(columns: Sequence[str], names: Sequence[str], text_column: str) -> str | None:
    """Return the column that has the first possible one of ``names``; None if there is none.

    The column of the sentences is left out.
    """
    by_name = {name.lower(): name for name in reversed(columns) if name != text_column}
    return next((by_name[name] for name in names if name in by_name), None)


def texts_of(cells: Iterable[Any], column: str, where: str) -> list[str]:
    """Return the cells of a text column, stripped; a missing cell (None or NaN) is ``""``.

    ``where`` names the table in errors.
    """
    import pandas as pd

    texts = []
    for cell in cells:
        if isinstance(cell, str):
            texts.append(cell.strip())
        elif pd.api.types.is_scalar(cell) and pd.isna(cell):
            texts.append("")
        else:
            raise ValueError(
                f"{where}: the column {column!r} holds {kind(cell)} ({shown(cell, 40)}), not text; "
                "choose another with column=, as in clwork.data.sentences(..., column=...)"
            )
    return texts


def labels_of(cells: Iterable[Any]) -> list[str | None]:
    """Convert labels to strings, stripped; a missing or empty one is None."""
    labels: list[str | None] = []
    for label in cells:
        # Only NaN does not equal itself.
        if label is None or label != label or label == "":
            labels.append(None)
        # pandas turns a column of integers with missing cells into floats: 1.0 was 1.
        elif isinstance(label, float) and label.is_integer():
            labels.append(str(int(label)))
        else:
            labels.append(str(label).strip())
    return labels


def load_from_hub(
    name: str,
    split: str,
    streaming: bool = False,
    instead: str = f"'wikipedia-mini' or a file ({', '.join(READABLE)})",
) -> Any:
    """Load a split of ``owner/name[:configuration]`` from the hub, or from an earlier download.

    Without a network, ``datasets`` tries again for half a minute before it reads its earlier
    download; with HF_HUB_OFFLINE=1 it reads that at once. ``instead`` is what the error advises.
    """
    import datasets

    repository, _, configuration = name.partition(":")
    try:
        return datasets.load_dataset(
            repository, configuration or None, split=split, streaming=streaming
        )
    except ConnectionError:
        # The hub does not answer, and there is no earlier download.
        raise unreachable(name, instead) from None


def table_of(data: Any) -> pd.DataFrame:
    """Return a ``datasets.Dataset`` as a DataFrame, with class names for class numbers."""
    frame: pd.DataFrame = data.to_pandas()
    for column, feature in data.features.items():
        names = getattr(feature, "names", None)
        if names:
            # -1 marks a row without a class.
            frame[column] = [names[int(code)] if code >= 0 else "" for code in frame[column]]
    return frame
