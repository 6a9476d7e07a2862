"""Open, list, group, rename and delete the runs that are stored on disk."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _validation, columns
from .._validation import checked, kind, printable, shown
from ..data.tables import fingerprint as fingerprint_of_file
from ..disk import is_plain_file, runs_folder
from ..encoders import Encoder, load_encoder
from ..encoders.loading import base_of
from ..events import event_text, moves
from ..methods import get, names
from ..metrics.diagnosis import Diagnosis, Trend
from ..run_folder.config import RunConfig, fingerprint
from ..run_folder.files import HISTORY, POSITIONS, RUN, SENTENCES, START, STATE, folders
from ..run_folder.folder import RunFolder
from ..run_folder.history import Row, RunHistory
from .positions import Positions
from .probe import trend_of
from .run import RUNS, Run
from .starting import as_it_was
from .thread import FINISHED

if TYPE_CHECKING:
    import pandas as pd

ACTIVE, KILLED = ("waiting", "running", "paused"), "killed"
MOVED_KEY, FORKED_KEY = SETTING_KEYS = (
    "moved at step",
    "forked",
)  # settings other than hyperparameters
WATCHED = (RUN, STATE, HISTORY, POSITIONS)  # files whose changes do not update the folder's time
MOST_ROWS = 2000  # in a recording


class Stored:
    """A read-only view of a run on disk; needs neither the corpus nor the start encoder."""

    def __init__(
        self,
        recipe: RunConfig,
        files: RunFolder,
        rows: Sequence[Row],
        status: str,
        error: str | None = None,
        damaged: int = 0,  # lines of the history that could not be read
    ) -> None:
        self.recipe, self.files, self.rows = recipe, files, rows
        self.status, self.error, self.damaged = status, error, damaged
        self.name, self.method, self.total_steps = recipe.name, recipe.method, recipe.steps
        self.parent, self.folder = recipe.parent, files.path

    @staticmethod
    def of(run: Run) -> Stored:
        return Stored(run.recipe, run.files, run.records(), run.status, run.error)

    @property
    def positions(self) -> Positions:
        """Positions of the probe's sentences at each recorded step."""
        return Positions.open(self.files)

    @checked()
    def records(self, since: int = 0) -> Sequence[Row]:
        """Rows of the history at the time of opening, from row number ``since``."""
        return self.rows[since:]

    @property
    def history(self) -> pd.DataFrame:
        """One row per step at the time of opening, as :attr:`.Run.history`."""
        return columns.History(self.rows).as_frame()

    def diagnosis(self) -> Diagnosis:
        """Return the diagnosis of the last checkpoint's vectors, as :meth:`.Run.diagnosis`."""
        return self.as_run().diagnosis()

    @property
    def step(self) -> int:
        """The last recorded step."""
        return int(self.rows[-1]["step"]) if self.rows else 0

    @property
    def trend(self) -> Trend | None:
        """Change of the geometry from the first measurement to the last; None before the first."""
        return trend_of(self.rows, self.total_steps, self.method)

    @cached_property
    def settings(self) -> dict[str, Hashable]:
        """All settings that determine the run, except the seed; a digest replaces texts and encoders without a name."""
        recipe, corpus, parent = self.recipe, self.recipe.sentences, self.parent
        moved = [f"{row['step']}: {text}" for row in self.rows if (text := moves(row))]
        sentences = f"{corpus.name or corpus.unknown or ''} {self._known('sentences')}".strip()
        if corpus.file is not None:
            sentences = f"given {self._known('sentences') or _digest([self.folder / SENTENCES])}"
        depends = parent is not None and (parent.step > 0 or recipe.weights_seed != recipe.seed)
        return {
            "method": recipe.method,
            "encoder": self._start(),
            "sentences": sentences,
            "steps": recipe.steps,
            **recipe.config,
            "precision": recipe.precision,
            **({MOVED_KEY: "; ".join(moved)} if moved else {}),
            **(
                {FORKED_KEY: event_text({"forked": parent.model_dump()})}
                if parent is not None and depends
                else {}
            ),
        }

    @property
    def encoder(self) -> Encoder:
        """The encoder of the last step, or of the best step so far if the run has not ended."""
        latest = self.files.latest_encoder()
        if latest is None:
            raise FileNotFoundError(
                f"{self.folder} holds no encoder yet; call clwork.resume({str(self.folder)!r})"
            )
        return load_encoder(latest)

    def as_run(self) -> Run:
        """The live run if this kernel trains it, else a read-only run at the last checkpoint."""
        live = [run for run in RUNS if run.alive and run.folder == self.folder]
        if live:
            return live[0]
        now = open_run(self.folder)
        return as_it_was(now.recipe, now.files, RunHistory(now.files), now.status, now.error)

    def _start(self) -> str:
        if self.recipe.encoder != f"./{START}":
            return self.recipe.encoder
        if not self.files.has_folder(START):
            return "an encoder that is not in the folder"
        base = START
        with suppress(OSError, ValueError):  # loading the encoder raises these errors
            base = base_of(self.folder / START)
        return f"{base} {self._known('encoder') or _digest(sorted((self.folder / START).glob('*.safetensors')))}"

    def _known(self, what: str) -> str:
        return self.recipe.fingerprints.get(what, "")[:8]


