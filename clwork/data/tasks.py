"""Folders of tasks, each task a folder of .jsonl files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def task_folders(root: Path, known: Iterable[str], kind: str, layout: str) -> list[str]:
    """Those of the ``known`` tasks that a folder holds, in their order; ``kind`` and ``layout`` are for the errors.

    Raises:
        FileNotFoundError: there is no such folder.
        ValueError: it holds none.
    """
    if root.exists() and not root.is_dir():
        raise FileNotFoundError(f"{root} is a file; name the folder that holds {layout}")
    if not root.is_dir():
        raise FileNotFoundError(f"there is no folder {root}; name one that holds {layout}")
    names = list(known)
    found = [task for task in names if any((root / task).glob("*.jsonl"))]
    if not found:
        inside = ", ".join(sorted(p.name for p in root.iterdir())[:8]) or "nothing"
        outer = f"; name the folder around it, {root.parent}" if root.name in names else ""
        raise ValueError(
            f"{root} holds no {kind} task but {inside}; a task is a folder ({', '.join(names)}) of .jsonl files{outer}"
        )
    return found
