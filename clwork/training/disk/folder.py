"""The folder of a run: its files, their copies, their removal, and where a new one is made."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import socket
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ... import _validation
from ..._validation import kind, shown
from ...disk import DRAFT, disk_errors, is_plain_file, is_plain_folder, runs_folder
from ...encoders.disk.leftovers import abandoned, own_name, place_of, remove_all_temp_dirs
from ...encoders.disk.saving import META, read_note
from .checkpoints import Checkpoints, SavedEncoders
from .locked_folder import BusyRunError, LockedFolder
from .run_files import LOCK, RECIPE, STATE, row_of
from .schema import State, parse

TENSORS_DRAFT = re.compile(r"\.tmp[A-Za-z0-9]{6}")  # what safetensors writes to before it has the name it was asked for
MAKING = "making"  # marker file, named by ``own_name``, in a run's folder while it is being created
DELETED = ".deleted"  # suffix of a folder, named by ``own_name``, whose run is being deleted
MOST_FILES = 30_000  # in a run's folder, its encoders' included
MOST_OF_NAME = 200  # bytes of it, so that drafts beside it can be named after it
NAME = r"[\w][\w.+-]*"  # what a run's folder may be called


class Deleted(NamedTuple):
    """What a deletion did: bytes that are free now, and the names of what is not clwork's and was left."""

    bytes: int
    left: list[str]


