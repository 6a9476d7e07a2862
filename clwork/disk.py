"""clwork's own folders, atomic file writes, and readable errors of the file system."""

from __future__ import annotations

import errno
import json
import math
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

# Ending of the name of a temporary file, which becomes the file when it is complete.
DRAFT = ".partial"
# Error numbers of a full disk, of missing permissions, and of a file system without locks. Windows
# lacks some of them.
DISK_IS_FULL = ("ENOSPC", "EDQUOT", "EFBIG")
NOT_PERMITTED = ("EROFS", "EACCES", "EPERM", "ENAMETOOLONG")
NO_LOCKS = ("ENOLCK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP")
REFUSED = {*DISK_IS_FULL, *NOT_PERMITTED, *NO_LOCKS}
REMEDY = (
    "free space, change permissions, or choose another folder: folder=…, or the variables "
    "CLWORK_RUNS and CLWORK_HOME"
)


def home() -> Path:
    """Return the folder of the settings.

    It is ``CLWORK_HOME``, or else ``clwork`` in the user's configuration folder.

    Raises:
        FileNotFoundError: there is no home folder, as in a container whose user has no name.
    """
    chosen = os.environ.get("CLWORK_HOME")
    configuration = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    try:
        if chosen:
            return Path(chosen).expanduser()
        if configuration:
            return Path(configuration) / "clwork"
        return Path.home() / ".config" / "clwork"
    except RuntimeError as error:
        raise FileNotFoundError(
            "this user has no home folder for clwork's settings; "
            "set the variable CLWORK_HOME to a folder"
        ) from error


def runs_folder() -> Path:
    """Return the folder of runs: ``CLWORK_RUNS``, or else ``clwork-runs`` in the working folder."""
    return Path(os.environ.get("CLWORK_RUNS") or "clwork-runs")


def package_folder(package: str) -> Path | None:
    """Return the folder of an installed package without importing it; None if it is missing."""
    spec = util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


class DiskError(OSError):
    """A file cannot be written, as on a full disk; the message names path, cause and remedy."""


@contextmanager
def disk_errors(path: Path, needs: int | None = None) -> Iterator[None]:
    """Context: errors of a full disk, missing permissions or locks become :class:`DiskError`.

    ``path`` is the file or folder that is written, and ``needs`` its number of bytes, if known.
    Other errors are raised unchanged.
    """
    try:
        yield
    except DiskError:
        # Of an inner context, which named its own path.
        raise
    except OSError as error:
        if error.errno is None or errno.errorcode.get(error.errno) not in REFUSED:
            raise
        cause = os.strerror(error.errno)
        if error.errno == errno.ENOSPC:
            existing = next(folder for folder in (path, *path.parents) if folder.exists())
            free = size(shutil.disk_usage(existing).free)
            cause += f" ({free} left)" if needs is None else f" (needs {size(needs)}, {free} left)"
        disk_error = DiskError(f"{path} cannot be written: {cause}; {REMEDY}")
        disk_error.errno = error.errno
        raise disk_error from error
    except SafetensorError as error:
        # safetensors raises it for every error while it writes; it has no error number.
        raise DiskError(f"{path} cannot be written: {error}; {REMEDY}") from error


def size(count: int) -> str:
    """Format a number of bytes."""
    return f"{count / 1e6:.3g} MB" if count < 1e9 else f"{count / 1e9:.3g} GB"


def to_json(content: Any, **options: Any) -> str:
    """Serialise to JSON; NaN and infinity, which JSON lacks, become null.

    ``options`` are those of :func:`json.dumps`.

    >>> to_json({"loss": float("nan")})
    '{"loss": null}'
    """
    return json.dumps(_finite(content), allow_nan=False, **options)


def _finite(content: Any) -> Any:
    """Replace floats that are not finite, at any depth, by None."""
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def write_file(
    path: Path,
    content: str | Callable[[Path], object],
    needs: int | None = None,
    *,
    parents: bool = False,
) -> None:
    """Replace a file in one step, so that a reader sees the old or the new content.

    Args:
        path: the file.
        content: its text, or a function that writes the content to a path.
        needs: number of bytes, for the message of an error.
        parents: whether to make missing folders.

    Raises:
        DiskError: the file cannot be written; the old one is unchanged.
    """
    if isinstance(content, str):
        data = content.encode("utf-8")
        return write_file(path, lambda draft: draft.write_bytes(data), len(data), parents=parents)
    # A name of its own, since two processes may write the same file.
    draft = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}{DRAFT}")
    with disk_errors(path, needs):
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            content(draft)
            # On the disk before the renaming: after a power failure, the file is complete.
            with open(draft, "rb+") as written:
                os.fsync(written.fileno())
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
