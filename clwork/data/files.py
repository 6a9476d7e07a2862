"""Text files: which are opened, which are refused with which advice, and their lines."""

from __future__ import annotations

import difflib
import gzip
import hashlib
import io
import os
import stat
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from .._validation import shown

READABLE = (".txt", ".csv", ".tsv", ".jsonl", ".parquet")
COMPRESSED = (".txt", ".csv", ".tsv", ".jsonl")
ADVICE = {
    ".pdf": "extract its text first, for instance `pdftotext file.pdf file.txt`",
    ".doc": "save it as plain text (UTF-8)",
    ".docx": "save it as plain text (UTF-8)",
    ".odt": "save it as plain text (UTF-8)",
    ".xls": "save the sheet as CSV",
    ".xlsx": "save the sheet as CSV",
    ".json": "write one JSON object per line and name it .jsonl",
    ".html": "keep its text alone, one sentence per line, as .txt",
    ".md": "keep its text alone, one sentence per line, as .txt",
    ".zip": "unpack it first",
    ".tar": "unpack it first",
    ".pkl": "pickles can run code and are never opened; save it as .parquet or .jsonl",
}
SIGNATURES = {
    b"%PDF": ("a PDF", ADVICE[".pdf"]),
    b"PK\x03\x04": ("a zip archive (as .docx, .xlsx and .zip files are)", "save its text as .txt or its table as .csv"),
    b"\xd0\xcf\x11\xe0": ("an old Word or Excel file", "save it as plain text (UTF-8)"),
    b"PAR1": ("a Parquet table", "give it the ending .parquet"),
    b"\xff\xfe": ("text in UTF-16", "save it as UTF-8"),
    b"\xfe\xff": ("text in UTF-16", "save it as UTF-8"),
    b"version https://git-lfs": ("a Git LFS pointer, not the file itself", "fetch it with `git lfs pull`"),
    b"\x1f\x8b": ("gzip data within gzip data", "unpack it once"),
    b"\xfd7zXZ": ("an xz archive", "unpack it first"),
    b"\x28\xb5\x2f\xfd": ("a Zstandard archive", "unpack it first"),
    b"BZh91AY&SY": ("a bzip2 archive", "unpack it first"),
}
GZIP = b"\x1f\x8b"


def settled(path: Path) -> Path:
    """Make a path absolute and resolve its links.

    A link keeps its own name if its target has another extension or none, as in content-addressed stores.
    """
    whole = path.resolve()
    return whole if extension(whole) == extension(path) else path.parent.resolve() / path.name


def extension(path: Path) -> str:
    """Return the ending that names the format, in lower case, without a final ``.gz``."""
    name = path.name.lower()
    return Path(name.removesuffix(".gz")).suffix


def check_file(path: Path) -> str:
    """Check that ``path`` is a readable file, and return its format.

    Raises:
        FileNotFoundError: nothing is there.
        ValueError: a folder, a device or a pipe, an unknown ending or an empty file.
    """
    check_regular(path, f"name one file in it ({', '.join(READABLE)})")
    kind = extension(path)
    allowed = COMPRESSED if path.name.lower().endswith(".gz") else READABLE
    if kind not in allowed:
        advice = ADVICE.get(kind, "convert it to one of these")
        raise ValueError(f"{path} ends in {kind or 'nothing'!r}; read are {', '.join(allowed)}; {advice}")
    if path.stat().st_size == 0:
        raise ValueError(f"{path} is empty (0 bytes); check how it was written")
    return kind


