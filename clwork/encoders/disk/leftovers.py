"""Temporary folders and files beside their place: their names, and what becomes of those that a kill has left."""

from __future__ import annotations

import hashlib
import math
import os
import re
import shutil
import socket
import time
import uuid
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ...disk import is_plain_folder

STALE = 3600.0  # seconds; what writes such a name takes minutes at most
LEFTOVER = re.compile(r"\.(.+)\.(?:([0-9a-f]{4})-(\d{1,9})-)?[0-9a-f]{8}(\.[a-z]+)?")  # NAME, HOST, PROCESS, ENDING
OLD = ".old"  # the ending of an encoder that is being replaced


def _host() -> str:
    """Four hex digits of this machine's name: processes are numbered by each machine for itself."""
    return hashlib.blake2b(socket.gethostname().encode("utf-8", "replace"), digest_size=2).hexdigest()


def own_name(place: Path, ending: str = "") -> Path:
    """A unique name beside ``place``: ``.NAME.HOST-PROCESS-RANDOM``, and the ending."""
    return place.with_name(f".{place.name}.{_host()}-{os.getpid()}-{uuid.uuid4().hex[:8]}{ending}")


def place_of(path: Path, ending: str = "") -> Path | None:
    """The place beside which :func:`own_name` gave this name; None for other names and endings."""
    found = LEFTOVER.fullmatch(path.name)
    return path.with_name(found[1]) if found is not None and (found[4] or "") == ending else None


def abandoned(path: Path, stale: float = STALE) -> bool:
    """Whether the writer of this name is gone.

    Its process belongs to this machine and is gone, or it has not changed for ``stale`` seconds.
    """
    found = LEFTOVER.fullmatch(path.name)
    if found and found[2] == _host() and found[3] and os.name == "posix" and _gone(int(found[3])):
        return True
    times = path.lstat()
    return time.time() - max(times.st_mtime, times.st_ctime) > stale


def _gone(process: int) -> bool:
    try:
        os.kill(process, 0)  # signal 0 asks, and sends nothing
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def remove_stale_temp_dirs(folder: Path, stale: float = STALE) -> None:
    """Remove what killed saves into this place have left beside it.

    Such a leftover has a name of :func:`own_name`, or of the form ``.NAME.xxxxxxxx`` that was used before, and is
    :func:`abandoned`. A save that was killed between its two renames has left the former encoder with the ending
    ``.old``, and nothing in its place: that one is put back, with a warning.
    """
    for path in _beside(folder, OLD):
        if not abandoned(path, stale):
            continue
        if not folder.exists():
            _put_back(path, folder)
        else:
            shutil.rmtree(path, ignore_errors=True)
    for path in _beside(folder):
        if abandoned(path, stale):
            shutil.rmtree(path, ignore_errors=True)


def remove_all_temp_dirs(parent: Path) -> None:
    """Remove all leftovers of saves in ``parent``, however new; the caller knows that no save is in progress there."""
    for place in {place_of(path) or place_of(path, OLD) for path in parent.glob(".*")}:
        if place is not None:
            remove_stale_temp_dirs(place, stale=-math.inf)


def recover(folder: Path) -> None:
    """Put the former encoder back, with a warning, where a save was killed between its two renames.

    Raises:
        FileNotFoundError: there is one beside the missing folder, and it cannot be put back.
    """
    if os.path.lexists(folder) or not os.path.isdir(folder.parent):
        return
    for path in _beside(folder, OLD):
        try:
            if not abandoned(path):
                raise OSError("another process may be saving there now")
            return _put_back(path, folder)
        except OSError as error:
            raise FileNotFoundError(
                f"{folder} is missing: a save that has not ended left the former encoder in {path}, and it is not put "
                f"back ({error}); once no save is going on, rename that folder to {folder.name}"
            ) from error


def _put_back(path: Path, folder: Path) -> None:
    os.rename(path, folder)
    warnings.warn(
        f"a save to {folder} was killed: the encoder that it was to replace is put back from {path.name}", stacklevel=4
    )


def _beside(folder: Path, ending: str = "") -> Iterator[Path]:
    """The folders whose names :func:`own_name` gave for this place, by name; none where the parent cannot be listed."""
    with suppress(PermissionError):
        for name in sorted(os.listdir(folder.parent)):
            if place_of(path := folder.with_name(name), ending) == folder and is_plain_folder(path):
                yield path