class RunFolder(LockedFolder):
    """A run's files, listed in :data:`.FILES`.

    Only these and what ``encoders.keep`` was asked to keep are ever read or copied, only where they are plain files
    and folders inside this one: a link is treated as absent.

    Attributes:
        path: absolute, and resolved when the object is made, so that a later change of directory does not matter.
        checkpoints: those in the folder.
        encoders: those in the folder.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self.checkpoints = Checkpoints(self)
        self.encoders = SavedEncoders(self, self.checkpoints)

    def __repr__(self) -> str:
        return f"RunFolder({str(self.path)!r})"

    @staticmethod
    @contextmanager
    def new(method: str, name: str | None, folder: str | Path | None) -> Iterator[RunFolder]:
        """Make the folder of a new run, locked, to be filled in the block; where that fails nothing of it stays.

        If the process is killed in the block, the next creation or deletion of a run there cleans up.

        Raises:
            TypeError, ValueError: the name or the folder is none.
            FileExistsError: the folder is not empty, or a file.
            DiskError: the disk refuses.
        """
        if name is not None:
            run_name("name", name)
        place = (runs_folder() / (name or method) if folder is None else run_place(folder)).absolute()
        sweep_runs(place.parent, None if folder is None else place.name)
        with disk_errors(place):
            made = _next_free(place) if folder is None and name is None else _empty(place)
            (mark := own_name(made / MAKING)).touch()
        fresh = RunFolder(made)
        try:
            fresh.lock()
            yield fresh
            mark.unlink()
        except BaseException:
            with suppress(OSError):  # the first error is the one to raise
                fresh.remove()
            fresh.unlock()
            raise

    # --- one writer at a time ---------------------------------------------------------------------------------

    def lock(self) -> None:
        """Become the only writer, see :meth:`.LockedFolder.lock`, and remove drafts of a killed one."""
        super().lock()
        self._tidy()

    def _tidy(self) -> None:
        """Remove drafts; the lock is held, so no writer is active."""
        for left in self.path.iterdir():
            draft = left.name.startswith(".") and left.name.endswith(DRAFT)
            made = place_of(left) == self.path / MAKING and self.has(RECIPE)  # killed after writing the recipe
            if draft or made or TENSORS_DRAFT.fullmatch(left.name):
                left.unlink(missing_ok=True)
        remove_all_temp_dirs(self.path)

    def writer(self) -> str:
        """The present or last writer, in words."""
        state = self.state()
        if state is None:
            return super().writer()
        if state.process == os.getpid() and state.host == socket.gethostname():
            return "this kernel (clwork.runs() finds the run)"
        return f"process {state.process} on {state.host}"

    # --- its status -------------------------------------------------------------------------------------------

    def state(self) -> State | None:
        """Read the run's status as last written; None for runs from before it was stored, or where damaged."""
        try:
            return parse(State, self.read_json(STATE), self.path / STATE)
        except (FileNotFoundError, ValueError):
            return None

    def write_state(self, status: str, step: int, error: str | None = None) -> None:
        """Write the run's status, with this process and host."""
        about = {"process": os.getpid(), "host": socket.gethostname()}
        self.write_json(STATE, {"status": status, "step": step, "error": error, **about})

    # --- the whole --------------------------------------------------------------------------------------------

    def check_count(self) -> None:
        """Refuse a folder of so many files that listing them would take long.

        Raises:
            ValueError: there are more than MOST_FILES.
        """
        if next(islice(_entries(self.path, levels=3), MOST_FILES, None), None) is not None:
            raise ValueError(
                f"{self.path} holds more than {MOST_FILES:,} files, the most that are looked at in a run's folder"
            )

    def files(self) -> Iterator[Path]:
        """Every plain file of the run, relative to the folder, without the lock and drafts."""
        for top in sorted(self.path.iterdir()):
            if is_plain_file(top) and top.name != LOCK and not top.name.startswith("."):
                yield top.relative_to(self.path)
            elif is_plain_folder(top) and not top.name.startswith("."):  # an encoder: it has folders of one more level
                inner = [top, *(part for part in sorted(top.iterdir()) if is_plain_folder(part))]
                yield from (
                    p.relative_to(self.path) for part in inner for p in sorted(part.iterdir()) if is_plain_file(p)
                )

    def size(self) -> int:
        """Bytes on disk; a checkpoint that is both kept and the newest counts once."""
        sizes = {stat.st_ino: stat.st_size for stat in ((self.path / name).lstat() for name in self.files())}
        return sum(sizes.values())

    def made_by_method(self) -> list[str]:
        """The encoders that :meth:`.SavedEncoders.keep` made for the method, by folder."""
        tops = {name.parts[0] for name in self.files() if len(name.parts) > 1}
        return sorted(top for top in tops if row_of(top) is None)

    def copy_parts(self, target: RunFolder, tops: Container[str] | None = None) -> None:
        """Copy these files and folders, or all; only plain ones that are there.

        Raises:
            FileNotFoundError: this run was deleted or renamed.
        """
        self.check_there()
        with target.writing(self.size() if tops is None else None):
            for name in sorted(self.files(), key=lambda name: name.name != META):  # notes first
                if tops is None or name.parts[0] in tops:
                    (target.path / name).parent.mkdir(parents=True, exist_ok=True)
                    try:
                        shutil.copyfile(self.path / name, target.path / name, follow_symlinks=False)
                    except FileNotFoundError:
                        self.check_there()
                        raise
        self.check_there()  # a folder deleted meanwhile lists as empty first

    def copy_to(self, target: Path, status: str) -> None:
        """Copy every plain file to an empty or missing folder, and write ``status`` there.

        Raises:
            FileExistsError: the target holds something.
            FileNotFoundError: this run was deleted or renamed.
            DiskError: the disk refuses.
        """
        state = self.state()
        with RunFolder.new("", None, target) as copy:
            self.copy_parts(copy)
            copy.write_state(status, state.step if state else 0, state.error if state else None)
        copy.unlock()

    def remove(self) -> Deleted:
        """Remove every file that clwork writes, and the folder where nothing else is in it.

        The folder gets a hidden name first: if the process is killed from then on, :func:`sweep_runs` completes it.

        Raises:
            DiskError: the disk refuses.
        """
        place = place_of(self.path, DELETED) or self.path
        if place == self.path:
            with suppress(OSError):  # it may be a disk of its own, or its parent not ours to write to
                self.move(own_name(place, DELETED))
        with self.writing():
            size = self._remove_files()
        try:
            self.path.rmdir()
        except OSError:  # something else is in it
            with suppress(OSError):
                os.rename(self.path, place)
        self.path = place
        return Deleted(size, sorted(os.listdir(place)) if place.is_dir() else [])

    def _remove_files(self) -> int:
        """Remove clwork's files, then folders that are empty, then the marks of a run; return the bytes freed."""
        mine = self._mine()
        size = sum((self.path / name).stat().st_size for name in mine)
        for name in mine:
            (self.path / name).unlink()
        for inner, _, _ in os.walk(self.path, topdown=False):
            if Path(inner) != self.path:
                with suppress(OSError):  # something else is in it
                    os.rmdir(inner)
        marks = [path.name for path in self.path.glob(".*") if place_of(path) == self.path / MAKING]
        for last in (RECIPE, *marks, LOCK):
            if self.has(last):
                size += (self.path / last).stat().st_size
                (self.path / last).unlink()
        return size

    def _mine(self) -> list[Path]:
        """The files that clwork writes; of its encoders those that their notes name, the notes last."""
        saved: dict[str, set[str]] = {}
        mine = []
        for name in self.files():
            top = name.parts[0]
            if len(name.parts) == 1:
                if (row := row_of(top)) is not None and not row.folder and top != RECIPE:  # which goes after the rest
                    mine.append(name)
            else:
                if top not in saved:
                    with suppress(ValueError, OSError):
                        saved[top] = set(note.files) if (note := read_note(self.path / top)) is not None else set()
                if name.parts[1] in saved.get(top, ()):
                    mine.append(name)
        return sorted(mine, key=lambda name: name.name == META)


