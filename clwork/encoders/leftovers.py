"""Temporary folders beside an encoder's place: their names, and what becomes of those that a killed save has left."""

from __future__ import annotations

import hashlib
import math
import os
import re
import shutil
import socket
import time
import uuid
from pathlib import Path

STALE = 3600.0  # seconds; a save takes minutes at most
LEFTOVER = re.compile(r"\.(.+)\.(?:([0-9a-f]{4})-(\d{1,9})-)?[0-9a-f]{8}(\.old)?")  # NAME, HOST, PROCESS


def _host() -> str:
    """Four hex digits of this machine's name: processes are numbered by each machine for itself."""
    return hashlib.blake2b(socket.gethostname().encode("utf-8", "replace"), digest_size=2).hexdigest()


def own_name(folder: Path) -> Path:
    """A name beside ``folder`` that nobody has: ``.NAME.HOST-PROCESS-RANDOM``."""
    return folder.with_name(f".{folder.name}.{_host()}-{os.getpid()}-{uuid.uuid4().hex[:8]}")


def sweep(folder: Path, stale: float = STALE) -> None:
    """Remove what saves into this place have left behind when they were killed.

    Such a leftover has a name of :func:`own_name`, or of the form ``.NAME.xxxxxxxx`` that was used before, and
    belongs to a process of this machine that is gone, or has not changed for ``stale`` seconds. A save that was
    killed between its two renames has left the former encoder as ``.old``, and nothing in its place: that one is put
    back.
    """
    for entry in sorted(os.scandir(folder.parent), key=lambda entry: entry.name):
        found = LEFTOVER.fullmatch(entry.name)
        if found is None or found[1] != folder.name or not entry.is_dir(follow_symlinks=False):
            continue
        if not _abandoned(entry, found[2], found[3], stale):
            continue
        if found[4] and not folder.exists():
            os.rename(entry.path, folder)
        else:
            shutil.rmtree(entry.path, ignore_errors=True)


def sweep_all(parent: Path) -> None:
    """:func:`sweep` for every place in ``parent``, at once: for whoever knows that nobody saves there now."""
    for name in {found[1] for path in parent.glob(".*") if (found := LEFTOVER.fullmatch(path.name))}:
        sweep(parent / name, stale=-math.inf)


def _abandoned(entry: os.DirEntry[str], host: str | None, process: str | None, stale: float) -> bool:
    if host == _host() and process is not None and os.name == "posix" and _gone(int(process)):
        return True
    times = entry.stat(follow_symlinks=False)
    return time.time() - max(times.st_mtime, times.st_ctime) > stale


def _gone(process: int) -> bool:
    try:
        os.kill(process, 0)  # signal 0 asks, and sends nothing
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
