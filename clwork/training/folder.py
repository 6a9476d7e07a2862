"""The folder of a run: the one place that knows its files, writes them, and lets one writer at a time in."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout

from ..data.settings import runs_folder
from ..data.writing import DRAFT, is_plain_file, is_plain_folder, write_whole
from ..encoders import Encoder, load_encoder
from .schema import Best, CheckpointMeta, State, parse
from .state import read_meta, read_state, write_state

RECIPE, STATE, RECORD, SENTENCES = "run.json", "state.json", "record.jsonl", "sentences.jsonl"
START, END, BEST = "start", "encoder", "best-"  # encoders: the given one, the last one, and the best by its step
CHECKPOINT, EARLIER = "checkpoint.safetensors", "checkpoint.earlier.safetensors"
LOCK = "run.lock"
LARGEST = {RECIPE: 1 << 20, STATE: 1 << 20, RECORD: 1 << 30, SENTENCES: 1 << 31}  # bytes that are read at most
OLD_BEST = "best"  # where format 1 kept the best encoder


class BusyRunError(RuntimeError):
    """Another thread or process is writing to the run's folder."""


class RunFolder:
    """A run's files.

    ==================================  =====================================================================
    ``run.json``                        what the run is made of
    ``state.json``                      how it stands: status, error, and which process writes
    ``record.jsonl``                    a row per step
    ``checkpoint.safetensors``          all that the next step depends on; ``checkpoint.earlier…`` the one before
    ``best-STEP/``                      the best encoder, where a score decides; the checkpoint names it
    ``encoder/``                        the encoder of the last step, once the run has ended or was stopped
    ``start/``, ``sentences.jsonl``     the encoder and the examples that were given as objects
    ``run.lock``                        held by whoever writes
    ==================================  =====================================================================

    Only these and what :meth:`keep_encoder` was asked to keep are ever read or copied, only where they are plain files
    and folders inside this one: a link is treated as absent.

    Attributes:
        path: absolute, and resolved when the object is made, so that a later change of directory does not matter.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser().resolve()
        self._lock = FileLock(self.path / LOCK, timeout=0, thread_local=False)

    def __repr__(self) -> str:
        return f"RunFolder({str(self.path)!r})"

    @staticmethod
    def new(method: str, name: str | None, folder: str | Path | None) -> RunFolder:
        """Make the folder of a new run, locked; never one that already holds something.

        Raises:
            ValueError: the name would leave the runs' folder.
            FileExistsError: the folder is not empty.
        """
        if name is not None and not re.fullmatch(r"[\w][\w.+-]*", name):
            raise ValueError(f"name={name!r} cannot name a folder; use letters, digits, '.', '_', '+' and '-'")
        if folder is None and name is None:
            made = _next_free(runs_folder() / method)
        else:
            made = Path(folder).expanduser() if folder is not None else runs_folder() / str(name)
            if made.exists() and any(made.iterdir()):
                raise FileExistsError(f"{made} is not empty; {_way_out(RunFolder(made))}")
            made.mkdir(parents=True, exist_ok=True)
        fresh = RunFolder(made)
        fresh.lock()
        return fresh

    # --- one writer at a time ---------------------------------------------------------------------------------

    def lock(self) -> None:
        """Become the only writer, in this process and among all others, until :meth:`unlock` or the process ends.

        Raises:
            BusyRunError: another one is; the message names it.
        """
        if os.path.lexists(self.path / LOCK) and not is_plain_file(self.path / LOCK):
            raise OSError(f"{self.path / LOCK} is no plain file; this is not a run of clwork's own: nothing is written")
        try:
            self._lock.acquire()
        except Timeout:
            raise BusyRunError(f"{self.path} is being trained by {self.writer()}; stop it there first") from None
        for left in self.path.glob(f".*{DRAFT}"):  # of a writer that was killed: nobody else writes here now
            left.unlink(missing_ok=True)
        for left in self.path.glob(".*.[0-9a-f]*"):
            if is_plain_folder(left) and re.fullmatch(r"\.[\w-]+\.[0-9a-f]{8}(\.old)?", left.name):
                shutil.rmtree(left, ignore_errors=True)

    def unlock(self) -> None:
        """Let the next writer in."""
        self._lock.release()

    def busy(self) -> bool:
        """Whether somebody, this process included, is writing; False where the folder cannot be written at all."""
        if not is_plain_file(self.path / LOCK):
            return False
        asking = FileLock(self.path / LOCK, timeout=0, thread_local=False)
        try:
            asking.acquire()
        except Timeout:
            return True
        except OSError:
            return False
        asking.release()
        return False

    def writer(self) -> str:
        """Who writes, or wrote last, in words."""
        state = self.state()
        if state is None:
            return "another run"
        if state.process == os.getpid() and state.host == socket.gethostname():
            return "this kernel (clwork.runs() finds the run)"
        return f"process {state.process} on {state.host}"

    # --- small files ------------------------------------------------------------------------------------------

    def read_json(self, name: str) -> Any:
        """The JSON in one of the folder's files.

        Raises:
            FileNotFoundError: there is no such plain file.
            ValueError: it is too large, or no JSON.
        """
        path = self.plain(name)
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path} is damaged: {type(error).__name__}: {str(error)[:200]}") from error

    def plain(self, name: str) -> Path:
        """Path of one of the folder's files, once it is known to be a plain one of bounded size.

        Raises:
            FileNotFoundError: nothing is there, or it is a link, a device or a folder.
            ValueError: it is larger than any of its kind.
        """
        path = self.path / name
        if not is_plain_file(path):
            other = " that is a file of its own: links and devices are not followed" if path.is_symlink() else ""
            raise FileNotFoundError(f"{self.path} has no {name}{other}")
        size = path.stat().st_size
        if size > LARGEST.get(name, 1 << 62):
            raise ValueError(f"{path} has {size:,} bytes; a {name} of clwork has at most {LARGEST[name]:,}")
        return path

    def encoder_of(self, run: str) -> Path | None:
        """Where another run, given by name or folder, keeps its encoder; None where no run is called so.

        Raises:
            FileNotFoundError: that run has none yet.
        """
        for folder in (RunFolder(runs_folder() / run), RunFolder(run)):
            if folder.has(RECIPE):
                if (kept := folder.encoder()) is None:
                    raise FileNotFoundError(f"the run in {folder.path} has no encoder yet; wait until it has finished")
                return kept
        return None

    def has(self, name: str) -> bool:
        """Whether the folder has this plain file."""
        return is_plain_file(self.path / name)

    def write_json(self, name: str, content: Any) -> None:
        """Replace one of the folder's files."""
        write_whole(self.path / name, json.dumps(content, indent=1, allow_nan=False) + "\n")

    def write_lines(self, name: str, rows: Iterable[Any]) -> None:
        """Replace one of the folder's files by a JSON of each row, a line each."""

        def write(draft: Path) -> None:
            with open(draft, "w", encoding="utf-8") as out:
                out.writelines(json.dumps(row) + "\n" for row in rows)

        write_whole(self.path / name, write)

    def append_line(self, name: str, row: Any) -> None:
        """Add a line to one of the folder's files, which is made where it is missing."""
        if (self.path / name).is_symlink():
            raise OSError(f"{self.path / name} is a link; nothing is written through it")
        with open(self.path / name, "a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")

    def lines(self, name: str) -> Iterator[Any]:
        """What the lines of one of the folder's files hold; raises as :meth:`read_json`."""
        path = self.plain(name)
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise ValueError(f"{path}, line {number} is damaged: {str(error)[:200]}") from error

    def state(self) -> State | None:
        """How the run stood when that was last written; None for runs from before it was kept, or where damaged."""
        try:
            return parse(State, self.read_json(STATE), self.path / STATE)
        except (FileNotFoundError, ValueError):
            return None

    def write_state(self, status: str, step: int, error: str | None = None) -> None:
        """Write down how the run stands; process and host are this one's."""
        about = {"process": os.getpid(), "host": socket.gethostname()}
        self.write_json(STATE, {"status": status, "step": step, "error": error, **about})

    # --- checkpoints ------------------------------------------------------------------------------------------

    def write_checkpoint(self, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, Any]) -> None:
        """Write the state of this moment; the one before stays as the earlier generation.

        The new one is whole on disk before anything moves, and a kill between the two moves leaves the earlier one.
        """
        fresh = self.path / f".{CHECKPOINT}{DRAFT}"
        write_state(fresh, tensors, meta)
        if self.has(CHECKPOINT):
            os.replace(self.path / CHECKPOINT, self.path / EARLIER)
        os.replace(fresh, self.path / CHECKPOINT)
        self._prune_best()

    def read_checkpoint(self) -> tuple[dict[str, torch.Tensor], CheckpointMeta]:
        """The newer of the two generations that can be read.

        Raises:
            FileNotFoundError: the run wrote none.
            ValueError: none can be read; the message is that of the newest.
        """
        return self._newest(read_state)

    def checkpoint_meta(self) -> CheckpointMeta:
        """What that checkpoint says of itself; raises as :meth:`read_checkpoint`."""
        return self._newest(lambda path: (None, read_meta(path)))[1]

    def _newest(self, read: Callable[[Path], tuple[Any, Any]]) -> tuple[Any, CheckpointMeta]:
        failures: list[ValueError] = []
        for name in (CHECKPOINT, EARLIER):
            if not self.has(name):
                continue
            try:
                tensors, meta = read(self.path / name)
                return tensors, parse(CheckpointMeta, meta, self.path / name)
            except ValueError as error:
                failures.append(error)
        if failures:
            raise failures[0]
        raise FileNotFoundError(f"{self.path} has no {CHECKPOINT}: the run ended before its first")

    def has_checkpoint(self) -> bool:
        """Whether there is anything to go on from."""
        return self.has(CHECKPOINT) or self.has(EARLIER)

    def drop_earlier(self) -> None:
        """Remove the earlier generation: of a run that has come to its end."""
        (self.path / EARLIER).unlink(missing_ok=True)
        self._prune_best()

    # --- encoders ---------------------------------------------------------------------------------------------

    def keep_encoder(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """What lies in the folder under ``name``; ``make`` puts it there the first time."""
        if not is_plain_folder(self.path / name):
            make().save(self.path / name)
        return load_encoder(self.path / name, device=device)

    def save_best(self, encoder: Encoder, step: int) -> None:
        """Keep the best encoder so far; the next checkpoint names it, and lets go of those before."""
        encoder.save(self.path / f"{BEST}{step:06d}")

    def best(self, step: int | None = None) -> Path | None:
        """Where the best encoder lies: that of ``step``, or the one that the checkpoint names; None without one."""
        if step is None:
            step = self.best_meta().get("step")
        names = ([] if step is None else [f"{BEST}{step:06d}"]) + [OLD_BEST]
        return next((self.path / name for name in names if is_plain_folder(self.path / name)), None)

    def best_meta(self) -> dict[str, Any]:
        """Step, score and rule of the best encoder, as the checkpoint tells them; empty where nothing was chosen."""
        try:
            best = self.checkpoint_meta().best
        except (FileNotFoundError, ValueError):
            return {}
        return best.model_dump() if isinstance(best, Best) else {}

    def save_end(self, encoder: Encoder) -> None:
        """Keep the encoder that the run ended or was stopped with."""
        encoder.save(self.path / END)

    def has_end(self) -> bool:
        """Whether the encoder of the run's end, or of its stop, is kept."""
        return is_plain_folder(self.path / END)

    def encoder(self) -> Path | None:
        """Where the run's encoder lies: that of its end, else the best so far; None before the first."""
        return self.path / END if self.has_end() else self.best()

    def _prune_best(self) -> None:
        """Let go of best encoders that neither generation names; a damaged one names none."""
        named = set()
        for name in (CHECKPOINT, EARLIER):
            with contextlib.suppress(FileNotFoundError, ValueError):
                named.add(parse(CheckpointMeta, read_meta(self.path / name), self.path / name).best_step)
        for path in self.path.glob(f"{BEST}*"):
            if is_plain_folder(path) and path.name[len(BEST) :].isdigit() and int(path.name[len(BEST) :]) not in named:
                shutil.rmtree(path, ignore_errors=True)

    # --- the whole --------------------------------------------------------------------------------------------

    def files(self) -> Iterator[Path]:
        """Every plain file of the run, relative to the folder; the lock and unfinished ones are none of it."""
        for top in sorted(self.path.iterdir()):
            if is_plain_file(top) and top.name != LOCK and not top.name.startswith("."):
                yield top.relative_to(self.path)
            elif is_plain_folder(top) and not top.name.startswith("."):
                yield from (p.relative_to(self.path) for p in sorted(top.iterdir()) if is_plain_file(p))

    def size(self) -> int:
        """Bytes on disk."""
        return sum((self.path / name).stat().st_size for name in self.files())

    def copy_to(self, target: Path, status: str) -> None:
        """Copy every plain file to an empty or missing folder, where the run then stands at ``status``.

        Raises:
            FileExistsError: the target holds something.
        """
        if target.exists() and any(target.iterdir()):
            raise FileExistsError(f"{target} is not empty; give a new folder")
        for name in self.files():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.path / name, target / name, follow_symlinks=False)
        state = self.state()
        RunFolder(target).write_state(status, state.step if state else 0, state.error if state else None)


def _next_free(path: Path) -> Path:
    """The first of ``path-001``, ``path-002``, … that nobody has taken, made."""
    for number in itertools.count(1):
        made = path.with_name(f"{path.name}-{number:03d}")
        try:
            made.mkdir(parents=True)
        except FileExistsError:
            continue
        return made
    raise AssertionError("unreachable")


def _way_out(folder: RunFolder) -> str:
    """What can be done about a folder that is not empty."""
    if folder.has(RECIPE) and folder.has_checkpoint():
        return f"go on with that run, clwork.resume({str(folder.path)!r}), or give another name or folder"
    if folder.has(RECIPE):
        return "its run ended before its first checkpoint: delete the folder, or give another name or folder"
    return "give another name or folder"
