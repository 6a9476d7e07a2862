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

DRAFT = ".partial"  # suffix of temporary files, before the atomic rename
REFUSED = {
    *("ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "ENAMETOOLONG"),
    *("ENOLCK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"),  # no file locks
}
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
    settings = os.environ.get("CLWORK_HOME")
    configuration = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    try:
        if settings:
            return Path(settings).expanduser()
        return (Path(configuration) if configuration else Path.home() / ".config") / "clwork"
    except RuntimeError as error:
        raise FileNotFoundError(
            "this user has no home folder for clwork's settings; "
            "set the variable CLWORK_HOME to a folder"
        ) from error


def runs_folder() -> Path:
    """Return the folder of runs: ``CLWORK_RUNS``, or else ``clwork-runs`` where Python runs."""
    return Path(os.environ.get("CLWORK_RUNS") or "clwork-runs")


def package_folder(package: str) -> Path | None:
    """Return the folder of an installed package, which is not imported; None if it is missing."""
    spec = util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


class DiskError(OSError):
    """A file cannot be written, as on a full disk; the message names path, cause and remedy."""


@contextmanager
def disk_errors(place: Path, needs: int | None = None) -> Iterator[None]:
    """Context: errors of a full disk, missing permissions or locks become :class:`DiskError`."""
    try:
        yield
    except DiskError:
        raise
    except OSError as error:
        if error.errno is None or errno.errorcode.get(error.errno) not in REFUSED:
            raise
        cause = os.strerror(error.errno)
        if error.errno == errno.ENOSPC:
            existing = next(path for path in (place, *place.parents) if path.exists())
            wanted = "" if needs is None else f"needs {size(needs)}, "
            cause += f" ({wanted}{size(shutil.disk_usage(existing).free)} left)"
        refusal = DiskError(f"{place} cannot be written: {cause}; {REMEDY}")
        refusal.errno = error.errno
        raise refusal from error
    except SafetensorError as error:  # has no error number
        raise DiskError(f"{place} cannot be written: {error}; {REMEDY}") from error


def size(count: int) -> str:
    return f"{count / 1e6:.3g} MB" if count < 1e9 else f"{count / 1e9:.3g} GB"


def to_json(content: Any, **options: Any) -> str:
    """Serialise to strict JSON, NaN and infinity as null; ``options`` are those of json.dumps."""
    return json.dumps(_finite(content), allow_nan=False, **options)


def _finite(content: Any) -> Any:
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
    """Replace a file in one step, so that a reader sees the old or the new content."""
    if isinstance(content, str):
        data = content.encode("utf-8")
        return write_file(path, lambda draft: draft.write_bytes(data), len(data), parents=parents)
    draft = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}{DRAFT}")
    with disk_errors(path, needs):
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            content(draft)
            with open(draft, "rb+") as written:
                os.fsync(written.fileno())
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