def _digest(files: Sequence[Path]) -> str:
    """First eight characters of a digest of the files, for runs without a stored fingerprint."""
    digests = [fingerprint_of_file(path) for path in files if is_plain_file(path)]
    return fingerprint(digests)[:8] if digests else ""


@checked()
def open_run(folder: str | Path) -> Stored:
    """Open a run of any origin for viewing; nothing is written, started or locked.

    Raises:
        FileNotFoundError: the folder holds no run.
        ValueError: its files are damaged.

    >>> clwork.open_run("clwork-runs/simcse-001").status  # doctest: +SKIP
    'finished'
    """
    files = RunFolder(folder)
    recipe = RunConfig.read(files)
    if (run := {run.folder: run for run in RUNS}.get(files.path)) is not None and run.alive:
        return Stored.of(run)
    history, state = RunHistory(files), files.state()
    status, error = (FINISHED, None) if history.last_step >= recipe.steps else ("unfinished", None)
    if state is not None:
        status, error = state.status, state.error
    if status in ACTIVE and not files.busy():
        status = KILLED
    return Stored(recipe, files, history.rows, status, error, history.damaged)


RunLike = Run | Stored  # common: name, folder, step, records and encoder
RunSource = Run | Stored | str | Path | Mapping[str, Any]
"""A run, an opened run, a run's folder, a recording, or the method of a recording that ships."""


def as_run(name: str, value: object) -> RunLike:
    """Convert ``value``, passed as the argument ``name``, to a run; raises TypeError for a recording."""
    remedy = "give a run, from clwork.start or clwork.open_run, or a run's folder"
    if isinstance(value, Run | Stored):
        return value
    if isinstance(value, Mapping):
        whose = shown(value.get("name") or value.get("method") or "no name")
        raise TypeError(
            f"{name} is the recording of {whose}, which has no weights and no folder; {remedy}"
        )
    if isinstance(value, str) and value in names():
        raise ValueError(
            f"{name}={value!r} is a method, and a method's recording has no weights and no folder; {remedy}. "
            "To play the recording, call lab.player"
        )
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; {remedy}")
    try:
        return open_run(_validation.path(name, value))
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"{name}={shown(str(value), 200)} is no run: {error}; {remedy}"
        ) from None


def recording_of(run: RunSource) -> dict[str, Any]:
    """Return a run's history and recorded positions as JSON-able data, see :func:`clwork.recording`."""
    run = as_run("run", run)
    about = run.positions.about or {
        "texts": [],
        "labels": None,
        "axes": 0,
        "span": 1.0,
        "share": [],
    }
    measured = run.positions.rows()
    rows = (
        columns.History(run.records())
        .thinned(MOST_ROWS, keep={row["step"] for row in measured})
        .rows
    )
    recorded = dict.fromkeys(name for row in rows for name in row if name != "events")
    described = {name: columns.of(name) for name in recorded}
    return {
        "name": run.name,
        "method": run.method,
        "title": get(run.method).title if run.method in names() else run.method,
        "total_steps": run.total_steps,
        "status": run.status,
        **{name: about[name] for name in ("texts", "labels", "axes", "span", "share")},
        "measurements": measured,
        "rows": rows,
        "columns": {
            name: {
                "title": column.label,
                "scale": column.scale,
                "better": column.better,
                "cell": column.cell,
            }
            for name, column in described.items()
        },
        "settings": dict(run.recipe.config),
        "seed": run.recipe.seed,
    }


@checked()
def stored_runs(folder: str | Path | None = None) -> tuple[list[Stored], list[str]]:
    """List all runs in ``folder`` (default: the folder of runs), oldest first, and a message for each damaged one."""
    return RunListing(runs_folder() if folder is None else Path(folder)).read()


class _Entry(NamedTuple):
    signature: tuple[object, ...]
    run: Stored | None
    trouble: str  # message about the damage, if there is any


