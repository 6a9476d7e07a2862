"""Files of a model, on the hub or in a folder of unknown origin: regular, inside it, of bounded size, never run."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from ... import _validation
from ... import hub as hub_client
from .leftovers import recover
from .strong import INSTALL, REPOSITORY, STRONG, check_weights, strong_folder

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
JSON_BYTES = 16 << 20  # the largest config.json or index of shards that is read; real ones are below one megabyte
JSON_DEPTH = 32
DIGITS = 40  # of one number; a tokenizer without a limit writes 1e30 in full
COPY = "if you trust it, copy the file itself into the folder (`cp -L`)"
MINI = Path(__file__).parents[1] / "mini"
SUBFOLDERS = ("1_Pooling", "additional_chat_templates")  # of which files are read
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.pth", "model.bin", "model.ckpt")
REMEDY = 'the bundled encoder, load_encoder("mini"), or the path of a folder that holds the model'


class Source:
    """A model's files by name, from a local folder or the hub: regular files alone, inside the folder alone.

    Every entry of a folder is checked before one is opened. Files of a hub name come from the hub's client, whose
    cache consists of links; these are followed. The strong encoder's name, unless a folder here is called so, stands
    for its package, or where that is not installed for its repository on the hub, with the published weights alone.

    Attributes:
        where: the folder's path or hub name, for ``transformers``.
        folder: the local folder, None for a hub model.
        strong: whether it is the strong encoder, asked for by its name.
        offline: whether only the local cache may be used.

    Raises:
        TypeError: the name is neither text nor a path.
        FileNotFoundError: the name is a path and nothing is there.
        ConnectionError: it is a hub name, the hub cannot be reached, and no copy is in the cache.
        ValueError: the hub has no such model, it has no safetensors weights, or a file of the folder is a link out of
            it or no regular file.
    """

    def __init__(self, name: str | Path) -> None:
        self.name = _check_name(name)
        path = MINI if self.name == "mini" else _validation.path("name", name)
        recover(path)
        self.folder = path if path.is_dir() else None
        self.strong = self.name == STRONG and self.folder is None
        if self.strong:
            self.folder = strong_folder()
        self.offline = False
        if self.folder is None:
            if self.name == "mini" or isinstance(name, Path) or not _looks_like_hub(self.name):
                seen = "a file" if path.exists() else "a link that leads nowhere" if path.is_symlink() else ""
                fault = f"{path} is {seen}, no folder" if seen else f"there is no folder {path}"
                raise FileNotFoundError(f"{fault}; give a folder, a hub name, or 'mini'")
            self.offline = not hub_client.reachable()
        else:
            survey(self.folder, SUBFOLDERS)
        self.where = str(self.folder or (REPOSITORY if self.strong else self.name))
        if self.file("config.json") is None:
            self._refuse_without_config()
        self._require_safetensors()
        if self.strong and (weights := self.file(WEIGHTS)) is not None:
            check_weights(weights)

    @property
    def _remedy(self) -> str:
        return f"its package (`{INSTALL}`, 83 MB), or {REMEDY}" if self.strong else REMEDY

    def file(self, name: str) -> Path | None:
        """Return the local path of a file of the model, fetched if necessary; None if there is none."""
        if self.folder is not None:
            return inside(self.folder, name)
        try:
            path = hub_client.file_of(self.where, name, self._remedy, offline=self.offline)
        except hub_client.RefusedError as error:
            raise ValueError(f"{error}; use {self._remedy}") from error
        if path is None:
            return None
        if not path.is_file():
            refuse(path, "is no regular file", "delete this model from the hub's cache and fetch it again")
        return path.resolve()

    def json(self, name: str) -> dict[str, Any]:
        """Read one of the model's JSON files; empty if there is none."""
        path = self.file(name)
        return {} if path is None else read_json(path)

    def _refuse_without_config(self) -> None:
        if self.offline:
            raise hub_client.unreachable(self.name, self._remedy)
        seen = sorted(p.name for p in self.folder.iterdir())[:5] if self.folder else []
        raise ValueError(f"{self.where} is not a model: it has no config.json (it has: {', '.join(seen) or 'nothing'})")

    def _require_safetensors(self) -> None:
        if any(self.file(name) is not None for name in (WEIGHTS, INDEX)):
            return
        pickles = [name for name in PICKLES if self.folder is not None and (self.folder / name).exists()]
        seen = f"only pickled weights ({', '.join(pickles)})" if pickles else "no model.safetensors"
        if self.offline:
            seen += " in this machine's cache, and the hub cannot be reached"
        raise ValueError(
            f"{self.where} has {seen}. clwork loads safetensors alone, for unpickling can run any code. If you trust "
            "where the model comes from, load it with transformers and save it again with save_pretrained(folder)"
        )


