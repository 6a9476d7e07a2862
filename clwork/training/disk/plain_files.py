"""Plain files of one folder: whole when they are written, bounded when they are read, and never links."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ... import checks
from ...disk import disk_errors, is_plain_file, is_plain_folder, write_whole
from ...encoders.disk.files import read_json

SMALL, LARGE = 1 << 20, 1 << 31  # bytes that are read at most, of a .json and of any other file of text
LONGEST_LINE = 1 << 24  # bytes of a line


class CutShortError(ValueError):
    """The last line of a file lacks its end: it is being written, or a crash cut it short."""


class PlainFiles:
    """Reading and writing by name in ``path``, which is absolute and resolved when the object is made."""

    def __init__(self, path: str | Path) -> None:
        self.path = checks.path("folder", path).resolve()

    @contextmanager
    def writing(self, needs: int | None = None) -> Iterator[None]:
        """Stand around every change of the folder, of so many bytes where that is known.

        Raises:
            DiskError: the disk refuses.
        """
        with disk_errors(self.path, needs):
            yield

    def has(self, name: str) -> bool:
        """Whether the folder has this plain file."""
        return is_plain_file(self.path / name)

    def has_folder(self, name: str) -> bool:
        """Whether the folder has this plain folder inside."""
        return is_plain_folder(self.path / name)

    def plain(self, name: str, most: int | None = None) -> Path:
        """Path of one of the folder's files, once it is known to be a plain one of at most ``most`` bytes.

        Raises:
            FileNotFoundError: nothing is there, or it is a link, a device or a folder.
            ValueError: it is larger than any of its kind.
        """
        path = self.path / name
        if not is_plain_file(path):
            other = " that is a file of its own: links and devices are not followed" if path.is_symlink() else ""
            raise FileNotFoundError(f"{self.path} has no {name}{other}")
        size = path.stat().st_size
        most = most or (SMALL if name.endswith(".json") else LARGE)
        if size > most:
            raise ValueError(f"{path} has {size:,} bytes; a {name} of clwork has at most {most:,}")
        return path

    def read_json(self, name: str) -> dict[str, Any]:
        """The JSON object in one of the folder's files.

        Raises:
            FileNotFoundError: there is no such plain file.
            ValueError: it is too large or too deep, or no JSON object.
        """
        return read_json(self.plain(name), SMALL)

    def write_json(self, name: str, content: Any) -> None:
        """Replace one of the folder's files."""
        with self.writing():
            write_whole(self.path / name, json.dumps(content, indent=1, allow_nan=False) + "\n")

    def write_lines(self, name: str, rows: Iterable[Any]) -> None:
        """Replace one of the folder's files by a JSON of each row, a line each."""

        def write(draft: Path) -> None:
            with open(draft, "w", encoding="utf-8") as out:
                out.writelines(json.dumps(row, allow_nan=False) + "\n" for row in rows)

        with self.writing():
            write_whole(self.path / name, write)

    def append_line(self, name: str, row: Any) -> None:
        """Add a line to one of the folder's files, which is made where it is missing."""
        if (self.path / name).is_symlink():
            raise OSError(f"{self.path / name} is a link; nothing is written through it")
        line = json.dumps(row, allow_nan=False) + "\n"
        with self.writing(len(line)), open(self.path / name, "a", encoding="utf-8") as out:
            out.write(line)

    def settle(self, name: str) -> None:
        """Wait until the disk holds all that was written to one of the folder's files, if it is there."""
        if self.has(name):
            with self.writing(), open(self.path / name, "rb+") as written:
                os.fsync(written.fileno())

    def lines(self, name: str, most: int | None = None) -> Iterator[Any]:
        """What the lines of one of the folder's files hold, of ``most`` bytes; raises as :meth:`read_json`."""
        for found in self.lines_or_errors(name, most):
            if isinstance(found, ValueError):
                raise found
            yield found

    def count_lines(self, name: str) -> int:
        """How many lines one of the folder's files has, an unfinished last one included."""
        count, last = 0, b"\n"
        with open(self.plain(name), "rb") as file:
            while block := file.read(1 << 20):
                count, last = count + block.count(b"\n"), block[-1:]
        return count + (last != b"\n")

    def lines_or_errors(
        self, name: str, most: int | None = None, wanted: Callable[[int, bytes], bool] | None = None
    ) -> Iterator[Any]:
        """As :meth:`lines`, but for a damaged line its ValueError is yielded, and the lines behind it follow.

        Nothing follows a line of more than LONGEST_LINE bytes. ``wanted`` chooses lines by number and bytes, unparsed.
        """
        path = self.plain(name, most)
        with open(path, "rb") as lines:
            for number, line in enumerate(iter(lambda: lines.readline(LONGEST_LINE + 1), b""), start=1):
                if len(line) > LONGEST_LINE:
                    yield ValueError(f"{path}, line {number} has more than {LONGEST_LINE:,} bytes: it is damaged")
                    return
                if wanted is not None and not wanted(number, line):
                    continue
                try:
                    found = json.loads(line.decode("utf-8"))
                except (ValueError, RecursionError) as error:
                    kind = ValueError if line.endswith(b"\n") else CutShortError
                    found = kind(f"{path}, line {number} is damaged: {str(error)[:200]}")
                yield found
