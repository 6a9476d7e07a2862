"""Temporary folders and files beside their destination: their names, and the removal of those that a kill has left."""

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

STALE = 3600.0  # seconds; writing one takes minutes at most
LEFTOVER = re.compile(r"\.(.+)\.(?:([0-9a-f]{4})-(\d{1,9})-)?[0-9a-f]{8}(\.[a-z]+)?")  # NAME, HOST, PROCESS, ENDING
OLD = ".old"  # the ending of an encoder that is being replaced


def _host() -> str:
    """Hash this machine's name to four hex digits: process numbers are unique per machine."""
    return hashlib.blake2b(socket.gethostname().encode("utf-8", "replace"), digest_size=2).hexdigest()


def own_name(place: Path, ending: str = "") -> Path:
    """Make a unique name beside ``place``: ``.NAME.HOST-PROCESS-RANDOM`` and the ending."""
    return place.with_name(f".{place.name}.{_host()}-{os.getpid()}-{uuid.uuid4().hex[:8]}{ending}")


def place_of(path: Path, ending: str = "") -> Path | None:
    """Return the place for which :func:`own_name` made this name; None for other names and endings."""
    match = LEFTOVER.fullmatch(path.name)
    return path.with_name(match[1]) if match is not None and (match[4] or "") == ending else None


def abandoned(path: Path, stale: float = STALE) -> bool:
    """Whether the writer is gone: a process of this machine that ended, or no change for ``stale`` seconds."""
    match = LEFTOVER.fullmatch(path.name)
    if match and match[2] == _host() and match[3] and os.name == "posix" and _gone(int(match[3])):
        return True
    times = path.lstat()
    return time.time() - max(times.st_mtime, times.st_ctime) > stale


def _gone(process: int) -> bool:
    try:
        os.kill(process, 0)  # signal 0 only checks
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def remove_stale_temp_dirs(folder: Path, stale: float = STALE) -> None:
    """Remove the leftovers of killed saves beside this place.

    A leftover has a name of :func:`own_name`, or of the earlier form ``.NAME.xxxxxxxx``, and is :func:`abandoned`. A
    save killed between its two renames leaves the former encoder with the ending ``.old`` and nothing in its place:
    that one is restored, with a warning.
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
    """Remove all leftovers of saves in ``parent``, however new; no save may be in progress there."""
    for place in {place_of(path) or place_of(path, OLD) for path in parent.glob(".*")}:
        if place is not None:
            remove_stale_temp_dirs(place, stale=-math.inf)


def recover(folder: Path) -> None:
    """Restore the former encoder, with a warning, after a save that was killed between its two renames.

    Raises:
        FileNotFoundError: there is one beside the missing folder, and it cannot be restored.
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
    """Yield the temporary folders of this place by name; none if the parent cannot be listed."""
    with suppress(PermissionError):
        for name in sorted(os.listdir(folder.parent)):
            if place_of(path := folder.with_name(name), ending) == folder and is_plain_folder(path):
                yield path