def check_regular(path: Path, in_folder: str = "name one file in it") -> None:
    """Check that there is a regular file: reading a pipe may block forever, and ``/dev/zero`` never ends.

    Raises:
        FileNotFoundError: nothing is there, or a link that leads nowhere.
        ValueError: a folder, a device, a pipe or a socket, or a name that no file can have.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise FileNotFoundError(f"{path} is a link to {os.readlink(path)}, which is not there; link anew") from None
        raise FileNotFoundError(f"there is no file {path} (looked from {Path.cwd()}){_similar(path)}") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ValueError(f"{shown(str(path), 200)} cannot be looked up ({why}); check its name and its links") from None
    if stat.S_ISDIR(mode):
        raise ValueError(f"{path} is a folder; {in_folder}")
    if not stat.S_ISREG(mode):
        raise ValueError(f"{path} is a pipe, a socket or a device, not a file; copy what it gives into a file")


def _similar(path: Path) -> str:
    try:
        names = os.listdir(path.parent)
    except OSError:
        return f"; there is no folder {path.parent} either"
    close = difflib.get_close_matches(path.name, names, n=3)
    return f"; did you mean {', '.join(close)}?" if close else ""


@contextmanager
def open_text(path: Path, newline: str | None = None, errors: str = "strict") -> Iterator[io.TextIOWrapper]:
    """Open UTF-8 text, plain or gzip; translate errors inside the block into ones that name a remedy.

    Raises:
        FileNotFoundError: it is gone, as between two loops over a stream.
        PermissionError: it may not be read.
        ValueError: not text, not UTF-8 (unless ``errors`` says to replace), or damaged compression.
    """
    try:
        with open(path, "rb") as raw:
            packed = raw.read(2) == GZIP
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is not there any more; put it back, or name another file") from None
    except PermissionError:
        raise PermissionError(f"{path} may not be read by you; change its rights, or copy it") from None
    if not packed and path.name.lower().endswith(".gz"):
        raise ValueError(f"{path} ends in .gz but is not gzip-compressed; give it its true ending")
    try:
        with gzip.open(path, "rb") if packed else open(path, "rb") as stream:
            buffered = io.BufferedReader(cast(io.RawIOBase, stream), 1 << 16)
            skip = _check_head(path, buffered.peek(4096)[:4096])
            buffered.read(skip)
            yield io.TextIOWrapper(cast(BinaryIO, buffered), encoding="utf-8", newline=newline, errors=errors)
    except UnicodeDecodeError as error:
        raise ValueError(_not_utf8(path, error)) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path} is damaged gzip data ({error}); copy or download it again") from None


def _check_head(path: Path, head: bytes) -> int:
    """Refuse what is not text; return the length of a byte order mark to skip."""
    for signature, (what, advice) in SIGNATURES.items():
        if head.startswith(signature):
            raise ValueError(f"{path} holds {what}, not text in UTF-8; {advice}")
    if b"\0" in head:
        raise ValueError(f"{path} holds binary data (a zero byte near its start), not text; save it as UTF-8 text")
    return 3 if head.startswith(b"\xef\xbb\xbf") else 0


def _not_utf8(path: Path, error: UnicodeDecodeError) -> str:
    around = error.object[max(0, error.start - 12) : error.start + 12].decode("latin-1")
    return (
        f"{path} is not UTF-8: byte 0x{error.object[error.start]:02x} near {around!r}. It is probably Latin-1 or "
        "Windows-1252; convert it with `iconv -f WINDOWS-1252 -t UTF-8 old.txt > new.txt`"
    )


def lines(path: Path) -> Iterator[str]:
    """Yield the non-blank lines of a text file, stripped."""
    with open_text(path) as text:
        for number, line in enumerate(text, start=1):
            if line := line.strip():
                if "\0" in line:
                    raise ValueError(_binary(path, f"line {number}"))
                yield line


def read_lines(path: Path) -> list[str]:
    """Return all of :func:`lines` at once, without the cost of a generator: 400,000 lines a second.

    Raises:
        ValueError: there is none, or one holds binary data.
    """
    with open_text(path) as text:
        stripped = [line for line in map(str.strip, text) if line]
    if not stripped:
        raise ValueError(f"{path} holds no sentence, only blank lines; a .txt file has one sentence per line")
    if (place := next((i for i, line in enumerate(stripped, start=1) if "\0" in line), None)) is not None:
        raise ValueError(_binary(path, f"sentence {place}"))
    return stripped


def _binary(path: Path, where: str) -> str:
    return f"{path} holds binary data (a zero byte in its {where}), not text; save it as UTF-8 text"


BLOCK, BLOCKS = 1 << 16, 64


def fingerprint(path: Path, *more: str | None) -> str:
    """Hash a file's size and bytes (of more than 4 MiB: 64 blocks spread evenly) and ``more`` to 32 hex digits."""
    size = path.stat().st_size
    digest = hashlib.blake2b(repr((size, more)).encode("utf-8", "surrogatepass"), digest_size=16)
    with open(path, "rb") as file:
        for number in range(BLOCKS):
            file.seek(number * BLOCK if size <= BLOCK * BLOCKS else number * (size - BLOCK) // (BLOCKS - 1))
            digest.update(file.read(BLOCK))
    return digest.hexdigest()


def task_folders(root: Path, known: Iterable[str], kind: str, layout: str) -> list[str]:
    """List the ``known`` tasks that a folder holds, in their order; ``kind`` and ``layout`` are for the errors.

    Raises:
        FileNotFoundError: there is no such folder.
        ValueError: it holds none.
    """
    if root.exists() and not root.is_dir():
        raise FileNotFoundError(f"{root} is a file; name the folder that holds {layout}")
    if not root.is_dir():
        raise FileNotFoundError(f"there is no folder {root}; name one that holds {layout}")
    names = list(known)
    present = [task for task in names if any((root / task).glob("*.jsonl"))]
    if not present:
        inside = ", ".join(sorted(p.name for p in root.iterdir())[:8]) or "nothing"
        outer = f"; name the folder around it, {root.parent}" if root.name in names else ""
        raise ValueError(
            f"{root} holds no {kind} task but {inside}; a task is a folder ({', '.join(names)}) of .jsonl files{outer}"
        )
    return present
