"""clwork's own folders, and files that are replaced in one step."""

from __future__ import annotations

import json
import math
import os
import uuid
from collections.abc import Callable, Mapping
from importlib import util
from pathlib import Path
from typing import Any

# Ending of the name of a temporary file, which becomes the file when it is complete.
DRAFT = ".partial"


def home() -> Path:
    """Return the folder of the settings: ``CLWORK_HOME``, or else ``~/.config/clwork``."""
    return Path(os.path.expanduser(os.environ.get("CLWORK_HOME") or "~/.config/clwork"))


def runs_folder() -> Path:
    """Return the folder of runs: ``CLWORK_RUNS``, or else ``clwork-runs`` in the working folder."""
    return Path(os.environ.get("CLWORK_RUNS") or "clwork-runs")


def package_folder(package: str) -> Path | None:
    """Return the folder of an installed package without importing it; None if it is missing."""
    spec = util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def to_json(content: Any, **options: Any) -> str:
    """Serialise to JSON; NaN and infinity, which JSON lacks, become null.

    ``options`` are those of :func:`json.dumps`.

    >>> to_json({"loss": float("nan")})
    '{"loss": null}'
    """
    return json.dumps(with_leaves(content, _finite), allow_nan=False, **options)


def _finite(value: Any) -> Any:
    """Replace a float that is not finite by None."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def with_leaves(content: Any, change: Callable[[Any], Any]) -> Any:
    """Return ``content`` with the result of ``change`` for each value in it that is no container.

    >>> with_leaves({"losses": (1, [2, 3])}, str)
    {'losses': ['1', ['2', '3']]}
    """
    if isinstance(content, Mapping):
        return {name: with_leaves(part, change) for name, part in content.items()}
    if isinstance(content, list | tuple):
        return [with_leaves(part, change) for part in content]
    return change(content)


def write_file(path: Path, content: str | Callable[[Path], object]) -> None:
    """Replace a file in one step, so that a reader sees the old or the new content.

    Args:
        path: the file.
        content: its text, or a function that writes the content to a path.

    Raises:
        OSError: the file cannot be written; the old one is unchanged.
    """
    # A name of its own, since two processes may write the same file.
    draft = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}{DRAFT}")
    try:
        if isinstance(content, str):
            draft.write_text(content, encoding="utf-8", newline="\n")
        else:
            content(draft)
        # On the disk before the renaming: after a power failure, the file is complete.
        sync(draft)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Make the system write a file to the disk, so that it survives a power failure."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
