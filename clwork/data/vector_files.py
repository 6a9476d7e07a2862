"""Files of word vectors, text and binary, held to what their first line promises."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO, TypeAlias

import numpy as np
import numpy.typing as npt

from clwork.checks import shown
from clwork.data.files import open_text
from clwork.wording import plural

Table: TypeAlias = npt.NDArray[np.float32]
BROKEN_SHARE = 0.01  # of words that are no UTF-8; older tools cut some letters in two, another encoding breaks far more
LONGEST_WORD = 1000  # bytes
REMEDY = "copy or download it again"


def read_text(path: Path, limit: int) -> tuple[list[str], Table]:
    """``word number number ...`` a line, below a line ``count width`` or not; at most ``limit`` of them.

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
        found = [_line(path, number, line, width, bool(promised)) for number, line in islice(numbered, wanted)]
        goes_on = limit > wanted and next(numbered, None) is not None
        if promised and (goes_on or len(found) < wanted):
            what = "goes on after them" if goes_on else f"ends after {len(found)}"
            raise ValueError(f"{path} promises {plural(promised[0], 'word')} in its first line, and {what}; {REMEDY}")
    return _checked(path, [word for word, _ in found], [row for _, row in found])


def _promised(header: Sequence[str]) -> tuple[int, int] | None:
    """``count width`` of a first line that says so."""
    numbers = len(header) == 2 and all(part.isascii() and part.isdigit() and len(part) < 19 for part in header)
    return (int(header[0]), int(header[1])) if numbers else None


def _line(path: Path, number: int, line: str, width: int, promised: bool) -> tuple[str, Table]:
    """The word and the numbers of a line; from the right, for GloVe 840B has words with blanks."""
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
    """Word2vec's format: ``count width`` and a line's end, then for each word its bytes, a blank, float32 numbers.

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
