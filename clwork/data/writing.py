"""Files that appear whole or not at all: written beside their place, then moved into it."""

from __future__ import annotations

import json
import math
import os
import stat
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

DRAFT = ".partial"  # the end of every name that a file has before it is whole


def to_json(content: Any, **options: Any) -> str:
    """JSON that every reader takes: null where a number is NaN or infinite; ``options`` as of :func:`json.dumps`.

    >>> to_json({"mib": float("nan"), "steps": [1, 2.5]})
    '{"mib": null, "steps": [1, 2.5]}'
    """
    return json.dumps(_finite(content), allow_nan=False, **options)


def _finite(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def write_whole(path: Path, content: str | Callable[[Path], None]) -> None:
    """Replace the file at ``path`` in one step: a reader sees the old one or the new one, never half of one.

    ``content`` is a text, or a function that writes to the path it is given.

    Raises:
        OSError: the disk refused; an older file is then still as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}{DRAFT}")
    try:
        if callable(content):
            content(draft)
        else:
            draft.write_text(content, encoding="utf-8")
        with open(draft, "rb+") as written:
            os.fsync(written.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def is_plain_file(path: Path) -> bool:
    """Whether ``path`` itself is a regular file: no link, no folder, no device, nothing that could block a reader."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def is_plain_folder(path: Path) -> bool:
    """Whether ``path`` itself is a folder, not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False
