"""The runs of a folder, each read once: a later look reads only those whose files have changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ..._validation import checked, printable
from ...events import worded
from ..disk.folder import folders
from ..disk.recipe import runs_folder
from ..disk.run_files import POSITIONS, RECIPE, RECORD, STATE
from ..run.start import runs
from .stored import AT_WORK, KILLED, Stored, read_run

MOST_ROWS = 20_000  # of a record that is read beside others
WATCHED = (RECIPE, STATE, RECORD, POSITIONS)  # all other files are replaced whole, which changes the folder's own time

Signature = tuple[object, ...]


@checked()
def stored_runs(folder: str | Path | None = None) -> tuple[list[Stored], list[str]]:
    """List all runs in ``folder`` (default: where runs are kept), oldest first, and a sentence on each damaged one.

    Of a record of more than 20,000 rows an even sample is read, with all rows with events: enough for a picture.
    """
    return RunListing(runs_folder() if folder is None else Path(folder)).look()


class _Entry(NamedTuple):
    """What reading a run's folder gave: the run, or None; and a sentence on its damage, empty where it has none."""

    signature: Signature
    run: Stored | None
    trouble: str


class RunListing:
    """The runs of one folder, for repeated looks; one thread at a time.

    A run is read again only if the size or time of one of its files differs from when it was read, or if it is being
    trained in this kernel. What has not changed is the same object as before.

    Attributes:
        folder: the folder with a folder for each run.
        reads: how many folders were read so far, over all looks.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.reads = folder, 0
        self._entries: dict[Path, _Entry] = {}
        self._live: set[str] = set()

    def look(self, progress: Callable[[int, int], object] | None = None) -> tuple[list[Stored], list[str]]:
        """All runs, oldest first, and a sentence on each damaged one; ``progress`` receives done and total."""
        paths = [path for path in folders(self.folder) if os.path.lexists(path / RECIPE)]
        known, self._entries = self._entries, {}
        self._live = self._names_at_work()
        for place, path in enumerate(paths):
            self._entries[path] = self._entry(path, known.get(path))
            if progress is not None:
                progress(place + 1, len(paths))
        return self._listed()

    def look_at_work(self) -> tuple[list[Stored], list[str]]:
        """As :meth:`look`, but only runs that were at work are looked at; a new folder is not seen."""
        self._live = self._names_at_work()
        for path, entry in list(self._entries.items()):
            if entry.run is not None and entry.run.status in AT_WORK:
                self._entries[path] = self._entry(path, entry)
        return self._listed()

    def _names_at_work(self) -> set[str]:
        """The folders of runs that this kernel trains here; their files are behind them."""
        place = self.folder.resolve()
        return {run.folder.name for run in runs() if run.alive and run.folder.parent == place}

    def _entry(self, path: Path, known: _Entry | None) -> _Entry:
        signature = _signature(path)  # before the files are read: what is written meanwhile is read again
        if known is None or path.name in self._live or known.signature != signature or _writer_changed(known.run):
            self.reads += 1
            return _read(path, signature)
        return known

    def _listed(self) -> tuple[list[Stored], list[str]]:
        opened = [entry.run for entry in self._entries.values() if entry.run is not None]
        trouble = [entry.trouble for entry in self._entries.values() if entry.trouble]
        return sorted(opened, key=lambda run: (run.recipe.created, run.recipe.name)), trouble


def _read(path: Path, signature: Signature) -> _Entry:
    try:
        if printable(str(path)) != str(path):
            raise ValueError("the name of its folder holds what no page can show; rename it")
        run = read_run(path, MOST_ROWS)
        damage = f"{path.name[:100]}: {worded({'damaged': run.damaged})}" if run.damaged else ""
        return _Entry(signature, run, damage)
    except Exception as error:  # one bad folder is one line, whatever is in it
        return _Entry(signature, None, printable(f"{path.name[:100]} cannot be read: {str(error)[:300]}"))


def _signature(path: Path) -> Signature:
    """Sizes, times and identities of a run's files, and the time of its folder; no file is opened."""
    found: list[object] = []
    for part in (path, *(path / name for name in WATCHED)):
        try:
            stat = part.lstat()
            found += [stat.st_ino, stat.st_mtime_ns, None if part is path else stat.st_size]
        except OSError:
            found.append(None)
    return tuple(found)


def _writer_changed(run: Stored | None) -> bool:
    """Whether a run without a written end has got a writer, or lost it, which changes no file."""
    return run is not None and run.status in (*AT_WORK, KILLED) and run.files.busy() != (run.status in AT_WORK)