def encoder_of(run: str) -> Path | None:
    """Folder of the encoder of a run, given by name or folder; None where no run is called so.

    Raises:
        FileNotFoundError: that run has none yet.
    """
    for folder in (RunFolder(runs_folder() / run), RunFolder(run)):
        if folder.has(RECIPE):
            if (latest := folder.encoders.latest()) is None:
                raise FileNotFoundError(f"the run in {folder.path} has no encoder yet; wait until it has finished")
            return latest
    return None


def folders(parent: Path) -> list[Path]:
    """The plain folders in ``parent`` by name, without those that are being removed."""
    inside = [path for path in sorted(parent.iterdir()) if is_plain_folder(path)] if parent.is_dir() else []
    return [path for path in inside if place_of(path, DELETED) is None]


def sweep_runs(parent: Path, name: str | None = None) -> Deleted | None:
    """Remove runs that were killed while being made or deleted, of this name or all; return what the last one freed."""
    swept = None
    for entry in os.listdir(parent) if os.access(parent, os.R_OK) else ():
        path = parent / entry
        deleted = place_of(path, DELETED)
        if name not in (None, (deleted or path).name) or not is_plain_folder(path):
            continue
        with suppress(OSError, BusyRunError):
            marks = [path] if deleted else [] if os.path.lexists(path / RECIPE) else path.glob(f".{MAKING}.*")
            if any(abandoned(mark) for mark in marks):
                files = RunFolder(path)
                files.lock()
                try:
                    swept = files.remove()
                finally:
                    files.unlock()
    return swept


def _entries(place: str | Path, levels: int) -> Iterator[os.DirEntry[str]]:
    with os.scandir(place) as entries:
        for entry in entries:
            yield entry
            if levels > 1 and entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path, levels - 1)


def run_place(folder: object) -> Path:
    """Check the path of a new run's folder.

    Raises:
        TypeError, ValueError: it is no path.
        FileExistsError: it is a file.
    """
    place = _validation.path("folder", folder)
    if os.path.lexists(place) and not place.is_dir():
        raise FileExistsError(f"folder={shown(str(place), 200)} is there, and no folder; give another")
    return place


def run_name(argument: str, name: object) -> str:
    """Check that a run's folder may have this name.

    Raises:
        TypeError: it is no text.
        ValueError: it is blank or too long, or could lead elsewhere.
    """
    if not isinstance(name, str):
        raise TypeError(f"{argument}={shown(name)} is {kind(name)}; give text, or leave {argument} out if it can be")
    _validation.check_characters(name, argument)
    if not name.strip():
        raise ValueError(f"{argument}={shown(name)} is blank; give a short name, or leave it out")
    if len(name.encode()) > MOST_OF_NAME:
        raise ValueError(
            f"{argument}={shown(name)} has {len(name)} letters; give at most {MOST_OF_NAME} of a byte "
            f"each (these take {len(name.encode())}), for it names a folder"
        )
    if not re.fullmatch(NAME, name):
        raise ValueError(
            f"{argument}={shown(name)} cannot name a folder; use letters, digits, '.', '_', '+' and '-', "
            "with a letter or digit first"
        )
    return name


def _next_free(path: Path) -> Path:
    """Create and return the first free folder of ``path-001``, ``path-002`` and so on."""
    for number in itertools.count(1):
        made = path.with_name(f"{path.name}-{number:03d}")
        try:
            made.mkdir(parents=True)
        except FileExistsError:
            continue
        return made
    raise AssertionError("unreachable")


def _empty(path: Path) -> Path:
    """Create the folder where it is missing."""
    if path.exists() and any(path.iterdir()):
        raise FileExistsError(f"{path} is not empty; {_way_out(RunFolder(path))}")
    path.mkdir(parents=True, exist_ok=True)
    return path


def _way_out(folder: RunFolder) -> str:
    """The remedy for a folder that is not empty."""
    if folder.has(RECIPE) and folder.checkpoints.any():
        return f"go on with that run, clwork.resume({str(folder.path)!r}), or give another name or folder"
    if folder.has(RECIPE):
        return "its run ended before its first checkpoint: delete the folder, or give another name or folder"
    return "give another name or folder"