def _check_name(name: str | Path) -> str:
    if not isinstance(name, str | os.PathLike):
        raise TypeError(f"an encoder's name is text or a path, got {name!r:.60} ({type(name).__name__}); use {REMEDY}")
    if not str(name).strip() or "\0" in str(name):
        raise ValueError(f"{str(name)!r:.60} is no name of an encoder; use {REMEDY}")
    return str(name)


def _looks_like_hub(name: str) -> bool:
    """Whether it is ``name`` or ``owner/name`` in the hub's alphabet."""
    return re.fullmatch(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?", name) is not None


def inside(folder: Path, name: str) -> Path | None:
    """Resolve the regular file ``name`` of a folder; None if there is nothing.

    A link may lead to another file of the folder. In a snapshot folder of the hub's cache, whose files are links, it
    may lead to the cache's own blobs as well.

    Raises:
        ValueError: a link that leaves the folder, is broken or circular; no regular file (a FIFO, a device).
    """
    path = folder / name
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # a circular link on the way, a name that is too long
        refuse(path, f"cannot be looked at ({error.strerror})", "remove it, or take the folder from its source again")
    try:
        target = path.resolve(strict=True)
        mode = target.stat().st_mode
    except (OSError, RuntimeError):  # Python 3.11 and 3.12 raise RuntimeError for circular links
        refuse(path, "is a link that leads nowhere or in a circle", "remove it, or put the file itself in its place")
    if not any(target.is_relative_to(root) for root in _roots(folder)):
        refuse(path, f"is a link that leads out of its folder, to {target}", COPY)
    if stat.S_ISDIR(mode):
        refuse(path, "is a folder where a file should be", "put the file in its place")
    if not stat.S_ISREG(mode):
        refuse(path, "is no regular file but a FIFO, a socket or a device", "remove it, or put a file in its place")
    return target


def _roots(folder: Path) -> list[Path]:
    """List where a folder's files may be: in it and, for a snapshot of the hub's cache, among the model's blobs."""
    real = folder.resolve()
    if real.parent.name == "snapshots" and real.parent.parent.name.startswith("models--"):
        return [real, real.parent.parent / "blobs"]
    return [real]


def survey(folder: Path, subfolders: Iterable[str] = ()) -> None:
    """Check every entry of a folder before another library opens one by name.

    Of the folders inside, only ``subfolders`` are checked.

    Raises:
        ValueError: what :func:`inside` raises, for any entry.
    """
    for place in (folder, *(folder / name for name in subfolders)):
        if place != folder and (place.is_symlink() or not place.is_dir()):
            inside(folder, place.name)  # a link or a file in a subfolder's place is refused; nothing at all is fine
            continue
        for entry in sorted(os.scandir(place), key=lambda entry: entry.name):
            if not os.path.isdir(entry.path):  # unlike entry.is_dir(), accepts circular links
                inside(folder, str(Path(entry.path).relative_to(folder)))


def read_bytes(path: Path, most: int) -> bytes:
    """Read a regular file; a link or FIFO that replaced it meanwhile is not opened.

    Raises:
        ValueError: it is larger than ``most`` bytes, or cannot be read.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                refuse(path, "is no regular file", "put a file in its place")
            content = file.read(most + 1)
    except OSError as error:
        refuse(path, f"cannot be read ({error.strerror})", "check who may read it")
    if len(content) > most:
        refuse(path, f"holds more than {most:,} bytes, the most that is read of it", "take the file from its source")
    return content


def read_json(path: Path, most: int = JSON_BYTES) -> dict[str, Any]:
    """Read a JSON object of bounded size and depth, with finite numbers.

    Raises:
        ValueError: the file holds none.
    """
    content = read_bytes(path, most)
    try:
        value = json.loads(content.decode("utf-8"), parse_int=_whole, parse_constant=_no_number)
    except RecursionError:
        _damaged(path, f"brackets nested deeper than {JSON_DEPTH}")
    except ValueError as error:  # also a UnicodeDecodeError
        _damaged(path, str(error))
    if not isinstance(value, dict):
        _damaged(path, f"it holds a {type(value).__name__}, not an object in braces")
    if _deeper(value, JSON_DEPTH):
        _damaged(path, f"brackets nested deeper than {JSON_DEPTH}")
    return dict(value)


def _whole(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} where a number should be")


def _deeper(value: object, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [inner for outer in layer for inner in _children(outer)]
        if not layer:
            return False
    return True


def _children(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _damaged(path: Path, why: str) -> NoReturn:
    refuse(path, f"is damaged JSON ({why[:200]})", "take the file from its source again")


def refuse(path: Path, why: str, remedy: str) -> NoReturn:
    """Refuse a file: raise its error.

    Raises:
        ValueError: always.
    """
    raise ValueError(f"{path} {why}; {remedy}") from None