class RunListing:
    """Reads the runs of a folder repeatedly, in one thread; unchanged runs are not read again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.reads = folder, 0
        self._entries: dict[Path, _Entry] = {}

    def read(
        self, progress: Callable[[int, int], object] | None = None, only_active: bool = False
    ) -> tuple[list[Stored], list[str]]:
        """Return all runs, oldest first, and a message for each damaged one; ``progress`` receives done and total."""
        place = self.folder.resolve()
        live = {run.folder.name for run in RUNS if run.alive and run.folder.parent == place}
        if only_active:
            known = self._entries
            paths = [
                path
                for path, entry in known.items()
                if entry.run is not None and entry.run.status in ACTIVE
            ]
        else:
            known, self._entries = self._entries, {}
            paths = [path for path in folders(self.folder) if os.path.lexists(path / RUN)]
        for number, path in enumerate(paths, start=1):
            self._entries[path] = self._entry(path, known.get(path), path.name in live)
            if progress is not None:
                progress(number, len(paths))
        opened = [entry.run for entry in self._entries.values() if entry.run is not None]
        trouble = [entry.trouble for entry in self._entries.values() if entry.trouble]
        return sorted(opened, key=lambda run: (run.recipe.created, run.recipe.name)), trouble

    def _entry(self, path: Path, known: _Entry | None, live: bool) -> _Entry:
        signature = _signature(
            path
        )  # taken before reading: files that change meanwhile are read again
        if (
            known is not None
            and not live
            and known.signature == signature
            and not _writer_changed(known.run)
        ):
            return known
        self.reads += 1
        try:
            if printable(str(path)) != str(path):
                raise ValueError("the folder's name has characters that cannot be shown; rename it")
            run = open_run(path)
            damage = (
                f"{path.name[:100]}: {event_text({'damaged': run.damaged})}" if run.damaged else ""
            )
            return _Entry(signature, run, damage)
        except Exception as error:  # of any kind: a bad folder must not hide the others
            return _Entry(
                signature, None, printable(f"{path.name[:100]} cannot be read: {str(error)[:300]}")
            )


def _signature(path: Path) -> tuple[object, ...]:
    """Sizes and times of a run's files, and the time of its folder; no file is opened."""
    found: list[object] = []
    for part in (path, *(path / name for name in WATCHED)):
        try:
            stat = part.lstat()
            found += [stat.st_ino, stat.st_mtime_ns, None if part is path else stat.st_size]
        except OSError:
            found.append(None)
    return tuple(found)


def _writer_changed(run: Stored | None) -> bool:
    """Whether a process has started or stopped writing an unfinished run; the files do not show this."""
    return (
        run is not None
        and run.status in (*ACTIVE, KILLED)
        and run.files.busy() != (run.status in ACTIVE)
    )


@checked()
def runs(folder: str | Path | None = None) -> pd.DataFrame:
    """Return the runs of a folder, oldest first, as a table with a row for each.

    The columns are name, method, status, step, number of steps and seed, the settings that differ between the
    runs, the last value of each measurement, and the folder, which :func:`clwork.open_run` opens and
    :func:`clwork.views.overlay` draws. ``folder`` is the folder of runs by default.

    Warns:
        UserWarning: a run cannot be read; the others are listed.

    >>> clwork.runs().sort_values("stsb")  # doctest: +SKIP
    """
    import pandas as pd

    found, trouble = stored_runs(folder)
    for message in trouble:
        warnings.warn(message, stacklevel=2)
    settings = [run.settings for run in found]
    differing = [name for name in changed_keys(settings) if name != "method"]
    rows: list[dict[str, Any]] = []
    for run, own in zip(found, settings, strict=True):
        history = columns.History(run.records())
        measured = {
            name: history.last(name) for name in columns.shown("table") if name in history.names
        }
        row: dict[str, Any] = {"name": run.name, "method": run.method, "status": run.status}
        row |= {"step": run.step, "steps": run.total_steps, "seed": run.recipe.seed}
        row |= {name: own.get(name) for name in differing}
        rows.append(row | measured | {"folder": str(run.folder)})
    return pd.DataFrame(rows)


def changed_keys(settings: Sequence[Mapping[str, Hashable]]) -> list[str]:
    known = dict.fromkeys(name for own in settings for name in own)
    values = {name: [own[name] for own in settings if name in own] for name in known}
    return [name for name, seen in values.items() if len(set(seen)) > 1]


def group_by_recipe(found: Sequence[Stored]) -> dict[str, list[Stored]]:
    """Group runs that differ only in their seed; a group is named by the settings that differ between groups."""
    settings = [run.settings for run in found]
    differing = [name for name in changed_keys(settings) if name not in ("method", *SETTING_KEYS)]
    groups: dict[str, list[Stored]] = {}
    for run, own in zip(found, settings, strict=True):
        words = [str(own["method"]), *(f"{name}={own[name]}" for name in differing if name in own)]
        words += [f"moved at step {own[MOVED_KEY]}"] if MOVED_KEY in own else []
        words += [str(own[FORKED_KEY])] if FORKED_KEY in own else []
        groups.setdefault(", ".join(words), []).append(run)
    return groups


def delete_run(folder: str | Path) -> None:
    """Delete the folder of a run that nothing trains permanently."""
    files = RunFolder(folder)
    files.check_exists()
    files.lock()
    try:
        files.delete()
    finally:
        files.unlock()
