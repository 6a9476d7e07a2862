"""The few things clwork remembers about its user, in one small JSON file."""

from __future__ import annotations

import json
import os
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from clwork import checks
from clwork.checks import kind, shown
from clwork.disk import home, write_whole

STS_KEY = "sts_folder"


def load() -> dict[str, Any]:
    """The settings as they are on disk; none, with a warning, where the file cannot be read as settings."""
    path = home() / "settings.json"
    if not path.exists():
        return {}
    try:
        if not path.is_file():
            raise ValueError("not a file")  # a pipe would be waited for, for ever
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        warnings.warn(f"the settings in {path} are ignored ({error}); delete the file to begin anew", stacklevel=3)
        return {}
    return stored if isinstance(stored, dict) else {}


def remember_sts(folder: str | os.PathLike[str] | None) -> None:
    """Remember a folder of STS tasks for every later session; ``None`` forgets it.

    Args:
        folder: holds ``<task>/<split or subset>.jsonl``, such as ``stsb/validation.jsonl``.

    Raises:
        TypeError: no name of a folder.
        FileNotFoundError: there is no such folder.
        ValueError: the folder holds no STS task.
        DiskError: the settings cannot be written.
    """
    if folder is not None and not isinstance(folder, str | os.PathLike):
        raise TypeError(f"folder is {kind(folder)} ({shown(folder, 40)}); give its path, or None to forget it")
    settings = load()
    if folder is None:
        settings.pop(STS_KEY, None)
    else:
        from clwork.data.sts import tasks_in

        root = checks.path("folder", folder).resolve()
        tasks_in(root)  # raises where there is nothing to remember
        settings[STS_KEY] = str(root)
    text = json.dumps(settings, indent=2, ensure_ascii=False, allow_nan=False)
    write_whole(home() / "settings.json", text, parents=True)


def sts_folder() -> Path | None:
    """The folder of STS tasks: from the variable ``CLWORK_STS``, else the remembered one, else ``None``."""
    named = os.environ.get("CLWORK_STS")
    told = named or load().get(STS_KEY)
    if not told:
        return None
    folder = Path(str(told))
    with suppress(RuntimeError):  # the home of a user whom this machine does not know
        folder = folder.expanduser()
    if folder.is_dir():
        return folder
    origin = "CLWORK_STS names" if named else "the remembered STS folder is"
    warnings.warn(
        f"{origin} {folder}, which is not a folder (any more); validation on STS is left out. "
        "Name another with clwork.data.remember_sts(folder), or forget it with remember_sts(None)",
        stacklevel=2,
    )
    return None
